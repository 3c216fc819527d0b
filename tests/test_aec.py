"""``GameEnv``: one game behind PettingZoo's AEC interface."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pettingzoo
import pytest
from helpers import snapshot
from pettingzoo.test import api_test, seed_test
from pettingzoo.test.render_test import collect_render_results

from shikoku_env import shikoku_v0
from tabletop_env.aec import GameEnv

every_count = pytest.mark.parametrize("players", range(3, 9))


def first_move(env: GameEnv) -> int:
    return int(env.infos[env.agent_selection]["action_mask"].argmax())


def illegal_move(env: GameEnv) -> int:
    return int(env.infos[env.agent_selection]["action_mask"].argmin())


def play_on(env: GameEnv, seed: int = 0, moves: int = 1000) -> Iterator[str]:
    """Random legal moves, at most so many, to the end; yields the agent before each."""
    rng = np.random.default_rng(seed)
    for _ in range(moves):
        agent = env.agent_selection
        if env.terminations[agent]:
            return
        yield agent
        env.step(int(rng.choice(env.infos[agent]["action_mask"].nonzero()[0])))


def advanced(players: int = 4, seed: int = 0, moves: int = 1000, **arguments: Any) -> GameEnv:
    env = shikoku_v0.env(players, **arguments)
    env.reset(seed=seed)
    list(play_on(env, moves=moves))
    return env


def everything(env: GameEnv) -> list[Any]:
    """All that an environment shows, comparable by ``==``."""
    shown = [env.agents, env.agent_selection, env.rewards, env._cumulative_rewards]
    seen = [env.observe(agent) for agent in env.possible_agents]
    arrays = [part.tobytes() for observation in seen for part in observation.values()]
    masks = [info["action_mask"].tobytes() for info in env.infos.values()]
    return [*shown, env.terminations, env.truncations, arrays, masks, snapshot(env.games)]


# -- conformance ---------------------------------------------------------------------------------


@every_count
@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize("observation", ["seats", "padded"])
def test_pettingzoo_conformance(players: int, observation: str):
    api_test(shikoku_v0.env(players, observation=observation), num_cycles=30)
    seed_test(lambda: shikoku_v0.raw_env(players, observation=observation), num_cycles=30)


@every_count
def test_text_is_rendered_and_nothing_without_a_mode(players: int):
    texts = collect_render_results(shikoku_v0.env(players, render_mode="ansi"))
    assert all(f"player_{seat}  step" in text for text in texts for seat in range(players))
    assert len(set(texts)) > 1
    silent = advanced(players, moves=1)
    assert silent.render() is None
    silent.close()


def test_metadata_and_spaces():
    env = shikoku_v0.env(num_players=5, render_mode="ansi")
    assert str(env) == env.metadata["name"] == "shikoku_v0"
    assert env.metadata["render_modes"] == ["ansi", "rgb_array", "human"]
    assert env.render_mode == "ansi"
    assert env.possible_agents == ["player_0", "player_1", "player_2", "player_3", "player_4"]
    assert env.agents == []
    space = env.observation_space("player_3")
    assert space["observation"].shape == (71 + 104 * 5,)
    assert space["action_mask"].shape == (33,)
    assert all(part.dtype == np.int8 for part in space.values())
    assert env.action_space("player_3").n == 33
    padded = shikoku_v0.env(num_players=5, observation="padded")
    assert padded.observation_space("player_0")["observation"].shape == (71 + 104 * 8,)


@pytest.mark.skipif(not hasattr(pettingzoo, "make"), reason="this PettingZoo has no registry")
def test_pettingzoo_makes_it_by_name():
    env = pettingzoo.make("aec", "shikoku_env/Shikoku-v0", num_players=6)
    assert isinstance(env.unwrapped, GameEnv)
    assert env.possible_agents == [f"player_{seat}" for seat in range(6)]


# -- play ----------------------------------------------------------------------------------------


@every_count
def test_the_seat_to_act_is_selected_and_only_it_may_move(players: int):
    env = shikoku_v0.env(players)
    env.reset(seed=players)
    assert env.agents == env.possible_agents
    for agent in play_on(env):
        assert agent == env.games.agent(0)
        for other in env.agents:
            mask = env.infos[other]["action_mask"]
            assert mask.dtype == np.int8
            assert env.observe(other)["action_mask"] is mask
            assert mask.any() == (other == agent)
        assert np.array_equal(env.infos[agent]["action_mask"], env.games.legal[0])
    assert env.games.done[0]


def test_masks_and_observations_that_were_handed_out_do_not_change_later():
    env = shikoku_v0.env()
    env.reset(seed=1)
    kept = []
    for agent in play_on(env):
        observation = env.last()[0]
        kept.append((observation, {key: part.copy() for key, part in observation.items()}))
        env.observe(agent)["observation"][:] = 0  # the caller's own array
    assert all(np.array_equal(now[k], then[k]) for now, then in kept for k in then)


def test_every_agent_sees_the_right_thing_at_any_time():
    env = shikoku_v0.env(5)
    env.reset(seed=2)
    for _ in play_on(env):
        for seat, agent in enumerate(env.possible_agents):
            expected = env.games.observe(seat)[0]
            assert np.array_equal(env.observe(agent)["observation"], expected)
    assert np.array_equal(env.observe("player_2")["observation"], env.games.observe(2)[0])
    while env.agents:
        env.step(None)
    last = env.observe("player_2")
    assert np.array_equal(last["observation"], env.games.observe(2)[0])
    assert not last["action_mask"].any()


@every_count
def test_every_seat_hears_its_reward_from_last(players: int):
    env = shikoku_v0.env(players)
    env.reset(seed=players)
    rng = np.random.default_rng(0)
    got = dict.fromkeys(env.possible_agents, 0.0)
    told = []
    for agent in env.agent_iter():
        observation, reward, terminated, truncated, info = env.last()
        assert info is env.infos[agent]
        assert not truncated
        got[agent] += reward
        if terminated:
            told.append(agent)
            assert not observation["action_mask"].any()
            env.step(None)
        else:
            env.step(rng.choice(observation["action_mask"].nonzero()[0]))
    assert list(got.values()) == env.games.rewards[0].tolist()
    assert set(got.values()) == {1.0, -1.0}
    assert sorted(told) == env.possible_agents
    assert env.agents == []


def test_rewards_and_flags_are_plain_python_values():
    env = shikoku_v0.env()
    env.reset(seed=0)
    for agents in (play_on(env, moves=1), play_on(env)):
        list(agents)
        for values, kinds in [
            (env.rewards, (int, float)),
            (env._cumulative_rewards, (int, float)),
            (env.terminations, (bool,)),
            (env.truncations, (bool,)),
        ]:
            assert type(values) is dict
            assert list(values) == env.possible_agents
            assert all(type(value) in kinds for value in values.values())
        assert type(env.last()[1]) in (int, float)
    assert all(env.terminations.values())
    assert any(env.rewards.values())


@pytest.mark.parametrize("kind", [int, np.int64, np.int8, np.uint8, np.array])
def test_an_action_may_be_any_integer(kind: Callable[[int], Any]):
    env = advanced(moves=3)
    other = env.clone()
    move = first_move(env)
    env.step(kind(move))
    other.step(move)
    assert everything(env) == everything(other)


# -- the beginning and the end -------------------------------------------------------------------


def test_the_same_seed_is_the_same_game_and_no_seed_another_one():
    env, other = shikoku_v0.env(), shikoku_v0.env()
    env.reset()
    other.reset()
    assert env.state_dict() != other.state_dict()  # random beginnings
    env.reset(seed=7)
    other.reset(seed=7, options={"ignored": 1})
    deals = []
    for _ in range(5):
        assert everything(env) == everything(other)
        deals.append(env.state_dict())
        list(play_on(env, moves=3))
        env.reset()
        other.reset()
    assert all(deals.count(deal) == 1 for deal in deals)
    env.reset(seed=7)
    assert env.state_dict() == deals[0]
    assert shikoku_v0.batch(1, 4, seed=7).state_dict(0) == deals[0]


def test_a_refused_seed_leaves_the_game_as_it_is():
    env = advanced(moves=5)
    before = everything(env)
    for seed in (-1, True, 1.5, "1", 2**64):
        with pytest.raises(ValueError, match=f"seed is {seed!r}, expected an integer in 0"):
            env.reset(seed=seed)
    assert everything(env) == before


def test_before_reset_and_after_the_end_nobody_may_move():
    env = shikoku_v0.env()
    with pytest.raises(
        ValueError, match=r"step\(3\) but no game is under way: call reset\(\) first"
    ):
        env.step(3)
    env = advanced()
    before = everything(env)
    with pytest.raises(ValueError, match=r"the game is over for player_.: action 3, expected None"):
        env.step(3)
    assert everything(env) == before
    for left in (3, 2, 1, 0):
        env.step(None)
        assert len(env.agents) == len(env.rewards) == len(env.infos) == left
    with pytest.raises(ValueError, match=r"step\(None\) but no game is under way: call reset"):
        env.step(None)
    env.reset(seed=0)
    assert env.agents == env.possible_agents


# -- refusals ------------------------------------------------------------------------------------


@pytest.mark.parametrize("action", [-1, 33, 10**30, True, None, 1.0, "1", [1], np.float64(1)])
@pytest.mark.parametrize("illegal", ["raise", "lose"])
def test_an_action_outside_the_space_is_refused(action: Any, illegal: str):
    env = advanced(moves=2, illegal=illegal)
    before = everything(env)
    with pytest.raises(ValueError) as caught:
        env.step(action)
    assert str(caught.value) == (
        f"action {action!r} of {env.agent_selection} in phase play is out of range, "
        "expected an integer in 0..32"
    )
    assert everything(env) == before


def test_an_illegal_action_is_refused_and_names_the_legal_ones():
    env = advanced(moves=4)
    before = everything(env)
    move = illegal_move(env)
    with pytest.raises(ValueError) as caught:
        env.step(move)
    agent, legal = env.agent_selection, env.games.legal[0].nonzero()[0]
    phase = env.state_dict()["phase"]
    assert str(caught.value) == (
        f"game 0: action {move} ({phase} {move + 1}) of {agent} is not legal in phase {phase}; "
        f"expected one of: {', '.join(f'{phase} {card + 1}' for card in legal)}"
    )
    assert everything(env) == before


def test_an_illegal_action_may_lose_instead():
    env = advanced(5, moves=4, illegal="lose")
    loser = env.agent_selection
    env.step(illegal_move(env))
    told = {}
    for agent in env.agent_iter():
        _, reward, terminated, truncated, _ = env.last()
        assert (terminated, truncated) == (True, False)
        told[agent] = reward
        env.step(None)
    assert told == {agent: -1 if agent == loser else 0 for agent in env.possible_agents}
    env.reset(seed=1)
    assert not any(env.terminations.values())
    assert not any(env.rewards.values())


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"num_players": 2}, ValueError, r"num_players is 2, but Shikoku takes 3\.\.8"),
        ({"render_mode": "film"}, ValueError, "render_mode is 'film', expected None or"),
        ({"illegal": "ignore"}, ValueError, "illegal is 'ignore', expected 'raise' or 'lose'"),
        ({"observation": "x"}, ValueError, "observation is 'x', but Shikoku has seats, padded"),
        ({"rule": 1}, TypeError, r"unknown option 'rule' of Shikoku \(options: step_table\)"),
    ],
)
def test_an_environment_that_cannot_be(arguments: dict[str, Any], error: type, message: str):
    with pytest.raises(error, match=message):
        shikoku_v0.env(**arguments)


def test_an_unknown_agent_is_refused():
    env = advanced(3, moves=1)
    with pytest.raises(ValueError, match=r"agent is 'player_3', expected one of \['player_0', "):
        env.observe("player_3")


# -- copies and positions ------------------------------------------------------------------------


@pytest.mark.parametrize("moves", [0, 5, 1000])
@pytest.mark.parametrize(
    "clone", [GameEnv.clone, copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))]
)
def test_copies_are_independent_and_continue_alike(clone: Callable[[GameEnv], GameEnv], moves: int):
    env = advanced(5, moves=moves, observation="padded", render_mode="ansi")
    other = clone(env)
    assert everything(other) == everything(env)
    before = everything(env)
    list(play_on(other, seed=3))
    other.reset()
    list(play_on(other, seed=4))
    assert everything(env) == before
    list(play_on(env, seed=3))
    env.reset()
    list(play_on(env, seed=4))
    assert everything(other) == everything(env)
    assert (other.render(), other.metadata) == (env.render(), env.metadata)
    mask = other.infos[other.agent_selection]["action_mask"]
    assert other.observe(other.agent_selection)["action_mask"] is mask


def test_a_state_is_read_back_and_played_on():
    env = advanced(4, moves=9)
    other = shikoku_v0.env(4)
    other.load_state_dict(env.state_dict())
    assert other.state_dict() == env.state_dict()
    assert other.agent_selection == env.agent_selection
    assert np.array_equal(other.last()[0]["observation"], env.last()[0]["observation"])
    list(play_on(other))
    assert any(other.rewards.values())


def test_a_finished_state_is_read_back_with_its_rewards():
    env = advanced(4)
    other = shikoku_v0.env(4)
    other.load_state_dict(env.state_dict())
    assert other.rewards == env.rewards
    assert all(other.terminations.values())
    assert len([other.step(None) for agent in other.agent_iter() if other.last()[2]]) == 4


def test_a_refused_state_leaves_the_game_as_it_is():
    env = advanced(4, moves=3)
    before = everything(env)
    with pytest.raises(ValueError, match="turn is -1"):
        env.load_state_dict(env.state_dict() | {"turn": -1})
    assert everything(env) == before


def test_reseeding_keeps_the_game_and_changes_what_chance_will_bring():
    env = advanced(4, moves=2)
    other = env.clone()
    other.reseed(seed=123)
    assert other.state_dict() == env.state_dict()
    list(play_on(env))
    list(play_on(other))
    assert other.state_dict() != env.state_dict()


def test_what_an_agent_cannot_see_is_redrawn_and_the_masks_follow():
    env = advanced(5, moves=1)
    agent = next(agent for agent in env.agents if agent != env.agent_selection)
    before = env.observe(agent)["observation"]
    masks = set()
    for seed in range(20):
        env.resample_hidden(agent, seed=seed)
        assert np.array_equal(env.observe(agent)["observation"], before)
        mask = env.infos[env.agent_selection]["action_mask"]
        assert np.array_equal(mask, env.games.legal[0])
        masks.add(mask.tobytes())
    assert len(masks) > 1


def test_what_reset_sets_is_missed_by_name():
    env = shikoku_v0.env()
    for name in ("agent_selection", "rewards", "infos"):
        with pytest.raises(AttributeError, match=rf"no attribute '{name}': call reset\(\) first"):
            getattr(env, name)
    with pytest.raises(AttributeError, match="call reset"):
        env.last()
    with pytest.raises(ValueError, match=r"agent_iter\(\) but no game is under way: call reset"):
        env.agent_iter()


def test_the_stream_of_reseed_is_that_of_the_first_game():
    env, other = shikoku_v0.env(), shikoku_v0.env()
    env.reseed(7)
    env.reset()
    other.reset(seed=7)
    assert env.state_dict() == other.state_dict()


def test_nothing_is_seen_before_reset_and_nobody_is_told_twice_of_the_end():
    env = shikoku_v0.env(3)
    with pytest.raises(ValueError, match=r"observe\('player_0'\) .* call reset\(\) first"):
        env.observe("player_0")
    env.reset(seed=1)
    for agent in env.agent_iter():
        mask = env.last()[4]["action_mask"]
        env.step(None if env.terminations[agent] else int(mask.argmax()))
    with pytest.raises(ValueError, match=r"all agents have been told of the end"):
        env.last()
    assert env.observe("player_0")["observation"].any()  # the table may still be looked at
