"""The board as a side sees it, and sets of squares laid out as the cells of 14 x 14 planes.

``cells`` is a flattened array of planes, (C * 196,) int8, each plane row by row. A row of the board is at
most 14 bits of a word; a table turns eight bits into eight bytes: two loads and two stores a row.
"""

from __future__ import annotations

import numpy as np

from paiko_env.board import HALF, PLACES, SIZE, SQUARES, WHITE
from paiko_env.squares import first, is_empty, rest
from tabletop_env.bits import ZERO, lowest, reverse, store_word, without_lowest
from tabletop_env.kernel import kernel

CELLS = SIZE * SIZE
"""Cells of a plane."""
CELL = np.array([y * SIZE + x for x, y in PLACES], np.int64)
"""(112,) int64: the cell of each square."""

_BYTES = 8
_ROWS = SIZE // 2  # rows in a word
_EIGHT_BITS, _REST = np.uint64(0xFF), np.uint64(SIZE - _BYTES)
_UNUSED_BITS = np.uint64(64 - HALF)
_PLANE = np.uint64(CELLS)

_WIDTHS = [sum(place[1] == y for place in PLACES) for y in range(SIZE)]
_FIRST_BIT = np.array([sum(_WIDTHS[:y]) % HALF for y in range(SIZE)], np.uint64)
_ROW_BITS = np.array([(1 << width) - 1 for width in _WIDTHS], np.uint64)
_MARGIN = np.array([(SIZE - width) // 2 for width in _WIDTHS], np.uint64)
_SPREAD = np.array(
    [sum(1 << _BYTES * i for i in range(_BYTES) if bits >> i & 1) for bits in range(256)], np.uint64
)
"""Eight bits as eight bytes, each 0 or 1."""


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
def row_bits(word, y):
    """Row ``y`` of the board as 14 bits, the first cell lowest."""
    return ((word >> _FIRST_BIT[y]) & _ROW_BITS[y]) << _MARGIN[y]


@kernel
def lay_half(cells, start, word, rows):
    """Rows ``rows`` to ``rows + 6`` of the plane whose first cell is ``start``."""
    for y in range(rows, rows + _ROWS):
        bits = row_bits(word, y)
        store_word(cells, start + SIZE * y, _SPREAD[bits & _EIGHT_BITS])
        store_word(cells, start + SIZE * y + SIZE - _BYTES, _SPREAD[bits >> _REST])


@kernel
def lay(cells, plane, squares):
    """A plane that is 1 on the squares and 0 elsewhere."""
    lay_half(cells, CELLS * plane, squares[0], 0)
    lay_half(cells, CELLS * plane, squares[1], _ROWS)


@kernel
def stack(cells, plane, levels):
    """A plane of numbers from 0 to 3: how many of three sets, the later ones small, hold a square."""
    lay(cells, plane, levels[0])
    for level in range(1, 3):
        for half in range(2):
            word = levels[level][half]
            while word != ZERO:
                cells[CELLS * plane + CELL[HALF * half + lowest(word)]] += 1
                word = without_lowest(word)


@kernel
def count_up(out, start, squares):
    """One more for each of the squares, whose numbers begin at ``start``."""
    while not is_empty(squares):
        out[start + first(squares)] += 1
        squares = rest(squares)


@kernel
def fill(cells, plane, value):
    """One number on the whole plane."""
    start = _PLANE * np.uint64(plane)  # unsigned, so that the loop becomes a block fill
    for i in range(_PLANE):
        cells[start + i] = value
