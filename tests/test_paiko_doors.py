"""All of Paikō's games behind all doors, at every player count: the checkers of PettingZoo and Gymnasium."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
import pettingzoo
import pytest
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import AutoresetMode, SyncVectorEnv
from helpers import Choosy
from pettingzoo.test import api_test, seed_test

from paiko_env import paiko_v0, ronin_v0, valley_v0
from tabletop_env.aec import GameEnv
from tabletop_env.vector import GameSeatEnv

DUEL, VALLEY = (paiko_v0, 2, {"max_turns": 12}), (valley_v0, 3, {"max_turns": 12})
RONIN = [(ronin_v0, players, {"max_rounds": 3}) for players in range(4, 8)]
TABLES = [DUEL, VALLEY, *RONIN]
NAMES = ["duel", "valley", *(f"ronin-{players}" for players in range(4, 8))]
IDENTIFIERS = {paiko_v0: "Paiko-v0", valley_v0: "Valley-v0", ronin_v0: "Ronin-v0"}
every_table = pytest.mark.parametrize(("door", "players", "options"), TABLES, ids=NAMES)
every_view = pytest.mark.parametrize("observation", ["planes", "compact"])


def choose(rng: np.random.Generator, mask: Any) -> int:
    return int(rng.choice(np.flatnonzero(mask)))


# -- PettingZoo ----------------------------------------------------------------------------------


@pytest.mark.filterwarnings("ignore::UserWarning")
@every_view
@every_table
def test_pettingzoo_conformance(door, players, options, observation):
    arguments = {"num_players": players, "observation": observation, **options}
    api_test(door.env(**arguments), num_cycles=60)
    seed_test(lambda: door.raw_env(**arguments), num_cycles=30)


@every_table
def test_it_is_played_in_turns_and_not_in_parallel(door, players, options):
    env = door.env(players, **options)
    assert env.metadata["is_parallelizable"] is False
    assert len(env.possible_agents) == players


@pytest.mark.skipif(not hasattr(pettingzoo, "make"), reason="this PettingZoo has no registry")
@every_table
def test_pettingzoo_makes_it_by_name(door, players, options):
    env = pettingzoo.make("aec", f"paiko_env/{IDENTIFIERS[door]}", num_players=players, **options)
    assert isinstance(env.unwrapped, GameEnv)
    assert env.possible_agents == door.env(players).possible_agents


@every_table
def test_only_the_agent_to_act_has_a_mask_and_it_is_the_batchs(door, players, options):
    env, games = door.env(players, **options), door.batch(1, players, seed=5, **options)
    env.reset(seed=5)
    rng = np.random.default_rng(0)
    for agent in env.agent_iter():
        observation, _, terminated, truncated, info = env.last()
        if terminated or truncated:
            assert not observation["action_mask"].any()
            env.step(None)
            continue
        assert agent == games.agent(0)
        assert (info["action_mask"] == games.legal[0]).all()
        for seat, other in enumerate(env.possible_agents):
            seen = env.observe(other)
            assert seen["action_mask"].any() == (other == agent)
            assert (seen["observation"] == games.observe(seat)[0]).all()
            assert env.observation_space(other).contains(seen)
        action = choose(rng, info["action_mask"])
        env.step(action)
        games.step([action])
    assert games.done[0]


def test_the_blacks_of_ronin_win_and_lose_as_one():
    ends = set()
    for seed in range(6):
        env = ronin_v0.env(5, max_rounds=None)
        env.reset(seed=seed)
        rng, got = np.random.default_rng(seed), dict.fromkeys(env.possible_agents, 0.0)
        for agent in env.agent_iter():
            _, reward, terminated, truncated, info = env.last()
            got[agent] += reward
            over = terminated or truncated
            env.step(None if over else choose(rng, info["action_mask"]))
        white, *blacks = got.values()
        assert set(blacks) == {-white}
        ends.add(white)
    assert ends == {1, -1}


# -- Gymnasium -----------------------------------------------------------------------------------


@every_view
@every_table
def test_gymnasium_checks_the_single_environment(door, players, options, observation):
    identifier = f"paiko_env/{IDENTIFIERS[door]}"
    arguments = {"num_players": players, "observation": observation, **options}
    env = gymnasium.make(identifier, seat="random", render_mode="ansi", **arguments).unwrapped
    assert isinstance(env, GameSeatEnv)
    env.__class__ = Choosy
    env.spec = None  # the checker would make others, which are not choosy
    with pytest.warns(UserWarning, match="not having a spec"):
        check_env(env)


@every_table
@pytest.mark.parametrize("mode", list(AutoresetMode))
def test_the_vector_environment_does_as_gymnasiums(door, players, options, mode):
    """Games in step with single environments under Gymnasium's own vector environment."""
    arguments = {"num_players": players, "seat": "random", "observation": "compact", **options}
    envs = gymnasium.make_vec(
        f"paiko_env/{IDENTIFIERS[door]}", num_envs=3, autoreset_mode=mode, **arguments
    )
    sync = SyncVectorEnv([lambda: door.seat_env(**arguments)] * 3, autoreset_mode=mode)
    rng = np.random.default_rng(1)
    mine, theirs = envs.reset(seed=11), sync.reset(seed=11)
    ended = 0
    for _ in range(60):
        assert (mine[0] == theirs[0]).all()
        assert (mine[1]["action_mask"] == theirs[1]["action_mask"]).all()
        assert envs.observation_space.contains(mine[0])
        masks = mine[1]["action_mask"]
        actions = np.array([choose(rng, mask) if mask.any() else 0 for mask in masks])
        mine, theirs = envs.step(actions), sync.step(actions)
        for one, other in zip(mine[1:4], theirs[1:4], strict=True):
            assert (one == other).all()
        over = mine[2] | mine[3]
        ended += int(over.sum())
        mine, theirs = (mine[0], mine[4]), (theirs[0], theirs[4])
        if mode == AutoresetMode.DISABLED and over.any():
            again = {"reset_mask": over.copy()}
            masks = mine[1]["action_mask"]
            mine = envs.reset(seed=[7, 8, 9], options=again)
            theirs = sync.reset(seed=[7, 8, 9], options={"reset_mask": over.copy()})
            for reset in (mine, theirs):  # those that go on
                reset[1]["action_mask"][~over] = masks[~over]
    assert ended
    envs.close()


# -- render modes --------------------------------------------------------------------------------


@every_table
def test_every_render_mode_shows_every_table(door, players, options):
    pytest.importorskip("resvg_py")
    text = door.env(players, render_mode="ansi", **options)
    frames = door.env(players, render_mode="rgb_array", **options)
    learner = door.seat_env(players, seat="black_0", render_mode="rgb_array", **options)
    for env in (text, frames, learner):
        env.reset(seed=1)
    assert all(agent in text.render() for agent in text.possible_agents)
    before, own = frames.render(), learner.render()
    assert before.dtype == np.uint8
    assert before.shape == own.shape == (*before.shape[:2], 3)
    assert (before != own).any()  # Black's board is turned
    for env in (text, frames):
        for _ in range(6):
            env.step(int(env.infos[env.agent_selection]["action_mask"].argmax()))
    assert (frames.render() != before).any()
