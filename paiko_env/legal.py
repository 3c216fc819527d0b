"""Where tiles may go: deploying, shifting, redeploying, facing (P4-P9, P18).

Everything is a set of squares for the whole board. ``view`` is the survey of the acting side as the
board stands; ``lifted`` is its survey without the tile that moves (the same one for a tile from the
hand). A square is offered only if the action can be completed from there, so *sound* squares, those
where P5 is kept, are taken over all facings that the tile may yet be given.
"""

from __future__ import annotations

from paiko_env.board import BLACK_SQUARES, HOME
from paiko_env.moves import rested
from paiko_env.spans import HERE, around, walk
from paiko_env.squares import ALL, NONE, at, both, either, first, holds, is_empty, less, only, rest
from paiko_env.state import SLIDE
from paiko_env.threat import capturable, cover_by, deadly, lift_off, threat_by, tiles_like, tiles_of
from paiko_env.tiles import CARE, DIRECTIONAL, FIRE, LOTUS, RANGE, WATER
from tabletop_env.bits import ZERO, bit
from tabletop_env.kernel import kernel

BLACKS = (BLACK_SQUARES[0], BLACK_SQUARES[1])


@kernel
def empty_squares(game):
    """Squares without a tile, black ones included."""
    tiles = either(tiles_of(game, 0), either(tiles_of(game, 1), tiles_of(game, 2)))
    return less(ALL, tiles)


# -- own safety (P5) -----------------------------------------------------------------------------


@kernel
def perils(kind, lifted):
    """What a tile of ``kind`` that is set down has to mind: tiles of its side that fall unless it covers
    them, and, if it is a Fire, tiles that one more threat would take (P5)."""
    return capturable(lifted), both(lifted.own, deadly(lifted, 1)) if kind == FIRE else NONE


@kernel
def sound_squares(code, exposed, brittle):
    """Squares where a tile set down as ``code`` covers all that is exposed and spares all that is
    brittle (P5). Patterns are symmetric: see ``tiles.THREAT``."""
    squares = ALL
    while not is_empty(exposed):
        squares = both(squares, cover_by(code ^ 2, first(exposed)))
        exposed = rest(exposed)
    while not is_empty(brittle):
        squares = less(squares, threat_by(code ^ 2, first(brittle)))
        brittle = rest(brittle)
    return squares


@kernel
def sound_somehow(kind, exposed, brittle, barred):
    """Squares that are sound for some facing, ``barred`` (1 + facing, or 0) excepted."""
    if is_empty(either(exposed, brittle)):
        return ALL
    if not DIRECTIONAL[kind]:
        return sound_squares(4 * kind, exposed, brittle)
    squares = NONE
    for facing in range(4):
        if facing + 1 != barred:
            squares = either(squares, sound_squares(4 * kind + facing, exposed, brittle))
    return squares


@kernel
def sound_facings(game, lifted):
    """Facings, as bits, that the tile being faced may be given."""
    square = game["at"]
    kind = game["tile"][square] // 4
    exposed, brittle = perils(kind, lifted)
    facings = ZERO
    for facing in range(4):
        sound = holds(sound_squares(4 * kind + facing, exposed, brittle), square)
        if sound and facing + 1 != game["barred"]:
            facings |= bit(facing)
    return facings


# -- deploy and redeploy (P4, P9) ----------------------------------------------------------------


@kernel
def ground_of(side, view, empty):
    """Empty squares where a side may set any tile down (P4)."""
    ground = less(less(empty, BLACKS), view.one)
    return both(ground, either(at(HOME, side), view.reach))


@kernel
def landing_squares(game, side, kind, view, lifted):
    """Where a tile of ``kind`` may be set down, from the hand or after a lift (P4, P9)."""
    empty = empty_squares(game)
    if kind == LOTUS:  # covers itself, so only a third threat would take it
        return less(empty, lifted.three)
    exposed, brittle = perils(kind, lifted)
    return both(ground_of(side, view, empty), sound_somehow(kind, exposed, brittle, 0))


@kernel
def liftable(game, side, view):
    """Tiles that may be lifted: Waters that have somewhere to go (P9, P18)."""
    waters = rested(game, both(view.own, tiles_like(game, WATER)))
    tiles = NONE
    while not is_empty(waters):
        square = first(waters)
        waters = rest(waters)
        lifted = lift_off(game, view, square)
        if not is_empty(landing_squares(game, side, WATER, view, lifted)):
            tiles = either(tiles, only(square))
    return tiles


# -- shift and slide (P6, P8) --------------------------------------------------------------------


@kernel
def shift_spans(game, side, view, square):
    """Where the tile on ``square`` may shift, or slide, as spans; ``HERE`` is staying there."""
    kind = game["tile"][square] // 4
    steps = game["left"] if game["phase"] == SLIDE else RANGE[kind]
    if steps == 0:
        return ZERO
    if CARE[kind]:
        return careful_spans(game, side, view, square, steps)
    ways = less(less(empty_squares(game), BLACKS), deadly(view, 0))
    return walk(square, steps, ways) | HERE


@kernel
def careful_spans(game, side, view, square, steps):
    """``shift_spans`` of a tile that others of its side depend on."""
    kind = game["tile"][square] // 4
    lifted = lift_off(game, view, square)
    exposed, brittle = perils(kind, lifted)
    lost = deadly(lifted, kind == FIRE)
    goals = walk(square, steps, less(less(empty_squares(game), BLACKS), lost))
    stay = ZERO if holds(lost, square) else HERE
    if is_empty(either(exposed, brittle)):
        return goals | stay
    turning = DIRECTIONAL[kind] and game["phase"] != SLIDE  # in place it takes another facing
    barred = 1 + game["tile"][square] % 4 if turning else 0
    sound_here = around(sound_somehow(kind, exposed, brittle, barred), square)
    return stay & sound_here | goals & around(sound_somehow(kind, exposed, brittle, 0), square)
