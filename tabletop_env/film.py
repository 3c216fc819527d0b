"""Games as frames for a page: the parts of each picture, and only what changed since the one before.

Drawing happens here, by the game's own artist; a page only exchanges parts. Every fragment is kept once,
in a pool. A *track* is what one choice on the page shows: ``all`` is the picture with everything open,
a viewer's or an overlay's track has the parts that differ from it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from tabletop_env.game import Game
from tabletop_env.record import begin, check_record, follow
from tabletop_env.render import scene, viewer_name
from tabletop_env.svg import Picture, css_colours, paint

if TYPE_CHECKING:
    from tabletop_env.artist import Artist
    from tabletop_env.batch import Batch

GONE, AS_ALL = -1, -2
"""Instead of a fragment: the part is not there; it is again that of the track ``all``."""

Parts = dict[int, int]
"""Number of a part's name to the number of its fragment."""


class Film:
    """Frames of games of one kind, with all that a page needs to show them."""

    def __init__(self, game: Game, viewer: str | None = None) -> None:
        if game.artist is None:
            raise ValueError(f"{game.title} has no pictures")
        self.game, self.viewer, self.artist = game, viewer, game.artist
        self.names: dict[str, int] = {}
        self.pool: dict[str, int] = {}
        self.symbols: dict[str, str] = {}
        self._picture: Picture | None = None

    def look(self) -> dict[str, Any]:
        """What is common to all frames, as JSON values."""
        picture = self._picture
        assert picture is not None, "no frame has been drawn"
        return {
            "width": picture.width,
            "height": picture.height,
            "layers": picture.layers,
            "colours": picture.colours,
            "symbols": {name: paint(text, css_colours) for name, text in self.symbols.items()},
            "parts": list(self.names),
            "pool": [paint(text, css_colours) for text in self.pool],
            "overlays": dict(self.artist.overlays),
        }

    def tracks(
        self, games: Batch, last: Sequence[str], viewers: Sequence[str], overlays: Sequence[str]
    ) -> dict[str, Parts]:
        """The parts of every track of the game's state; all but ``all`` as differences from that."""
        state, options = scene(games, 0), games.options
        turned = None if self.viewer else False  # the board stays when the page changes the viewer

        def parts(viewer: str | None, overlay: Any = None) -> Parts:
            picture = self.artist.compose(
                state, viewer, overlay=overlay, last=last, options=options, turned=turned
            )
            if self._picture is None or picture.height > self._picture.height:
                self._picture = picture
            self.symbols |= picture.symbols
            return {
                _number(self.names, name): _number(self.pool, text)
                for name, text in picture.parts.items()
            }

        base = parts(self.viewer)
        found = {"all": base}
        for viewer in viewers:
            found[viewer] = differences(base, parts(viewer))
        for overlay in overlays:
            data = self.artist.overlay(games.state[0], overlay)
            found[overlay] = differences(base, parts(self.viewer, data))
        return found

    def take(self, record: Any, name: str) -> dict[str, Any]:
        """A game's frames and all that is said about it, from a record; ``RecordError`` if it is wrong."""
        check_record(self.game, record)
        games = begin(self.game, len(record["agents"]), record["options"])
        viewers = [] if viewer_name(games, self.viewer) else games.agents
        reel = Reel(self, games, viewers)
        moves: list[list[Any]] = []
        last: list[str] = []
        mover: str | None = None
        reel.shoot(last)
        for agent, move in record["moves"]:
            follow(games, agent, move)
            if agent != "chance":
                last, mover = ([*last, move] if agent == mover else [move]), agent
            reel.shoot(last)
            moves.append([agent, self.artist.heard(agent, move, self.viewer), reel.index])
        return {
            "name": name,
            "agents": games.agents,
            "viewer": self.viewer,
            "viewers": viewers,
            "moves": moves,
            "heard": {viewer: heard(self.artist, record["moves"], viewer) for viewer in viewers},
            "rewards": record["rewards"],
            "truncated": record["truncated"],
            "series": reel.series(),
            "frames": reel.frames,
        }


class Reel:
    """The frames of one game, each with the changes of its tracks."""

    def __init__(self, film: Film, games: Batch, viewers: Sequence[str]) -> None:
        self.film, self.games, self.viewers = film, games, viewers
        self.frames: list[dict[str, list[int]]] = []
        self.scores: list[tuple[int, ...]] = []
        self._before: dict[str, Parts] = {}

    @property
    def index(self) -> int:
        """The frame that shows what has happened so far, or will once chance has been decided."""
        due = self.games.agent(0) == "chance"
        return len(self.frames) - (0 if due else 1)

    def shoot(self, last: Sequence[str]) -> None:
        """A frame of the state, unless a chance event is due."""
        if self.games.agent(0) == "chance":
            return
        artist = self.film.artist
        tracks = self.film.tracks(self.games, last, self.viewers, list(artist.overlays))
        frame = {}
        for track, parts in tracks.items():
            back = GONE if track == "all" else AS_ALL
            if change := changes(self._before.get(track, {}), parts, back):
                frame[track] = change
        self._before = tracks
        self.frames.append(frame)
        self.scores.append(artist.scores(scene(self.games, 0)))

    def series(self) -> list[dict[str, Any]]:
        """What the page plots: label, colour and the value in each frame."""
        labels = self.film.artist.series(self.games.agents).items()
        return [
            {"label": label, "colour": colour, "values": values}
            for (label, colour), values in zip(labels, zip(*self.scores, strict=True), strict=True)
        ]


def differences(base: Parts, other: Parts) -> Parts:
    """The parts of another picture that are not as in the base."""
    gone = dict.fromkeys(base.keys() - other.keys(), GONE)
    return gone | {part: text for part, text in other.items() if base.get(part) != text}


def changes(before: Parts, after: Parts, back: int) -> list[int]:
    """Part and fragment, in turn, of all that changed; ``back`` where a part has none any more."""
    flat: list[int] = []
    for part in sorted(before.keys() | after.keys()):
        if before.get(part) != after.get(part):
            flat += (part, after.get(part, back))
    return flat


def heard(artist: Artist, moves: Sequence[Sequence[str]], viewer: str) -> dict[int, str]:
    """The entries of a record that a viewer knows only in part."""
    known = (artist.heard(agent, move, viewer) for agent, move in moves)
    return {
        index: text
        for index, (text, (_, move)) in enumerate(zip(known, moves, strict=True))
        if text != move
    }


def _number(table: dict[str, int], key: str) -> int:
    return table.setdefault(key, len(table))
