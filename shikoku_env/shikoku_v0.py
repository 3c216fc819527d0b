"""Shikoku's doors: ``env``, ``raw_env``, ``batch`` and ``vector_env``.

from shikoku_env import shikoku_v0

env = shikoku_v0.env(num_players=5)
games = shikoku_v0.batch(num_games=4096, num_players=5, seed=0)
envs = shikoku_v0.vector_env(num_envs=64, num_players=5, seat="player_0", opponents="random")
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from shikoku_env.game import SHIKOKU
from tabletop_env.batch import Batch

if TYPE_CHECKING:
    from tabletop_env.aec import GameEnv
    from tabletop_env.vector import GameSeatEnv, GameVectorEnv

DEFAULT_PLAYERS = 4


def env(num_players: int = DEFAULT_PLAYERS, **arguments: Any) -> GameEnv:
    """A PettingZoo AEC environment of one game.

    Parameters
    ----------
    num_players
        3..8 (S2); agents are ``player_0`` … ``player_{n-1}``.
    arguments
        ``render_mode`` (``None`` or ``"ansi"``), ``illegal`` (``"raise"`` or ``"lose"``),
        ``observation`` (``"seats"``, or ``"padded"`` to eight seats), and the rule option
        ``step_table``: the walking icons of cards 1..33, each 1..32. The default table is a stand-in
        (S1), not the printed one.
    """
    from tabletop_env.aec import GameEnv

    return GameEnv(SHIKOKU, num_players, **arguments)


raw_env = env
"""The same: order, bounds and legality are checked by the environment itself, without wrappers."""


def batch(num_games: int, num_players: int = DEFAULT_PLAYERS, **arguments: Any) -> Batch:
    """Many games side by side; ``arguments`` as for ``tabletop_env.batch.Batch``.

    ``seed``, ``num_threads``, ``explicit_chance``, ``observation`` and ``step_table``.
    """
    return Batch(SHIKOKU, num_games, num_players, **arguments)


def vector_env(
    num_envs: int = 1, num_players: int = DEFAULT_PLAYERS, **arguments: Any
) -> GameVectorEnv:
    """A Gymnasium ``VectorEnv`` for one learner among policies.

    ``arguments`` as for ``tabletop_env.vector.GameVectorEnv``: ``seat``, ``opponents``,
    ``autoreset_mode``, ``num_threads``, ``observation``, ``render_mode`` and ``step_table``.
    """
    from tabletop_env.vector import GameVectorEnv

    return GameVectorEnv(SHIKOKU, num_envs, num_players, **arguments)


def seat_env(num_players: int = DEFAULT_PLAYERS, **arguments: Any) -> GameSeatEnv:
    """A Gymnasium ``Env`` for one learner among policies; ``arguments`` as for ``vector_env``."""
    from tabletop_env.vector import GameSeatEnv

    return GameSeatEnv(SHIKOKU, num_players, **arguments)
