"""Train one seat with sb3-contrib's MaskablePPO, in a few lines: the others play at random.

    python examples/sb3_maskable_ppo.py                               # Shikoku for four
    python examples/sb3_maskable_ppo.py --players 3 --opponents mcts:20 --steps 20000
    python examples/sb3_maskable_ppo.py --game paiko --opponents greedy

The learner's environment is the Gymnasium one: a step is its own move and all the others' up to its next,
so a reward that falls due in an opponent's turn is not lost, and its seat changes from game to game.
MaskablePPO finds the legal actions by itself, in ``action_masks()``. The encoder of observations is the one
of ``networks.py``, the final table that of ``selfplay_ppo.py``: games won and mean reward, seats rotated,
beside what random play gets in the same seats.

``--out`` gets logs for TensorBoard, ``model.zip`` for Stable-Baselines3 and ``checkpoint.pt`` for
``networks.load_policy`` and ``tournament.py``. Needs the extra ``sb3``.
"""

from __future__ import annotations

import argparse
import importlib
from pathlib import Path
from typing import Any

import gymnasium
import torch
from networks import Net, NetPolicy, describe
from sb3_contrib import MaskablePPO
from selfplay_ppo import GAMES, final_table
from stable_baselines3.common.env_util import make_vec_env
from stable_baselines3.common.torch_layers import BaseFeaturesExtractor

IDS = {"shikoku": "shikoku_env/Shikoku-v0", "paiko": "paiko_env/Paiko-v0"}


def parse_args(argv: list[str] | None = None) -> argparse.Namespace:
    formatter = argparse.ArgumentDefaultsHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0], formatter_class=formatter)
    add = parser.add_argument
    add("--game", choices=IDS, default="shikoku")
    add("--players", type=int, help="by default as many as the game's doors take")
    add("--opponents", default="random", help="a policy's name: random, greedy, mcts:N")
    add("--steps", type=int, default=200_000, help="decisions of the learner")
    add("--envs", type=int, default=32, help="games played side by side")
    add("--rollout", type=int, default=128, help="decisions in each game from update to update")
    add("--width", type=int, default=256, help="of the network's layers")
    add("--final-games", type=int, default=10_000, help="games for each line of the final table")
    add("--seed", type=int, default=1)
    add("--out", type=Path, default=Path("runs/sb3"), help="folder to write into")
    return parser.parse_args(argv)


class Trunk(BaseFeaturesExtractor):
    """All layers of ``networks.Net`` but its two heads, which Stable-Baselines3 adds."""

    def __init__(self, space: gymnasium.Space[Any], spec: dict[str, Any]) -> None:
        super().__init__(space, spec["width"])
        self.trunk = Net(spec).trunk

    def forward(self, observations: torch.Tensor) -> torch.Tensor:
        return self.trunk(observations)


def as_net(model: MaskablePPO, spec: dict[str, Any]) -> Net:
    """The trained layers as a ``networks.Net``."""
    net, layers = Net(spec), model.policy
    net.trunk.load_state_dict(layers.features_extractor.trunk.state_dict())
    net.policy.load_state_dict(layers.action_net.state_dict())
    net.value.load_state_dict(layers.value_net.state_dict())
    return net


def main(argv: list[str] | None = None) -> list[dict]:
    args = parse_args(argv)
    torch.set_num_threads(1)
    preset = GAMES[args.game]
    door = getattr(importlib.import_module(preset.package), preset.door)
    games = door.batch(1, args.players)
    spec = describe(games, args.width)
    seats = {"num_players": args.players, "seat": "random", "opponents": args.opponents}
    model = MaskablePPO(
        "MlpPolicy",
        make_vec_env(IDS[args.game], args.envs, seed=args.seed, env_kwargs=seats),
        learning_rate=lambda left: 1e-3 * left,  # falls to zero in a line
        n_steps=args.rollout,
        batch_size=512,
        n_epochs=4,
        gamma=1.0,  # only the end of a game pays
        gae_lambda=0.8,
        ent_coef=0.01,
        policy_kwargs={
            "features_extractor_class": Trunk,
            "features_extractor_kwargs": {"spec": spec},
            "net_arch": [],  # heads right on the features
            "normalize_images": False,  # planes of a board are no pictures of bytes
        },
        tensorboard_log=str(args.out),
        seed=args.seed,
        device="cpu",
    )
    model.learn(args.steps)
    net, players = as_net(model, spec), games.num_players
    model.save(args.out / "model.zip")
    checkpoint = {"game": args.game, "players": [players], "spec": spec, "net": net.state_dict()}
    torch.save(checkpoint, args.out / "checkpoint.pt")
    policy = NetPolicy(net, spec["observation"])
    return final_table(door.batch, policy, [players], args.final_games, seed=2**41 + args.seed)


if __name__ == "__main__":
    main()
