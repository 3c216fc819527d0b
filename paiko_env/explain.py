"""Why a move of Paikō is not legal, in words for people. Nothing here decides what is: the rules have.

Facts are looked up in the order in which a player would check them, with the survey of threat that the
rules use; the first that speaks against the move is named.
"""

from __future__ import annotations

import re
from typing import Any

from paiko_env.board import BLACK_NAMES, HOME, SIDES, SQUARE_OF, members
from paiko_env.overlay import survey_side
from paiko_env.squares import holds
from paiko_env.threat import survey
from paiko_env.tiles import LETTERS, NAMES, RANGE
from tabletop_env.game import Row, StateDict

_DEPLOY = re.compile(r"([SBEFWILA])(!?)@(\w+)")
_SHIFT = re.compile(r"(\w+)-(\w+)")
_UNSAFE = (
    "one of your own tiles could be captured afterwards (P5), or the action could not be completed"
)


def why_not(row: Row, state: StateDict, move: str) -> str:
    """What speaks against a move of the agent to act; empty if no fact does."""
    agent, phase = state["to_act"], state["phase"]
    if agent is None or agent == "red_0":
        return ""
    if match := _DEPLOY.fullmatch(move):
        return _deploy(row, state, match[1], bool(match[2]), match[3])
    if match := _SHIFT.fullmatch(move):
        return _shift(row, state, match[1], match[2])
    if move[0] == "+":
        return f"no {NAMES[LETTERS.index(move[1])]} can be had now"
    if move[0] == "^":
        return "no tile is to be turned now" if phase != "face" else _UNSAFE
    if move == ".":
        return "you may not pass while there is something that you can do"
    if move[-1] == "*":
        return _no_tile(state, move[:-1]) or "this tile may not be lifted and set down elsewhere"
    return ""


def _deploy(row: Row, state: StateDict, letter: str, hero: bool, square: str) -> str:
    """P4, in the order of its words."""
    agent, kind = state["to_act"], LETTERS.index(letter)
    if not hero and state["phase"] != "place" and letter not in state["hands"].get(agent, ""):
        return f"you have no {NAMES[kind]} in your hand"
    if square in state["board"]:
        return f"{state['board'][square]} stands on {square}"
    side = agent[0]
    threat = survey_side(row, side)["threat"].get(square, 0)
    if letter == "L":
        return f"a Lotus could be captured there: {_count(threat)} on {square}" if threat else ""
    if square in BLACK_NAMES:
        return f"{square} is a black square"
    if threat:
        return f"there is {_count(threat)} on {square}"
    home = members(HOME[SIDES.index(side)])
    reach: Any = survey(row, SIDES.index(side)).reach
    if SQUARE_OF[square] not in home and not holds(reach, SQUARE_OF[square]):
        return f"{square} is neither on your homeground nor threatened by a tile of yours"
    return _UNSAFE


def _shift(row: Row, state: StateDict, start: str, goal: str) -> str:
    """P6 and P7."""
    if none := _no_tile(state, start):
        return none
    written = state["board"][start]
    kind = LETTERS.index(written[1])
    steps = abs(ord(start[0]) - ord(goal[0])) + abs(int(start[1:]) - int(goal[1:]))
    if not RANGE[kind] and "!" not in written:
        return f"{NAMES[kind]} cannot shift"
    if written[-1] == "3":
        return f"the tile on {start} has shifted in three turns on end (P7)"
    if "~" in written:
        return f"the tile on {start} is busy (R5)"
    if start != goal and goal in state["board"]:
        return f"{state['board'][goal]} stands on {goal}"
    if goal in BLACK_NAMES:
        return f"{goal} is a black square"
    if steps > RANGE[kind] > 0 and "!" not in written:
        return f"{NAMES[kind]} shifts {RANGE[kind]} at most"
    threat = survey_side(row, state["to_act"][0])["threat"].get(goal, 0)
    if threat > 1:
        return f"there is {_count(threat)} on {goal}, or it is so on every way there"
    return f"every way there is barred, or {_UNSAFE}"


def _no_tile(state: StateDict, square: str) -> str:
    """Whether the agent to act has no tile on a square."""
    if square not in SQUARE_OF:
        return f"{square} is no square"
    if state["board"].get(square, "-")[0] != state["to_act"][0]:
        return f"no tile of yours stands on {square}"
    return ""


def _count(threat: int) -> str:
    return f"{threat} threat" if threat < 3 else "3 threat or more"
