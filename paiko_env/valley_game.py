"""Valley of the Shrines as a ``tabletop_env.game.Game``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from paiko_env import (
    duel,
    valley,
    valley_greedy,
    valley_notation,
    valley_observe,
    valley_reading,
)
from paiko_env.board import SIZE
from paiko_env.game import MANY_TURNS, MAX_TURNS, check_max_turns
from paiko_env.notation import SEATS
from paiko_env.picture import ARTIST
from paiko_env.state import PHASES, ROW
from paiko_env.valley_actions import LAYOUT, NUM_ACTIONS
from tabletop_env.game import Game, Kernels, Option, Row, StateDict, View
from tabletop_env.greedy import GreedyPolicy
from tabletop_env.layout import Layout


class Valley(Game):
    """The rules of the Valley for three."""

    name = "valley"
    title = "Valley of the Shrines"
    package = "paiko_env"
    constant = "VALLEY"
    players = range(3, 4)
    row = ROW
    kernels = Kernels(
        start=valley.start,
        apply=valley.apply,
        apply_chance=duel.apply_chance,
        write_legal=valley.write_legal,
        write_chance=duel.write_chance,
        write_rewards=valley.write_rewards,
        sample_action=valley.sample_action,
        sample_chance=duel.sample_chance,
        resample_hidden=duel.resample_hidden,
    )
    views = {
        "planes": View(
            write=valley_observe.write_planes,
            shape=lambda players: (valley_observe.PLANES.size, SIZE, SIZE),
            high=lambda players: np.array(valley_observe.PLANES.highs(), np.int8)[:, None, None],
        ),
        "compact": View(
            write=valley_observe.write_compact,
            shape=lambda players: (valley_observe.COMPACT.size,),
            high=lambda players: np.array(valley_observe.COMPACT.highs(), np.int8),
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
    num_actions = NUM_ACTIONS
    artist = ARTIST
    policies = {"greedy": GreedyPolicy(valley_greedy.score)}
    estimate = valley_greedy.estimate

    def agents(self, num_players: int) -> list[str]:
        return list(SEATS)

    def phase(self, row: Row) -> str:
        return PHASES[int(row["phase"])]

    def action_text(self, row: Row, action: int) -> str:
        return valley_notation.action_text(row, action)

    def read_action(self, row: Row, text: str) -> int:
        return valley_notation.read_action(row, text)

    def outcome_text(self, row: Row, outcome: int) -> str:
        raise ValueError("the Valley has no chance")

    def read_outcome(self, row: Row, text: str) -> int:
        raise ValueError(f"{text!r}: the Valley has no chance")

    def state_dict(self, row: Row) -> StateDict:
        return valley_notation.state_dict(row)

    def count_players(self, state: StateDict) -> int:
        return 3

    def read_state(self, state: StateDict, row: Row) -> None:
        valley_reading.read_state(state, row)

    def write_options(self, row: Row, options: Mapping[str, Any]) -> None:
        row["max_turns"] = min(options["max_turns"] or 0, MANY_TURNS)

    def action_layout(self) -> Layout:
        return LAYOUT

    def observation_layout(self, view: str, num_players: int) -> Layout:
        return valley_observe.PLANES if view == "planes" else valley_observe.COMPACT


VALLEY = Valley()
