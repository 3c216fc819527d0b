"""``GameVectorEnv`` and ``GameSeatEnv``: one learner among policies, by Gymnasium's contract."""

from __future__ import annotations

import copy
import pickle
from collections import Counter
from typing import Any

import gymnasium
import numpy as np
import pytest
from dice_nim import DICE_NIM
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import AutoresetMode, SyncVectorEnv
from helpers import Choosy, assert_uniform

from shikoku_env import shikoku_v0
from tabletop_env.vector import GameSeatEnv, GameVectorEnv

IDENTIFIER = "shikoku_env/Shikoku-v0"
every_mode = pytest.mark.parametrize("mode", list(AutoresetMode))


def lowest(observations: np.ndarray, masks: np.ndarray) -> np.ndarray:
    """A user's policy: the lowest card that is legal."""
    return masks.argmax(axis=1)


def choose(rng: np.random.Generator, masks: np.ndarray) -> np.ndarray:
    """A random legal action for each row; 0 where there is none."""
    return np.array([rng.choice(np.flatnonzero(row)) if row.any() else 0 for row in masks])


def assert_same_infos(mine: dict[str, Any], theirs: dict[str, Any]) -> None:
    """Infos as Gymnasium gathers them: equal keys, masks, and values where the mask says so."""
    assert set(mine) == set(theirs)
    for key in (key for key in theirs if not key.startswith("_")):
        assert np.array_equal(mine[f"_{key}"], theirs[f"_{key}"]), key
        if isinstance(theirs[key], dict):
            assert_same_infos(mine[key], theirs[key])
            continue
        for row in np.flatnonzero(theirs[f"_{key}"]):
            assert np.array_equal(mine[key][row], theirs[key][row]), key


# -- Gymnasium's checkers ------------------------------------------------------------------------


@pytest.mark.parametrize("players", range(3, 9))
def test_gymnasium_checks_the_single_environment(players: int):
    env = gymnasium.make(IDENTIFIER, num_players=players, seat="random", render_mode="ansi")
    env = env.unwrapped
    assert isinstance(env, GameSeatEnv)
    env.__class__ = Choosy
    env.spec = None  # the checker would make others, which are not choosy
    with pytest.warns(UserWarning, match="not having a spec"):
        check_env(env)


def test_gymnasium_makes_the_single_environment():
    env = gymnasium.make(IDENTIFIER, num_players=5, seat=2, opponents="random", render_mode="ansi")
    observation, info = env.reset(seed=3)
    assert env.observation_space.contains(observation)
    assert info["seat"] == 2
    assert np.array_equal(info["action_mask"], env.unwrapped.action_masks())
    assert env.unwrapped.action_masks().dtype == np.bool_
    assert "player_2" in env.render()
    terminated = False
    while not terminated:
        observation, reward, terminated, truncated, info = env.step(info["action_mask"].argmax())
        assert env.observation_space.contains(observation)
        assert (type(reward), type(terminated), type(truncated)) == (float, bool, bool)
        assert abs(reward) == terminated
        assert not truncated
    assert not info["action_mask"].any()
    env.close()


@every_mode
@pytest.mark.parametrize("given", [AutoresetMode, str])
def test_gymnasium_makes_the_vector_environment_in_every_mode(mode: AutoresetMode, given: type):
    value = mode if given is AutoresetMode else mode.value
    envs = gymnasium.make_vec(IDENTIFIER, num_envs=3, num_players=4, autoreset_mode=value)
    assert isinstance(envs.unwrapped, GameVectorEnv)
    assert envs.metadata["autoreset_mode"] is mode
    observations, infos = envs.reset(seed=0)
    assert envs.observation_space.contains(observations)
    assert infos["action_mask"].shape == (3, 33)
    step = envs.step(infos["action_mask"].argmax(axis=1))
    assert envs.observation_space.contains(step[0])
    assert [part.dtype for part in step[1:4]] == [np.float64, np.bool_, np.bool_]
    envs.close()


def test_the_default_mode_is_same_step_and_spaces_are_batched():
    envs = shikoku_v0.vector_env(num_envs=6, num_players=7)
    assert envs.metadata["autoreset_mode"] is AutoresetMode.SAME_STEP
    assert envs.metadata["render_modes"] == ["ansi", "rgb_array"]
    assert envs.single_observation_space.shape == (71 + 104 * 7,)
    assert envs.observation_space.shape == (6, 71 + 104 * 7)
    assert envs.single_action_space.n == 33
    assert envs.action_space.shape == (6,)
    assert envs.render() is None


# -- the autoreset modes, against Gymnasium's own ------------------------------------------------


@every_mode
@pytest.mark.parametrize(
    ("seat", "opponents"), [("player_1", "random"), ("random", "random"), ("random", lowest)]
)
def test_it_does_as_gymnasium_does_with_single_environments(
    mode: AutoresetMode, seat: str, opponents: Any
):
    arguments = {"num_players": 3, "seat": seat, "opponents": opponents}
    envs = shikoku_v0.vector_env(4, autoreset_mode=mode, **arguments)
    sync = SyncVectorEnv([lambda: shikoku_v0.seat_env(**arguments)] * 4, autoreset_mode=mode)
    rng = np.random.default_rng(1)
    mine, theirs = envs.reset(seed=11), sync.reset(seed=11)
    ended = 0
    for _ in range(80):
        assert np.array_equal(mine[0], theirs[0])
        assert_same_infos(mine[1], theirs[1])
        actions = choose(rng, mine[1]["action_mask"])
        *mine, my_infos = envs.step(actions)
        *theirs, their_infos = sync.step(actions)
        for one, other in zip(mine, theirs, strict=True):
            assert np.array_equal(one, other)
            assert one.dtype == other.dtype
        assert_same_infos(my_infos, their_infos)
        over = mine[2] | mine[3]
        ended += int(over.sum())
        mine, theirs = (mine[0], my_infos), (theirs[0], their_infos)
        if mode == AutoresetMode.DISABLED and over.any():
            seeds = [None, 5, None, 6]
            mine = envs.reset(seed=seeds, options={"reset_mask": over.copy()})
            theirs = sync.reset(seed=seeds, options={"reset_mask": over.copy()})
            assert np.array_equal(mine[0], theirs[0])
            assert_same_infos(mine[1], theirs[1])
            mine[1]["_action_mask"][:] = theirs[1]["_action_mask"][:] = over
    assert ended >= 8


def test_same_step_hands_out_the_end_and_the_next_beginning():
    envs = shikoku_v0.vector_env(8, 3, seat=1)
    _, infos = envs.reset(seed=0)
    ends = 0
    for _ in range(60):
        observations, rewards, terminated, _, infos = envs.step(infos["action_mask"].argmax(axis=1))
        assert infos["action_mask"].any(axis=1).all()
        assert np.array_equal(rewards != 0, terminated)
        assert ("final_obs" in infos) == ("final_info" in infos) == terminated.any()
        for row in range(8):
            if terminated[row]:
                assert not np.array_equal(infos["final_obs"][row], observations[row])
                assert not infos["final_info"]["action_mask"][row].any()
            elif terminated.any():
                assert infos["final_obs"][row] is None
        ends += int(terminated.sum())
    assert ends > 8


def test_next_step_ignores_the_action_after_the_end():
    envs = shikoku_v0.vector_env(2, 3, autoreset_mode=AutoresetMode.NEXT_STEP)
    _, infos = envs.reset(seed=0)
    over = np.zeros(2, np.bool_)
    while not over.any():
        _, _, over, _, infos = envs.step(infos["action_mask"].argmax(axis=1))
    [row] = np.flatnonzero(over)
    actions = infos["action_mask"].argmax(axis=1)
    actions[row] = -5
    _, rewards, terminated, _, infos = envs.step(actions)
    assert (rewards[row], terminated[row]) == (0, False)
    assert envs.games.plies[row] < envs.games.plies[1 - row]
    assert infos["action_mask"][row].any()


@every_mode
def test_a_reset_in_the_middle_and_after_an_end_begins_all_anew(mode: AutoresetMode):
    envs = shikoku_v0.vector_env(3, 3, autoreset_mode=mode)
    first = envs.reset(seed=5)
    for seed in range(3):  # leave games under way, over, and just begun
        _, infos = envs.reset(seed=seed)
        over = np.zeros(3, np.bool_)
        while not over.any():
            _, _, over, _, infos = envs.step(infos["action_mask"].argmax(axis=1))
        again = envs.reset(seed=5)
        assert np.array_equal(again[0], first[0])
        assert_same_infos(again[1], first[1])
        one = envs.step(again[1]["action_mask"].argmax(axis=1))
        fresh = shikoku_v0.vector_env(3, 3, autoreset_mode=mode)
        fresh.reset(seed=5)
        two = fresh.step(first[1]["action_mask"].argmax(axis=1))
        assert all(np.array_equal(a, b) for a, b in zip(one[:4], two[:4], strict=True))


# -- seeds ---------------------------------------------------------------------------------------


def test_forms_of_seeds():
    def observed(seed: Any) -> np.ndarray:
        return shikoku_v0.vector_env(3, 4).reset(seed=seed)[0]

    assert np.array_equal(observed(4), observed([4, 5, 6]))
    assert np.array_equal(observed(np.int64(4)), observed(np.array([4, 5, 6])))
    assert np.array_equal(observed([9, 4, 2**63])[1], observed(4)[0])
    one, two = observed([1, None, 3]), observed([1, None, 3])
    assert np.array_equal(one[[0, 2]], two[[0, 2]])
    assert not np.array_equal(one[1], two[1])
    assert not np.array_equal(observed(None), observed(None))


def test_resets_without_a_seed_go_on_in_the_streams():
    one, two = (shikoku_v0.vector_env(5, 4) for _ in range(2))
    one.reset(seed=0)
    two.reset(seed=0)
    seen = []
    for _ in range(4):
        seen.append(one.reset()[0])
        assert np.array_equal(seen[-1], two.reset()[0])
    assert len({game.tobytes() for games in seen for game in games}) == 20


def test_a_masked_reset_leaves_the_other_games_alone():
    envs = shikoku_v0.vector_env(4, 3, autoreset_mode=AutoresetMode.DISABLED)
    _, infos = envs.reset(seed=0)
    envs.step(infos["action_mask"].argmax(axis=1))
    before = envs.games.copy()
    mask = np.array([True, False, False, True])
    observations, infos = envs.reset(seed=20, options={"reset_mask": mask})
    assert np.array_equal(infos["_action_mask"], mask)
    fresh = shikoku_v0.vector_env(4, 3).reset(seed=20)[0]
    assert np.array_equal(observations[mask], fresh[mask])
    assert np.array_equal(envs.games.state[~mask], before.state[~mask])


# -- seats and opponents -------------------------------------------------------------------------


@pytest.mark.parametrize("seat", [2, np.int64(2), "player_2"])
def test_the_learner_sits_where_it_is_told(seat: Any):
    envs = shikoku_v0.vector_env(3, 5, seat=seat, render_mode="ansi")
    observations, infos = envs.reset(seed=0)
    assert infos["seat"].tolist() == [2, 2, 2]
    assert (envs.games.seat == 2).all()
    assert np.array_equal(observations, envs.games.observe(2))
    assert np.array_equal(infos["action_mask"], envs.games.legal)
    assert np.array_equal(envs.action_masks(), envs.games.legal)
    envs.action_masks()[:] = False  # a copy
    assert envs.games.legal.any()
    assert all("> player_2" in text and "??" in text for text in envs.render())


@pytest.mark.parametrize("opponents", ["random", lowest])
def test_a_random_seat_is_drawn_for_every_game(opponents: Any):
    envs = shikoku_v0.vector_env(900, 3, seat="random", opponents=opponents)
    _, infos = envs.reset(seed=0)
    assert np.array_equal(infos["seat"], envs.games.seat)
    alone = shikoku_v0.vector_env(1, 3, seat="random").reset(seed=17)[1]["seat"]
    assert alone[0] == infos["seat"][17]
    later = envs.reset()[1]
    pairs = Counter(zip(infos["seat"].tolist(), later["seat"].tolist(), strict=True))
    assert_uniform(pairs.values(), 9)  # independent of the seat before


@pytest.mark.parametrize(
    "opponents",
    [
        {"player_1": lowest, "player_2": "random"},
        {"player_1": lowest},
        [lowest, lowest, "random"],
    ],
)
def test_every_seat_may_have_its_own_policy(opponents: Any):
    """The others' moves can be read off the row of a first round that the learner closes."""
    envs = shikoku_v0.vector_env(200, 3, seat=0, opponents=opponents)
    envs.reset(seed=0)
    games = shikoku_v0.batch(200, 3, seed=0)
    acted, low = Counter(), Counter()
    while len(rows := np.flatnonzero(games.seat != 0)):
        card = games.legal.argmax(axis=1)
        for row in rows:
            seat = int(games.seat[row])
            owner, played = envs.games.state["owner"][row], int(envs.games.state["row"][row])
            card_played = next(c for c in range(33) if played >> c & 1 and owner[c] == seat)
            acted[seat] += 1
            low[seat] += card_played == card[row]
            card[row] = card_played
        games.step(card[rows], rows)
    assert low[1] == acted[1] > 50
    assert 0.2 * acted[2] < low[2] < 0.5 * acted[2]
    assert np.array_equal(games.legal, envs.games.legal)


def test_threads_and_options_reach_the_games():
    one = shikoku_v0.vector_env(9, 4, seat="random", step_table=[3] * 33)
    two = shikoku_v0.vector_env(9, 4, seat="random", step_table=[3] * 33, num_threads=2)
    mine, theirs = one.reset(seed=1), two.reset(seed=1)
    for _ in range(30):
        assert np.array_equal(mine[0], theirs[0])
        mine, theirs = (
            (step[0], step[-1])
            for step in (
                one.step(mine[1]["action_mask"].argmax(axis=1)),
                two.step(mine[1]["action_mask"].argmax(axis=1)),
            )
        )
    assert (one.games.state["step_table"] == 3).all()
    wide = shikoku_v0.vector_env(2, 3, observation="padded")
    assert wide.reset(seed=0)[0].shape == (2, 71 + 104 * 8)


@pytest.mark.parametrize("clone", [copy.deepcopy, lambda envs: pickle.loads(pickle.dumps(envs))])
def test_copies_go_on_alike(clone: Any):
    envs = shikoku_v0.vector_env(4, 3, seat="random")
    _, infos = envs.reset(seed=0)
    other = clone(envs)
    for _ in range(30):
        actions = infos["action_mask"].argmax(axis=1)
        one, two = envs.step(actions), other.step(actions)
        assert all(np.array_equal(a, b) for a, b in zip(one[:4], two[:4], strict=True))
        infos = one[4]
    assert not np.shares_memory(envs.games.state, other.games.state)


def test_truncation_is_told_apart():
    envs = GameVectorEnv(DICE_NIM, 20, 2, stones=20, max_turns=4)
    _, infos = envs.reset(seed=0)
    truncations = 0
    for _ in range(10):
        _, rewards, terminated, truncated, infos = envs.step(np.zeros(20, int))
        assert not (terminated & truncated).any()
        assert not rewards[truncated].any()
        assert np.array_equal(infos.get("_final_obs", np.zeros(20, bool)), terminated | truncated)
        truncations += int(truncated.sum())
    assert truncations > 20
