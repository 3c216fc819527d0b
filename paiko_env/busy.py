"""Where tiles may go if those that act are busy at once (R4, R5, R10): ``legal`` for such games.

A tile that has moved gives nothing, so nothing depends on where it stands or how it is faced; what it
gave before is gone at once. Threat only falls while a round lasts: a tile can be lost (P5) only with
the cover that a tile takes away, and with its own.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from paiko_env.heroes import (
    Gifts,
    gifts_of,
    hero_of,
    heroes_of,
    range_of,
    redeployable,
)
from paiko_env.legal import BLACKS, empty_squares, ground_of
from paiko_env.spans import HERE, walk
from paiko_env.squares import NONE, both, either, first, holds, is_empty, less, only, rest
from paiko_env.threat import Survey, capturable, deadly, lift_off, survey, survey_afresh
from paiko_env.tiles import CARE, EARTH, LOTUS
from tabletop_env.bits import ZERO
from tabletop_env.kernel import kernel

Squares = Any


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
    """The survey if the side's tile on ``square`` were lifted off the board."""
    if not holds(heroes_of(game), square):
        return lift_off(game, field.standing, square)
    here = only(square)
    busy = game["busy"][0], game["busy"][1]
    game["busy"][0], game["busy"][1] = either(busy, here)  # a busy hero gives nothing
    view = survey_afresh(game, field.side)
    game["busy"][0], game["busy"][1] = busy
    return Survey(
        less(view.own, here), view.one, view.two, view.three, view.four, view.cover, view.twice,
        view.reach,
    )  # fmt: skip


@kernel
def gives_much(game, square):
    """Whether the tile on a square covers any, itself included, or threatens its own side."""
    kind = game["tile"][square] // 4
    return CARE[kind] or (kind == EARTH and holds(heroes_of(game), square))


# -- shift and slide (P6, P8) --------------------------------------------------------------------


@kernel
def shift_spans(game, field, square):
    """Where the tile on ``square``, which is not locked, may shift, as spans; ``HERE`` is to stay."""
    steps = range_of(game, square)
    if steps == 0:
        return ZERO
    if not gives_much(game, square):
        others_exposed = not is_empty(less(field.exposed, only(square)))
        stay = ZERO if holds(field.exposed, square) else HERE
        return ZERO if others_exposed else walk(square, steps, field.ways) | stay
    lifted = without(game, field, square)
    if not is_empty(capturable(lifted)):
        return ZERO
    lost = deadly(lifted, 0)
    ways = less(less(less(field.empty, BLACKS), field.gifts.locked), lost)
    return walk(square, steps, ways) | (ZERO if holds(lost, square) else HERE)


@kernel
def slide_spans(game, field, square):
    """Where the busy tile on ``square`` may slide; a Sword locks it, but it may stay (R10)."""
    if not is_empty(less(field.exposed, only(square))):
        return ZERO
    stay = ZERO if holds(field.exposed, square) else HERE
    if holds(field.gifts.locked, square):
        return stay
    return walk(square, game["left"], field.ways) | stay


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
