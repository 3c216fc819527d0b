"""What a seat of Ronin has seen and cannot see, dealt anew as it may be (R11).

What each colour has off the board is public, by subtraction; so are the sizes of hands and reserves. Of
earlier rounds one thing has to be remembered: a white tile that lies open, on the board or in White's hand
to White itself, is no base, and it is none of the bases that were there when it has gone back to the
reserve. All other hidden tiles are mixed and dealt anew each round, and in a round tiles only come to
light, so that the position tells all else.

Not kept is how likely a deal is by the draws of earlier rounds, only whether it is possible; nor what
would follow from two moments, taken together, for a base that has been captured since (it takes nearly all
of White's tiles open at once). A state read from text tells nothing of earlier rounds: it is taken as if
they had shown no more than it does. Copies, pickles and replayed records keep all.
"""

from __future__ import annotations

import numpy as np

from paiko_env.board import WHITE
from paiko_env.ronin_chance import kind_at, put_back, size
from paiko_env.ronin_menu import side_of
from paiko_env.squares import both, count
from paiko_env.state import MAX_PLAYERS
from paiko_env.threat import tiles_like, tiles_of
from paiko_env.tiles import COPIES, KINDS
from tabletop_env.bits import ZERO, bit, has, popcount
from tabletop_env.kernel import kernel
from tabletop_env.rng import chance_below

ATTEMPTS = 60
"""How often a deal of bases is begun again before it is only made possible, no longer equally likely."""

# -- what is kept --------------------------------------------------------------------------------


@kernel
def remember(game):
    """Keep what a round has shown, before tiles are captured and hands go back.

    Member ``KINDS * n + kind`` of ``shown[viewer, side, hero]``: more than ``n`` tiles of the kind lay
    open at once while this base was there. It and all older ones are then among the tiles that did not.
    Viewer 0 is White, 1 any Black.
    """
    to_white, to_blacks = ZERO, ZERO
    for kind in range(KINDS):
        tiles = count(both(tiles_of(game, WHITE), tiles_like(game, kind)))
        to_blacks |= steps(tiles, kind)
        to_white |= steps(tiles + game["hands"][0, kind], kind)
    for side in range(2):
        for hero in range(KINDS):
            if game["bases"][side, hero]:
                game["shown"][0, side, hero] |= np.uint32(to_white)
                game["shown"][1, side, hero] |= np.uint32(to_blacks)


@kernel
def forget(game, side, hero):
    """A base is in the reserve again."""
    game["shown"][0, side, hero] = game["shown"][1, side, hero] = 0


@kernel
def steps(tiles, kind):
    """So many tiles of a kind as members of a set, ``COPIES`` at most."""
    members = ZERO
    for number in range(min(COPIES, tiles)):
        members |= bit(KINDS * number + kind)
    return members


@kernel
def most_shown(shown, kind):
    """How many tiles of a kind lay open at once."""
    tiles = 0
    for number in range(COPIES):
        tiles += has(np.uint64(shown), KINDS * number + kind)
    return tiles


# -- dealt anew ----------------------------------------------------------------------------------


@kernel
def resample_hidden(game, seat):
    """Deal what ``seat`` cannot see anew: others' hands, bases, and what is left in the reserves.

    Its hidden tiles are gathered in their reserves and dealt to their places again: any deal, with the
    same chance, in which no base is a tile that was shown.
    """
    held = np.zeros(MAX_PLAYERS, np.int64)
    for other in range(game["players"]):
        if other != seat:
            held[other] = size(game["hands"][other])
            put_back(game, other)
    lay_bases(game, 0 if seat == 0 else 1)
    for other in range(game["players"]):
        for _ in range(held[other]):
            game["hands"][other, take_any(game, side_of(other))] += 1


@kernel
def take_any(game, side):
    """Take a tile from a reserve, any with the same chance; its kind."""
    reserve = game["reserves"][side]
    kind = kind_at(reserve, chance_below(game, size(reserve)))
    reserve[kind] -= 1
    return kind


@kernel
def lay_bases(game, viewer):
    """Lay other bases that are possible to a viewer; all white tiles that it cannot see lie in the reserve.

    All possible deals have the same chance, unless ``ATTEMPTS`` are in vain.
    """
    bases, shown = game["bases"].reshape(2 * KINDS), game["shown"][viewer].reshape(2 * KINDS)
    order = oldest_first(bases, shown)
    for base in order:
        game["reserves"][WHITE, bases[base] - 1] += 1
    rooms = rooms_of(game, order, shown)
    for attempt in range(ATTEMPTS + 1):
        if deal_bases(game, order, bases, rooms, attempt == ATTEMPTS):
            return


@kernel
def oldest_first(bases, shown):
    """The bases there are, in order: what was shown of one was shown of all older ones."""
    order = np.empty(len(bases), np.int64)
    found = 0
    for base in range(len(bases)):
        if bases[base]:
            place = found
            found += 1
            while place and popcount(np.uint64(shown[order[place - 1]])) < popcount(
                np.uint64(shown[base])
            ):
                order[place] = order[place - 1]
                place -= 1
            order[place] = base
    return order[:found]


@kernel
def rooms_of(game, order, shown):
    """How many of a base and all older ones may be of a kind: (bases, KINDS)."""
    rooms = np.empty((len(order), KINDS), np.int64)
    for kind in range(KINDS):
        tiles = count(both(tiles_of(game, WHITE), tiles_like(game, kind)))
        tiles += game["hands"][0, kind] + game["reserves"][WHITE, kind]
        for place in range(len(order)):
            rooms[place, kind] = tiles - most_shown(shown[order[place]], kind)
    return rooms


@kernel
def deal_bases(game, order, bases, rooms, forced):
    """Draw the bases from the reserve, the oldest first; whether that went well, or all lie there again.

    A base is drawn from all tiles of the kinds that have any room. One that has none left spoils the
    deal, so that no deal is likelier than others. ``forced`` leaves such kinds out; there is always
    another, for the bases as they are fill no more than the rooms.
    """
    reserve = game["reserves"][WHITE]
    laid, choice = np.zeros(KINDS, np.int64), np.zeros(KINDS, np.int64)
    for place in range(len(order)):
        for kind in range(KINDS):
            least = laid[kind] if forced else 0
            choice[kind] = reserve[kind] if rooms[place, kind] > least else 0
        kind = kind_at(choice, chance_below(game, size(choice)))
        if laid[kind] >= rooms[place, kind]:
            for other in range(KINDS):
                reserve[other] += laid[other]
            return False
        reserve[kind] -= 1
        laid[kind] += 1
        bases[order[place]] = 1 + kind
    return True
