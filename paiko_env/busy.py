"""Where tiles may go if those that act are busy at once (R4, R5, R10): ``legal`` for such games.

A tile that has moved gives nothing, so nothing depends on where it stands or how it is faced; what it
gave before is gone at once. Threat only falls while a round lasts: a tile can be lost (P5) only with
the cover that a tile takes away, and with its own.
"""

from __future__ import annotations

from typing import NamedTuple

from paiko_env.heroes import (
    Gifts,
    gifts_of,
    hero_of,
    heroes_of,
    range_of,
    redeployable,
    self_cover,
)
from paiko_env.legal import BLACKS, empty_squares, fragile, ground_of
from paiko_env.spans import HERE, walk
from paiko_env.squares import (
    NONE,
    Squares,
    both,
    either,
    first,
    given,
    holds,
    is_empty,
    less,
    only,
    rest,
)
from paiko_env.state import SLIDE
from paiko_env.threat import (
    Survey,
    capturable,
    cover_by,
    deadly,
    lift_off,
    plain_survey,
    survey,
    tiles_like,
    tiles_of_kinds,
    with_heroes,
)
from paiko_env.tiles import AIR, CAREFUL, EARTH, LOTUS, MOBILE
from tabletop_env.bits import ZERO
from tabletop_env.kernel import kernel


class Field(NamedTuple):
    """The board before a tile of a side acts; busy tiles give nothing."""

    side: int
    standing: Survey
    gifts: Gifts
    empty: Squares
    exposed: Squares
    """its tiles that are capturable already"""
    ways: Squares
    """squares that a tile may enter that gives its own side nothing (P6)"""
    landing: Squares
    """squares where a tile may be deployed (P4)"""
    lotus: Squares
    """the same for a Lotus, which does not cover itself yet"""


@kernel
def field_of(game, side):
    view, gifts, empty = survey(game, side), gifts_of(game, side), empty_squares(game)
    safe, exposed = less(empty, deadly(view, 0)), capturable(view)
    ways = less(less(safe, BLACKS), gifts.locked)
    landing, lotus = less(ground_of(side, view, empty), gifts.hot), safe
    if not is_empty(exposed):  # in a position made up: a tile from the hand saves nobody
        landing = lotus = NONE
    return Field(side, view, gifts, empty, exposed, ways, landing, lotus)


@kernel
def without(game, field, square):
    """The survey if the side's tile on ``square`` were lifted off the board, and a hero's gifts with it."""
    if not holds(heroes_of(game), square):
        return lift_off(game, field.standing, square)
    here, view = only(square), field.standing
    kind = game["tile"][square] // 4
    if kind == LOTUS:  # its shelter goes
        view = with_heroes(plain_survey(game, field.side), self_cover(game, field.side), NONE)
    shade = cover_by(game["tile"][square], square)
    shade = either(shade, given(kind == EARTH, here))  # it covers itself
    return Survey(  # a Fire does not threaten its side (R10)
        less(view.own, here),
        view.one,
        view.two,
        view.three,
        view.four,
        either(less(view.cover, shade), view.twice),
        view.twice,
        view.reach,
    )


@kernel
def giving(game):
    """Tiles that cover any, themselves included, or threaten their own side."""
    earths = both(heroes_of(game), tiles_like(game, EARTH))
    return either(tiles_of_kinds(game, CAREFUL), earths)


@kernel
def mobile(game):
    """Tiles of kinds that shift; of the Airs, heroes do (R10)."""
    airs = both(heroes_of(game), tiles_like(game, AIR))
    return either(tiles_of_kinds(game, MOBILE), airs)


# -- shift and slide (P6, P8) --------------------------------------------------------------------


@kernel
def free_spans(game, field, square):
    """Where a tile that gives nothing may shift, as spans; ``HERE`` is to stay. A tile that slides is busy;
    a Sword locks it, but it may stay (R10)."""
    steps = game["left"] if game["phase"] == SLIDE else range_of(game, square)
    goals = ZERO if holds(field.gifts.locked, square) else walk(square, steps, field.ways)
    if is_empty(field.exposed):
        return goals | HERE
    # A tile is capturable already: no other may move, and it may not stay.
    return goals if is_empty(less(field.exposed, only(square))) else ZERO


@kernel
def careful_spans(game, field, square):
    """The same of a tile that gives something."""
    lifted = without(game, field, square)
    if not is_empty(capturable(lifted)):
        return ZERO
    lost = deadly(lifted, 0)
    ways = less(less(less(field.empty, BLACKS), field.gifts.locked), lost)
    goals = walk(square, range_of(game, square), ways)
    return goals | (ZERO if holds(lost, square) else HERE)


# -- redeploy (P9) -------------------------------------------------------------------------------


@kernel
def places(game, field, square):
    """Where the tile on ``square`` may be set down after a lift; a Sword bars a Lotus, too (R10)."""
    lifted = without(game, field, square)
    if not is_empty(capturable(lifted)):
        return NONE
    lotus = game["tile"][square] // 4 == LOTUS
    squares = less(field.empty, deadly(lifted, 0)) if lotus else field.landing
    return less(squares, field.gifts.locked)


@kernel
def liftable(game, field, movers):
    """Those of the tiles that may move that may be lifted, and have somewhere to go (P9, P18)."""
    gifted = both(movers, redeployable(game, field.side, field.gifts))
    tiles = NONE
    if is_empty(fragile(field.standing)):  # then all but a Lotus, which shelters, may land alike
        plain = less(gifted, tiles_like(game, LOTUS))
        tiles = given(not is_empty(less(field.landing, field.gifts.locked)), plain)
        gifted = less(gifted, plain)
    while not is_empty(gifted):
        square = first(gifted)
        gifted = rest(gifted)
        if not is_empty(places(game, field, square)):
            tiles = either(tiles, only(square))
    return tiles


# -- back to the hand (R4) -----------------------------------------------------------------------


@kernel
def may_go_back(game, field, kind):
    """Whether a side's hero of a kind is on the board, not busy, and can be spared (P5)."""
    hero = less(hero_of(game, field.side, kind), (game["busy"][0], game["busy"][1]))
    return not is_empty(hero) and is_empty(capturable(without(game, field, first(hero))))
