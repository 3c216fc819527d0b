"""Paikō's pieces as symbols: each about 36 wide around its middle, as large as a square leaves room.

A tile has its type's sign and letter. Bow, Fire and Sai turn with their facing, and a wedge on the edge
says it again; a hero has a golden rim and a star, a busy tile a broken rim and an hourglass; dots count
the turns on end in which a tile shifted (P7).
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any, NamedTuple

from paiko_env.board import FACINGS
from paiko_env.tiles import LETTERS
from tabletop_env.svg import circle, group, path, polygon, rect, text

COLOURS = {
    "white_tile": ("#fffdf6", "#f1ebdb"),
    "white_ink": ("#22201c", "#22201c"),
    "white_rim": ("#5a5346", "#5a5346"),
    "white_wedge": ("#0072b2", "#0072b2"),
    "black_tile": ("#2d2d33", "#17171b"),
    "black_ink": ("#f5f1e6", "#efeadd"),
    "black_rim": ("#000000", "#8d8a83"),
    "black_wedge": ("#f0b429", "#f0b429"),
    "red_tile": ("#c2344c", "#c4485c"),
    "red_ink": ("#ffe9df", "#ffe9df"),
    "hero": ("#e69f00", "#f0b429"),
}

TILE = 36
"""Width of a tile; a square is 42 wide."""


class Piece(NamedTuple):
    """What stands on a square, as the notation's text says it."""

    side: str  # white, black, red
    letter: str  # of SBEFWILA, or c, z
    facing: str  # empty without one
    hero: bool
    busy: bool
    streak: int

    @property
    def symbol(self) -> str:
        """Name of the symbol without what is laid over it."""
        return f"{self.side}-{self.letter}{self.facing}"


_TILE = re.compile(r"([wb])([SBEFWILA])([NESW]?)(!?)(~?)([1-3]?)")
_RED = re.compile(r"([cz])([1-3]?)")
SIDE_NAMES = {"w": "white", "b": "black", "r": "red"}


@lru_cache(1024)
def read_piece(written: str) -> Piece:
    """A piece from a state's ``board``, such as ``wFN!~2`` or ``z``."""
    red = _RED.fullmatch(written)
    if red:
        return Piece("red", red[1], "", False, False, int(red[2] or 0))
    match = _TILE.fullmatch(written)
    if not match:
        raise ValueError(f"{written!r} is no tile, expected a text such as 'wS', 'bFN2' or 'c'")
    side, letter, facing, hero, busy, streak = match.groups()
    return Piece(SIDE_NAMES[side], letter, facing, bool(hero), bool(busy), int(streak or 0))


@lru_cache(1024)
def symbol(piece: Piece) -> str:
    """The drawing of a piece without marks."""
    if piece.side == "red":
        return corpse() if piece.letter == "c" else zombie()
    ink, tile = f"${piece.side}_ink", f"${piece.side}_tile"
    turn = 90 * FACINGS.index(piece.facing or "N")
    sign = group(SIGNS[piece.letter](ink, tile), x=-1.5, y=-1.5, turn=turn)
    letter = text(12.2, 15, piece.letter, 11, ink, "middle", bold=True)
    return plate(piece.side) + sign + letter + (wedge(piece.side, turn) if piece.facing else "")


@lru_cache
def sign_only(side: str, letter: str) -> str:
    """A tile so small that its letter would be none: the sign alone."""
    sign = group(SIGNS[letter](f"${side}_ink", f"${side}_tile"), scale=1.15)
    return plate(side) + sign


def plate(side: str) -> str:
    half = TILE / 2
    return rect(-half, -half, TILE, TILE, f"${side}_tile", rx=7, stroke=f"${side}_rim",
                stroke_width=1.4)  # fmt: skip


def wedge(side: str, turn: int) -> str:
    """The arrow head on the edge that a tile faces."""
    head = polygon([(-6.5, -14.6), (6.5, -14.6), (0, -21)], f"${side}_wedge", stroke="$paper",
                   stroke_width=0.8)  # fmt: skip
    return group(head, turn=turn)


def marks(piece: Piece) -> str:
    """What is laid over a symbol: hero, busy, count of shifts."""
    laid = ""
    if piece.hero:
        half = TILE / 2 - 1
        laid += rect(
            -half, -half, 2 * half, 2 * half, "none", rx=6, stroke="$hero", stroke_width=3.4
        )
        laid += polygon(_STAR, "$hero", stroke="$paper", stroke_width=0.8)
    if piece.busy:
        half = TILE / 2
        laid += rect(-half, -half, TILE, TILE, "$paper", rx=7, fill_opacity=0.42)
        laid += rect(-half, -half, TILE, TILE, "none", rx=7, stroke="$vermilion", stroke_width=2.6,
                     stroke_dasharray="5 3.5")  # fmt: skip
        laid += circle(13, -12, 7, "$vermilion") + path("M10 -16H16L10 -8H16Z", "$paper")
    ink = f"${piece.side}_ink"
    return laid + "".join(circle(-13.5 + 4.6 * n, 14, 1.8, ink) for n in range(piece.streak))


_STAR = [(-14, -22), (-12.1, -17.6), (-7.3, -17.2), (-11, -14.1), (-9.9, -9.4), (-14, -11.9),
         (-18.1, -9.4), (-17, -14.1), (-20.7, -17.2), (-15.9, -17.6)]  # fmt: skip

# -- signs of the types, in a box from -12 to 12, those that turn facing north -------------------


def _sword(ink: str, tile: str) -> str:
    blade = path("M0 -13L2.8 -9V3.5H-2.8V-9Z", ink)
    hilt = path("M-7 4.2H7M0 4.5V11", stroke=ink, stroke_width=2.6, stroke_linecap="round")
    return group(blade, path("M0 -10V2", stroke=tile, stroke_width=0.8), hilt, turn=38)


def _bow(ink: str, tile: str) -> str:
    wood = path("M-11.5 5C-9 -5 -4 -7.5 0 -7.5C4 -7.5 9 -5 11.5 5", stroke=ink, stroke_width=2.8,
                stroke_linecap="round")  # fmt: skip
    string = path("M-11.5 5L0 9L11.5 5", stroke=ink, stroke_width=1.1)
    arrow = path("M0 9V-9", stroke=ink, stroke_width=1.8) + path("M0 -13.5L3.8 -7.5H-3.8Z", ink)
    return wood + string + arrow


def _earth(ink: str, tile: str) -> str:
    return path("M-12.5 9L-4.5 -7L-0.5 0.5L4 -9L12.5 9Z", ink) + path(
        "M2 -4.6L4 -9L6.2 -4.4L4.6 -5.6L3.6 -3.8Z", tile
    )


def _fire(ink: str, tile: str) -> str:
    flame = (
        "M1 -13C2.5 -7 9.5 -4 9 4C8.6 9 4.6 11.5 0 11.5C-4.8 11.5 -8.8 9 -9 4"
        "C-9.2 -0.5 -5.6 -2.5 -5 -7C-2.8 -5.6 -2 -4 -1.6 -2.2C0.6 -5 1.4 -8.6 1 -13Z"
    )
    heart = path(
        "M0.6 1C1.4 3.4 4.2 4.4 3.8 7C3.5 9 1.8 9.8 0 9.8C-2 9.8 -3.6 8.8 -3.6 6.8C-3.6 4.4 -0.4 3.8 0.6 1Z",
        tile,
    )
    return path(flame, ink) + heart


def _water(ink: str, tile: str) -> str:
    drop = path("M0 -13C3 -6.5 8.6 -2 8.6 3.4A8.6 8.6 0 0 1 -8.6 3.4C-8.6 -2 -3 -6.5 0 -13Z", ink)
    wave = path("M-5.6 3.2C-3.6 1 -1.8 1 0 3.2C1.8 5.4 3.6 5.4 5.6 3.2", stroke=tile,
                stroke_width=1.7)  # fmt: skip
    return drop + wave


def _sai(ink: str, tile: str) -> str:
    prongs = path("M-8 -7.5C-8 0.5 -5 2.6 0 2.6C5 2.6 8 0.5 8 -7.5", stroke=ink, stroke_width=2.4,
                  stroke_linecap="round")  # fmt: skip
    return path("M0 -13.5L2 -8V11H-2V-8Z", ink) + prongs + circle(0, 11.5, 2.4, ink)


def _lotus(ink: str, tile: str) -> str:
    petal = path("M0 -12C4.4 -7 5 -1 0 5C-5 -1 -4.4 -7 0 -12Z", ink, stroke=tile, stroke_width=1.2)
    outer = [group(petal, y=4.5, turn=turn, scale=0.95) for turn in (-78, 78, -42, 42)]
    leaf = path("M-9 10.5Q0 6.5 9 10.5", stroke=ink, stroke_width=1.8, stroke_linecap="round")
    return "".join(outer) + group(petal, y=1) + leaf


def _air(ink: str, tile: str) -> str:
    line: dict[str, Any] = {"stroke": ink, "stroke_width": 2.3, "stroke_linecap": "round"}
    return (
        path("M-12 -3.6H3.6A4.1 4.1 0 1 0 -0.2 -9.2", **line)
        + path("M-12 1.2H8.4A4 4 0 1 1 4.8 6.8", **line)
        + path("M-9 6H-1.4A3 3 0 1 1 -4 10.6", **line)
    )


SIGNS = dict(zip(LETTERS, (_sword, _bow, _earth, _fire, _water, _sai, _lotus, _air), strict=True))


# -- Red's pieces --------------------------------------------------------------------------------


def corpse() -> str:
    """A tile face down."""
    net = path("M-12 0L0 -12L12 0L0 12ZM-6 -6L6 6M-6 6L6 -6", stroke="$red_ink", stroke_width=1.5,
               stroke_opacity=0.85)  # fmt: skip
    return plate_red() + net


def zombie() -> str:
    """Two tiles face down, one on the other, with a skull."""
    skull = path(
        "M0 -12C7 -12 10 -7.4 10 -2.6C10 0.8 8.4 2.6 6 4V9.4H-6V4"
        "C-8.4 2.6 -10 0.8 -10 -2.6C-10 -7.4 -7 -12 0 -12Z",
        "$red_ink",
    )
    eyes = circle(-4.2, -2.4, 2.5, "$red_tile") + circle(4.2, -2.4, 2.5, "$red_tile")
    teeth = path("M-2.2 5.5V9.4M2.2 5.5V9.4M0 1L1.4 3.4H-1.4Z", "$red_tile", stroke="$red_tile",
                 stroke_width=1)  # fmt: skip
    below = group(plate_red(), x=2.5, y=2.5)
    above = group(plate_red() + skull + eyes + teeth, x=-1.5, y=-1.5)
    return below + above


def plate_red() -> str:
    half = TILE / 2
    return rect(-half, -half, TILE, TILE, "$red_tile", rx=7, stroke="$red_ink", stroke_width=1.2)


def shield(x: float, y: float, fill: str) -> str:
    """The mark of a square in cover."""
    line = "M0 -6C2 -4.8 4 -4.4 5.4 -4.4C5.6 1 3.6 4.6 0 6.4C-3.6 4.6 -5.6 1 -5.4 -4.4C-4 -4.4 -2 -4.8 0 -6Z"
    return group(path(line, fill, stroke="$paper", stroke_width=1), x=x, y=y)
