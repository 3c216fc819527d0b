"""What moves do to the board: put a tile down, move it, turn it, take it off, count its shifts."""

from __future__ import annotations

from paiko_env.heroes import any_hero, move_hero
from paiko_env.squares import at, both, either, holds, less, only
from tabletop_env.kernel import kernel


@kernel
def mark(table, index, squares):
    """Add squares to set ``index`` of a table of sets."""
    table[index, 0] |= squares[0]
    table[index, 1] |= squares[1]


@kernel
def unmark(table, index, squares):
    """Take squares out of set ``index`` of a table of sets."""
    table[index, 0] &= ~squares[0]
    table[index, 1] &= ~squares[1]


@kernel
def put_down(game, side, square, code):
    """A tile of ``side`` now stands on an empty square."""
    here = only(square)
    mark(game["sides"], side, here)
    mark(game["kinds"], code // 4, here)
    game["tile"][square] = code


@kernel
def take_off(game, side, square):
    """The tile of ``side`` on ``square`` leaves it, and its count of shifts with it."""
    here = only(square)
    unmark(game["sides"], side, here)
    unmark(game["kinds"], game["tile"][square] // 4, here)
    unmark(game["streak"], 0, here)
    unmark(game["streak"], 1, here)
    game["tile"][square] = 0


@kernel
def move(game, side, start, goal):
    """The tile of ``side`` on ``start`` stands on ``goal`` now, its facing and its count with it."""
    if goal == start:
        return
    code, shifts = game["tile"][start], streak(game, start)
    take_off(game, side, start)
    put_down(game, side, goal, code)
    set_streak(game, goal, shifts)
    if any_hero(game):
        move_hero(game, start, goal)


@kernel
def turn_to(game, square, facing):
    """Face the tile on ``square``."""
    game["tile"][square] = game["tile"][square] // 4 * 4 + facing


# -- three in a row (P7) -------------------------------------------------------------------------


@kernel
def streak(game, square):
    """In how many turns on end the tile has shifted, 0..3."""
    low = holds(at(game["streak"], 0), square)
    high = holds(at(game["streak"], 1), square)
    return 1 * low + 2 * high


@kernel
def set_streak(game, square, shifts):
    here = only(square)
    for plane in range(2):
        if shifts >> plane & 1:
            mark(game["streak"], plane, here)
        else:
            unmark(game["streak"], plane, here)


@kernel
def restart_streaks(game, tiles):
    """These tiles did not shift: they count from 0 again."""
    unmark(game["streak"], 0, tiles)
    unmark(game["streak"], 1, tiles)


@kernel
def rested(game, tiles):
    """Those of ``tiles`` that have not shifted three times on end, and are not busy (P7, R5)."""
    tired = both(at(game["streak"], 0), at(game["streak"], 1))
    busy = game["busy"][0], game["busy"][1]
    return less(tiles, either(tired, busy))
