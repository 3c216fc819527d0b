"""Why a move of Red's is not legal, in words for people; as in ``explain``."""

from __future__ import annotations

import re

from paiko_env.board import BLACK_NAMES, RED, SIDES, SQUARE_OF
from paiko_env.overlay import survey_side
from tabletop_env.game import Row, StateDict

_PUT = re.compile(r"([CZ])@(\w+)")
_STEP = re.compile(r"(\w+)-(\w+)")
_OTHER_TIME = {
    "retrieve": "you are taking tiles back: take another, or stop with .",
    "zombify": "your action is over: zombify another tile, or stop with .",
    "capture": "your action is over: choose the tile that is captured next",
}


def why_not(row: Row, state: StateDict, move: str) -> str:
    """What speaks against a move of Red's; empty if no fact does."""
    phase = state["phase"]
    if move == ".":
        if phase == "capture":
            return "one of the tiles has to be captured next (V7)"
        return "you may not pass while there is something that you can do"
    if move[0] == "x":
        return _capture(state, move[1:])
    if move[-1] == "z":
        return _zombify(state, move[:-1])
    if phase in _OTHER_TIME and not (phase == "retrieve" and move[-1] == "<"):
        return _OTHER_TIME[phase]
    if move[-1] == "<":
        return _no_piece(state, move[:-1], "cz", "face-down tile")
    if match := _PUT.fullmatch(move):
        return (_corpse if match[1] == "C" else _zombie)(row, state, match[2])
    if match := _STEP.fullmatch(move):
        return _step(row, state, match[1], match[2])
    return "Red has corpses and zombies only: the like of C@f4, Z@f4, f4-f5, f4<"


def _corpse(row: Row, state: StateDict, square: str) -> str:
    """The first action of V4."""
    if not state["red_hand"]:
        return "you have no tile in your hand"
    if square in state["board"]:
        return f"{state['board'][square]} stands on {square}"
    return _covered(row, square) or _deadly(row, square)


def _zombie(row: Row, state: StateDict, square: str) -> str:
    """The second one."""
    if none := _no_piece(state, square, "c", "corpse"):
        return none
    if not state["red_hand"]:
        return "you have no tile in your hand"
    return _covered(row, square)


def _step(row: Row, state: StateDict, start: str, goal: str) -> str:
    """The third one: a zombie's shift."""
    if none := _no_piece(state, start, "z", "zombie"):
        return none
    if state["board"][start][-1] == "3":
        return f"the zombie on {start} has shifted in three turns on end (P7)"
    steps = abs(ord(start[0]) - ord(goal[0])) + abs(int(start[1:]) - int(goal[1:]))
    if steps != 1:
        return "a zombie shifts one step, not diagonally"
    if goal in state["board"]:
        return f"{state['board'][goal]} stands on {goal}"
    if goal in BLACK_NAMES:
        return f"{goal} is a black square"
    return _deadly(row, goal)


def _zombify(state: StateDict, square: str) -> str:
    """V5."""
    if state["phase"] != "zombify":
        return (
            "tiles are zombified after the action only, and if two zombies stand around them (V5)"
        )
    if state["board"].get(square, "-")[0] not in "wb":
        return f"no tile of White's or Black's stands on {square}"
    return f"fewer than two zombies stood around {square} after your action (V5)"


def _capture(state: StateDict, square: str) -> str:
    """V7."""
    if state["phase"] != "capture":
        return "there is no capture to be chosen now (V7)"
    written = state["board"].get(square, "-")
    if written[0] not in "wb":
        return f"no tile of White's or Black's stands on {square}"
    if written[1] == "F":
        return "Fires fall last, together"
    return f"the tile on {square} cannot be captured now"


def _no_piece(state: StateDict, square: str, pieces: str, name: str) -> str:
    """Whether none of these pieces stands on a square."""
    if square not in SQUARE_OF:
        return f"{square} is no square"
    there = state["board"].get(square, "-")[0] in pieces
    return "" if there else f"no {name} stands on {square}"


def _covered(row: Row, square: str) -> str:
    cover = survey_side(row, SIDES[RED])["cover"]
    return f"a tile covers {square} (V4)" if square in cover else ""


def _deadly(row: Row, square: str) -> str:
    threat = survey_side(row, SIDES[RED])["threat"].get(square, 0)
    return f"three tiles or more threaten {square} (V3)" if threat > 2 else ""
