"""Monte Carlo tree search for any game: any number of players, chance, and hidden hands.

    found = search(games, simulations=1000, seed=0)
    games.step(found.actions)

Every simulation begins at a copy of the game in which all that the seat to act cannot see is drawn anew
(``resample_hidden``) and the chance to come is another one; it goes down the tree to a move never
tried, and plays on at random. Each node keeps the mean return of every seat, and the seat to act goes
for its own (max-n). With ``evaluate``, a network's priors and values take the place of random play
(PUCT); it is asked about the leaves of all trees at once.

One tree serves all these worlds, since a seat must choose without knowing in which of them it is:
information-set search in the manner of Cowling, Powley and Whitehouse (2012), in which a move competes
with others by how often it was possible. Nodes are sequences of moves; they do not tell outcomes of
chance apart, so that a large deck does not scatter the simulations.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from tabletop_env.batch import Batch
from tabletop_env.check import check_count, check_seed, describe
from tabletop_env.game import CHANCE
from tabletop_env.policies import BatchPolicy
from tabletop_env.tree import (
    NODE,
    PRIOR,
    Findings,
    Forest,
    Plan,
    Tables,
    Tree,
    absorb,
    tally_all,
    tree_loops,
)

Evaluate = Callable[[npt.NDArray[np.int8], npt.NDArray[np.bool_]], tuple[Any, Any]]
"""(n, *shape) int8 observations of the seats to act and (n, A) bool masks to ``(priors, values)``.

``priors`` (n, A) are weights of the moves, 0 or more, of which the legal ones count, or ``None`` for
equal ones. ``values`` (n, P) are the returns that the seats may expect, the observer's first, then
that of the seat after it, and so on round the table; with two players (n,) will do, the observer's,
of which the other's is the negative. A game that is over is not asked about: n may differ.
"""

SIMULATIONS = 1000
EXPLORATION = 1.0
"""Weight of UCB1's bonus where leaves are played out; returns are in -1..1."""
GUIDED_EXPLORATION = 1.5
"""Weight of PUCT's bonus where leaves are evaluated."""
HORIZON = 8
"""Plies of a playout before its end is guessed, in games that have an ``estimate``."""
LONGEST = 10_000
"""Plies after which a playout in other games is given up, lest one without an end is waited for."""
CHUNK = 4000
"""Simulations between two chances to interrupt the search, about."""


class SearchResult(NamedTuple):
    """What a search has found about B games."""

    visits: npt.NDArray[np.int64]
    """(B, A): simulations that began with each move; they add up to ``simulations``."""
    q: npt.NDArray[np.float64]
    """(B, A): mean return of the seat to act after each move; nan where it was not tried."""
    values: npt.NDArray[np.float64]
    """(B, P): mean return of every seat."""
    actions: npt.NDArray[np.int64]
    """(B,): the move most visited; of equals the one of higher ``q``, then of lower number."""


def search(
    games: Batch,
    *,
    simulations: int = SIMULATIONS,
    exploration: float | None = None,
    evaluate: Evaluate | None = None,
    trees: int = 1,
    horizon: int | None = None,
    seed: Any = 0,
) -> SearchResult:
    """Look for the best move of the seat to act in every game.

    What is found about a game depends on its own row and seed alone, and on nothing in the row that
    its seat cannot see. The games are left as they are. Playouts use ``games.num_threads`` threads.

    Parameters
    ----------
    games
        B games, in all of which a seat is to act.
    simulations
        For each game. A tree takes some 50 bytes a simulation. Without ``evaluate`` there is one at
        a time for each thread; with it there are all, each with the priors of its leaves.
    exploration
        Weight of the bonus for moves less tried, 0 or more; by default ``EXPLORATION`` or, with
        ``evaluate``, ``GUIDED_EXPLORATION``.
    evaluate
        A function of observations and masks, see ``Evaluate``; observations have the form that is
        set in ``games``. By default leaves are played out at random.
    trees
        Trees of each game, among which the simulations are divided evenly. More than one make the
        calls of ``evaluate`` larger where games are few, but search less deep.
    horizon
        Cut a playout off after so many plies, 0 or more, and guess: what the game's ``estimate``
        says or, for lack of one, 0 for every seat. By default ``HORIZON`` if the game has an
        estimate; else playouts go on to the end, or for ``LONGEST`` plies.
    seed
        One integer (``seed + i`` for game i), or one for each game (B,).

    Raises
    ------
    TypeError
        If ``games``, ``evaluate`` or ``exploration`` is no such thing.
    ValueError
        If an argument is out of range, a game is over or waits for chance, or ``evaluate``
        answers in other shapes or with numbers that do not fit.
    """
    plan = _plan(simulations, exploration, evaluate, trees, horizon)
    _check_games(games)
    count, players, actions = games.num_games, games.num_players, games.num_actions
    tables = Tables(
        games.state,
        games.seat,
        games._seeds(None, seed),
        np.zeros((count, actions), np.int64),
        np.zeros((count, actions), np.float64),
        np.zeros((count, players), np.float64),
    )
    weight = simulations
    if evaluate is None:
        if horizon is None:
            guessed = type(games.game).estimate is not None
            plan = plan._replace(horizon=HORIZON if guessed else LONGEST)
        _search_by_playouts(games, tables, plan)
    else:
        _search_by_evaluation(games, tables, plan, evaluate)
        weight += trees  # the roots were evaluated too
    return _result(tables, weight)


class SearchPolicy(BatchPolicy):
    """Makes the move that a search finds best.

    The arguments are those of ``search``; its seeds follow from ``seed`` and from each row's stream
    of random moves, so that a game does not depend on its neighbours. A move that is the only one
    is made at once.
    """

    def __init__(
        self,
        simulations: int = SIMULATIONS,
        *,
        exploration: float | None = None,
        evaluate: Evaluate | None = None,
        trees: int = 1,
        horizon: int | None = None,
        seed: int = 0,
    ) -> None:
        _plan(simulations, exploration, evaluate, trees, horizon)
        self.seed = check_seed(seed)
        self.arguments: dict[str, Any] = {
            "simulations": simulations,
            "exploration": exploration,
            "evaluate": evaluate,
            "trees": trees,
            "horizon": horizon,
        }

    def choose(self, games: Batch, rows: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
        actions = games.legal[rows].argmax(axis=1)
        hard = np.flatnonzero(np.count_nonzero(games.legal[rows], axis=1) > 1)
        if len(hard):
            asked = games.take(rows[hard])
            seeds = asked.state["choice"] + asked.plies.astype(np.uint64) + np.uint64(self.seed)
            actions[hard] = search(asked, seed=seeds, **self.arguments).actions
        return actions

    def __repr__(self) -> str:
        return f"<search of {self.arguments['simulations']} simulations>"


@functools.cache
def named_search(name: str) -> SearchPolicy:
    """The policy of a name: ``mcts``, or ``mcts:200`` for 200 simulations a move."""
    kind, colon, number = name.partition(":")
    if kind != "mcts" or (colon and not (number.isascii() and number.isdigit() and int(number))):
        raise ValueError(f"policy is {name!r}, expected mcts or mcts:N for N simulations a move")
    return SearchPolicy(int(number) if colon else SIMULATIONS)


# -- arguments and results -----------------------------------------------------------------------


def _plan(simulations: Any, exploration: Any, evaluate: Any, trees: Any, horizon: Any) -> Plan:
    """The arguments of a search, checked."""
    simulations = check_count("simulations", simulations)
    trees = check_count("trees", trees)
    if simulations % trees:
        raise ValueError(f"simulations is {simulations}, expected a multiple of trees, {trees}")
    if evaluate is not None and not callable(evaluate):
        raise TypeError(f"evaluate is {evaluate!r}, expected a function")
    if exploration is None:
        exploration = EXPLORATION if evaluate is None else GUIDED_EXPLORATION
    if isinstance(exploration, bool) or not isinstance(exploration, int | float | np.number):
        raise TypeError(f"exploration is {exploration!r}, expected a number of 0 or more")
    if not 0 <= exploration < math.inf:
        raise ValueError(f"exploration is {exploration!r}, expected a number of 0 or more")
    if horizon is None:  # by default it depends on the game
        return Plan(simulations // trees, trees, float(exploration), 0)
    if evaluate is not None:
        raise ValueError(f"horizon is {horizon!r}, but leaves are evaluated and not played out")
    if isinstance(horizon, bool) or not isinstance(horizon, int | np.integer) or horizon < 0:
        raise ValueError(f"horizon is {horizon!r}, expected an integer of 0 or more")
    return Plan(simulations // trees, trees, float(exploration), int(horizon))


def _check_games(games: Any) -> None:
    if not isinstance(games, Batch):
        raise TypeError(f"games is {games!r}, expected a Batch")
    if (games.seat < 0).any():
        game = int(np.flatnonzero(games.seat < 0)[0])
        why = "waits for chance" if games.seat[game] == CHANCE else "is over"
        raise ValueError(f"game {game} {why}, expected games in which a seat is to act")


def _result(tables: Tables, weight: int) -> SearchResult:
    visits = tables.visits
    q = np.full(visits.shape, np.nan)
    np.divide(tables.sums, visits, out=q, where=visits > 0)
    most = visits == visits.max(axis=1, keepdims=True)
    actions = np.where(most, q, -np.inf).argmax(axis=1)
    return SearchResult(visits, q, tables.totals / weight, actions)


# -- leaves played out ---------------------------------------------------------------------------


def _search_by_playouts(games: Batch, tables: Tables, plan: Plan) -> None:
    """One tree after another in each thread, all in the same memory."""
    loop = tree_loops(games.game).search
    size = plan.simulations + 1

    def part(start: int) -> None:
        tree = Tree(
            np.zeros(1, games.game.row),
            np.zeros(size, NODE),
            np.zeros((size, games.num_players), np.float32),
        )
        cut: list[Any] = [array[start : start + each] for array in tables]
        loop(Tables(*cut), tree, plan)

    each = max(1, CHUNK // (plan.simulations * plan.trees))
    starts = range(0, games.num_games, each)
    threads = min(games.num_threads, len(starts))
    if threads == 1:
        for start in starts:
            part(start)
        return
    pool = ThreadPoolExecutor(threads)
    try:
        list(pool.map(part, starts))
    finally:
        pool.shutdown(cancel_futures=True)


# -- leaves evaluated ----------------------------------------------------------------------------


def _search_by_evaluation(games: Batch, tables: Tables, plan: Plan, evaluate: Evaluate) -> None:
    """All trees make a step, then all leaves are evaluated, and so on."""
    loops = tree_loops(games.game)
    worlds = games.take(np.repeat(np.arange(games.num_games), plan.trees))
    count, size = worlds.num_games, plan.simulations + 1
    forest = Forest(
        worlds.state,
        np.zeros((count, size), NODE),
        np.zeros((count, size, games.num_players), np.float32),
        np.zeros(count, np.int64),
        np.zeros((count, games.num_actions), PRIOR),
        np.zeros(count, np.int64),
    )
    loops.imagine(tables, forest, plan, 0)
    forest = _take_in(worlds, forest, evaluate)  # of the roots
    for number in range(1, size):
        loops.descend(tables, forest, plan, number)
        forest = _take_in(worlds, forest, evaluate)
    tally_all(tables, forest, plan)


def _take_in(worlds: Batch, forest: Forest, evaluate: Evaluate) -> Forest:
    """Have the leaves evaluated, and take what is found back to the roots."""
    worlds.refresh()
    live = np.flatnonzero(worlds.seat >= 0)
    weights = np.ones(worlds.legal.shape, np.float32)
    values = np.zeros(worlds.rewards.shape, np.float32)
    if len(live):
        masks = worlds.legal[live]
        answer = evaluate(worlds.observe()[live], masks)
        if not isinstance(answer, tuple | list) or len(answer) != 2:
            raise ValueError(f"evaluate has returned {describe(answer)}, expected a pair")
        if answer[0] is not None:
            weights[live] = _check_priors(answer[0], worlds.legal[live])
        values[live] = _check_values(answer[1], len(live), worlds.num_players)
    needed = int((forest.used + np.count_nonzero(worlds.legal, axis=1)).max())
    room = forest.priors.shape[1]
    if needed > room:
        wider = np.zeros((worlds.num_games, max(needed, 2 * room)), PRIOR)
        wider[:, :room] = forest.priors
        forest = forest._replace(priors=wider)
    absorb(forest, Findings(worlds.seat, worlds.legal, worlds.rewards, weights, values))
    return forest


def _check_priors(priors: Any, legal: npt.NDArray[np.bool_]) -> npt.NDArray[np.float32]:
    array = np.asarray(priors, np.float32)
    if array.shape != legal.shape:
        raise ValueError(f"evaluate's priors have shape {array.shape}, expected {legal.shape}")
    if not ((np.isfinite(array) & (array >= 0)) | ~legal).all():
        raise ValueError("evaluate's priors of legal moves are not all finite and 0 or more")
    return array


def _check_values(values: Any, count: int, players: int) -> npt.NDArray[np.float32]:
    array = np.asarray(values, np.float32)
    if players == 2 and array.shape == (count,):
        array = np.stack([array, -array], axis=1)
    if array.shape != (count, players):
        raise ValueError(f"evaluate's values have shape {array.shape}, expected {(count, players)}")
    if not np.isfinite(array).all():
        raise ValueError("evaluate's values are not all finite")
    return array
