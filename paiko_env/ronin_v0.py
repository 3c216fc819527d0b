"""The doors of The Ronin Prince, Paikō for four to seven.

    from paiko_env import ronin_v0

    env = ronin_v0.env(num_players=5)
    games = ronin_v0.batch(num_games=1024, num_players=5, seed=0)
    envs = ronin_v0.vector_env(num_envs=64, num_players=6, seat="white_0", opponents="greedy")

Agents ``white_0``, and ``black_0`` … in the order of their turns, a team. Observations: ``planes``
(C, 14, 14) for convolutional policies, ``compact`` for others; one shape a player count. Rule option:
``max_rounds``, after which a game is cut off (100; ``None`` for never; R9). Policies: ``random``,
``greedy``. With ``env(clock=True)`` a side whose time is up loses the rest of its actions (R12).
``resample_hidden`` keeps to what the seat has seen in all rounds played or replayed; a state read from
text tells of no earlier ones.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from paiko_env.ronin_game import RONIN
from tabletop_env.doors import Doors

if TYPE_CHECKING:
    from tabletop_env.aec import GameEnv

DOORS = Doors(RONIN, num_players=4)


def env(num_players: int | None = None, *, clock: bool = False, **arguments: Any) -> GameEnv:
    """A PettingZoo AEC environment, as ``Doors.env``; with ``clock`` it is a ``clock.ClockedEnv``."""
    if not isinstance(clock, bool):
        raise TypeError(f"clock is {clock!r}, expected True or False")
    if not clock:
        return DOORS.env(num_players, **arguments)
    from paiko_env.clock import ClockedEnv

    return ClockedEnv(DOORS.num_players if num_players is None else num_players, **arguments)


raw_env = env
batch = DOORS.batch
vector_env = DOORS.vector_env
seat_env = DOORS.seat_env
