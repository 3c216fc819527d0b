"""The doors of the Valley of the Shrines, Paikō for three.

    from paiko_env import valley_v0

    env = valley_v0.env(max_turns=300)
    games = valley_v0.batch(num_games=1024, seed=0)
    envs = valley_v0.vector_env(num_envs=64, seat="red_0", opponents="greedy")

Agents ``white_0``, ``black_0`` and ``red_0``. Observations: ``planes`` (C, 14, 14) for convolutional
policies, ``compact`` for others. Rule option: ``max_turns``, the turns of a side after which a game is
cut off (400; ``None`` for never; P15). Policies: ``random``, ``greedy``.
"""

from paiko_env.valley_game import VALLEY
from tabletop_env.doors import Doors

DOORS = Doors(VALLEY, num_players=3)

env = DOORS.env
raw_env = DOORS.env
batch = DOORS.batch
vector_env = DOORS.vector_env
seat_env = DOORS.seat_env
