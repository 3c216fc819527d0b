"""Any game through every door: two toys that say no more than their rules, and Shikoku."""

from __future__ import annotations

import copy
import io
import json
import pickle
import re
import sys
from collections import Counter
from typing import Any

import dice_nim
import numpy as np
import pytest
from dice_nim import DICE_NIM
from helpers import assert_uniform
from pettingzoo.test import api_test, seed_test
from tic_tac_toe import TIC_TAC_TOE

from shikoku_env.game import SHIKOKU
from tabletop_env.aec import GameEnv
from tabletop_env.batch import Batch
from tabletop_env.cli import main
from tabletop_env.game import CHANCE, NOBODY, Game
from tabletop_env.record import RecordError, check_record, write_records
from tabletop_env.vector import GameSeatEnv, GameVectorEnv

TABLES = [
    pytest.param(game, players, id=f"{game.name}-{players}")
    for game in (TIC_TAC_TOE, DICE_NIM, SHIKOKU)
    for players in game.players
]
every_table = pytest.mark.parametrize(("game", "players"), TABLES)


# -- the toys keep their own rules ---------------------------------------------------------------


def test_tic_tac_toe_has_255168_games():
    """Positions level by level, each with the number of ways to it: the known counts of endings."""
    level = {bytes(9): 1}
    games = Batch(TIC_TAC_TOE, 1, 2)
    endings: Counter[float] = Counter()
    for _ in range(9):
        nodes = list(level.items())
        ways = np.array([count for _, count in nodes])
        rows, actions = np.nonzero(games.legal)
        games = games.take(rows)
        games.step(actions)
        for reward in (1, 0, -1):
            endings[reward] += int(ways[rows][games.done & (games.rewards[:, 0] == reward)].sum())
        level, first = {}, {}
        for index in np.flatnonzero(~games.done):
            board = games.state[index]["board"].tobytes()
            level[board] = level.get(board, 0) + int(ways[rows[index]])
            first.setdefault(board, index)
        if first:
            games = games.take(list(first.values()))
    assert endings == {1: 131184, 0: 46080, -1: 77904}


def test_dice_nim_hides_the_dice_and_scores_by_their_sum():
    games = Batch(DICE_NIM, 1, 2, stones=3, explicit_chance=True)
    games.step([5])
    games.step([0])  # dice 6 and 1: odd, so who takes the last stone loses
    assert games.observe(0)[0].tolist() == [3, 6, 1]
    assert games.observe(1)[0].tolist() == [3, 1, 0]
    games.step([1])
    assert games.seat[0] == CHANCE
    assert games.chance[0].tolist() == [0.75, 0.25, 0, 0, 0, 0]
    games.step([0])
    assert games.agent(0) == "taker_1"
    games.step([0])
    assert games.rewards[0].tolist() == [1, -1]


def test_who_leaves_three_in_dice_nim_moves_again():
    games = Batch(DICE_NIM, 1, 3, stones=5, explicit_chance=True)
    for outcome in (0, 0, 0):
        games.step([outcome])
    games.step([1])
    games.step([1])  # rain: four stones now, but three were left
    assert games.state["heap"][0] == 4
    assert games.agent(0) == "taker_0"


# -- batch ---------------------------------------------------------------------------------------


@every_table
def test_random_games_end_and_their_outputs_agree(game: Game, players: int):
    games = Batch(game, 50, players, seed=3)
    for _ in range(2000):
        if games.done.all():
            break
        acting = games.seat >= 0
        assert games.legal[acting].any(axis=1).all()
        assert not games.rewards[acting].any()
        games.step(games.sample_legal())
    assert games.done.all()
    assert (games.seat == NOBODY).all()
    assert not games.legal.any()
    assert games.terminated.all()
    assert not games.truncated.any()
    assert len(np.unique(games.rewards, axis=0)) > 1


@every_table
def test_observations_stay_in_their_space_and_fill_it_as_the_layout_says(game: Game, players: int):
    for view in game.views:
        env = GameEnv(game, players, observation=view)
        box = env.observation_space(env.possible_agents[0])["observation"]
        assert game.observation_layout(view, players).size == np.prod(box.shape)
        games = Batch(game, 20, players, seed=1, observation=view)
        while not games.done.all():
            for seat in range(players):
                for row in games.observe(seat):
                    assert box.contains(row)
            games.step(games.sample_legal())
    assert game.action_layout().size == game.num_actions


@every_table
def test_explicit_chance_is_the_same_game(game: Game, players: int):
    implicit = Batch(game, 20, players, seed=9)
    explicit = Batch(game, 20, players, seed=9, explicit_chance=True)
    events = 0
    while not explicit.done.all():
        events += int((explicit.seat == CHANCE).sum())
        explicit.step(explicit.sample_legal())
    while not implicit.done.all():
        implicit.step(implicit.sample_legal())
    assert (events > 0) == (game is not TIC_TAC_TOE)
    assert np.array_equal(implicit.state, explicit.state)


@every_table
def test_copies_of_any_kind_go_on_alike(game: Game, players: int):
    games = Batch(game, 10, players, seed=5)
    games.step(games.sample_legal())
    copies = [copy.copy(games), copy.deepcopy(games), pickle.loads(pickle.dumps(games))]
    games.playout()
    for other in copies:
        assert other.game is game
        assert not np.array_equal(other.state, games.state)
        other.playout()
        assert np.array_equal(other.state, games.state)


def test_hidden_things_are_redrawn_and_the_own_ones_kept():
    games = Batch(DICE_NIM, 3000, 3, seed=0)
    before = games.state.copy()
    games.resample_hidden(seat=1, seed=100)
    dice = games.state["dice"]
    assert (dice[:, 1] == before["dice"][:, 1]).all()
    for seat in (0, 2):
        assert_uniform(Counter(dice[:, seat].tolist()).values(), dice_nim.SIDES)
        assert 0.1 < (dice[:, seat] == before["dice"][:, seat]).mean() < 0.24
    assert (games.state["heap"] == before["heap"]).all()


def test_a_limit_of_length_truncates_with_zero_rewards():
    games = Batch(DICE_NIM, 200, 2, seed=0, stones=20, max_turns=5)
    games.playout()
    assert games.truncated.any()
    assert (games.plies[games.truncated] == 5).all()
    assert not (games.truncated & games.terminated).any()
    assert not games.rewards[games.truncated].any()
    assert (np.abs(games.rewards[games.terminated]) == 1).all()
    unlimited = Batch(DICE_NIM, 200, 2, seed=0, stones=20)
    unlimited.playout()
    assert not unlimited.truncated.any()


def test_options_are_checked_and_told_apart_from_defaults():
    with pytest.raises(
        TypeError, match=r"unknown option 'heaps' of Dice Nim \(options: stones, ma"
    ):
        Batch(DICE_NIM, 1, 2, heaps=3)
    with pytest.raises(
        TypeError, match=r"unknown option 'stones' of Tic-tac-toe \(options: none\)"
    ):
        Batch(TIC_TAC_TOE, 1, 2, stones=3)
    with pytest.raises(ValueError, match=r"21 is no integer in 1\.\.20"):
        Batch(DICE_NIM, 1, 2, stones=21)
    games = Batch(DICE_NIM, 1, 2, stones=5)
    assert games.options == {"stones": 5, "max_turns": None}
    assert DICE_NIM.changed_options(games.options) == {"stones": 5}


def test_options_without_a_place_in_the_row_are_a_mistake_of_the_game():
    class Forgetful(dice_nim.DiceNim):
        write_options = Game.write_options

    with pytest.raises(NotImplementedError, match="Dice Nim has options, but does not store them"):
        Batch(Forgetful(), 1, 2)


# -- PettingZoo ----------------------------------------------------------------------------------


@every_table
@pytest.mark.filterwarnings("ignore::UserWarning")
def test_pettingzoo_conformance(game: Game, players: int):
    api_test(GameEnv(game, players), num_cycles=40)
    seed_test(lambda: GameEnv(game, players), num_cycles=40)


def test_a_seat_that_moves_twice_is_selected_twice_and_one_may_never_move():
    env = GameEnv(DICE_NIM, 3, stones=5)
    env.reset(seed=0)
    env.step(1)
    assert env.agent_selection == "taker_0"
    env.step(env.infos["taker_0"]["action_mask"].nonzero()[0].max())
    while not any(env.terminations.values()):
        env.step(0)
    told = {}
    for agent in env.agent_iter():
        _, reward, terminated, truncated, _ = env.last()
        assert (terminated, truncated) == (True, False)
        told[agent] = reward
        env.step(None)
    assert sorted(told) == env.possible_agents
    assert sorted(told.values()) in ([-1, -1, 1], [-1, 1, 1])


def test_truncation_reaches_all_agents():
    env = GameEnv(DICE_NIM, 2, stones=20, max_turns=2)
    env.reset(seed=0)
    env.step(0)
    env.step(0)
    assert env.truncations == {"taker_0": True, "taker_1": True}
    assert env.terminations == {"taker_0": False, "taker_1": False}
    assert env.rewards == {"taker_0": 0, "taker_1": 0}


# -- Gymnasium -----------------------------------------------------------------------------------


@every_table
@pytest.mark.parametrize("seat", ["last", "random"])
def test_a_learner_meets_all_of_its_moves(game: Game, players: int, seat: str):
    envs = GameVectorEnv(game, 30, players, seat=players - 1 if seat == "last" else "random")
    _, infos = envs.reset(seed=2)
    ended = 0
    rng = np.random.default_rng(0)
    for _ in range(60):
        masks = infos["action_mask"]
        assert masks.any(axis=1).all()
        actions = [int(rng.choice(mask.nonzero()[0])) for mask in masks]
        _, rewards, terminated, truncated, infos = envs.step(np.array(actions))
        assert not rewards[~terminated].any()
        assert not truncated.any()
        ended += int(terminated.sum())
    assert ended > 30


def test_a_game_that_ends_before_the_learner_moves_is_passed_over():
    """With three stones, the third seat of Dice Nim seldom gets to move."""
    options: dict[str, Any] = {"stones": 3, "seat": 2}
    games = Batch(DICE_NIM, 40, 3, stones=3, seed=0)
    games.playout(until=2)
    assert games.done.any()
    envs = GameVectorEnv(DICE_NIM, 40, 3, **options)
    _, infos = envs.reset(seed=0)
    for _ in range(10):
        assert infos["action_mask"].any(axis=1).all()
        _, _, _, _, infos = envs.step(infos["action_mask"].argmax(axis=1))
    env = GameSeatEnv(DICE_NIM, 3, **options)
    for seed in range(20):
        _, info = env.reset(seed=seed)
        assert info["action_mask"].any()


# -- records and the command line ----------------------------------------------------------------


@every_table
def test_records_are_written_checked_and_read_as_json(game: Game, players: int):
    for record in write_records(game, players, 5, seed=4, full=True):
        assert json.loads(json.dumps(record)) == record
        check_record(game, record)
        assert ("chance" in {agent for agent, _ in record["moves"]}) == (game is not TIC_TAC_TOE)


@every_table
def test_every_state_is_read_back_to_the_same_row(game: Game, players: int):
    games = Batch(game, 1, players, seed=8)
    other = Batch(game, 1, players, seed=77)
    while True:
        other.load_state_dict(0, games.state_dict(0))
        assert other.state_dict(0) == games.state_dict(0)
        assert (other.observe(0) == games.observe(0)).all()
        if games.done[0]:
            break
        games.step(games.sample_legal())


def test_a_truncated_record_says_so_and_keeps_the_options():
    [record] = write_records(DICE_NIM, 2, 1, stones=20, max_turns=3)
    assert record["truncated"] is True
    assert record["options"] == {"stones": 20, "max_turns": 3}
    assert record["rewards"] == {"taker_0": 0, "taker_1": 0}
    check_record(DICE_NIM, record)
    with pytest.raises(RecordError, match="truncated is False, expected True"):
        check_record(DICE_NIM, record | {"truncated": False})


def test_an_argument_of_the_batch_is_no_rule_option_of_a_record():
    [record] = write_records(DICE_NIM, 2, 1)
    for option in ("num_threads", "observation", "seed", "explicit_chance"):
        with pytest.raises(RecordError, match=f"unknown option '{option}' of Dice Nim"):
            check_record(DICE_NIM, record | {"options": {option: 1}})


def test_the_command_line_serves_several_games(tmp_path, monkeypatch, capsys):
    games = [TIC_TAC_TOE, DICE_NIM]
    file = tmp_path / "games.jsonl"
    arguments = ["record", "--game", "tic_tac_toe", "--players", "2", "--games", "3"]
    assert main(games, "toys", [*arguments, "-o", str(file)]) == 0
    arguments = ["record", "--game", "dice_nim", "--players", "3", "--options", '{"stones": 4}']
    assert main(games, "toys", arguments) == 0
    file.write_text(file.read_text() + capsys.readouterr().out)
    assert main(games, "toys", ["check", str(file)]) == 0
    assert capsys.readouterr().out == "4 records agree with the rules\n"
    assert main([TIC_TAC_TOE], "toys", ["check", str(file)]) == 1
    assert capsys.readouterr().out == "line 4: game is 'dice_nim', expected one of tic_tac_toe\n"
    state = {"game": "tic_tac_toe", "board": ["xx.", "oo.", "..."], "play": [["x_0", "c1"]]}
    monkeypatch.setattr(sys, "stdin", io.StringIO(json.dumps(state) + "\n[]\n"))
    assert main(games, "toys", ["state"]) == 0
    first, second = map(json.loads, capsys.readouterr().out.splitlines())
    assert first["board"] == ["xxx", "oo.", "..."]
    assert first["rewards"] == {"x_0": 1, "o_0": -1}
    assert second == {"error": "a state is a JSON object, not []"}


def test_the_command_line_refuses_a_wrong_number_of_players(capsys):
    assert main([TIC_TAC_TOE], "toys", ["record", "--players", "3"]) == 2
    assert "num_players is 3, but Tic-tac-toe takes 2" in capsys.readouterr().err


def test_a_person_may_play_in_the_terminal(monkeypatch, capsys):
    monkeypatch.setattr("sys.stdin", io.StringIO("help\nlegal\nz9\nb2\nquit\n"))
    assert main([TIC_TAC_TOE], "toys", ["play", "--players", "2", "--seed", "1"]) == 0
    told = capsys.readouterr().out
    assert "You are x_0" in told
    assert "z9" in told
    assert "no square, expected a1..c3" in told
    assert re.search(r"^[.o]x[.o]$", told, re.MULTILINE)
    assert re.search(r"o_0: [abc][123]$", told, re.MULTILINE)


def test_bench_prints_a_figure_for_every_door(capsys):
    arguments = ["bench", "--players", "2", "--games", "8", "--seconds", "0.01"]
    assert main([TIC_TAC_TOE], "toys", arguments) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("Tic-tac-toe, 2 players, 8 games a batch")
    assert len(lines) == 6
    assert all(float(line.split()[-1].replace(",", "")) > 0 for line in lines[1:])


@pytest.mark.parametrize("seconds", ["0", "-1", "nan"])
def test_bench_refuses_a_time_that_is_none(seconds, capsys):
    arguments = ["bench", "--players", "2", "--games", "8", "--seconds", seconds]
    assert main([TIC_TAC_TOE], "toys", arguments) == 2
    assert "expected a number above 0" in capsys.readouterr().err
