"""Paikō for two as a ``tabletop_env.game.Game``."""

from __future__ import annotations

from paiko_env import duel, greedy, notation, observe, reading
from paiko_env.actions import ACTION_IMAGE, LAYOUT, NUM_ACTIONS, action_planes
from paiko_env.family import MAX_TURNS, PaikoGame, views
from paiko_env.tiles import COPIES, KINDS
from paiko_env.turn import MOST_CHOICES
from tabletop_env.game import Kernels, Length, Row, StateDict
from tabletop_env.greedy import GreedyPolicy
from tabletop_env.layout import Layout


class Paiko(PaikoGame):
    """The rules of Paikō for two."""

    name = "paiko"
    title = "Paikō"
    constant = "PAIKO"
    players = range(2, 3)
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
    views = views(
        observe.write_planes,
        lambda players: observe.PLANES,
        observe.write_compact,
        lambda players: observe.COMPACT,
    )
    options = {"max_turns": MAX_TURNS}
    perfect_information = True
    zero_sum = True
    policies = {"greedy": GreedyPolicy(greedy.score)}
    estimate = greedy.estimate
    num_actions = NUM_ACTIONS
    action_image = ACTION_IMAGE
    action_planes = staticmethod(action_planes)

    def agents(self, num_players: int) -> list[str]:
        return list(notation.AGENTS)

    def action_text(self, row: Row, action: int) -> str:
        return notation.action_text(row, action)

    def read_action(self, row: Row, text: str) -> int:
        return notation.read_action(row, text)

    def state_dict(self, row: Row) -> StateDict:
        return notation.state_dict(row)

    def count_players(self, state: StateDict) -> int:
        return 2

    def read_state(self, state: StateDict, row: Row) -> None:
        reading.read_state(state, row)

    def longest_within(self, num_players: int, limit: int) -> Length:
        """Tiles leave the reserves for good: what was not picked may come as a reward, each once (P12)."""
        picks = duel.WHITE_PICKS + duel.BLACK_PICKS + duel.WHITE_LAST_PICKS
        rewards = 2 * KINDS * COPIES - picks
        return Length(picks + MOST_CHOICES * limit + rewards)

    def action_layout(self) -> Layout:
        return LAYOUT

    def observation_layout(self, view: str, num_players: int) -> Layout:
        return observe.PLANES if view == "planes" else observe.COMPACT


PAIKO = Paiko()
