"""Red's menu: its choices by block, written out as a mask, or one picked at random; as in ``menu``."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from paiko_env.actions import STOP, first_shift
from paiko_env.board import RED, SQUARES
from paiko_env.capture import prey
from paiko_env.menu import clear, drawn, offer, write_spans, write_squares
from paiko_env.moves import rested
from paiko_env.red import (
    corpse_squares,
    corpses_of,
    deadly_to_red,
    free_squares,
    shielded,
    zombie_spans,
    zombies_of,
)
from paiko_env.squares import NONE, first, is_empty, less, rest
from paiko_env.state import ACTION, RETRIEVE, ZOMBIFY
from paiko_env.threat import tiles_of
from paiko_env.valley_actions import CORPSE
from tabletop_env.bits import ZERO
from tabletop_env.kernel import kernel

BLOCKS = 5
"""Blocks of ``valley_actions`` behind Paikō's own, a number a square each."""


class RedMenu(NamedTuple):
    """What Red may choose from."""

    stop: int
    """1 if it may stop although there is something else to do"""
    squares: Any
    """of each block: corpse, raise, retrieve, zombify, capture"""
    movers: Any
    """zombies to shift"""
    free: Any
    """squares that they may enter"""


@kernel
def red_menu(game):
    """Red's choices in the phase under way (V4, V5, V7)."""
    phase = game["phase"]
    if phase == ACTION:
        return action_menu(game)
    if phase == RETRIEVE:
        return RedMenu(1, (NONE, NONE, tiles_of(game, RED), NONE, NONE), NONE, NONE)
    if phase == ZOMBIFY:
        tiles = game["eligible"][0], game["eligible"][1]
        return RedMenu(1, (NONE, NONE, NONE, tiles, NONE), NONE, NONE)
    return RedMenu(0, (NONE, NONE, NONE, NONE, prey(game)), NONE, NONE)


@kernel
def action_menu(game):
    """The four actions (V4)."""
    corpses = raisable = NONE
    deadly = deadly_to_red(game)
    if game["red_hand"]:
        shield = shielded(game)
        corpses = corpse_squares(game, shield, deadly)
        raisable = less(corpses_of(game), shield)
    movers = rested(game, zombies_of(game))
    sets = (corpses, raisable, tiles_of(game, RED), NONE, NONE)
    return RedMenu(0, sets, movers, free_squares(game, deadly))


@kernel
def sample_red(game, menu):
    """One of the choices, each equally likely; if there is none, to pass (P14).

    Stopping comes first.
    """
    draw = (np.uint64(menu.stop), ZERO), STOP, menu.stop
    for block in range(BLOCKS):
        draw = offer(game, draw, menu.squares[block], CORPSE + block * SQUARES)
    movers = menu.movers
    while not is_empty(movers):
        square = first(movers)
        movers = rest(movers)
        draw = offer(game, draw, (zombie_spans(square, menu.free), ZERO), first_shift(square))
    return drawn(game, draw)


@kernel
def write_red(menu, mask):
    """Set every entry of ``mask`` (A,) bool; if there is no choice, only a pass is one (P14)."""
    clear(mask)
    written = 0
    for block in range(BLOCKS):
        written += write_squares(mask, CORPSE + block * SQUARES, menu.squares[block])
    movers = menu.movers
    while not is_empty(movers):
        start = first(movers)
        movers = rest(movers)
        written += write_spans(mask, start, zombie_spans(start, menu.free))
    mask[STOP] = menu.stop or not written
