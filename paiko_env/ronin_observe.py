"""What a seat of Ronin sees (R11): the blocks of ``observe``, and behind them those of rounds and heroes.

``own`` means the observer's side, a team for Black; ``own_hand`` is the observer's own hand alone. Whose
hidden tiles lie where is not told: ``own_reserve`` and ``enemy_reserve`` count what each colour has out of
the observer's sight, in reserves, others' hands and bases together, as follows by subtraction;
``enemy_hand`` is always 0. A block a seat comes last, the observer's first, the others' clockwise.
"""

from __future__ import annotations

from functools import cache

from paiko_env import observe
from paiko_env.board import BLACK, SQUARES, WHITE
from paiko_env.grid import count_up, lay, seen_by
from paiko_env.heroes import hero_of, heroes_of
from paiko_env.observe import (
    add_counts,
    fill_planes,
    lay_board,
    waiting_room,
    write_board,
    write_course,
)
from paiko_env.ronin_chance import size
from paiko_env.ronin_menu import own_hero, side_of
from paiko_env.squares import NONE
from paiko_env.state import HERO, MAX_PLAYERS
from paiko_env.tiles import COPIES, KINDS
from tabletop_env.kernel import kernel
from tabletop_env.layout import Block, Layout

_MOST_TILES, _MOST_ACTIONS, _MOST_HAND = 24, 6, 24

# One number a square, and a plane each.
_SQUARE_BLOCKS = (
    ("hero", "heroes of both sides", 1),
    ("busy", "busy tiles, the one under way among them once it has moved (R5)", 1),
    ("own_hero_tile", "the observer's own hero, if it is a Black", 1),
)
_TABLE = (
    Block("white", 1, "the observer is White"),
    Block("choosing", 1, "the phase is hero"),
    Block("actions_left", 1, "of the seat to act, the one under way included", _MOST_ACTIONS),
    Block("price", 1, "actions that the one under way takes", 2),
    Block("own_reserve_size", 1, "tiles in the own side's reserve", _MOST_TILES),
    Block("enemy_reserve_size", 1, "tiles in the enemy's reserve", _MOST_TILES),
    Block("own_hero", KINDS, "the type of the observer's hero, in the order SBEFWILA"),
)
_SEAT = (
    ("hero", "1 + type of the seat's hero, 0 none", KINDS),
    ("hand", "tiles in the hand", _MOST_HAND),
    ("token", "has the first-turn token", 1),
    ("acting", "is to act", 1),
)
_RETOLD = {
    "enemy_hand": "hidden, always 0",
    "own_reserve": "of the own colour out of the observer's sight: reserve, others' hands, bases",
    "enemy_reserve": "of the enemy's colour likewise",
    "turns_left": "rounds before the cut-off, 127 if more or none",
}


def _common(layout: Layout) -> list[Block]:
    """The blocks of ``observe``, told as Ronin has them."""
    return [Block(b.name, b.size, _RETOLD.get(b.name, b.about), b.high, b.low) for b in layout]


def _seats(players: int) -> list[Block]:
    return [
        Block(f"seat{seat}_{name}", 1, f"{about}; seat 0 is the observer", high)
        for seat in range(players)
        for name, about, high in _SEAT
    ]


@cache
def planes(players: int) -> Layout:
    """Channels of the planes."""
    squares = [Block(name, 1, about, high) for name, about, high in _SQUARE_BLOCKS]
    return Layout([*_common(observe.PLANES), *squares, *_TABLE, *_seats(players)])


@cache
def compact(players: int) -> Layout:
    """Blocks of the compact form."""
    squares = [Block(name, SQUARES, about, high) for name, about, high in _SQUARE_BLOCKS]
    return Layout([*_common(observe.COMPACT), *squares, *_TABLE, *_seats(players)])


_FULL, _FULL_PLANES = compact(MAX_PLAYERS), planes(MAX_PLAYERS)
_C_COMMON, _C_MARKS, _C_TABLE = (_FULL.start(name) for name in ("own_hand", "hero", "white"))
_P_COMMON, _P_MARKS, _P_TABLE = (_FULL_PLANES.start(n) for n in ("own_hand", "hero", "white"))
_HAND, _OWN_RESERVE, _ENEMY_RESERVE, _TO_ACT = (
    observe.TABLE.start(name) for name in ("own_hand", "own_reserve", "enemy_reserve", "to_act")
)
_WHITE, _CHOOSING, _ACTIONS_LEFT, _PRICE, _OWN_SIZE, _ENEMY_SIZE, _OWN_HERO, _SEATS = (
    _FULL.start(name) - _C_TABLE for name in (*(block.name for block in _TABLE), "seat0_hero")
)
_COMMON_SIZE, _SEAT_SIZE = observe.TABLE.size, len(_SEAT)


@kernel
def write_compact(game, observer, out):
    """Fill ``out`` (N,) int8, laid out as ``compact`` says."""
    side = side_of(observer)
    out[:] = 0
    write_board(game, side, out)
    write_common_table(game, observer, out[_C_COMMON:])
    found = marks(game, observer)
    for feature in range(len(found)):
        count_up(out, _C_MARKS + feature * SQUARES, seen_by(side, found[feature]))
    write_own_table(game, observer, out[_C_TABLE:])


@kernel
def write_planes(game, observer, out):
    """Fill ``out`` (C, 14, 14) int8, laid out as ``planes`` says."""
    cells = out.reshape(out.size)
    side = side_of(observer)
    lay_board(game, side, cells)
    found = marks(game, observer)
    for feature in range(len(found)):
        lay(cells, _P_MARKS + feature, side, found[feature])
    own_size = len(out) - _P_TABLE
    room = waiting_room(cells, _COMMON_SIZE + own_size)
    write_common_table(game, observer, room[:_COMMON_SIZE])
    write_own_table(game, observer, room[_COMMON_SIZE:])
    fill_planes(cells, _P_COMMON, room[:_COMMON_SIZE])
    fill_planes(cells, _P_TABLE, room[_COMMON_SIZE:])


@kernel
def marks(game, observer):
    """The sets of ``_SQUARE_BLOCKS``."""
    own = NONE
    if observer != 0 and own_hero(game, observer) >= 0:
        own = hero_of(game, BLACK, own_hero(game, observer))
    busy = game["busy"][0], game["busy"][1]
    return heroes_of(game), busy, own


@kernel
def write_common_table(game, observer, out):
    """The table of the game for two, with no more of what is hidden than the observer knows."""
    write_course(game, side_of(observer), out)
    out[_TO_ACT] = game["seat"] == observer
    write_hidden(game, observer, out)


@kernel
def write_own_table(game, observer, out):
    """Rounds, actions, heroes and seats, laid out as ``_TABLE`` and ``_SEAT`` say; ``out`` is zero."""
    side = side_of(observer)
    out[_WHITE] = observer == 0
    out[_CHOOSING] = game["phase"] == HERO
    out[_ACTIONS_LEFT] = min(_MOST_ACTIONS, game["actions_left"])
    out[_PRICE] = game["price"]
    out[_OWN_SIZE] = min(_MOST_TILES, size(game["reserves"][side]))
    out[_ENEMY_SIZE] = min(_MOST_TILES, size(game["reserves"][1 - side]))
    if observer != 0 and own_hero(game, observer) >= 0:
        out[_OWN_HERO + own_hero(game, observer)] = 1
    write_seats(game, observer, out)


@kernel
def write_hidden(game, observer, out):
    """The own hand; of all other tiles off the board no more than subtraction tells (R11)."""
    side = side_of(observer)
    add_counts(game["hands"][observer], out, _HAND)
    white = _OWN_RESERVE if side == WHITE else _ENEMY_RESERVE
    black = _ENEMY_RESERVE if side == WHITE else _OWN_RESERVE
    add_counts(game["reserves"][WHITE], out, white)
    add_counts(game["reserves"][BLACK], out, black)
    for seat in range(game["players"]):
        if seat != observer:
            add_counts(game["hands"][seat], out, white if seat == 0 else black)
    for base in game["bases"].flat:
        if base:
            out[white + base - 1] = min(COPIES, out[white + base - 1] + 1)


@kernel
def write_seats(game, observer, out):
    """Each seat's block; White has a hero's number of 0."""
    players = game["players"]
    for offset in range(players):
        seat = (observer + offset) % players
        start = _SEATS + _SEAT_SIZE * offset
        out[start] = game["hero"][seat]
        out[start + 1] = min(_MOST_HAND, size(game["hands"][seat]))
        out[start + 2] = seat != 0 and game["token"] == seat
        out[start + 3] = game["seat"] == seat
