"""The tiles: what each threatens and covers, as drawings that code turns into tables.

A tile on the board is a *code*: ``4 * kind + facing``, kinds being numbered in the notation's order
``SBEFWILA``; tiles without a facing face N (P3).
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from paiko_env.board import DIRECTIONS, FACINGS, SQUARES, beside, words

LETTERS = "SBEFWILA"
KINDS = len(LETTERS)
SWORD, BOW, EARTH, FIRE, WATER, SAI, LOTUS, AIR = range(KINDS)
NAMES = ("Sword", "Bow", "Earth", "Fire", "Water", "Sai", "Lotus", "Air")
COPIES = 3
"""Tiles of each kind that a side has (rulebook)."""

# Facing north: x threat, + cover, o the tile, X the tile threatening itself, C covering itself.
DRAWINGS = {
    SWORD: """
        x x x
        x o x
        x x x
    """,
    BOW: """
        x
        x
        x
        .
        o
    """,
    EARTH: """
        . . x . .
        . . x . .
        x x o x x
        . . x . .
        . . x . .
    """,
    FIRE: """
        x x x x x
        . x x x .
        . . X . .
    """,
    WATER: """
        x + x
        + o +
        x + x
    """,
    SAI: """
        . x .
        + o +
    """,
    LOTUS: """
        + + +
        + C +
        + + +
    """,
    AIR: """
        . x . x .
        x . . . x
        . . o . .
        x . . . x
        . x . x .
    """,
}

RANGE = np.array([2, 2, 1, 2, 2, 2, 0, 0], np.int64)
"""(8,) steps that a tile of each kind may shift (rulebook)."""
SLIDE = np.array([0, 0, 0, 0, 0, 2, 0, 0], np.int64)
"""(8,) steps that it may slide when it is deployed: only a Sai does (P8)."""
DIRECTIONAL = np.array([0, 1, 0, 1, 0, 1, 0, 0], np.int64)
"""(8,) 1 for Bow, Fire and Sai, which have a facing (P3)."""

Offsets = list[tuple[int, int]]


def pattern(kind: int) -> tuple[Offsets, Offsets]:
    """(dx, dy) of what a north-facing tile threatens and covers, read off its drawing."""
    cells = {
        (x, y): mark
        for y, line in enumerate(DRAWINGS[kind].split("\n")[1:-1])
        for x, mark in enumerate(line.split())
    }
    (left, top), *_ = (place for place, mark in cells.items() if mark in "oXC")
    relative = {(x - left, y - top): mark for (x, y), mark in cells.items()}
    threat = [place for place, mark in relative.items() if mark in "xX"]
    cover = [place for place, mark in relative.items() if mark in "+C"]
    return threat, cover


def turned(offsets: Offsets, facing: int) -> Offsets:
    """Offsets of a north-facing pattern, turned clockwise to a facing."""
    for _ in range(facing):
        offsets = [(-dy, dx) for dx, dy in offsets]
    return offsets


def _table(part: int) -> npt.NDArray[np.uint64]:
    return np.array(
        [
            [words(beside(square, *offset) for offset in offsets) for square in range(SQUARES)]
            for kind in range(KINDS)
            for facing in range(len(DIRECTIONS))
            for offsets in [turned(pattern(kind)[part], facing)]
        ]
    )


THREAT = _table(0)
"""(32, 112, 2) uint64: the squares that a tile threatens, by code and its square.

Square t is in the pattern of a tile on s exactly when s is in that of the same tile on t, turned
round: ``THREAT[code ^ 2, t]`` are the squares from which it would threaten t."""
COVER = _table(1)
"""(32, 112, 2) uint64: the squares that it covers, likewise."""


CARE = np.array([bool(pattern(kind)[1]) or kind == FIRE for kind in range(KINDS)], np.int64)
"""(8,) 1 for kinds whose going, coming or turning can leave others of their side capturable (P5): those
that cover, and Fire."""

MOBILE, CAREFUL, FACED = (
    tuple(kind for kind in range(KINDS) if table[kind]) for table in (RANGE, CARE, DIRECTIONAL)
)
"""Kinds that shift, those of ``CARE``, and those with a facing."""


def code_text(code: int) -> str:
    """Letter, and facing where there is one: ``FN``."""
    kind, facing = divmod(code, 4)
    return LETTERS[kind] + (FACINGS[facing] if DIRECTIONAL[kind] else "")
