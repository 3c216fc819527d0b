"""Moves and states of Paikō as text and plain values; states are read back in ``reading``."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from paiko_env.actions import FACING, LIFT, STOP, TYPE, decode, encode
from paiko_env.board import (
    BLACK_SQUARES,
    FACINGS,
    NAMES,
    NUMBERS,
    OFF,
    OFFSETS,
    RED,
    SIDES,
    SIZE,
    SQUARE_OF,
    TARGET,
    members,
)
from paiko_env.moves import streak
from paiko_env.state import ACTION, DRAW, FACE, PHASES, PLACE, REWARD, SETUP, SLIDE, ZOMBIFY
from paiko_env.tiles import LETTERS, code_text
from paiko_env.turn import points
from tabletop_env.game import Row, StateDict

SEATS = ("white_0", "black_0", "red_0")
"""The seats of the Valley, by side."""
AGENTS = SEATS[:2]
"""The seats of the game for two."""

FORMS = "'+S', 'S@f4', 'f4-g5', 'f4*', '^N' or '.'"
"""Moves of the game for two, as examples in a complaint."""
_TYPE = re.compile(r"\+([SBEFWILA])")
_FACING = re.compile(r"\^([NESW])")
_DEPLOY = re.compile(r"([SBEFWILA])@(\w+)")
_SHIFT = re.compile(r"(\w+)-(\w+)")
_ASTRAY = re.compile(r"(\w+)-off\((-?\d),(-?\d)\)")
_LIFT = re.compile(r"(\w+)\*")

# -- moves ---------------------------------------------------------------------------------------


def action_text(game: Row, action: int) -> str:
    """The move's text. A shift number that leads off the board is written ``a8-off(-1,0)``."""
    block, values = decode(action)
    if block == "type":
        return f"+{LETTERS[values[0]]}"
    if block == "stop":
        return "."
    if block == "facing":
        return f"^{FACINGS[values[0]]}"
    if block == "deploy":
        return f"{LETTERS[values[0]]}@{NAMES[values[1]]}"
    if block == "lift":
        return f"{NAMES[values[0]]}*"
    start, goal = values
    if goal != OFF:
        return f"{NAMES[start]}-{NAMES[goal]}"
    dx, dy = OFFSETS[(action - encode("shift", start, start)) + OFFSETS.index((0, 0))]
    return f"{NAMES[start]}-off({dx},{dy})"


def read_action(game: Row, text: str, forms: str = FORMS) -> int:
    """The number of a move's text; ``ValueError`` if it is none, which names the ``forms`` that are."""
    if text == ".":
        return STOP
    if match := _TYPE.fullmatch(text):
        return TYPE + LETTERS.index(match[1])
    if match := _FACING.fullmatch(text):
        return FACING + FACINGS.index(match[1])
    if match := _DEPLOY.fullmatch(text):
        return encode("deploy", LETTERS.index(match[1]), square_of(match[2]))
    if match := _LIFT.fullmatch(text):
        return LIFT + square_of(match[1])
    if match := _SHIFT.fullmatch(text):
        start, goal = square_of(match[1]), square_of(match[2])
        if goal not in TARGET[start]:
            raise ValueError(f"{text!r} is no move: no shift is that long")
        return encode("shift", start, goal)
    if match := _ASTRAY.fullmatch(text):
        start, offset = square_of(match[1]), (int(match[2]), int(match[3]))
        if offset in OFFSETS and TARGET[start, OFFSETS.index(offset)] == OFF:
            return encode("shift", start, start) + OFFSETS.index(offset) - OFFSETS.index((0, 0))
    raise ValueError(f"{text!r} is no move, expected the like of {forms}")


def square_of(name: Any) -> int:
    """The number of a square's name; ``ValueError`` if there is no such square."""
    if not isinstance(name, str) or name not in SQUARE_OF:
        raise ValueError(f"{name!r} is no square")
    return SQUARE_OF[name]


# -- states --------------------------------------------------------------------------------------


def state_dict(game: Row) -> StateDict:
    """The keys of a state that the game for two adds to the common ones."""
    return {
        "turn": int(game["turn"]),
        "board": board_dict(game),
        "hands": {agent: letters(game["hands"][seat]) for seat, agent in enumerate(AGENTS)},
        "reserves": {side: letters(game["reserves"][k]) for k, side in enumerate(SIDES[:2])},
        "points": {side: int(points(game, k)) for k, side in enumerate(SIDES[:2])},
        "lost": {side: int(game["lost"][k]) for k, side in enumerate(SIDES[:2])},
        "pending": pending(game),
    }


def board_dict(game: Row) -> dict[str, str]:
    """Square to tile, sorted by the squares' names."""
    tiles = {
        NAMES[square]: tile_text(game, side, square)
        for side in range(2)
        for square in members(game["sides"][side])
    }
    red = {NAMES[square]: red_text(game, square) for square in members(game["sides"][RED])}
    return dict(sorted({**tiles, **red}.items()))


def tile_text(game: Row, side: int, square: int) -> str:
    shifts = int(streak(game, square))
    return SIDES[side] + code_text(int(game["tile"][square])) + (str(shifts) if shifts else "")


def red_text(game: Row, square: int) -> str:
    """A corpse or a zombie."""
    shifts = int(streak(game, square))
    return "cz"[square in members(game["zombies"])] + (str(shifts) if shifts else "")


def letters(counts: Iterable[int]) -> str:
    """Tiles of each kind as a string of their letters."""
    return "".join(letter * int(n) for letter, n in zip(LETTERS, counts, strict=True))


def pending(game: Row) -> dict[str, Any] | None:
    """What is under way and not on the board."""
    phase = game["phase"]
    tile = {"tile": NAMES[game["at"]]}
    shifted = {"shifted": bool(game["shifted"])}
    if phase in (SETUP, DRAW, REWARD):
        return {"left": int(game["left"])}
    if phase == PLACE:
        return tile
    if phase == SLIDE:
        return {"left": int(game["left"]), **shifted, **tile}
    if phase == FACE:
        barred = int(game["barred"])
        return {"not": FACINGS[barred - 1] if barred else None, **shifted, **tile}
    if phase == ZOMBIFY:
        return {"tiles": sorted(NAMES[square] for square in members(game["eligible"]))}
    return {"passed": True} if phase == ACTION and game["passed"] else None


def text(game: Row, viewer: int | None) -> str:
    """Lines for a terminal; everything lies open to any viewer."""
    state = state_dict(game)
    black = {NAMES[square] for square in members(BLACK_SQUARES)}
    lines = [
        f"turn {state['turn']}, phase {PHASES[int(game['phase'])]}, pending {state['pending']}"
    ]
    for y in range(SIZE):
        cells = []
        for x in range(SIZE):
            name = NAMES[NUMBERS[x, y]] if (x, y) in NUMBERS else None
            blank = " " if name is None else "#" if name in black else "·"
            cells.append(f"{state['board'].get(name, blank):^4}")
        lines.append(f"{SIZE - y:2} {' '.join(cells)}".rstrip())
    lines.append("   " + " ".join(f"{letter:^4}" for letter in "abcdefghijklmn").rstrip())
    for seat, (agent, side) in enumerate(zip(AGENTS, SIDES, strict=False)):
        lines.append(
            f"{'>' if game['seat'] == seat else ' '} {agent}  points {state['points'][side]:2}  "
            f"lost {state['lost'][side]:2}  hand {state['hands'][agent] or '-'}  "
            f"reserve {state['reserves'][side] or '-'}"
        )
    return "\n".join(lines)
