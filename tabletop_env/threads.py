"""Kernels over the rows of a batch on several threads, each with a slice of its own."""

from __future__ import annotations

import functools
import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np


def run_slices(
    loop: Callable[..., Any], arguments: Sequence[Any], whole: np.ndarray, rows: int, threads: int
) -> None:
    """Call ``loop`` once a thread; arrays are cut into slices of ``rows``, but for ``whole``.

    Kernels release the lock of the interpreter, and rows do not know each other, so results do not
    depend on the number of threads.
    """
    bounds = [rows * k // threads for k in range(threads + 1)]

    def part(start: int, stop: int) -> None:
        cut = slice(start, stop)
        loop(*(a[cut] if isinstance(a, np.ndarray) and a is not whole else a for a in arguments))

    list(_pool(threads).map(part, bounds[:-1], bounds[1:]))


@functools.cache
def _pool(threads: int) -> ThreadPoolExecutor:
    """The threads of all batches that have so many: a copy must not cost new ones."""
    return ThreadPoolExecutor(threads, "tabletop_env")


if hasattr(os, "register_at_fork"):  # threads do not follow into a forked process
    os.register_at_fork(after_in_child=_pool.cache_clear)
