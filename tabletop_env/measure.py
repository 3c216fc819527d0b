"""Decisions a second of every door of a game: what ``bench`` prints and the benchmarks compare.

A *decision* is one action of one seat; chance is not counted. Loops are warmed up before they are
timed, and a figure is the median of several runs.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from tabletop_env.aec import GameEnv
from tabletop_env.batch import Batch
from tabletop_env.game import Game
from tabletop_env.vector import GameVectorEnv

RUNS = 5
"""Timed runs, of which the median counts."""


def decisions_per_second(run: Callable[[], int], seconds: float = 1.0, runs: int = RUNS) -> float:
    """Median over ``runs`` of the rate of ``run``, a function that returns how many decisions it made.

    It is called once before the clock starts, and then again and again for ``seconds / runs`` a run.
    """
    if not seconds > 0:
        raise ValueError(f"seconds is {seconds!r}, expected a number above 0")
    run()
    rates = []
    for _ in range(runs):
        made, start = 0, time.perf_counter()
        while (spent := time.perf_counter() - start) < seconds / runs or not made:
            made += run()
        rates.append(made / spent)
    return statistics.median(rates)


def playouts(games: Batch) -> Callable[[], int]:
    """Whole random games inside the kernel, one after another."""

    def run() -> int:
        games.reset()
        return int(games.playout().sum())

    return run


def steps(games: Batch, *, observe: bool, length: int = 64) -> Callable[[], int]:
    """Random legal steps of the whole batch, masks written; games that end begin anew."""
    out = games.observe()

    def run() -> int:
        made = 0
        for _ in range(length):
            games.step(games.sample_legal())
            made += games.num_games
            if observe:
                games.observe(out=out)
            done = games.done
            if done.any():
                games.reset(done)
        return made

    return run


def vector_steps(envs: GameVectorEnv, length: int = 64) -> Callable[[], int]:
    """The learner's random legal steps; only its own decisions are counted."""
    envs.reset(seed=0)

    def run() -> int:
        for _ in range(length):
            envs.step(envs.games.sample_legal())
        return length * envs.num_envs

    return run


def aec_loop(env: Any, length: int = 512, seed: int = 0) -> Callable[[], int]:
    """``last``, a random legal action, ``step``, for any PettingZoo environment with masks."""
    rng = np.random.default_rng(seed)

    def run() -> int:
        made = 0
        env.reset(seed=int(rng.integers(2**31)))
        while made < length:
            observation, _, terminated, truncated, info = env.last()
            if terminated or truncated:
                env.reset()
                continue
            mask = observation.get("action_mask", info.get("action_mask"))
            moves = mask.nonzero()[0]
            env.step(int(moves[int(rng.random() * len(moves))]))
            made += 1
        return made

    return run


def report(
    game: Game,
    num_players: int,
    *,
    num_games: int = 4096,
    num_threads: int = 1,
    seconds: float = 1.0,
    **options: Any,
) -> Iterator[str]:
    """Lines for a terminal, one a door."""

    def batch() -> Batch:
        return Batch(game, num_games, num_players, num_threads=num_threads, **options)

    doors: dict[str, Callable[[], Callable[[], int]]] = {
        "playout in the kernel": lambda: playouts(batch()),
        "batch step with mask": lambda: steps(batch(), observe=False),
        "batch step with mask and observation": lambda: steps(batch(), observe=True),
        "vector environment (learner's steps)": lambda: vector_steps(
            GameVectorEnv(game, num_games, num_players, num_threads=num_threads, **options)
        ),
        "AEC loop": lambda: aec_loop(GameEnv(game, num_players, **options)),
    }
    yield (
        f"{game.title}, {num_players} players, {num_games} games a batch, "
        f"{num_threads} thread{'s' if num_threads > 1 else ''}: decisions a second"
    )
    for name, make in doors.items():
        yield f"{name:38} {decisions_per_second(make(), seconds):>14,.0f}"
