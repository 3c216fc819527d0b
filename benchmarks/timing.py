"""How a figure is taken: loops that count decisions, rounds, and what is said of many rounds.

A *decision* is one action of one seat that had to act. Dealing, drawing and other chance is part of
the time but never of the count.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

PATIENCE = 3
"""A round ends after so many times its length on the clock, on a busy machine."""


class Loop(NamedTuple):
    """A contestant that is ready to run."""

    run: Callable[[], int]
    """Does some work and returns how many decisions it made."""
    facts: dict[str, Any]
    """What a reader should know of it: sizes, chance events a decision."""


class Round(NamedTuple):
    """One timed stretch of a loop."""

    decisions: int
    wall: float
    """Seconds on the clock."""
    cpu: float
    """Seconds that the process had a core, all its threads together."""


class Spread(NamedTuple):
    """A figure over many rounds: its median, and the quartiles around it."""

    median: float
    low: float
    high: float


def time_round(run: Callable[[], int], seconds: float) -> Round:
    """Call ``run`` again and again until it has had ``seconds`` of a core, at least once.

    On a busy machine it ends early, after ``PATIENCE`` times as long on the clock.
    """
    decisions = 0
    wall, cpu = time.perf_counter(), time.process_time()
    while True:
        decisions += run()
        spent, passed = time.process_time() - cpu, time.perf_counter() - wall
        if spent >= seconds or (spent > 0 and passed >= PATIENCE * seconds):
            return Round(decisions, passed, spent)


def rates(rounds: Sequence[Round], clock: str) -> list[float]:
    """Decisions a second of each round, by ``clock``: ``cpu`` or ``wall``."""
    return [round_.decisions / getattr(round_, clock) for round_ in rounds]


def spread(values: Sequence[float]) -> Spread:
    """Median and quartiles."""
    if len(values) == 1:
        return Spread(values[0], values[0], values[0])
    low, median, high = statistics.quantiles(values, n=4, method="inclusive")
    return Spread(median, low, high)


def ratio(ours: Sequence[float], theirs: Sequence[float]) -> Spread:
    """How many times faster, round against the same round, so that noise hits both alike."""
    return spread([a / b for a, b in zip(ours, theirs, strict=True)])
