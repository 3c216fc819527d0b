"""Lanes: four uint64 words side by side, on which ``|``, ``&`` and ``~`` are an instruction or two each.

In a kernel they are a vector of the machine; in plain Python (``NUMBA_DISABLE_JIT=1``) a (4,) array.
Two sets of two words each, one in the *half* 0 and one in the half 1, are so worked on together.
"""

from __future__ import annotations

import operator
from typing import Any

import llvmlite.ir as ir
import numpy as np
from numba import types
from numba.core import config
from numba.extending import intrinsic, models, overload, register_model

from tabletop_env.kernel import kernel

_HALF = 2
_WIDTH = 2 * _HALF
_WORD, _INDEX = ir.IntType(64), ir.IntType(32)
_VECTOR = ir.VectorType(_WORD, _WIDTH)
_PAIR = types.UniTuple(types.uint64, _HALF)


class Lanes(types.Type):
    """What numba calls them."""

    def __init__(self) -> None:
        super().__init__(name="Lanes")


_LANES = Lanes()


@register_model(Lanes)
class _Model(models.PrimitiveModel):
    """How they are kept: as a vector of the code generator."""

    def __init__(self, manager: Any, kind: Any) -> None:
        super().__init__(manager, kind, _VECTOR)


def lanes(first: Any, second: Any) -> Any:
    """Two pairs of words."""
    return np.array([*first, *second], np.uint64)


def half(vector: Any, index: int) -> Any:
    """The pair of words in half 0 or 1."""
    return tuple(vector[_HALF * index : _HALF * index + _HALF])


def load_lanes(table: Any, row: int) -> Any:
    """Four words of a table: row ``row`` of all its rows of four, one after another."""
    return table.reshape(-1, _WIDTH)[row].copy()


def load_twice(table: Any, row: int) -> Any:
    """Two words of a table, in both halves: row ``row`` of all its rows of two, one after another.

    Compiled, rows are checked with ``NUMBA_BOUNDSCHECK=1`` alone.
    """
    return np.tile(table.reshape(-1, _HALF)[row], 2)


def store_lanes(table: Any, row: int, vector: Any) -> None:
    """Set the row that ``load_lanes`` would read."""
    if not table.flags.c_contiguous:
        raise ValueError("table is not contiguous")
    table.reshape(-1, _WIDTH)[row] = vector


@kernel
def require_row(table, row, width):
    """``IndexError`` unless a table has that row of so many words."""
    if row < 0 or width * (row + 1) > table.size:
        raise IndexError("row of words is out of bounds")


# -- generating code -----------------------------------------------------------------------------


@intrinsic
def _make(_context: Any, first: Any, second: Any) -> Any:  # pragma: no cover (code generator)
    def codegen(_ctx: Any, builder: Any, _signature: Any, args: Any) -> Any:
        vector = ir.Constant(_VECTOR, ir.Undefined)
        for i in range(_WIDTH):
            word = builder.extract_value(args[i // _HALF], i % _HALF)
            vector = builder.insert_element(vector, word, _INDEX(i))
        return vector

    return _LANES(_PAIR, _PAIR), codegen


@intrinsic
def _half(_context: Any, vector: Any, index: Any) -> Any:  # pragma: no cover (code generator)
    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        upper = builder.icmp_unsigned("!=", args[1], args[1].type(0))
        found = []
        for i in range(_HALF):
            low, high = (builder.extract_element(args[0], _INDEX(i + j)) for j in (0, _HALF))
            found.append(builder.select(upper, high, low))
        return context.make_tuple(builder, signature.return_type, found)

    return _PAIR(_LANES, types.int64), codegen


def _place(context: Any, builder: Any, signature: Any, args: Any, width: int) -> Any:
    """Pointer to so many words of a table, taken as a vector."""
    data = context.make_array(signature.args[0])(context, builder, args[0]).data
    place = builder.gep(data, [builder.mul(args[1], _WORD(width))])
    return builder.bitcast(place, ir.VectorType(_WORD, width).as_pointer())


@intrinsic
def _load_lanes(_context: Any, table: Any, row: Any) -> Any:  # pragma: no cover (code generator)
    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.load(_place(context, builder, signature, args, _WIDTH), align=8)

    return _LANES(table, types.int64), codegen


@intrinsic
def _load_twice(_context: Any, table: Any, row: Any) -> Any:  # pragma: no cover (code generator)
    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        pair = builder.load(_place(context, builder, signature, args, _HALF), align=8)
        places = ir.Constant(ir.VectorType(_INDEX, _WIDTH), [*range(_HALF)] * 2)
        return builder.shuffle_vector(pair, pair, places)

    return _LANES(table, types.int64), codegen


@intrinsic
def _store(_context: Any, table: Any, row: Any, vector: Any) -> Any:  # pragma: no cover
    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        builder.store(args[2], _place(context, builder, signature, args, _WIDTH), align=8)
        return context.get_dummy_value()

    return types.void(table, types.int64, _LANES), codegen


@intrinsic
def _or(_context: Any, a: Any, b: Any) -> Any:  # pragma: no cover (code generator)
    return _LANES(_LANES, _LANES), lambda _ctx, builder, _signature, args: builder.or_(*args)


@intrinsic
def _and(_context: Any, a: Any, b: Any) -> Any:  # pragma: no cover (code generator)
    return _LANES(_LANES, _LANES), lambda _ctx, builder, _signature, args: builder.and_(*args)


@intrinsic
def _not(_context: Any, a: Any) -> Any:  # pragma: no cover (code generator)
    return _LANES(_LANES), lambda _ctx, builder, _signature, args: builder.not_(*args)


def _is_table(table: Any) -> bool:
    return isinstance(table, types.Array) and table.layout == "C" and table.dtype == types.uint64


@overload(lanes)
def _compiled_lanes(first, second):  # pragma: no cover (replaced by the instruction)
    if first == second == _PAIR:
        return lambda first, second: _make(first, second)


@overload(half)
def _compiled_half(vector, index):  # pragma: no cover (replaced by the instruction)
    if vector == _LANES:
        return lambda vector, index: _half(vector, index)


@overload(load_lanes)
def _compiled_load_lanes(table, row):  # pragma: no cover (replaced by the instruction)
    if _is_table(table):
        checks = bool(config.BOUNDSCHECK)

        def checked(table, row):
            if checks:
                require_row(table, row, _WIDTH)
            return _load_lanes(table, row)

        return checked


@overload(load_twice)
def _compiled_load_twice(table, row):  # pragma: no cover (replaced by the instruction)
    if _is_table(table):
        checks = bool(config.BOUNDSCHECK)

        def checked(table, row):
            if checks:
                require_row(table, row, _HALF)
            return _load_twice(table, row)

        return checked


@overload(store_lanes)
def _compiled_store(table, row, vector):  # pragma: no cover (replaced by the instruction)
    if _is_table(table) and table.mutable and vector == _LANES:
        checks = bool(config.BOUNDSCHECK)

        def checked(table, row, vector):
            if checks:
                require_row(table, row, _WIDTH)
            _store(table, row, vector)

        return checked


@overload(operator.or_)
def _compiled_or(a, b):  # pragma: no cover (replaced by the instruction)
    if a == b == _LANES:
        return lambda a, b: _or(a, b)


@overload(operator.and_)
def _compiled_and(a, b):  # pragma: no cover (replaced by the instruction)
    if a == b == _LANES:
        return lambda a, b: _and(a, b)


@overload(operator.invert)
def _compiled_not(a):  # pragma: no cover (replaced by the instruction)
    if a == _LANES:
        return lambda a: _not(a)
