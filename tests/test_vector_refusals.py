"""What ``GameVectorEnv`` refuses: with a message that says what was wrong, and games untouched."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode
from helpers import snapshot

from shikoku_env import shikoku_v0


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"num_envs": 0}, "num_envs is 0, expected an integer of 1 or more"),
        ({"num_players": 9}, r"num_players is 9, but Shikoku takes 3\.\.8"),
        ({"seat": 4}, r"seat is 4, expected one of \['player_0', .*\], 0\.\.3 or 'random'"),
        ({"seat": -1}, "seat is -1, expected one of"),
        ({"seat": True}, "seat is True, expected one of"),
        ({"seat": "player_4"}, "seat is 'player_4', expected one of"),
        ({"opponents": "clever"}, "policy is 'clever', but Shikoku has: random"),
        (
            {"opponents": {"player_9": "random"}},
            r"no agent is named 'player_9', expected \['player",
        ),
        ({"opponents": ["random"]}, "1 policies for 4 seats"),
        ({"render_mode": "human"}, "render_mode is 'human', expected None or 'ansi', 'rgb_array'"),
        ({"autoreset_mode": "never"}, "autoreset_mode is 'never', expected one of"),
    ],
)
def test_an_environment_that_cannot_be(arguments: dict[str, Any], message: str):
    with pytest.raises(ValueError, match=message):
        shikoku_v0.vector_env(**({"num_envs": 2, "num_players": 4} | arguments))


@pytest.mark.parametrize("mode", list(AutoresetMode))
def test_refused_actions_touch_nothing(mode: AutoresetMode):
    envs = shikoku_v0.vector_env(3, 4, autoreset_mode=mode)
    _, infos = envs.reset(seed=0)
    before = snapshot(envs.games)
    legal = infos["action_mask"].argmax(axis=1)
    illegal = np.where(np.arange(3) == 2, infos["action_mask"].argmin(axis=1), legal)
    for actions, message in [
        (
            illegal,
            r"game 2: action 0 \(play 1\) of player_0 is not legal in phase play; expected one of",
        ),
        (legal * 1.0, r"actions is a \(3,\) array of float64, expected a \(3,\) array of integers"),
        (legal[:2], r"actions is a \(2,\) array of int64, expected a \(3,\) array of integers"),
        (legal - 40, "game 0: action -.* of player_0 is out of range"),
    ]:
        with pytest.raises(ValueError, match=message):
            envs.step(actions)
        assert snapshot(envs.games) == before
    envs.step(legal)


def test_refused_resets_touch_nothing():
    envs = shikoku_v0.vector_env(3, 4)
    for seed in (-1, True, 1.5, "x"):
        with pytest.raises(ValueError, match=f"seed is {seed!r}, expected an integer in 0"):
            envs.reset(seed=seed)
    with pytest.raises(gymnasium.error.ResetNeeded, match=r"step\(\) before reset\(\)"):
        envs.step([0, 0, 0])
    envs.reset(seed=0)
    before = snapshot(envs.games)
    for seed, message in [
        ([1, 2], "seed has 2 entries, expected 3"),
        ([1, -1, 2], "seed is -1, expected an integer"),
    ]:
        with pytest.raises(ValueError, match=message):
            envs.reset(seed=seed)
    for mask in ([True, False], np.zeros(3, np.bool_), [0, 1, 0], np.ones((3, 1), np.bool_)):
        with pytest.raises(
            ValueError, match=r"(?s)reset_mask is .*, expected \(3,\) bool with one true"
        ):
            envs.reset(options={"reset_mask": mask})
    assert snapshot(envs.games) == before


def test_in_mode_disabled_a_game_that_is_over_waits_for_its_reset():
    envs = shikoku_v0.vector_env(2, 3, autoreset_mode=AutoresetMode.DISABLED)
    _, infos = envs.reset(seed=0)
    over = np.zeros(2, np.bool_)
    while not over.any():
        _, _, over, _, infos = envs.step(infos["action_mask"].argmax(axis=1))
    [row] = np.flatnonzero(over)
    before = snapshot(envs.games)
    with pytest.raises(ValueError, match=f"game {row} is over: reset it with options="):
        envs.step(infos["action_mask"].argmax(axis=1))
    assert snapshot(envs.games) == before
    _, infos = envs.reset(options={"reset_mask": over})
    envs.step(envs.action_masks().argmax(axis=1))


def test_after_an_opponent_has_failed_the_learner_does_not_move_for_it():
    calls = []

    def fails_once(observations: np.ndarray, masks: np.ndarray) -> np.ndarray:
        calls.append(len(masks))
        if len(calls) == 1:
            raise RuntimeError("out of memory")
        return masks.argmax(axis=1)

    envs = shikoku_v0.vector_env(3, 3, opponents=fails_once)
    with pytest.raises(RuntimeError, match="out of memory"):
        envs.reset(seed=0)
    with pytest.raises(gymnasium.error.ResetNeeded, match="an opponent failed in the last step"):
        envs.step([0, 0, 0])
    _, infos = envs.reset(seed=0)
    assert (envs.games.seat == infos["seat"]).all()
    envs.step(infos["action_mask"].argmax(axis=1))
    calls.clear()
    with pytest.raises(RuntimeError, match="out of memory"):
        envs.step(envs.action_masks().argmax(axis=1))
    with pytest.raises(gymnasium.error.ResetNeeded, match="an opponent failed in the last step"):
        envs.step([0, 0, 0])


def test_one_game_that_is_over_asks_for_a_plain_reset():
    env = shikoku_v0.seat_env(3)
    env.reset(seed=1)
    over = False
    while not over:
        _, _, *ends, _ = env.step(int(env.action_masks().argmax()))
        over = any(ends)
    with pytest.raises(ValueError, match=r"the game is over: action 0, but call reset\(\) first"):
        env.step(0)
