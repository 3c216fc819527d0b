"""What a hero gives its side, and takes from the other (R10).

A side has at most one hero of a kind on the board, and a busy hero has no ability (R5). Sets of hero
squares therefore have one member or none. Whoever asks for an ability first asks whether there is
``any_hero``: games without heroes pay for no more than that.

Fires among heroes are also left out of what threatens their own side, in ``threat.stack_sides``.
"""

from __future__ import annotations

from typing import NamedTuple

from paiko_env.squares import NONE, Squares, at, both, either, first, holds, is_empty, less, only
from paiko_env.tiles import (
    AIR,
    BOW,
    COVER,
    EARTH,
    FIRE,
    KINDS,
    LOTUS,
    RANGE,
    SAI,
    SLIDE,
    SWORD,
    THREAT,
    WATER,
)
from tabletop_env.bits import ZERO, bit
from tabletop_env.kernel import kernel

AIR_RANGE = 2
"""Steps that a hero Air shifts."""


class Gifts(NamedTuple):
    """Squares on which heroes change what a side may do with its tiles."""

    hot: Squares
    """threatened by its own Fire: it may not deploy there"""
    locked: Squares
    """threatened by the enemy's Sword: it may not shift from, to or through"""
    flow: Squares
    """threatened or covered by its own Water: tiles there may be redeployed"""


NO_GIFTS = Gifts(NONE, NONE, NONE)

# -- who is a hero -------------------------------------------------------------------------------


@kernel
def heroes_of(game):
    """All heroes on the board, of both sides."""
    return game["heroes"][0], game["heroes"][1]


@kernel
def any_hero(game):
    return (game["heroes"][0] | game["heroes"][1]) != ZERO


@kernel
def hero_of(game, side, kind):
    """The square of a side's hero of a kind, busy or not."""
    return both(heroes_of(game), both(at(game["sides"], side), at(game["kinds"], kind)))


@kernel
def able(game, side, kind):
    """The same, if it is not busy (R5)."""
    return less(hero_of(game, side, kind), (game["busy"][0], game["busy"][1]))


@kernel
def hero_kinds(game, side):
    """Kinds of which a side has a hero on the board, as bits."""
    kinds = ZERO
    for kind in range(KINDS):
        if not is_empty(hero_of(game, side, kind)):
            kinds |= bit(kind)
    return kinds


@kernel
def make_hero(game, square):
    """The tile on a square is a hero."""
    here = only(square)
    game["heroes"][0] |= here[0]
    game["heroes"][1] |= here[1]


@kernel
def move_hero(game, start, goal):
    """The tile that stood on ``start`` stands on ``goal`` now; if it is a hero, so does its mark."""
    if holds(heroes_of(game), start):
        game["heroes"][0], game["heroes"][1] = less(heroes_of(game), only(start))
        make_hero(game, goal)


@kernel
def pattern_of(game, table, hero):
    """What a hero, if there is one, threatens or covers: ``table`` is THREAT or COVER."""
    if is_empty(hero):
        return NONE
    square = first(hero)
    code = game["tile"][square]
    return table[code, square, 0], table[code, square, 1]


# -- what they give ------------------------------------------------------------------------------


@kernel
def self_cover(game, side):
    """The square of a hero Earth, which covers itself."""
    return able(game, side, EARTH)


@kernel
def shelter(game, side):
    """Squares where a side's tiles cannot be captured: around its hero Lotus, which itself can."""
    lotus = able(game, side, LOTUS)
    return less(pattern_of(game, COVER, lotus), lotus)


@kernel
def launch(game, side):
    """Squares from which a tile just set down may slide: those that a side's hero Sai threatens."""
    return pattern_of(game, THREAT, able(game, side, SAI))


@kernel
def gifts_of(game, side):
    if not any_hero(game):
        return NO_GIFTS
    water = able(game, side, WATER)
    return Gifts(
        pattern_of(game, THREAT, able(game, side, FIRE)),
        pattern_of(game, THREAT, able(game, 1 - side, SWORD)),
        either(pattern_of(game, THREAT, water), pattern_of(game, COVER, water)),
    )


@kernel
def redeployable(game, side, gifts):
    """Squares whose tiles have the gift of being redeployed, if they are the side's (P9)."""
    waters = at(game["kinds"], WATER)
    if not any_hero(game):
        return waters
    return either(waters, either(hero_of(game, side, BOW), gifts.flow))


@kernel
def range_of(game, square):
    """Steps that the tile on a square may shift."""
    kind = game["tile"][square] // 4
    if kind == AIR and holds(heroes_of(game), square):
        return AIR_RANGE
    return RANGE[kind]


@kernel
def slide_range(game, side, square):
    """Steps that the tile just set down on a square may slide (P8)."""
    if any_hero(game) and holds(launch(game, side), square):
        return range_of(game, square)
    return SLIDE[game["tile"][square] // 4]
