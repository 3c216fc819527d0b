"""Tic-tac-toe, the smallest complete game: all that a new game has to say, and nothing else.

The kernels are the rules; the class names what the doors need. With these lines the game has
batches, a PettingZoo and a Gymnasium environment, a place in OpenSpiel, records and a command line.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import numpy as np

from tabletop_env.game import NOBODY, Game, Kernels, Length, Row, StateDict, View, row_dtype
from tabletop_env.kernel import kernel
from tabletop_env.layout import Block, Layout
from tabletop_env.rng import choice_below

SQUARES = [column + row for row in "123" for column in "abc"]
LINES = np.array(
    [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]
)

ROW = row_dtype(
    [
        ("board", np.int8, (9,)),  # 0 empty, else 1 + the seat whose mark it is
        ("winner", np.int8),  # a seat, or NOBODY
    ]
)

# -- rules ---------------------------------------------------------------------------------------


@kernel
def start(game):
    game["seat"], game["winner"] = 0, NOBODY


@kernel
def apply(game, square):
    seat = game["seat"]
    game["board"][square] = 1 + seat
    if has_line(game, 1 + seat):
        game["winner"], game["seat"] = seat, NOBODY
    elif count_empty(game) == 0:
        game["seat"] = NOBODY
    else:
        game["seat"] = 1 - seat


@kernel
def has_line(game, mark):
    board = game["board"]
    for a, b, c in LINES:
        if board[a] == mark and board[b] == mark and board[c] == mark:
            return True
    return False


@kernel
def count_empty(game):
    return (game["board"] == 0).sum()


@kernel
def write_legal(game, mask):
    for square in range(9):
        mask[square] = game["board"][square] == 0


@kernel
def sample_action(game):
    skip = choice_below(game, count_empty(game))
    for square in range(9):
        if game["board"][square] == 0:
            if skip == 0:
                return square
            skip -= 1
    return -1


@kernel
def write_rewards(game, rewards):
    rewards[:] = 0
    if game["winner"] != NOBODY:
        rewards[game["winner"]], rewards[1 - game["winner"]] = 1, -1


@kernel
def write_observation(game, seat, out):
    """Two boards of 3 x 3: the observer's marks, then the other's."""
    for square in range(9):
        mark = game["board"][square]
        out[0, square // 3, square % 3] = mark == 1 + seat
        out[1, square // 3, square % 3] = mark == 2 - seat


@kernel
def nothing(game, what):
    """There is no chance here, and nothing is hidden."""


@kernel
def no_outcome(game):
    return 0


# -- what the doors ask for ----------------------------------------------------------------------


class TicTacToe(Game):
    """Two players, x and o; three in a line win."""

    name = "tic_tac_toe"
    title = "Tic-tac-toe"
    package = "tic_tac_toe"
    constant = "TIC_TAC_TOE"
    players = range(2, 3)
    row = ROW
    kernels = Kernels(
        start=start,
        apply=apply,
        apply_chance=nothing,
        write_legal=write_legal,
        write_chance=nothing,
        write_rewards=write_rewards,
        sample_action=sample_action,
        sample_chance=no_outcome,
        resample_hidden=nothing,
    )
    views = {"boards": View(write_observation, lambda players: (2, 3, 3), lambda players: 1)}
    num_actions = 9
    perfect_information = True
    zero_sum = True
    derived_keys = ("turn",)

    def longest(self, num_players: int, options: Mapping[str, Any]) -> Length:
        return Length(9)

    def agents(self, num_players: int) -> list[str]:
        return ["x_0", "o_0"]

    def action_text(self, row: Row, action: int) -> str:
        return SQUARES[action]

    def read_action(self, row: Row, text: str) -> int:
        if text not in SQUARES:
            raise ValueError(f"{text!r} is no square, expected a1..c3")
        return SQUARES.index(text)

    def outcome_text(self, row: Row, outcome: int) -> str:
        raise ValueError("nothing is left to chance")

    def read_outcome(self, row: Row, text: str) -> int:
        raise ValueError("nothing is left to chance")

    def phase(self, row: Row) -> str:
        return "over" if row["seat"] == NOBODY else "place"

    def text(self, row: Row, viewer: int | None) -> str:
        return "\n".join(self.state_dict(row)["board"])

    def state_dict(self, row: Row) -> StateDict:
        marks = [".xo"[mark] for mark in row["board"]]
        board = ["".join(marks[i : i + 3]) for i in (0, 3, 6)]
        return {"turn": int(np.count_nonzero(row["board"])), "board": board}

    def count_players(self, state: StateDict) -> int:
        return 2

    def read_state(self, state: StateDict, row: Row) -> None:
        board = state.get("board", ["..."] * 3)
        lines = board if isinstance(board, list) else []
        if len(lines) != 3 or not all(re.fullmatch("[.xo]{3}", str(line)) for line in lines):
            raise ValueError(f"board is {board!r}, expected three rows of x, o and .")
        marks = "".join(lines)
        row["board"] = [".xo".index(mark) for mark in marks]
        turn = marks.count("x") - marks.count("o")
        if turn not in (0, 1):
            raise ValueError("board: x and o take turns, and x begins")
        row["seat"], row["winner"] = turn, NOBODY
        for seat in range(2):
            if has_line(row, 1 + seat):
                row["winner"] = seat
        if row["winner"] != NOBODY or "." not in marks:
            row["seat"] = NOBODY

    def action_layout(self) -> Layout:
        return Layout([Block("square", 9, "put a mark there: a1, b1, c1, a2 … c3")])

    def observation_layout(self, view: str, num_players: int) -> Layout:
        return Layout([Block("own", 9, "observer's marks"), Block("other", 9, "other's marks")])


TIC_TAC_TOE = TicTacToe()
