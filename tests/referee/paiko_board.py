"""Paikō's board and tiles, read off the pictures: squares, patterns, threat, cover, capture.

The slow referee asks every question square by square and tile by tile.  A *position* is a plain
dict from a square's name to the tile that lies there; heroes and busy tiles occur in The Ronin
Prince only, red pieces in Valley of the Shrines only, and each is handled right where it differs.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from functools import cache
from typing import NamedTuple


class RuleError(ValueError):
    """Something the rules do not allow; the message names it and what was expected."""


# P1: W, w White's homeground; B, b Black's; capitals and # are the black squares.
DRAWING = """
14              . b
13            . . b b
12          . . . b b b
11        . . . . b b b b
10      . . . . . b b b b b
 9    . . . . # . b b b b b b
 8  . . . . . . . B b b b b b b
 7  w w w w w w W . . . . . . .
 6    w w w w w w . # . . . .
 5      w w w w w . . . . .
 4        w w w w . . . .
 3          w w w . . .
 2            w w . .
 1              w .
    a b c d e f g h i j k l m n
"""
FILES = "abcdefghijklmn"


def _read_board() -> dict[str, str]:
    marks = {}
    for line in DRAWING.splitlines():
        if line[:2].strip():
            for x, file in enumerate(FILES):
                mark = line[4 + 2 * x : 5 + 2 * x]
                if mark.strip():
                    marks[f"{file}{int(line[:2])}"] = mark
    return marks


MARKS = _read_board()  # square -> its mark in the drawing
SQUARES = tuple(MARKS)
XY = {square: (FILES.index(square[0]), 14 - int(square[1:])) for square in SQUARES}
AT = {xy: square for square, xy in XY.items()}
BLACK_SQUARES = frozenset(s for s, mark in MARKS.items() if mark in "#WB")
HOMEGROUND = {
    "w": frozenset(s for s, mark in MARKS.items() if mark in "Ww"),
    "b": frozenset(s for s, mark in MARKS.items() if mark in "Bb"),
    "r": frozenset[str](),
}

LETTERS = "SBEFWILA"
COPIES = 3
DIRECTIONAL = "BFI"  # P3
FACINGS = "NESW"  # clockwise
SHIFT = {"S": 2, "B": 2, "E": 1, "F": 2, "W": 2, "I": 2, "L": 0, "A": 0, "c": 0, "z": 1}
ENEMY = {"w": "b", "b": "w"}

# Facing north. x: threatened; o: covered. The tile itself is @, or X where it threatens
# its own square, or O where it covers it.
PATTERN_DRAWINGS = {
    "S": """
        x x x
        x @ x
        x x x
    """,
    "B": """
        x
        x
        x
        .
        @
    """,
    "E": """
        . . x . .
        . . x . .
        x x @ x x
        . . x . .
        . . x . .
    """,
    "F": """
        x x x x x
        . x x x .
        . . X . .
    """,
    "W": """
        x o x
        o @ o
        x o x
    """,
    "I": """
        . x .
        o @ o
    """,
    "L": """
        o o o
        o O o
        o o o
    """,
    "A": """
        . x . x .
        x . . . x
        . . @ . .
        x . . . x
        . x . x .
    """,
}


def _read_pattern(drawing: str) -> dict[str, frozenset[tuple[int, int]]]:
    rows = [line.split() for line in drawing.splitlines() if line.strip()]
    cells = {(x, y): mark for y, row in enumerate(rows) for x, mark in enumerate(row)}
    (x0, y0) = next(xy for xy, mark in cells.items() if mark in "@XO")
    return {
        kind: frozenset((x - x0, y - y0) for (x, y), mark in cells.items() if mark in marks)
        for kind, marks in (("threat", "xX"), ("cover", "oO"))
    }


PATTERNS = {letter: _read_pattern(drawing) for letter, drawing in PATTERN_DRAWINGS.items()}


class Tile(NamedTuple):
    """What lies on a square: a tile, or in the Valley a corpse (c) or a zombie (z)."""

    side: str  # w, b, r
    letter: str
    facing: str = "N"  # P3: anything else only for a directional tile
    hero: bool = False  # R2
    busy: bool = False  # R5
    streak: int = 0  # P7: turns of its side in a row in which it shifted, the last included
    base: str = ""  # R2: of a white hero; a black hero's stands with its owner


Position = Mapping[str, Tile]
_TILE_TEXT = re.compile(r"([wb])([SBEFWILA])([NESW]?)(!?)(~?)([123]?)")
_RED_TEXT = re.compile(r"([cz])([123]?)")


def write_tile(tile: Tile) -> str:
    streak = str(tile.streak) if tile.streak else ""
    if tile.side == "r":
        return tile.letter + streak
    facing = tile.facing if tile.letter in DIRECTIONAL else ""
    marks = "!" * tile.hero + "~" * tile.busy
    return tile.side + tile.letter + facing + marks + streak


def read_tile(text: str) -> Tile:
    """The inverse of write_tile; a hero's base is not in the text."""
    if red := _RED_TEXT.fullmatch(text):
        return Tile("r", red[1], streak=int(red[2] or 0))
    match = _TILE_TEXT.fullmatch(text)
    if match is None or bool(match[3]) != (match[2] in DIRECTIONAL):
        raise RuleError(f"{text!r} is no tile: expected a text such as 'wS', 'bFN2' or 'c'")
    side, letter, facing, hero, busy, streak = match.groups()
    return Tile(side, letter, facing or "N", bool(hero), bool(busy), int(streak or 0))


# --- Neighbours and patterns ---------------------------------------------------------------


@cache
def orthogonal(square: str) -> tuple[str, ...]:
    return _on_board(square, frozenset({(0, -1), (1, 0), (0, 1), (-1, 0)}))


@cache
def around(square: str) -> tuple[str, ...]:
    """The up to eight squares that share an edge or a corner with this one."""
    eight = {(dx, dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1)} - {(0, 0)}
    return _on_board(square, frozenset(eight))


@cache
def _on_board(square: str, offsets: frozenset[tuple[int, int]]) -> tuple[str, ...]:
    x, y = XY[square]
    return tuple(AT[x + dx, y + dy] for dx, dy in sorted(offsets) if (x + dx, y + dy) in AT)


@cache
def _pattern_squares(kind: str, letter: str, facing: str, square: str) -> frozenset[str]:
    offsets = PATTERNS[letter][kind]
    for _ in range(FACINGS.index(facing)):
        offsets = frozenset((-dy, dx) for dx, dy in offsets)  # a quarter turn clockwise
    return frozenset(_on_board(square, offsets))


def threatened_from(square: str, tile: Tile) -> frozenset[str]:
    """The squares that a tile threatens from a square, whoever stands there."""
    if tile.side == "r" or tile.busy:  # V3, R5
        return frozenset()
    return _pattern_squares("threat", tile.letter, tile.facing, square)


def covered_from(square: str, tile: Tile) -> frozenset[str]:
    """The squares that a tile's cover pattern reaches from a square."""
    if tile.side == "r" or tile.busy:  # V3, R5
        return frozenset()
    squares = _pattern_squares("cover", tile.letter, tile.facing, square)
    if tile.hero and tile.letter == "E":  # R10: a hero Earth covers itself
        squares |= {square}
    return squares


# --- Threat, cover, capture ----------------------------------------------------------------


def threats(position: Position, side: str) -> Counter[str]:
    """How much threat every square holds for a side (P2; for red pieces V3)."""
    total = Counter[str]()
    for place, tile in position.items():
        plain_fire = tile.letter == "F" and not tile.hero  # R10: a hero Fire spares its side
        if tile.side != side or plain_fire:
            total.update(threatened_from(place, tile))
    return total


def cover(position: Position, side: str) -> set[str]:
    """The squares on which a tile of the side is in cover (P2)."""
    squares = set(HOMEGROUND[side])
    for place, tile in position.items():
        if tile.side == side:
            squares |= covered_from(place, tile)
    return squares


def untouchable(position: Position, side: str) -> set[str]:
    """R10: where the side's tiles cannot be captured, by a hero Lotus that is not itself safe."""
    squares = set[str]()
    for place, tile in position.items():
        if tile.side == side and tile.hero and tile.letter == "L":
            squares |= covered_from(place, tile) - {place}
    return squares


def capturable(position: Position, side: str) -> set[str]:
    """The squares of the side's tiles that could be captured as the position stands."""
    pressure, in_cover = threats(position, side), cover(position, side)
    safe = untouchable(position, side)
    return {
        square
        for square, tile in position.items()
        if tile.side == side
        and square not in safe
        and pressure[square] >= (3 if side == "r" or square in in_cover else 2)  # P2, V3
    }


def threat(position: Position, side: str, square: str) -> int:
    return threats(position, side)[square]


def covered(position: Position, side: str, square: str) -> bool:
    return square in cover(position, side)


def capture(position: Position, sides: str) -> tuple[dict[str, Tile], list[Tile]]:
    """The capture phase against one or more sides (P11, V6): what is left, what fell."""
    board, fallen = dict(position), list[Tile]()

    def remove(squares: set[str]) -> None:
        fallen.extend(board.pop(square) for square in sorted(squares))

    while True:
        in_danger = {square for side in sides for square in capturable(board, side)}
        others = {square for square in in_danger if board[square].letter != "F"}
        if not others:
            remove(in_danger)  # the Fires, last and all at once
            return board, fallen
        remove(others)


def points(position: Position, side: str) -> int:
    """Two for a tile on the enemy's homeground, one on the middle ground, none for a Lotus."""
    total = 0
    for square, tile in position.items():
        if tile.side == side and tile.letter != "L":  # P13
            if square in HOMEGROUND[ENEMY[side]]:
                total += 2
            elif square not in HOMEGROUND[side]:
                total += 1
    return total
