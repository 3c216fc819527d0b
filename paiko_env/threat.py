"""Threat and cover of the whole board, from scratch (P2).

Counts are kept as *thermometers*, one set of squares for each step: ``one`` holds the squares that are
threatened once or more, ``two`` twice or more, and so on. Nothing takes more than three threats; a
fourth step is there so that one tile can be taken off again.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from paiko_env.board import HALF, HOME
from paiko_env.heroes import any_hero, heroes_of, self_cover, shelter
from paiko_env.squares import NONE, at, both, either, less, only
from paiko_env.tiles import COVER, FIRE, THREAT
from tabletop_env.bits import ZERO, lowest, without_lowest
from tabletop_env.kernel import kernel

Squares = Any
"""A pair of uint64 words."""


class Survey(NamedTuple):
    """The board as one side has to reckon with it."""

    own: Squares
    """its tiles"""
    one: Squares
    """threatened by one tile or more: the other side's, and its own Fires"""
    two: Squares
    three: Squares
    four: Squares
    """so that three is known even with one of its Fires less"""
    cover: Squares
    """in cover"""
    twice: Squares
    """in cover from two of its tiles, or by its homeground, so that one tile less does not matter"""
    reach: Squares
    """threatened by a tile of its own that is no Fire"""


@kernel
def tiles_of(game, side):
    return at(game["sides"], side)


@kernel
def tiles_like(game, kind):
    return at(game["kinds"], kind)


@kernel
def threat_by(code, square):
    return THREAT[code, square, 0], THREAT[code, square, 1]


@kernel
def cover_by(code, square):
    return COVER[code, square, 0], COVER[code, square, 1]


@kernel
def awake(game, tiles):
    """Those of the tiles that are not busy: only they give threat and cover (R5)."""
    return less(tiles, (game["busy"][0], game["busy"][1]))


@kernel
def against(game, side):
    """The tiles that threaten ``side``: the other side's, and its own Fires but a hero (P2, R10)."""
    fires = both(tiles_of(game, side), tiles_like(game, FIRE))
    return either(tiles_of(game, 1 - side), less(fires, heroes_of(game)))


@kernel
def stack_threat(game, tiles):
    """How many of ``tiles`` threaten each square: a thermometer."""
    one, two, three, four = NONE, NONE, NONE, NONE
    for half in range(2):
        word = tiles[half]
        while word != ZERO:
            square = HALF * half + lowest(word)
            word = without_lowest(word)
            hit = threat_by(game["tile"][square], square)
            four = either(four, both(three, hit))
            three = either(three, both(two, hit))
            two = either(two, both(one, hit))
            one = either(one, hit)
    return one, two, three, four


@kernel
def stack_cover(game, side):
    """Squares in cover, in cover twice, and threatened, of the tiles of ``side`` that are no Fires."""
    cover = twice = at(HOME, side)
    reach = NONE
    tiles = less(awake(game, tiles_of(game, side)), tiles_like(game, FIRE))
    for half in range(2):
        word = tiles[half]
        while word != ZERO:
            square = HALF * half + lowest(word)
            word = without_lowest(word)
            code = game["tile"][square]
            shade = cover_by(code, square)
            twice = either(twice, both(cover, shade))
            cover = either(cover, shade)
            reach = either(reach, threat_by(code, square))
    return cover, twice, reach


@kernel
def survey(game, side):
    one, two, three, four = stack_threat(game, awake(game, against(game, side)))
    cover, twice, reach = stack_cover(game, side)
    view = Survey(tiles_of(game, side), one, two, three, four, cover, twice, reach)
    return with_heroes(game, side, view) if any_hero(game) else view


@kernel
def with_heroes(game, side, view):
    """The survey with what the side's heroes do for it (R10).

    Where no tile of the side can be captured, more than one threat counts as one.
    """
    itself, safe = self_cover(game, side), shelter(game, side)
    return Survey(
        view.own,
        view.one,
        less(view.two, safe),
        less(view.three, safe),
        less(view.four, safe),
        either(view.cover, itself),
        either(view.twice, both(view.cover, itself)),
        view.reach,
    )


@kernel
def lift_off(game, view, square):
    """The survey if the side's tile on ``square`` were lifted off the board.

    ``reach`` stays: what it is good for, deploying, is judged with the tile still there (P9).
    """
    code = game["tile"][square]
    shade = cover_by(code, square)
    heat = threat_by(code, square) if code // 4 == FIRE else NONE
    return Survey(
        less(view.own, only(square)),
        either(less(view.one, heat), view.two),
        either(less(view.two, heat), view.three),
        either(less(view.three, heat), view.four),
        view.four,
        either(less(view.cover, shade), view.twice),
        view.twice,
        view.reach,
    )


@kernel
def capturable(view):
    """The side's tiles that three threats, or two out of cover, take (P2)."""
    return both(view.own, deadly(view, 0))


@kernel
def falling(game, side):
    """Tiles of ``side`` that are capturable as the board stands."""
    return capturable(survey(game, side))


@kernel
def deadly(view, extra):
    """Squares whose threat would capture a tile of the side, were it ``extra`` more (0 or 1)."""
    if extra:
        return either(view.two, less(view.one, view.cover))
    return either(view.three, less(view.two, view.cover))
