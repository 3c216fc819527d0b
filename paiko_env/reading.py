"""States read back: what may be left out is filled in, and contradictions are refused by name."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Sequence
from typing import Any

import numpy as np

from paiko_env.actions import NUM_ACTIONS, STOP
from paiko_env.board import BLACK, BLACK_NAMES, FACINGS, NAMES, SIDES, WHITE, members
from paiko_env.duel import (
    BLACK_PICKS,
    DRAWS,
    TIE_LOST,
    TIE_POINTS,
    WHITE_LAST_PICKS,
    WHITE_PICKS,
    WIN,
    write_legal,
)
from paiko_env.moves import put_down, set_streak, streak
from paiko_env.notation import AGENTS, SEATS, letters, square_of, tile_text
from paiko_env.squares import both, either, only
from paiko_env.state import ACTION, DRAW, FACE, OVER, PHASES, PLACE, REWARD, SETUP, SLIDE
from paiko_env.threat import deadly, falling, lift_off, look, survey
from paiko_env.tiles import DIRECTIONAL, FIRE, LETTERS, LOTUS, WATER
from paiko_env.tiles import SLIDE as SLIDES
from paiko_env.turn import points
from tabletop_env.game import NOBODY, Row, StateDict
from tabletop_env.kernel import kernel

_TILE = re.compile(r"([wb])([SBEFWILA])([NESW]?)([1-3]?)")
_MOST = 99  # tiles of one kind in a hand or reserve
MOST_TURNS = 2**31 - 2
"""The largest number that a counter is read with."""

TILE_PHASES = (PLACE, SLIDE, FACE)
"""A tile is under way."""
PLAYED = (SETUP, ACTION, DRAW, SLIDE, PLACE, FACE, REWARD, OVER)
"""Phases of the game for two."""


def read_state(state: StateDict, game: Row) -> None:
    """Fill a blank row from a state of the game for two; ``ValueError`` says what is wrong with it."""
    game["phase"] = read_phase(state, PLAYED)
    game["seat"] = read_seat(state, game["phase"], AGENTS)
    read_board(state, game, read_tile)
    read_tiles("hands", state, game["hands"], AGENTS)
    read_tiles("reserves", state, game["reserves"], SIDES[:2])
    read_lost(state, game)
    game["truncated"] = boolean("truncated", state.get("truncated", False))
    read_turn(state, game)
    if game["phase"] == OVER:
        settle_end(game)
    read_pending(state, game)
    if game["phase"] not in (SLIDE, FACE):
        check_safe(game)
    if game["phase"] == SETUP:
        check_picks(game)
    if game["phase"] not in (ACTION, OVER):
        check_way_out(game, NUM_ACTIONS, write_legal)


# -- who, when -----------------------------------------------------------------------------------


def read_phase(state: StateDict, phases: Iterable[int]) -> int:
    word = state.get("phase", "action")
    allowed = [PHASES[phase] for phase in phases]
    if word not in allowed:
        raise ValueError(f"phase is {word!r}, expected one of {', '.join(allowed)}")
    return PHASES.index(word)


def read_seat(state: StateDict, phase: int, agents: Sequence[str]) -> int:
    """The seat to act, which a state has to name, even if it is nobody."""
    if "to_act" not in state:
        raise ValueError(
            f"to_act is missing, expected one of {', '.join(agents)}, or null at the end"
        )
    agent = state["to_act"]
    if phase == OVER:
        if agent is not None:
            raise ValueError(f"to_act is {agent!r}, expected null in phase over")
        return NOBODY
    if agent not in agents:
        raise ValueError(f"to_act is {agent!r}, expected one of {', '.join(agents)}")
    return agents.index(agent)


def read_turn(state: StateDict, game: Row) -> None:
    """The turn, which must be one of the side whose turn it is, and within the limit (P15)."""
    phase, limit = int(game["phase"]), int(game["max_turns"])
    if game["truncated"] and (phase != OVER or not limit):
        why = "there is no max_turns" if not limit else f"the phase is {PHASES[phase]}"
        raise ValueError(f"truncated is true, but {why}")
    if phase == OVER:
        black_alone = points(game, BLACK) >= WIN > points(game, WHITE)
        first = limit if game["truncated"] else int(black_alone)
    else:
        first = 0 if phase == SETUP else side_on_turn(game)
    turn = integer("turn", state.get("turn", first), 0, MOST_TURNS)
    if limit and turn > limit - 1 + int(game["truncated"]):
        raise ValueError(f"turn is {turn}, but the game is cut off at max_turns, {limit}")
    if phase == SETUP and turn:
        raise ValueError(f"turn is {turn}, expected 0 in phase setup")
    if game["truncated"] and turn != limit:
        raise ValueError(f"turn is {turn}, expected {limit} in a truncated game")
    if phase not in (SETUP, OVER) and turn % 2 != side_on_turn(game):
        raise ValueError(f"turn {turn} is not one of {AGENTS[side_on_turn(game)]}")
    game["turn"] = turn


def side_on_turn(game: Row) -> int:
    """Whose turn it is: while rewards are chosen it is still the captor's."""
    return int(1 - game["seat"] if game["phase"] == REWARD else game["seat"])


def settle_end(game: Row) -> None:
    """Who has won, which follows from the board (P13)."""
    if game["truncated"]:
        return
    side = int(game["turn"]) % 2
    held = [int(points(game, s)) for s in range(2)]
    if held[side] >= WIN:
        game["winner"] = 1 + side
        return
    worn_out = min(game["lost"]) >= TIE_LOST and max(held) <= TIE_POINTS
    if not worn_out and game["reserves"].any():  # nobody was forced to pass, who could draw
        raise ValueError(
            f"phase is over, but {AGENTS[side]} has {held[side]} points and nothing ties the game"
        )


# -- tiles ---------------------------------------------------------------------------------------


def read_board(state: StateDict, game: Row, read: Callable[[Row, str, Any], None]) -> None:
    """Put on the board what ``read(game, square's name, text)`` makes of each entry."""
    board = state.get("board", {})
    if not isinstance(board, dict):
        raise ValueError(f"board is {board!r}, expected an object of squares and tiles")
    for name, tile in board.items():
        read(game, name, tile)
    if board and game["phase"] == SETUP:
        raise ValueError("board has tiles in phase setup")
    look(game)


def read_tile(game: Row, name: str, tile: Any) -> None:
    """A tile of White's or Black's."""
    square = square_of(name)
    match = _TILE.fullmatch(tile) if isinstance(tile, str) else None
    if match is None or bool(match[3]) != bool(DIRECTIONAL[LETTERS.index(match[2])]):
        raise ValueError(f"board: {tile!r} on {name} is no tile, expected the like of 'wS', 'bFN'")
    kind = LETTERS.index(match[2])
    if name in BLACK_NAMES and kind != LOTUS:
        raise ValueError(f"board: {tile} stands on the black square {name}")
    facing = FACINGS.index(match[3]) if match[3] else 0
    put_down(game, SIDES.index(match[1]), square, 4 * kind + facing)
    set_streak(game, square, int(match[4] or 0))


def read_tiles(name: str, state: StateDict, counts: np.ndarray, owners: Collection[str]) -> None:
    """Strings of letters, as numbers of each kind."""
    given = entries(name, state, owners)
    for index, owner in enumerate(owners):
        tiles = given.get(owner, "")
        if not isinstance(tiles, str) or not set(tiles) <= set(LETTERS):
            raise ValueError(f"{name} of {owner} is {tiles!r}, expected letters of {LETTERS}")
        numbers = [tiles.count(letter) for letter in LETTERS]
        if max(numbers) > _MOST:
            raise ValueError(f"{name} of {owner} has more than {_MOST} tiles of a kind")
        counts[index] = numbers


def read_lost(state: StateDict, game: Row) -> None:
    lost = entries("lost", state, SIDES[:2])
    game["lost"] = [integer(f"lost of {k}", lost.get(k, 0), 0, MOST_TURNS) for k in SIDES[:2]]


def check_safe(game: Row) -> None:
    """No tile falls as the board stands."""
    for side in range(2):
        for square in members(falling(game, side)):
            raise ValueError(
                f"board: {tile_text(game, side, square)} on {NAMES[square]} is capturable"
            )


# -- what is pending -----------------------------------------------------------------------------


def read_pending(state: StateDict, game: Row) -> None:
    """What is under way, by the phase."""
    given, phase = state.get("pending"), game["phase"]
    if phase in (SETUP, DRAW, REWARD):
        (left,) = pending_keys(given, phase, "left")
        most = DRAWS - 1 if phase == DRAW else _MOST
        if phase == SETUP:
            most = BLACK_PICKS if game["seat"] == BLACK else WHITE_PICKS
        game["left"] = integer("left in pending", left, 1, most)
    elif phase in TILE_PHASES:
        read_tile_under_way(given, game)
    elif phase == ACTION and given is not None:
        (passed,) = pending_keys(given, phase, "passed")
        if passed is not True:
            raise ValueError(f"passed in pending is {passed!r}, expected true")
        game["passed"] = 1
    elif given is not None:
        raise ValueError(f"pending is {given!r}, expected null in phase {PHASES[phase]}")


def pending_keys(given: Any, phase: int, *keys: str) -> list[Any]:
    """The values of ``pending``, which has exactly these keys."""
    if not isinstance(given, dict) or set(given) != set(keys):
        expected = ", ".join(keys)
        raise ValueError(f"pending is {given!r}, expected {expected} in phase {PHASES[phase]}")
    return [given[key] for key in keys]


def read_tile_under_way(given: Any, game: Row) -> None:
    """``pending`` of the phases place, slide and face."""
    phase = game["phase"]
    if phase == PLACE:
        find_tile(game, *pending_keys(given, phase, "tile"))
    elif phase == SLIDE:
        left, shifted, tile = pending_keys(given, phase, "left", "shifted", "tile")
        find_tile(game, tile)
        game["shifted"] = boolean("shifted in pending", shifted)
        most = SLIDES[game["tile"][game["at"]] // 4]
        game["left"] = integer("left in pending", left, most, most)
    else:
        barred, shifted, tile = pending_keys(given, phase, "not", "shifted", "tile")
        find_tile(game, tile)
        game["shifted"] = boolean("shifted in pending", shifted)
        if barred is not None:
            game["barred"] = 1 + read_barred(game, barred)
    check_tile_under_way(game)


def find_tile(game: Row, name: Any) -> None:
    square = square_of(name)
    if square not in members(game["sides"][game["seat"]]):
        raise ValueError(f"pending: {AGENTS[game['seat']]} has no tile on {name}")
    game["at"] = square


def read_barred(game: Row, letter: Any) -> int:
    if letter not in tuple(FACINGS):
        raise ValueError(f"not in pending is {letter!r}, expected null or one of N, E, S, W")
    facing = FACINGS.index(letter)
    if not game["shifted"] or game["tile"][game["at"]] % 4 != facing:
        raise ValueError(f"not in pending is {letter!r}, but no tile turns in place from there")
    return facing


def check_tile_under_way(game: Row) -> None:
    """Whether the tile is one that may slide, be set down or be faced, and shows what it then shows."""
    phase, square = int(game["phase"]), int(game["at"])
    tile = tile_text(game, int(game["seat"]), square)
    kind, facing = divmod(int(game["tile"][square]), 4)
    fits = {PLACE: kind == WATER, SLIDE: SLIDES[kind], FACE: DIRECTIONAL[kind]}
    shifts, shifted = int(streak(game, square)), bool(game["shifted"])
    if not fits[phase] or (phase == SLIDE and shifted):
        raise ValueError(f"pending: {tile} on {NAMES[square]} does not fit phase {PHASES[phase]}")
    if shifts == 3 and (shifted or phase == PLACE):
        raise ValueError(f"pending: {tile} on {NAMES[square]} has shifted three times on end")
    if phase != PLACE and not shifted and (shifts or facing):
        raise ValueError(f"pending: {tile} on {NAMES[square]} has just been deployed")


# -- whether it can go on ------------------------------------------------------------------------


def check_way_out(game: Row, num_actions: int, write_legal: Callable[..., None]) -> None:
    """Whether what is under way can be completed legally (P18)."""
    phase, side = int(game["phase"]), int(game["seat"])
    where = f"phase is {PHASES[phase]}, but {SEATS[side]}"
    if phase in (SLIDE, FACE):
        for square in members(beyond_help(game, side)):
            tile = tile_text(game, side, square)
            raise ValueError(f"{where} cannot save {tile} on {NAMES[square]}")
    mask = np.zeros(num_actions, np.bool_)
    write_legal(game, mask)
    if not mask[:STOP].any() and not mask[STOP + 1 :].any():
        raise ValueError(f"{where} has no choice")


@kernel
def beyond_help(game, side):
    """Tiles that fall wherever the tile under way may slide, and however it is faced (P5)."""
    square = game["at"]
    lifted = lift_off(game, survey(game, side), square)
    doomed = both(lifted.own, lifted.three)
    if game["phase"] == SLIDE:
        return doomed
    return either(doomed, both(only(square), deadly(lifted, game["tile"][square] // 4 == FIRE)))


def check_picks(game: Row) -> None:
    """Whether the reserves hold what is still to be picked, and White has not picked too early (P16)."""
    left, black_started = int(game["left"]), bool(game["hands"][BLACK].any())
    picks = [0, left]
    if game["seat"] == WHITE:
        picks = [left, 0] if black_started else [left + WHITE_LAST_PICKS, BLACK_PICKS]
        if black_started and left > WHITE_LAST_PICKS:
            raise ValueError("hands: black_0 has tiles before it picks")
    else:
        picks[WHITE] = WHITE_LAST_PICKS
    for side, needed in enumerate(picks):
        if game["reserves"][side].sum() < needed:
            held = letters(game["reserves"][side])
            raise ValueError(
                f"reserves of {SIDES[side]} is {held!r}, but {needed} are to be picked"
            )


# -- plain values --------------------------------------------------------------------------------


def entries(name: str, state: StateDict, owners: Collection[str]) -> dict[str, Any]:
    """An object whose keys are some of ``owners``."""
    given = state.get(name, {})
    if not isinstance(given, dict):
        raise ValueError(f"{name} is {given!r}, expected an object")
    for owner in given:
        if owner not in owners:
            raise ValueError(f"{name} has an entry for {owner!r}, expected {', '.join(owners)}")
    return given


def integer(name: str, value: Any, low: int, high: int) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
        raise ValueError(f"{name} is {value!r}, expected an integer in {low}..{high}")
    return value


def boolean(name: str, value: Any) -> bool:
    if not isinstance(value, bool):
        raise ValueError(f"{name} is {value!r}, expected true or false")
    return value
