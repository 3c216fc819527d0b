"""Shikoku's doors.

    from shikoku_env import shikoku_v0

    env = shikoku_v0.env(num_players=5)
    games = shikoku_v0.batch(num_games=4096, num_players=5, seed=0)
    envs = shikoku_v0.vector_env(num_envs=64, num_players=5, seat="player_0", opponents="random")

3 to 8 players (S2), 4 unless said otherwise; agents ``player_0`` … ``player_{n-1}``. Observations:
``seats`` has a block for every seat, ``padded`` for eight at any number of players. Rule option:
``step_table``, the walking icons of cards 1..33, each 1..32; the default is a stand-in (S1), not the
printed table.
"""

from shikoku_env.game import SHIKOKU
from tabletop_env.doors import Doors

DOORS = Doors(SHIKOKU, num_players=4)

env = DOORS.env
raw_env = DOORS.env
batch = DOORS.batch
vector_env = DOORS.vector_env
seat_env = DOORS.seat_env
