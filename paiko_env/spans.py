"""Where a tile can get by a shift: *spans*, the thirteen offsets of ``board.OFFSETS`` as bits (P6).

Spans are what the action numbers of a shift count, so that a mask takes them as they are.
"""

from __future__ import annotations

import numpy as np

from paiko_env.board import (
    DIRECTIONS,
    HALF,
    NUMBERS,
    OFFSETS,
    PLACES,
    SIZE,
    SQUARES,
    STAY,
    TARGET,
    Y,
)
from tabletop_env.bits import ONE, ZERO
from tabletop_env.kernel import kernel

REACH = 2
"""Steps of the longest shift, and so rows that it may go up or down."""
HERE = np.uint64(1 << STAY)
"""To stay."""

_ROWS = 2 * REACH + 1
_LAST_NORTH = SIZE // 2 - 1 + REACH
_WIDTH, _LAST_BIT = np.uint64(64), np.uint64(63)


def _turn_of_row(square: int, row: int) -> int:
    """By how much a word is turned to the right so that the bits of a row of squares, ``row - REACH``
    below a square, come to lie where spans have them."""
    x, y = PLACES[square]
    dy = row - REACH
    for dx in range(-REACH, REACH + 1):
        goal = NUMBERS.get((x + dx, y + dy))
        if (dx, dy) in OFFSETS and goal is not None:
            return (goal % HALF - OFFSETS.index((dx, dy))) % 64
    return 0


def _bits_of_row(square: int, row: int) -> int:
    """The spans that end on the board in that row."""
    ends = zip(OFFSETS, TARGET[square].tolist(), strict=True)
    return sum(
        1 << i for i, ((_, dy), goal) in enumerate(ends) if dy == row - REACH and goal < SQUARES
    )


_TURN = np.array([[_turn_of_row(s, r) for r in range(_ROWS)] for s in range(SQUARES)], np.uint64)
_PART = np.array([[_bits_of_row(s, r) for r in range(_ROWS)] for s in range(SQUARES)], np.uint64)

_NEAR = np.array([OFFSETS.index(step) for step in DIRECTIONS], np.uint64)
"""Spans of one step, north, east, south, west."""
_NEXT = np.uint64(sum(1 << int(near) for near in _NEAR))


def _beyond(directions: int) -> int:
    """Spans that a second step may lead to from squares next to the start, ``directions`` as bits."""
    return sum(
        1 << i
        for i, (x, y) in enumerate(OFFSETS)
        if any(
            directions >> d & 1 and abs(x - dx) + abs(y - dy) == 1 and (x, y) != (0, 0)
            for d, (dx, dy) in enumerate(DIRECTIONS)
        )
    )


_BEYOND = np.array([_beyond(directions) for directions in range(16)], np.uint64)
"""(16,) uint64: the same, as a table."""


@kernel
def around(squares, start):
    """Spans from ``start`` that end in a set of squares."""
    spans = ZERO
    for row in range(_ROWS):
        word = squares[0] if Y[start] + row <= _LAST_NORTH else squares[1]
        turn = _TURN[start, row]
        spans |= (word >> turn | word << ((_WIDTH - turn) & _LAST_BIT)) & _PART[start, row]
    return spans


@kernel
def walk(start, steps, open_squares):
    """Spans of paths of one to two ``steps`` through open squares; they may bend (P6)."""
    free = around(open_squares, start) & ~HERE
    near = free & _NEXT
    directions = ZERO
    for direction in range(4):
        directions |= (near >> _NEAR[direction] & ONE) << np.uint64(direction)
    far = _BEYOND[directions] * np.uint64(steps > 1)
    return (near | far) & free
