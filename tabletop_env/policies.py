"""Who chooses the moves: the protocol of a policy, and the random one that every game has.

A user's policy is any function of a batch of observations and masks:

    def policy(observations, masks):     # (B, *shape) int8, (B, A) bool
        return actions                   # (B,) integers, each legal

Policies of the library are chosen by name; they see the games themselves, but use no more than the
seat to act may know.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from tabletop_env.batch import Batch
from tabletop_env.check import integers
from tabletop_env.game import Game

Policy = Callable[[npt.NDArray[np.int8], npt.NDArray[np.bool_]], Any]
"""(B, *shape) int8 observations and (B, A) bool masks to (B,) integer actions."""


class BatchPolicy(ABC):
    """A policy that is handed the batch itself."""

    @abstractmethod
    def choose(self, games: Batch, rows: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
        """Legal actions (len(rows),) for the seats to act in the given games."""


class RandomPolicy(BatchPolicy):
    """Every legal action is equally likely; drawn from the rows' own streams."""

    def choose(self, games: Batch, rows: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
        return games.sample_legal(rows)


class ObservationPolicy(BatchPolicy):
    """A user's function of observations and masks."""

    def __init__(self, policy: Policy) -> None:
        self.policy = policy

    def choose(self, games: Batch, rows: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
        seats = games.take(rows)
        actions = self.policy(seats.observe(), seats.legal)
        return integers("a policy's answer", actions, len(rows))


RANDOM = RandomPolicy()


def policy_names(game: Game) -> list[str]:
    """Names that ``find_policy`` knows; ``mcts:N`` is ``mcts`` with N simulations a move."""
    return ["random", *game.policies, "mcts"]


def find_policy(game: Game, policy: str | Policy | BatchPolicy) -> BatchPolicy:
    """The policy of a name, or a user's function made to fit; ``ValueError`` for an unknown name."""
    if isinstance(policy, BatchPolicy):
        return policy
    if callable(policy):
        return ObservationPolicy(policy)
    if policy == "random":
        return RANDOM
    if isinstance(policy, str) and policy.partition(":")[0] == "mcts":
        from tabletop_env.search import named_search

        return named_search(policy)
    if policy not in game.policies:
        names = ", ".join(policy_names(game))
        raise ValueError(f"policy is {policy!r}, but {game.title} has: {names}")
    return game.policies[policy]


def seat_policies(game: Game, num_players: int, policies: Any) -> list[BatchPolicy]:
    """A policy for each seat, from one for all, a dict by agent, or a list in seat order.

    Agents that the dict does not name play at random.
    """
    agents = game.agents(num_players)
    if isinstance(policies, dict):
        unknown = sorted(set(policies) - set(agents))
        if unknown:
            raise ValueError(f"no agent is named {unknown[0]!r}, expected {agents}")
        return [find_policy(game, policies.get(agent, "random")) for agent in agents]
    if isinstance(policies, list | tuple):
        if len(policies) != num_players:
            raise ValueError(f"{len(policies)} policies for {num_players} seats")
        return [find_policy(game, policy) for policy in policies]
    return [find_policy(game, policies)] * num_players


def choose_actions(
    games: Batch, policies: list[BatchPolicy], rows: npt.NDArray[np.int64]
) -> npt.NDArray[np.int64]:
    """Actions (len(rows),) for the given games, each by the policy of its seat to act.

    Where chance is due, an outcome is drawn.
    """
    actions = np.empty(len(rows), np.int64)
    owner = [policies[seat] if seat >= 0 else RANDOM for seat in games.seat[rows].tolist()]
    for policy in dict.fromkeys(owner):
        mine = np.array([other is policy for other in owner])
        actions[mine] = policy.choose(games, rows[mine])
    return actions
