"""Action numbers: one flat numbering in blocks, its planes for convolutional policies, its symmetries.

An action is one choice; a move of several choices (``I@f4``, ``f4-g5``, ``^N``) is as many actions.
What a number means follows from the blocks, and only its text depends on the row: a type is picked,
drawn or chosen by the phase. Numbers name squares as they are, whoever is to act. The Valley and Ronin
add blocks behind these.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from paiko_env.board import (
    DIRECTIONS,
    FACING_IMAGE,
    HALF_TURN,
    NUMBERS,
    OFF,
    OFFSETS,
    SIZE,
    SQUARE_IMAGE,
    SQUARES,
    SYMMETRIES,
    TARGET,
    WHITE,
)
from paiko_env.tiles import KINDS
from tabletop_env.kernel import kernel
from tabletop_env.layout import Block, Layout

SPANS = len(OFFSETS)

LAYOUT = Layout(
    [
        Block("type", KINDS, "pick, draw or choose a type, in the order SBEFWILA"),
        Block("stop", 1, "stop drawing, or pass"),
        Block("facing", len(DIRECTIONS), "face N, E, S, W"),
        Block("deploy", KINDS * SQUARES, "type * 112 + square: deploy, or set a lifted tile down"),
        Block("shift", SQUARES * SPANS, "square * 13 + offset: shift or slide; offset 6 stays"),
        Block("lift", SQUARES, "lift the tile on a square, to be set down elsewhere"),
    ]
)
TYPE, STOP, FACING, DEPLOY, SHIFT, LIFT = (block.start for block in LAYOUT)
NUM_ACTIONS = LAYOUT.size


@kernel
def deploy_number(kind, square):
    return DEPLOY + kind * SQUARES + square


@kernel
def first_shift(start):
    """Number of the first of a square's shifts, one for each offset."""
    return SHIFT + start * SPANS


@kernel
def deploy_of(action):
    """(kind, square) of a number in the block ``deploy``."""
    return (action - DEPLOY) // SQUARES, (action - DEPLOY) % SQUARES


@kernel
def shift_of(action):
    """(start, goal) of a number in the block ``shift``; the goal may be ``OFF``."""
    start = (action - SHIFT) // SPANS
    return start, np.int64(TARGET[start, (action - SHIFT) % SPANS])


# -- for Python ----------------------------------------------------------------------------------


def encode(block: str, *values: int) -> int:
    """Number of an action: ``encode("deploy", kind, square)``, ``encode("shift", start, goal)``,
    and of the other blocks ``encode(block, value)``; ``encode("stop")``.

    Raises
    ------
    ValueError
        If there is no such action.
    """
    sizes = {"deploy": (KINDS, SQUARES), "shift": (SQUARES, SQUARES), "stop": ()}
    limits = sizes.get(block, (LAYOUT[block].size,))
    fits = all(0 <= value < limit for value, limit in zip(values, limits, strict=False))
    if len(values) != len(limits) or not fits:
        raise ValueError(f"{block}{values} is no action; expected values below {limits}")
    if block == "deploy":
        return int(deploy_number(*values))
    if block == "shift":
        start, goal = values
        if goal not in TARGET[start]:
            raise ValueError(f"no shift spans squares {start} and {goal}")
        return int(first_shift(start)) + TARGET[start].tolist().index(goal)
    return LAYOUT.start(block) + (values[0] if values else 0)


def decode(action: int) -> tuple[str, tuple[int, ...]]:
    """The block of an action and its values, as ``encode`` takes them.

    The goal of a shift is ``OFF`` (112) where the offset leads off the board; ``encode`` refuses it.
    """
    block = LAYOUT.block_of(action)
    if block.name == "deploy":
        kind, square = deploy_of(action)
        return block.name, (int(kind), int(square))
    if block.name == "shift":
        start, goal = shift_of(action)
        return block.name, (int(start), int(goal))
    return block.name, () if block.name == "stop" else (action - block.start,)


def _image(symmetry: int, action: int) -> int:
    """Where a symmetry takes an action."""
    name, values = decode(action)
    squares = [*SQUARE_IMAGE[symmetry].tolist(), OFF]
    if name == "facing":
        return FACING + int(FACING_IMAGE[symmetry, values[0]])
    if name == "deploy":
        return DEPLOY + values[0] * SQUARES + squares[values[1]]
    if name == "lift":
        return LIFT + squares[values[0]]
    if name == "shift":
        (dx, dy), image = OFFSETS[(action - SHIFT) % SPANS], list(SYMMETRIES.values())[symmetry]
        (x0, y0), (x1, y1) = image(0, 0), image(dx, dy)
        return SHIFT + squares[values[0]] * SPANS + OFFSETS.index((x1 - x0, y1 - y0))
    return action


ACTION_IMAGE = np.array(
    [[_image(symmetry, action) for action in range(NUM_ACTIONS)] for symmetry in range(4)], np.int64
)
"""(4, A) int64: where each of ``board.SYMMETRIES`` takes an action. Those that exchange the homegrounds
exchange the sides too: the image of White's game is one of Black's."""

PLANES = Layout(
    [
        Block("deploy", KINDS, "deploy a tile of each type, at its square"),
        Block("shift", SPANS, "shift by each offset, at the square shifted from"),
        Block("lift", 1, "lift, at the square lifted from"),
    ]
)
"""Planes of the square-bound actions."""


def action_planes(side: int) -> npt.NDArray[np.int64]:
    """(22, 14, 14) int64: number of the action at each plane, row and column; -1 where there is none.

    As ``side`` sees the board, its own homeground at the lower left, like the observations. The
    numbers below ``DEPLOY`` (type, stop, facing) lie in no plane; facings that Black sees are half a
    turn from their names, and ``ACTION_IMAGE[HALF_TURN]`` tells which is which.
    """
    planes = np.full((PLANES.size, SIZE, SIZE), -1, np.int64)
    for (x, y), square in NUMBERS.items():
        planes[:KINDS, y, x] = [DEPLOY + kind * SQUARES + square for kind in range(KINDS)]
        spans = range(SPANS)
        planes[KINDS:-1, y, x] = [
            SHIFT + square * SPANS + o if TARGET[square, o] != OFF else -1 for o in spans
        ]
        planes[-1, y, x] = LIFT + square
    if side == WHITE:
        return planes
    return np.where(planes < 0, -1, ACTION_IMAGE[HALF_TURN][planes])
