"""Shikoku as a ``tabletop_env.game.Game``: its row, kernels, views, options and texts in one place."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from shikoku_env import notation, observe, phases, picture
from shikoku_env.rules import (
    CARDS,
    MAX_PLAYERS,
    MIN_PLAYERS,
    STAND_IN_TABLE,
    check_step_table,
    most_rounds,
)
from shikoku_env.state import PHASES, ROW
from tabletop_env.game import Game, Kernels, Length, Option, Row, StateDict, View
from tabletop_env.layout import Block, Layout


def _view(seats: int | None) -> View:
    """An observation with blocks for ``seats`` seats, or for as many as play."""
    return View(
        write=observe.write_observation,
        shape=lambda players: (observe.layout(seats or players).size,),
        high=lambda players: np.array(observe.layout(seats or players).highs(), np.int8),
    )


class Shikoku(Game):
    """The rules of Shikoku for 3 to 8 pilgrims."""

    name = "shikoku"
    title = "Shikoku"
    package = "shikoku_env"
    constant = "SHIKOKU"
    players = range(MIN_PLAYERS, MAX_PLAYERS + 1)
    row = ROW
    kernels = Kernels(
        start=phases.start,
        apply=phases.apply,
        apply_chance=phases.apply_chance,
        write_legal=phases.write_legal,
        write_chance=phases.write_chance,
        write_rewards=phases.write_rewards,
        sample_action=phases.sample_action,
        sample_chance=phases.sample_chance,
        resample_hidden=phases.resample_hidden,
    )
    views = {"seats": _view(None), "padded": _view(MAX_PLAYERS)}
    options = {
        "step_table": Option(
            list(STAND_IN_TABLE),
            check_step_table,
            "walking icons of cards 1..33, each 1..32; the default is a stand-in (S1)",
        )
    }
    derived_keys = ("order", "deck")
    artist = picture.ARTIST
    num_actions = CARDS
    num_outcomes = CARDS

    def agents(self, num_players: int) -> list[str]:
        return [f"player_{seat}" for seat in range(num_players)]

    def phase(self, row: Row) -> str:
        return PHASES[int(row["phase"])]

    def action_text(self, row: Row, action: int) -> str:
        return notation.action_text(row, action)

    def read_action(self, row: Row, text: str) -> int:
        return notation.read_action(row, text)

    def outcome_text(self, row: Row, outcome: int) -> str:
        return notation.outcome_text(row, outcome)

    def read_outcome(self, row: Row, text: str) -> int:
        return notation.read_outcome(row, text)

    def state_dict(self, row: Row) -> StateDict:
        return notation.state_dict(row)

    def count_players(self, state: StateDict) -> int:
        return notation.count_players(state)

    def read_state(self, state: StateDict, row: Row) -> None:
        notation.read_state(state, row)

    def write_options(self, row: Row, options: Mapping[str, Any]) -> None:
        row["step_table"] = options["step_table"]

    def longest(self, num_players: int, options: Mapping[str, Any]) -> Length:
        """Every seat plays in each round, and all but one take after each but the last (S5); a card
        leaves the deck once."""
        rounds = most_rounds(num_players)
        return Length(rounds * num_players + (rounds - 1) * (num_players - 1), CARDS)

    def action_layout(self) -> Layout:
        return Layout([Block("card", CARDS, "play (phase play) or take (phase take) card 1..33")])

    def observation_layout(self, view: str, num_players: int) -> Layout:
        return observe.layout(MAX_PLAYERS if view == "padded" else num_players)


SHIKOKU = Shikoku()
