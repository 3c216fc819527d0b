"""Kernels of the search: how one simulation goes down a tree, adds a node, and comes back.

A tree is a pair of arrays, ``nodes`` (N,) and ``returns`` (N, P); node 0 is the root, and simulation
k may add node k + 1. No node holds a state: a simulation begins at the root's row and makes the moves
again, so that chance and what is hidden may fall differently each time (an *open-loop* tree). What a
simulation finds at a node therefore differs from visit to visit: its children are pairs of a seat and
a move, of which those count that are legal this time.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import numpy.typing as npt

from tabletop_env.game import CHANCE
from tabletop_env.kernel import kernel
from tabletop_env.rng import choice_below, mix, seed_row

if TYPE_CHECKING:
    from tabletop_env.game import Game

ROOT = 0
NONE = 0
"""No node: the root is nobody's child."""

NODE = np.dtype(
    [
        ("action", np.int32),  # the move that leads here
        ("parent", np.int32),
        ("child", np.int32),  # the newest one
        ("sibling", np.int32),  # the next older child of the parent
        ("visits", np.int32),
        ("available", np.int32),  # visits of the parent at which the move was legal
        ("prior", np.float32),  # guided: the move's probability as it was evaluated
        ("listed", np.int32),  # guided: where the priors of this node's moves begin ...
        ("moves", np.int32),  # ... and how many they are
        ("seat", np.int8),  # whose move leads here
    ],
    align=True,
)

PRIOR = np.dtype([("action", np.int32), ("prior", np.float32)])

_STEP = np.uint64(0x9E3779B97F4A7C15)
_SEARCH = np.uint64(0x8CB92BA72F3D8DD7)  # sets simulations apart from games of the same seed


class Tables(NamedTuple):
    """The games to search and what is found about them; one entry a game."""

    roots: npt.NDArray[Any]  # (B,) rows
    seats: npt.NDArray[np.int8]  # (B,)
    seeds: npt.NDArray[np.uint64]  # (B,)
    visits: npt.NDArray[np.int64]  # (B, A)
    sums: npt.NDArray[np.float64]  # (B, A) returns of the seat to act
    totals: npt.NDArray[np.float64]  # (B, P) returns of all simulations


class Plan(NamedTuple):
    """How to search."""

    simulations: int  # of each tree
    trees: int  # for each game
    exploration: float
    horizon: int  # plies of a playout


class Tree(NamedTuple):
    """One tree, and a row for the game under way in a simulation."""

    row: npt.NDArray[Any]  # (1,)
    nodes: npt.NDArray[Any]  # (N,) NODE
    returns: npt.NDArray[np.float32]  # (N, P) sums of what each seat got


class Forest(NamedTuple):
    """T trees that take their steps together, ``Plan.trees`` in a row for each game."""

    rows: npt.NDArray[Any]  # (T,)
    nodes: npt.NDArray[Any]  # (T, N) NODE
    returns: npt.NDArray[np.float32]  # (T, N, P)
    leaves: npt.NDArray[np.int64]  # (T,) node that awaits its evaluation
    priors: npt.NDArray[Any]  # (T, room) PRIOR: lists of evaluated nodes, one after another
    used: npt.NDArray[np.int64]  # (T,) entries of ``priors`` taken


class Findings(NamedTuple):
    """The leaves of T trees, evaluated."""

    seats: npt.NDArray[np.int8]  # (T,) to act, NOBODY where the game is over
    legal: npt.NDArray[np.bool_]  # (T, A)
    rewards: npt.NDArray[np.float32]  # (T, P) where it is over
    weights: npt.NDArray[np.float32]  # (T, A) priors, not yet adding up to one
    values: npt.NDArray[np.float32]  # (T, P) the observer's first, then round the table


# -- the tree ------------------------------------------------------------------------------------


@kernel
def clear(nodes, returns):
    """A tree of the root alone."""
    nodes[ROOT]["child"] = NONE
    nodes[ROOT]["visits"] = nodes[ROOT]["moves"] = 0
    returns[ROOT, :] = 0


@kernel
def add_child(nodes, returns, parent, new, seat, action, prior):
    """Node ``new`` becomes a child; all earlier visits of its parent pass for available ones."""
    node = nodes[new]
    node["seat"], node["action"], node["prior"] = seat, action, prior
    node["parent"], node["child"], node["sibling"] = parent, NONE, nodes[parent]["child"]
    node["available"], node["visits"], node["moves"] = nodes[parent]["visits"], 0, 0
    nodes[parent]["child"] = new
    returns[new, :] = 0


@kernel
def back_up(nodes, returns, leaf, gains):
    """Add what each seat got to all nodes on the way back to the root."""
    node = leaf
    while True:
        nodes[node]["visits"] += 1
        for seat in range(len(gains)):
            returns[node, seat] += gains[seat]
        if node == ROOT:
            return
        node = nodes[node]["parent"]


@kernel
def best_child(nodes, returns, parent, seat, legal, exploration, guided):
    """The child that promises the seat to act most, or NONE, and its score (UCB1, or PUCT if guided).

    Moves that have a child are struck from ``legal``; what remains has never been tried here.
    """
    best, highest = NONE, -math.inf
    child = nodes[parent]["child"]
    while child != NONE:
        node = nodes[child]
        if node["seat"] == seat and legal[node["action"]]:
            legal[node["action"]] = False
            node["available"] += 1
            visits = node["visits"]
            if guided:
                bonus = node["prior"] * math.sqrt(node["available"]) / (1 + visits)
            else:
                bonus = math.sqrt(math.log(node["available"]) / visits)
            score = returns[child, seat] / visits + exploration * bonus
            if score > highest:
                best, highest = child, score
        child = node["sibling"]
    return best, highest


@kernel
def untried(row, legal):
    """One of the moves left in ``legal``, each equally likely, or -1."""
    count = 0
    for action in range(len(legal)):
        count += legal[action]
    if count == 0:
        return -1
    skip = choice_below(row, count)
    for action in range(len(legal)):
        if legal[action]:
            if skip == 0:
                return action
            skip -= 1
    return -1


@kernel
def tally(nodes, returns, seat, visits, sums, totals):
    """Add a tree's root to what is found about its game."""
    for other in range(len(totals)):
        totals[other] += returns[ROOT, other]
    child = nodes[ROOT]["child"]
    while child != NONE:
        visits[nodes[child]["action"]] += nodes[child]["visits"]
        sums[nodes[child]["action"]] += returns[child, seat]
        child = nodes[child]["sibling"]


@kernel
def nothing_yet(row, gains):
    """What a game without an estimate has brought anybody before its end."""
    gains[:] = 0


# -- evaluated leaves ----------------------------------------------------------------------------


@kernel
def promising(nodes, returns, priors, parent, seat, legal, exploration):
    """Of the moves left in ``legal`` the one of highest prior: move, prior and score; -1 for none.

    A move never tried is worth what its parent has been worth so far. One that was not legal when
    the node was evaluated has no prior of its own and gets an equal share. Empties ``legal``.
    """
    node = nodes[parent]
    best, highest = -1, np.float32(-1)
    for k in range(node["listed"], node["listed"] + node["moves"]):
        action = priors[k]["action"]
        if legal[action]:
            legal[action] = False
            if priors[k]["prior"] > highest:
                best, highest = action, priors[k]["prior"]
    share = np.float32(1 / max(1, node["moves"]))
    for action in range(len(legal)):
        if legal[action]:
            legal[action] = False
            if share > highest:
                best, highest = action, share
    worth = returns[parent, seat] / node["visits"]
    return best, highest, worth + exploration * highest * math.sqrt(node["visits"])


@kernel
def list_priors(node, priors, start, legal, weights):
    """Keep the weights of the legal moves, made to add up to one; returns where their list ends."""
    total, count = 0.0, 0
    for action in range(len(legal)):
        if legal[action]:
            total += weights[action]
            count += 1
    end = start
    for action in range(len(legal)):
        if legal[action]:
            priors[end]["action"] = action
            priors[end]["prior"] = weights[action] / total if total > 0 else 1 / count
            end += 1
    node["listed"], node["moves"] = start, count
    return end


@kernel
def absorb(forest, found):
    """Take the evaluation of every tree's leaf back to its root."""
    players = found.values.shape[1]
    gains = np.empty(players, np.float32)
    for t in range(len(forest.leaves)):
        leaf, seat, nodes = forest.leaves[t], found.seats[t], forest.nodes[t]
        if seat >= 0:
            legal, weights = found.legal[t], found.weights[t]
            start = forest.used[t]
            forest.used[t] = list_priors(nodes[leaf], forest.priors[t], start, legal, weights)
            for k in range(players):
                gains[(seat + k) % players] = found.values[t, k]
        else:
            gains[:] = found.rewards[t]
        back_up(nodes, forest.returns[t], leaf, gains)


@kernel
def tally_all(tables, forest, plan):
    """Add all trees' roots to what is found about their games."""
    for t in range(len(forest.leaves)):
        b = t // plan.trees
        nodes, returns, seat = forest.nodes[t], forest.returns[t], tables.seats[b]
        tally(nodes, returns, seat, tables.visits[b], tables.sums[b], tables.totals[b])


# -- what differs from game to game --------------------------------------------------------------


class TreeLoops(NamedTuple):
    """What ``tree_loops`` makes."""

    search: Callable[..., None]
    """``search(tables, tree, plan)``: all simulations of all games, leaves played out at random."""
    imagine: Callable[..., None]
    """``imagine(tables, forest, plan, number)``: the rows that simulation ``number`` begins with."""
    descend: Callable[..., None]
    """``descend(tables, forest, plan, number)``: simulation ``number``, 1 or more, to its leaves."""


@functools.cache
def tree_loops(game: Game) -> TreeLoops:
    """The search's loops over the kernels of ``game``, compiled on call."""

    def compiled(function: Any) -> Any:
        return kernel(function, package=game.package, label=f"{game.name}-")

    _, apply, apply_chance, write_legal, _, write_rewards, *rest = game.kernels
    sample_action, sample_chance, resample_hidden = rest
    estimate = type(game).estimate or nothing_yet  # not of the instance: it would be a method
    num_actions = game.num_actions

    @compiled
    def begin(rows, t, tables, b, number):
        """A copy of a root as it may be for all its seat knows, the chance to come unknown."""
        rows[t] = tables.roots[b]
        seed_row(rows[t], mix(mix(tables.seeds[b] ^ _SEARCH) + _STEP * np.uint64(number)))
        resample_hidden(rows[t], tables.seats[b])

    @compiled
    def play(row, action):
        row["plies"] += 1
        apply(row, action)
        while row["seat"] == CHANCE:
            apply_chance(row, sample_chance(row))

    @compiled
    def go_down(row, nodes, returns, new, legal, exploration):
        """Follow the best moves to one never tried, which makes node ``new``, or to the end."""
        node = ROOT
        while row["seat"] >= 0:
            seat = row["seat"]
            write_legal(row, legal)
            child, _ = best_child(nodes, returns, node, seat, legal, exploration, False)
            action = untried(row, legal)
            if action >= 0:
                add_child(nodes, returns, node, new, seat, action, 0)
                play(row, action)
                return new
            node = child
            play(row, nodes[node]["action"])
        return node

    @compiled
    def play_out(row, horizon, gains):
        """Random moves to the end, or for ``horizon`` plies; then it is guessed."""
        left = horizon
        while row["seat"] >= 0 and left != 0:
            play(row, sample_action(row))
            left -= 1
        if row["seat"] >= 0:
            estimate(row, gains)
        else:
            write_rewards(row, gains)

    @compiled
    def search(tables, tree, plan):
        legal = np.empty(num_actions, np.bool_)
        gains = np.empty(tables.totals.shape[1], np.float32)
        row, nodes, returns = tree.row[0], tree.nodes, tree.returns
        for b in range(len(tables.roots)):
            for k in range(plan.trees):
                clear(nodes, returns)
                for number in range(plan.simulations):
                    begin(tree.row, 0, tables, b, number * plan.trees + k)
                    leaf = go_down(row, nodes, returns, 1 + number, legal, plan.exploration)
                    play_out(row, plan.horizon, gains)
                    back_up(nodes, returns, leaf, gains)
                seat, totals = tables.seats[b], tables.totals[b]
                tally(nodes, returns, seat, tables.visits[b], tables.sums[b], totals)

    @compiled
    def imagine(tables, forest, plan, number):
        for t in range(len(forest.rows)):
            begin(forest.rows, t, tables, t // plan.trees, number * plan.trees + t % plan.trees)

    @compiled
    def follow(row, nodes, returns, priors, new, legal, exploration):
        """As ``go_down``, moves never tried weighed by their priors."""
        node = ROOT
        while row["seat"] >= 0:
            seat = row["seat"]
            write_legal(row, legal)
            child, score = best_child(nodes, returns, node, seat, legal, exploration, True)
            action, prior, hope = promising(nodes, returns, priors, node, seat, legal, exploration)
            if action >= 0 and hope > score:
                add_child(nodes, returns, node, new, seat, action, prior)
                play(row, action)
                return new
            node = child
            play(row, nodes[node]["action"])
        return node

    @compiled
    def descend(tables, forest, plan, number):
        imagine(tables, forest, plan, number)
        legal = np.empty(num_actions, np.bool_)
        for t in range(len(forest.rows)):
            row, nodes, returns = forest.rows[t], forest.nodes[t], forest.returns[t]
            priors, exploration = forest.priors[t], plan.exploration
            forest.leaves[t] = follow(row, nodes, returns, priors, number, legal, exploration)

    return TreeLoops(search, imagine, descend)
