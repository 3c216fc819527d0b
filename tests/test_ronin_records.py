"""Golden records of Ronin, one a player count; the clock, which is no part of a record (R12); greedy."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from paiko_env import ronin_v0
from paiko_env.ronin_game import RONIN
from tabletop_env.policies import choose_actions, seat_policies
from tabletop_env.record import check_record, write_records

GOLDEN = Path(__file__).parent / "data" / "ronin_golden.jsonl"


def records():
    for players in RONIN.players:
        yield from write_records(RONIN, players, 1, seed=players, max_rounds=8)


def test_golden_records_are_written_as_ever_and_hold():
    golden = [json.loads(line) for line in GOLDEN.read_text("utf-8").splitlines()]
    assert list(records()) == golden
    for record in golden:
        check_record(RONIN, record)


def test_greedy_beats_random_from_either_side():
    for white, black, better in (("greedy", "random", 0), ("random", "greedy", 1)):
        games = ronin_v0.batch(12, 5, seed=7)
        policies = seat_policies(RONIN, 5, [white, *[black] * 4])
        while len(rows := np.flatnonzero(~games.done)):
            games.step(choose_actions(games, policies, rows), rows)
        assert games.rewards[:, better].mean() > 0.6


@pytest.mark.parametrize(("late", "left"), [(90.5, 0), (89.5, 2)])
def test_a_side_loses_its_actions_when_its_time_is_up(late, left):
    clock = [0.0]
    env = ronin_v0.env(4, clock=True, now=lambda: clock[0])
    env.reset(seed=1)
    while env.state_dict()["phase"] == "hero":
        env.step(int(np.flatnonzero(env.infos[env.agent_selection]["action_mask"])[0]))
    assert env.seconds_left == 90
    clock[0] = late
    env.step(RONIN.read_action(env.games.state[0], "."))
    state = env.state_dict()
    assert (state["to_act"] == "white_0") == (left > 0)
    assert env.lost == (0 if left else 3)
    if left:
        assert state["actions_left"] == left
    else:
        assert env.seconds_left == 120
