"""Train an agent by self-play: PPO in one file, after the manner of CleanRL.

    python examples/selfplay_ppo.py                              # Shikoku for 3, 5 and 8 at once
    python examples/selfplay_ppo.py --players 4 --seconds 60
    python examples/selfplay_ppo.py --checkpoint runs/shikoku/checkpoint.pt      # only evaluate it

One network plays every seat of every game. It sees what the seat to act may see, chooses among the
legal actions, and learns from what that seat gets in the end. It never meets anybody but itself until
it is evaluated: then it sits among random players, one seat a game, every seat equally often.

A run writes into ``--out``: logs for TensorBoard, the learning curve ``curve.png``, the final table
``results.json``, and ``checkpoint.pt``, which becomes a policy for any door of the library:

    policy = load_policy("runs/shikoku/checkpoint.pt")
    games = shikoku_v0.batch(100, num_players=5, observation=policy.observation)
    games.step(policy(games.observe(), games.legal))

Needs torch, tensorboard, tqdm and matplotlib: the extra ``train``. Some choices below come with figures:
they were measured with Shikoku on two cores.
"""

from __future__ import annotations

import argparse
import importlib
import json
import math
import time
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import torch
from torch import nn
from torch.utils.tensorboard import SummaryWriter
from tqdm import tqdm


class Preset(NamedTuple):
    """What is particular to a game: where its door is, and the run that suits it."""

    module: str
    door: str
    players: str
    decisions: int
    shared: str | None = None  # the form of observation that has one shape for all player counts


GAMES = {
    "shikoku": Preset("shikoku_env", "shikoku_v0", "3,5,8", 4_000_000, "padded"),
    "paiko": Preset("paiko_env", "paiko_v0", "2", 4_000_000),
}


def parse_args(argv: list[str] | None = None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__.partition("\n")[0],
        formatter_class=argparse.ArgumentDefaultsHelpFormatter,
    )
    add = parser.add_argument
    add("--game", choices=GAMES, default="shikoku")
    add("--players", help="player counts to train and to report, as in 4 or 3,5,8")
    add("--decisions", type=int, help="train for so many decisions of all seats together")
    add("--seconds", type=float, help="train for so long instead")
    add("--checkpoint", type=Path, help="go on from this file; without a budget, only evaluate it")
    add("--out", type=Path, help="folder to write into; by default runs/ and the game")
    add("--seed", type=int, default=1)
    add("--games", type=int, default=192, help="games played side by side")
    add("--plies", type=int, default=128, help="decisions in each game between two updates")
    add("--lr", type=float, default=1e-3, help="learning rate, which falls to zero in a line")
    add("--epochs", type=int, default=1, help="times that an update goes through its decisions")
    add("--minibatch", type=int, default=1024, help="decisions in each step of the optimizer")
    add("--clip", type=float, default=0.2, help="how far an update may move a probability ratio")
    add("--entropy", type=float, default=0.01, help="weight of the entropy bonus")
    add("--discount", type=float, default=1.0, help="for each decision of a seat")
    add("--trace", type=float, default=0.8, help="lambda of the advantage estimates")
    add("--width", type=int, default=256, help="size of the network's layers")
    add("--points", type=int, default=10, help="of the learning curve")
    add("--point-games", type=int, default=1_000, help="games for each of them")
    add("--final-games", type=int, default=10_000, help="games for each line of the final table")
    return parser.parse_args(argv)


# -- many games ----------------------------------------------------------------------------------


class Tables:
    """One batch of games for each player count, handled as if they were one batch of G games.

    A count gets games in proportion to its seats: at every count, a seat then acts equally often.
    """

    def __init__(self, new: Any, players: list[int], count: int, seed: int) -> None:
        bounds = [count * sum(players[:k]) // sum(players) for k in range(len(players) + 1)]
        self.slices = [slice(*pair) for pair in zip(bounds[:-1], bounds[1:], strict=True)]
        self.batches = [
            new(part.stop - part.start, seats, seed=seed + part.start)
            for part, seats in zip(self.slices, players, strict=True)
        ]

    def look(self, observations: np.ndarray, masks: np.ndarray, seats: np.ndarray) -> None:
        """Write what the seats to act see, what they may do, and who they are."""
        for part, games in zip(self.slices, self.batches, strict=True):
            games.observe(out=observations[part])
            masks[part], seats[part] = games.legal, games.seat

    def step(self, actions: np.ndarray, rewards: np.ndarray, ended: np.ndarray) -> None:
        """Act in every game, write what it paid and whether it ended, and begin ended ones anew."""
        for part, games in zip(self.slices, self.batches, strict=True):
            games.step(actions[part])
            rewards[part, : games.num_players] = games.rewards
            ended[part] = over = games.done
            if over.any():
                games.reset(over)


# -- networks ------------------------------------------------------------------------------------


class Counts(nn.Module):
    """Marks of 0 or 1 pass; a count up to h becomes its share of h and h marks: 1 or more, 2 or more …

    Games turn on who is ahead and by how much, which a layer reads off marks far more easily than off
    one number (of three players it then won 57 % after 600,000 decisions, instead of 38 %).
    """

    def __init__(self, high: list[int]) -> None:
        super().__init__()
        marks = [(i, k) for i, h in enumerate(high) if 1 < h <= 64 for k in range(1, h + 1)]
        self.register_buffer("scale", 1 / torch.tensor(high, dtype=torch.float32))
        self.register_buffer("source", torch.tensor([i for i, _ in marks], dtype=torch.int64))
        self.register_buffer("level", torch.tensor([k for _, k in marks], dtype=torch.float32))
        self.size = len(high) + len(marks)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return torch.cat([x * self.scale, (x[..., self.source] >= self.level).float()], -1)


class SeatNet(nn.Module):
    """For vectors: one small encoder reads the block of every seat, then layers read all of it."""

    def __init__(self, spec: dict[str, Any]) -> None:
        super().__init__()
        width, high = spec["width"], spec["high"]
        self.seats, self.table_size = spec["seats"], spec["table_size"]
        self.table = Counts(high[: self.table_size])
        size = self.table.size
        if self.seats:
            block = (len(high) - self.table_size) // self.seats
            self.seat = Counts(high[self.table_size : self.table_size + block])
            self.encoder = nn.Sequential(nn.Linear(self.seat.size, width // 4), nn.ReLU())
            size += self.seats * (width // 4)
        self.trunk = nn.Sequential(
            nn.Linear(size, width), nn.ReLU(), nn.Linear(width, width), nn.ReLU()
        )
        self.policy, self.value = heads(width, width, spec["num_actions"])

    def forward(self, x: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """(B, size) observations to (B, A) logits and (B,) values."""
        parts = [self.table(x[:, : self.table_size])]
        if self.seats:
            blocks = x[:, self.table_size :].unflatten(1, (self.seats, -1))
            parts.append(self.encoder(self.seat(blocks)).flatten(1))
        x = self.trunk(torch.cat(parts, 1))
        return self.policy(x), self.value(x).squeeze(1)


class PlaneNet(nn.Module):
    """For boards: convolutions over the planes, then a flat layer of all actions."""

    def __init__(self, spec: dict[str, Any]) -> None:
        super().__init__()
        width, (planes, rows, columns) = spec["width"], spec["shape"]
        channels, narrow = width // 4, width // 32
        high = torch.tensor(spec["high"], dtype=torch.float32)
        self.register_buffer("scale", 1 / high.reshape(spec["shape"]))
        self.trunk = nn.Sequential(
            *(nn.Conv2d(planes, channels, 3, padding=1), nn.ReLU()),
            *(nn.Conv2d(channels, channels, 3, padding=1), nn.ReLU()),
            *(nn.Conv2d(channels, channels, 3, padding=1), nn.ReLU()),
            *(nn.Conv2d(channels, narrow, 1), nn.ReLU(), nn.Flatten()),
            *(nn.Linear(narrow * rows * columns, width), nn.ReLU()),
        )
        self.policy, self.value = heads(width, width, spec["num_actions"])

    def forward(self, x: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """(B, C, H, W) observations to (B, A) logits and (B,) values."""
        x = self.trunk(x * self.scale)
        return self.policy(x), self.value(x).squeeze(1)


def heads(policy_size: int, value_size: int, num_actions: int) -> tuple[nn.Linear, nn.Linear]:
    """The last layers; the policy's is small, so that training begins with even chances."""
    policy = nn.Linear(policy_size, num_actions)
    nn.init.orthogonal_(policy.weight, 0.01)
    nn.init.zeros_(policy.bias)
    return policy, nn.Linear(value_size, 1)


def describe(games: Any, width: int) -> dict[str, Any]:
    """What a network must know of a game, as plain values that a checkpoint can keep."""
    game, view = games.game, games.observation
    starts = {}  # of the seats' blocks, by the "seat0", "seat1" … their names begin with
    for block in game.observation_layout(view, games.num_players):
        if block.name.startswith("seat"):
            starts.setdefault(block.name.partition("_")[0], block.start)
    high = np.broadcast_to(game.views[view].high(games.num_players), games.observation_shape)
    return {
        "observation": view,
        "shape": list(games.observation_shape),
        "num_actions": games.num_actions,
        "high": np.maximum(high, 1).ravel().tolist(),
        "seats": len(starts),
        "table_size": min(starts.values(), default=math.prod(games.observation_shape)),
        "width": width,
    }


def build(spec: dict[str, Any]) -> nn.Module:
    return PlaneNet(spec) if len(spec["shape"]) == 3 else SeatNet(spec)


def log_policy(logits: torch.Tensor, masks: torch.Tensor) -> torch.Tensor:
    """(B, A) logarithms of the probabilities; that of an illegal action is 0 (its logarithm -1e9)."""
    return torch.log_softmax(logits.masked_fill(~masks, -1e9), 1)


class NetPolicy:
    """A network as a policy for the library's doors: observations and masks in, actions out.

    It makes the most probable move, unless it is given a generator to draw moves with.
    """

    def __init__(self, net: nn.Module, observation: str, draw: torch.Generator | None = None):
        self.net, self.observation, self.draw = net, observation, draw

    @torch.inference_mode()
    def __call__(self, observations: np.ndarray, masks: np.ndarray) -> np.ndarray:
        logits, _ = self.net(torch.as_tensor(observations).float())
        logs = log_policy(logits, torch.as_tensor(masks))
        if self.draw is None:
            return logs.argmax(1).numpy()
        return torch.multinomial(logs.exp(), 1, generator=self.draw)[:, 0].numpy()


def load_policy(path: str | Path, draw: torch.Generator | None = None) -> NetPolicy:
    """The policy of a checkpoint."""
    saved = torch.load(path, weights_only=True)
    net = build(saved["spec"])
    net.load_state_dict(saved["net"])
    return NetPolicy(net, saved["spec"]["observation"], draw)


# -- learning ------------------------------------------------------------------------------------


class Rollout:
    """T decisions in each of G games: what was seen, done and paid, decision by decision."""

    def __init__(self, plies: int, games: int, spec: dict[str, Any], max_players: int) -> None:
        self.observations = np.zeros((plies, games, *spec["shape"]), np.int8)
        self.masks = np.zeros((plies, games, spec["num_actions"]), np.bool_)
        self.seats = np.zeros((plies, games), np.int64)  # who acted
        self.actions = np.zeros((plies, games), np.int64)
        self.logs = np.zeros((plies, games), np.float32)  # of the probability of that action
        self.values = np.zeros((plies, games), np.float32)  # of the game for who acted
        self.rewards = np.zeros((plies, games, max_players), np.float32)  # of every seat
        self.ended = np.zeros((plies, games), np.bool_)  # was it the game's last decision?

    @torch.inference_mode()
    def play(self, tables: Tables, net: nn.Module, draw: torch.Generator) -> None:
        for t in range(len(self.seats)):
            tables.look(self.observations[t], self.masks[t], self.seats[t])
            logits, values = net(torch.from_numpy(self.observations[t]).float())
            logs = log_policy(logits, torch.from_numpy(self.masks[t]))
            actions = torch.multinomial(logs.exp(), 1, generator=draw)
            self.actions[t] = actions[:, 0].numpy()
            self.logs[t] = logs.gather(1, actions)[:, 0].numpy()
            self.values[t] = values.numpy()
            tables.step(self.actions[t], self.rewards[t], self.ended[t])


def credit(
    seats: np.ndarray,
    values: np.ndarray,
    rewards: np.ndarray,
    ended: np.ndarray,
    discount: float,
    trace: float,
) -> tuple[np.ndarray, np.ndarray]:
    """Advantages by GAE, each seat's decisions being a chain of their own.

    What follows a decision is the *same seat's* next decision, however many others act in between, and
    a seat's reward belongs to its own last decision, though another seat's move may have ended the game.
    So we go backwards through the rollout and remember for every seat of every game, in (G, P) arrays,
    what its next decision was worth. Where a game ends, all its seats begin afresh with their rewards.

    At the end of the rollout games are cut off. The latest decision of each seat in them has no known
    sequel: it is left out, and its value stands for what comes after the one before.

    Parameters
    ----------
    seats, values, ended : (T, G)
        As in ``Rollout``; so are the ``rewards`` (T, G, P), which count where a game ended.

    Returns
    -------
    advantages : (T, G) float32
        Zero where left out.
    known : (T, G) bool
        Which decisions are to be learned from.
    """
    reward = np.zeros(rewards.shape[1:], np.float32)  # to be paid to the decision met next
    value, advantage = np.zeros_like(reward), np.zeros_like(reward)  # of the seat's next decision
    has_sequel = np.zeros(reward.shape, np.bool_)  # a next decision, or the end of the game
    advantages, known = np.zeros_like(values), np.zeros_like(ended)
    game = np.arange(seats.shape[1])
    for t in reversed(range(len(seats))):
        over = ended[t]
        reward[over], has_sequel[over] = rewards[t, over], True
        value[over] = advantage[over] = 0
        mine = game, seats[t]
        error = reward[mine] + discount * value[mine] - values[t]
        known[t] = has_sequel[mine]
        advantages[t] = np.where(known[t], error + discount * trace * advantage[mine], 0)
        reward[mine], value[mine], advantage[mine] = 0, values[t], advantages[t]
        has_sequel[mine] = True
    return advantages, known


def update(
    net: nn.Module,
    optimizer: torch.optim.Optimizer,
    played: Rollout,
    args: argparse.Namespace,
    draw: torch.Generator,
) -> dict[str, float]:
    """Improve the network by a rollout (PPO with clipping); returns what to log."""
    advantages, known = credit(
        played.seats, played.values, played.rewards, played.ended, args.discount, args.trace
    )
    columns = (
        *(played.observations, played.masks, played.actions, played.logs),
        *(advantages, advantages + played.values),
    )
    data = [torch.from_numpy(column).flatten(0, 1) for column in columns]
    chosen = torch.from_numpy(np.flatnonzero(known))
    logged = []
    for _ in range(args.epochs):
        shuffled = chosen[torch.randperm(len(chosen), generator=draw)]
        for rows in shuffled.tensor_split(math.ceil(len(chosen) / args.minibatch)):
            seen, masks, actions, old_logs, gains, targets = (column[rows] for column in data)
            logits, values = net(seen.float())
            logs = log_policy(logits, masks)
            change = logs.gather(1, actions[:, None])[:, 0] - old_logs
            ratio = change.exp()
            gains = (gains - gains.mean()) / (gains.std() + 1e-6)
            clipped = ratio.clamp(1 - args.clip, 1 + args.clip)
            policy_loss = -torch.min(ratio * gains, clipped * gains).mean()
            value_loss = (values - targets).square().mean() / 2
            entropy = -(logs.exp() * logs).sum(1).mean()
            loss = policy_loss + value_loss / 2 - args.entropy * entropy
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(net.parameters(), 0.5)
            optimizer.step()
            logged.append([policy_loss, value_loss, entropy, (ratio - 1 - change).mean()])
    names = ("policy_loss", "value_loss", "entropy", "kl")
    return dict(zip(names, torch.tensor(logged).mean(0).tolist(), strict=True))


# -- evaluation ----------------------------------------------------------------------------------


class Score(NamedTuple):
    """Mean reward and share of games won by one seat, with half the widths of 95 % intervals."""

    reward: float
    reward_error: float
    wins: float
    wins_error: float


def evaluate(new: Any, policy: Any, rival: str, players: int, count: int, seed: int) -> Score:
    """Play one seat by ``policy`` (None: at random) and the others by the library's policy ``rival``.

    The seat goes round from game to game, so that each is played equally often.
    """
    count = math.ceil(count / players) * players
    games = new(count, players, seed=seed)
    seat = np.arange(count) % players
    others_choose = games.game.policies.get(rival)  # None: random
    while not games.done.all():
        actions = games.sample_legal()
        mine = np.flatnonzero(games.seat == seat)
        others = np.flatnonzero((games.seat != seat) & ~games.done)
        if others_choose and len(others):
            actions[others] = others_choose.choose(games, others)
        if policy and len(mine):
            actions[mine] = policy(games.observe()[mine], games.legal[mine])
        games.step(actions)
    rewards = games.rewards[np.arange(count), seat]
    figures = []
    for sample in (rewards, rewards > 0):
        figures += [float(sample.mean()), 1.96 * float(sample.std(ddof=1)) / math.sqrt(count)]
    return Score(*figures)


def final_table(
    new: Any, policy: NetPolicy, players: list[int], count: int, seed: int
) -> list[dict]:
    """The policy, and a random player in its place, among random players and the game's policies."""
    rows = []
    print(f"\n{'players':>7} {'among':>8} {'who':>8} {'games won':>16} {'mean reward':>18}")
    for seats in players:
        for rival in ("random", *new(1, seats).game.policies):
            for who, plays in (("learner", policy), ("random", None)):
                score = evaluate(new, plays, rival, seats, count, seed)
                rows.append({"players": seats, "among": rival, "who": who, **score._asdict()})
                wins = f"{100 * score.wins:.1f} ± {100 * score.wins_error:.1f} %"
                reward = f"{score.reward:+.3f} ± {score.reward_error:.3f}"
                print(f"{seats:>7} {rival:>8} {who:>8} {wins:>16} {reward:>18}", flush=True)
    return rows


def draw_curve(curve: list[dict], baseline: dict[int, Score], title: str, path: Path) -> None:
    """Mean reward among random players over training, with 95 % bands; random play dashed."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(7, 4.2), layout="constrained")
    axes = figure.subplots()
    for index, (seats, random) in enumerate(baseline.items()):
        points = [point for point in curve if point["players"] == seats]
        at, mean, error = (
            np.array([point[key] for point in points])
            for key in ("decisions", "reward", "reward_error")
        )
        color = f"C{index}"
        axes.plot(at, mean, color=color, marker="o", ms=3, label=f"{seats} players")
        axes.fill_between(at, mean - error, mean + error, color=color, alpha=0.2, lw=0)
        axes.axhline(random.reward, color=color, ls="--", lw=1)
    axes.plot([], [], color="gray", ls="--", lw=1, label="random play")
    axes.set(xlabel="decisions in self-play", ylabel="mean reward among random players")
    axes.set_title(title)
    axes.xaxis.set_major_formatter(lambda x, _: f"{x / 1e6:g} M" if x else "0")
    axes.grid(alpha=0.3)
    axes.legend()
    figure.savefig(path, dpi=150)


# -- the run -------------------------------------------------------------------------------------


def train(
    args: argparse.Namespace, new: Any, players: list[int], saved: dict[str, Any]
) -> NetPolicy:
    """Train until the budget is spent; write logs, curve and checkpoint on the way."""
    torch.manual_seed(args.seed)
    draw = torch.Generator().manual_seed(args.seed)
    spec = saved.get("spec") or describe(new(1, max(players)), args.width)
    net = build(spec)
    optimizer = torch.optim.Adam(net.parameters(), lr=args.lr, eps=1e-5)
    decisions, curve = saved.get("decisions", 0), saved.get("curve", [])
    if saved:
        net.load_state_dict(saved["net"])
        optimizer.load_state_dict(saved["optimizer"])
    policy = NetPolicy(net, spec["observation"])
    tables = Tables(new, players, args.games, seed=args.seed * 1_000_000 + decisions)
    played = Rollout(args.plies, args.games, spec, max(players))
    test = partial(evaluate, new, rival="random", count=args.point_games, seed=2**40 + args.seed)
    baseline = {seats: test(None, players=seats) for seats in players}
    log = SummaryWriter(args.out)

    def measure() -> str:
        scores = {seats: test(policy, players=seats) for seats in players}
        for seats, score in scores.items():
            curve.append({"decisions": decisions, "players": seats, **score._asdict()})
            log.add_scalar(f"reward_among_random/{seats}", score.reward, decisions)
            log.add_scalar(f"wins_among_random/{seats}", score.wins, decisions)
        draw_curve(curve, baseline, f"{args.game}: self-play PPO", args.out / "curve.png")
        checkpoint = {
            **{"game": args.game, "players": players, "spec": spec, "decisions": decisions},
            **{"curve": curve, "net": net.state_dict(), "optimizer": optimizer.state_dict()},
            "args": {k: v for k, v in vars(args).items() if not isinstance(v, Path)},
        }
        torch.save(checkpoint, args.out / "checkpoint.pt")
        return " ".join(f"{100 * score.wins:.0f}%" for score in scores.values())

    wins = measure() if not curve else ""
    first, began, measured, progress = decisions, time.perf_counter(), 0.0, 0.0
    with tqdm(
        total=100, unit="%", bar_format="{l_bar}{bar}| {elapsed}<{remaining}{postfix}"
    ) as bar:
        while progress < 1:
            for group in optimizer.param_groups:
                group["lr"] = args.lr * (1 - progress)
            played.play(tables, net, draw)
            losses = update(net, optimizer, played, args, draw)
            decisions += args.plies * args.games
            seconds = time.perf_counter() - began
            done, budget = (
                (seconds, args.seconds) if args.seconds else (decisions - first, args.decisions)
            )
            progress = min(1.0, done / budget)
            for name, value in losses.items():
                log.add_scalar(f"losses/{name}", value, decisions)
            log.add_scalar("decisions_per_second", (decisions - first) / seconds, decisions)
            if progress >= measured + 1 / args.points or progress == 1:
                measured, wins = progress, measure()
            bar.set_postfix_str(
                f"{decisions / 1e6:.2f}M decisions, entropy {losses['entropy']:.2f}, won {wins}"
            )
            bar.update(100 * progress - bar.n)
    log.close()
    return policy


def main(argv: list[str] | None = None) -> list[dict]:
    args = parse_args(argv)
    saved = torch.load(args.checkpoint, weights_only=True) if args.checkpoint else {}
    args.game = saved.get("game", args.game)
    preset = GAMES[args.game]
    if args.players:
        players = [int(count) for count in args.players.split(",")]
    else:
        players = saved.get("players") or [int(count) for count in preset.players.split(",")]
    args.out = args.out or Path("runs") / args.game
    args.out.mkdir(parents=True, exist_ok=True)
    view = preset.shared if len(players) > 1 else None
    view = saved["spec"]["observation"] if saved else view
    door = getattr(importlib.import_module(preset.module), preset.door)

    def new(count: int, num_players: int, seed: int = 0) -> Any:
        return door.batch(count, num_players, observation=view, seed=seed)

    began = time.perf_counter()
    if args.checkpoint and not (args.decisions or args.seconds):
        policy = load_policy(args.checkpoint)
    else:
        args.decisions = args.decisions or preset.decisions
        policy = train(args, new, players, saved)
    rows = final_table(new, policy, players, args.final_games, seed=2**41 + args.seed)
    (args.out / "results.json").write_text(json.dumps(rows, indent=1) + "\n")
    print(f"\n{time.perf_counter() - began:.0f} seconds in all; see {args.out}/")
    return rows


if __name__ == "__main__":
    main()
