"""The doors of this library as contestants.

``where`` names a game by module and constant: ``shikoku_env.game:SHIKOKU``.
"""

from __future__ import annotations

import importlib

import numpy as np
from timing import Loop

from tabletop_env import measure
from tabletop_env.aec import GameEnv
from tabletop_env.batch import Batch
from tabletop_env.game import CHANCE, Game
from tabletop_env.vector import GameVectorEnv


def find(where: str) -> Game:
    """The game of ``module:constant``."""
    module, _, constant = where.partition(":")
    return getattr(importlib.import_module(module), constant)


def playouts(where: str, players: int, games: int, threads: int = 1) -> Loop:
    """Whole random games in the kernel, from shuffling to the rewards."""
    batch = Batch(find(where), games, players, num_threads=threads)
    return Loop(measure.playouts(batch), chance_facts(where, players))


def playouts_from_start(where: str, players: int, games: int) -> Loop:
    """Random games in the kernel, each from a copy of a row that is dealt already."""
    batch = Batch(find(where), games, players)
    begun = batch.state.copy()

    def run() -> int:
        begun["choice"] += np.uint64(1)  # other moves than last time
        batch.state[:] = begun
        return int(batch.playout().sum())

    return Loop(run, {"row_bytes": batch.state.itemsize})


def steps(where: str, players: int, games: int, observe: bool, threads: int = 1) -> Loop:
    """Random legal steps of a whole batch; games that end begin anew."""
    batch = Batch(find(where), games, players, num_threads=threads)
    facts = {
        "actions": batch.num_actions,
        "observation_bytes": int(np.prod(batch.observation_shape)) if observe else 0,
    }
    return Loop(measure.steps(batch, observe=observe), facts)


def vector_steps(where: str, players: int, games: int, threads: int = 1) -> Loop:
    """The learner's steps in the vector environment; the others' moves are not counted."""
    envs = GameVectorEnv(find(where), games, players, num_threads=threads)
    return Loop(measure.vector_steps(envs), {})


def aec_loop(where: str, players: int) -> Loop:
    """``last``, a random legal action, ``step``."""
    return Loop(measure.aec_loop(GameEnv(find(where), players)), {})


def surveys(where: str, players: int, games: int, tiles: int = 30) -> Loop:
    """Threat and cover of both sides of Paikō boards, each with ``tiles`` tiles at random squares."""
    from paiko_env.board import NAMES
    from paiko_env.threat import look, survey
    from tabletop_env.kernel import kernel

    rng = np.random.default_rng(0)
    batch = Batch(find(where), games, players)
    state = batch.state
    for kind in ("sides", "kinds", "tile"):
        state[kind] = 0
    for row in state:
        for number, square in enumerate(rng.permutation(len(NAMES))[:tiles].tolist()):
            word, one = square // 56, np.uint64(1) << np.uint64(square % 56)
            code = int(rng.integers(32))
            row["sides"][number % 2, word] |= one
            row["kinds"][code // 4, word] |= one
            row["tile"][square] = code

    @kernel
    def survey_all(state):
        seen = np.uint64(0)
        for i in range(len(state)):
            look(state[i])
            for side in range(2):
                view = survey(state[i], side)
                seen ^= view.two[0] ^ view.cover[1]
        return seen

    def run() -> int:
        survey_all(state)
        return games

    return Loop(run, {"tiles": tiles})


def chance_facts(where: str, players: int, games: int = 256) -> dict[str, float]:
    """Decisions a game and chance events a decision, counted in games with explicit chance."""
    batch = Batch(find(where), games, players, explicit_chance=True)
    events = 0
    while not batch.done.all():
        events += int((batch.seat == CHANCE).sum())
        batch.step(batch.sample_legal())
    decisions = int(batch.plies.sum())
    return {"decisions_a_game": decisions / games, "chance_a_decision": events / decisions}
