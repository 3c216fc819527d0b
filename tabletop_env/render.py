"""What all doors share about looking at a game: the render modes, and the last moves to be marked."""

from __future__ import annotations

import copy
import time
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Self

from tabletop_env import raster
from tabletop_env.game import Game, StateDict
from tabletop_env.notation import rewards_dict
from tabletop_env.paint import paint_for
from tabletop_env.svg import Picture

if TYPE_CHECKING:
    from tabletop_env.batch import Batch
    from tabletop_env.window import Window

FPS = 2
"""Moves a second of videos, and at most so many in a window."""


def render_modes(game: Game, *, window: bool = True) -> tuple[str, ...]:
    """The modes that a game's doors offer: a game without an artist has only its text."""
    if game.artist is None:
        return ("ansi",)
    return ("ansi", "rgb_array", "human") if window else ("ansi", "rgb_array")


def check_mode(game: Game, mode: str | None, *, window: bool = True) -> str | None:
    """A render mode, or ``ValueError`` with those that there are."""
    modes = render_modes(game, window=window)
    if mode is not None and mode not in modes:
        raise ValueError(f"render_mode is {mode!r}, expected None or {', '.join(map(repr, modes))}")
    return mode


def scene(games: Batch, row: int) -> StateDict:
    """The state of a game to be drawn, while a chance event is due too."""
    return {**games.game.scene(games.state[row]), "rewards": rewards_dict(games, row)}


def viewer_name(games: Batch, viewer: str | int | None) -> str | None:
    """A viewer, given as an agent or a seat, as an agent; ``None`` sees all."""
    if viewer is None or (isinstance(viewer, str) and viewer in games.agents):
        return viewer
    if isinstance(viewer, int) and 0 <= viewer < len(games.agents):
        return games.agents[viewer]
    raise ValueError(f"viewer is {viewer!r}, expected None, a seat or one of {games.agents}")


def draw(
    games: Batch,
    row: int,
    viewer: str | int | None = None,
    *,
    overlay: str | None = None,
    last: Sequence[str] = (),
    targets: Sequence[str] = (),
    turned: bool | None = None,
) -> Picture:
    """The picture of a game of a batch; an overlay, given by name, is worked out by its kernels."""
    artist = games.game.artist
    if artist is None:
        raise ValueError(f"{games.game.title} has no pictures")
    return artist.compose(
        scene(games, row),
        viewer_name(games, viewer),
        overlay=None if overlay is None else artist.overlay(games.state[row], overlay),
        last=last,
        targets=targets,
        options=games.options,
        turned=turned,
    )


def render(
    games: Batch, row: int, mode: str, viewer: str | int | None = None, *, dark: bool = False,
    width: int | None = None, **marks: Any,
) -> Any:  # fmt: skip
    """A game in a mode: ``ansi`` text, ``svg`` text, or an ``rgb_array`` (height, width, 3) uint8.

    ``marks`` are those of ``draw``. Text has colours where standard output is a terminal with them.
    """
    if mode == "ansi":
        name = viewer_name(games, viewer)
        if games.game.artist is None:
            seat = None if name is None else games.agents.index(name)
            return games.game.text(games.state[row], seat)
        return games.game.artist.text(scene(games, row), name, paint_for())
    if mode not in ("svg", "rgb_array"):
        raise ValueError(f"mode is {mode!r}, expected 'ansi', 'svg' or 'rgb_array'")
    svg = draw(games, row, viewer, **marks).svg(dark)
    return svg if mode == "svg" else raster.frame(svg, width)


class Screen:
    """How one environment shows its game: its mode, its window, and the moves to be marked."""

    def __init__(self, mode: str) -> None:
        self.mode = mode
        self.last: list[str] = []
        self._mover: str | None = None
        self._window: Window | None = None
        self._due = 0.0

    def begin(self) -> None:
        """A new game: nothing has been moved yet."""
        self.last, self._mover = [], None

    def note(self, games: Batch, action: int) -> None:
        """Remember a move before it is made; one agent's moves in a row are marked together."""
        agent = games.agent(0)
        if agent != self._mover:
            self.last, self._mover = [], agent
        self.last.append(games.action_text(0, action))

    def render(self, games: Batch, viewer: str | int | None = None) -> Any:
        """Text or a frame; in mode ``human`` the window shows the game, and there is no answer."""
        if self.mode != "human":
            marks: dict[str, Any] = {} if self.mode == "ansi" else {"last": self.last}
            return render(games, 0, self.mode, viewer, **marks)
        if self._window is None:
            from tabletop_env.window import Window

            self._window = Window(games.game.title)
        time.sleep(max(0.0, self._due - time.monotonic()))
        self._window.show(draw(games, 0, viewer, last=self.last).svg())
        self._due = time.monotonic() + 1 / FPS
        return None

    def close(self) -> None:
        """Close the window, if there is one."""
        if self._window is not None:
            self._window.close()
            self._window = None

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        """A copy of an environment opens a window of its own when it is shown."""
        other = copy.copy(self)
        other.last = self.last[:]
        return other

    def __copy__(self) -> Self:
        other = type(self)(self.mode)
        other.last, other._mover = self.last, self._mover
        return other

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_window": None}
