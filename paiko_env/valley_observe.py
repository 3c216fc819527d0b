"""What a seat of the Valley sees: the blocks of ``observe``, and behind them those of Red's pieces.

White and Black see the board as in the game for two. Red, who has no homeground, sees it from White's
side: to Red ``own`` means White's and ``enemy`` Black's, and the last block says that it is Red who looks.
Nothing is hidden: what a face-down tile was never matters again.
"""

from __future__ import annotations

import numpy as np

from paiko_env import observe
from paiko_env.board import BLACK, RED, SQUARES, WHITE
from paiko_env.grid import CELLS, count_up, lay, seen_by, stack
from paiko_env.observe import fill_planes, waiting_room
from paiko_env.red import face_up, shielded, zombies_of
from paiko_env.squares import NONE, count, less
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

_TO_ACT = observe.TABLE.start("to_act")
_C_COMMON, _PIECE, _C_TABLE = (COMPACT.start(name) for name in ("own_hand", "piece", "red_hand"))
_HAND, _ZOMBIES, _ORDER, _RED_PHASE, _RED = (block.start for block in _TABLE)
_P_COMMON, _P_CORPSE, _P_TABLE = (PLANES.start(n) for n in ("own_hand", "corpse", "red_hand"))
_NUM_PLANES, _COMMON_SIZE, _TABLE_SIZE = PLANES.size, observe.TABLE.size, _TABLE.size


@kernel
def own_side(observer):
    """The side whose view it is: Red looks from White's."""
    return BLACK if observer == BLACK else WHITE


@kernel
def red_features(game):
    """Red's pieces (corpses and zombies, zombies), and the numbers of ``_SQUARE_BLOCKS``, as three sets
    each: n is a member of n."""
    pieces, zombies = tiles_of(game, RED), zombies_of(game)
    one, two, three, _ = stack_threat(game, face_up(game))
    return (
        (pieces, zombies, NONE),
        (one, two, three),
        (shielded(game), NONE, NONE),
        ((game["eligible"][0], game["eligible"][1]), NONE, NONE),
    )


@kernel
def write_red_table(game, observer, out):
    """What goes with no square, laid out as ``_TABLE`` says; ``out`` is zero."""
    out[_HAND] = min(_MOST_HAND, game["red_hand"])
    out[_ZOMBIES] = min(_MOST_ZOMBIES, count(zombies_of(game)))
    turn = game["turn"] + (_HALF_ROUND if observer == BLACK else 0)
    out[_ORDER + turn % _TURNS] = 1
    phase = np.int64(game["phase"])
    if phase > OVER:
        out[_RED_PHASE + phase - RETRIEVE] = 1
    out[_RED] = observer == RED


@kernel
def write_common_table(game, observer, out):
    """The table of the game for two, in which Red stands for White."""
    observe.write_table(game, own_side(observer), out)
    out[_TO_ACT] = game["seat"] == observer


@kernel
def write_compact(game, observer, out):
    """Fill ``out`` (N,) int8, laid out as ``COMPACT`` says."""
    out[:] = 0
    side = own_side(observer)
    observe.write_board(game, side, out)
    write_common_table(game, observer, out[_C_COMMON:])
    found = red_features(game)
    for feature in range(len(found)):
        for level in range(3):
            squares = seen_by(side, found[feature][level])
            count_up(out, _PIECE + feature * SQUARES, squares)
    write_red_table(game, observer, out[_C_TABLE:])


@kernel
def write_planes(game, observer, out):
    """Fill ``out`` (C, 14, 14) int8, laid out as ``PLANES`` says."""
    cells = out.reshape(_NUM_PLANES * CELLS)
    side = own_side(observer)
    observe.lay_board(game, side, cells)
    found = red_features(game)
    pieces, zombies, _ = found[0]
    lay(cells, _P_CORPSE, side, less(pieces, zombies))
    lay(cells, _P_CORPSE + 1, side, zombies)
    for feature in range(1, len(found)):
        stack(cells, _P_CORPSE + 1 + feature, side, found[feature])
    room = waiting_room(cells, _COMMON_SIZE + _TABLE_SIZE)
    write_common_table(game, observer, room[:_COMMON_SIZE])
    write_red_table(game, observer, room[_COMMON_SIZE:])
    fill_planes(cells, _P_COMMON, room[:_COMMON_SIZE])
    fill_planes(cells, _P_TABLE, room[_COMMON_SIZE:])
