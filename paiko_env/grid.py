"""The board as a side sees it, and sets of squares laid out as the cells of 14 x 14 planes.

``cells`` is a flattened array of planes, (C * 196,) int8, each plane row by row.
"""

from __future__ import annotations

import numpy as np

from paiko_env.board import HALF, PLACES, SIZE, SQUARES, WHITE
from paiko_env.squares import bit_of, first, is_empty, rest
from tabletop_env.bits import reverse
from tabletop_env.kernel import kernel
from tabletop_env.simd import NOWHERE, make_fill, make_spread

CELLS = SIZE * SIZE
"""Cells of a plane."""
CELL = np.array([y * SIZE + x for x, y in PLACES], np.int64)
"""(112,) int64: the cell of each square."""

_UNUSED_BITS = np.uint64(64 - HALF)


def _places() -> list[int]:
    """The bit of each cell."""
    places = [NOWHERE] * CELLS
    for square, cell in enumerate(CELL.tolist()):
        places[cell] = bit_of(square)
    return places


_spread, _spread_turned = make_spread(_places()), make_spread(_places()[::-1])
_fill = make_fill(CELLS)


@kernel
def seen_by(side, squares):
    """A set of squares as a side sees it: turned by half a turn for Black."""
    if side == WHITE:
        return squares
    return reverse(squares[1]) >> _UNUSED_BITS, reverse(squares[0]) >> _UNUSED_BITS


@kernel
def square_seen_by(side, square):
    """A square as a side sees it."""
    return square if side == WHITE else SQUARES - 1 - square


@kernel
def lay(cells, plane, side, squares):
    """A plane that is 1 on the squares, as a side sees them, and 0 elsewhere."""
    stack(cells, plane, side, (squares,))


@kernel
def stack(cells, plane, side, levels):
    """A plane of numbers: how many of the sets hold a square; likewise."""
    if side == WHITE:
        _spread(cells, CELLS * plane, levels)
    else:
        _spread_turned(cells, CELLS * plane, levels)


@kernel
def fill(cells, plane, value):
    """One number on the whole plane."""
    _fill(cells, CELLS * plane, value)


@kernel
def count_up(out, start, squares):
    """One more for each of the squares, whose numbers begin at ``start``."""
    while not is_empty(squares):
        out[start + first(squares)] += 1
        squares = rest(squares)
