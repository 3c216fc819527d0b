"""Made-up positions of the Valley, crowded so that what random games rarely reach happens at once."""

from __future__ import annotations

import random
from typing import Any

from referee.paiko_board import (
    BLACK_SQUARES,
    DIRECTIONAL,
    FACINGS,
    LETTERS,
    SQUARES,
    XY,
    around,
    capturable,
    read_tile,
)

AGENTS = {"w": "white_0", "b": "black_0", "r": "red_0"}
ORDER = "wbrbwr"  # V2
SLIDERS, LIFTED = "I", "W"


def piece(rng: random.Random, square: str, red: float) -> str:
    """A red piece, or a tile of either colour, that may stand on a square."""
    digit = rng.choice(["", "", "", "1", "2", "3"])
    if rng.random() < red:
        return rng.choice("czz") + digit
    letter = "L" if square in BLACK_SQUARES else rng.choice(LETTERS)
    facing = rng.choice(FACINGS) if letter in DIRECTIONAL else ""
    return rng.choice("wb") + letter + facing + digit


def crowd(rng: random.Random) -> dict[str, str]:
    """Pieces close together around some square."""
    x, y = XY[rng.choice(SQUARES)]
    spread = rng.choice([1, 2, 4])
    near = sorted(
        SQUARES,
        key=lambda s: abs(XY[s][0] - x) + abs(XY[s][1] - y) + spread * rng.random(),
    )
    red = rng.choice([0, 0.2, 0.4, 0.6, 0.9])
    return {square: piece(rng, square, red) for square in near[: rng.randint(0, 40)]}


def settle(board: dict[str, str], sides: str) -> None:
    """Take off what is capturable, until nothing is."""
    while True:
        tiles = {square: read_tile(text) for square, text in board.items()}
        falling = {square for side in sides for square in capturable(tiles, side)}
        if not falling:
            return
        for square in falling:
            del board[square]


def zombies_around(board: dict[str, str], square: str) -> int:
    return sum(board.get(near, "-")[0] == "z" for near in around(square))


def made_up(rng: random.Random) -> dict[str, Any]:
    """A state that is often sound: pieces anywhere, in any phase that has some."""
    phase = rng.choice(
        ["action"] * 6 + ["zombify"] * 3 + ["capture"] * 3 + ["retrieve", "slide", "place", "face"]
    )
    side = "r" if phase in ("zombify", "capture", "retrieve") else rng.choice("wbr")
    if phase in ("slide", "place", "face"):
        side = rng.choice("wb")
    board = crowd(rng)
    if phase in ("action", "retrieve", "place"):
        settle(board, "wbr")
    turn = rng.choice([n for n, mover in enumerate(ORDER) if mover == side]) + 6 * rng.randint(0, 3)
    state: dict[str, Any] = {
        "game": "valley",
        "to_act": AGENTS[side],
        "phase": phase,
        "turn": turn,
        "board": board,
        "hands": {
            AGENTS[colour]: "".join(sorted(rng.choices(LETTERS, k=rng.randint(0, 4))))
            for colour in "wb"
        },
        "red_hand": rng.choice([0, 1, 1, 2, 3, 8]),
        "lost": {"w": rng.randint(0, 9)},
    }
    pending = under_way(rng, state, side)
    return {**state, "pending": pending} if pending else state


def under_way(rng: random.Random, state: dict[str, Any], side: str) -> dict[str, Any] | None:
    """A ``pending`` that mostly fits; the tile under way shows what it may then show."""
    board, phase = state["board"], state["phase"]
    if phase == "zombify":
        ripe = [s for s in board if board[s][0] in "wb" and zombies_around(board, s) >= 2]
        return {"tiles": sorted(rng.sample(ripe, rng.randint(min(1, len(ripe)), len(ripe))))}
    letters = {"slide": SLIDERS, "place": LIFTED, "face": DIRECTIONAL}.get(phase)
    if letters is None:
        return None
    free = sorted(set(SQUARES) - BLACK_SQUARES - set(board))
    fitting = sorted(s for s in board if board[s][0] == side and board[s][1] in letters)
    square = rng.choice(fitting or free)
    shifted = phase == "face" and rng.random() < 0.5
    letter = rng.choice(letters)
    facing = rng.choice(FACINGS) if shifted else "N"
    digit = rng.choice(["", "1", "2"]) if shifted or phase == "place" else ""
    board[square] = side + letter + (facing if letter in DIRECTIONAL else "") + digit
    if phase == "place":
        return {"tile": square}
    if phase == "slide":
        return {"left": 2, "shifted": False, "tile": square}
    kept = rng.choice([None, facing]) if shifted else None
    return {"not": kept, "shifted": shifted, "tile": square}
