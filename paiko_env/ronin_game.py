"""The Ronin Prince as a ``tabletop_env.game.Game``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from paiko_env import (
    ronin,
    ronin_chance,
    ronin_greedy,
    ronin_notation,
    ronin_observe,
    ronin_reading,
)
from paiko_env.board import SIZE
from paiko_env.game import MANY_TURNS
from paiko_env.picture import ARTIST
from paiko_env.ronin_actions import LAYOUT, NUM_ACTIONS
from paiko_env.state import MAX_PLAYERS, PHASES, ROW
from tabletop_env.game import Game, Kernels, Option, Row, StateDict, View
from tabletop_env.greedy import GreedyPolicy
from tabletop_env.layout import Layout

MAX_ROUNDS = 100
"""R9."""


def check_max_rounds(value: Any) -> int | None:
    """An integer of 1 or more, or None; ``ValueError`` otherwise."""
    if value is None:
        return None
    if isinstance(value, bool | np.bool_) or not isinstance(value, int | np.integer) or value < 1:
        raise ValueError(f"max_rounds is {value!r}, expected an integer of 1 or more, or None")
    return int(value)


class Ronin(Game):
    """The rules of The Ronin Prince for four to seven."""

    name = "ronin"
    title = "The Ronin Prince"
    package = "paiko_env"
    constant = "RONIN"
    players = range(4, MAX_PLAYERS + 1)
    row = ROW
    kernels = Kernels(
        start=ronin.start,
        apply=ronin.apply,
        apply_chance=ronin.apply_chance,
        write_legal=ronin.write_legal,
        write_chance=ronin_chance.write_chance,
        write_rewards=ronin.write_rewards,
        sample_action=ronin.sample_action,
        sample_chance=ronin_chance.sample_chance,
        resample_hidden=ronin_chance.resample_hidden,
    )
    views = {
        "planes": View(
            write=ronin_observe.write_planes,
            shape=lambda players: (ronin_observe.planes(players).size, SIZE, SIZE),
            high=lambda players: np.array(ronin_observe.planes(players).highs(), np.int8)[
                :, None, None
            ],
        ),
        "compact": View(
            write=ronin_observe.write_compact,
            shape=lambda players: (ronin_observe.compact(players).size,),
            high=lambda players: np.array(ronin_observe.compact(players).highs(), np.int8),
        ),
    }
    options = {
        "max_rounds": Option(
            MAX_ROUNDS,
            check_max_rounds,
            "rounds after which the game is cut off, 1 or more, or null for no limit (R9)",
        )
    }
    derived_keys = ("points",)
    num_actions = NUM_ACTIONS
    num_outcomes = ronin_chance.NUM_OUTCOMES
    artist = ARTIST
    estimate = ronin_greedy.estimate
    policies = {"greedy": GreedyPolicy(ronin_greedy.score)}

    def agents(self, num_players: int) -> list[str]:
        return list(ronin_notation.SEATS[:num_players])

    def phase(self, row: Row) -> str:
        return PHASES[int(row["phase"])]

    def action_text(self, row: Row, action: int) -> str:
        return ronin_notation.action_text(row, action)

    def read_action(self, row: Row, text: str) -> int:
        return ronin_notation.read_action(row, text)

    def outcome_text(self, row: Row, outcome: int) -> str:
        return ronin_notation.outcome_text(row, outcome)

    def read_outcome(self, row: Row, text: str) -> int:
        return ronin_notation.read_outcome(row, text)

    def state_dict(self, row: Row) -> StateDict:
        return ronin_notation.state_dict(row)

    def count_players(self, state: StateDict) -> int:
        return ronin_reading.count_players(state)

    def read_state(self, state: StateDict, row: Row) -> None:
        ronin_reading.read_state(state, row)

    def write_options(self, row: Row, options: Mapping[str, Any]) -> None:
        row["max_turns"] = min(options["max_rounds"] or 0, MANY_TURNS)

    def action_layout(self) -> Layout:
        return LAYOUT

    def observation_layout(self, view: str, num_players: int) -> Layout:
        layouts = {"planes": ronin_observe.planes, "compact": ronin_observe.compact}
        return layouts[view](num_players)


RONIN = Ronin()
