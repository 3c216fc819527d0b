"""Ronin's clock (R12): a side whose time has run out loses the rest of its actions.

The clock belongs to the door, not to the game: what is lost is passed, so records, states and kernels
know nothing of it. A side's time runs from the moment its first action of a round may be made.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from paiko_env.actions import STOP
from paiko_env.ronin_game import RONIN
from paiko_env.state import ACTION, HERO
from tabletop_env.aec import GameEnv

WHITE_SECONDS = {4: 90, 5: 120, 6: 150, 7: 180}
BLACK_SECONDS = {4: 120, 5: 120, 6: 150, 7: 150}
"""By number of players (rulebook)."""


class ClockedEnv(GameEnv):
    """A ``GameEnv`` of Ronin with the clock of the table.

    Parameters
    ----------
    num_players
        4..7.
    now
        A function that returns the time in seconds; by default ``time.monotonic``.
    arguments
        As for ``tabletop_env.aec.GameEnv``.

    Notes
    -----
    An action that comes too late is not made. The side's actions left are passed instead, the one asked
    for among them; an action under way is first completed in the first way that is legal, for a tile may
    not stop half-way. ``lost`` counts the passes and choices that the clock has made.
    """

    def __init__(
        self, num_players: int, *, now: Callable[[], float] = time.monotonic, **arguments: Any
    ) -> None:
        if not callable(now):
            raise TypeError(f"now is {now!r}, expected a function that returns seconds")
        super().__init__(RONIN, num_players, **arguments)
        self.now = now
        self.lost = 0
        self._running: tuple[int, bool] | None = None
        self._started = 0.0

    @property
    def seconds_left(self) -> float | None:
        """Of the side to act; ``None`` while heroes are chosen and when the game is over."""
        if self._running is None:
            return None
        table = WHITE_SECONDS if self._running[1] else BLACK_SECONDS
        return table[self.games.num_players] - (self.now() - self._started)

    def _begin(self) -> None:
        self.lost = 0
        self._running = None
        super()._begin()
        self._run()

    def step(self, action: Any) -> None:
        """As ``GameEnv.step``, if the side still has time."""
        left = self.seconds_left if self.agents and self._is_on() else None
        if left is not None and left < 0:
            self._check(action)
            self._forfeit()
        else:
            super().step(action)
        self._run()

    def _is_on(self) -> bool:
        return not (
            self.terminations[self.agent_selection] or self.truncations[self.agent_selection]
        )

    def _turn(self) -> tuple[int, bool] | None:
        """The round, and whether it is White's part of it."""
        row = self.games.state[0]
        if row["phase"] == HERO or row["seat"] < 0:
            return None
        return int(row["turn"]), bool(row["seat"] == 0)

    def _run(self) -> None:
        """Start the clock when another side, or another round, begins."""
        turn = self._turn()
        if turn != self._running:
            self._running, self._started = turn, self.now()

    def _forfeit(self) -> None:
        """Complete what is under way, and pass until the side has no action left."""
        side = self._turn()
        while self._turn() == side and side is not None:
            under_way = self.games.state[0]["phase"] != ACTION
            super().step(int(self._legal.argmax()) if under_way else STOP)
            self.lost += 1
