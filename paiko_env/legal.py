"""Where tiles may go: deploying, shifting, redeploying, facing (P4-P9, P18).

Everything is a set of squares for the whole board. A ``Terrain`` is the board as it stands; ``lifted`` is
the acting side's survey without the tile that moves (the same one for a tile from the hand). A square is
offered only if the action can be completed from there, so *sound* squares, those where P5 is kept, are
taken over all facings that the tile may yet be given.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from paiko_env.board import BLACK_SQUARES, HOME, E, S, W
from paiko_env.moves import rested
from paiko_env.spans import HERE, around, walk
from paiko_env.squares import (
    ALL,
    NONE,
    Squares,
    at,
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
    deadly,
    lift_off,
    survey,
    tiles_like,
    tiles_of,
)
from paiko_env.tiles import COVER, DIRECTIONAL, FIRE, LOTUS, RANGE, THREAT, WATER
from tabletop_env.bits import ZERO, bit
from tabletop_env.kernel import kernel

BLACKS = (BLACK_SQUARES[0], BLACK_SQUARES[1])


class Terrain(NamedTuple):
    """The board as the tiles of a side find it."""

    standing: Survey
    empty: Squares
    """without a tile, black squares included"""
    ways: Squares
    """that a tile may enter on which no other of its side depends (P6)"""
    ground: Squares
    """where any tile but a Lotus may be deployed (P4)"""


@kernel
def terrain_of(game, side):
    view, empty = survey(game, side), empty_squares(game)
    ways = less(less(empty, BLACKS), deadly(view, 0))
    return Terrain(view, empty, ways, ground_of(side, view, empty))


@kernel
def empty_squares(game):
    """Squares without a tile, black ones included."""
    tiles = either(tiles_of(game, 0), either(tiles_of(game, 1), tiles_of(game, 2)))
    return less(ALL, tiles)


# -- own safety (P5) -----------------------------------------------------------------------------


@kernel
def perils(kind, lifted):
    """What a tile of ``kind`` that is set down has to mind: tiles of its side that fall unless it covers
    them, and, if it is a Fire, tiles that one more threat would take (P5)."""
    return capturable(lifted), given(kind == FIRE, both(lifted.own, deadly(lifted, 1)))


@kernel
def fragile(view):
    """Tiles of a side that may fall if another is lifted: no more than these are ever exposed."""
    return both(view.own, either(view.three, less(view.two, view.twice)))


@kernel
def sound_squares(kind, exposed, brittle):
    """For each facing, the squares where a tile set down so covers all that is exposed and spares all
    that is brittle (P5); without a facing, all are alike."""
    north, east, south, west = ALL, ALL, ALL, ALL
    while not is_empty(exposed):
        n, e, s, w = reaching(COVER, kind, first(exposed))
        exposed = rest(exposed)
        north, east, south, west = both(north, n), both(east, e), both(south, s), both(west, w)
    while not is_empty(brittle):
        n, e, s, w = reaching(THREAT, kind, first(brittle))
        brittle = rest(brittle)
        north, east, south, west = less(north, n), less(east, e), less(south, s), less(west, w)
    return north, east, south, west


@kernel
def reaching(table, kind, square):
    """For each facing, the squares from which a tile of a kind reaches a square: those that it reaches from
    there when it is turned round (``tiles.THREAT``)."""
    code = 4 * kind
    north = table[code + S, square, 0], table[code + S, square, 1]
    east = table[code + W, square, 0], table[code + W, square, 1]
    south = table[code, square, 0], table[code, square, 1]
    west = table[code + E, square, 0], table[code + E, square, 1]
    return north, east, south, west


@kernel
def sound_somehow(sound, barred):
    """Squares that are sound for some facing, ``barred`` (1 + facing, or 0) excepted."""
    squares = NONE
    for facing in range(4):
        squares = either(squares, given(facing + 1 != barred, sound[facing]))
    return squares


@kernel
def sound_facings(game, lifted):
    """Facings, as bits, that the tile being faced may be given."""
    square = game["at"]
    kind = np.int64(game["tile"][square] // 4)
    sound = sound_squares(kind, *perils(kind, lifted))
    facings = ZERO
    for facing in range(4):
        if holds(sound[facing], square) and facing + 1 != game["barred"]:
            facings |= bit(facing)
    return facings


# -- deploy and redeploy (P4, P9) ----------------------------------------------------------------


@kernel
def ground_of(side, view, empty):
    """Empty squares where a side may set any tile down (P4)."""
    ground = less(less(empty, BLACKS), view.one)
    return both(ground, either(at(HOME, side), view.reach))


class Landing(NamedTuple):
    """What says where a tile may be set down, from the hand or after a lift (P4, P9)."""

    ground: Squares
    lotus: Squares
    """where a Lotus may: it covers itself, so only a third threat would take it"""
    exposed: Squares
    """tiles of the side that it has to cover"""
    brittle: Squares
    """tiles of the side that a Fire has to spare"""


@kernel
def landing_on(terrain, lifted):
    exposed, brittle = perils(FIRE, lifted)
    return Landing(terrain.ground, less(terrain.empty, lifted.three), exposed, brittle)


@kernel
def landing_squares(kind, landing):
    """Where a tile of ``kind`` may be set down."""
    if kind == LOTUS:
        return landing.lotus
    brittle = given(kind == FIRE, landing.brittle)
    if is_empty(either(landing.exposed, brittle)):
        return landing.ground
    sound = sound_squares(kind, landing.exposed, brittle)
    return both(landing.ground, sound_somehow(sound, 0))


@kernel
def liftable(game, terrain):
    """Tiles that may be lifted: Waters that have somewhere to go (P9, P18)."""
    waters = rested(game, both(terrain.standing.own, tiles_like(game, WATER)))
    if is_empty(fragile(terrain.standing)):
        return given(not is_empty(terrain.ground), waters)
    tiles = NONE
    while not is_empty(waters):
        square = first(waters)
        waters = rest(waters)
        lifted = lift_off(game, terrain.standing, square)
        if not is_empty(landing_squares(WATER, landing_on(terrain, lifted))):
            tiles = either(tiles, only(square))
    return tiles


# -- shift and slide (P6, P8) --------------------------------------------------------------------


@kernel
def steps_of(game, square):
    """Steps that the tile on a square may shift, or slide on."""
    return game["left"] if game["phase"] == SLIDE else RANGE[game["tile"][square] // 4]


@kernel
def free_spans(game, terrain, square):
    """Where a tile may shift, or slide, on which no other depends, as spans; ``HERE`` is staying there."""
    return walk(square, steps_of(game, square), terrain.ways) | HERE


@kernel
def careful_spans(game, terrain, square):
    """The same of a tile on which others of its side depend (``tiles.CARE``)."""
    kind = np.int64(game["tile"][square] // 4)
    lifted = lift_off(game, terrain.standing, square)
    exposed, brittle = perils(kind, lifted)
    lost = deadly(lifted, kind == FIRE)
    ways = less(less(terrain.empty, BLACKS), lost)
    goals = walk(square, steps_of(game, square), ways)
    stay = ZERO if holds(lost, square) else HERE
    if is_empty(either(exposed, brittle)):
        return goals | stay
    turning = DIRECTIONAL[kind] and game["phase"] != SLIDE  # in place it takes another facing
    barred = 1 + game["tile"][square] % 4 if turning else 0
    sound = sound_squares(kind, exposed, brittle)
    elsewhere = goals & around(sound_somehow(sound, 0), square)
    return elsewhere | (stay if holds(sound_somehow(sound, barred), square) else ZERO)
