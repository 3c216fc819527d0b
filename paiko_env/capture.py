"""The capture phase: what falls, and in which order (P11, V6, V7).

How many tiles fell is returned; where they go is the driver's business.
"""

from __future__ import annotations

from paiko_env.board import BLACK, SQUARES, WHITE
from paiko_env.moves import take_off
from paiko_env.red import colour_of, falling_red, remove
from paiko_env.squares import both, count, either, first, is_empty, less, only, rest
from paiko_env.threat import falling, look, tiles_like
from paiko_env.tiles import FIRE
from tabletop_env.kernel import kernel


@kernel
def capture(game, side):
    """Capture what can be captured of ``side``, and red pieces with it (V6): pass by pass, Fires last.

    Each pass is decided before any of its tiles is removed. A fallen Fire exposes nobody, so the Fires
    are the last pass.
    """
    fallen = 0
    for _ in range(SQUARES):
        victims, pieces = falling(game, side), falling_red(game)
        tiles = less(victims, tiles_like(game, FIRE))
        if is_empty(either(tiles, pieces)):
            return fallen + fell(game, side, victims)
        fallen += fell(game, side, tiles) + remove(game, pieces)
    return fallen


@kernel
def fell(game, side, tiles):
    """Remove captured tiles for good; how many they are."""
    number = count(tiles)
    game["lost"][side] += number
    while not is_empty(tiles):
        take_off(game, side, first(tiles))
        tiles = rest(tiles)
    if number:
        look(game)
    return number


# -- one by one (V7) -----------------------------------------------------------------------------


@kernel
def prey(game):
    """White's and Black's capturable tiles, Fires aside."""
    tiles = either(falling(game, WHITE), falling(game, BLACK))
    return less(tiles, tiles_like(game, FIRE))


@kernel
def capture_one(game, square):
    """Capture the tile on ``square`` alone."""
    return fell(game, colour_of(game, square), only(square))


@kernel
def capture_rest(game):
    """When no other tile is prey: the capturable red pieces together, then all Fires together."""
    fallen = remove(game, falling_red(game))
    fires = tiles_like(game, FIRE)
    white, black = both(falling(game, WHITE), fires), both(falling(game, BLACK), fires)
    return fallen + fell(game, WHITE, white) + fell(game, BLACK, black)
