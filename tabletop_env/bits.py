"""Sets kept as the bits of a uint64: counting, finding and choosing members.

Functions that are one machine instruction exist twice: as plain Python, for ``NUMBA_DISABLE_JIT=1``,
and as that instruction, which numba compiles in its place.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic, overload

from tabletop_env.kernel import kernel

ONE = np.uint64(1)
ZERO = np.uint64(0)


def popcount(members: np.uint64) -> int:
    """Number of bits set."""
    return int(members).bit_count()


def lowest(members: np.uint64) -> int:
    """Number of the lowest bit set; 64 if there is none."""
    value = int(members)
    return (value & -value).bit_length() - 1 if value else 64


def reverse(members: np.uint64) -> np.uint64:
    """The set with every member ``n`` replaced by ``63 - n``."""
    return np.uint64(int(f"{int(members):064b}"[::-1], 2))


@intrinsic
def _ctpop(_context: Any, members: Any) -> Any:  # pragma: no cover (code generator)
    def codegen(_ctx: Any, builder: Any, _signature: Any, args: Any) -> Any:
        return builder.ctpop(args[0])

    return types.int64(types.uint64), codegen


@intrinsic
def _cttz(_context: Any, members: Any) -> Any:  # pragma: no cover (code generator)
    def codegen(_ctx: Any, builder: Any, _signature: Any, args: Any) -> Any:
        return builder.cttz(args[0], cgutils.false_bit)

    return types.int64(types.uint64), codegen


@intrinsic
def _bitreverse(_context: Any, members: Any) -> Any:  # pragma: no cover (code generator)
    def codegen(_ctx: Any, builder: Any, _signature: Any, args: Any) -> Any:
        return builder.bitreverse(args[0])

    return types.uint64(types.uint64), codegen


@overload(reverse)
def _reverse(members):  # pragma: no cover (replaced by the instruction)
    return lambda members: _bitreverse(members)


@overload(popcount)
def _popcount(members):  # pragma: no cover (replaced by the instruction)
    return lambda members: _ctpop(members)


@overload(lowest)
def _lowest(members):  # pragma: no cover (replaced by the instruction)
    return lambda members: _cttz(members)


@kernel
def bit(number):
    """The set whose only member is ``number`` (0..63)."""
    return ONE << np.uint64(number)


@kernel
def has(members, number):
    """Whether ``number`` is a member."""
    return (members >> np.uint64(number)) & ONE != ZERO


@kernel
def without_lowest(members):
    """The set less its lowest member."""
    return members & (members - ONE)


@kernel
def nth(members, k):
    """Number of the k-th lowest bit set, k from 0; ``k`` must be below ``popcount(members)``."""
    position = 0
    for width in (32, 16, 8, 4, 2, 1):
        low = popcount((members >> np.uint64(position)) & (bit(width) - ONE))
        if k >= low:
            k -= low
            position += width
    return position
