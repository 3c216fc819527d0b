"""Train an agent by self-play: PPO in one file, after the manner of CleanRL.

    python examples/selfplay_ppo.py                                 # Shikoku for 3, 5 and 8 at once
    python examples/selfplay_ppo.py --players 4 --seconds 60
    python examples/selfplay_ppo.py --checkpoint runs/shikoku/checkpoint.pt         # only evaluate it

One network plays every seat of every game. It sees what the seat to act may see, chooses among the legal
actions, and learns from what that seat gets in the end. It meets nobody but itself until it is evaluated:
then it sits among random players, in one seat of each game, in every seat equally often.

A run writes into ``--out``: logs for TensorBoard, the learning curve ``curve.png``, the final table
``results.json``, and ``checkpoint.pt``, which becomes a policy for any door of the library:

    policy = load_policy("runs/shikoku/checkpoint.pt")
    games = shikoku_v0.batch(100, num_players=5, observation=policy.observation)
    games.step(policy(games.observe(), games.legal))

Needs torch, tensorboard, tqdm and matplotlib: the extra ``train``.
"""

from __future__ import annotations

import argparse
import importlib
import itertools
import json
import math
import time
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import torch
from networks import NetPolicy, describe, load_policy, new_net
from torch import nn
from torch.utils.tensorboard import SummaryWriter
from tqdm import tqdm


class Preset(NamedTuple):
    """What is particular to a game: where its door is, and a run that suits it."""

    package: str
    door: str
    players: str
    decisions: int
    settings: dict[str, Any]  # of the arguments that are not given
    shared: str | None = None  # the form of observation that has one shape at all player counts
    teams: bool = False  # whether agents whose names begin alike are one side


RACE = {"games": 192, "width": 256, "trace": 0.8, "point_games": 1_000, "final_games": 10_000}
BOARD = {"games": 128, "width": 128, "trace": 0.9, "point_games": 100, "final_games": 1_000}
GAMES = {
    "shikoku": Preset("shikoku_env", "shikoku_v0", "3,5,8", 2_400_000, RACE, "padded"),
    "paiko": Preset("paiko_env", "paiko_v0", "2", 300_000, BOARD),
    "valley": Preset("paiko_env", "valley_v0", "3", 150_000, BOARD),
    "ronin": Preset("paiko_env", "ronin_v0", "4", 150_000, BOARD, teams=True),
}


def parse_args(argv: list[str] | None = None) -> argparse.Namespace:
    formatter = argparse.ArgumentDefaultsHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0], formatter_class=formatter)
    add = parser.add_argument
    add("--game", choices=GAMES, default="shikoku")
    add("--players", help="player counts to train and to report, as in 4 or 3,5,8")
    add("--decisions", type=int, help="train for so many decisions of all seats together")
    add("--seconds", type=float, help="train for so long instead")
    add("--checkpoint", type=Path, help="go on from this file; without a budget, only evaluate it")
    add("--out", type=Path, help="folder to write into; by default runs/ and the game")
    add("--seed", type=int, default=1)
    add("--games", type=int, help="games played side by side")
    add("--plies", type=int, default=128, help="decisions in each game from update to update")
    add("--lr", type=float, default=1e-3, help="learning rate, which falls to zero in a line")
    add("--epochs", type=int, default=2, help="times that an update goes through its decisions")
    add("--minibatch", type=int, default=1024, help="decisions in each step of the optimizer")
    add("--clip", type=float, default=0.2, help="how far an update may move a probability ratio")
    add("--entropy", type=float, default=0.01, help="weight of the entropy bonus")
    add("--discount", type=float, default=1.0, help="from one decision of a seat to its next")
    add("--trace", type=float, help="lambda of the advantage estimates")
    add("--width", type=int, help="of the network's layers; a quarter of it in channels")
    add("--points", type=int, default=10, help="of the learning curve")
    add("--point-games", type=int, help="games for each of them")
    add("--final-games", type=int, help="games for each line of the final table")
    parser.epilog = "What has no default is set to suit the game: see GAMES."
    return parser.parse_args(argv)


# -- many games ----------------------------------------------------------------------------------


class Tables:
    """A batch of games for each player count, handled as if they were one batch of G games.

    A count gets games in proportion to its seats: then a seat acts as often at one count as at another.
    """

    def __init__(self, new: Any, players: list[int], count: int, seed: int) -> None:
        bounds = [count * sum(players[:k]) // sum(players) for k in range(len(players) + 1)]
        self.slices = [slice(*pair) for pair in itertools.pairwise(bounds)]
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


# -- learning ------------------------------------------------------------------------------------


class Rollout:
    """T decisions in each of G games: what was seen, done and paid, decision by decision."""

    def __init__(self, plies: int, games: int, spec: dict[str, Any], max_players: int) -> None:
        self.observations = np.zeros((plies, games, *spec["shape"]), np.int8)
        self.masks = np.zeros((plies, games, spec["num_actions"]), np.bool_)
        self.seats = np.zeros((plies, games), np.int64)  # who acted
        self.actions = np.zeros((plies, games), np.int64)
        self.logs = np.zeros((plies, games), np.float32)  # logarithm of the action's probability
        self.values = np.zeros((plies, games), np.float32)  # of the game, for who acted
        self.rewards = np.zeros((plies, games, max_players), np.float32)  # of every seat
        self.ended = np.zeros((plies, games), np.bool_)  # was this the game's last decision?

    @torch.inference_mode()
    def play(self, tables: Tables, net: nn.Module, draw: torch.Generator) -> Rollout:
        for t in range(len(self.seats)):
            tables.look(self.observations[t], self.masks[t], self.seats[t])
            seen, masks = torch.from_numpy(self.observations[t]), torch.from_numpy(self.masks[t])
            logs, values = net(seen, masks)
            actions = torch.multinomial(logs.exp(), 1, generator=draw)
            self.actions[t] = actions[:, 0].numpy()
            self.logs[t] = logs.gather(1, actions)[:, 0].numpy()
            self.values[t] = values.numpy()
            tables.step(self.actions[t], self.rewards[t], self.ended[t])
        return self


def credit(
    seats: np.ndarray,
    values: np.ndarray,
    rewards: np.ndarray,
    ended: np.ndarray,
    discount: float,
    trace: float,
) -> tuple[np.ndarray, np.ndarray]:
    """Advantages by GAE, the decisions of each seat being a chain of their own.

    What follows a decision is the *same seat's* next one, however many others act in between; and a seat's
    reward belongs to its own last decision, though another seat's may have ended the game. So we go through
    the rollout backwards and remember, in (G, P) arrays, what every seat's next decision was worth. Where
    a game ends, all its seats begin afresh, with their rewards.

    The end of the rollout cuts games off. There, each seat's latest decision has no known sequel: it is
    left out, but its value stands for the sequel of the one before.

    Parameters
    ----------
    seats, values, ended : (T, G)
        As in ``Rollout``.
    rewards : (T, G, P)
        They count where a game ended.

    Returns
    -------
    advantages : (T, G) float32
        Zero where left out.
    known : (T, G) bool
        Which decisions are not left out.
    """
    reward = np.zeros(
        rewards.shape[1:], np.float32
    )  # due to the seat's decision that comes up next
    value, advantage = np.zeros_like(reward), np.zeros_like(reward)  # of the decision after that
    has_sequel = np.zeros(reward.shape, np.bool_)  # such a decision, or the end of the game
    advantages, known = np.zeros_like(values), np.zeros_like(ended)
    every = np.arange(seats.shape[1])
    for t in reversed(range(len(seats))):
        over = ended[t]
        reward[over], has_sequel[over] = rewards[t, over], True
        value[over] = advantage[over] = 0
        mine = every, seats[t]
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
    """Improve the network by what was played (PPO with clipping); what to log."""
    chains = played.seats, played.values, played.rewards, played.ended
    advantages, known = credit(*chains, args.discount, args.trace)
    columns = played.observations, played.masks, played.actions, played.logs
    columns = *columns, advantages, advantages + played.values
    columns = [torch.from_numpy(column).flatten(0, 1) for column in columns]
    chosen, logged = torch.from_numpy(np.flatnonzero(known)), []
    for _ in range(args.epochs):
        shuffled = chosen[torch.randperm(len(chosen), generator=draw)]
        for rows in shuffled.tensor_split(math.ceil(len(chosen) / args.minibatch)):
            seen, masks, actions, old_logs, gains, targets = (column[rows] for column in columns)
            logs, values = net(seen, masks)
            change = logs.gather(1, actions[:, None])[:, 0] - old_logs
            ratio = change.exp()
            gains = (gains - gains.mean()) / (gains.std() + 1e-6)
            clipped = ratio.clamp(1 - args.clip, 1 + args.clip)
            policy_loss = -torch.min(ratio * gains, clipped * gains).mean()
            value_loss = (values - targets).square().mean()
            entropy = -(logs.exp() * logs).sum(1).mean()
            optimizer.zero_grad()
            (policy_loss + value_loss / 4 - args.entropy * entropy).backward()
            nn.utils.clip_grad_norm_(net.parameters(), 0.5)
            optimizer.step()
            kl = (ratio - 1 - change).mean()
            logged.append(torch.stack([policy_loss, value_loss, entropy, kl]).detach())
    names = "policy loss", "value loss", "entropy", "kl"
    return dict(zip(names, torch.stack(logged).mean(0).tolist(), strict=True))


# -- evaluation ----------------------------------------------------------------------------------


def evaluate(
    new: Any, policy: Any, rival: str, players: int, count: int, seed: int, teams: bool = False
) -> dict[str, float]:
    """One side plays by ``policy`` (None: at random), the others by the library's policy ``rival``.

    Mean reward and share of games won of the one side, with half the widths of 95 % intervals. The side is
    another one from game to game, each equally often. It is one seat, or the seats of one team.
    """
    side = np.arange(players)
    if teams:
        names = [agent.rpartition("_")[0] for agent in new(1, players).agents]
        side = np.array([names.index(name) for name in names])
    sides = np.unique(side)
    count = math.ceil(count / len(sides)) * len(sides)
    games = new(count, players, seed=seed)
    seat = sides[np.arange(count) % len(sides)]
    named = games.game.policies.get(rival)  # None: random
    while not games.done.all():
        actions = games.sample_legal()
        ours = ~games.done & (side[games.seat] == seat)
        mine, others = np.flatnonzero(ours), np.flatnonzero(~games.done & ~ours)
        if named and len(others):
            actions[others] = named.choose(games, others)
        if policy and len(mine):
            actions[mine] = policy(games.observe()[mine], games.legal[mine])
        games.step(actions)
    rewards = games.rewards[np.arange(count), seat]
    score = {}
    for name, sample in (("reward", rewards), ("wins", rewards > 0)):
        score[name] = float(sample.mean())
        score[f"{name}_error"] = 1.96 * float(sample.std()) / math.sqrt(count)
    return score


def final_table(
    new: Any, policy: Any, players: list[int], count: int, seed: int, teams: bool = False
) -> list[dict]:
    """The policy, and random play in its place, among random players and the game's own policies."""
    rows = []
    print(f"{'players':>7}  {'others':8}{'the one':8}{'games won':>16}{'mean reward':>19}")
    for seats in players:
        for rival in ("random", *new(1, seats).game.policies):
            for name, plays in (("learner", policy), ("random", None)):
                score = evaluate(new, plays, rival, seats, count, seed, teams)
                rows.append({"players": seats, "others": rival, "one": name, **score})
                wins = f"{100 * score['wins']:.1f} ± {100 * score['wins_error']:.1f} %"
                reward = f"{score['reward']:+.3f} ± {score['reward_error']:.3f}"
                print(f"{seats:>7}  {rival:8}{name:8}{wins:>16}{reward:>19}", flush=True)
    return rows


def draw_curve(curve: list[dict], baseline: dict[int, dict], title: str, path: Path) -> None:
    """Mean reward among random players over training, with 95 % bands; random play dashed."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(7, 4.2), layout="constrained")
    axes = figure.subplots()
    for index, (seats, random) in enumerate(baseline.items()):
        color = f"C{index}"
        points = [point for point in curve if point["players"] == seats]
        keys = "decisions", "reward", "reward_error"
        at, mean, error = (np.array([point[key] for point in points]) for key in keys)
        axes.plot(at / 1e6, mean, color=color, marker="o", ms=3, label=f"{seats} players")
        axes.fill_between(at / 1e6, mean - error, mean + error, color=color, alpha=0.2, lw=0)
        axes.axhline(random["reward"], color=color, ls="--", lw=1)
    axes.plot([], [], color="gray", ls="--", lw=1, label="random play")
    axes.set(xlabel="million decisions in self-play", ylabel="mean reward among random players")
    axes.set_title(title)
    axes.grid(alpha=0.3)
    axes.legend()
    figure.savefig(path, dpi=150)


# -- the run -------------------------------------------------------------------------------------


def train(args: argparse.Namespace, new: Any, players: list[int], saved: dict) -> NetPolicy:
    """Learn until the budget is spent; logs, curve and checkpoint are written on the way.

    While the network learns from one rollout, a second thread plays the next one with a copy of what it
    was before, so both cores are busy; torch's own threads would only wait for each other.
    """
    torch.manual_seed(args.seed)
    spec = saved.get("spec") or describe(new(1, max(players)), args.width, heads="board")
    net, actor = new_net(spec), new_net(spec)
    optimizer = torch.optim.Adam(net.parameters(), lr=args.lr, eps=1e-5)
    decisions, curve = saved.get("decisions", 0), saved.get("curve", [])
    if saved:
        net.load_state_dict(saved["net"])
        optimizer.load_state_dict(saved["optimizer"])
    policy = NetPolicy(net, spec["observation"])
    tables = Tables(new, players, args.games, seed=args.seed * 1_000_000 + decisions)
    sizes = args.plies, args.games, spec, max(players)
    rollouts = itertools.cycle([Rollout(*sizes), Rollout(*sizes)])
    shuffling, drawing = (torch.Generator().manual_seed(args.seed + k) for k in (1, 2))
    how = {"count": args.point_games, "seed": 2**40 + args.seed, "teams": GAMES[args.game].teams}
    test = partial(evaluate, new, rival="random", **how)
    baseline = {seats: test(None, players=seats) for seats in players}
    log = SummaryWriter(args.out)

    def measure() -> str:
        """Add a point to the curve, and write all down."""
        scores = {seats: test(policy, players=seats) for seats in players}
        for seats, score in scores.items():
            curve.append({"decisions": decisions, "players": seats, **score})
            for name, value in score.items():
                log.add_scalar(f"among random/{name}, {seats} players", value, decisions)
        draw_curve(curve, baseline, f"Self-play PPO: {args.game}", args.out / "curve.png")
        plain = {k: v if isinstance(v, int | float) else str(v) for k, v in vars(args).items()}
        checkpoint = {"game": args.game, "players": players, "args": plain, "spec": spec}
        checkpoint |= {"decisions": decisions, "curve": curve}
        checkpoint |= {"net": net.state_dict(), "optimizer": optimizer.state_dict()}
        torch.save(checkpoint, args.out / "checkpoint.pt")
        return " ".join(f"{100 * score['wins']:.0f}%" for score in scores.values())

    def play_on() -> Any:
        actor.load_state_dict(net.state_dict())
        return pool.submit(next(rollouts).play, tables, actor, drawing)

    won = measure()
    first, began, progress = decisions, time.perf_counter(), 0.0
    with ThreadPoolExecutor(1) as pool, tqdm(total=1, bar_format="{l_bar}{bar}|{postfix}") as bar:
        under_way = play_on()
        while progress < 1:
            played = under_way.result()
            under_way = play_on()
            for group in optimizer.param_groups:
                group["lr"] = args.lr * (1 - progress)
            losses = update(net, optimizer, played, args, shuffling)
            decisions += played.seats.size
            before, seconds = progress, time.perf_counter() - began
            spent, budget = decisions - first, args.decisions
            progress = min(1, seconds / args.seconds if args.seconds else spent / budget)
            for name, value in losses.items():
                log.add_scalar(f"learning/{name}", value, decisions)
            log.add_scalar("learning/decisions per second", spent / seconds, decisions)
            if int(progress * args.points) > int(before * args.points):
                won = measure()
            bar.set_postfix_str(f"{seconds:.0f} s, {decisions:,} decisions, games won: {won}")
            bar.update(progress - bar.n)
    log.close()
    return policy


def main(argv: list[str] | None = None) -> list[dict]:
    began, args = time.perf_counter(), parse_args(argv)
    torch.set_num_threads(1)
    saved = torch.load(args.checkpoint, weights_only=True) if args.checkpoint else {}
    args.game = saved.get("game", args.game)
    preset = GAMES[args.game]
    players = saved.get("players") or list(map(int, preset.players.split(",")))
    players = list(map(int, args.players.split(","))) if args.players else players
    view = preset.shared if len(players) > 1 else None
    view = saved["spec"]["observation"] if saved else view
    door = getattr(importlib.import_module(preset.package), preset.door)
    new = partial(door.batch, observation=view)
    args.out = args.out or Path("runs") / args.game
    args.out.mkdir(parents=True, exist_ok=True)

    for name, value in preset.settings.items():
        if getattr(args, name) is None:
            setattr(args, name, value)
    if saved and not (args.decisions or args.seconds):
        policy = load_policy(args.checkpoint)
    else:
        args.decisions = args.decisions or preset.decisions
        policy = train(args, new, players, saved)
    seed = 2**41 + args.seed
    rows = final_table(new, policy, players, args.final_games, seed, preset.teams)
    (args.out / "results.json").write_text(json.dumps(rows, indent=1) + "\n")
    print(f"{time.perf_counter() - began:.0f} seconds in all; more in {args.out}/")
    return rows


if __name__ == "__main__":
    main()
