"""Sets of squares in kernels: pairs of uint64 words (north, south), numbered as in ``board``."""

from __future__ import annotations

from typing import Any

import numpy as np

from paiko_env.board import ALL_SQUARES, HALF
from tabletop_env.bits import ONE, ZERO, bit, lowest, nth, popcount
from tabletop_env.kernel import kernel

Squares = Any
"""A set: a pair of uint64 words."""

NONE = (ZERO, ZERO)
ALL = (ALL_SQUARES[0], ALL_SQUARES[1])


def bit_of(square: int) -> int:
    """The bit of a square in the two words together, as ``tabletop_env.simd`` counts them."""
    word, place = divmod(square, HALF)
    return 64 * word + place


@kernel
def either(a, b):
    """Union."""
    return a[0] | b[0], a[1] | b[1]


@kernel
def both(a, b):
    """Intersection."""
    return a[0] & b[0], a[1] & b[1]


@kernel
def less(a, b):
    """``a`` without the members of ``b``."""
    return a[0] & ~b[0], a[1] & ~b[1]


@kernel
def given(condition, a):
    """The set if the condition holds, else none; without a branch, which would often be guessed wrong."""
    kept = np.uint64(condition != 0)
    return a[0] * kept, a[1] * kept


@kernel
def is_empty(a):
    return a[0] | a[1] == ZERO


@kernel
def count(a):
    """Number of members."""
    return popcount(a[0]) + popcount(a[1])


@kernel
def only(square):
    """The set whose only member is ``square``; none for ``OFF``."""
    one = bit(square % HALF)
    north = square < HALF
    south = HALF <= square < 2 * HALF
    return (one if north else ZERO), (one if south else ZERO)


@kernel
def holds(a, square):
    """Whether ``square`` is a member; ``OFF`` never is."""
    north = square < HALF
    word = a[0] if north else a[1]
    place = np.uint64(square) if north else np.uint64(square) - np.uint64(HALF)
    return (word >> place) & ONE != ZERO


@kernel
def first(a):
    """The lowest member of a set that has one."""
    return lowest(a[0]) if a[0] != ZERO else HALF + lowest(a[1])


@kernel
def rest(a):
    """A set that has a member, without its lowest."""
    if a[0] != ZERO:
        return a[0] & (a[0] - ONE), a[1]
    return a[0], a[1] & (a[1] - ONE)


@kernel
def nth_of(a, k):
    """The k-th lowest member, k from 0 and below ``count(a)``."""
    north = popcount(a[0])
    return nth(a[0], k) if k < north else HALF + nth(a[1], k - north)


@kernel
def at(table, index):
    """The set that row ``index`` of a (n, 2) table of words holds."""
    return table[index, 0], table[index, 1]
