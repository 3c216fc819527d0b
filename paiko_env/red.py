"""Red's pieces: where they may go and what becomes of them (V3-V5, V8).

A corpse is one face-down tile, a zombie two. They stand in no set of kinds, and their squares hold no
tile code: nothing that threatens or covers looks at them.
"""

from __future__ import annotations

import numpy as np

from paiko_env.board import BLACK, RED, SQUARES, WHITE, beside, words
from paiko_env.legal import BLACKS, empty_squares
from paiko_env.moves import mark, restart_streaks, set_streak, streak, take_off, unmark
from paiko_env.spans import walk
from paiko_env.squares import NONE, at, both, either, first, holds, is_empty, less, only, rest
from paiko_env.squares import count as number_of
from paiko_env.threat import cover_by, stack_threat, tiles_of
from tabletop_env.kernel import kernel

AROUND = np.array(
    [
        words(beside(s, dx, dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1) if dx or dy)
        for s in range(SQUARES)
    ]
)
"""(112, 2) uint64: the squares that share an edge or a corner with each."""


# -- what stands where ---------------------------------------------------------------------------


@kernel
def zombies_of(game):
    return game["zombies"][0], game["zombies"][1]


@kernel
def corpses_of(game):
    return less(tiles_of(game, RED), zombies_of(game))


@kernel
def face_up(game):
    """White's and Black's tiles."""
    return either(tiles_of(game, WHITE), tiles_of(game, BLACK))


@kernel
def deadly_to_red(game):
    """Squares that three tiles or more threaten, of either colour (V3)."""
    return stack_threat(game, face_up(game))[2]


@kernel
def falling_red(game):
    """Red pieces that are capturable as the board stands."""
    pieces = tiles_of(game, RED)
    return NONE if is_empty(pieces) else both(pieces, deadly_to_red(game))


@kernel
def shielded(game):
    """Squares that the cover pattern of a tile reaches, of either colour; homegrounds aside (V4)."""
    squares, tiles = NONE, face_up(game)
    while not is_empty(tiles):
        square = first(tiles)
        tiles = rest(tiles)
        squares = either(squares, cover_by(game["tile"][square], square))
    return squares


# -- where pieces may go (V4) --------------------------------------------------------------------


@kernel
def corpse_squares(game, shield, deadly):
    """Where a corpse may be laid: neither shielded nor capturable there (P5)."""
    return less(empty_squares(game), either(shield, deadly))


@kernel
def zombie_spans(square, free):
    """Where the zombie on ``square`` may shift, as spans: one step, to a ``free`` square."""
    return walk(square, 1, free)


@kernel
def free_squares(game, deadly):
    """Squares that a zombie may enter."""
    return less(empty_squares(game), either(BLACKS, deadly))


@kernel
def around_pieces(pieces):
    """Squares that share an edge or a corner with one of the pieces or more, and with two or more."""
    once, twice = NONE, NONE
    while not is_empty(pieces):
        near = at(AROUND, first(pieces))
        pieces = rest(pieces)
        twice = either(twice, both(once, near))
        once = either(once, near)
    return once, twice


@kernel
def between_zombies(game):
    """White's and Black's tiles with two zombies or more around them (V5)."""
    return both(face_up(game), around_pieces(zombies_of(game))[1])


# -- what becomes of them ------------------------------------------------------------------------


@kernel
def put_piece(game, square, zombie):
    """A corpse or a zombie now stands on an empty square."""
    mark(game["sides"], RED, only(square))
    if zombie:
        make_zombies(game, only(square))


@kernel
def lay_corpse(game, square):
    put_piece(game, square, False)
    game["red_hand"] -= 1


@kernel
def raise_corpse(game, square):
    make_zombies(game, only(square))
    game["red_hand"] -= 1


@kernel
def make_zombies(game, squares):
    """The red pieces on these squares are zombies."""
    game["zombies"][0] |= squares[0]
    game["zombies"][1] |= squares[1]


@kernel
def unmake_zombies(game, squares):
    """The red pieces on these squares, if any, are no zombies."""
    game["zombies"][0] &= ~squares[0]
    game["zombies"][1] &= ~squares[1]


@kernel
def shift_zombie(game, start, goal):
    """The zombie on ``start`` stands on ``goal`` now, its count of shifts with it."""
    shifts = streak(game, start)
    remove(game, only(start))
    put_piece(game, goal, True)
    set_streak(game, goal, shifts)


@kernel
def retrieve(game, square):
    """A tile goes back to the hand: a zombie becomes a corpse, a corpse leaves the board."""
    if holds(zombies_of(game), square):
        unmake_zombies(game, only(square))
    else:
        remove(game, only(square))
    game["red_hand"] += 1


@kernel
def zombify(game, square):
    """Turn a tile over, and lay one from the hand on it (V5)."""
    take_off(game, colour_of(game, square), square)
    put_piece(game, square, True)
    game["red_hand"] -= 1


@kernel
def colour_of(game, square):
    """The side whose face-up tile stands on a square."""
    return WHITE if holds(tiles_of(game, WHITE), square) else BLACK


@kernel
def remove(game, pieces):
    """Take red pieces off the board; how many tiles they are (V8)."""
    tiles = number_of(pieces) + number_of(both(pieces, zombies_of(game)))
    unmark(game["sides"], RED, pieces)
    unmake_zombies(game, pieces)
    restart_streaks(game, pieces)
    return tiles
