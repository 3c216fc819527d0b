"""The menu of the seat to act: its choices by block, written out as a mask, or one picked at random.

Free and careful tiles have loops of their own: which a tile is would often be guessed wrong in one loop,
and a kernel for both would be handed the whole terrain for every tile (a fifth of the time of a mask).

What the phase allows is a few bits and sets (a ``Menu``); which squares go with them, ``legal`` says.
A random choice is made without the mask, in one walk through those sets.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from paiko_env.actions import (
    DEPLOY,
    FACING,
    LIFT,
    SPANS,
    STOP,
    TYPE,
    deploy_number,
    first_shift,
)
from paiko_env.board import HALF, SQUARES
from paiko_env.legal import (
    Landing,
    Terrain,
    careful_spans,
    free_spans,
    landing_on,
    landing_squares,
    liftable,
    sound_facings,
    terrain_of,
)
from paiko_env.moves import rested
from paiko_env.squares import NONE, Squares, bit_of, both, count, less, nth_of, only
from paiko_env.state import ACTION, PLACE, SLIDE
from paiko_env.threat import Survey, lift_off, tiles_of_kinds
from paiko_env.tiles import CAREFUL, KINDS, MOBILE
from tabletop_env.bits import ZERO, bit, lowest, popcount, without_lowest
from tabletop_env.kernel import kernel
from tabletop_env.rng import choice_below
from tabletop_env.simd import make_gather, make_spread

NO_SURVEY = Survey(NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE)
NO_TERRAIN = Terrain(NO_SURVEY, NONE, NONE, NONE)
NO_LANDING = Landing(NONE, NONE, NONE, NONE)

_ANY_BIT = 0xFF
_kinds_of = make_gather(KINDS)
_mark_small = make_spread(range(DEPLOY))
_mark_spans = make_spread(range(SPANS))
_mark_squares = make_spread([bit_of(square) for square in range(SQUARES)])


class Menu(NamedTuple):
    """What the seat to act may choose from; sets of kinds and facings are bits of a uint64."""

    types: Any
    """kinds to pick, draw or choose"""
    stop: Any
    """1 if it may stop or pass although there is something else to do"""
    facings: Any
    deployable: Any
    """kinds to set down, where ``landing_squares`` says"""
    free: Squares
    """tiles to shift or slide, as ``free_spans`` says"""
    careful: Squares
    """the same, as ``careful_spans`` says"""
    lifts: Squares
    landing: Landing
    terrain: Terrain


@kernel
def stock(counts):
    """Kinds of which there is a tile, as bits."""
    return _kinds_of(counts, 0, _ANY_BIT)


@kernel
def type_menu(types, stop):
    """The menu of one who chooses among types, or may stop."""
    return Menu(types, stop, ZERO, ZERO, NONE, NONE, NONE, NO_LANDING, NO_TERRAIN)


@kernel
def tile_menu(game, side, types):
    """What a side may do with its tiles, by the phase; in ``ACTION`` it may also draw from ``types``."""
    phase = game["phase"]
    terrain = terrain_of(game, side)
    depended_on = tiles_of_kinds(game, CAREFUL)
    if phase == ACTION:
        movers = rested(game, both(terrain.standing.own, tiles_of_kinds(game, MOBILE)))
        free, careful = less(movers, depended_on), both(movers, depended_on)
        deployable, lifts = stock(game["hands"][game["seat"]]), liftable(game, terrain)
        landing = landing_on(terrain, terrain.standing)
        return Menu(types, ZERO, ZERO, deployable, free, careful, lifts, landing, terrain)
    deployable = facings = ZERO
    movers = NONE
    lifted = lift_off(game, terrain.standing, game["at"])
    if phase == SLIDE:
        movers = only(game["at"])
    elif phase == PLACE:
        deployable = bit(game["tile"][game["at"]] // 4)
    else:
        facings = sound_facings(game, lifted)
    free, careful = less(movers, depended_on), both(movers, depended_on)
    landing = landing_on(terrain, lifted)
    return Menu(ZERO, ZERO, facings, deployable, free, careful, NONE, landing, terrain)


@kernel
def small_choices(menu):
    """The choices that no square goes with, as bits of their numbers."""
    return menu.types | menu.stop << np.uint64(STOP) | menu.facings << np.uint64(FACING)


@kernel
def sample_choice(game, menu):
    """One of the choices, each equally likely; if there is none, to pass (P14)."""
    small = small_choices(menu), ZERO
    draw = small, TYPE, count(small)
    kinds = menu.deployable
    while kinds != ZERO:
        kind = lowest(kinds)
        kinds = without_lowest(kinds)
        draw = offer(game, draw, landing_squares(kind, menu.landing), deploy_number(kind, 0))
    for half in range(2):
        tiles = menu.free[half]
        while tiles != ZERO:
            square = HALF * half + lowest(tiles)
            tiles = without_lowest(tiles)
            spans = free_spans(game, menu.terrain, square)
            draw = offer(game, draw, (spans, ZERO), first_shift(square))
        tiles = menu.careful[half]
        while tiles != ZERO:
            square = HALF * half + lowest(tiles)
            tiles = without_lowest(tiles)
            spans = careful_spans(game, menu.terrain, square)
            draw = offer(game, draw, (spans, ZERO), first_shift(square))
    return drawn(game, offer(game, draw, menu.lifts, LIFT))


@kernel
def offer(game, draw, choices, number):
    """One set of choices more, the first of them ``number``: a *draw* keeps one of the sets that it was
    offered, with a chance in proportion to its size; (set kept, its number, size of all)."""
    kept, first_number, total = draw
    size = count(choices)
    total += size
    if choice_below(game, total) < size:
        return choices, number, total
    return kept, first_number, total


@kernel
def drawn(game, draw):
    """One of the choices offered; if there were none, to pass (P14)."""
    kept, first_number, total = draw
    if total == 0:
        return STOP
    return first_number + nth_of(kept, choice_below(game, count(kept)))


@kernel
def write_choices(game, menu, mask):
    """Set every entry of ``mask`` (A,) bool; if there is no choice, only a pass is one (P14)."""
    clear(mask)
    small = small_choices(menu)
    written = popcount(small)
    _mark_small(mask, TYPE, ((small,),))
    kinds = menu.deployable
    while kinds != ZERO:
        kind = lowest(kinds)
        kinds = without_lowest(kinds)
        written += write_squares(mask, deploy_number(kind, 0), landing_squares(kind, menu.landing))
    for half in range(2):
        tiles = menu.free[half]
        while tiles != ZERO:
            square = HALF * half + lowest(tiles)
            tiles = without_lowest(tiles)
            written += write_spans(mask, square, free_spans(game, menu.terrain, square))
        tiles = menu.careful[half]
        while tiles != ZERO:
            square = HALF * half + lowest(tiles)
            tiles = without_lowest(tiles)
            written += write_spans(mask, square, careful_spans(game, menu.terrain, square))
    written += write_squares(mask, LIFT, menu.lifts)
    if not written:
        mask[STOP] = True


@kernel
def clear(mask):
    """Nothing is legal yet."""
    for action in range(len(mask)):  # a loop becomes one block fill, which a slice does not
        mask[action] = False


@kernel
def write_squares(mask, start, squares):
    """Set the entries of all squares, from ``start`` on; how many are legal."""
    _mark_squares(mask, start, (squares,))
    return count(squares)


@kernel
def write_spans(mask, square, spans):
    """Set the entries of all shifts from a square; how many are legal."""
    _mark_spans(mask, first_shift(square), ((spans,),))
    return popcount(spans)
