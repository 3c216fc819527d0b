"""Sets of bits laid out as bytes, and bytes read back as bits: many at once, in vectors.

A set is a tuple of uint64 words, bit ``b`` standing in word ``b // 64``. ``cells`` is a contiguous row
of bool, int8 or uint8. Each function exists twice: in plain Python, for ``NUMBA_DISABLE_JIT=1``, and
as vector instructions, which numba compiles in its place for whatever machine it runs on. Plain Python
checks that the cells are there; compiled, that is done with ``NUMBA_BOUNDSCHECK=1`` alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import llvmlite.ir as ir
import numpy as np
from numba import types
from numba.core import cgutils, config
from numba.core.errors import TypingError
from numba.extending import intrinsic, overload

from tabletop_env.bits import ZERO, nth, popcount
from tabletop_env.kernel import kernel

NOWHERE = -1
"""In the places of ``make_spread``: a cell that stays 0."""

_WORD, _TALLIED = 64, 128
_BYTE, _INDEX, _SIZE = ir.IntType(8), ir.IntType(32), ir.IntType(64)
_WIDTHS = (32, 16, 8)  # bytes of a vector, the widest first


def make_spread(places: Sequence[int]) -> Callable[[Any, int, Any], None]:
    """Make ``spread(cells, start, sets)``, which lays sets out in a fixed order.

    Parameters
    ----------
    places
        The bit that each cell stands for, or ``NOWHERE``; 8 of them or more.

    Returns
    -------
    Callable
        Sets ``cells[start + i]``, for every ``i``, to the number of ``sets`` that hold ``places[i]``.
        ``sets`` is a tuple of sets of one or two words.
    """
    places = tuple(int(place) for place in places)
    size, cuts = len(places), tuple(_cuts(len(places)))

    def spread(cells: Any, start: int, sets: Any) -> None:
        _check(cells, start, size)
        for i, place in enumerate(places):
            word, bit = divmod(place, _WORD)
            held = (int(squares[word]) >> bit & 1 for squares in sets)
            cells[start + i] = 0 if place == NOWHERE else sum(held)

    @intrinsic
    def vectors(_context: Any, cells: Any, start: Any, sets: Any) -> Any:  # pragma: no cover
        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            data = _address(context, builder, signature.args[0], *args[:2])
            members = [_bytes_of(builder, args[2], i, sets[i].count) for i in range(len(sets))]
            for begin, width in cuts:
                held = [_held(builder, word, places[begin : begin + width]) for word in members]
                total = held[0]
                for more in held[1:]:
                    total = builder.add(total, more)
                _store(builder, data, begin, builder.neg(total))
            return context.get_dummy_value()

        return types.void(cells, types.int64, sets), codegen

    @overload(spread)
    def compiled(cells, start, sets):  # pragma: no cover (replaced by the instructions)
        if not (_is_row_of_bytes(cells) and cells.mutable):
            return None
        words = {members.count for members in sets}
        if words not in ({1}, {2}) or max(places) >= _WORD * max(words):
            raise TypingError(f"sets are {sets}, expected one or two words each, for all places")
        if cells.dtype == types.boolean and len(sets) != 1:
            raise TypingError(f"{len(sets)} sets, but a cell of bool holds no number")
        checks = bool(config.BOUNDSCHECK)

        def checked(cells, start, sets):
            if checks:
                require(cells, start, size)
            vectors(cells, start, sets)

        return checked

    return spread


def make_fill(size: int) -> Callable[[Any, int, int], None]:
    """Make ``fill(cells, start, value)``, which sets ``size`` cells (8 or more) to one number."""
    cuts = tuple(_cuts(size))

    def fill(cells: Any, start: int, value: int) -> None:
        _check(cells, start, size)
        cells[start : start + size] = value

    @intrinsic
    def vectors(_context: Any, cells: Any, start: Any, value: Any) -> Any:  # pragma: no cover
        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            data = _address(context, builder, signature.args[0], *args[:2])
            for begin, width in cuts:
                _store(builder, data, begin, _splat(builder, args[2], width))
            return context.get_dummy_value()

        return types.void(cells, types.int64, types.int8), codegen

    @overload(fill)
    def compiled(cells, start, value):  # pragma: no cover (replaced by the instructions)
        if not (_is_row_of_bytes(cells) and cells.mutable):
            return None
        checks = bool(config.BOUNDSCHECK)

        def checked(cells, start, value):
            if checks:
                require(cells, start, size)
            vectors(cells, start, value)

        return checked

    return fill


def make_gather(size: int) -> Callable[[Any, int, int], np.uint64]:
    """Make ``gather(cells, start, bits)``: which of ``size`` cells from ``start`` on, 8 to 64 of them and a
    power of two, have one of the ``bits``; the answer is a word."""
    if size not in (8, 16, 32, 64):
        raise ValueError(f"size is {size}, expected 8, 16, 32 or 64")

    def gather(cells: Any, start: int, bits: int) -> np.uint64:
        _check(cells, start, size)
        return np.uint64(sum(1 << i for i in range(size) if int(cells[start + i]) & bits))

    @intrinsic
    def vectors(_context: Any, cells: Any, start: Any, bits: Any) -> Any:  # pragma: no cover
        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            place = _address(context, builder, signature.args[0], *args[:2])
            kind = ir.VectorType(_BYTE, size)
            loaded = builder.load(builder.bitcast(place, kind.as_pointer()), align=1)
            found = builder.and_(loaded, _splat(builder, args[2], size))
            marks = builder.icmp_unsigned("!=", found, _vector(_BYTE, [0] * size))
            word = builder.bitcast(marks, ir.IntType(size))
            return word if size == _WORD else builder.zext(word, _SIZE)

        return types.uint64(cells, types.int64, types.uint8), codegen

    @overload(gather)
    def compiled(cells, start, bits):  # pragma: no cover (replaced by the instructions)
        if not _is_row_of_bytes(cells):
            return None
        checks = bool(config.BOUNDSCHECK)

        def checked(cells, start, bits):
            if checks:
                require(cells, start, size)
            return vectors(cells, start, bits)

        return checked

    return gather


gather = make_gather(_WORD)
"""Which of 64 cells have one of the bits."""


def tally(cells: Any, start: int) -> int:
    """How many of the 128 cells from ``start`` on are set, all of them being 0 or 1."""
    _check(cells, start, _TALLIED)
    return int(cells[start : start + _TALLIED].sum())


# -- masks ---------------------------------------------------------------------------------------


@kernel
def marks_from(mask, start):
    """The entries from ``start`` on as bits, at most 64 of them."""
    size = len(mask)
    if start + _WORD <= size:
        return gather(mask, start, 1)
    if size >= _WORD:  # those before are read once more, and dropped
        return gather(mask, size - _WORD, 1) >> np.uint64(start + _WORD - size)
    marks = ZERO
    for index in range(start, size):
        marks |= np.uint64(mask[index]) << np.uint64(index - start)
    return marks


@kernel
def count_marked(mask):
    """How many entries of a mask (A,) bool are set."""
    number, whole = 0, len(mask) // _TALLIED * _TALLIED
    for start in range(0, whole, _TALLIED):
        number += tally(mask, start)
    for start in range(whole, len(mask), _WORD):
        number += popcount(marks_from(mask, start))
    return number


@kernel
def nth_marked(mask, k):
    """Index of the k-th entry that is set, k from 0; the length of the mask if there is none."""
    begin = 0
    while begin + _TALLIED <= len(mask):
        number = tally(mask, begin)
        if k < number:
            break
        k -= number
        begin += _TALLIED
    for start in range(begin, len(mask), _WORD):
        marks = marks_from(mask, start)
        if k < popcount(marks):
            return start + nth(marks, k)
        k -= popcount(marks)
    return len(mask)


@kernel
def require(cells, start, size):
    """``IndexError`` unless there are so many cells from ``start`` on."""
    if start < 0 or start + size > len(cells):
        raise IndexError("vector is out of bounds")


# -- generating code -----------------------------------------------------------------------------


def _check(cells: Any, start: int, size: int) -> None:
    is_row = cells.ndim == 1 and cells.flags.c_contiguous and cells.itemsize == 1
    if not (is_row and 0 <= start <= len(cells) - size):
        raise IndexError(f"no {size} bytes at {start} of {len(cells)} of {cells.dtype}")


def _is_row_of_bytes(cells: Any) -> bool:
    """Whether vectors may be read from what numba calls ``cells``."""
    is_row = isinstance(cells, types.Array) and cells.ndim == 1 and cells.layout == "C"
    return is_row and cells.dtype in (types.boolean, types.int8, types.uint8)


def _cuts(size: int) -> Iterator[tuple[int, int]]:
    """(first cell, width) of vectors that cover so many cells; the last may overlap the one before."""
    width = next((width for width in _WIDTHS if width <= size), None)
    if width is None:
        raise ValueError(f"size is {size}, expected {_WIDTHS[-1]} or more")
    begin = 0
    while begin < size:
        left = size - begin
        width = next((w for w in reversed(_WIDTHS) if left <= w <= size), width)
        yield min(begin, size - width), width
        begin += width


def _address(context: Any, builder: Any, array_type: Any, array: Any, start: Any) -> Any:
    """Pointer to a byte of an array."""
    data = context.make_array(array_type)(context, builder, array).data
    return builder.gep(builder.bitcast(data, _BYTE.as_pointer()), [start])


def _vector(kind: Any, numbers: Sequence[int]) -> Any:
    return ir.Constant(ir.VectorType(kind, len(numbers)), list(numbers))


def _undefined(kind: Any, count: int) -> Any:
    return ir.Constant(ir.VectorType(kind, count), ir.Undefined)


def _splat(builder: Any, value: Any, width: int) -> Any:
    """A vector of one byte again and again."""
    first = builder.insert_element(_undefined(_BYTE, width), value, _INDEX(0))
    return _shuffle(builder, first, [0] * width)


def _shuffle(builder: Any, vector: Any, places: Sequence[int]) -> Any:
    return builder.shuffle_vector(vector, vector, _vector(_INDEX, places))


def _bytes_of(builder: Any, sets: Any, index: int, words: int) -> Any:
    """The words of a set as a vector of bytes, the lowest first (numba's machines are little-endian)."""
    vector, members = _undefined(_SIZE, words), builder.extract_value(sets, index)
    for i in range(words):
        vector = builder.insert_element(vector, builder.extract_value(members, i), _INDEX(i))
    return builder.bitcast(vector, ir.VectorType(_BYTE, 8 * words))


def _held(builder: Any, members: Any, places: Sequence[int]) -> Any:
    """Bytes that are -1 where a place's bit is set, and 0 elsewhere.

    The words are brought to every part of a vector first, since to shuffle within 16 bytes is one
    instruction.
    """
    size, width = members.type.count, len(places)
    repeated = _shuffle(builder, members, [i % size for i in range(max(size, width))])
    homes = [i // size * size + max(place, 0) // 8 for i, place in enumerate(places)]
    bits = [0 if place == NOWHERE else 1 << place % 8 for place in places]
    found = builder.and_(_shuffle(builder, repeated, homes), _vector(_BYTE, bits))
    return builder.sext(builder.icmp_unsigned("!=", found, _vector(_BYTE, [0] * width)), found.type)


def _store(builder: Any, data: Any, begin: int, vector: Any) -> None:
    place = builder.gep(data, [_SIZE(begin)])
    builder.store(vector, builder.bitcast(place, vector.type.as_pointer()), align=1)


@intrinsic
def _tally(_context: Any, cells: Any, start: Any) -> Any:  # pragma: no cover (code generator)
    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        place = _address(context, builder, signature.args[0], *args)
        width = _WIDTHS[0]
        kind = ir.VectorType(_BYTE, width)
        total = _vector(_BYTE, [0] * width)
        for begin in range(0, _TALLIED, width):
            part = builder.bitcast(builder.gep(place, [_SIZE(begin)]), kind.as_pointer())
            total = builder.add(total, builder.load(part, align=1))
        kind_of_sum = ir.FunctionType(_BYTE, [kind])
        name = f"llvm.vector.reduce.add.v{width}i8"
        add_up = cgutils.get_or_insert_function(builder.module, kind_of_sum, name)
        return builder.zext(builder.call(add_up, [total]), _SIZE)

    return types.int64(cells, types.int64), codegen


@overload(tally)
def _compiled_tally(cells, start):  # pragma: no cover (replaced by the instructions)
    if not _is_row_of_bytes(cells):
        return None

    checks = bool(config.BOUNDSCHECK)

    def checked(cells, start):
        if checks:
            require(cells, start, _TALLIED)
        return _tally(cells, start)

    return checked
