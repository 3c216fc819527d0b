"""Rate policies and checkpoints against each other, in any game and at any number of players.

    python examples/tournament.py --game paiko random greedy mcts:50 --games 300
    python examples/tournament.py --players 5 random new=runs/shikoku/checkpoint.pt old=runs/old/checkpoint.pt
    python examples/tournament.py --game ronin --players 6 random greedy

Entrants are the library's policies (``random``, ``greedy``, ``mcts:N``) and checkpoints of
``selfplay_ppo.py`` and of the trainers beside it; ``name=`` in front gives another name. A line-up goes
round the table: in as many games as there are sides, each entrant of it has every seat once. In Ronin one
entrant plays all the Blacks, since they are one side.

Two sides of a game that are held by different entrants are compared by their rewards: more is a win,
as much is half a win each. The ratings are the Bradley–Terry strengths of these comparisons (fitted by
``choix``) in Elo's unit: of two that are d points apart, the higher is expected to get a share
1 / (1 + 10^(-d/400)) of their comparisons. Every pair of entrants is given one drawn comparison for free,
so that one who never lost has a rating too, though no interval. The comparisons within a game depend on
each other, so the intervals come from a bootstrap over whole games; they hold the true rating in 95 of 100
tournaments.

``--out`` gets ``ratings.json`` and ``ratings.png``. Needs the extra ``tournament``; checkpoints need the
extra ``train`` as well.
"""

from __future__ import annotations

import argparse
import importlib
import itertools
import json
import math
from pathlib import Path
from typing import Any, NamedTuple

import choix
import numpy as np
import numpy.typing as npt
from mcts import progress
from scipy.sparse.csgraph import connected_components

from tabletop_env.batch import Batch
from tabletop_env.game import Game
from tabletop_env.policies import BatchPolicy, find_policy

GAMES = {
    "shikoku": "shikoku_env.shikoku_v0",
    "paiko": "paiko_env.paiko_v0",
    "valley": "paiko_env.valley_v0",
    "ronin": "paiko_env.ronin_v0",
}
TEAMS = {"ronin"}  # here seats of one colour are one side
ELO = 400 / math.log(10)  # points in one unit of strength


def parse_args(argv: list[str] | None = None) -> argparse.Namespace:
    formatter = argparse.ArgumentDefaultsHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0], formatter_class=formatter)
    add = parser.add_argument
    add("entrants", nargs="+", metavar="ENTRANT", help="a policy's name or a checkpoint's path")
    add("--game", choices=GAMES, default="shikoku")
    add("--players", type=int, metavar="N", help="by default as many as the game's doors take")
    add("--games", type=int, default=1000, metavar="K", help="rounded up to whole rotations")
    add("--zero", metavar="NAME", help="who is rated 0; by default the first entrant")
    add("--resamples", type=int, default=1000, metavar="R", help="of the bootstrap")
    add("--seed", type=int, default=0, metavar="S", help="game k has seed S + k")
    add("--threads", type=int, default=1, metavar="T")
    add("--out", type=Path, default=Path("runs/tournament"), help="folder to write into")
    return parser.parse_args(argv)


# -- entrants ------------------------------------------------------------------------------------


class Checkpoint(BatchPolicy):
    """A network of ``selfplay_ppo.py``, whatever form of observation it was trained on."""

    def __init__(self, path: Path, game: Game, num_players: int) -> None:
        import torch
        from networks import load_policy

        saved = torch.load(path, weights_only=True)
        spec, self.view = saved["spec"], saved["spec"]["observation"]
        if saved["game"] != game.name:
            raise ValueError(f"{path} plays {saved['game']}, but the tournament is of {game.name}")
        expected, found = tuple(spec["shape"]), game.views[self.view].shape(num_players)
        if expected != found:
            raise ValueError(
                f"{path} was trained on observations of shape {expected}, but with {num_players} "
                f"players {self.view!r} has {found}"
            )
        self.network = load_policy(path)

    def choose(self, games: Batch, rows: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
        seen = Batch(
            games.game, len(rows), games.num_players, observation=self.view, **games.options
        )
        seen.state[:] = games.state[rows]
        seen.refresh()
        return self.network(seen.observe(), seen.legal)


def find_entrants(texts: list[str], game: Game, num_players: int) -> dict[str, BatchPolicy]:
    """Policies by name; ``ValueError`` for a name that is unknown or there twice, and for one alone."""
    entrants: dict[str, BatchPolicy] = {}
    for text in texts:
        name, equals, what = text.partition("=")
        what = what if equals else text
        if name in entrants:
            raise ValueError(f"two entrants are named {name!r}: write name={what} for one of them")
        if Path(what).is_file():
            entrants[name] = Checkpoint(Path(what), game, num_players)
        elif what.endswith(".pt"):
            raise ValueError(f"there is no checkpoint {what}")
        else:
            entrants[name] = find_policy(game, what)
    if len(entrants) < 2:
        raise ValueError(f"entrants are {list(entrants)}, expected two or more")
    return entrants


# -- games ---------------------------------------------------------------------------------------


def sides_of(game: Game, agents: list[str]) -> npt.NDArray[np.int64]:
    """(P,) the side of every seat: its own one, or its team's."""
    names = [agent.partition("_")[0] if game.name in TEAMS else agent for agent in agents]
    return np.array([list(dict.fromkeys(names)).index(name) for name in names])


def line_ups(entrants: int, sides: int, games: int, seed: int) -> npt.NDArray[np.int64]:
    """(K, S) who holds which side in each game: ``games`` or a few more, in whole rotations.

    All entrants are there as often as each other in a game, or once more; those with the extra side
    change, until all combinations have been there.
    """
    random = np.random.default_rng(seed)
    each, over = divmod(sides, entrants)
    extras = list(itertools.combinations(range(entrants), over))
    tables: list[npt.NDArray[np.int64]] = []
    while len(tables) * sides < games:
        for extra in random.permutation(np.array(extras, np.int64).reshape(len(extras), over)):
            table = random.permutation(np.concatenate([np.arange(entrants).repeat(each), extra]))
            tables.append(np.array([np.roll(table, shift) for shift in range(sides)]))
    return np.concatenate(tables[: math.ceil(games / sides)])


def play(games: Batch, holders: npt.NDArray[np.int64], policies: list[BatchPolicy]) -> None:
    """Play all games to the end, seat s of game k by ``policies[holders[k, s]]``."""
    with progress(games.num_games, "tournament") as show:
        while len(rows := np.flatnonzero(~games.done)):
            holder = holders[rows, games.seat[rows]]
            actions = np.empty(len(rows), np.int64)
            for index in np.unique(holder):
                mine = holder == index
                actions[mine] = policies[index].choose(games, rows[mine])
            games.step(actions, rows)
            show(int(games.done.sum()))


# -- ratings -------------------------------------------------------------------------------------


def compare(
    rewards: npt.NDArray[np.float32], holders: npt.NDArray[np.int64], entrants: int
) -> npt.NDArray[np.float64]:
    """(K, S) rewards and holders of sides to (K, M, M) wins of each entrant over each, ties halved."""
    wins = np.zeros((len(rewards), entrants, entrants))
    every = np.arange(len(rewards))
    for a, b in itertools.permutations(range(rewards.shape[1]), 2):
        other = holders[:, a] != holders[:, b]
        share = np.where(rewards[:, a] == rewards[:, b], 0.5, rewards[:, a] > rewards[:, b])
        np.add.at(wins, (every, holders[:, a], holders[:, b]), share * other)
    return wins


def fit(wins: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """(M, M) wins of each over each to (M,) ratings in Elo's unit, with a mean of 0."""
    drawn = 0.5 * (1 - np.eye(len(wins)))  # the free comparison of each pair
    return ELO * choix.ilsr_pairwise_dense(wins + drawn, max_iter=10_000)


class Ratings(NamedTuple):
    """Of M entrants; all in Elo's unit, and 0 for entrant ``zero``. No interval: low and high are nan."""

    ratings: npt.NDArray[np.float64]
    low: npt.NDArray[np.float64]
    high: npt.NDArray[np.float64]


def rate(wins: npt.NDArray[np.float64], zero: int, resamples: int, seed: int) -> Ratings:
    """Ratings from the wins (K, M, M) of K games, with 95 % intervals by bootstrap over games.

    Without the free comparisons, the distance of two entrants is finite if there is a chain of wins from
    each to the other. Who is not so connected with ``zero`` gets no interval.
    """
    count, entrants, _ = wins.shape
    random, flat = np.random.default_rng(seed), wins.reshape(count, -1)
    drawn = np.empty((resamples, entrants))
    for row in drawn:
        times = np.bincount(random.integers(0, count, count), minlength=count)
        row[:] = fit((times @ flat).reshape(entrants, entrants))
    total = wins.sum(0)
    found = fit(total)
    low, high = np.percentile(drawn - drawn[:, [zero]], [2.5, 97.5], axis=0)
    _, island = connected_components(total > 0, connection="strong")
    low[island != island[zero]] = high[island != island[zero]] = np.nan
    return Ratings(found - found[zero], low, high)


def table(
    names: list[str],
    found: Ratings,
    wins: npt.NDArray[np.float64],
    rewards: npt.NDArray[np.float32],
    holders: npt.NDArray[np.int64],
) -> list[dict[str, Any]]:
    """A row for each entrant, the best first."""
    total = wins.sum(0)
    with np.errstate(invalid="ignore"):
        shares = total / (total + total.T)  # nan for pairs that never met
    bounds = np.round([found.low, found.high], 1).T.tolist()
    rows = []
    for index in np.argsort(-found.ratings, kind="stable").tolist():
        mine = holders == index
        against = {
            name: round(float(share), 4)
            for name, share in zip(names, shares[index], strict=True)
            if not np.isnan(share)
        }
        rows.append(
            {
                "name": names[index],
                "rating": round(float(found.ratings[index]), 1),
                "interval": None if np.isnan(found.low[index]) else bounds[index],
                "share": float(total[index].sum() / (total + total.T)[index].sum()),
                "reward": float(rewards[mine].mean()),
                "games": int(mine.any(1).sum()),
                "against": against,
            }
        )
    return rows


def lines(rows: list[dict[str, Any]]) -> list[str]:
    """The table as text: ratings, then the share of comparisons that each got against each."""
    wide = max(7, *(len(row["name"]) for row in rows))
    text = [f"{'entrant':{wide}}  rating   95 % interval   share  mean reward   games"]
    for row in rows:
        interval = "{:+.0f} … {:+.0f}".format(*row["interval"]) if row["interval"] else "no bounds"
        text.append(
            f"{row['name']:{wide}}  {row['rating']:+6.0f}  {interval:>14}  {100 * row['share']:4.0f} %"
            f"  {row['reward']:+11.3f}  {row['games']:6}"
        )
    names = [row["name"] for row in rows]
    text += ["", f"{'against':{wide}}" + "".join(f"  {name:>6}" for name in names)]
    for row in rows:
        cells = (f"{100 * row['against'][n]:.0f} %" if n in row["against"] else "–" for n in names)
        pairs = zip(cells, names, strict=True)
        text.append(f"{row['name']:{wide}}" + "".join(f"  {c:>{max(6, len(n))}}" for c, n in pairs))
    return text


def draw(rows: list[dict[str, Any]], title: str, path: Path) -> None:
    """Ratings with their intervals, the best on top."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(7, 1.2 + 0.4 * len(rows)), layout="constrained")
    axes = figure.subplots()
    for at, row in enumerate(rows):  # a hollow point has no bounds
        axes.hlines(at, *(row["interval"] or [row["rating"]] * 2), color="C0", lw=2)
        axes.plot(row["rating"], at, "o", color="C0", mfc="C0" if row["interval"] else "white")
    axes.set_yticks(range(len(rows)), [row["name"] for row in rows])
    axes.invert_yaxis()
    axes.set(xlabel="rating (Elo's unit), 95 % intervals", title=title)
    axes.grid(alpha=0.3)
    figure.savefig(path, dpi=150)


# -- the run -------------------------------------------------------------------------------------


def tournament(args: argparse.Namespace) -> list[dict[str, Any]]:
    """Play, rate, print and write; the rows of the table."""
    for name in ("games", "resamples", "threads"):
        if getattr(args, name) < 1:
            raise ValueError(f"--{name} is {getattr(args, name)}, expected 1 or more")
    new = importlib.import_module(GAMES[args.game]).batch
    first = new(1, args.players)
    game, agents = first.game, first.agents
    entrants = find_entrants(args.entrants, game, len(agents))
    names = list(entrants)
    if args.zero is not None and args.zero not in entrants:
        raise ValueError(f"--zero is {args.zero!r}, expected one of {names}")
    sides = sides_of(game, agents)
    holders = line_ups(len(names), sides.max() + 1, args.games, args.seed)
    games = new(len(holders), len(agents), seed=args.seed, num_threads=args.threads)
    play(games, holders[:, sides], list(entrants.values()))
    rewards = games.rewards[:, np.unique(sides, return_index=True)[1]]  # of each side's first seat
    wins = compare(rewards, holders, len(names))
    zero = names.index(args.zero) if args.zero is not None else 0
    found = rate(wins, zero, args.resamples, args.seed)
    rows = table(names, found, wins, rewards, holders)
    title = f"{game.title}, {len(agents)} players, {len(holders):,} games"
    print("\n".join([title, "", *lines(rows)]))
    args.out.mkdir(parents=True, exist_ok=True)
    (args.out / "ratings.json").write_text(json.dumps(rows, indent=1) + "\n")
    draw(rows, title, args.out / "ratings.png")
    return rows


def main(argv: list[str] | None = None) -> list[dict[str, Any]]:
    args = parse_args(argv)
    try:
        return tournament(args)
    except ValueError as error:
        raise SystemExit(f"tournament.py: {error}") from error


if __name__ == "__main__":
    main()
