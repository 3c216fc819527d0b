"""The doors of a game: what its module ``*_v0`` offers, the same for every game."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

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

    def env(
        self,
        num_players: int | None = None,
        *,
        render_mode: str | None = None,
        illegal: Literal["raise", "lose"] = "raise",
        observation: str | None = None,
        **options: Any,
    ) -> GameEnv:
        """A PettingZoo AEC environment of one game: ``tabletop_env.aec.GameEnv``.

        Order, bounds and legality are checked by the environment itself, so ``raw_env`` is the same.
        """
        from tabletop_env.aec import GameEnv

        return GameEnv(
            self.game,
            self._players(num_players),
            render_mode=render_mode,
            illegal=illegal,
            observation=observation,
            **options,
        )

    def batch(
        self,
        num_games: int,
        num_players: int | None = None,
        *,
        seed: int = 0,
        num_threads: int = 1,
        explicit_chance: bool = False,
        observation: str | None = None,
        **options: Any,
    ) -> Batch:
        """Many games side by side, for self-play and search: ``tabletop_env.batch.Batch``."""
        return Batch(
            self.game,
            num_games,
            self._players(num_players),
            seed=seed,
            num_threads=num_threads,
            explicit_chance=explicit_chance,
            observation=observation,
            **options,
        )

    def vector_env(
        self,
        num_envs: int = 1,
        num_players: int | None = None,
        *,
        seat: str | int = 0,
        opponents: Any = "random",
        autoreset_mode: Any = "SameStep",
        num_threads: int = 1,
        observation: str | None = None,
        render_mode: str | None = None,
        **options: Any,
    ) -> GameVectorEnv:
        """A Gymnasium ``VectorEnv`` for one learner among policies:
        ``tabletop_env.vector.GameVectorEnv``.
        """
        from tabletop_env.vector import GameVectorEnv

        return GameVectorEnv(
            self.game,
            num_envs,
            self._players(num_players),
            seat=seat,
            opponents=opponents,
            autoreset_mode=autoreset_mode,
            num_threads=num_threads,
            observation=observation,
            render_mode=render_mode,
            **options,
        )

    def seat_env(
        self,
        num_players: int | None = None,
        *,
        seat: str | int = 0,
        opponents: Any = "random",
        observation: str | None = None,
        render_mode: str | None = None,
        **options: Any,
    ) -> GameSeatEnv:
        """A Gymnasium ``Env`` for one learner among policies: ``tabletop_env.vector.GameSeatEnv``."""
        from tabletop_env.vector import GameSeatEnv

        return GameSeatEnv(
            self.game,
            self._players(num_players),
            seat=seat,
            opponents=opponents,
            observation=observation,
            render_mode=render_mode,
            **options,
        )

    def _players(self, num_players: int | None) -> int:
        return self.num_players if num_players is None else num_players
