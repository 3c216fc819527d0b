"""A policy that looks one action ahead: it makes whatever leads to the state with the best score."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from tabletop_env.batch import Batch
from tabletop_env.game import Game
from tabletop_env.kernel import kernel
from tabletop_env.policies import RANDOM, BatchPolicy
from tabletop_env.rng import choice_below


class GreedyPolicy(BatchPolicy):
    """Tries every legal action on a copy, and makes one of those with the best score.

    Parameters
    ----------
    score
        A kernel ``score(row, seat) -> float64``: how good a state is for a seat. It is asked right
        after the action, before any chance event; it may use no more than the seat can see.

    Notes
    -----
    Ties are broken at random by the row's choice stream.
    """

    def __init__(self, score: Callable[..., Any]) -> None:
        self._score = score
        self._loops: dict[Game, Callable[..., None]] = {}

    def choose(self, games: Batch, rows: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
        if games.game not in self._loops:
            self._loops[games.game] = _make_loop(games.game, self._score)
        chosen = rows[games.seat[rows] >= 0]
        actions = (
            RANDOM.choose(games, rows) if len(chosen) < len(rows) else np.empty(len(rows), int)
        )
        best = np.empty(len(chosen), np.int64)
        trial = np.empty(1, games.game.row)
        self._loops[games.game](games.state, chosen, trial, games._legal, best)
        actions[games.seat[rows] >= 0] = best
        return actions


def _make_loop(game: Game, score: Callable[..., Any]) -> Callable[..., None]:
    apply = game.kernels.apply

    def greedy(state, rows, trial, legal, best):
        """The best action of each of ``rows``; ``trial`` is a row to try them on."""
        for i in range(len(rows)):
            row = state[rows[i]]
            seat = row["seat"]
            highest, ties = -np.inf, 0
            for action in range(legal.shape[1]):
                if not legal[rows[i], action]:
                    continue
                trial[0] = row
                trial[0]["plies"] += 1
                apply(trial[0], action)
                value = score(trial[0], seat)
                if value > highest:
                    highest, ties = value, 0
                if value == highest:
                    ties += 1
                    if choice_below(row, ties) == 0:
                        best[i] = action

    return kernel(greedy, package=game.package, label=f"{game.name}-")
