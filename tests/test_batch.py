"""``Batch``: many games side by side, each the game that it would be alone."""

from __future__ import annotations

import copy
import os
import pickle
import signal
import time
import tracemalloc
from typing import Any

import numba
import numpy as np
import pytest
from dice_nim import DICE_NIM
from tic_tac_toe import SQUARES, TIC_TAC_TOE

from shikoku_env import shikoku_v0
from shikoku_env.game import SHIKOKU
from shikoku_env.state import PLAY
from tabletop_env.batch import Batch
from tabletop_env.game import CHANCE, NOBODY
from tabletop_env.loops import SKIP
from tabletop_env.perft import divide, perft


def outputs(games: Batch) -> list[np.ndarray]:
    return [games.seat, games.legal, games.rewards, games.terminated, games.truncated]


def assert_same_games(one: Batch, other: Batch, *, observe: bool = True) -> None:
    """Rows, outputs and observations are equal."""
    assert np.array_equal(one.state, other.state)
    for mine, theirs in zip(outputs(one), outputs(other), strict=True):
        assert np.array_equal(mine, theirs)
    if observe:
        assert np.array_equal(one.observe(), other.observe())


def advance(games: Batch, steps: int) -> Batch:
    for _ in range(steps):
        games.step(games.sample_legal())
    return games


# -- what a batch shows --------------------------------------------------------------------------


@pytest.mark.parametrize("explicit", [False, True])
@pytest.mark.parametrize("players", [3, 8])
def test_shapes_and_dtypes(players: int, explicit: bool):
    games = shikoku_v0.batch(7, players, explicit_chance=explicit)
    described = {
        name: (getattr(games, name).shape, getattr(games, name).dtype)
        for name in (
            "seat",
            "legal",
            "chance",
            "rewards",
            "terminated",
            "truncated",
            "done",
            "plies",
        )
    }
    assert described == {
        "seat": ((7,), np.int8),
        "legal": ((7, 33), np.bool_),
        "chance": ((7 if explicit else 0, 33), np.float64),
        "rewards": ((7, players), np.float32),
        "terminated": ((7,), np.bool_),
        "truncated": ((7,), np.bool_),
        "done": ((7,), np.bool_),
        "plies": ((7,), np.int32),
    }
    assert games.state.shape == (7,)
    assert games.state.dtype == SHIKOKU.row
    assert (games.num_games, games.num_players, games.num_actions) == (7, players, 33)
    assert games.agents == [f"player_{seat}" for seat in range(players)]
    observed = games.observe()
    assert observed.shape == (7, *games.observation_shape) == (7, 71 + 104 * players)
    assert observed.dtype == np.int8
    actions = games.sample_legal()
    assert (actions.shape, actions.dtype) == ((7,), np.int64)
    assert (games.seat == CHANCE).all() == explicit


def test_outputs_are_read_only_views_that_are_kept_up_to_date():
    games = shikoku_v0.batch(4, 3)
    kept = (*outputs(games), games.chance)
    for output in kept:
        with pytest.raises(ValueError, match="read-only"):
            output[...] = 0
    games.playout()
    assert all(now is before for now, before in zip(outputs(games), kept, strict=False))
    assert (kept[0] == NOBODY).all()
    assert kept[3].all()


def test_rows_may_be_overwritten_and_refreshed():
    games = advance(shikoku_v0.batch(3, 4, seed=1), 5)
    games.state[2] = games.state[0]
    games.refresh()
    assert_same_games(games.take([2]), games.take([0]))


def test_plies_count_decisions_and_not_chance():
    games = Batch(DICE_NIM, 1, 2, explicit_chance=True)
    seen = []
    while not games.done[0]:
        seen.append((int(games.plies[0]), games.seat[0] == CHANCE))
        games.step(games.sample_legal())
    decisions = [plies for plies, chance in seen if not chance]
    assert decisions == list(range(len(decisions)))
    assert games.plies[0] == len(decisions)


def test_repr_and_texts():
    games = shikoku_v0.batch(2, 5, seed=0)
    assert repr(games) == "<Batch of 2 games of Shikoku for 5, 0 over>"
    action = int(games.sample_legal()[1])
    assert games.action_text(1, action) == f"play {action + 1}"
    assert games.read_action(1, f"play {action + 1}") == action
    assert games.agent(1) == f"player_{games.seat[1]}"
    games.playout()
    assert games.agent(1) is None


# -- one game, whoever is beside it --------------------------------------------------------------


@pytest.mark.parametrize("players", range(3, 9))
def test_game_i_is_the_game_of_an_environment_with_seed_plus_i(players: int):
    games = shikoku_v0.batch(3, players, seed=1000)
    envs = [shikoku_v0.env(players) for _ in range(3)]
    for i, env in enumerate(envs):
        env.reset(seed=1000 + i)
    rng = np.random.default_rng(players)
    while not games.done.all():
        rows = np.flatnonzero(~games.done)
        observations = games.observe()
        actions = []
        for row in rows:
            observation, _, terminated, truncated, _ = envs[row].last()
            assert envs[row].agent_selection == games.agent(row)
            assert not terminated
            assert not truncated
            assert np.array_equal(observation["observation"], observations[row])
            assert np.array_equal(observation["action_mask"], games.legal[row])
            actions.append(int(rng.choice(np.flatnonzero(games.legal[row]))))
            envs[row].step(actions[-1])
        games.step(actions, rows)
    for row, env in enumerate(envs):
        assert list(env.rewards.values()) == games.rewards[row].tolist()
        assert all(env.terminations.values())


@pytest.mark.parametrize("threads", [2, 3, 50])
def test_threads_change_nothing(threads: int):
    one, many = (shikoku_v0.batch(37, 5, seed=6, num_threads=t) for t in (1, threads))
    for _ in range(12):
        assert np.array_equal(one.sample_legal(), many.sample_legal())
        for games in (one, many):
            games.step(games.sample_legal())
        assert_same_games(one, many)
    for games in (one, many):
        games.reset(rows=[3, 30], seeds=4)
        games.resample_hidden(seat=2, seed=99)
        games.reseed(seed=5)
        games.playout(until=4)
    assert_same_games(one, many)
    assert np.array_equal(one.playout(), many.playout())
    assert_same_games(one, many)


def test_the_size_of_the_batch_changes_nothing():
    large, small = shikoku_v0.batch(37, 4, seed=0), shikoku_v0.batch(5, 4, seed=0)
    while not large.done.all():
        large.step(large.sample_legal())
    while not small.done.all():
        small.step(small.sample_legal())
    assert_same_games(large.take(np.arange(5)), small)


def test_taken_games_go_on_as_the_originals_would():
    games = advance(shikoku_v0.batch(9, 6, seed=3), 7)
    for rows in ([5, 2, 5], np.arange(9) % 2 == 0):
        taken = games.take(rows)
        assert np.array_equal(taken.state, games.state[rows])
        assert_same_games(advance(taken, 5), advance(games.copy(), 5).take(rows))


@pytest.mark.parametrize(
    "clone", [Batch.copy, copy.copy, copy.deepcopy, lambda games: pickle.loads(pickle.dumps(games))]
)
@pytest.mark.parametrize("explicit", [False, True])
def test_copies_are_independent_and_continue_alike(clone: Any, explicit: bool):
    games = shikoku_v0.batch(6, 5, seed=2, num_threads=2, explicit_chance=explicit)
    other = clone(advance(games, 3))
    before = games.state.copy()
    assert_same_games(other, games)
    assert np.array_equal(other.chance, games.chance)
    advance(other, 10)
    assert np.array_equal(games.state, before)
    assert_same_games(advance(games, 10), other)
    assert not np.array_equal(games.state, before)
    assert other.agents == games.agents
    assert other.options == games.options


# -- step, reset ---------------------------------------------------------------------------------


def test_step_of_some_rows_leaves_the_others_alone():
    games, whole = (shikoku_v0.batch(6, 3, seed=4) for _ in range(2))
    actions = games.sample_legal()
    assert np.array_equal(whole.sample_legal(), actions)
    before = games.copy()
    games.step(actions[[4, 1]], rows=[4, 1])
    whole.step(actions)
    rest = [0, 2, 3, 5]
    assert_same_games(games.take(rest), before.take(rest))
    assert_same_games(games.take([4, 1]), whole.take([4, 1]))
    games.step(actions[rest], rows=np.isin(np.arange(6), rest))
    assert_same_games(games, whole)
    games.step(np.empty(0, int), rows=[])
    assert_same_games(games, whole)


def test_sample_legal_of_some_rows_moves_only_their_streams():
    games, whole = (shikoku_v0.batch(5, 3, seed=4) for _ in range(2))
    before = games.state.copy()
    assert np.array_equal(games.sample_legal([3, 0]), whole.sample_legal()[[3, 0]])
    assert np.array_equal(games.state[[1, 2, 4]], before[[1, 2, 4]])
    assert (games.state["choice"][[3, 0]] != before["choice"][[3, 0]]).all()


@pytest.mark.skipif(bool(numba.config.DISABLE_JIT), reason="nothing is compiled")
def test_arrays_of_any_layout_do_as_well_and_compile_nothing():
    games, other = (shikoku_v0.batch(6, 3, seed=4) for _ in range(2))
    loops = SHIKOKU.loops
    for batch in (games, other):
        batch.step(batch.sample_legal())
        batch.reset(np.ones(6, np.bool_))
    counts = {name: len(getattr(loops, name).signatures) for name in ("step", "reset", "sample")}
    wide = np.zeros((6, 3), np.int64)
    wide[:, 1] = games.sample_legal()
    locked = other.sample_legal().astype(np.int32)
    locked.flags.writeable = False
    games.step(wide[:, 1])
    other.step(locked)
    games.reset(games.seat == 0)
    other.reset(np.repeat(other.seat == 0, 2)[::2])
    games.reset(games.terminated)
    assert_same_games(games, other)
    for name, count in counts.items():
        assert len(getattr(loops, name).signatures) == count, name


def test_games_that_are_over_take_skip_and_nothing_else():
    games = shikoku_v0.batch(3, 3, seed=0)
    games.reset(rows=[1], seeds=50)
    finished = games.take([1])
    finished.playout()
    games.state[1] = finished.state[0]
    games.refresh()
    before = games.state[1].copy()
    actions = games.sample_legal()
    assert actions[1] == SKIP
    games.step(actions)
    assert games.state[1] == before
    assert games.plies.tolist() == [1, int(before["plies"]), 1]
    with pytest.raises(ValueError, match=r"game 0: action -1 of player_. is out of range"):
        games.step([SKIP, SKIP, SKIP])
    with pytest.raises(ValueError, match="game 1: action 0, but the game is over; expected -1"):
        games.step([0], rows=[1])


def test_forms_of_reset():
    games = advance(shikoku_v0.batch(5, 4, seed=0), 3)
    rows = [3, 1]
    rest = [0, 2, 4]
    before = games.copy()
    games.reset(rows, seeds=20)
    fresh = shikoku_v0.batch(5, 4, seed=20)
    assert_same_games(games.take(rows), fresh.take(rows))
    assert_same_games(games.take(rest), before.take(rest))
    games.reset(rows, seeds=[7, 2**63 + 5])
    assert_same_games(games.take([3]), shikoku_v0.batch(1, 4, seed=7))
    assert_same_games(games.take([1]), shikoku_v0.batch(1, 4, seed=2**63 + 5))
    games.reset(np.isin(np.arange(5), rows), seeds=np.array([8, 9]))  # a mask: in row order
    assert_same_games(games.take([1, 3]), shikoku_v0.batch(2, 4, seed=8))
    assert_same_games(games.take(rest), before.take(rest))
    games.reset(seeds=2**64 - 5)
    assert_same_games(games.take([4]), shikoku_v0.batch(1, 4, seed=2**64 - 1))


def test_reset_without_seeds_begins_the_next_games_of_the_streams():
    games, again = (shikoku_v0.batch(20, 3, seed=0) for _ in range(2))
    deals = set()
    for _ in range(5):
        deals |= {row["hands"].tobytes() for row in games.state}
        games.reset()
        again.reset()
        assert_same_games(games, again)
        assert not games.plies.any()
    assert len(deals) == 100


def test_options_stay_in_the_rows_through_resets():
    table = [2] * 33
    games = shikoku_v0.batch(3, 3, step_table=np.array(table))
    games.reset([1], seeds=3)
    assert games.options == {"step_table": table}
    assert (games.state["step_table"] == 2).all()


# -- playouts and observations -------------------------------------------------------------------


@pytest.mark.parametrize("players", [3, 5, 8])
def test_a_playout_is_the_game_that_sampling_and_stepping_plays(players: int):
    games, stepped = (advance(shikoku_v0.batch(20, players, seed=9), 4) for _ in range(2))
    plies = games.playout()
    count = np.zeros(20, int)
    while not stepped.done.all():
        count += ~stepped.done
        stepped.step(stepped.sample_legal())
    assert_same_games(games, stepped)
    assert np.array_equal(plies, count)
    assert plies.dtype == np.int32
    assert not games.playout().any()


def test_a_playout_may_stop_where_a_seat_is_to_act():
    games = advance(shikoku_v0.batch(40, 5, seed=1), 6)
    stepped = games.copy()
    until = np.arange(40) % 5
    plies = games.playout(until=until)
    count = np.zeros(40, int)
    while len(rows := np.flatnonzero(~stepped.done & (stepped.seat != until))):
        stepped.step(stepped.sample_legal(rows), rows)
        count[rows] += 1
    assert_same_games(games, stepped)
    assert np.array_equal(plies, count)
    assert (games.done | (games.seat == until)).all()
    assert (plies == 0).any()
    assert (plies > 0).any()


def test_a_playout_of_explicit_chance_lets_chance_happen():
    games = shikoku_v0.batch(10, 3, seed=3, explicit_chance=True)
    games.playout(until=1)
    assert (games.seat == 1).all()
    assert (games.state["phase"] == PLAY).all()
    games.playout()
    implicit = shikoku_v0.batch(10, 3, seed=3)
    implicit.playout()
    assert_same_games(games, implicit)


def test_observations_go_where_they_are_wanted():
    games = advance(shikoku_v0.batch(6, 4, seed=0), 3)
    out = np.full((6, *games.observation_shape), 77, np.int8)
    assert games.observe(out=out) is out
    assert np.array_equal(out, games.observe(games.seat))
    assert np.array_equal(games.observe(2), games.observe([2] * 6))
    assert not np.array_equal(games.observe(2), games.observe(1))
    games.playout()
    assert not games.observe(out=out).any()  # nobody is to act
    assert games.observe(0).any(axis=1).all()


def test_4096_games_of_eight_stay_under_16_mib():
    shikoku_v0.batch(2, 8).observe()  # compile
    tracemalloc.start()
    games = shikoku_v0.batch(4096, 8, explicit_chance=True)
    out = games.observe()
    for _ in range(3):
        games.step(games.sample_legal())
        games.observe(out=out)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert games.state.nbytes < peak < 16 * 2**20


def test_a_pickle_is_the_rows():
    games = shikoku_v0.batch(1000, 8)
    assert len(pickle.dumps(games)) < games.state.nbytes + 4096


def test_rows_changed_by_hand_are_refreshed_alone():
    games = advance(shikoku_v0.batch(3, 4, seed=0), 2)
    games.state[0] = games.state[1] = games.state[2]
    before = games.legal[1].copy()
    games.refresh([0])
    assert np.array_equal(games.legal[0], games.legal[2])
    assert np.array_equal(games.legal[1], before)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")
def test_threads_work_in_a_forked_process():
    games = shikoku_v0.batch(8, 4, num_threads=2)
    games.playout()
    child = os.fork()
    if not child:
        games.reset()  # hangs where the parent's threads are waited for
        os._exit(0)
    for _ in range(200):
        done, status = os.waitpid(child, os.WNOHANG)
        if done:
            break
        time.sleep(0.1)
    else:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
    assert (done, status) == (child, 0)


def test_options_of_one_batch_are_not_those_of_the_next():
    table = shikoku_v0.batch(1).options["step_table"]
    table[0] = 9
    assert shikoku_v0.batch(1).options["step_table"][0] == 1


def test_perft_counts_from_a_row_that_exists():
    games = Batch(TIC_TAC_TOE, 2, 2)
    assert perft(games, 3) == 9 * 8 * 7
    assert divide(games, 2, 1) == dict.fromkeys(SQUARES, 8)
    for row in (-1, 2):
        with pytest.raises(IndexError, match=f"row is {row}, expected an integer in 0..1"):
            perft(games, 1, row)
