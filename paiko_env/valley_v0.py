"""The Valley's doors: ``env``, ``raw_env``, ``batch`` and ``vector_env``.

from paiko_env import valley_v0

env = valley_v0.env(max_turns=300)
games = valley_v0.batch(num_games=4096, seed=0)
envs = valley_v0.vector_env(num_envs=64, seat="red_0", opponents="greedy")
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from paiko_env.valley_game import VALLEY
from tabletop_env.batch import Batch

if TYPE_CHECKING:
    from tabletop_env.aec import GameEnv
    from tabletop_env.vector import GameSeatEnv, GameVectorEnv

PLAYERS = 3


def env(num_players: int = PLAYERS, **arguments: Any) -> GameEnv:
    """A PettingZoo AEC environment of one game; agents ``white_0``, ``black_0``, ``red_0``.

    Parameters
    ----------
    num_players
        3.
    arguments
        As for ``tabletop_env.aec.GameEnv``: ``render_mode``, ``illegal`` (``"raise"`` or ``"lose"``) and
        ``observation`` (``"planes"``, or ``"compact"``, a vector); and the rule option ``max_turns``:
        turns of a side after which the game is cut off, 1 or more, 400 unless set, or None for no
        limit (P15).
    """
    from tabletop_env.aec import GameEnv

    return GameEnv(VALLEY, num_players, **arguments)


raw_env = env
"""The same: order, bounds and legality are checked by the environment itself, without wrappers."""


def batch(num_games: int, num_players: int = PLAYERS, **arguments: Any) -> Batch:
    """Many games side by side; ``arguments`` as for ``tabletop_env.batch.Batch``.

    ``seed``, ``num_threads``, ``observation`` and ``max_turns``.
    """
    return Batch(VALLEY, num_games, num_players, **arguments)


def vector_env(num_envs: int = 1, num_players: int = PLAYERS, **arguments: Any) -> GameVectorEnv:
    """A Gymnasium ``VectorEnv`` for one learner among policies.

    ``arguments`` as for ``tabletop_env.vector.GameVectorEnv``: ``seat``, ``opponents``,
    ``autoreset_mode``, ``num_threads``, ``observation``, ``render_mode`` and ``max_turns``.
    """
    from tabletop_env.vector import GameVectorEnv

    return GameVectorEnv(VALLEY, num_envs, num_players, **arguments)


def seat_env(num_players: int = PLAYERS, **arguments: Any) -> GameSeatEnv:
    """A Gymnasium ``Env`` for one learner among policies; ``arguments`` as for ``vector_env``."""
    from tabletop_env.vector import GameSeatEnv

    return GameSeatEnv(VALLEY, num_players, **arguments)
