"""Perft: how many sequences of legal actions there are, to test move generators against each other."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

from tabletop_env.batch import Batch
from tabletop_env.check import check_count
from tabletop_env.game import CHANCE, Game
from tabletop_env.kernel import kernel


def perft(games: Batch, depth: int, row: int = 0) -> int:
    """Number of sequences of ``depth`` legal actions from game ``row``; one that ends sooner is none.

    An action is one choice, as in the notation: ``I@f4``, ``f4-g5`` and ``^N`` are three.

    Raises
    ------
    ValueError
        If chance comes up on the way: then there is no number of sequences.
    """
    check_count("depth", depth)
    row = games._row(row)
    total = _count(games.game)(games.state[row : row + 1], games.num_actions, depth)
    if total < 0:
        raise ValueError(
            f"a chance event is due within {depth} plies, so there is nothing to count"
        )
    return int(total)


def divide(games: Batch, depth: int, row: int = 0) -> dict[str, int]:
    """``perft`` by the text of the first action, in the order of the action numbers."""
    check_count("depth", depth)
    row = games._row(row)
    counts = {}
    for action in np.flatnonzero(games.legal[row]).tolist():
        after = games.take([row])
        after.step([action])
        text = games.action_text(row, action)
        counts[text] = perft(after, depth - 1) if depth > 1 else 1
    return counts


@cache
def _count(game: Game) -> Callable[..., Any]:
    apply, write_legal = game.kernels.apply, game.kernels.write_legal

    def perft_count(root, num_actions, depth):
        """Depth first over a stack of rows; -1 where chance is due."""
        rows = np.empty(depth, root.dtype)
        masks = np.empty((depth, num_actions), np.bool_)
        following = np.zeros(depth, np.int64)  # the next action to try at each level
        total, level = 0, -1
        seat = root[0]["seat"]
        if seat >= 0:
            level = 0
            rows[0] = root[0]
            write_legal(rows[0], masks[0])
        while level >= 0 and seat != CHANCE:
            action = following[level]
            if level == depth - 1:  # a leaf: no need to make its actions
                total += masks[level].sum()
                action = num_actions
            while action < num_actions and not masks[level, action]:
                action += 1
            following[level] = action + 1
            if action >= num_actions:
                level -= 1
                continue
            rows[level + 1] = rows[level]
            rows[level + 1]["plies"] += 1
            apply(rows[level + 1], action)
            seat = rows[level + 1]["seat"]
            if seat >= 0:
                level += 1
                following[level] = 0
                write_legal(rows[level], masks[level])
        return -1 if seat == CHANCE else total

    return kernel(perft_count, package=game.package, label=f"{game.name}-")
