"""Processes that run contestants: one a library, one thread, one core, each waiting for its turn.

So that libraries do not disturb each other (thread pools, allocators), and one that is missing or
breaks takes no other with it. Only one process runs at a time.
"""

from __future__ import annotations

import importlib
import multiprocessing
import os
import traceback
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from typing import Any

import machine
from timing import Loop, Round, time_round


class NotRunError(Exception):
    """A contestant cannot take part; the text says why."""


@dataclass(frozen=True, eq=False)
class Contestant:
    """Something to measure: ``make`` is ``module:function``, which returns a ``Loop``."""

    label: str
    make: str
    arguments: dict[str, Any] = field(default_factory=dict)
    many_cores: bool = False

    @property
    def process(self) -> str:
        """Contestants of one module and kind of core share a process; peers have one each."""
        module, _, function = self.make.partition(":")
        library = "" if module == "ours" else function.partition("_")[0]
        return f"{module} {library} {'many cores' if self.many_cores else 'one core'}"


class Workers:
    """All processes of a run; a context manager that ends them."""

    def __init__(self) -> None:
        self._context = multiprocessing.get_context("spawn")
        self._started: dict[str, tuple[Any, Connection]] = {}

    def __enter__(self) -> Workers:
        return self

    def __exit__(self, *_: object) -> None:
        for process, pipe in self._started.values():
            if process.is_alive():
                pipe.send(None)
            process.join(timeout=10)
            if process.is_alive():
                process.terminate()

    def prepare(self, contestant: Contestant) -> dict[str, Any]:
        """Build a contestant and warm it up; its facts."""
        return self._ask(contestant, None)

    def time_round(self, contestant: Contestant, seconds: float) -> Round:
        """One round of a contestant that is prepared."""
        return self._ask(contestant, seconds)

    def _ask(self, contestant: Contestant, seconds: float | None) -> Any:
        name = contestant.process
        if name not in self._started:
            ours, theirs = self._context.Pipe()
            process = self._context.Process(
                target=work, args=(theirs, not contestant.many_cores), daemon=True
            )
            process.start()
            theirs.close()
            self._started[name] = process, ours
        _, pipe = self._started[name]
        try:
            pipe.send((contestant, seconds))
            fine, answer = pipe.recv()
        except (EOFError, OSError) as error:
            raise NotRunError(f"its process ended: {error!r}") from error
        if not fine:
            raise NotRunError(answer)
        return answer


def work(pipe: Connection, one_core: bool) -> None:
    """The process: answers ``(contestant, seconds)`` until ``None`` comes."""
    os.environ.update(machine.ONE_THREAD)
    if one_core:
        machine.pin_to_one_core()
    loops: dict[str, Loop] = {}
    while (request := pipe.recv()) is not None:
        contestant, seconds = request
        name = repr(contestant)
        try:
            if seconds is None:
                loops[name] = make(contestant)
                pipe.send((True, loops[name].facts))
            else:
                pipe.send((True, time_round(loops[name].run, seconds)))
        except ImportError as error:
            pipe.send((False, f"not installed: {error}"))
        except Exception as error:
            traceback.print_exc()
            pipe.send((False, f"failed: {error!r}"))


def make(contestant: Contestant) -> Loop:
    """Build a contestant; its first runs, which compile, are done when this returns."""
    module, _, function = contestant.make.partition(":")
    loop = getattr(importlib.import_module(module), function)(**contestant.arguments)
    for _ in range(2):
        loop.run()
    return loop
