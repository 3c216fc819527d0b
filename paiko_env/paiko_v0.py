"""The doors of Paikō for two.

    from paiko_env import paiko_v0

    env = paiko_v0.env()
    games = paiko_v0.batch(num_games=1024, seed=0)
    envs = paiko_v0.vector_env(num_envs=64, seat="white_0", opponents="greedy")

Agents ``white_0`` and ``black_0``. Observations: ``planes`` (C, 14, 14) for convolutional policies,
``compact`` for others. Rule option: ``max_turns``, the turns of a side after which a game is cut off
(400; ``None`` for never; P15). Policies: ``random``, ``greedy``.
"""

from paiko_env.game import PAIKO
from tabletop_env.doors import Doors

DOORS = Doors(PAIKO, num_players=2)

env = DOORS.env
raw_env = DOORS.env
batch = DOORS.batch
vector_env = DOORS.vector_env
seat_env = DOORS.seat_env
