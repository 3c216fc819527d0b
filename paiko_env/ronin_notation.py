"""Moves, chance events and states of Ronin as text and plain values: what it adds to ``notation``."""

from __future__ import annotations

import re
from typing import Any

from paiko_env import notation
from paiko_env.board import BLACK, NAMES, SIDES, WHITE, members
from paiko_env.notation import board_dict, letters, square_of
from paiko_env.ronin_actions import BACK, decode, encode
from paiko_env.ronin_chance import FIRST_TOKEN
from paiko_env.state import BASE, EVENTS, FACE, MAX_PLAYERS, SLIDE
from paiko_env.tiles import LETTERS
from paiko_env.turn import points
from tabletop_env.game import Row, StateDict

SEATS = ("white_0", *(f"black_{black}" for black in range(MAX_PLAYERS - 1)))
"""Agents by seat (R1)."""

FORMS = "'!S', 'S@f4', 'S!@f4', 'f4-g5', 'f4*', '^N', '<' or '.'"
"""Moves of Ronin, as examples in a complaint."""
_HERO = re.compile(r"!([SBEFWILA])")
_HERO_DEPLOY = re.compile(r"([SBEFWILA])!@(\w+)")
_TOKEN = re.compile(r"token black_([0-5])")
_BASE = re.compile(r"base ([SBEFWILA])")
_DRAW = re.compile(r"draw (\w+) ([SBEFWILA])")

# -- moves ---------------------------------------------------------------------------------------


def action_text(game: Row, action: int) -> str:
    """The move's text."""
    block, values = decode(action)
    if block == "hero":
        return f"!{LETTERS[values[0]]}"
    if block == "hero_deploy":
        return f"{LETTERS[values[0]]}!@{NAMES[values[1]]}"
    return "<" if block == "hero_back" else notation.action_text(game, action)


def read_action(game: Row, text: str) -> int:
    """The number of a move's text; ``ValueError`` if it is none."""
    if text == "<":
        return BACK
    if match := _HERO.fullmatch(text):
        return encode("hero", LETTERS.index(match[1]))
    if match := _HERO_DEPLOY.fullmatch(text):
        return encode("hero_deploy", LETTERS.index(match[1]), square_of(match[2]))
    return notation.read_action(game, text, FORMS)


# -- chance --------------------------------------------------------------------------------------


def outcome_text(game: Row, outcome: int) -> str:
    """Text of an outcome of the event due."""
    if outcome >= FIRST_TOKEN:
        return f"token black_{outcome - FIRST_TOKEN}"
    letter = LETTERS[outcome]
    return f"base {letter}" if game["due"] == BASE else f"draw {SEATS[game['actor']]} {letter}"


def read_outcome(game: Row, text: str) -> int:
    """The number of a chance entry's outcome; it must be of the event due."""
    event = EVENTS[int(game["due"])]
    drawer = SEATS[int(game["actor"])]
    if match := _TOKEN.fullmatch(text):
        found, outcome = "token", FIRST_TOKEN + int(match[1])
    elif match := _BASE.fullmatch(text):
        found, outcome = "base", LETTERS.index(match[1])
    elif match := _DRAW.fullmatch(text):
        found, outcome = "draw", LETTERS.index(match[2])
        if event == "draw" and match[1] != drawer:
            raise ValueError(f"{text!r} is not due, expected a draw of {drawer}")
    else:
        raise ValueError(
            f"{text!r} is no chance event, expected the like of 'base S', 'token black_1' or "
            "'draw white_0 S'"
        )
    if found != event:
        raise ValueError(f"{text!r} is not due, expected a {event}")
    return outcome


# -- states --------------------------------------------------------------------------------------


def state_dict(game: Row) -> StateDict:
    """The keys of a state that Ronin adds to the common ones."""
    agents = SEATS[: int(game["players"])]
    token = int(game["token"])
    return {
        "turn": int(game["turn"]),
        "board": {name: marked(game, name, tile) for name, tile in board_dict(game).items()},
        "hands": {agent: letters(game["hands"][seat]) for seat, agent in enumerate(agents)},
        "reserves": {side: letters(game["reserves"][k]) for k, side in enumerate(SIDES[:2])},
        "points": {side: int(points(game, k)) for k, side in enumerate(SIDES[:2])},
        "lost": {side: int(game["lost"][k]) for k, side in enumerate(SIDES[:2])},
        "pending": pending(game),
        "token": agents[token] if token else None,
        "actions_left": int(game["actions_left"]),
        "heroes": {agent: hero_letter(game, seat) for seat, agent in enumerate(agents) if seat},
        "bases": bases(game),
    }


def marked(game: Row, name: str, tile: str) -> str:
    """A tile's text with the marks of heroes and busy tiles before its count.

    The tile under way, which is busy already (R5), does not show it yet.
    """
    square = square_of(name)
    hero = square in members(game["heroes"])
    under_way = game["phase"] in (SLIDE, FACE) and game["at"] == square
    busy = square in members(game["busy"]) and not under_way
    digits = len(tile.rstrip("123"))
    return f"{tile[:digits]}{'!' * hero}{'~' * busy}{tile[digits:]}"


def hero_letter(game: Row, seat: int) -> str | None:
    hero = int(game["hero"][seat])
    return LETTERS[hero - 1] if hero else None


def bases(game: Row) -> dict[str, str]:
    """By the owner of a black hero, or the square of a white one."""
    laid = {}
    for seat in range(1, int(game["players"])):
        hero = int(game["hero"][seat])
        if hero and (base := int(game["bases"][BLACK, hero - 1])):
            laid[SEATS[seat]] = LETTERS[base - 1]
    for square in members(game["heroes"]):
        if square in members(game["sides"][WHITE]):
            base = int(game["bases"][WHITE, game["tile"][square] // 4])
            if base:
                laid[NAMES[square]] = LETTERS[base - 1]
    return laid


def pending(game: Row) -> dict[str, Any] | None:
    """What is under way and not on the board, with its price."""
    found = notation.pending(game)
    return {**found, "price": int(game["price"])} if found and "shifted" in found else found
