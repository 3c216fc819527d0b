"""The doors of The Ronin Prince, Paikō for four to seven.

    from paiko_env import ronin_v0

    env = ronin_v0.env(num_players=5)
    games = ronin_v0.batch(num_games=1024, num_players=5, seed=0)
    envs = ronin_v0.vector_env(num_envs=64, num_players=6, seat="white_0", opponents="greedy")

Agents ``white_0``, and ``black_0`` … in the order of their turns, a team. Observations: ``planes``
(C, 14, 14) for convolutional policies, ``compact`` for others; one shape a player count. Rule option:
``max_rounds``, after which a game is cut off (100; ``None`` for never; R9). Policies: ``random``,
``greedy``. The clock of the table (R12) is ``paiko_env.clock.clocked_env``.
"""

from paiko_env.ronin_game import RONIN
from tabletop_env.doors import Doors

DOORS = Doors(RONIN, num_players=4)

env = DOORS.env
raw_env = DOORS.env
batch = DOORS.batch
vector_env = DOORS.vector_env
seat_env = DOORS.seat_env
