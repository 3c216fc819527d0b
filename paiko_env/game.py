"""Paikō for two as a ``tabletop_env.game.Game``."""

from __future__ import annotations

from paiko_env import duel, greedy, notation, observe, reading
from paiko_env.actions import ACTION_IMAGE, LAYOUT, NUM_ACTIONS, action_planes
from paiko_env.family import MAX_TURNS, PaikoGame, views
from tabletop_env.game import Kernels, Row, StateDict
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

    def action_layout(self) -> Layout:
        return LAYOUT

    def observation_layout(self, view: str, num_players: int) -> Layout:
        return observe.PLANES if view == "planes" else observe.COMPACT


PAIKO = Paiko()
