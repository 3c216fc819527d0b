"""Train an agent by self-play: PPO in one file, after the manner of CleanRL.

    python examples/selfplay_ppo.py                        # Shikoku for 3, 5 and 8: three minutes
    python examples/selfplay_ppo.py --players 4 --decisions 1_000_000
    python examples/selfplay_ppo.py --checkpoint runs/selfplay_ppo/checkpoint.pt     # evaluate it

One network plays every seat of every game. It sees what the seat to act may see, chooses among the legal
actions, and learns from what that seat gets at the end. A run writes to ``--out``: TensorBoard logs, the
learning curve as ``curve.png``, the final table as ``results.json``, and ``checkpoint.pt``, which
``load_policy`` turns into a policy for any door of the library:

    policy = load_policy("runs/selfplay_ppo/checkpoint.pt")
    actions = policy(games.observe(), games.legal)

Needs the extra ``train`` (torch, tensorboard, tqdm, matplotlib).
"""

from __future__ import annotations

import argparse
import importlib
import json
import math
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import torch
from torch import nn
from torch.utils.tensorboard import SummaryWriter
from tqdm import tqdm

Policy = Callable[[np.ndarray, np.ndarray], np.ndarray]


class Preset(NamedTuple):
    """What is particular to a game: its doors, and a run that suits it."""

    module: str
    door: str
    players: str
    observation: str  # one shape for all player counts, so that one network plays at every table
    decisions: int


GAMES = {
    "shikoku": Preset("shikoku_env", "shikoku_v0", "3,5,8", "padded", 3_000_000),
    "paiko": Preset("paiko_env", "paiko_v0", "2", "planes", 3_000_000),
}


def parse_args(argv: list[str] | None = None) -> argparse.Namespace:
    about = __doc__.partition("\n")[0]
    parser = argparse.ArgumentParser(
        description=about, formatter_class=argparse.ArgumentDefaultsHelpFormatter
    )
    add = parser.add_argument
    add("--game", choices=GAMES, default="shikoku")
    add("--players", help="player counts to train and report, as in 4 or 3,5,8")
    add("--decisions", type=int, help="train for so many decisions of all seats together")
    add("--seconds", type=float, help="train for so long instead")
    add("--checkpoint", type=Path, help="go on from here; without a budget: evaluate only")
    add("--out", type=Path, default=Path("runs/selfplay_ppo"), help="folder to write to")
    add("--seed", type=int, default=1)
    add("--games", type=int, default=192, help="games played side by side")
    add("--plies", type=int, default=128, help="decisions in each game between two updates")
    add("--lr", type=float, default=1e-3, help="learning rate, annealed to zero")
    add("--epochs", type=int, default=3, help="passes over the decisions of an update")
    add("--minibatch", type=int, default=2048)
    add("--clip", type=float, default=0.2, help="how far a probability ratio may move")
    add("--entropy", type=float, default=0.01, help="weight of the entropy bonus")
    add("--discount", type=float, default=1.0, help="per decision of the same seat")
    add("--trace", type=float, default=0.95, help="lambda of the advantage estimate")
    add("--width", type=int, default=256, help="of the network")
    add("--evaluations", type=int, default=12, help="points of the learning curve")
    add("--eval-games", type=int, default=1000, help="games for each of these points")
    add("--final-games", type=int, default=10_000, help="games for each line of the final table")
    args = parser.parse_args(argv)
    return args


# -- games ---------------------------------------------------------------------------------------


class Tables:
    """Batches for several player counts, seen as one batch of games with ``max_players`` seats."""

    def __init__(self, make: Callable[..., Any], games: int, players: list[int], seed: int) -> None:
        each = [games // len(players) + (k < games % len(players)) for k in range(len(players))]
        self.batches = [
            make(count, num_players, seed=seed + games * k)
            for k, (count, num_players) in enumerate(zip(each, players, strict=True))
        ]
        bounds = np.cumsum([0, *each]).tolist()
        self.slices = [slice(a, b) for a, b in zip(bounds[:-1], bounds[1:], strict=True)]
        self.max_players = max(players)

    @property
    def seat(self) -> np.ndarray:
        return np.concatenate([batch.seat for batch in self.batches])

    @property
    def legal(self) -> np.ndarray:
        return np.concatenate([batch.legal for batch in self.batches])

    def observe(self, out: np.ndarray) -> None:
        for batch, part in zip(self.batches, self.slices, strict=True):
            batch.observe(out=out[part])

    def step(self, actions: np.ndarray, rewards: np.ndarray, ended: np.ndarray) -> None:
        """Make a move in every game; write what it paid; begin anew where a game is over."""
        for batch, part in zip(self.batches, self.slices, strict=True):
            batch.step(actions[part])
            rewards[part, : batch.num_players] = batch.rewards
            ended[part] = done = batch.done
            if done.any():
                batch.reset(done)


# -- networks ------------------------------------------------------------------------------------


class SeatNet(nn.Module):
    def __init__(self, shape, num_actions, high, width) -> None:
        super().__init__()
        self.register_buffer("scale", 1.0 / torch.as_tensor(high, dtype=torch.float32))
        self.trunk = nn.Sequential(
            nn.Linear(shape[0], width), nn.ReLU(), nn.Linear(width, width), nn.ReLU()
        )
        self.policy = nn.Linear(width, num_actions)
        self.value = nn.Linear(width, 1)

    def forward(self, observations):
        x = self.trunk(observations * self.scale)
        return self.policy(x), self.value(x).squeeze(-1)


NETS = {"mlp": SeatNet}


def make_net(spec: dict[str, Any]) -> nn.Module:
    return NETS[spec["net"]](spec["shape"], spec["num_actions"], spec["high"], spec["width"])


def log_policy(logits: torch.Tensor, masks: torch.Tensor) -> torch.Tensor:
    """(B, A) log probabilities, illegal actions impossible."""
    return torch.log_softmax(logits.masked_fill(~masks, -1e9), -1)


def sample(logp: torch.Tensor, generator: torch.Generator) -> torch.Tensor:
    noise = torch.empty_like(logp).exponential_(generator=generator)
    return (logp.exp() / noise).argmax(-1)


# -- credit --------------------------------------------------------------------------------------


def credit(seats, values, rewards, ended, discount, trace):
    plies, games = seats.shape
    at_stake = np.zeros(rewards.shape[1:], np.float32)  # reward still to be handed out
    next_value = np.zeros_like(at_stake)
    next_advantage = np.zeros_like(at_stake)
    known = np.zeros(at_stake.shape, np.bool_)
    advantages = np.zeros_like(values)
    complete = np.zeros(values.shape, np.bool_)
    every = np.arange(games)
    for t in reversed(range(plies)):
        over = ended[t]
        at_stake[over] = rewards[t, over]
        next_value[over] = 0
        next_advantage[over] = 0
        known[over] = True
        mine = every, seats[t]
        error = at_stake[mine] + discount * next_value[mine] - values[t]
        complete[t] = known[mine]
        advantages[t] = np.where(complete[t], error + discount * trace * next_advantage[mine], 0)
        at_stake[mine] = 0
        next_value[mine] = values[t]
        next_advantage[mine] = advantages[t]
        known[mine] = True
    return advantages, complete


# -- evaluation ----------------------------------------------------------------------------------


def evaluate(make, policy, num_players, count, seed):
    """Rewards (count,) of the learner."""
    games = make(count, num_players, seed=seed)
    learner = np.arange(count) % num_players
    every = np.arange(count)
    while not games.done.all():
        actions = games.sample_legal()
        mine = np.flatnonzero(games.seat == learner)
        if len(mine) and policy is not None:
            actions[mine] = policy(games.observe()[mine], games.legal[mine])
        games.step(actions)
    return games.rewards[every, learner]


def greedy_policy(net):
    def policy(obs, masks):
        with torch.inference_mode():
            logits, _ = net(torch.from_numpy(obs).float())
            return log_policy(logits, torch.from_numpy(masks)).argmax(-1).numpy()
    return policy


def train(args, netname="mlp", hook=None):
    torch.manual_seed(args.seed)
    gen = torch.Generator().manual_seed(args.seed)
    mod = getattr(importlib.import_module("shikoku_env"), "shikoku_v0")
    make = lambda *a, **k: mod.batch(*a, observation="padded", **k)
    players = [int(x) for x in (args.players or "3,5,8").split(",")]
    tables = Tables(make, args.games, players, args.seed)
    b = tables.batches[0]
    spec = dict(net=netname, shape=b.observation_shape, num_actions=b.num_actions, width=args.width,
        high=b.game.views["padded"].high(b.num_players))
    net = make_net(spec)
    opt = torch.optim.AdamW(net.parameters(), lr=args.lr, eps=1e-5, weight_decay=getattr(args,'wd',0.0))
    T, G, P = args.plies, args.games, tables.max_players
    obs = np.zeros((T, G, *b.observation_shape), np.int8)
    masks = np.zeros((T, G, b.num_actions), bool)
    seats = np.zeros((T, G), np.int64)
    actions = np.zeros((T, G), np.int64)
    logps = np.zeros((T, G), np.float32)
    values = np.zeros((T, G), np.float32)
    rewards = np.zeros((T, G, P), np.float32)
    ended = np.zeros((T, G), bool)
    decisions = 0
    tm = dict(roll=0.0, upd=0.0)
    it = 0
    while decisions < args.decisions:
        c0 = time.process_time()
        with torch.inference_mode():
            for t in range(T):
                tables.observe(obs[t])
                masks[t] = tables.legal
                seats[t] = tables.seat
                logits, v = net(torch.from_numpy(obs[t]).float())
                lp = log_policy(logits, torch.from_numpy(masks[t]))
                a = sample(lp, gen)
                actions[t] = a.numpy()
                logps[t] = lp.gather(1, a[:, None]).squeeze(1).numpy()
                values[t] = v.numpy()
                tables.step(actions[t], rewards[t], ended[t])
        decisions += T * G
        c1 = time.process_time()
        adv, complete = credit(seats, values, rewards, ended, args.discount, args.trace)
        idx = torch.from_numpy(np.flatnonzero(complete))
        flat = [torch.from_numpy(x.reshape(T * G, *x.shape[2:])) for x in (obs, masks, actions, logps, adv, adv + values)]
        frac = 1 - (decisions-T*G) / args.decisions
        for gparam in opt.param_groups: gparam["lr"] = args.lr * frac
        st = []
        for ep in range(args.epochs):
            order = idx[torch.randperm(len(idx), generator=gen)]
            for mb in order.split(args.minibatch):
                if len(mb) < args.minibatch // 2: continue
                o, m, a, lp0, ad, ret = [f[mb] for f in flat]
                logits, v = net(o.float())
                lp_all = log_policy(logits, m)
                p_all = lp_all.exp()
                lp = lp_all.gather(1, a[:, None]).squeeze(1)
                ad = (ad - ad.mean()) / (ad.std() + 1e-8)
                ratio = (lp - lp0).exp()
                pl = -torch.min(ratio * ad, ratio.clamp(1 - args.clip, 1 + args.clip) * ad).mean()
                vl = 0.5 * (v - ret).square().mean()
                ent = -(p_all * lp_all.masked_fill(~m, 0)).sum(-1).mean()
                loss = pl + args.vf * vl - args.entropy * (ent)
                opt.zero_grad(); loss.backward()
                nn.utils.clip_grad_norm_(net.parameters(), args.gradclip)
                opt.step()
                st.append((pl.item(), vl.item(), ent.item(), (lp0 - lp).mean().item(), ((ratio-1).abs()>args.clip).float().mean().item()))
        tm["roll"] += c1 - c0
        tm["upd"] += time.process_time() - c1
        it += 1
        if hook: hook(it, decisions, np.array(st).mean(0), tm, net, make, players, adv, complete, values)
    return net, make, players
