"""What the three games of Paikō have in common as games of the library."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from paiko_env.board import BLACK, HALF_TURN, SIDES, SIZE, WHITE
from paiko_env.picture import ARTIST
from paiko_env.state import PHASES, ROW
from tabletop_env.game import Game, Length, Option, Row, View
from tabletop_env.layout import Layout

NO_END = 2**31 - 1
"""A limit beyond this is as good as this one."""

MAX_TURNS = Option(
    400,
    lambda value: check_limit("max_turns", value),
    "turns of a side after which the game is cut off, 1 or more, or null for no limit (P15)",
)


class PaikoGame(Game):
    """A game on Paikō's board; its only option is the limit of its length."""

    package = "paiko_env"
    row = ROW
    derived_keys = ("points",)
    artist = ARTIST
    action_image: npt.NDArray[np.int64]
    """(4, A): where each of ``board.SYMMETRIES`` takes an action"""
    action_planes: Callable[[int], npt.NDArray[np.int64]]
    """numbers of the actions on the board as a side sees it"""

    def seen_actions(self, num_players: int) -> npt.NDArray[np.int64]:
        sides = [SIDES.index(agent[0]) for agent in self.agents(num_players)]
        return self.action_image[[HALF_TURN if side == BLACK else 0 for side in sides]]

    def action_grid(self) -> npt.NDArray[np.int64]:
        return self.action_planes(WHITE)

    def phase(self, row: Row) -> str:
        return PHASES[int(row["phase"])]

    def outcome_text(self, row: Row, outcome: int) -> str:
        raise ValueError(f"{self.title} has no chance")

    def read_outcome(self, row: Row, text: str) -> int:
        raise ValueError(f"{text!r}: {self.title} has no chance")

    def longest(self, num_players: int, options: Mapping[str, Any]) -> Length | None:
        (limit,) = options.values()
        return None if limit is None else self.longest_within(num_players, limit)

    @abstractmethod
    def longest_within(self, num_players: int, limit: int) -> Length:
        """Bounds of a game that is cut off after ``limit`` turns of a side, or rounds."""

    def write_options(self, row: Row, options: Mapping[str, Any]) -> None:
        (limit,) = options.values()
        row["max_turns"] = min(limit or 0, NO_END)


def check_limit(name: str, value: Any) -> int | None:
    """An integer of 1 or more, or None; ``ValueError`` otherwise."""
    if value is None:
        return None
    if isinstance(value, bool | np.bool_) or not isinstance(value, int | np.integer) or value < 1:
        raise ValueError(f"{name} is {value!r}, expected an integer of 1 or more, or None")
    return int(value)


def views(
    write_planes: Callable[..., Any],
    planes: Callable[[int], Layout],
    write_compact: Callable[..., Any],
    compact: Callable[[int], Layout],
) -> dict[str, View]:
    """The two forms of observation; ``planes`` and ``compact`` lay them out for so many players."""
    return {
        "planes": View(
            write=write_planes,
            shape=lambda players: (planes(players).size, SIZE, SIZE),
            high=lambda players: np.array(planes(players).highs(), np.int8)[:, None, None],
        ),
        "compact": View(
            write=write_compact,
            shape=lambda players: (compact(players).size,),
            high=lambda players: np.array(compact(players).highs(), np.int8),
        ),
    }
