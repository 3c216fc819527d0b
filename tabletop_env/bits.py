"""Sets kept as the bits of a uint64: counting, finding and choosing members.

Functions that are one machine instruction exist twice: as plain Python, for ``NUMBA_DISABLE_JIT=1``,
and as that instruction, which numba compiles in its place. Two of them move eight bytes of an array
at once, so that a row of a mask or of an observation costs a load or a store.
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


def load_word(cells: Any, start: int) -> np.uint64:
    """``cells[start : start + 8]`` of a contiguous row of bool or bytes, the first one lowest.

    Compiled, it does not check that all eight are there: the caller knows. Plain Python does.
    """
    return np.uint64(int.from_bytes(_eight_bytes(cells, start).tobytes(), "little"))


def store_word(cells: Any, start: int, word: np.uint64) -> None:
    """Set eight bytes likewise."""
    _eight_bytes(cells, start)[:] = np.array([word], "<u8").view(cells.dtype)


def _eight_bytes(cells: Any, start: int) -> Any:
    if not (cells.flags.c_contiguous and cells.itemsize == 1 and 0 <= start <= len(cells) - 8):
        raise IndexError(f"no eight bytes at {start} of {len(cells)} of {cells.dtype}")
    return cells[start : start + 8]


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


def _word_at(context: Any, builder: Any, array_type: Any, array: Any, start: Any) -> Any:
    """Address of the word that begins at a byte."""
    data = context.make_array(array_type)(context, builder, array).data
    place = builder.gep(builder.bitcast(data, cgutils.voidptr_t), [start])
    return builder.bitcast(place, context.get_value_type(types.uint64).as_pointer())


@intrinsic
def _load(_context: Any, cells: Any, start: Any) -> Any:  # pragma: no cover (code generator)
    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.load(_word_at(context, builder, signature.args[0], *args), align=1)

    return types.uint64(cells, types.int64), codegen


@intrinsic
def _store(_context: Any, cells: Any, start: Any, word: Any) -> Any:  # pragma: no cover
    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        place = _word_at(context, builder, signature.args[0], *args[:2])
        builder.store(args[2], place, align=1)
        return context.get_dummy_value()

    return types.void(cells, types.int64, types.uint64), codegen


def _is_row_of_bytes(cells: Any) -> bool:
    """Whether words may be read from what numba calls ``cells``."""
    is_row = isinstance(cells, types.Array) and cells.ndim == 1 and cells.layout == "C"
    return is_row and cells.dtype in (types.boolean, types.int8, types.uint8)


@overload(reverse)
def _reverse(members):  # pragma: no cover (replaced by the instruction)
    return lambda members: _bitreverse(members)


# The order of the bytes is the machine's: numba's targets with wheels are all little-endian.


@overload(load_word)
def _load_word(cells, start):  # pragma: no cover (replaced by the instruction)
    if _is_row_of_bytes(cells):
        return lambda cells, start: _load(cells, start)


@overload(store_word)
def _store_word(cells, start, word):  # pragma: no cover (replaced by the instruction)
    if _is_row_of_bytes(cells) and cells.mutable:
        return lambda cells, start, word: _store(cells, start, word)


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


# -- masks: rows of single bytes, 0 or 1 -----------------------------------------------------------

_BYTES, _STRIDE = 8, 8  # in a word; words at a stride


@kernel
def count_marked(mask):
    """How many entries of a mask (A,) bool are set."""
    number, words = 0, len(mask) // _BYTES
    for word in range(words):
        number += popcount(load_word(mask, _BYTES * word))
    for index in range(_BYTES * words, len(mask)):
        number += mask[index]
    return number


@kernel
def nth_marked(mask, k):
    """Index of the k-th entry that is set, k from 0; the length of the mask if there is none."""
    words, word = len(mask) // _BYTES, 0
    while word + _STRIDE <= words:
        number = 0
        for ahead in range(word, word + _STRIDE):
            number += popcount(load_word(mask, _BYTES * ahead))
        if k < number:
            break
        k -= number
        word += _STRIDE
    while word < words:
        marks = load_word(mask, _BYTES * word)
        number = popcount(marks)
        if k < number:
            for _ in range(k):
                marks = without_lowest(marks)
            return _BYTES * word + lowest(marks) // _BYTES
        k -= number
        word += 1
    for index in range(_BYTES * words, len(mask)):
        k -= mask[index]
        if k < 0:
            return index
    return len(mask)
