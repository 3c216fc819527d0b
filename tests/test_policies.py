"""Policies: found by name, given as functions, one for all seats or one for each."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from dice_nim import DICE_NIM
from tic_tac_toe import TIC_TAC_TOE

from shikoku_env import shikoku_v0
from shikoku_env.game import SHIKOKU
from tabletop_env.batch import Batch
from tabletop_env.greedy import GreedyPolicy
from tabletop_env.kernel import kernel
from tabletop_env.policies import (
    RANDOM,
    BatchPolicy,
    ObservationPolicy,
    choose_actions,
    find_policy,
    policy_names,
    seat_policies,
)
from tabletop_env.record import check_record, write_records
from tabletop_env.vector import GameVectorEnv


def lowest(observations: np.ndarray, masks: np.ndarray) -> np.ndarray:
    return masks.argmax(axis=1)


def highest(observations: np.ndarray, masks: np.ndarray) -> np.ndarray:
    return masks.shape[1] - 1 - masks[:, ::-1].argmax(axis=1)


class Recorder:
    """A user's policy that remembers what it was shown."""

    def __init__(self) -> None:
        self.shown: list[tuple[np.ndarray, np.ndarray]] = []

    def __call__(self, observations: np.ndarray, masks: np.ndarray) -> list[int]:
        self.shown.append((observations.copy(), masks.copy()))
        return masks.argmax(axis=1).tolist()


class Always(BatchPolicy):
    """Makes the same action whatever the state."""

    def __init__(self, action: int) -> None:
        self.action = action

    def choose(self, games: Batch, rows: np.ndarray) -> np.ndarray:
        return np.full(len(rows), self.action)


# -- finding -------------------------------------------------------------------------------------


def test_policies_are_found_by_name_function_or_as_they_are():
    assert find_policy(SHIKOKU, "random") is RANDOM
    own = Always(0)
    assert find_policy(SHIKOKU, own) is own
    found = find_policy(SHIKOKU, lowest)
    assert isinstance(found, ObservationPolicy)
    assert found.policy is lowest


def test_a_game_may_have_named_policies(monkeypatch):
    corner = Always(0)
    monkeypatch.setattr(type(TIC_TAC_TOE), "policies", {"corner": corner})
    assert policy_names(TIC_TAC_TOE) == ["random", "corner", "mcts"]
    assert policy_names(DICE_NIM) == ["random", "mcts"]
    assert find_policy(TIC_TAC_TOE, "corner") is corner
    with pytest.raises(ValueError, match="policy is 'centre', but Tic-tac-toe has: random, corner"):
        find_policy(TIC_TAC_TOE, "centre")


@pytest.mark.parametrize("name", ["clever", "", None, 3])
def test_an_unknown_policy_is_refused_by_name(name: Any):
    with pytest.raises(ValueError, match=f"policy is {name!r}, but Shikoku has: random"):
        find_policy(SHIKOKU, name)


def test_policies_are_seated():
    own = Always(0)
    assert seat_policies(SHIKOKU, 3, "random") == [RANDOM] * 3
    assert seat_policies(SHIKOKU, 3, own) == [own] * 3
    assert seat_policies(SHIKOKU, 3, ["random", own, own]) == [RANDOM, own, own]
    assert seat_policies(SHIKOKU, 3, (own, "random", own)) == [own, RANDOM, own]
    assert seat_policies(SHIKOKU, 4, {"player_2": own}) == [RANDOM, RANDOM, own, RANDOM]
    everywhere = seat_policies(SHIKOKU, 5, lowest)
    assert all(policy is everywhere[0] for policy in everywhere)  # asked once for all its seats


@pytest.mark.parametrize(
    ("policies", "message"),
    [
        (["random"] * 2, "2 policies for 3 seats"),
        ([], "0 policies for 3 seats"),
        ({"white_0": "random"}, r"no agent is named 'white_0', expected \['player_0', 'player_1'"),
        ({"player_0": "clever"}, "policy is 'clever', but Shikoku has: random"),
    ],
)
def test_policies_that_do_not_fit_the_seats(policies: Any, message: str):
    with pytest.raises(ValueError, match=message):
        seat_policies(SHIKOKU, 3, policies)


# -- choosing ------------------------------------------------------------------------------------


def test_every_seat_is_played_by_its_own_policy():
    games = shikoku_v0.batch(40, 3, seed=0)
    policies = seat_policies(SHIKOKU, 3, [lowest, highest, "random"])
    while len(rows := np.flatnonzero(~games.done)):
        other = games.copy()
        drawn = other.sample_legal(rows)
        low, high = lowest(rows, games.legal[rows]), highest(rows, games.legal[rows])
        seats = games.seat[rows]
        actions = choose_actions(games, policies, rows)
        assert np.array_equal(actions, np.choose(seats, [low, high, drawn]))
        games.step(actions, rows)


def test_chance_is_drawn_whoever_plays():
    games = Batch(DICE_NIM, 300, 2, seed=0, explicit_chance=True)
    seen = set()
    for _ in range(2):
        outcomes = choose_actions(games, [Always(0), Always(0)], np.arange(300))
        seen |= set(outcomes.tolist())
        games.step(outcomes)
    assert seen == set(range(6))
    assert (choose_actions(games, [Always(2), Always(1)], np.arange(300)) == 2).all()


def test_a_function_sees_observations_and_masks_of_the_seats_to_act_alone():
    games = shikoku_v0.batch(6, 4, seed=0, observation="padded")
    recorder = Recorder()
    rows = np.array([4, 1, 2])
    before = games.state.copy()
    actions = find_policy(SHIKOKU, recorder).choose(games, rows)
    [(observations, masks)] = recorder.shown
    assert np.array_equal(observations, games.observe()[rows])
    assert np.array_equal(masks, games.legal[rows])
    assert (observations.dtype, masks.dtype) == (np.int8, np.bool_)
    assert np.array_equal(actions, games.legal[rows].argmax(axis=1))
    assert np.array_equal(games.state, before)


@kernel
def likes_a_corner(row, seat):
    return 1.0 if row["board"][0] == 1 + seat else 0.0


@kernel
def likes_the_centre(row, seat):
    return 1.0 if row["board"][4] == 1 + seat else 0.0


def test_greedy_policies_of_one_game_keep_their_own_scores():
    """Their loops are made from one function; the cache may not take one for another."""
    games = Batch(TIC_TAC_TOE, 1, 2)
    for score, best in [(likes_a_corner, 0), (likes_the_centre, 4), (likes_a_corner, 0)]:
        assert GreedyPolicy(score).choose(games, np.arange(1)).tolist() == [best]


# -- a user's function behind the doors ----------------------------------------------------------


def test_records_of_a_users_policy():
    recorder = Recorder()
    policies = {"player_1": recorder}
    for record in write_records(SHIKOKU, 3, 3, seed=0, policies=policies, full=True):
        check_record(SHIKOKU, record)
        moves = [move for move in record["moves"] if move[0] != "chance"]
        states = record["states"]
        assert len(moves) == len(states) - 1
        for (agent, move), state in zip(moves, states, strict=False):
            assert state["to_act"] == agent
            if agent == "player_1":
                assert move == min(state["legal"], key=lambda text: int(text.split()[1]))
    assert all(masks.any(axis=1).all() for _, masks in recorder.shown)
    assert recorder.shown[0][0].shape[1] == 71 + 104 * 3


def test_a_game_of_two_users_policies_goes_move_for_move():
    def diagonal(observations: np.ndarray, masks: np.ndarray) -> np.ndarray:
        wanted = np.array([4, 2, 6])
        return wanted[masks[:, wanted].argmax(axis=1)]

    for record in write_records(TIC_TAC_TOE, 2, 2, policies=[diagonal, lowest]):
        assert [move for _, move in record["moves"]] == ["b2", "a1", "c1", "b1", "a3"]
        assert record["rewards"] == {"x_0": 1, "o_0": -1}


def answer(value: Any) -> Any:
    """A user's policy with the same answer always."""
    return lambda observations, masks: value(masks) if callable(value) else value


WRONG = [
    (lambda masks: masks.argmin(axis=1), r"game \d: action \d \(\w+\) of {agent} is not legal in"),
    (lambda masks: np.full(len(masks), 99), r"game \d: action 99 of {agent} is out of range"),
    (lambda masks: np.full(len(masks), -1), r"game \d: action -1 of {agent} is out of range"),
    (lambda masks: masks * 1.0, r"a policy's answer is a \(\d, 9\) array of float64, expected"),
    (lambda masks: masks.argmax(axis=1) * 1.0, r"a policy's answer is a \(\d,\) array of float64"),
    (lambda masks: masks.any(axis=1), r"a policy's answer is a \(\d,\) array of bool, expected"),
    (lambda masks: [0] * 9, r"a policy's answer is a \(9,\) array of int64, expected a \(\d,\)"),
    (0, r"a policy's answer is a \(\) array of int64, expected a \(\d,\) array of integers"),
    (None, r"a policy's answer is a \(\) array of object, expected a \(\d,\) array of integers"),
]


@pytest.mark.parametrize(("value", "message"), WRONG)
def test_a_wrong_answer_is_reported_clearly_while_records_are_written(value: Any, message: str):
    def policy(observations: np.ndarray, masks: np.ndarray) -> Any:
        if observations.any():  # a first move everywhere, then the wrong one
            return answer(value)(observations, masks)
        return masks.argmax(axis=1)

    with pytest.raises(ValueError, match=message.format(agent="o_0")):
        list(write_records(TIC_TAC_TOE, 2, 3, policies=policy))


@pytest.mark.parametrize(("value", "message"), WRONG)
def test_a_wrong_answer_is_reported_clearly_by_the_vector_environment(value: Any, message: str):
    envs = GameVectorEnv(TIC_TAC_TOE, 3, 2, seat="x_0", opponents=answer(value))
    envs.reset(seed=0)
    with pytest.raises(ValueError, match=message.format(agent="o_0")):
        envs.step(np.zeros(3, int))


def test_bad_arguments_of_records_show_before_the_first_record():
    for wrong in ({"seed": -1}, {"policies": "clever"}, {"num_threads": 2}, {"stones": 3}):
        with pytest.raises((ValueError, TypeError)):
            write_records(TIC_TAC_TOE, 2, 1, **wrong)
