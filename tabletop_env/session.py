"""One game of a person against policies: the same for the terminal and the browser.

Every move goes through the batch's checks; a move that may not be made changes nothing.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tabletop_env.batch import Batch
from tabletop_env.complaint import legal_texts, nearest, why_not
from tabletop_env.game import Game, StateDict
from tabletop_env.notation import rewards_dict
from tabletop_env.policies import BatchPolicy
from tabletop_env.render import scene


class IllegalMoveError(ValueError):
    """A move that may not be made: says why, and names the legal moves that are most like it."""

    def __init__(self, why: str, like: list[str]) -> None:
        super().__init__(why)
        self.like = like


class Session:
    """A game under way.

    Parameters
    ----------
    seat
        The person's agent; by default the first.
    seed
        Of the game; by default a random one.
    policy
        Who plays all other seats, and gives hints.
    """

    def __init__(
        self,
        game: Game,
        num_players: int,
        *,
        policy: BatchPolicy,
        seat: str | None = None,
        seed: int | None = None,
        **options: Any,
    ) -> None:
        if seed is None:
            seed = int(np.random.SeedSequence().generate_state(1, np.uint32)[0])
        self.seed, self.policy = seed, policy
        self.games = Batch(game, 1, num_players, seed=seed, **options)
        self.me = self.games.agents[0] if seat is None else seat
        if self.me not in self.games.agents:
            raise ValueError(f"seat is {seat!r}, expected one of {', '.join(self.games.agents)}")
        self.log: list[tuple[str, str]] = []
        self.resigned = False
        self._past: list[tuple[np.ndarray, int]] = []

    @property
    def to_act(self) -> str | None:
        """The agent to act; nobody when the game is over or given up."""
        return None if self.resigned else self.games.agent(0)

    @property
    def is_mine(self) -> bool:
        """Whether the person is to act."""
        return self.to_act == self.me

    @property
    def over(self) -> bool:
        return self.to_act is None

    @property
    def seat(self) -> int:
        """The person's seat."""
        return self.games.agents.index(self.me)

    @property
    def state(self) -> StateDict:
        """What pictures and lines are drawn from."""
        return scene(self.games, 0)

    @property
    def rewards(self) -> dict[str, int]:
        """Agent to reward; who gives up has lost, and nobody has won by that."""
        if self.resigned:
            return dict.fromkeys(self.games.agents, 0) | {self.me: -1}
        return rewards_dict(self.games, 0)

    def legal(self) -> list[str]:
        """The person's legal moves; none while others are to act."""
        return legal_texts(self.games, 0) if self.is_mine else []

    def last(self) -> list[str]:
        """The moves since, and with, the person's last one; before that, all."""
        mine = [index for index, (agent, _) in enumerate(self.log) if agent == self.me]
        while len(mine) > 1 and mine[-1] - mine[-2] == 1:
            mine.pop()
        start = mine[-1] if mine else 0
        return [move for _, move in self.log[start:]]

    def move(self, text: str) -> None:
        """Make the person's move.

        Raises
        ------
        IllegalMoveError
            If it may not be made; then nothing has changed.
        """
        if not self.is_mine:
            raise IllegalMoveError(
                "it is not your move" if not self.over else "the game is over", []
            )
        if text not in self.legal():
            raise IllegalMoveError(why_not(self.games, 0, text), nearest(self.games, 0, text))
        self._past.append((self.games.state.copy(), len(self.log)))
        self._step(self.games.read_action(0, text))

    def advance(self) -> tuple[str, str]:
        """Let the policy make the move of the agent to act, who is not the person."""
        if self.is_mine or self.over:
            raise ValueError("no policy is to act")
        self._step(self._choice(self.games))
        return self.log[-1]

    def hint(self) -> str:
        """The move that the policy would make for the person; asking changes nothing."""
        if not self.is_mine:
            raise ValueError("it is not your move")
        return self.games.action_text(0, self._choice(self.games.copy()))

    def undo(self) -> bool:
        """Go back to before the person's last move; whether there was one. Chance will be the same."""
        self.resigned = False
        if not self._past:
            return False
        state, entries = self._past.pop()
        self.games.state[:] = state
        self.games.refresh()
        del self.log[entries:]
        return True

    def resign(self) -> None:
        """Give up."""
        if not self.over:
            self.resigned = True

    def _choice(self, games: Batch) -> int:
        return int(self.policy.choose(games, np.zeros(1, np.int64))[0])

    def _step(self, action: int) -> None:
        entry = str(self.games.agent(0)), self.games.action_text(0, action)
        self.games.step([action])
        self.log.append(entry)
