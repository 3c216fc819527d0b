"""What a seat of Ronin sees (R11): the blocks of ``observe``, and behind them those of rounds and heroes.

``own`` means the observer's side, a team for Black; ``own_hand`` is the observer's own hand alone. Whose
hidden tiles lie where is not told: ``own_reserve`` and ``enemy_reserve`` count what each colour has out of
the observer's sight, in reserves, others' hands and bases together, as follows by subtraction;
``enemy_hand`` is always 0. A block a seat comes last, the observer's first, the others' clockwise.
"""

from __future__ import annotations

from functools import cache

import numpy as np

from paiko_env import observe
from paiko_env.board import BLACK, SIZE, SQUARES, WHITE
from paiko_env.heroes import hero_of, heroes_of
from paiko_env.observe import CELL, at_square, fill_plane, spread, write_board, write_course
from paiko_env.ronin_chance import size
from paiko_env.ronin_menu import own_hero, side_of
from paiko_env.squares import first, is_empty, rest
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


_FULL = compact(MAX_PLAYERS)
_MOST_COMPACT = _FULL.size
_C_TABLE, _HAND, _OWN_RESERVE, _ENEMY_RESERVE, _TO_ACT = (
    _FULL.start(name) for name in ("own_hand", "own_hand", "own_reserve", "enemy_reserve", "to_act")
)
_HERO, _BUSY, _OWN_HERO_TILE = (_FULL.start(name) for name, _, _ in _SQUARE_BLOCKS)
_WHITE, _CHOOSING, _ACTIONS_LEFT, _PRICE, _OWN_SIZE, _ENEMY_SIZE, _OWN_HERO = (
    _FULL.start(block.name) for block in _TABLE
)
_SEATS, _SEAT_SIZE = _FULL.start("seat0_hero"), len(_SEAT)
_COMMON_PLANES = observe.PLANES.size
_P_TABLE = planes(MAX_PLAYERS).start("white")
_SINGLE = len(_SQUARE_BLOCKS)
_CELLS, _FLIP = SIZE * SIZE, SQUARES - 1


@kernel
def write_compact(game, observer, out):
    """Fill ``out`` (A,) int8, laid out as ``compact`` says."""
    side = side_of(observer)
    out[:] = 0
    write_board(game, side, out)
    write_course(game, side, out[_C_TABLE:])
    out[_TO_ACT] = game["seat"] == observer
    write_marks(game, observer, 0 if side == WHITE else _FLIP, out)
    write_hidden(game, observer, out)
    out[_WHITE] = observer == 0
    out[_CHOOSING] = game["phase"] == HERO
    out[_ACTIONS_LEFT] = min(_MOST_ACTIONS, game["actions_left"])
    out[_PRICE] = game["price"]
    if observer != 0 and own_hero(game, observer) >= 0:
        out[_OWN_HERO + own_hero(game, observer)] = 1
    write_seats(game, observer, out)


@kernel
def write_marks(game, observer, flip, out):
    """Heroes and busy tiles."""
    mark_squares(heroes_of(game), _HERO, flip, out)
    mark_squares((game["busy"][0], game["busy"][1]), _BUSY, flip, out)
    if observer != 0 and own_hero(game, observer) >= 0:
        mark_squares(hero_of(game, BLACK, own_hero(game, observer)), _OWN_HERO_TILE, flip, out)


@kernel
def mark_squares(squares, start, flip, out):
    while not is_empty(squares):
        out[start + at_square(0, first(squares), flip)] = 1
        squares = rest(squares)


@kernel
def write_hidden(game, observer, out):
    """The own hand; of all other tiles off the board no more than subtraction tells (R11)."""
    side = side_of(observer)
    for kind in range(KINDS):
        out[_HAND + kind] = min(COPIES, game["hands"][observer, kind])
        out[_OWN_RESERVE + kind] = min(COPIES, unseen(game, observer, side, kind))
        out[_ENEMY_RESERVE + kind] = min(COPIES, unseen(game, observer, 1 - side, kind))
    out[_OWN_SIZE] = min(_MOST_TILES, size(game["reserves"][side]))
    out[_ENEMY_SIZE] = min(_MOST_TILES, size(game["reserves"][1 - side]))


@kernel
def unseen(game, observer, side, kind):
    """Tiles of a kind and colour off the board, but for the observer's own hand."""
    tiles = np.int64(game["reserves"][side, kind])
    for seat in range(game["players"]):
        if seat != observer and side_of(seat) == side:
            tiles += game["hands"][seat, kind]
    if side == WHITE:
        for base in game["bases"].flat:
            tiles += base == 1 + kind
    return tiles


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


@kernel
def write_planes(game, observer, out):
    """Fill ``out`` (C, 14, 14) int8, laid out as ``planes`` says."""
    vector = np.empty(_MOST_COMPACT, np.int8)
    write_compact(game, observer, vector)
    cells = out.reshape(out.size)
    spread(vector, cells)
    for i in range(_COMMON_PLANES * _CELLS, _P_TABLE * _CELLS):
        cells[i] = 0
    for square in range(SQUARES):
        for feature in range(_SINGLE):
            value = vector[_HERO + feature * SQUARES + square]
            cells[(_COMMON_PLANES + feature) * _CELLS + CELL[square]] = value
    for number in range(len(out) - _P_TABLE):
        fill_plane(cells, _P_TABLE + number, vector[_WHITE + number])
