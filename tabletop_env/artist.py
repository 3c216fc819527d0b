"""How a game is drawn: what its picture module tells the doors. Everything is drawn from states.

A state is the plain JSON of the notation, so that a record, a position typed by hand and a running game
all look alike. What a viewer may not see is left out before anything is drawn.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from tabletop_env.game import Row, StateDict
from tabletop_env.paint import Paint, plain
from tabletop_env.svg import Picture


class Artist(ABC):
    """Draws the states of one game."""

    overlays: ClassVar[Mapping[str, str]] = {}
    """Names of what can be laid over the board, each with its title."""

    @abstractmethod
    def compose(
        self,
        state: StateDict,
        viewer: str | None = None,
        *,
        overlay: Any = None,
        last: Sequence[str] = (),
        targets: Sequence[str] = (),
        options: Mapping[str, Any] | None = None,
        turned: bool | None = None,
    ) -> Picture:
        """The picture of a state.

        Parameters
        ----------
        viewer
            The agent who looks, and sees no more than it may; ``None`` sees all.
        overlay
            What ``overlay`` returned, drawn over the board.
        last
            The moves just made, to be marked.
        targets
            Spots to be marked as possible: squares, cards.
        options
            Rule options of the game; by default their defaults.
        turned
            Whether a board is drawn the other way round; by default as the viewer sits.
        """

    def overlay(self, row: Row, name: str) -> Any:
        """Data of an overlay, worked out by the game's own kernels."""
        raise ValueError(
            f"overlay is {name!r}, expected one of {', '.join(self.overlays) or 'none'}"
        )

    @abstractmethod
    def text(self, state: StateDict, viewer: str | None = None, paint: Paint = plain) -> str:
        """Lines for a terminal, in colours if ``paint`` has any."""

    @abstractmethod
    def clicks(self, state: StateDict, move: str) -> tuple[str, ...]:
        """The spots of the picture that, clicked in order, make a move: at most two; none: a button."""

    @abstractmethod
    def series(self, agents: Sequence[str]) -> dict[str, str]:
        """What is worth plotting over time: labels, each with the name of its colour."""

    @abstractmethod
    def scores(self, state: StateDict) -> tuple[int, ...]:
        """The values of ``series`` in a state."""

    def words(self, state: StateDict, move: str) -> str:
        """A move for a button."""
        return move

    def why_not(self, row: Row, state: StateDict, move: str) -> str:
        """What speaks against a move of the agent to act, in words for people; empty if nothing found."""
        return ""

    def heard(self, agent: str, move: str, viewer: str | None) -> str:
        """An entry of a record as a viewer may know it; what is hidden shows as ``?``."""
        return move
