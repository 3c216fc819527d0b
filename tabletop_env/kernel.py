"""``@kernel``: compile a function with numba, and cache it under an honest key.

Numba's own ``cache=True`` looks only at the file that holds the kernel. A rule inlined from another
module, or a table frozen into the machine code, may change while the old code keeps running. Here
the key of every cached kernel is a digest of *all* sources of this package and of the game's package,
of the other kernels that it calls and the packages those come from, of the values that it freezes
(tables that were read from a file, say), and of the compiler flags that change the code. Editing a
helper, or installing another version of the package, therefore compiles afresh.

Environment variables
---------------------
``TABLETOP_NO_CACHE=1``
    Compile in memory only.
``NUMBA_CACHE_DIR``
    Where compiled kernels are kept, as everywhere in numba. Otherwise the package's
    ``__pycache__``, else the user's cache folder, else no cache at all.
``NUMBA_DISABLE_JIT=1``
    Run kernels as plain Python (slow; for debuggers and coverage).
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import inspect
import os
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any, TypeVar

import numba
import numpy as np
from numba.core import caching, config

F = TypeVar("F", bound=Callable[..., Any])

NO_CACHE_VARIABLE = "TABLETOP_NO_CACHE"


def kernel(function: F, *, package: str | None = None, label: str = "") -> F:
    """Compile ``function`` with ``njit(nogil=True)``, cached on disk where that is possible.

    Parameters
    ----------
    function
        A function that numba can compile in nopython mode. It may close over other kernels: the key
        tells them apart, which numba's own key for closures does not do reliably.
    package
        Top-level package whose sources the cache key covers, beside ``tabletop_env``. By default
        the one that the function's module belongs to.
    label
        Gives kernels that are made from one function for several games cache files of their own.
    """
    compiled = numba.njit(nogil=True)(function)
    if config.DISABLE_JIT or os.environ.get(NO_CACHE_VARIABLE, "0") not in ("", "0"):
        return compiled
    owner = package or function.__module__.partition(".")[0]
    cache_class = _cache_class(owner, label)
    with contextlib.suppress(RuntimeError):  # no folder can be written: compile in memory
        compiled._cache = cache_class(function)  # what njit(cache=True) sets, with another key
    return compiled


@functools.cache
def source_digest(package: str) -> str:
    """Hex digest of every Python source of ``tabletop_env`` and ``package``."""
    digest = hashlib.sha256()
    for name in sorted({__name__.partition(".")[0], package}):
        for path in _sources(name):
            digest.update("/".join(path.parts[-3:]).encode() + b"\0")
            digest.update(path.read_bytes() + b"\0")
    return digest.hexdigest()


def _sources(package: str) -> list[Path]:
    module = sys.modules.get(package)
    if module is None or not getattr(module, "__path__", None):  # a lone module, a script
        file = getattr(module, "__file__", None)
        return [Path(file)] if file else []
    return sorted(path for root in module.__path__ for path in Path(root).rglob("*.py"))


def _flags() -> tuple[object, ...]:
    """Compiler settings that change the code without showing in numba's own key."""
    names = ("BOUNDSCHECK", "OPT", "DEBUGINFO_DEFAULT", "LOOP_VECTORIZE", "SLP_VECTORIZE")
    return tuple(getattr(config, name, None) for name in names)


def _fingerprint(function: Callable[..., Any]) -> str:
    """Digest of what compiling ``function`` freezes beside its own package: see ``_frozen``.

    Kernels that it calls, directly or not, count by their place, their code and their package.
    """
    digest, seen, ahead = hashlib.sha256(), set(), [function]
    while ahead:
        one = ahead.pop()
        if one in seen:
            continue
        seen.add(one)
        code = one.__code__
        package = _package(one)
        place = one.__module__, one.__qualname__, code.co_firstlineno, source_digest(package)
        digest.update(repr(place).encode() + code.co_code + _frozen(code.co_consts))
        for name, value in _values_read(one):
            if hasattr(value, "py_func"):
                ahead.append(value.py_func)
            elif inspect.isfunction(value) and _package(value) not in ("numpy", "numba"):
                ahead.append(value)  # the plain twin of an overload, over the same tables
            else:
                digest.update(name.encode() + b"=" + _frozen(value) + b"\0")
    return digest.hexdigest()


def _package(function: Callable[..., Any]) -> str:
    return (function.__module__ or "").partition(".")[0]


def _values_read(function: Callable[..., Any]) -> list[tuple[str, Any]]:
    """Names and values of what a function closes over, of globals, and of attributes of modules."""
    found = inspect.getclosurevars(function)
    values = [*found.nonlocals.items(), *found.globals.items()]
    for prefix, module in list(values):
        if isinstance(module, ModuleType):
            attributes = [name for name in function.__code__.co_names if hasattr(module, name)]
            values += [(f"{prefix}.{name}", getattr(module, name)) for name in attributes]
    return values


def _frozen(value: object) -> bytes:
    """A constant as bytes; nothing for what numba does not turn into one."""
    if isinstance(value, np.ndarray | np.generic):
        return repr((value.dtype, value.shape)).encode() + value.tobytes()
    if isinstance(value, tuple):
        return b"(" + b",".join(map(_frozen, value)) + b")"
    plain = isinstance(value, int | float | complex | str | bytes | np.dtype)
    return repr(value).encode() if plain else b""


@functools.cache
def _cache_class(package: str, label: str) -> type[caching.FunctionCache]:
    class Locator(caching._CacheLocator):
        """Writes where numba would, and stamps the file with all sources beside numba's own stamp."""

        def __init__(self, function: Callable[..., Any], found: Any) -> None:
            self._py_file = function.__code__.co_filename  # numba's warnings name it
            self._line = function.__code__.co_firstlineno
            self._found = found

        def get_cache_path(self) -> str:
            return self._found.get_cache_path()

        def get_source_stamp(self) -> object:
            return self._found.get_source_stamp(), source_digest(package)

        def get_disambiguator(self) -> str:
            return f"{label}{self._line}-numba{numba.__version__}"  # versions do not share files

        @classmethod
        def from_function(cls, function: Callable[..., Any], file: str) -> Locator | None:
            for numba_locator in caching.CompileResultCacheImpl._locator_classes:
                found = numba_locator.from_function(function, file)
                if found is not None:
                    return cls(function, found)
            return None

    class Implementation(caching.CompileResultCacheImpl):
        _locator_classes = [Locator]

    class KernelCache(caching.FunctionCache):
        _impl_class = Implementation

        def _index_key(self, signature: object, codegen: Any) -> tuple[object, ...]:
            return signature, codegen.magic_tuple(), _flags(), _fingerprint(self._py_func)

    return KernelCache
