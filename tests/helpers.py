"""Small things that tests of any game share: positions, moves as text, random games, refusals."""

from __future__ import annotations

import functools
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from tabletop_env.batch import Batch
from tabletop_env.game import Game
from tabletop_env.kernel import kernel
from tabletop_env.vector import GameSeatEnv


class Choosy(GameSeatEnv):
    """Takes action a as the a-th legal one, for checkers that sample without regard to masks."""

    def step(self, action: Any) -> Any:
        legal = np.flatnonzero(self.action_masks())
        return super().step(legal[int(action) % len(legal)])


def position(game: Game, state: dict[str, Any], **options: Any) -> Batch:
    """One game with explicit chance, set up from a state in the notation."""
    games = Batch(game, 1, game.count_players(state), explicit_chance=True, **options)
    games.load_state_dict(0, state)
    return games


def play(games: Batch, *moves: str, row: int = 0) -> Batch:
    """Make moves, given as text, in one game; returns the batch.

    ``"player_0: play 17"`` also asserts who makes it (``"chance: deal 2 9"``); without an agent it
    is whoever is to act. An illegal move raises ``ValueError``.
    """
    for move in moves:
        agent, colon, text = move.partition(": ")
        if not colon:
            agent, text = games.agent(row), move
        assert games.agent(row) == agent, f"{move!r}, but {games.agent(row)} is to act"
        games.step([games.read_action(row, text)], [row])
    return games


def random_moves(games: Batch) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Play all games of a batch to their ends at random.

    Yields ``(rows, actions)`` *before* the actions are made in these rows (chance too, where it is
    explicit), so that the consumer sees every state; when the iterator is done, all games are over.
    """
    while len(rows := np.flatnonzero(~games.done)):
        actions = games.sample_legal(rows)
        yield rows, actions
        games.step(actions, rows)


@functools.cache
def _playout_loop(game: Game) -> Any:
    sample_action = game.kernels.sample_action

    def loop(state, actions):
        for i in range(len(state)):
            actions[i] = sample_action(state[i])

    return kernel(loop, package=game.package, label=f"{game.name}-")


def playout_actions(games: Batch) -> np.ndarray:
    """What a playout would do next in each game: ``sample_legal`` draws from the mask, playouts do not."""
    actions = np.empty(games.num_games, np.int64)
    _playout_loop(games.game)(games.state, actions)
    return actions


def random_states(games: Batch) -> Iterator[dict[str, Any]]:
    """Every state of a batch's games, played at random: before each decision, and at the end."""
    for rows, _ in random_moves(games):
        for row in rows.tolist():
            if games.agent(row) != "chance":
                yield games.state_dict(row)
    for row in range(games.num_games):
        yield games.state_dict(row)


def legal_texts(games: Batch, row: int = 0) -> list[str]:
    """The moves (or outcomes, where chance is due) that are possible, as texts in action order."""
    possible = games.chance[row] > 0 if games.agent(row) == "chance" else games.legal[row]
    return [games.action_text(row, int(action)) for action in np.flatnonzero(possible)]


def snapshot(games: Batch) -> list[bytes]:
    """Everything that a batch shows, to be compared before and after."""
    outputs = (games.seat, games.legal, games.chance, games.rewards, games.terminated)
    fields = (games.state[name].tobytes() for name in games.state.dtype.names)  # padding is noise
    return [*fields, games.truncated.tobytes(), *(out.tobytes() for out in outputs)]


def refusal(games: Batch, state: Any, row: int = 0) -> str:
    """What ``load_state_dict`` says against a state; asserts that it left all games untouched."""
    before = snapshot(games)
    with pytest.raises(ValueError) as caught:
        games.load_state_dict(row, state)
    assert snapshot(games) == before, "a refused state changed the batch"
    return str(caught.value)


def without(state: dict[str, Any], *keys: str) -> dict[str, Any]:
    """A copy of a state that lacks some keys, all of which it had."""
    assert set(keys) <= set(state)
    return {key: value for key, value in state.items() if key not in keys}


def assert_uniform(counts: Any, cells: int) -> None:
    """Pearson's chi-square test that ``cells`` outcomes are equally likely, at one in ten thousand.

    ``counts`` are those of the outcomes seen. For tests with a fixed seed, which never flicker.
    """
    counts = np.asarray(list(counts), float)
    assert len(counts) <= cells, f"{len(counts)} outcomes seen, but only {cells} are possible"
    expected, freedom = counts.sum() / cells, cells - 1
    assert expected >= 10, "too few samples for the test"
    unseen = (cells - len(counts)) * expected
    statistic = ((counts - expected) ** 2 / expected).sum() + unseen
    spread = 2 / (9 * freedom)  # Wilson and Hilferty: the cube root is nearly normal
    limit = freedom * (1 - spread + 3.719 * spread**0.5) ** 3
    assert statistic < limit, f"chi-square {statistic:.1f} of {freedom} degrees, limit {limit:.1f}"
