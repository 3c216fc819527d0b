"""The Ronin Prince as a ``tabletop_env.game.Game``."""

from __future__ import annotations

from paiko_env import (
    ronin,
    ronin_chance,
    ronin_greedy,
    ronin_hidden,
    ronin_notation,
    ronin_observe,
    ronin_reading,
)
from paiko_env.family import PaikoGame, check_limit, views
from paiko_env.ronin_actions import ACTION_IMAGE, LAYOUT, NUM_ACTIONS, action_planes
from paiko_env.ronin_menu import HERO_PRICE
from paiko_env.state import MAX_PLAYERS
from paiko_env.turn import MOST_CHOICES
from tabletop_env.game import Kernels, Length, Option, Row, StateDict
from tabletop_env.greedy import GreedyPolicy
from tabletop_env.layout import Layout

MAX_ROUNDS = Option(
    100,
    lambda value: check_limit("max_rounds", value),
    "rounds after which the game is cut off, 1 or more, or null for no limit (R9)",
)


class Ronin(PaikoGame):
    """The rules of The Ronin Prince for four to seven."""

    name = "ronin"
    title = "The Ronin Prince"
    constant = "RONIN"
    players = range(4, MAX_PLAYERS + 1)
    kernels = Kernels(
        start=ronin.start,
        apply=ronin.apply,
        apply_chance=ronin.apply_chance,
        write_legal=ronin.write_legal,
        write_chance=ronin_chance.write_chance,
        write_rewards=ronin.write_rewards,
        sample_action=ronin.sample_action,
        sample_chance=ronin_chance.sample_chance,
        resample_hidden=ronin_hidden.resample_hidden,
    )
    views = views(
        ronin_observe.write_planes,
        ronin_observe.planes,
        ronin_observe.write_compact,
        ronin_observe.compact,
    )
    options = {"max_rounds": MAX_ROUNDS}
    num_actions = NUM_ACTIONS
    action_image = ACTION_IMAGE
    action_planes = staticmethod(action_planes)
    num_outcomes = ronin_chance.NUM_OUTCOMES
    estimate = ronin_greedy.estimate
    policies = {"greedy": GreedyPolicy(ronin_greedy.score)}

    def agents(self, num_players: int) -> list[str]:
        return list(ronin_notation.SEATS[:num_players])

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

    def longest_within(self, num_players: int, limit: int) -> Length:
        """White and the Blacks act as the table says (R3); a base is laid for each hero of a Black, and
        for each of White's, which takes two actions (R4)."""
        blacks = num_players - 1
        white = int(ronin.WHITE_ACTIONS[num_players])
        draws = int(ronin.WHITE_DRAWS[num_players] + blacks * ronin.BLACK_DRAWS[num_players])
        actions, events = white + blacks, draws + white // HERO_PRICE
        return Length(blacks + MOST_CHOICES * actions * limit, blacks + 1 + events * limit)

    def action_layout(self) -> Layout:
        return LAYOUT

    def observation_layout(self, view: str, num_players: int) -> Layout:
        layouts = {"planes": ronin_observe.planes, "compact": ronin_observe.compact}
        return layouts[view](num_players)


RONIN = Ronin()
