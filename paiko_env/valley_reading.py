"""States of the Valley read back: what it adds to ``reading``."""

from __future__ import annotations

import re
from typing import Any

from paiko_env.board import BLACK, NAMES, RED, SIDES, SQUARE_OF, WHITE, members, words
from paiko_env.capture import prey
from paiko_env.moves import set_streak
from paiko_env.notation import SEATS, letters, red_text, square_of
from paiko_env.reading import (
    MOST_TURNS,
    TILE_PHASES,
    boolean,
    check_safe,
    check_way_out,
    integer,
    pending_keys,
    read_board,
    read_lost,
    read_phase,
    read_seat,
    read_tile,
    read_tile_under_way,
    read_tiles,
)
from paiko_env.red import between_zombies, falling_red, put_piece
from paiko_env.state import (
    ACTION,
    CAPTURE,
    FACE,
    OVER,
    PHASES,
    PLACE,
    RETRIEVE,
    SETUP,
    SLIDE,
    ZOMBIFY,
)
from paiko_env.valley import DISCARDS, ORDER, has_won, write_legal
from paiko_env.valley_actions import NUM_ACTIONS
from tabletop_env.game import Row, StateDict

PLAYED = (SETUP, ACTION, SLIDE, PLACE, FACE, RETRIEVE, ZOMBIFY, CAPTURE, OVER)
"""Phases of the Valley."""
_RED_PHASES = (RETRIEVE, ZOMBIFY, CAPTURE)
_UNSETTLED = (SLIDE, FACE, ZOMBIFY, CAPTURE)
_RED = re.compile(r"([cz])([1-3]?)")


def read_state(state: StateDict, game: Row) -> None:
    """Fill a blank row from a state of the Valley; ``ValueError`` says what is wrong with it."""
    game["phase"] = read_phase(state, PLAYED)
    game["seat"] = read_seat(state, game["phase"], SEATS)
    read_board(state, game, read_piece)
    read_tiles("hands", state, game["hands"], SEATS[:2])
    read_tiles("reserves", state, game["reserves"], SIDES[:2])
    read_lost(state, game)
    game["red_hand"] = integer("red_hand", state.get("red_hand", 0), 0, MOST_TURNS // 2)
    game["truncated"] = boolean("truncated", state.get("truncated", False))
    check_reserves(game)
    read_turn(state, game)
    if game["phase"] == OVER:
        settle_end(game)
    read_pending(state.get("pending"), game)
    if game["phase"] not in _UNSETTLED:
        check_safe(game)
        check_red_safe(game)
    if game["phase"] == SETUP:
        check_discards(game)
    if game["phase"] not in (ACTION, OVER):
        check_way_out(game, NUM_ACTIONS, write_legal)


def read_piece(game: Row, name: str, piece: Any) -> None:
    """A corpse, a zombie, or a tile of White's or Black's."""
    match = _RED.fullmatch(piece) if isinstance(piece, str) else None
    if match is None:
        read_tile(game, name, piece)
        return
    square = square_of(name)
    put_piece(game, square, match[1] == "z")
    set_streak(game, square, int(match[2] or 0))


def check_reserves(game: Row) -> None:
    for side in (WHITE, BLACK):
        if game["reserves"][side].any():
            held = letters(game["reserves"][side])
            raise ValueError(f"reserves of {SIDES[side]} is {held!r}, but the Valley has none")


def read_turn(state: StateDict, game: Row) -> None:
    """The turn, which must be one of the agent to act (V2), and within the limit (P15)."""
    phase, limit, agent = int(game["phase"]), int(game["max_turns"]), int(game["seat"])
    if game["truncated"] and (phase != OVER or not limit):
        why = "there is no max_turns" if not limit else f"the phase is {PHASES[phase]}"
        raise ValueError(f"truncated is true, but {why}")
    if phase == OVER and "turn" not in state:
        raise ValueError("turn is missing, and phase over does not tell it")
    turn = integer("turn", state.get("turn", 0 if phase == SETUP else agent), 0, MOST_TURNS)
    if game["truncated"] and turn != limit:
        raise ValueError(f"turn is {turn}, expected {limit} in a truncated game")
    if limit and turn >= limit and not game["truncated"]:
        raise ValueError(f"turn is {turn}, but the game is cut off at max_turns, {limit}")
    if phase == SETUP and (turn or agent == RED):
        raise ValueError(f"turn is {turn}, to_act {SEATS[agent]}: not so in phase setup")
    if phase not in (SETUP, OVER) and ORDER[turn % len(ORDER)] != agent:
        raise ValueError(f"turn {turn} is not one of {SEATS[agent]}")
    if phase not in (SETUP, ACTION, OVER) and (phase in _RED_PHASES) != (agent == RED):
        raise ValueError(f"phase is {PHASES[phase]}, but {SEATS[agent]} has no such phase")
    game["turn"] = turn


def settle_end(game: Row) -> None:
    """The side that made the last turn has won, unless the game was cut off after it (V9, P15)."""
    side = int(ORDER[(int(game["turn"]) - int(game["truncated"])) % len(ORDER)])
    if has_won(game, side) == bool(game["truncated"]):
        told = "won before it was cut off" if game["truncated"] else "not won"
        raise ValueError(f"phase is over, but {SEATS[side]} has {told}")
    game["winner"] = 0 if game["truncated"] else 1 + side


def check_red_safe(game: Row) -> None:
    for square in members(falling_red(game)):
        raise ValueError(f"board: {red_text(game, square)} on {NAMES[square]} is capturable")


def check_discards(game: Row) -> None:
    """Whether the hands hold what is still to be discarded, and Red what has been (V1)."""
    left = int(game["left"])
    discarded = (DISCARDS if game["seat"] == BLACK else 2 * DISCARDS) - left
    if game["red_hand"] != discarded:
        raise ValueError(
            f"red_hand is {game['red_hand']}, but {discarded} tiles have been discarded"
        )
    needed = {BLACK: left, WHITE: DISCARDS} if game["seat"] == BLACK else {WHITE: left}
    for side, number in needed.items():
        if game["hands"][side].sum() < number:
            held = letters(game["hands"][side])
            raise ValueError(
                f"hands of {SEATS[side]} is {held!r}, but {number} are to be discarded"
            )


# -- what is pending -----------------------------------------------------------------------------


def read_pending(given: Any, game: Row) -> None:
    """What is under way: discards left, a tile, or tiles between zombies."""
    phase = int(game["phase"])
    if phase == SETUP:
        (left,) = pending_keys(given, phase, "left")
        game["left"] = integer("left in pending", left, 1, DISCARDS)
    elif phase in TILE_PHASES:
        read_tile_under_way(given, game)
    elif phase == ZOMBIFY:
        read_eligible(game, *pending_keys(given, phase, "tiles"))
    elif given is not None:
        raise ValueError(f"pending is {given!r}, expected null in phase {PHASES[phase]}")
    if phase == CAPTURE and len(members(prey(game))) < 2:
        raise ValueError("phase is capture, but fewer than two tiles are capturable, Fires aside")


def read_eligible(game: Row, tiles: Any) -> None:
    """Tiles that may yet be zombified: some of those between zombies, which may be new ones (V5)."""
    possible = [NAMES[square] for square in members(between_zombies(game))]
    if not isinstance(tiles, list) or not tiles:
        raise ValueError(f"tiles in pending is {tiles!r}, expected a list of squares")
    for name in tiles:
        if name not in possible:
            raise ValueError(f"tiles in pending has {name!r}, where no tile is between two zombies")
    if tiles != sorted(set(tiles)):
        raise ValueError(f"tiles in pending is {tiles!r}, expected each once, sorted")
    if not game["red_hand"]:
        raise ValueError("phase is zombify, but red_hand is 0")
    game["eligible"] = words(SQUARE_OF[name] for name in tiles)
