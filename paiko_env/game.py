"""Paikō for two as a ``tabletop_env.game.Game``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from paiko_env import duel, greedy, notation, observe, picture, reading
from paiko_env.actions import LAYOUT, NUM_ACTIONS
from paiko_env.board import SIZE
from paiko_env.state import PHASES, ROW
from tabletop_env.game import Game, Kernels, Option, Row, StateDict, View
from tabletop_env.greedy import GreedyPolicy
from tabletop_env.layout import Layout

MAX_TURNS = 400
"""P15."""
MANY_TURNS = 2**31 - 1
"""A limit beyond this is as good as this one."""


def check_max_turns(value: Any) -> int | None:
    """An integer of 1 or more, or None; ``ValueError`` otherwise."""
    if value is None:
        return None
    if isinstance(value, bool | np.bool_) or not isinstance(value, int | np.integer) or value < 1:
        raise ValueError(f"max_turns is {value!r}, expected an integer of 1 or more, or None")
    return int(value)


class Paiko(Game):
    """The rules of Paikō for two."""

    name = "paiko"
    title = "Paikō"
    package = "paiko_env"
    constant = "PAIKO"
    players = range(2, 3)
    row = ROW
    kernels = Kernels(
        start=duel.start,
        apply=duel.apply,
        apply_chance=duel.apply_chance,
        write_legal=duel.write_legal,
        write_chance=duel.write_chance,
        write_rewards=duel.write_rewards,
        sample_action=duel.sample_action,
        sample_chance=duel.sample_chance,
        resample_hidden=duel.resample_hidden,
    )
    views = {
        "planes": View(
            write=observe.write_planes,
            shape=lambda players: (observe.PLANES.size, SIZE, SIZE),
            high=lambda players: np.array(observe.PLANES.highs(), np.int8)[:, None, None],
        ),
        "compact": View(
            write=observe.write_compact,
            shape=lambda players: (observe.COMPACT.size,),
            high=lambda players: np.array(observe.COMPACT.highs(), np.int8),
        ),
    }
    options = {
        "max_turns": Option(
            MAX_TURNS,
            check_max_turns,
            "turns of a side after which the game is cut off, 1 or more, or null for no limit (P15)",
        )
    }
    derived_keys = ("points",)
    policies = {"greedy": GreedyPolicy(greedy.score)}
    estimate = greedy.estimate
    artist = picture.ARTIST
    num_actions = NUM_ACTIONS

    def agents(self, num_players: int) -> list[str]:
        return list(notation.AGENTS)

    def phase(self, row: Row) -> str:
        return PHASES[int(row["phase"])]

    def action_text(self, row: Row, action: int) -> str:
        return notation.action_text(row, action)

    def read_action(self, row: Row, text: str) -> int:
        return notation.read_action(row, text)

    def outcome_text(self, row: Row, outcome: int) -> str:
        raise ValueError("Paikō for two has no chance")

    def read_outcome(self, row: Row, text: str) -> int:
        raise ValueError(f"{text!r}: Paikō for two has no chance")

    def state_dict(self, row: Row) -> StateDict:
        return notation.state_dict(row)

    def count_players(self, state: StateDict) -> int:
        return 2

    def read_state(self, state: StateDict, row: Row) -> None:
        reading.read_state(state, row)

    def write_options(self, row: Row, options: Mapping[str, Any]) -> None:
        row["max_turns"] = min(options["max_turns"] or 0, MANY_TURNS)

    def action_layout(self) -> Layout:
        return LAYOUT

    def observation_layout(self, view: str, num_players: int) -> Layout:
        return observe.PLANES if view == "planes" else observe.COMPACT


PAIKO = Paiko()
