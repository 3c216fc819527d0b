"""What a seat of the Valley sees: the blocks of ``observe``, and behind them those of Red's pieces.

White and Black see the board as in the game for two. Red, who has no homeground, sees it from White's
side: to Red ``own`` means White's and ``enemy`` Black's, and the last block says that it is Red who looks.
Nothing is hidden: what a face-down tile was never matters again.
"""

from __future__ import annotations

import numpy as np

from paiko_env import observe
from paiko_env.board import BLACK, RED, SIZE, SQUARES, WHITE
from paiko_env.moves import streak
from paiko_env.observe import CELL, at_square, fill_plane, spread
from paiko_env.red import face_up, shielded, zombies_of
from paiko_env.squares import count, first, holds, is_empty, rest
from paiko_env.state import CAPTURE, OVER, PHASES, RETRIEVE, ZOMBIFY
from paiko_env.threat import stack_threat, tiles_of
from paiko_env.valley import ORDER
from tabletop_env.kernel import kernel
from tabletop_env.layout import Block, Layout

_TURNS = len(ORDER)
_HALF_ROUND = _TURNS // 2
_MOST_HAND, _MOST_ZOMBIES = 48, 24
_RED_PHASES = (RETRIEVE, ZOMBIFY, CAPTURE)

# One number a square; in the planes the piece has two.
_SQUARE_BLOCKS = (
    ("against_red", "White's and Black's tiles that threaten the square (V3), at most 3", 3),
    ("shielded", "in the cover pattern of a tile, so that no corpse goes there (V4)", 1),
    ("eligible", "tile that may yet be zombified (V5)", 1),
)
_TABLE = Layout(
    [
        Block("red_hand", 1, "tiles in Red's hand", high=_MOST_HAND),
        Block("zombies", 1, "zombies on the board", high=_MOST_ZOMBIES),
        Block("order", _TURNS, "whose turn it is: own, enemy, Red, enemy, own, Red (V2)"),
        Block(
            "red_phase",
            len(_RED_PHASES),
            f"the phase is {', '.join(PHASES[phase] for phase in _RED_PHASES)}",
        ),
        Block("red", 1, "the observer is Red"),
    ]
)

PLANES = Layout(
    [
        *observe.PLANES,
        Block("corpse", 1, "corpses"),
        Block("zombie", 1, "zombies"),
        *(Block(name, 1, about, high) for name, about, high in _SQUARE_BLOCKS),
        *_TABLE,
    ]
)
"""Channels of the planes."""

COMPACT = Layout(
    [
        *observe.COMPACT,
        Block("piece", SQUARES, "1 a corpse, 2 a zombie", 2),
        *(Block(name, SQUARES, about, high) for name, about, high in _SQUARE_BLOCKS),
        *_TABLE,
    ]
)
"""Blocks of the compact form."""

_COMMON, _COMMON_PLANES = observe.COMPACT.size, observe.PLANES.size
_STREAK, _TO_ACT = (observe.COMPACT.start(name) for name in ("streak", "to_act"))
_PIECE, _AGAINST, _SHIELDED, _ELIGIBLE = (
    COMPACT.start(name) for name in ("piece", "against_red", "shielded", "eligible")
)
_HAND, _ZOMBIES, _ORDER, _RED_PHASE, _RED = (COMPACT.start(block.name) for block in _TABLE)
_P_CORPSE, _P_AGAINST, _P_TABLE = (
    PLANES.start(name) for name in ("corpse", "against_red", "red_hand")
)
_COMPACT_SIZE, _NUM_PLANES, _TABLE_SIZE = COMPACT.size, PLANES.size, _TABLE.size
_SINGLE = len(_SQUARE_BLOCKS)
_CELLS = SIZE * SIZE
_FLIP = SQUARES - 1


@kernel
def write_compact(game, observer, out):
    """Fill ``out`` (A,) int8, laid out as ``COMPACT`` says."""
    out[:] = 0
    observe.write_compact(game, BLACK if observer == BLACK else WHITE, out[:_COMMON])
    out[_TO_ACT] = game["seat"] == observer
    write_squares(game, _FLIP if observer == BLACK else 0, out)
    out[_HAND] = min(_MOST_HAND, game["red_hand"])
    out[_ZOMBIES] = min(_MOST_ZOMBIES, count(zombies_of(game)))
    turn = game["turn"] + (_HALF_ROUND if observer == BLACK else 0)
    out[_ORDER + turn % _TURNS] = 1
    phase = np.int64(game["phase"])
    if phase > OVER:
        out[_RED_PHASE + phase - RETRIEVE] = 1
    out[_RED] = observer == RED


@kernel
def write_squares(game, flip, out):
    """Red's pieces, what threatens them and where they may not be laid."""
    pieces, zombies = tiles_of(game, RED), zombies_of(game)
    while not is_empty(pieces):
        square = first(pieces)
        pieces = rest(pieces)
        out[at_square(0, square, flip) + _PIECE] = 1 + holds(zombies, square)
        out[at_square(0, square, flip) + _STREAK] = streak(game, square)
    one, two, three, _ = stack_threat(game, face_up(game))
    mark_squares(one, _AGAINST, flip, out)
    mark_squares(two, _AGAINST, flip, out)
    mark_squares(three, _AGAINST, flip, out)
    mark_squares(shielded(game), _SHIELDED, flip, out)
    mark_squares((game["eligible"][0], game["eligible"][1]), _ELIGIBLE, flip, out)


@kernel
def mark_squares(squares, start, flip, out):
    """One more on each of the squares, in the feature that begins at ``start``."""
    while not is_empty(squares):
        out[start + at_square(0, first(squares), flip)] += 1
        squares = rest(squares)


@kernel
def write_planes(game, observer, out):
    """Fill ``out`` (C, 14, 14) int8, laid out as ``PLANES`` says."""
    compact = np.empty(_COMPACT_SIZE, np.int8)
    write_compact(game, observer, compact)
    cells = out.reshape(_NUM_PLANES * _CELLS)
    spread(compact, cells)
    for i in range(_COMMON_PLANES * _CELLS, _P_TABLE * _CELLS):
        cells[i] = 0
    for square in range(SQUARES):
        cell = CELL[square]
        piece = np.int64(compact[_PIECE + square])
        if piece:
            cells[(_P_CORPSE + piece - 1) * _CELLS + cell] = 1
        for feature in range(_SINGLE):
            value = compact[_AGAINST + feature * SQUARES + square]
            cells[(_P_AGAINST + feature) * _CELLS + cell] = value
    for number in range(_TABLE_SIZE):
        fill_plane(cells, _P_TABLE + number, compact[_HAND + number])
