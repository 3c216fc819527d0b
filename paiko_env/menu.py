"""The menu of the seat to act: its choices by block, written out as a mask, or one picked at random.

What the phase allows is a few bits and sets (a ``Menu``); which squares go with them, ``legal`` says.
A random choice is made without the mask, in one walk through those sets.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from paiko_env.actions import FACING, LIFT, STOP, TYPE, deploy_number, first_shift
from paiko_env.board import HALF
from paiko_env.legal import landing_squares, liftable, shift_spans, sound_facings
from paiko_env.moves import rested
from paiko_env.squares import NONE, count, nth_of, only
from paiko_env.state import ACTION, PLACE, SLIDE
from paiko_env.threat import Survey, lift_off, survey
from paiko_env.tiles import KINDS
from tabletop_env.bits import ZERO, bit, lowest, popcount, without_lowest
from tabletop_env.kernel import kernel
from tabletop_env.rng import choice_below

Squares = Any

NO_SURVEY = Survey(NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE)


class Menu(NamedTuple):
    """What the seat to act may choose from; sets of kinds and facings are bits of a uint64."""

    side: int
    types: Any
    """kinds to pick, draw or choose"""
    stop: Any
    """1 if it may stop or pass although there is something else to do"""
    facings: Any
    deployable: Any
    """kinds to set down, where ``landing_squares`` says"""
    movers: Squares
    """tiles to shift or slide, as ``shift_spans`` says"""
    lifts: Squares
    standing: Survey
    lifted: Survey


@kernel
def stock(counts):
    """Kinds of which there is a tile, as bits."""
    kinds = ZERO
    for kind in range(KINDS):
        if counts[kind]:
            kinds |= bit(kind)
    return kinds


@kernel
def type_menu(side, types, stop):
    """The menu of one who chooses among types, or may stop."""
    return Menu(side, types, stop, ZERO, ZERO, NONE, NONE, NO_SURVEY, NO_SURVEY)


@kernel
def tile_menu(game, side, types):
    """What a side may do with its tiles, by the phase; in ``ACTION`` it may also draw from ``types``."""
    phase = game["phase"]
    view = survey(game, side)
    if phase == ACTION:
        movers, lifts = rested(game, view.own), liftable(game, side, view)
        deployable = stock(game["hands"][game["seat"]])
        return Menu(side, types, ZERO, ZERO, deployable, movers, lifts, view, view)
    deployable = facings = ZERO
    movers = NONE
    lifted = lift_off(game, view, game["at"])
    if phase == SLIDE:
        movers = only(game["at"])
    elif phase == PLACE:
        deployable = bit(game["tile"][game["at"]] // 4)
    else:
        facings = sound_facings(game, lifted)
    return Menu(side, ZERO, ZERO, facings, deployable, movers, NONE, view, lifted)


@kernel
def landing_of(game, menu, kind):
    return landing_squares(game, menu.side, kind, menu.standing, menu.lifted)


@kernel
def spans_of(game, menu, square):
    return shift_spans(game, menu.side, menu.standing, square)


@kernel
def small_choices(menu):
    """The choices that no square goes with, as bits of their numbers."""
    return menu.types | menu.stop << np.uint64(STOP) | menu.facings << np.uint64(FACING)


@kernel
def sample_choice(game, menu):
    """One of the choices, each equally likely; if there is none, to pass (P14).

    One walk through the menu: of the sets of choices met so far one is kept, with a chance in
    proportion to its size.
    """
    kept, first_number = (small_choices(menu), ZERO), TYPE
    total = count(kept)
    kinds = menu.deployable
    while kinds != ZERO:
        kind = lowest(kinds)
        kinds = without_lowest(kinds)
        squares = landing_of(game, menu, kind)
        total += count(squares)
        if choice_below(game, total) < count(squares):
            kept, first_number = squares, deploy_number(kind, 0)
    for half in range(2):
        tiles = menu.movers[half]
        while tiles != ZERO:
            square = HALF * half + lowest(tiles)
            tiles = without_lowest(tiles)
            spans = spans_of(game, menu, square)
            total += popcount(spans)
            if choice_below(game, total) < popcount(spans):
                kept, first_number = (spans, ZERO), first_shift(square)
    total += count(menu.lifts)
    if choice_below(game, total) < count(menu.lifts):
        kept, first_number = menu.lifts, LIFT
    if total == 0:
        return STOP
    return first_number + nth_of(kept, choice_below(game, count(kept)))


@kernel
def write_choices(game, menu, mask):
    """Set every entry of ``mask`` (A,) bool; if there is no choice, only a pass is one (P14)."""
    for action in range(len(mask)):  # a loop becomes one block fill, which a slice does not
        mask[action] = False
    written = write_bits(mask, TYPE, small_choices(menu))
    kinds = menu.deployable
    while kinds != ZERO:
        kind = lowest(kinds)
        kinds = without_lowest(kinds)
        written += write_squares(mask, deploy_number(kind, 0), landing_of(game, menu, kind))
    for half in range(2):
        tiles = menu.movers[half]
        while tiles != ZERO:
            square = HALF * half + lowest(tiles)
            tiles = without_lowest(tiles)
            written += write_bits(mask, first_shift(square), spans_of(game, menu, square))
    written += write_squares(mask, LIFT, menu.lifts)
    if not written:
        mask[STOP] = True


@kernel
def write_squares(mask, start, squares):
    """Mark each square, from ``start`` on; how many they are."""
    north = write_bits(mask, start, squares[0])
    return north + write_bits(mask, start + HALF, squares[1])


@kernel
def write_bits(mask, start, bits):
    """Mark each bit set, from ``start`` on; how many they are."""
    marked = popcount(bits)
    while bits != ZERO:
        mask[start + lowest(bits)] = True
        bits = without_lowest(bits)
    return marked
