"""A state of Paikō, of any of its three games, as a picture: the board with both sides' tiles around it.

``draw`` works on any state of the notation. With a viewer it shows only what that agent may see: in
Ronin no other hand, no letters of reserves, and nobody ever sees a base (R11).
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from typing import Any

from paiko_env import lines
from paiko_env.board import (
    BLACK,
    BLACK_NAMES,
    FACINGS,
    HOME,
    NAMES,
    SIDES,
    SIZE,
    SQUARE_OF,
    WHITE,
    X,
    Y,
    members,
)
from paiko_env.glyphs import COLOURS as GLYPH_COLOURS
from paiko_env.glyphs import Piece, marks, read_piece, shield, symbol
from paiko_env.panels import put_panels
from tabletop_env.artist import Artist
from tabletop_env.game import Row, StateDict
from tabletop_env.paint import Paint, plain
from tabletop_env.svg import Picture, box, circle, group, path, text, use

WIDTH, HEIGHT = 640, 786
LEFT, TOP, CELL = 26, 94, 42
LAYERS = ("board", "shade", "last", "tiles", "counts", "targets", "plates", "panels", "status")

COLOURS = {
    **GLYPH_COLOURS,
    "middle": ("#f3efe4", "#3a3d45"),
    "white_home": ("#bcd9ec", "#274a62"),
    "black_home": ("#f3d9ae", "#5b4522"),
    "black_square": ("#3d3833", "#0e0e10"),
    "edge": ("#a79f8e", "#1d1f24"),
    "last": ("#e0a800", "#f0e442"),
    "white_line": ("#0072b2", "#56b4e9"),
    "black_line": ("#c77800", "#f0b429"),
    "shade": ("#d55e00", "#ff7a2b"),
}

HOMES = {
    **{NAMES[square]: "$white_home" for square in members(HOME[WHITE])},
    **{NAMES[square]: "$black_home" for square in members(HOME[BLACK])},
}
_SQUARE = re.compile(r"[a-n][1-9][0-4]?")
_SHIFT = re.compile(r"([a-n]\d+)-([a-n]\d+)")


def draw(
    state: StateDict,
    viewer: str | None = None,
    *,
    dark: bool = False,
    overlay: Any = None,
    last: Sequence[str] = (),
    targets: Sequence[str] = (),
    options: Mapping[str, Any] | None = None,
    turned: bool | None = None,
) -> str:
    """The picture of a state as SVG; arguments as for ``tabletop_env.artist.Artist.compose``.

    ``overlay``, when given, is ``{"side": "w", "threat": {"f4": 2, …}, "cover": ["f4", …]}``: how much
    threat each square holds for a side's tiles, and where they are in cover (P2).
    """
    picture = ARTIST.compose(
        state, viewer, overlay=overlay, last=last, targets=targets, turned=turned
    )
    return picture.svg(dark)


class PaikoArtist(Artist):
    """Draws the game for two, the Valley and Ronin; turned for Black, so that every colour sees its own
    homeground at the lower left, as in observations.

    Spots are squares (``f4``), tiles of a hand (``white_0.hand.S``) or a reserve (``w.reserve.S``), and
    a Black's hero (``black_1.hero``); scores are points, and Red's zombies.
    """

    overlays = {
        "white": "threat to White, White's cover",
        "black": "threat to Black, Black's cover",
    }

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
        if turned is None:
            turned = viewer is not None and viewer.startswith("black")
        title = {"valley": "Valley of the Shrines", "ronin": "The Ronin Prince"}.get(
            state["game"], "Paikō"
        )
        label = f"{title}, turn {state['turn']}, phase {state['phase']}"
        picture = Picture(WIDTH, HEIGHT, LAYERS, COLOURS, label)
        picture.put("board/squares", board(turned))
        for square, written in state["board"].items():
            piece = read_piece(turn_tile(written) if turned else written)
            picture.define(piece.symbol, symbol(piece))
            picture.put(f"tiles/{square}", piece_on(square, piece, turned))
        put_pending(picture, state, turned)
        put_last(picture, last, turned)
        if overlay:
            put_overlay(picture, overlay, turned)
        for spot in targets:
            if spot in SQUARE_OF:
                put_at(picture, f"targets/{spot}", spot, turned, target(spot in state["board"]))
        put_panels(picture, state, viewer, title, set(targets), turned)
        return picture

    def overlay(self, row: Row, name: str) -> Any:
        from paiko_env.overlay import survey_side

        if name not in self.overlays:
            return super().overlay(row, name)
        return survey_side(row, SIDES[list(self.overlays).index(name)])

    def text(self, state: StateDict, viewer: str | None = None, paint: Paint = plain) -> str:
        return lines.text(state, viewer, paint)

    def clicks(self, state: StateDict, move: str) -> tuple[str, ...]:
        agent, phase = state["to_act"], state["phase"]
        squares = tuple(_SQUARE.findall(move))
        if phase in ("place", "slide"):
            return squares[-1:]
        if len(squares) == 2 or move[0] in "CZx" or move[-1] in "*<z":
            return squares
        if len(squares) == 1:
            from_hero = agent.startswith("black") and "!" in move
            return (f"{agent}.hero" if from_hero else f"{agent}.hand.{move[0]}", *squares)
        if move[0] == "+":
            side = agent[0] if phase != "reward" else "wb"[agent[0] == "w"]
            return (f"{side}.reserve.{move[1]}",)
        if move[0] == "-":
            return (f"{agent}.hand.{move[1]}",)
        return ()

    def series(self, agents: Sequence[str]) -> dict[str, str]:
        colours = {"White's points": "white_line", "Black's points": "black_line"}
        return colours | ({"zombies": "red_tile"} if "red_0" in agents else {})

    def scores(self, state: StateDict) -> tuple[int, ...]:
        points = state["points"]["w"], state["points"]["b"]
        if state["game"] != "valley":
            return points
        return *points, sum(written[0] == "z" for written in state["board"].values())

    def words(self, state: StateDict, move: str) -> str:
        if move[0] == "^":
            sides = {"N": "north", "E": "east", "S": "south", "W": "west"}
            seen = turn_tile(f"bF{move[1]}")[2] if state["to_act"][0] == "b" else move[1]
            return f"face {dict(zip('NESW', '↑→↓←', strict=True))[seen]} {sides[move[1]]}"
        if move == ".":
            return "pass" if state["phase"] == "action" else "enough"
        if move == "<":
            return "hero back to hand"
        if move[0] == "!":
            return f"hero {move[1]}"
        verbs = {"*": "lift", "<": "take back", "z": "zombify"}
        if move[-1] in verbs:
            return f"{verbs[move[-1]]} {move[:-1]}"
        return move

    def why_not(self, row: Row, state: StateDict, move: str) -> str:
        from paiko_env.explain import why_not

        return why_not(row, state, move)

    def heard(self, agent: str, move: str, viewer: str | None) -> str:
        if agent != "chance" or viewer is None:
            return move
        words = move.split()
        hidden = words[0] == "base" or (words[0] == "draw" and words[1] != viewer)  # R11
        return " ".join([*words[:-1], "?"]) if hidden else move


class ValleyArtist(PaikoArtist):
    """Draws the Valley, where threat may be told for Red as well."""

    overlays = {
        **PaikoArtist.overlays,
        "red": "threat to Red, tiles' cover",
    }


@cache
def place(square: str, turned: bool = False) -> tuple[float, float]:
    """The middle of a square; ``turned``, White's homeground is at the upper right."""
    x, y = int(X[SQUARE_OF[square]]), int(Y[SQUARE_OF[square]])
    if turned:
        x, y = SIZE - 1 - x, SIZE - 1 - y
    return LEFT + CELL * (x + 0.5), TOP + CELL * (y + 0.5)


def turn_tile(written: str) -> str:
    """A tile as it looks on a turned board."""
    if written[2:3] in (*FACINGS,):
        return written[:2] + FACINGS[FACINGS.index(written[2]) - 2] + written[3:]
    return written


def put_at(picture: Picture, part: str, square: str, turned: bool, *fragments: str) -> None:
    """Add fragments, drawn around (0, 0), on a square; the mouse looks through them."""
    x, y = place(square, turned)
    picture.put(part, group(*fragments, x=x, y=y, pointer_events="none"))


# -- the board -----------------------------------------------------------------------------------


@cache
def board(turned: bool) -> str:
    """Squares, and their files and ranks along the edges."""
    fragments = []
    for square in NAMES:
        x, y = place(square, turned)
        fill = "$black_square" if square in BLACK_NAMES else HOMES.get(square, "$middle")
        fragments.append(box(x, y, CELL, fill, stroke="$edge", stroke_width=1, data_spot=square))
        if square in BLACK_NAMES:
            cracks = path("M-13 -4L-4 1L-7 10M2 -13L5 -3L13 1M-1 13L6 7", stroke="$vermilion",
                          stroke_width=1.4, stroke_opacity=0.8, pointer_events="none")  # fmt: skip
            fragments.append(group(cracks, x=x, y=y))
    return "".join(fragments + _coordinates(turned))


def _coordinates(turned: bool) -> list[str]:
    """A rank beside both ends of its row, a file above and below its column."""
    words, end = [], 1 if turned else 0
    for line in range(SIZE):
        rank = [name for name in NAMES if name[1:] == str(SIZE - line)]
        column = [name for name in NAMES if name[0] == "abcdefghijklmn"[line]]
        for name, aside in ((rank[-end], -1), (rank[end - 1], 1)):
            x, y = place(name, turned)
            words.append(text(x + 31 * aside, y + 4, name[1:], 11.5, "$muted", "middle"))
        for name, shift in ((column[-end], -25), (column[end - 1], 32)):
            x, y = place(name, turned)
            words.append(text(x, y + shift, name[0], 11.5, "$muted", "middle"))
    return words


# -- what stands and lies on it ------------------------------------------------------------------


@lru_cache(8192)
def piece_on(square: str, piece: Piece, turned: bool) -> str:
    """A piece on its square."""
    x, y = place(square, turned)
    laid = marks(piece)
    over = group(laid, x=x, y=y) if laid else ""
    return group(use(piece.symbol, x, y) + over, data_spot=square)


def put_pending(picture: Picture, state: StateDict, turned: bool) -> None:
    """A ring round the tile under way."""
    square = (state["pending"] or {}).get("tile")
    if square:
        ring = box(0, 0, CELL - 2, "none", rx=9, stroke="$blue", stroke_width=3,
                   stroke_dasharray="8 4")  # fmt: skip
        put_at(picture, f"targets/{square}-pending", square, turned, ring)


def put_last(picture: Picture, moves: Sequence[str], turned: bool) -> None:
    """The squares of the moves just made; a line from where a tile shifted."""
    touched = {square for move in moves for square in _SQUARE.findall(move)}
    for square in sorted(touched):
        frame = box(0, 0, CELL - 3, "$last", stroke="$last", stroke_width=3.4, fill_opacity=0.3)
        put_at(picture, f"last/{square}", square, turned, frame)
    for start, goal in (match.groups() for move in moves for match in _SHIFT.finditer(move)):
        if start != goal:
            (x, y), (to_x, to_y) = place(start, turned), place(goal, turned)
            line = path(f"M{x} {y}L{to_x} {to_y}", stroke="$last", stroke_width=4,
                        stroke_linecap="round", stroke_dasharray="1 7")  # fmt: skip
            picture.put(f"last/{start}-{goal}", circle(x, y, 5, "$last"), line)


def target(taken: bool) -> str:
    """A dot on an empty square, a frame round a tile."""
    if taken:
        return box(0, 0, CELL - 2, "none", rx=9, stroke="$blue", stroke_width=3)
    return circle(0, 0, 7, "$blue", stroke="$paper", stroke_width=2)


@cache
def threat_on(square: str, count: int, turned: bool) -> tuple[str, str]:
    """The shade of a threatened square, and its number."""
    x, y = place(square, turned)
    opacity = (0.16, 0.36, 0.56)[count - 1]
    shade = box(x, y, CELL, "$shade", fill_opacity=opacity, pointer_events="none")
    badge = circle(0, 0, 7, "$paper", stroke="$vermilion", stroke_width=1.4)
    words = text(0, 3.6, count, 10, "$ink", "middle", bold=True)
    return shade, group(badge + words, x=x - 12.5, y=y - 12.5, pointer_events="none")


@cache
def cover_on(square: str, turned: bool) -> str:
    x, y = place(square, turned)
    return group(shield(13.5, -12.5, "$green"), x=x, y=y, pointer_events="none")


def put_overlay(picture: Picture, overlay: Mapping[str, Any], turned: bool) -> None:
    """Threat as shade and number, cover as a shield."""
    for square, count in overlay["threat"].items():
        shade, number = threat_on(square, min(count, 3), turned)
        picture.put(f"shade/{square}", shade)
        picture.put(f"counts/{square}", number)
    for square in overlay["cover"]:
        picture.put(f"counts/{square}-cover", cover_on(square, turned))
    who = {"w": "White", "b": "Black", "r": "Red"}[overlay["side"]]
    covered = "cover, no corpse" if who == "Red" else f"{who}'s cover"
    x, y = 614, TOP + CELL * SIZE - 30
    picture.put(
        "status/overlay",
        circle(x - 132, y - 4, 7, "$paper", stroke="$vermilion", stroke_width=1.4),
        text(x, y, f"threat to {who}", 12.5, anchor="end"),
        group(shield(0, 0, "$green"), x=x - 132, y=y + 15),
        text(x, y + 19, covered, 12.5, anchor="end"),
    )


ARTIST = PaikoArtist()
VALLEY_ARTIST = ValleyArtist()
