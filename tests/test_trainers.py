"""The trainers of ``examples/``: tiny runs from end to end, and what each takes from the environments.

A trainer whose extra is not installed is left out; ``.ci/trainers`` runs each in a virtual environment of
its own.
"""

from __future__ import annotations

import importlib
import os
import re
import subprocess
import sys
from pathlib import Path

import gymnasium
import numpy as np
import pytest

from paiko_env import paiko_v0, ronin_v0, valley_v0
from shikoku_env import shikoku_v0

torch = pytest.importorskip("torch")
for needed in ("tensorboard", "tqdm", "matplotlib"):
    pytest.importorskip(needed)

EXAMPLES = Path(__file__).parent.parent / "examples"


@pytest.fixture(scope="module")
def examples():
    """Loads an example by its name."""
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(EXAMPLES)
        yield importlib.import_module


def check_table(rows, players):
    assert [(row["players"], row["others"], row["one"]) for row in rows] == [
        (players, "random", "learner"),
        (players, "random", "random"),
    ]
    for row in rows:
        assert 0 <= row["wins"] <= 1 and -1 <= row["reward"] <= 1
        assert row["wins_error"] > 0 and row["reward_error"] > 0


def check_policy(examples, path, players):
    """The checkpoint of a trainer is a policy that plays legally."""
    policy = examples("networks").load_policy(path)
    games = shikoku_v0.batch(6, players, seed=3, observation=policy.observation)
    while not games.done.any():
        games.step(policy(games.observe(), games.legal))  # an illegal action raises


# -- Stable-Baselines3 ---------------------------------------------------------------------------


def test_sb3_maskable_ppo(examples, tmp_path):
    contrib = pytest.importorskip("sb3_contrib")
    example = examples("sb3_maskable_ppo")
    tiny = "--players 3 --steps 256 --envs 4 --rollout 32 --width 16 --final-games 30"
    check_table(example.main([*tiny.split(), "--out", str(tmp_path)]), 3)
    assert list(tmp_path.glob("*/events.out.tfevents.*"))
    check_policy(examples, tmp_path / "checkpoint.pt", 3)
    model = contrib.MaskablePPO.load(tmp_path / "model.zip")
    ours = examples("networks").load_policy(tmp_path / "checkpoint.pt")
    games = shikoku_v0.batch(40, 3, seed=5)
    for _ in range(10):
        seen, legal = games.observe(), games.legal.copy()
        actions, _ = model.predict(seen, action_masks=legal, deterministic=True)
        np.testing.assert_array_equal(actions, ours(seen, legal))
        games.step(actions)


def test_sb3_finds_the_masks_of_every_environment():
    pytest.importorskip("sb3_contrib")
    from sb3_contrib.common.maskable.utils import get_action_masks, is_masking_supported
    from stable_baselines3.common.env_util import make_vec_env

    for name in "shikoku_env/Shikoku-v0", "paiko_env/Paiko-v0":
        envs = make_vec_env(name, 2, seed=1)
        envs.reset()
        masks = get_action_masks(envs)
        assert is_masking_supported(envs)
        assert masks.shape == (2, envs.action_space.n) and masks.any(1).all()
        single = gymnasium.make(name)
        single.reset(seed=1)  # the seed of the first of them
        np.testing.assert_array_equal(get_action_masks(single), masks[0])


# -- TorchRL -------------------------------------------------------------------------------------


DOORS = {"shikoku": shikoku_v0, "paiko": paiko_v0, "valley": valley_v0, "ronin": ronin_v0}


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("door", DOORS)
def test_torchrl_specs(door):
    envs = pytest.importorskip("torchrl.envs")
    from torchrl.envs.utils import check_env_specs

    for grouped in envs.MarlGroupMapType:
        env = DOORS[door].env()
        wrapped = envs.PettingZooWrapper(env, use_mask=True, group_map=grouped, seed=1)
        check_env_specs(wrapped, seed=1)


@pytest.mark.filterwarnings("ignore")
def test_torchrl_hands_every_seat_its_reward_at_the_end(examples):
    pytest.importorskip("torchrl")
    env = examples("torchrl_ppo").make_env(4)
    games = shikoku_v0.batch(1, 4, seed=9)
    data = env.rollout(500, tensordict=env.reset(seed=9), auto_reset=False)
    seats = data["agents", "mask"].int().argmax(-1).tolist()
    for seat, actions in zip(seats, data["agents", "action"].tolist(), strict=True):
        if games.done[0]:
            break
        assert games.seat[0] == seat
        games.step([actions[seat]])
    assert games.done[0]
    rewards = data["next", "agents", "reward"][..., 0]
    assert not rewards[:-1].any()
    assert rewards[-1].tolist() == games.rewards[0].tolist()
    assert data["next", "agents", "terminated"][-1].all()


@pytest.mark.filterwarnings("ignore")
def test_torchrl_ppo(examples, tmp_path):
    pytest.importorskip("torchrl")
    tiny = "--plies 128 --rollout 64 --epochs 1 --minibatch 32 --width 16 --final-games 30"
    words = [*tiny.split(), "--workers", "1", "--out", str(tmp_path)]
    check_table(examples("torchrl_ppo").main(words), 3)
    check_policy(examples, tmp_path / "checkpoint.pt", 3)


# -- RLlib ---------------------------------------------------------------------------------------


def test_rllib_gives_observations_to_the_seat_to_act_and_rewards_to_all():
    pytest.importorskip("ray.rllib")
    from ray.rllib.env.wrappers.pettingzoo_env import PettingZooEnv

    env, games = PettingZooEnv(shikoku_v0.env(4)), shikoku_v0.batch(1, 4, seed=9)
    seen, _ = env.reset(seed=9)
    while True:
        agent = games.agent()
        assert list(seen) == [agent]
        np.testing.assert_array_equal(seen[agent]["observation"], games.observe()[0])
        action = int(games.sample_legal()[0])
        games.step([action])
        seen, rewards, ends, cuts, _ = env.step({agent: action})
        if games.done[0]:
            break
        assert not any(rewards.values()) and not ends["__all__"] and not cuts["__all__"]
    assert rewards == dict(zip(games.agents, games.rewards[0].tolist(), strict=True))
    assert ends == dict.fromkeys([*games.agents, "__all__"], True)
    assert not any(cuts.values())


def test_rllib_module_masks_its_logits(examples):
    pytest.importorskip("ray.rllib")
    example, games = examples("rllib_ppo"), shikoku_v0.batch(5, 3)
    spec = examples("networks").describe(games, 16)
    env = example.PettingZooEnv(shikoku_v0.env(3))
    agent = env.possible_agents[0]
    module = example.MaskedModule(
        observation_space=env.observation_spaces[agent],
        action_space=env.action_spaces[agent],
        model_config=spec,
    )
    seen = {"observation": games.observe(), "action_mask": games.legal.astype(np.int8)}
    batch = {"obs": {name: torch.tensor(array) for name, array in seen.items()}}
    found = module.forward_train(batch)
    legal = torch.tensor(games.legal)
    assert (found["action_dist_inputs"].exp() > 0).equal(legal)
    values = module.compute_values(batch)
    assert values.shape == (5,)
    assert module.compute_values(batch, embeddings=found["embeddings"]).equal(values)


def rllib(out, *words):
    """A tiny run in a process of its own, since it starts a Ray cluster: its output."""
    tiny = (
        "--rollout 120 --minibatch 60 --epochs 1 --games 2 --width 16 --final-games 30 --plies 100"
    )
    command = [sys.executable, str(EXAMPLES / "rllib_ppo.py"), *tiny.split(), "--out", str(out)]
    done = subprocess.run(
        [*command, *words],
        capture_output=True,
        text=True,
        timeout=300,
        env=os.environ | {"PYTHONPATH": str(EXAMPLES.parent)},
    )
    assert done.returncode == 0, done.stderr[-3000:]
    return done.stdout


def test_rllib_ppo_goes_on_from_a_checkpoint(examples, tmp_path):
    pytest.importorskip("ray.rllib")
    pattern = r"([\d,]+) plies, ([\d,]+) with earlier runs"
    first = rllib(tmp_path / "a", "--num-env-runners", "2")
    (made, same), *_ = re.findall(pattern, first)[-1:]
    assert made == same
    state = str(tmp_path / "a" / "state")
    second = rllib(tmp_path / "b", "--num-env-runners", "0", "--checkpoint", state)
    (more, total), *_ = re.findall(pattern, second)[-1:]
    made, more, total = (int(text.replace(",", "")) for text in (made, more, total))
    assert total == made + more
    assert "learner" in second and "random" in second
    check_policy(examples, tmp_path / "b" / "checkpoint.pt", 3)
