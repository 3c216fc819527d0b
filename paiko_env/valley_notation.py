"""Moves and states of the Valley as text and plain values: what it adds to ``notation``."""

from __future__ import annotations

import re

from paiko_env import notation
from paiko_env.actions import TYPE
from paiko_env.board import NAMES
from paiko_env.notation import square_of
from paiko_env.tiles import LETTERS
from paiko_env.valley_actions import RED_BLOCKS, decode, encode
from tabletop_env.game import Row, StateDict

FORMS = "'-S', 'S@f4', 'f4-g5', 'f4*', '^N', 'C@f4', 'Z@f4', 'f4<', 'f4z', 'xf4' or '.'"
"""Moves of the Valley, as examples in a complaint."""
_FORMS = ("C@{}", "Z@{}", "{}<", "{}z", "x{}")
_RED = {
    block: (form, re.compile(form.format(r"([a-n]\d+)")))
    for block, form in zip(RED_BLOCKS, _FORMS, strict=True)
}
_DISCARD = re.compile(r"-([SBEFWILA])")


def action_text(game: Row, action: int) -> str:
    """The move's text; of the block ``type`` a discard's (V1)."""
    block, values = decode(action)
    if block == "type":
        return f"-{LETTERS[values[0]]}"
    if block in _RED:
        return _RED[block][0].format(NAMES[values[0]])
    return notation.action_text(game, action)


def read_action(game: Row, text: str) -> int:
    """The number of a move's text; ``ValueError`` if it is none."""
    if match := _DISCARD.fullmatch(text):
        return TYPE + LETTERS.index(match[1])
    for block, (_, form) in _RED.items():
        if match := form.fullmatch(text):
            return encode(block, square_of(match[1]))
    if text.startswith("+"):
        raise ValueError(f"{text!r} is no move: nothing is drawn in the Valley")
    return notation.read_action(game, text, FORMS)


def state_dict(game: Row) -> StateDict:
    """The keys of a state that the Valley adds to the common ones."""
    return {**notation.state_dict(game), "red_hand": int(game["red_hand"])}
