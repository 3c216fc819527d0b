"""What a seat sees, as planes of int8 for convolutional policies or as one compact vector.

Both show the board from the observer's side: its own homeground lies at the lower left, so Black sees
everything turned by half a turn, facings too. In the game for two nothing is hidden. Numbers that
might be larger in a made-up position are cut at the block's highest value.
"""

from __future__ import annotations

import numpy as np

from paiko_env.board import (
    BLACK_SQUARES,
    HALF,
    HOME,
    MIDDLE,
    PLACES,
    SIZE,
    SQUARES,
    WHITE,
    members,
)
from paiko_env.moves import streak
from paiko_env.squares import holds
from paiko_env.state import FACE, OVER, PHASES, PLACE, SLIDE
from paiko_env.threat import survey
from paiko_env.tiles import COPIES, DIRECTIONAL, KINDS
from paiko_env.turn import points
from tabletop_env.bits import ZERO, lowest, without_lowest
from tabletop_env.kernel import kernel
from tabletop_env.layout import Block, Layout

_PHASES = OVER + 1  # those of the game for two
_MOST_TURNS = 127

# One number a square, and a plane each.
_SQUARE_BLOCKS = (
    ("streak", "turns on end in which the tile has shifted (P7)", 3),
    ("against_own", "tiles that threaten own tiles there (P2), at most 3", 3),
    ("against_enemy", "tiles that threaten enemy tiles there, at most 3", 3),
    ("own_cover", "own tiles are in cover there", 1),
    ("enemy_cover", "enemy tiles are in cover there", 1),
    ("under_way", "the tile that is to slide, to be set down or faced", 1),
)
# One number for all; in the planes it fills a plane each.
_TABLE = Layout(
    [
        Block("own_hand", KINDS, "tiles of each type in the own hand", high=COPIES),
        Block("enemy_hand", KINDS, "in the enemy's hand", high=COPIES),
        Block("own_reserve", KINDS, "in the own reserve", high=COPIES),
        Block("enemy_reserve", KINDS, "in the enemy's reserve", high=COPIES),
        Block("own_points", 1, "own points", high=12),
        Block("enemy_points", 1, "the enemy's points", high=12),
        Block("own_lost", 1, "own tiles captured", high=KINDS * COPIES),
        Block("enemy_lost", 1, "enemy tiles captured", high=KINDS * COPIES),
        Block("phase", _PHASES, f"the phase is {', '.join(PHASES[:_PHASES])}"),
        Block("to_act", 1, "the observer is to act"),
        Block("turns_left", 1, "turns before the cut-off, 127 if more or none", high=_MOST_TURNS),
        Block("left", 1, "picks, draws, steps or rewards left in the phase", high=9),
        Block("turning", 1, "the tile under way must take another facing"),
        Block("shifted", 1, "the tile under way has shifted this turn"),
        Block("passed", 1, "the turn before was a forced pass"),
    ]
)

PLANES = Layout(
    [
        Block("own", KINDS, "own tiles, a plane a type, in the order SBEFWILA"),
        Block("enemy", KINDS, "enemy tiles likewise"),
        Block("facing", 4, "tiles that face N, E, S, W as the observer sees the board"),
        *(Block(name, 1, about, high) for name, about, high in _SQUARE_BLOCKS),
        Block("own_home", 1, "own homeground"),
        Block("enemy_home", 1, "the enemy's homeground"),
        Block("middle", 1, "middle ground"),
        Block("black", 1, "black squares"),
        *(Block(block.name, block.size, block.about, block.high) for block in _TABLE),
    ]
)
"""Channels of the planes."""

COMPACT = Layout(
    [
        Block("own", SQUARES, "own tile on each square: 1 + type, 0 none", KINDS),
        Block("enemy", SQUARES, "enemy tile likewise", KINDS),
        Block("facing", SQUARES, "1 + facing as the observer sees it, 0 none", 4),
        *(Block(name, SQUARES, about, high) for name, about, high in _SQUARE_BLOCKS),
        *(Block(block.name, block.size, block.about, block.high) for block in _TABLE),
    ]
)
"""Blocks of the compact form: nine numbers a square (``out[:9 * 112].reshape(9, 112)``), then a vector.
Squares are numbered as in ``board``, from the observer's side."""

# Places in the compact form: features of squares, the table, and what stands in the table.
_OWN, _ENEMY, _FACING, _STREAK, _AGAINST_OWN, _, _OWN_COVER, _, _UNDER_WAY = range(9)
_C_TABLE, _COMPACT_SIZE = COMPACT.start("own_hand"), COMPACT.size
_HANDS, _RESERVES, _POINTS, _LOST = (
    _TABLE.start(name) for name in ("own_hand", "own_reserve", "own_points", "own_lost")
)
_PHASE, _TO_ACT, _TURNS_LEFT, _LEFT, _TURNING, _SHIFTED, _PASSED = (
    block.start for block in list(_TABLE)[-7:]
)
_MOST_POINTS, _MOST_LOST, _MOST_LEFT = (_TABLE[n].high for n in ("own_points", "own_lost", "left"))
# Places in the planes.
_P_OWN, _P_ENEMY, _P_FACING = (PLANES.start(name) for name in ("own", "enemy", "facing"))
_P_STREAK, _P_TABLE, _P_HOME = (PLANES.start(n) for n in ("streak", "own_hand", "own_home"))
_SINGLE, _TABLE_SIZE, _NUM_PLANES = len(_SQUARE_BLOCKS), _TABLE.size, PLANES.size
_CELLS, _FLIP = SIZE * SIZE, SQUARES - 1

CELL = np.array([y * SIZE + x for x, y in PLACES], np.int64)
"""(112,) int64: the place of each square in a flattened plane."""


def _blank_planes() -> np.ndarray:
    """Planes with nothing but the regions, which look alike from both sides."""
    planes = np.zeros((_P_TABLE, _CELLS), np.int8)
    for plane, region in enumerate((*HOME, MIDDLE, BLACK_SQUARES), start=_P_HOME):
        planes[plane, CELL[members(region)]] = 1
    return planes.ravel()


_BLANK = _blank_planes()


@kernel
def write_compact(game, observer, out):
    """Fill ``out``: (1058,) int8, laid out as ``COMPACT`` says."""
    out[:] = 0
    write_board(game, observer, out)
    write_table(game, observer, out[_C_TABLE:])


@kernel
def write_board(game, observer, out):
    """The features of squares, as the side ``observer`` sees them; ``out`` is zero."""
    flip = 0 if observer == WHITE else _FLIP
    for enemy in range(2):
        side = 1 - observer if enemy else observer
        view = survey(game, side)
        for half in range(2):
            word = view.own[half]
            while word != ZERO:
                square = HALF * half + lowest(word)
                word = without_lowest(word)
                write_tile(game, square, enemy, flip, out)
        for half in range(2):
            word = view.one[half]
            while word != ZERO:
                square = HALF * half + lowest(word)
                word = without_lowest(word)
                times = 1 + holds(view.two, square) + holds(view.three, square)
                out[at_square(_AGAINST_OWN + enemy, square, flip)] = times
            word = view.cover[half]
            while word != ZERO:
                square = HALF * half + lowest(word)
                word = without_lowest(word)
                out[at_square(_OWN_COVER + enemy, square, flip)] = 1
    if game["phase"] == SLIDE or game["phase"] == PLACE or game["phase"] == FACE:
        out[at_square(_UNDER_WAY, np.int64(game["at"]), flip)] = 1


@kernel
def at_square(feature, square, flip):
    """Where a feature of a square stands in the compact form; ``flip`` is 111 for Black, else 0."""
    return feature * SQUARES + (flip - square if flip else square)


@kernel
def write_tile(game, square, enemy, flip, out):
    """Kind, facing and streak of a tile, in the compact form."""
    kind, facing = game["tile"][square] // 4, game["tile"][square] % 4
    out[at_square(_OWN + enemy, square, flip)] = 1 + kind
    out[at_square(_STREAK, square, flip)] = streak(game, square)
    if DIRECTIONAL[kind]:
        out[at_square(_FACING, square, flip)] = 1 + (facing ^ 2 if flip else facing)


@kernel
def write_table(game, observer, out):
    """What goes with no square, laid out as ``_TABLE`` says; ``out`` is zero."""
    for enemy in range(2):
        seat = 1 - observer if enemy else observer
        for kind in range(KINDS):
            out[_HANDS + KINDS * enemy + kind] = min(COPIES, game["hands"][seat, kind])
            out[_RESERVES + KINDS * enemy + kind] = min(COPIES, game["reserves"][seat, kind])
    write_course(game, observer, out)
    out[_TO_ACT] = game["seat"] == observer


@kernel
def write_course(game, observer, out):
    """The part of the table that is public in every game; ``observer`` is a side."""
    for enemy in range(2):
        side = 1 - observer if enemy else observer
        out[_POINTS + enemy] = min(_MOST_POINTS, points(game, side))
        out[_LOST + enemy] = min(_MOST_LOST, game["lost"][side])
    if game["phase"] < _PHASES:
        out[_PHASE + game["phase"]] = 1
    turns_left = game["max_turns"] - game["turn"] if game["max_turns"] else _MOST_TURNS
    out[_TURNS_LEFT] = min(_MOST_TURNS, turns_left)
    out[_LEFT] = min(_MOST_LEFT, game["left"])
    out[_TURNING] = game["barred"] != 0
    out[_SHIFTED] = game["shifted"]
    out[_PASSED] = game["passed"]


@kernel
def write_planes(game, observer, out):
    """Fill ``out``: (80, 14, 14) int8, laid out as ``PLANES`` says."""
    compact = np.empty(_COMPACT_SIZE, np.int8)
    write_compact(game, observer, compact)
    spread(compact, out.reshape(_NUM_PLANES * _CELLS))


@kernel
def spread(compact, cells):
    """Lay the compact form out as planes, one after another in ``cells``."""
    for i in range(_P_TABLE * _CELLS):  # loops rather than slices: they become block copies
        cells[i] = _BLANK[i]
    for square in range(SQUARES):
        cell = CELL[square]
        for enemy in range(2):
            kind = np.int64(compact[(_OWN + enemy) * SQUARES + square])
            if kind:
                cells[((_P_ENEMY if enemy else _P_OWN) + kind - 1) * _CELLS + cell] = 1
        facing = np.int64(compact[_FACING * SQUARES + square])
        if facing:
            cells[(_P_FACING + facing - 1) * _CELLS + cell] = 1
        for feature in range(_SINGLE):
            value = compact[(_STREAK + feature) * SQUARES + square]
            cells[(_P_STREAK + feature) * _CELLS + cell] = value
    for number in range(_TABLE_SIZE):
        fill_plane(cells, _P_TABLE + number, compact[_C_TABLE + number])


@kernel
def fill_plane(cells, plane, value):
    """One number for all squares; a slice, since a loop in a kernel of its own is no block fill."""
    cells[plane * _CELLS : (plane + 1) * _CELLS] = value
