"""Action numbers of the Valley: Paikō's own, and Red's blocks behind them.

The block ``type`` names what White or Black discards, ``stop`` ends retrieving and zombifying or passes,
and a zombie shifts by the numbers of the block ``shift``.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from paiko_env import actions
from paiko_env.board import BLACK, HALF_TURN, NUMBERS, SIZE, SQUARE_IMAGE, SQUARES, WHITE
from tabletop_env.layout import Block, Layout

LAYOUT = Layout(
    [
        *actions.LAYOUT,
        Block("corpse", SQUARES, "lay a corpse on a square"),
        Block("raise", SQUARES, "raise the corpse on a square to a zombie"),
        Block("retrieve", SQUARES, "take a face-down tile back from a square"),
        Block("zombify", SQUARES, "zombify the tile on a square"),
        Block("capture", SQUARES, "capture the tile on a square next"),
    ]
)
RED_BLOCKS = ("corpse", "raise", "retrieve", "zombify", "capture")
"""Red's own, a number a square each."""
CORPSE, RAISE, TAKE_BACK, TURN_OVER, CAPTURE_NEXT = (LAYOUT.start(name) for name in RED_BLOCKS)
NUM_ACTIONS = LAYOUT.size


def encode(block: str, *values: int) -> int:
    """Number of an action: of Red's blocks ``encode("corpse", square)``, else as ``actions.encode``."""
    if block not in RED_BLOCKS:
        return actions.encode(block, *values)
    if len(values) != 1 or not 0 <= values[0] < SQUARES:
        raise ValueError(f"{block}{values} is no action; expected a square below {SQUARES}")
    return LAYOUT.start(block) + values[0]


def decode(action: int) -> tuple[str, tuple[int, ...]]:
    """The block of an action and its values, as ``encode`` takes them."""
    block = LAYOUT.block_of(action)
    if block.name in RED_BLOCKS:
        return block.name, (action - block.start,)
    return actions.decode(action)


ACTION_IMAGE = np.concatenate(
    [actions.ACTION_IMAGE]
    + [LAYOUT.start(name) + SQUARE_IMAGE.astype(np.int64) for name in RED_BLOCKS],
    axis=1,
)
"""(4, A) int64: where each of ``board.SYMMETRIES`` takes an action, as ``actions.ACTION_IMAGE``.

Those that exchange the sides take a turn of White's to one of Black's: three turns later in V2's order.
"""

PLANES = Layout(
    [*actions.PLANES, *(Block(name, 1, f"{name}, at its square") for name in RED_BLOCKS)]
)
"""Planes of the square-bound actions."""


def action_planes(side: int) -> npt.NDArray[np.int64]:
    """(27, 14, 14) int64: as ``actions.action_planes``; Red looks from White's side."""
    planes = np.full((PLANES.size, SIZE, SIZE), -1, np.int64)
    planes[: actions.PLANES.size] = actions.action_planes(BLACK if side == BLACK else WHITE)
    for (x, y), square in NUMBERS.items():
        seen = int(SQUARE_IMAGE[HALF_TURN, square]) if side == BLACK else square
        for name in RED_BLOCKS:
            planes[PLANES.start(name), y, x] = LAYOUT.start(name) + seen
    return planes
