"""Why a move of Paikō is not legal, in words for people. Nothing here decides what is: the rules have.

Facts are looked up in the order in which a player would check them, with the survey of threat that the
rules use; the first that speaks against the move is named. ``explain_red`` and ``explain_heroes`` say what
the Valley and Ronin add.
"""

from __future__ import annotations

import re
from typing import Any

from paiko_env import explain_heroes, explain_red
from paiko_env.board import BLACK_NAMES, HOME, SIDES, SQUARE_OF, members
from paiko_env.heroes import range_of
from paiko_env.overlay import survey_side
from paiko_env.squares import holds
from paiko_env.threat import survey
from paiko_env.tiles import LETTERS, NAMES
from tabletop_env.game import Row, StateDict

_DEPLOY = re.compile(r"([SBEFWILA])(!?)@(\w+)")
_SHIFT = re.compile(r"(\w+)-(\w+)")
_UNDER_WAY = {
    "slide": "the tile on {} may slide first, or stay: the like of {}-{}",
    "place": "the tile lifted from {} has to be set down first",
    "face": "the tile on {} has to be faced first: ^N, ^E, ^S or ^W",
}
_PICKS = {
    "setup": "tiles are picked first",
    "reward": "choose what your captor draws: the like of +S",
}
_UNSAFE = (
    "one of your own tiles could be captured afterwards (P5), or the action could not be completed"
)


def why_not(row: Row, state: StateDict, move: str) -> str:
    """What speaks against a move of the agent to act; empty if no fact does."""
    agent, phase = state["to_act"], state["phase"]
    if agent is None:
        return ""
    if agent == "red_0":
        return explain_red.why_not(row, state, move)
    if move != "<" and (move[0] in "CZx" or move[-1] in "<z"):
        return "only Red has corpses and zombies"
    if move[0] == "!":
        return explain_heroes.choice(state, move[1])
    if phase == "hero":
        return "your hero is chosen first: the like of !S (R2)"
    if move[0] == "+":
        return f"no {NAMES[LETTERS.index(move[1])]} can be had now"
    if move[0] == "-":
        return f"no {NAMES[LETTERS.index(move[1])]} can be discarded now"
    if phase in _PICKS:
        return _PICKS[phase]
    if phase == "draw":
        return "you are drawing: draw another tile, or stop with ."
    if move[0] == "^":
        return "no tile is to be turned now" if phase != "face" else _facing(state, move[1])
    return _action(row, state, move)


def _action(row: Row, state: StateDict, move: str) -> str:
    """Against an action of R4 or of the game for two, or a part of one."""
    phase = state["phase"]
    deploy, shift = _DEPLOY.fullmatch(move), _SHIFT.fullmatch(move)
    asked_for = {"place": deploy, "slide": shift}.get(phase)
    if phase in _UNDER_WAY and not asked_for:
        tile = state["pending"]["tile"]
        return _UNDER_WAY[phase].format(tile, tile, tile)
    if deploy:
        return _deploy(row, state, deploy[1], bool(deploy[2]), deploy[3])
    if shift:
        return _shift(row, state, shift[1], shift[2])
    if move == "<":
        return explain_heroes.back(state) or _UNSAFE
    if move == ".":
        return "you may not pass while there is something that you can do"
    return _lift(row, state, move[:-1])


def _facing(state: StateDict, facing: str) -> str:
    if facing == state["pending"]["not"]:
        return "a tile that stays on its square takes another facing (P6)"
    return _UNSAFE


def _deploy(row: Row, state: StateDict, letter: str, hero: bool, square: str) -> str:
    """P4, in the order of its words."""
    agent, kind = state["to_act"], LETTERS.index(letter)
    if state["phase"] == "place":
        written = state["board"][state["pending"]["tile"]]
        if (written[1], "!" in written) != (letter, hero):
            return f"it is {written} that you have lifted"
    elif hero:
        if wrong := explain_heroes.deploy(state, letter):
            return wrong
    elif letter not in state["hands"].get(agent, ""):
        return f"you have no {NAMES[kind]} in your hand"
    if square in state["board"]:
        return f"{state['board'][square]} stands on {square}"
    side = agent[0]
    threat = survey_side(row, side)["threat"].get(square, 0)
    if wrong := explain_heroes.bar(row, state, square, letter):
        return wrong
    if letter == "L":
        return (
            f"a Lotus could be captured there: {_count(threat)} on {square}" if threat else _UNSAFE
        )
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
    name = NAMES[LETTERS.index(written[1])]
    sliding = state["phase"] == "slide"
    if sliding and start != state["pending"]["tile"]:
        return f"the tile on {state['pending']['tile']} slides now"
    most = state["pending"]["left"] if sliding else int(range_of(row, SQUARE_OF[start]))
    steps = abs(ord(start[0]) - ord(goal[0])) + abs(int(start[1:]) - int(goal[1:]))
    if wrong := _held(row, state, start, sliding):
        return wrong
    if not most:
        return f"{name} cannot shift"
    if start != goal and goal in state["board"]:
        return f"{state['board'][goal]} stands on {goal}"
    if goal in BLACK_NAMES:
        return f"{goal} is a black square"
    if steps > most:
        return f"{name} shifts {most} at most"
    if wrong := explain_heroes.bar(row, state, goal):
        return wrong
    view = survey_side(row, state["to_act"][0])
    threat, needed = view["threat"].get(goal, 0), 3 if goal in view["cover"] else 2
    if threat >= needed:
        return f"there is {_count(threat)} on {goal}"
    return f"every way there is barred, or {_UNSAFE}"


def _held(row: Row, state: StateDict, square: str, sliding: bool) -> str:
    """Why the own tile on a square may neither shift nor be lifted, wherever it would go."""
    written = state["board"][square]
    if wrong := explain_heroes.others(state, square):
        return wrong
    if written[-1] == "3":
        return f"the tile on {square} has shifted in three turns on end (P7)"
    if "~" in written and not sliding:
        return f"the tile on {square} is busy (R5)"
    return explain_heroes.bar(row, state, square)


def _lift(row: Row, state: StateDict, square: str) -> str:
    """P9, R10."""
    if wrong := _no_tile(state, square) or _held(row, state, square, False):
        return wrong
    return "this tile may not be lifted and set down elsewhere, or has nowhere to go"


def _no_tile(state: StateDict, square: str) -> str:
    """Whether the agent to act has no tile on a square."""
    if square not in SQUARE_OF:
        return f"{square} is no square"
    if state["board"].get(square, "-")[0] != state["to_act"][0]:
        return f"no tile of yours stands on {square}"
    return ""


def _count(threat: int) -> str:
    return f"{threat} threat" if threat < 3 else "3 threat or more"
