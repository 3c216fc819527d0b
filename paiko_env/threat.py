"""Threat and cover of the whole board, from scratch (P2).

Counts are kept as *thermometers*, one set of squares for each step: ``one`` holds the squares that are
threatened once or more, ``two`` twice or more, and so on. Nothing takes more than three threats; a
fourth step is there so that one tile can be taken off again.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

from paiko_env.board import ALL_SQUARES, BLACK, HALF, HOME, SQUARES, WHITE
from paiko_env.heroes import any_hero, self_cover, shelter
from paiko_env.squares import NONE, Squares, at, both, either, given, less, only
from paiko_env.state import STACKS
from paiko_env.tiles import COVER, FIRE, THREAT
from tabletop_env.bits import ONE, ZERO, lowest, without_lowest
from tabletop_env.kernel import kernel
from tabletop_env.lanes import half, lanes, load_lanes, load_twice, store_lanes


class Survey(NamedTuple):
    """The board as one side has to reckon with it."""

    own: Squares
    """its tiles"""
    one: Squares
    """threatened by one tile or more: the other side's, and its own Fires"""
    two: Squares
    three: Squares
    four: Squares
    """so that three is known even with one of its Fires less"""
    cover: Squares
    """in cover"""
    twice: Squares
    """in cover from two of its tiles, or by its homeground, so that one tile less does not matter"""
    reach: Squares
    """threatened by a tile of its own that is no Fire"""


@kernel
def tiles_of(game, side):
    return at(game["sides"], side)


@kernel
def tiles_like(game, kind):
    return at(game["kinds"], kind)


@kernel
def tiles_of_kinds(game, kinds):
    """Tiles of some kinds, a tuple, of both colours."""
    tiles = NONE
    for kind in kinds:
        tiles = either(tiles, tiles_like(game, kind))
    return tiles


@kernel
def threat_by(code, square):
    return THREAT[code, square, 0], THREAT[code, square, 1]


@kernel
def cover_by(code, square):
    return COVER[code, square, 0], COVER[code, square, 1]


# -- stacking ------------------------------------------------------------------------------------

_PLAIN, _FIRE, _HERO_FIRE = range(3)
_ROLES = 3


def _lane_mask(sides: Iterable[int]) -> list[int]:
    """All squares of each of the sides, White's words first."""
    return [int(word) * (side in sides) for side in (WHITE, BLACK) for word in ALL_SQUARES]


_HARMS = np.array(
    [
        [_lane_mask({1 - side, side} if role == _FIRE else {1 - side}) for role in range(_ROLES)]
        for side in (WHITE, BLACK)
    ],
    np.uint64,
)
"""(2, 3, 4) uint64: whom a tile threatens, by its side and role: the enemy; a Fire both sides, but for a
hero (P2, R10)."""
_HELPS = np.array(
    [
        [_lane_mask({side} if role == _PLAIN else ()) for role in range(_ROLES)]
        for side in (WHITE, BLACK)
    ],
    np.uint64,
)
"""(2, 3, 4) uint64: whom it covers, and for whom it makes ground to deploy on (P4): its own side,
a Fire nobody."""


@kernel
def stacked(steps, hit):
    """A thermometer with one threat more on some squares."""
    one, two, three, four = steps
    return one | hit, two | one & hit, three | two & hit, four | three & hit


@kernel
def stack_threat(game, tiles):
    """How many of ``tiles`` threaten each square, whosever they are: a thermometer."""
    none = lanes(NONE, NONE)
    steps = none, none, none, none
    for half_of_board in range(2):
        word = tiles[half_of_board]
        while word != ZERO:
            square = HALF * half_of_board + lowest(word)
            word = without_lowest(word)
            steps = stacked(steps, load_twice(THREAT, pattern_number(game, square)))
    one, two, three, four = steps
    return half(one, 0), half(two, 0), half(three, 0), half(four, 0)


@kernel
def stack_sides(game):
    """Of White and Black, in lanes, one after the other: the thermometer of threat, squares in cover, in
    cover twice, and threatened by own tiles that are no Fires. Busy tiles count for nothing (R5)."""
    none = lanes(NONE, NONE)
    steps = none, none, none, none
    cover = twice = load_lanes(HOME, 0)
    reach = none
    for half_of_board in range(2):
        white, black = game["sides"][WHITE, half_of_board], game["sides"][BLACK, half_of_board]
        fires, heroes = game["kinds"][FIRE, half_of_board], game["heroes"][half_of_board]
        word = (white | black) & ~game["busy"][half_of_board]
        while word != ZERO:
            place = np.uint64(lowest(word))
            word = without_lowest(word)
            fire, side = fires >> place & ONE, black >> place & ONE
            role = np.int64(_ROLES * side + fire + (fire & heroes >> place))
            pattern = pattern_number(game, HALF * half_of_board + place)
            threat, helps = load_twice(THREAT, pattern), load_lanes(_HELPS, role)
            shade = load_twice(COVER, pattern) & helps
            steps = stacked(steps, threat & load_lanes(_HARMS, role))
            cover, twice = cover | shade, twice | cover & shade
            reach = reach | threat & helps
    return steps, cover, twice, reach


@kernel
def pattern_number(game, square):
    """Number of the pattern of the tile on a square, in the tables of ``tiles``."""
    return np.int64(SQUARES * np.int64(game["tile"][square]) + square)


# -- surveys -------------------------------------------------------------------------------------

_ONE, _TWO, _THREE, _FOUR, _COVER, _TWICE, _REACH = range(len(STACKS))


@kernel
def look(game):
    """Keep in the row what ``stack_sides`` finds.

    It is due whenever a tile has come, gone, turned, woken, or become busy or a hero, before anybody asks
    for a survey. It begins from scratch, as a survey would; but the capture phase, the menu and the
    observations all ask, and to look for each anew took a tenth of a step.
    """
    (one, two, three, four), cover, twice, reach = stack_sides(game)
    stacks = game["stacks"]
    store_lanes(stacks, _ONE, one)
    store_lanes(stacks, _TWO, two)
    store_lanes(stacks, _THREE, three)
    store_lanes(stacks, _FOUR, four)
    store_lanes(stacks, _COVER, cover)
    store_lanes(stacks, _TWICE, twice)
    store_lanes(stacks, _REACH, reach)


@kernel
def survey(game, side):
    """The survey of a side, of what ``look`` has found."""
    view = plain_survey(game, side)
    if not any_hero(game):
        return view
    return with_heroes(view, self_cover(game, side), shelter(game, side))


@kernel
def plain_survey(game, side):
    """The same, were there no heroes but Fires."""
    return Survey(
        tiles_of(game, side),
        kept(game, _ONE, side),
        kept(game, _TWO, side),
        kept(game, _THREE, side),
        kept(game, _FOUR, side),
        kept(game, _COVER, side),
        kept(game, _TWICE, side),
        kept(game, _REACH, side),
    )


@kernel
def kept(game, place, side):
    """A side's half of a row of the field ``stacks``."""
    return game["stacks"][place, 2 * side], game["stacks"][place, 2 * side + 1]


@kernel
def with_heroes(view, itself, safe):
    """The survey with what the side's heroes do for it (R10): one covers ``itself``, and on ``safe`` squares
    no tile can be captured; more than one threat counts as one there."""
    return Survey(
        view.own,
        view.one,
        less(view.two, safe),
        less(view.three, safe),
        less(view.four, safe),
        either(view.cover, itself),
        either(view.twice, both(view.cover, itself)),
        view.reach,
    )


@kernel
def lift_off(game, view, square):
    """The survey if the side's tile on ``square`` were lifted off the board.

    ``reach`` stays: what it is good for, deploying, is judged with the tile still there (P9).
    """
    code = game["tile"][square]
    shade = cover_by(code, square)
    heat = given(code // 4 == FIRE, threat_by(code, square))
    return Survey(
        less(view.own, only(square)),
        either(less(view.one, heat), view.two),
        either(less(view.two, heat), view.three),
        either(less(view.three, heat), view.four),
        view.four,
        either(less(view.cover, shade), view.twice),
        view.twice,
        view.reach,
    )


@kernel
def capturable(view):
    """The side's tiles that three threats, or two out of cover, take (P2)."""
    return both(view.own, deadly(view, 0))


@kernel
def falling(game, side):
    """Tiles of ``side`` that are capturable as the board stands."""
    return capturable(survey(game, side))


@kernel
def deadly(view, extra):
    """Squares whose threat would capture a tile of the side, were it ``extra`` more (0 or 1)."""
    now = either(view.three, less(view.two, view.cover))
    return either(now, given(extra, either(view.two, less(view.one, view.cover))))
