"""Checks of arguments at the door: each returns the value in its plain form, or names what is wrong."""

from __future__ import annotations

import operator
from typing import Any

import numpy as np
import numpy.typing as npt


def check_count(name: str, value: Any) -> int:
    """``value`` as an int of 1 or more; ``ValueError`` otherwise."""
    try:
        count = operator.index(value)
    except TypeError:
        count = 0
    if count < 1 or isinstance(value, bool):
        raise ValueError(f"{name} is {value!r}, expected an integer of 1 or more")
    return count


def check_seed(seed: Any, num_games: int = 1) -> int:
    """``seed`` as an int with room for ``num_games`` seeds in a row; ``ValueError`` otherwise."""
    try:
        value = operator.index(seed)
    except TypeError:
        value = -1
    if isinstance(seed, bool) or not 0 <= value <= 2**64 - num_games:
        raise ValueError(f"seed is {seed!r}, expected an integer in 0..{2**64 - num_games}")
    return value


def integers(name: str, values: Any, count: int) -> npt.NDArray[np.int64]:
    """``values`` as a (count,) int64 array; ``ValueError`` for any other shape or kind."""
    array = np.asarray(values)
    if array.shape != (count,) or array.dtype.kind not in "iu":
        raise ValueError(f"{name} is {describe(array)}, expected a ({count},) array of integers")
    array = array.astype(np.int64, copy=False)
    return array if array.flags.carray else array.copy()  # kernels compile for one layout only


def seat_array(seats: Any, num_games: int, num_players: int, least: int) -> npt.NDArray[np.int8]:
    """One seat, or one for each game, as a (num_games,) int8 array of ``least``..num_players-1."""
    values = np.asarray(seats)
    if values.ndim == 0:
        values = np.full(num_games, values[()])
    values = integers("seats", values, num_games)
    wrong = (values < least) | (values >= num_players)
    if wrong.any():
        value = int(values[np.flatnonzero(wrong)[0]])
        raise ValueError(f"seat {value} does not exist, expected 0..{num_players - 1}")
    return values.astype(np.int8)


def seed_array(seeds: Any, count: int) -> npt.NDArray[np.uint64]:
    """Seeds, one for each row, as a (count,) uint64 array."""
    if isinstance(seeds, list | tuple):  # of large and small ones numpy would make floats
        seeds = np.array([check_seed(seed) for seed in seeds], np.uint64)
    values = np.asarray(seeds)
    if values.shape != (count,) or values.dtype.kind not in "iu" or (values < 0).any():
        raise ValueError(
            f"seeds is {describe(values)}, expected one integer of 0 or more, or ({count},) of them"
        )
    return values.astype(np.uint64)


def row_index(rows: Any, num_games: int) -> npt.NDArray[np.int64]:
    """A bool mask (num_games,) or integers in 0..num_games-1, as integers."""
    array = np.asarray(rows)
    if array.dtype == np.bool_ and array.shape == (num_games,):
        return np.flatnonzero(array)
    if array.ndim == 1 and not array.size:
        return np.empty(0, np.int64)
    if array.ndim != 1 or array.dtype.kind not in "iu":
        raise ValueError(
            f"rows is {describe(array)}, expected a ({num_games},) array of bool "
            "or a list of integers"
        )
    if array.min() < 0 or array.max() >= num_games:
        wrong = int(array.min() if array.min() < 0 else array.max())
        raise ValueError(f"rows names game {wrong}, expected 0..{num_games - 1}")
    return array.astype(np.int64, copy=False)


def describe(value: Any) -> str:
    """Shape and dtype of an array, or the value itself, for error messages."""
    if isinstance(value, np.ndarray):
        return f"a {value.shape} array of {value.dtype}"
    return repr(value)
