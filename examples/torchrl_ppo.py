"""Train all seats by self-play with TorchRL: its PettingZoo wrapper, its collector, its PPO loss.

    python examples/torchrl_ppo.py                                        # Shikoku for three
    python examples/torchrl_ppo.py --players 5 --plies 500000 --workers 8

``PettingZooWrapper`` puts all seats of the AEC environment into one group: at every ply each has its
observation and its reward, and ``mask`` tells who was to act. So each seat has one chain of values along
all plies, the others' too, down to the reward that it gets when somebody else ends the game. All of it
teaches the critic, but only decisions teach the policy. Network and final table (seats rotated, beside what
random play gets in the same seats) are those of ``networks.py`` and ``selfplay_ppo.py``.

``--out`` gets ``checkpoint.pt`` for ``networks.load_policy`` and ``tournament.py``. Needs the extra
``torchrl``.
"""

from __future__ import annotations

import argparse
import warnings
from functools import partial
from pathlib import Path
from typing import Any

import torch
from networks import Net, NetPolicy, describe
from selfplay_ppo import final_table
from tensordict import TensorDict
from tensordict.nn import TensorDictModule
from torch import nn
from torchrl.collectors import MultiSyncCollector
from torchrl.envs import MarlGroupMapType, PettingZooWrapper
from torchrl.modules import ActorValueOperator, MaskedCategorical, ProbabilisticActor, ValueOperator
from torchrl.objectives import ClipPPOLoss
from torchrl.objectives.value.functional import generalized_advantage_estimate
from tqdm import tqdm

from shikoku_env import shikoku_v0

SEEN, LEGAL = ("agents", "observation", "observation"), ("agents", "action_mask")


def parse_args(argv: list[str] | None = None) -> argparse.Namespace:
    formatter = argparse.ArgumentDefaultsHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0], formatter_class=formatter)
    add = parser.add_argument
    add("--players", type=int, default=3)
    add("--plies", type=int, default=40_000, help="decisions of all seats together")
    add("--workers", type=int, default=2, help="processes that play")
    add("--rollout", type=int, default=2_000, help="decisions from update to update")
    add("--epochs", type=int, default=10, help="times that an update goes through its decisions")
    add("--minibatch", type=int, default=250, help="decisions in each step of the optimizer")
    add("--width", type=int, default=256, help="of the network's layers")
    add("--final-games", type=int, default=10_000, help="games for each line of the final table")
    add("--seed", type=int, default=1)
    add("--out", type=Path, default=Path("runs/torchrl"), help="folder to write into")
    return parser.parse_args(argv)


def make_env(players: int) -> PettingZooWrapper:
    """Shikoku for TorchRL, all seats in the group ``agents``."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "PettingZoo in TorchRL is tested")
        everyone = MarlGroupMapType.ALL_IN_ONE_GROUP
        return PettingZooWrapper(shikoku_v0.env(players), use_mask=True, group_map=everyone)


class Trunk(nn.Module):
    """The trunk of a network, for any leading dimensions of an observation."""

    def __init__(self, net: Net) -> None:
        super().__init__()
        self.trunk = net.trunk

    def forward(self, seen: torch.Tensor) -> torch.Tensor:
        return self.trunk(seen.float().flatten(0, -2)).unflatten(0, seen.shape[:-1])


def actor_critic(net: Net) -> ActorValueOperator:
    """A network as TorchRL's modules."""
    logits = TensorDictModule(net.policy, ["hidden"], ["logits"])
    actor = ProbabilisticActor(
        logits,
        in_keys={"logits": "logits", "mask": LEGAL},
        out_keys=[("agents", "action")],
        distribution_class=MaskedCategorical,
        return_log_prob=True,
        log_prob_key="log_prob",
    )
    return ActorValueOperator(
        TensorDictModule(Trunk(net), [SEEN], ["hidden"]),
        actor,
        ValueOperator(net.value, ["hidden"]),
    )


@torch.no_grad()
def chains(data: TensorDict, critic: nn.Module, trace: float) -> TensorDict:
    """(W, T) plies of the workers to (W * T * P,) rows with advantages, one for every seat of every ply."""
    after = data["next", "agents"]
    value, next_value = (critic(part.select(SEEN))["state_value"] for part in (data, data["next"]))
    ends = after["reward"], after["done"], after["terminated"]
    advantage, target = generalized_advantage_estimate(
        1.0, trace, value, next_value, *ends, time_dim=-3
    )
    rows = TensorDict(
        {"agents": data["agents"], "log_prob": data["log_prob"], "advantage": advantage,
         "value_target": target}, batch_size=value.shape[:-1],
    )  # fmt: skip
    return rows.flatten()


def update(loss: nn.Module, optimizer: torch.optim.Optimizer, rows: TensorDict, args: Any) -> None:
    """All rows teach the critic, the decisions among them the actor."""
    for _ in range(args.epochs):
        for part in torch.randperm(len(rows)).split(args.minibatch * args.players):
            every = rows[part]
            found = loss(every[every["agents", "mask"]])
            critic = loss.loss_critic(every)[0].mean()
            optimizer.zero_grad()
            (found["loss_objective"] + found["loss_entropy"] + critic).backward()
            nn.utils.clip_grad_norm_(loss.parameters(), 0.5)
            optimizer.step()


def main(argv: list[str] | None = None) -> list[dict]:
    args = parse_args(argv)
    torch.manual_seed(args.seed)
    torch.set_num_threads(1)
    spec = describe(shikoku_v0.batch(1, args.players), args.width)
    net = Net(spec)
    model = actor_critic(net)
    loss = ClipPPOLoss(
        model.get_policy_operator(),
        model.get_value_operator(),
        entropy_coeff=0.01,
        critic_coeff=0.25,
        loss_critic_type="l2",
        normalize_advantage=True,
    )
    loss.set_keys(action=("agents", "action"), sample_log_prob="log_prob")
    optimizer = torch.optim.Adam(loss.parameters(), lr=1e-3, eps=1e-5)
    collector = MultiSyncCollector(
        [partial(make_env, args.players)] * args.workers,
        model.get_policy_operator(),
        frames_per_batch=args.rollout,
        total_frames=args.plies,
        cat_results="stack",
    )
    collector.set_seed(args.seed)
    try:
        for data in tqdm(collector, total=-(-args.plies // args.rollout), unit="update"):
            update(loss, optimizer, chains(data, model.get_value_operator(), trace=0.95), args)
            collector.update_policy_weights_()
    finally:
        collector.shutdown()
    args.out.mkdir(parents=True, exist_ok=True)
    checkpoint = {"game": "shikoku", "players": [args.players], "spec": spec}
    torch.save(checkpoint | {"net": net.state_dict()}, args.out / "checkpoint.pt")
    policy = NetPolicy(net, spec["observation"])
    return final_table(
        shikoku_v0.batch, policy, [args.players], args.final_games, 2**41 + args.seed
    )


if __name__ == "__main__":
    main()
