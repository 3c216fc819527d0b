"""Action numbers of Ronin: Paikō's own, and the heroes' blocks behind them.

The block ``type`` has no use here, ``stop`` is to pass; a hero that was lifted is set down by the
numbers of the block ``hero_deploy``.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from paiko_env import actions
from paiko_env.board import HALF_TURN, NUMBERS, SIZE, SQUARE_IMAGE, SQUARES, WHITE
from paiko_env.tiles import KINDS
from tabletop_env.kernel import kernel
from tabletop_env.layout import Block, Layout

LAYOUT = Layout(
    [
        *actions.LAYOUT,
        Block("hero", KINDS, "choose a type as the own hero, in the order SBEFWILA"),
        Block(
            "hero_deploy",
            KINDS * SQUARES,
            "type * 112 + square: deploy a hero (White's for two actions), or set a lifted one down",
        ),
        Block("hero_back", 1, "take the own hero back to the hand"),
    ]
)
CHOOSE, HERO_DEPLOY, BACK = (LAYOUT.start(name) for name in ("hero", "hero_deploy", "hero_back"))
NUM_ACTIONS = LAYOUT.size


@kernel
def hero_deploy_number(kind, square):
    return HERO_DEPLOY + kind * SQUARES + square


@kernel
def hero_deploy_of(action):
    """(kind, square) of a number in the block ``hero_deploy``."""
    return (action - HERO_DEPLOY) // SQUARES, (action - HERO_DEPLOY) % SQUARES


def encode(block: str, *values: int) -> int:
    """Number of an action: ``encode("hero", kind)``, ``encode("hero_deploy", kind, square)``,
    ``encode("hero_back")``, else as ``actions.encode``."""
    sizes: dict[str, tuple[int, ...]] = {
        "hero": (KINDS,),
        "hero_deploy": (KINDS, SQUARES),
        "hero_back": (),
    }
    if block not in sizes:
        return actions.encode(block, *values)
    limits = sizes[block]
    if len(values) != len(limits) or not all(
        0 <= v < n for v, n in zip(values, limits, strict=True)
    ):
        raise ValueError(f"{block}{values} is no action; expected values below {limits}")
    if block == "hero_deploy":
        return int(hero_deploy_number(*values))
    return LAYOUT.start(block) + (values[0] if values else 0)


def decode(action: int) -> tuple[str, tuple[int, ...]]:
    """The block of an action and its values, as ``encode`` takes them."""
    block = LAYOUT.block_of(action)
    if block.name == "hero":
        return block.name, (action - block.start,)
    if block.name == "hero_deploy":
        kind, square = hero_deploy_of(action)
        return block.name, (int(kind), int(square))
    return (block.name, ()) if block.name == "hero_back" else actions.decode(action)


def _images() -> npt.NDArray[np.int64]:
    """Where each symmetry takes an action of the blocks behind Paikō's."""
    symmetries = len(SQUARE_IMAGE)
    kinds = HERO_DEPLOY + SQUARES * np.arange(KINDS)[None, :, None]
    deploys = (kinds + SQUARE_IMAGE.astype(np.int64)[:, None, :]).reshape(symmetries, -1)
    choose = np.tile(np.arange(CHOOSE, HERO_DEPLOY), (symmetries, 1))
    return np.concatenate([choose, deploys, np.full((symmetries, 1), BACK)], axis=1)


ACTION_IMAGE = np.concatenate([actions.ACTION_IMAGE, _images()], axis=1)
"""(4, A) int64: where each of ``board.SYMMETRIES`` takes an action, as ``actions.ACTION_IMAGE``. White and
Black play by different rules here, so only those that keep the sides take games to games."""

PLANES = Layout(
    [*actions.PLANES, Block("hero_deploy", KINDS, "deploy a hero of each type, at its square")]
)
"""Planes of the square-bound actions."""


def action_planes(side: int) -> npt.NDArray[np.int64]:
    """(30, 14, 14) int64: as ``actions.action_planes``."""
    planes = np.full((PLANES.size, SIZE, SIZE), -1, np.int64)
    planes[: actions.PLANES.size] = actions.action_planes(side)
    kinds = HERO_DEPLOY + SQUARES * np.arange(KINDS)
    for (x, y), square in NUMBERS.items():
        seen = square if side == WHITE else SQUARE_IMAGE[HALF_TURN, square]
        planes[actions.PLANES.size :, y, x] = kinds + int(seen)
    return planes
