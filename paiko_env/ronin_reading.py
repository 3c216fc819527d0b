"""States of Ronin read back: what it adds to ``reading``."""

from __future__ import annotations

import re
from typing import Any

import numpy as np

from paiko_env.board import (
    BLACK,
    BLACK_NAMES,
    FACINGS,
    NAMES,
    SIDES,
    WHITE,
    members,
    words,
)
from paiko_env.busy import field_of
from paiko_env.heroes import hero_kinds, hero_of, make_hero, redeployable, slide_range
from paiko_env.moves import put_down, rested, set_streak, streak
from paiko_env.notation import board_dict, square_of
from paiko_env.reading import (
    MOST_TURNS,
    TILE_PHASES,
    boolean,
    check_safe,
    entries,
    integer,
    pending_keys,
    read_board,
    read_lost,
    read_phase,
    read_seat,
    read_tiles,
)
from paiko_env.ronin import WHITE_ACTIONS, winner_of, write_legal
from paiko_env.ronin_actions import NUM_ACTIONS
from paiko_env.ronin_menu import WHITE_HEROES, side_of, touchable
from paiko_env.ronin_notation import SEATS, marked
from paiko_env.squares import both, less
from paiko_env.state import ACTION, FACE, HERO, MAX_PLAYERS, OVER, PHASES, PLACE, SLIDE
from paiko_env.threat import look
from paiko_env.tiles import DIRECTIONAL, KINDS, LETTERS, LOTUS
from tabletop_env.game import Row, StateDict
from tabletop_env.kernel import kernel

PLAYED = (HERO, ACTION, SLIDE, PLACE, FACE, OVER)
"""Phases of Ronin."""
MIN_BLACKS, MAX_BLACKS = 3, MAX_PLAYERS - 1
_TILE = re.compile(r"([wb])([SBEFWILA])([NESW]?)(!?)(~?)([1-3]?)")
_MOST = 255  # what a number of tiles in the row can hold


def count_players(state: StateDict) -> int:
    """One more than the Blacks that ``heroes`` names, all of them."""
    heroes = state.get("heroes")
    if not isinstance(heroes, dict):
        raise ValueError(f"heroes is {heroes!r}, expected an object that names all Blacks")
    blacks = min(max(len(heroes), MIN_BLACKS), MAX_BLACKS)
    expected = SEATS[1 : 1 + blacks]
    if set(heroes) != set(expected):
        raise ValueError(
            f"heroes names {', '.join(map(str, heroes))}, expected {', '.join(expected)}"
        )
    return 1 + blacks


def read_state(state: StateDict, game: Row) -> None:
    """Fill a blank row from a state of Ronin; ``ValueError`` says what is wrong with it."""
    if (players := count_players(state)) != game["players"]:
        raise ValueError(f"heroes names {players - 1} Blacks, but num_players is {game['players']}")
    agents = SEATS[:players]
    game["price"] = 1
    game["phase"] = read_phase(state, PLAYED)
    game["seat"] = read_seat(state, game["phase"], agents)
    read_board(state, game, read_tile)
    read_tiles("hands", state, game["hands"], agents)
    read_tiles("reserves", state, game["reserves"], SIDES[:2])
    read_lost(state, game)
    game["truncated"] = boolean("truncated", state.get("truncated", False))
    read_turn(state, game)
    read_token(state, game, agents)
    read_heroes(state, game, agents)
    read_bases(state, game, agents)
    if game["phase"] == HERO:
        check_heroes_to_come(game)
    check_sizes(game)
    if game["phase"] not in (SLIDE, FACE):
        check_safe(game)
    read_pending(state.get("pending"), game)
    read_actions_left(state, game)
    if game["phase"] == OVER:
        settle_end(game)
    else:
        check_choice(game)


# -- who, when -----------------------------------------------------------------------------------


def read_turn(state: StateDict, game: Row) -> None:
    """The round, which must be within the limit (R9)."""
    phase, limit = int(game["phase"]), int(game["max_turns"])
    turn = integer("turn", state.get("turn", 0), 0, 0 if phase == HERO else MOST_TURNS)
    if game["truncated"] and (phase != OVER or turn != limit or not limit):
        raise ValueError(
            f"truncated is true in phase {PHASES[phase]} and turn {turn}, "
            f"expected phase over and turn {limit or 'of some limit'}"
        )
    if limit and turn >= limit and not game["truncated"]:
        raise ValueError(f"turn is {turn}, but the game is cut off at max_rounds, {limit}")
    game["turn"] = turn


def read_token(state: StateDict, game: Row, agents: tuple[str, ...]) -> None:
    choosing = game["phase"] == HERO
    token = state.get("token", None if choosing else agents[1])
    if choosing:
        if token is not None:
            raise ValueError(f"token is {token!r}, expected null in phase hero")
        return
    if token not in agents[1:]:
        raise ValueError(f"token is {token!r}, expected one of {', '.join(agents[1:])}")
    game["token"] = agents.index(token)


def read_actions_left(state: StateDict, game: Row) -> None:
    """Of the agent to act, the action under way included."""
    white = WHITE_ACTIONS[game["players"]]
    full = 0 if game["phase"] in (HERO, OVER) else int(white) if game["seat"] == 0 else 1
    left = state.get("actions_left", full)
    game["actions_left"] = integer("actions_left", left, min(full, int(game["price"])), full)


# -- tiles ---------------------------------------------------------------------------------------


def read_tile(game: Row, name: str, tile: Any) -> None:
    """A tile of White's or Black's, with its marks."""
    square = square_of(name)
    match = _TILE.fullmatch(tile) if isinstance(tile, str) else None
    if match is None or bool(match[3]) != bool(DIRECTIONAL[LETTERS.index(match[2])]):
        raise ValueError(
            f"board: {tile!r} on {name} is no tile, expected the like of 'wS', 'bFN!~1'"
        )
    kind = LETTERS.index(match[2])
    if name in BLACK_NAMES and kind != LOTUS:
        raise ValueError(f"board: {tile} stands on the black square {name}")
    facing = FACINGS.index(match[3]) if match[3] else 0
    side = SIDES.index(match[1])
    if match[4]:
        if hero_kinds(game, side) >> kind & 1:
            raise ValueError(f"board: {tile} on {name} is the second such hero of its side")
        put_down(game, side, square, 4 * kind + facing)
        make_hero(game, square)
    else:
        put_down(game, side, square, 4 * kind + facing)
    set_streak(game, square, int(match[6] or 0))
    if match[5]:
        game["busy"] |= words([square])


def read_heroes(state: StateDict, game: Row, agents: tuple[str, ...]) -> None:
    """Who has which hero; those on the board must belong to somebody (R2, R4)."""
    heroes = state["heroes"]
    for seat, agent in enumerate(agents[1:], start=1):
        letter = heroes[agent]
        if letter is None:
            continue
        if not isinstance(letter, str) or letter not in tuple(LETTERS):
            raise ValueError(
                f"heroes: {agent} has {letter!r}, expected a letter of {LETTERS} or null"
            )
        if 1 + LETTERS.index(letter) in game["hero"]:
            raise ValueError(f"heroes: {agent} has {letter!r}, which another Black has")
        game["hero"][seat] = 1 + LETTERS.index(letter)
    if game["phase"] == HERO:
        chosen = [bool(hero) for hero in game["hero"][1 : len(agents)]]
        if chosen != [seat < game["seat"] for seat in range(1, len(agents))]:
            raise ValueError(f"heroes: it is not {agents[game['seat']]} that has to choose next")
    for square in members(game["heroes"]):
        kind = int(game["tile"][square]) // 4
        if square in members(game["sides"][BLACK]) and 1 + kind not in game["hero"]:
            raise ValueError(f"board: nobody has the black hero {LETTERS[kind]} on {NAMES[square]}")
    whites = len(set(members(game["heroes"])) & set(members(game["sides"][WHITE])))
    if whites > WHITE_HEROES:
        raise ValueError(f"board: {whites} white heroes, expected {WHITE_HEROES} at most")


def read_bases(state: StateDict, game: Row, agents: tuple[str, ...]) -> None:
    """A base for every hero (R2, R4)."""
    owners = {
        agent: (BLACK, int(game["hero"][seat]) - 1)
        for seat, agent in enumerate(agents)
        if game["hero"][seat]
    }
    for square in members(game["heroes"]):
        if square in members(game["sides"][WHITE]):
            owners[NAMES[square]] = (WHITE, int(game["tile"][square]) // 4)
    given = entries("bases", state, owners)
    for owner, place in owners.items():
        letter = given.get(owner)
        if not isinstance(letter, str) or letter not in tuple(LETTERS):
            raise ValueError(f"bases: {letter!r} for {owner}, expected a letter of {LETTERS}")
        game["bases"][place] = 1 + LETTERS.index(letter)


def check_heroes_to_come(game: Row) -> None:
    """Whether every Black that still has to choose will find a hero, and White a base for it (R2)."""
    chosen = game["hero"][1 : game["players"]]
    to_come = int((chosen == 0).sum())
    free = [k for k in range(KINDS) if game["reserves"][BLACK, k] and 1 + k not in chosen]
    bases = int(game["reserves"][WHITE].sum())
    for tiles, where in (
        (len(free), "types left in reserves of b"),
        (bases, "tiles in reserves of w"),
    ):
        if tiles < to_come:
            raise ValueError(
                f"{to_come} Blacks are to choose a hero, but there are {tiles} {where}"
            )


def check_sizes(game: Row) -> None:
    """Whether the row can hold all tiles of a kind and colour in one place: they come together (R3, R8)."""
    for side in range(2):
        for kind in range(KINDS):
            seats = [seat for seat in range(game["players"]) if side_of(seat) == side]
            tiles = int(game["reserves"][side, kind]) + int(game["hands"][seats, kind].sum())
            tiles += sum(
                int(game["tile"][square]) // 4 == kind for square in members(game["sides"][side])
            )
            if tiles > _MOST - len(game["bases"].ravel()):
                raise ValueError(f"there are {tiles} tiles {LETTERS[kind]} of {SIDES[side]}")


# -- what is pending -----------------------------------------------------------------------------


def read_pending(given: Any, game: Row) -> None:
    """What is under way, by the phase."""
    phase = int(game["phase"])
    if phase not in TILE_PHASES:
        if given is not None:
            raise ValueError(f"pending is {given!r}, expected null in phase {PHASES[phase]}")
        return
    if phase == PLACE:
        find_tile(game, *pending_keys(given, phase, "tile"))
        check_lifted(game)
        return
    if phase == SLIDE:
        left, price, shifted, tile = pending_keys(given, phase, "left", "price", "shifted", "tile")
        barred = None
    else:
        barred, price, shifted, tile = pending_keys(given, phase, "not", "price", "shifted", "tile")
    find_tile(game, tile)
    game["shifted"] = boolean("shifted in pending", shifted)
    check_shown(game, barred)
    game["busy"] |= words([int(game["at"])])  # R5: the state does not show it yet
    look(game)
    if phase == SLIDE:
        steps = int(slide_range(game, side_of(game["seat"]), game["at"]))
        if not steps:
            raise ValueError(f"pending: the tile on {tile} does not slide")
        game["left"] = integer("left in pending", left, steps, steps)
    read_price(game, price, barred)


def find_tile(game: Row, name: Any) -> None:
    """The tile under way: one that the agent to act may touch, and that is not busy already."""
    square = square_of(name)
    agent = SEATS[game["seat"]]
    if square not in members(touchable(game, game["seat"])):
        raise ValueError(f"pending: {agent} has no tile on {name}, or may not touch it (R4)")
    if square in members(game["busy"]):
        raise ValueError(f"pending: the tile on {name} is busy (R5)")
    game["at"] = square


def shown(game: Row) -> str:
    """The tile under way, and where it stands."""
    name = NAMES[game["at"]]
    return f"{marked(game, name, board_dict(game)[name])} on {name}"


def check_lifted(game: Row) -> None:
    """Whether the tile may have been lifted (P7, P9, R5, R10)."""
    if game["at"] not in members(gifted(game, game["seat"])):
        raise ValueError(f"pending: {shown(game)} may not be lifted")


@kernel
def gifted(game, seat):
    """Tiles that a seat may lift, wherever they may go."""
    field = field_of(game, side_of(seat))
    free = less(rested(game, touchable(game, seat)), field.gifts.locked)
    return both(free, redeployable(game, field.side, field.gifts))


def check_shown(game: Row, barred: Any) -> None:
    """Whether the tile shows what it shows after the part of its action that is done."""
    kind, facing = divmod(int(game["tile"][game["at"]]), 4)
    shifted, phase = bool(game["shifted"]), int(game["phase"])
    if streak(game, game["at"]) > (2 if shifted else 0):
        raise ValueError(f"pending: {shown(game)} has shifted too often (R6)")
    if facing and (phase == SLIDE or not shifted):
        raise ValueError(f"pending: {shown(game)} has just been set down, expected it to face N")
    if phase == FACE and not DIRECTIONAL[kind]:
        raise ValueError(f"pending: {shown(game)} has no facing")
    if barred is not None:
        if barred != FACINGS[facing] or not shifted:
            raise ValueError(f"not in pending is {barred!r}, but no tile turns in place from there")
        game["barred"] = 1 + facing


def read_price(game: Row, price: Any, barred: Any) -> None:
    """Two for a white hero being deployed, which may have slid (R4)."""
    square = int(game["at"])
    kind, facing = divmod(int(game["tile"][square]), 4)
    hero = square in members(hero_of(game, WHITE, kind))
    new = hero and not game["shifted"]
    slid = hero and game["phase"] == FACE and barred is None
    may_be_new = new or (slid and not streak(game, square) and not facing)
    game["price"] = integer("price in pending", price, 2 if new else 1, 2 if may_be_new else 1)


# -- whether it can go on ------------------------------------------------------------------------


def settle_end(game: Row) -> None:
    """Who has won, which follows from the board, unless the game was cut off (R9)."""
    winner = int(winner_of(game))
    if (winner < 0) != bool(game["truncated"]):
        told = "somebody has won" if game["truncated"] else "nobody has won"
        raise ValueError(f"phase is over with truncated {bool(game['truncated'])}, but {told}")
    game["winner"] = 1 + winner


def check_choice(game: Row) -> None:
    """Whether what is under way can be completed legally (P18)."""
    mask = np.zeros(NUM_ACTIONS, np.bool_)
    write_legal(game, mask)
    if not mask.any():
        agent, phase = SEATS[game["seat"]], PHASES[int(game["phase"])]
        raise ValueError(f"phase is {phase}, but {agent} has no choice")
