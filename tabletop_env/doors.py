"""The doors of a game: what its module ``*_v0`` offers, the same for every game."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tabletop_env.batch import Batch
from tabletop_env.game import Game

if TYPE_CHECKING:
    from tabletop_env.aec import GameEnv
    from tabletop_env.vector import GameSeatEnv, GameVectorEnv


class Doors:
    """Ways into ``game``; ``num_players`` is the number of players where none is given.

    Every door takes the game's rule options by name (``game.options`` tells what they mean), and
    ``observation``, the name of a form of observation (``game.views``). Bad arguments raise
    ``ValueError`` or ``TypeError`` that name them.
    """

    def __init__(self, game: Game, num_players: int) -> None:
        self.game = game
        self.num_players = num_players

    def env(self, num_players: int | None = None, **arguments: Any) -> GameEnv:
        """A PettingZoo AEC environment of one game.

        Parameters
        ----------
        num_players
            Number of seats.
        arguments
            ``render_mode``, ``illegal`` (``"raise"`` or ``"lose"``), ``observation`` and rule options;
            see ``tabletop_env.aec.GameEnv``. Order, bounds and legality are checked by the environment
            itself, so ``raw_env`` is the same.
        """
        from tabletop_env.aec import GameEnv

        return GameEnv(self.game, self._players(num_players), **arguments)

    def batch(self, num_games: int, num_players: int | None = None, **arguments: Any) -> Batch:
        """Many games side by side, for self-play and search.

        Parameters
        ----------
        num_games, num_players
            Number of games, and of seats in each.
        arguments
            ``seed``, ``num_threads``, ``explicit_chance``, ``observation`` and rule options; see
            ``tabletop_env.batch.Batch``.
        """
        return Batch(self.game, num_games, self._players(num_players), **arguments)

    def vector_env(
        self, num_envs: int = 1, num_players: int | None = None, **arguments: Any
    ) -> GameVectorEnv:
        """A Gymnasium ``VectorEnv`` for one learner among policies.

        Parameters
        ----------
        num_envs, num_players
            Number of games, and of seats in each.
        arguments
            ``seat``, ``opponents``, ``autoreset_mode``, ``num_threads``, ``render_mode``,
            ``observation`` and rule options; see ``tabletop_env.vector.GameVectorEnv``.
        """
        from tabletop_env.vector import GameVectorEnv

        return GameVectorEnv(self.game, num_envs, self._players(num_players), **arguments)

    def seat_env(self, num_players: int | None = None, **arguments: Any) -> GameSeatEnv:
        """A Gymnasium ``Env`` for one learner among policies; arguments as for ``vector_env``."""
        from tabletop_env.vector import GameSeatEnv

        return GameSeatEnv(self.game, self._players(num_players), **arguments)

    def _players(self, num_players: int | None) -> int:
        return self.num_players if num_players is None else num_players
