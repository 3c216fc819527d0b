"""Search: leaves that the user evaluates, and playouts that are cut short."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from helpers import position
from search_cases import guess, middle_games, same
from tic_tac_toe import TIC_TAC_TOE, TicTacToe

from shikoku_env.game import SHIKOKU
from tabletop_env.batch import Batch
from tabletop_env.kernel import kernel
from tabletop_env.search import search

# -- evaluation by the user ----------------------------------------------------------------------


class Spy:
    """An evaluation that keeps what it was asked."""

    def __init__(self, answer: Any) -> None:
        self.answer = answer
        self.asked: list[tuple[np.ndarray, np.ndarray]] = []

    def __call__(self, observations: np.ndarray, masks: np.ndarray) -> Any:
        self.asked.append((observations.copy(), masks.copy()))
        return self.answer(observations, masks)


@pytest.mark.parametrize("view", ["seats", "padded"])
def test_all_leaves_are_evaluated_together(view: str):
    games = Batch(SHIKOKU, 6, 4, seed=9, observation=view)
    spy = Spy(lambda seen, masks: (masks / 3, np.zeros((len(seen), 4), np.float32)))
    search(games, simulations=20, trees=2, evaluate=spy)
    assert len(spy.asked) == 11
    for seen, masks in spy.asked:
        assert (seen.shape, seen.dtype) == ((12, *games.observation_shape), np.int8)
        assert (masks.shape, masks.dtype) == ((12, 33), np.bool_)
    roots, root_masks = spy.asked[0]
    assert (roots == games.observe().repeat(2, axis=0)).all()
    assert (root_masks == games.legal.repeat(2, axis=0)).all()


def test_games_that_are_over_are_not_evaluated():
    spy = Spy(lambda seen, masks: (None, np.zeros(len(seen))))
    games = position(TIC_TAC_TOE, {"game": "tic_tac_toe", "board": ["xox", "oxo", "ox."]})
    found = search(games, simulations=5, evaluate=spy)
    assert len(spy.asked) == 1
    assert found.q[0, 8] == 1
    assert found.values[0].tolist() == [5 / 6, -5 / 6]
    spy = Spy(lambda seen, masks: (None, np.zeros(len(seen))))
    search(middle_games(TIC_TAC_TOE, 2), simulations=200, evaluate=spy)
    assert min(len(seen) for seen, _ in spy.asked) < 12
    assert all(masks.any(axis=1).all() for _, masks in spy.asked)


def test_values_count_the_seats_from_the_observer_on():
    games = Batch(SHIKOKU, 1, 4, seed=2)
    first, second = games.state["order"][0, :2].tolist()
    answers = iter([[0.4, 0.3, 0.2, 0.1], [0.8, 0.0, -0.4, -0.8]])
    found = search(
        games, simulations=1, evaluate=lambda seen, masks: (None, np.array([next(answers)]))
    )
    expected = np.roll([0.4, 0.3, 0.2, 0.1], first) + np.roll([0.8, 0.0, -0.4, -0.8], second)
    assert np.allclose(found.values[0], expected / 2)


def test_with_two_seats_the_observers_value_will_do():
    games = middle_games(TIC_TAC_TOE, 2)

    def one(seen: np.ndarray, masks: np.ndarray) -> Any:
        return None, guess(seen, masks)[1][:, 0]

    def two(seen: np.ndarray, masks: np.ndarray) -> Any:
        values = guess(seen, masks)[1][:, 0]
        return None, np.stack([values, -values], axis=1)

    assert same(*(search(games, simulations=60, evaluate=how) for how in (one, two)))


def test_values_are_believed():
    """Whoever holds the upper left corner is told to win."""

    def corner(seen: np.ndarray, masks: np.ndarray) -> Any:
        return None, seen[:, 0, 0, 0].astype(float) - seen[:, 1, 0, 0]

    found = search(Batch(TIC_TAC_TOE, 3, 2), simulations=100, evaluate=corner)
    assert (found.actions == 0).all()
    assert (found.q[:, 0] > 0.5).all()


def test_priors_are_followed_and_need_not_add_up_to_one():
    games = Batch(TIC_TAC_TOE, 1, 2)

    def prefer(scale: float) -> Any:
        weights = np.where(np.arange(9) == 7, 60, 5) * scale
        return lambda seen, masks: (weights * np.ones((len(seen), 1)), np.zeros(len(seen)))

    found = search(games, simulations=60, evaluate=prefer(1))
    assert found.actions[0] == 7
    assert 30 <= found.visits[0, 7] <= 40
    assert same(found, search(games, simulations=60, evaluate=prefer(0.25)))
    first = search(games, simulations=1, evaluate=prefer(1))
    assert first.visits[0].tolist() == [0, 0, 0, 0, 0, 0, 0, 1, 0]
    equal = search(games, simulations=45, evaluate=prefer(0))
    assert equal.visits[0].tolist() == [5] * 9


@pytest.mark.parametrize(
    ("answer", "complaint"),
    [
        (
            lambda n: np.zeros((n, 2)),
            r"evaluate has returned a .4, 2. array of float64, expected a pair",
        ),
        (lambda n: (None, np.zeros((n, 3))), r"values have shape \(4, 3\), expected \(4, 2\)"),
        (lambda n: (None, np.full(n, np.nan)), "values are not all finite"),
        (lambda n: (np.ones(n), np.zeros(n)), r"priors have shape \(4,\), expected \(4, 9\)"),
        (lambda n: (-np.ones((n, 9)), np.zeros(n)), "priors of legal moves are not all finite"),
        (lambda n: (np.full((n, 9), np.inf), np.zeros(n)), "priors of legal moves are not all"),
    ],
    ids=["no-pair", "players", "nan", "priors", "negative", "infinite"],
)
def test_an_evaluation_that_does_not_fit_is_refused(answer: Any, complaint: str):
    games = Batch(TIC_TAC_TOE, 4, 2)
    with pytest.raises(ValueError, match=complaint):
        search(games, simulations=5, evaluate=lambda seen, masks: answer(len(seen)))


def test_more_than_two_seats_need_a_value_each():
    with pytest.raises(ValueError, match=r"values have shape \(2,\), expected \(2, 4\)"):
        search(Batch(SHIKOKU, 2, 4), simulations=5, evaluate=lambda s, m: (None, np.zeros(len(s))))


# -- playouts cut short --------------------------------------------------------------------------


def test_a_playout_that_is_cut_off_brings_nothing():
    games = Batch(TIC_TAC_TOE, 2, 2)
    assert not search(games, simulations=5, horizon=0).values.any()
    assert not search(games, simulations=5, horizon=3).values.any()
    assert search(games, simulations=50, horizon=4).values.any()
    whole = search(games, simulations=50)
    assert same(search(games, simulations=50, horizon=9), whole)


@kernel
def centre_counts(row, returns):
    returns[:] = 0
    if row["board"][4] != 0:
        returns[row["board"][4] - 1] = 0.5
        returns[2 - row["board"][4]] = -0.5


class Estimated(TicTacToe):
    name = "estimated_tic_tac_toe"
    package = "test_search_leaves"
    constant = "ESTIMATED"
    estimate = centre_counts


def test_a_game_may_say_how_a_playout_would_have_ended():
    games = Batch(Estimated(), 3, 2)
    found = search(games, simulations=30, horizon=0)
    assert (found.actions == 4).all()
    assert (found.q[:, 4] == 0.5).all()
    assert (found.values[:, 0] == -found.values[:, 1]).all()
    plain = search(Batch(TIC_TAC_TOE, 3, 2), simulations=30)
    assert same(search(games, simulations=30), plain)  # nine plies: over before it is guessed
