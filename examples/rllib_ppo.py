"""Train all seats by self-play with RLlib, on one machine or on a Ray cluster.

    python examples/rllib_ppo.py                                          # Shikoku for three, here
    python examples/rllib_ppo.py --checkpoint runs/rllib/state --plies 100000           # train on
    python examples/rllib_ppo.py --address auto --num-env-runners 64 --plies 50000000   # on a cluster

Env runners play, a learner learns; how many runners and where is all that changes on a cluster (start it
with ``ray start`` on machines where this library is installed, and give a folder that all of them see as
``--out``). RLlib's own wrapper makes the AEC environment turn-based for it: only the seat to act has an
observation, and every seat gets its reward when the game ends. All seats share one module, the network
of ``networks.py``, whose logits the action mask cuts off. The final table is that of
``selfplay_ppo.py``: games won and mean reward, seats rotated, beside what random play gets in the same seats.

``--out`` gets ``state``, which ``--checkpoint`` takes, and ``checkpoint.pt`` for
``networks.load_policy`` and ``tournament.py``. Needs the extra ``rllib``.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

import ray
import torch
from networks import Net, NetPolicy, describe
from ray.rllib.algorithms.ppo import PPO, PPOConfig
from ray.rllib.core.columns import Columns
from ray.rllib.core.rl_module.apis import ValueFunctionAPI
from ray.rllib.core.rl_module.rl_module import RLModuleSpec
from ray.rllib.core.rl_module.torch import TorchRLModule
from ray.rllib.env.wrappers.pettingzoo_env import PettingZooEnv
from ray.tune.registry import register_env
from selfplay_ppo import final_table

from shikoku_env import shikoku_v0

EVERYONE = "everyone"  # the module of all seats


def parse_args(argv: list[str] | None = None) -> argparse.Namespace:
    formatter = argparse.ArgumentDefaultsHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0], formatter_class=formatter)
    add = parser.add_argument
    add("--players", type=int, default=3)
    add("--plies", type=int, default=60_000, help="train for so many decisions of all seats")
    add(
        "--address", help="of a Ray cluster, auto for the one of this machine; by default a new one"
    )
    add("--num-env-runners", type=int, default=2, help="processes that play")
    add("--games", type=int, default=8, help="games side by side in each of them")
    add("--checkpoint", type=Path, help="go on from this folder")
    add("--rollout", type=int, default=4_000, help="decisions from update to update")
    add("--epochs", type=int, default=10, help="times that an update goes through its decisions")
    add("--minibatch", type=int, default=250, help="decisions in each step of the optimizer")
    add("--width", type=int, default=256, help="of the network's layers")
    add("--final-games", type=int, default=10_000, help="games for each line of the final table")
    add("--seed", type=int, default=1)
    add("--out", type=Path, default=Path("runs/rllib"), help="folder to write into")
    return parser.parse_args(argv)


class MaskedModule(TorchRLModule, ValueFunctionAPI):
    """A network as RLlib's module: logits of legal actions, and values."""

    def setup(self) -> None:
        self.net = Net(self.model_config)

    def look(self, batch: dict[str, Any]) -> tuple[torch.Tensor, torch.Tensor]:
        seen = batch[Columns.OBS]
        return self.net(seen["observation"], seen["action_mask"].bool())

    def _forward(self, batch: dict[str, Any], **kwargs: Any) -> dict[str, Any]:
        return {Columns.ACTION_DIST_INPUTS: self.look(batch)[0]}

    def _forward_train(self, batch: dict[str, Any], **kwargs: Any) -> dict[str, Any]:
        logs, values = self.look(batch)  # of one pass; the loss hands the values back below
        return {Columns.ACTION_DIST_INPUTS: logs, Columns.EMBEDDINGS: values}

    def compute_values(self, batch: dict[str, Any], embeddings: Any = None) -> torch.Tensor:
        return self.look(batch)[1] if embeddings is None else embeddings


def build(args: argparse.Namespace, spec: dict[str, Any]) -> PPO:
    """The algorithm, with its runners started."""
    register_env("shikoku", lambda config: PettingZooEnv(shikoku_v0.env(config["players"])))
    config = (
        PPOConfig()
        .environment(
            "shikoku",
            env_config={"players": args.players},
            disable_env_checking=True,  # the check makes moves at random, legal or not
        )
        .multi_agent(policies={EVERYONE}, policy_mapping_fn=lambda agent, episode, **_: EVERYONE)
        .rl_module(rl_module_spec=RLModuleSpec(module_class=MaskedModule, model_config=spec))
        .env_runners(
            num_env_runners=args.num_env_runners,
            num_envs_per_env_runner=args.games,
            batch_mode="complete_episodes",  # a seat's last decision waits for the end of the game
        )
        .training(
            train_batch_size_per_learner=args.rollout,
            minibatch_size=args.minibatch,
            num_epochs=args.epochs,
            lr=5e-4,
            gamma=1.0,  # only the end of a game pays
            lambda_=0.8,
            entropy_coeff=0.01,
            vf_loss_coeff=0.25,
            use_kl_loss=False,
            grad_clip=0.5,
        )
        .debugging(seed=args.seed)
    )
    return config.build_algo()


def main(argv: list[str] | None = None) -> list[dict]:
    args = parse_args(argv)
    torch.set_num_threads(1)
    spec = describe(shikoku_v0.batch(1, args.players), args.width)
    here = {"working_dir": str(Path(__file__).parent)}  # to import its neighbours elsewhere
    ray.init(
        args.address or "local", runtime_env=here, include_dashboard=None if args.address else False
    )
    algorithm = build(args, spec)
    try:
        if args.checkpoint:
            algorithm.restore_from_path(args.checkpoint.absolute().as_posix())
        plies = 0
        while plies < args.plies:
            found = algorithm.train()
            runners = found["env_runners"]
            plies += int(runners["num_env_steps_sampled"])
            before = int(found["num_env_steps_sampled_lifetime"])
            print(f"{plies:,} plies, {before:,} with earlier runs: "
                  f"{runners['episode_len_mean']:.1f} a game", flush=True)  # fmt: skip
        args.out.mkdir(parents=True, exist_ok=True)
        algorithm.save_to_path((args.out / "state").absolute().as_posix())
        net = algorithm.get_module(EVERYONE).net
        checkpoint = {"game": "shikoku", "players": [args.players], "spec": spec}
        torch.save(checkpoint | {"net": net.state_dict()}, args.out / "checkpoint.pt")
    finally:
        algorithm.stop()
        ray.shutdown()
    policy = NetPolicy(net, spec["observation"])
    return final_table(
        shikoku_v0.batch, policy, [args.players], args.final_games, 2**41 + args.seed
    )


if __name__ == "__main__":
    main()
