"""Monte Carlo tree search against the policies of a game, every seat in turn.

    python examples/mcts.py                                          # Shikoku for four, against random
    python examples/mcts.py --players 8 --simulations 300
    python examples/mcts.py --game paiko --games 100 --threads 2     # against random and greedy

In game k the search has seat k modulo the number of players, and all other seats have the opponent's
policy, in Ronin the partners too. The intervals hold the true mean, over games of other seeds, in 95 of
100 runs. Without ``tqdm`` there is no progress bar.
"""

from __future__ import annotations

import argparse
import importlib
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from tabletop_env.batch import Batch
from tabletop_env.policies import BatchPolicy, find_policy
from tabletop_env.search import SIMULATIONS, SearchPolicy

GAMES = {
    "shikoku": "shikoku_env.shikoku_v0",
    "paiko": "paiko_env.paiko_v0",
    "valley": "paiko_env.valley_v0",
    "ronin": "paiko_env.ronin_v0",
}
Z95 = 1.96


def parse_args(argv: list[str] | None = None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    add = parser.add_argument
    add("--game", choices=GAMES, default="shikoku")
    add("--players", type=int, metavar="N", help="by default as many as the game's doors take")
    add("--simulations", type=int, default=SIMULATIONS, metavar="N", help="for each move")
    add("--games", type=int, default=200, metavar="K", help="against each opponent")
    add(
        "--against", metavar="NAMES", help="policies; by default random, and greedy if there is one"
    )
    add("--exploration", type=float, metavar="C", help="weight of the bonus for moves less tried")
    add("--horizon", type=int, metavar="PLIES", help="cut playouts off after so many")
    add("--seed", type=int, default=0, metavar="S", help="game k has seed S + k")
    add("--threads", type=int, default=1, metavar="T")
    return parser.parse_args(argv)


def main(argv: list[str] | None = None) -> None:
    args = parse_args(argv)
    make = importlib.import_module(GAMES[args.game]).batch
    game = make(1, args.players).game
    hero = SearchPolicy(
        args.simulations, exploration=args.exploration, horizon=args.horizon, seed=args.seed
    )
    default = ["random", *(name for name in game.policies if name == "greedy")]
    for name in args.against.split(",") if args.against else default:
        games = make(args.games, args.players, seed=args.seed, num_threads=args.threads)
        seats = np.arange(args.games) % games.num_players
        title = f"{args.simulations} simulations against {name}"
        start = time.perf_counter()
        searched = compete(games, seats, hero, find_policy(game, name), title)
        spent = time.perf_counter() - start
        print(f"{game.title}, {games.num_players} players, {args.games} games: {title}")
        for line in report(games, seats):
            print(line)
        print(f"  {searched:,} moves of the search, {1000 * spent / searched:.1f} ms a move\n")


def compete(
    games: Batch, seats: np.ndarray, hero: BatchPolicy, other: BatchPolicy, title: str
) -> int:
    """Play all games to the end, seat ``seats[k]`` of game k by ``hero``; how often it moved."""
    moves = 0
    with progress(games.num_games, title) as show:
        while len(rows := np.flatnonzero(~games.done)):
            mine = games.seat[rows] == seats[rows]
            actions = np.empty(len(rows), np.int64)
            for policy, part in ((hero, mine), (other, ~mine)):
                if part.any():
                    actions[part] = policy.choose(games, rows[part])
            games.step(actions, rows)
            moves += int(mine.sum())
            show(int(games.done.sum()))
    return moves


def report(games: Batch, seats: np.ndarray) -> Iterator[str]:
    """Lines on what the searching seat has got, in all games and by seat."""
    rewards = games.rewards[np.arange(games.num_games), seats].astype(float)
    yield f"  mean reward {interval(rewards)}"
    for sign, word in ((1, "won"), (0, "drawn or cut off"), (-1, "lost")):
        share = 100 * (np.sign(rewards) == sign)
        if share.any():
            yield f"  {word} {interval(share, 1)} %"
    for seat, agent in enumerate(games.agents):
        if (seats == seat).any():
            yield f"  as {agent}: {interval(rewards[seats == seat])}"


def interval(values: np.ndarray, digits: int = 2) -> str:
    """Mean and half the width of its 95% confidence interval."""
    spread = values.std(ddof=1) if len(values) > 1 else np.nan
    return f"{values.mean():.{digits}f} ± {Z95 * spread / len(values) ** 0.5:.{digits}f}"


@contextmanager
def progress(total: int, title: str) -> Iterator[Any]:
    """A bar that shows how many games are over, where ``tqdm`` is installed."""
    try:
        from tqdm import tqdm
    except ImportError:
        yield lambda count: None
        return
    with tqdm(total=total, desc=title, unit="game", disable=None, leave=False) as bar:
        yield lambda count: bar.update(count - bar.n)


if __name__ == "__main__":
    main()
