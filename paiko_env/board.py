"""The board: 112 squares, their names, regions, neighbours and symmetries (P1).

Squares are numbered in reading order as White sees the board: 0 and 1 are g14 and h14, 110 and 111
are g1 and h1. A set of squares is two uint64 words, the *north* (rank 8 and above, squares 0..55) and
the *south* (56..111), square s being bit ``s % 56``. Turning the board by half a turn maps s to 111 - s.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import numpy.typing as npt

SIZE = 14
"""Files, and ranks."""
HALF = 56
"""Squares in each word."""
SQUARES = 2 * HALF
OFF = SQUARES
"""Stands for every place beside the board; it is a member of no set."""

WHITE, BLACK, RED = range(3)
"""Sides. Red is the third player of the Valley."""
SIDES = "wbr"

N, E, S, W = range(4)
"""Facings, clockwise: the opposite of f is ``f ^ 2``."""
FACINGS = "NESW"
DIRECTIONS = ((0, -1), (1, 0), (0, 1), (-1, 0))
"""(dx, dy) of one step north, east, south, west; y grows southwards."""


def _is_square(x: int, y: int) -> bool:
    width = y if y < SIZE // 2 else SIZE - 1 - y
    return 0 <= y < SIZE and 6 - width <= x <= 7 + width


PLACES = tuple((x, y) for y in range(SIZE) for x in range(SIZE) if _is_square(x, y))
"""(x, y) of every square: x is the file from 0, y the row from the top."""
NUMBERS = {place: number for number, place in enumerate(PLACES)}
NAMES = tuple(f"{'abcdefghijklmn'[x]}{SIZE - y}" for x, y in PLACES)
"""Names of the squares in the notation, by number."""
SQUARE_OF = {name: number for number, name in enumerate(NAMES)}
X = np.array([x for x, _ in PLACES], np.int64)
Y = np.array([y for _, y in PLACES], np.int64)


def words(squares: Iterable[int]) -> npt.NDArray[np.uint64]:
    """A set of squares as its two words; ``OFF`` may be among them, and is dropped."""
    pair = [0, 0]
    for square in squares:
        if square != OFF:
            pair[square // HALF] |= 1 << square % HALF
    return np.array(pair, np.uint64)


def members(pair: Iterable[int]) -> list[int]:
    """The squares of a set, ascending."""
    north, south = (int(word) for word in pair)
    together = north | south << HALF
    return [square for square in range(SQUARES) if together >> square & 1]


def beside(square: int, dx: int, dy: int) -> int:
    """The square ``dx`` to the right of another and ``dy`` below it, or ``OFF``."""
    x, y = PLACES[square]
    return NUMBERS.get((x + dx, y + dy), OFF)


# -- regions -------------------------------------------------------------------------------------

BLACK_NAMES = ("f9", "i6", "h8", "g7")

ALL_SQUARES = words(range(SQUARES))
HOME = np.array(
    [
        words(s for s, (x, y) in enumerate(PLACES) if x < 7 and y > 6),
        words(s for s, (x, y) in enumerate(PLACES) if x > 6 and y < 7),
    ]
)
"""(2, 2) uint64: White's homeground, Black's."""
MIDDLE = ALL_SQUARES & ~HOME[WHITE] & ~HOME[BLACK]
BLACK_SQUARES = words(SQUARE_OF[name] for name in BLACK_NAMES)

# -- shifts --------------------------------------------------------------------------------------

OFFSETS = tuple((dx, dy) for dy in range(-2, 3) for dx in range(-2, 3) if abs(dx) + abs(dy) <= 2)
"""(dx, dy) that a shift can span, in reading order; the seventh is to stay. The opposite of the i-th
is the (12 - i)-th."""
STAY = OFFSETS.index((0, 0))
TARGET = np.array([[beside(s, *o) for o in OFFSETS] for s in range(SQUARES)], np.uint8)
"""(112, 13) uint8: the square at each offset, or ``OFF``."""

# -- symmetries ----------------------------------------------------------------------------------

SYMMETRIES = {
    "identity": lambda x, y: (x, y),
    "half turn": lambda x, y: (13 - x, 13 - y),
    "mirror between the homegrounds": lambda x, y: (y, x),
    "mirror through the homegrounds": lambda x, y: (13 - y, 13 - x),
}
"""The maps of the 14 x 14 grid that keep squares, black squares and the pair of homegrounds; the other
four of the grid's eight move the homegrounds to the middle ground."""
EXCHANGES = (False, True, True, False)
"""Which of them exchange the homegrounds, and so White with Black."""
HALF_TURN = 1
"""How Black sees the board."""

SQUARE_IMAGE = np.array(
    [[NUMBERS[image(x, y)] for x, y in PLACES] for image in SYMMETRIES.values()], np.uint8
)
"""(4, 112) uint8: where each symmetry takes a square."""


def _turned(image: object, direction: tuple[int, int]) -> int:
    """Where a symmetry takes a facing."""
    (x, y), (dx, dy) = image(0, 0), image(*direction)  # type: ignore[operator]
    return DIRECTIONS.index((dx - x, dy - y))


FACING_IMAGE = np.array(
    [[_turned(image, d) for d in DIRECTIONS] for image in SYMMETRIES.values()], np.uint8
)
"""(4, 4) uint8: where each symmetry takes a facing."""
