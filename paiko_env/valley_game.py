"""Valley of the Shrines as a ``tabletop_env.game.Game``."""

from __future__ import annotations

from paiko_env import (
    duel,
    valley,
    valley_greedy,
    valley_notation,
    valley_observe,
    valley_reading,
)
from paiko_env.board import RED
from paiko_env.family import MAX_TURNS, PaikoGame, views
from paiko_env.notation import SEATS
from paiko_env.picture import VALLEY_ARTIST
from paiko_env.tiles import COPIES, KINDS
from paiko_env.turn import MOST_CHOICES
from paiko_env.valley_actions import ACTION_IMAGE, LAYOUT, NUM_ACTIONS, action_planes
from tabletop_env.game import Kernels, Length, Row, StateDict
from tabletop_env.greedy import GreedyPolicy
from tabletop_env.layout import Layout


class Valley(PaikoGame):
    """The rules of the Valley for three."""

    name = "valley"
    title = "Valley of the Shrines"
    constant = "VALLEY"
    players = range(3, 4)
    artist = VALLEY_ARTIST
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
    views = views(
        valley_observe.write_planes,
        lambda players: valley_observe.PLANES,
        valley_observe.write_compact,
        lambda players: valley_observe.COMPACT,
    )
    options = {"max_turns": MAX_TURNS}
    perfect_information = True
    num_actions = NUM_ACTIONS
    action_image = ACTION_IMAGE
    action_planes = staticmethod(action_planes)
    policies = {"greedy": GreedyPolicy(valley_greedy.score)}
    estimate = valley_greedy.estimate

    def agents(self, num_players: int) -> list[str]:
        return list(SEATS)

    def action_text(self, row: Row, action: int) -> str:
        return valley_notation.action_text(row, action)

    def read_action(self, row: Row, text: str) -> int:
        return valley_notation.read_action(row, text)

    def state_dict(self, row: Row) -> StateDict:
        return valley_notation.state_dict(row)

    def count_players(self, state: StateDict) -> int:
        return 3

    def read_state(self, state: StateDict, row: Row) -> None:
        valley_reading.read_state(state, row)

    def longest_within(self, num_players: int, limit: int) -> Length:
        """On Red's turn each of the 48 tiles is chosen at most once: taken back, zombified, or captured;
        before them may come another action, after them an end of zombifying (V4, V5, V7)."""
        rounds, rest = divmod(limit, len(valley.ORDER))
        reds = int(rounds * (valley.ORDER == RED).sum() + (valley.ORDER[:rest] == RED).sum())
        most_red = 1 + 2 * KINDS * COPIES + 1
        setup = 2 * valley.DISCARDS
        return Length(setup + MOST_CHOICES * (limit - reds) + most_red * reds)

    def action_layout(self) -> Layout:
        return LAYOUT

    def observation_layout(self, view: str, num_players: int) -> Layout:
        return valley_observe.PLANES if view == "planes" else valley_observe.COMPACT


VALLEY = Valley()
