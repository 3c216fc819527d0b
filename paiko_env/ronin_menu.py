"""Ronin's menu: the choices of the seat to act by block, written out or one at random; as in ``menu``."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from paiko_env.actions import FACING, LIFT, STOP, TYPE, deploy_number, first_shift
from paiko_env.board import BLACK, HALF, WHITE
from paiko_env.busy import (
    Field,
    careful_spans,
    field_of,
    free_spans,
    giving,
    liftable,
    may_go_back,
    mobile,
    places,
)
from paiko_env.heroes import NO_GIFTS, hero_kinds, hero_of, heroes_of
from paiko_env.menu import NO_SURVEY, clear, drawn, offer, stock, write_spans, write_squares
from paiko_env.moves import rested
from paiko_env.ronin_actions import BACK, CHOOSE, hero_deploy_number
from paiko_env.squares import NONE, both, count, is_empty, less, only
from paiko_env.state import ACTION, HERO, PLACE, SLIDE
from paiko_env.tiles import KINDS, LOTUS
from tabletop_env.bits import ONE, ZERO, bit, has, lowest, nth, popcount, without_lowest
from tabletop_env.kernel import kernel
from tabletop_env.rng import choice_below

WHITE_HEROES = 4
"""R4: White has no more on the board."""
HERO_PRICE = 2
"""R4: actions that White pays for one."""

NO_FIELD = Field(0, NO_SURVEY, NO_GIFTS, NONE, NONE, NONE, NONE, NONE)


class RoninMenu(NamedTuple):
    """What the seat to act may choose from; sets of kinds and facings are bits of a uint64."""

    heroes: Any
    """kinds to choose as the own hero"""
    stop: Any
    """1 if it may pass"""
    back: Any
    """1 if it may take its hero back"""
    facings: Any
    deployable: Any
    """kinds to set down"""
    as_heroes: Any
    """kinds to set down as heroes"""
    free: Any
    """tiles to shift or slide, as ``free_spans`` says"""
    careful: Any
    """tiles to shift, as ``careful_spans`` says"""
    lifts: Any
    field: Field


@kernel
def side_of(seat):
    """Seats from 1 on are Black's (R1)."""
    return WHITE if seat == 0 else BLACK


@kernel
def own_hero(game, seat):
    """The kind of a Black's hero, -1 if it has none."""
    return np.int64(game["hero"][seat]) - 1  # without the compiler, too, where 0 - 1 is 255


@kernel
def ronin_menu(game):
    """What the seat to act may choose from, by the phase."""
    phase = game["phase"]
    if phase == HERO:
        return RoninMenu(
            free_heroes(game), ZERO, ZERO, ZERO, ZERO, ZERO, NONE, NONE, NONE, NO_FIELD
        )
    field = field_of(game, side_of(game["seat"]))
    square = game["at"]
    if phase == ACTION:
        return action_menu(game, field)
    if phase == SLIDE:
        return RoninMenu(ZERO, ZERO, ZERO, ZERO, ZERO, ZERO, only(square), NONE, NONE, field)
    if phase == PLACE:
        return place_menu(game, field)
    facings = ZERO
    if is_empty(field.exposed):
        barred = game["barred"]
        facings = bit(4) - ONE
        facings &= ~(bit(barred - 1) if barred else ZERO)
    return RoninMenu(ZERO, ZERO, ZERO, facings, ZERO, ZERO, NONE, NONE, NONE, field)


@kernel
def free_heroes(game):
    """Kinds that no other Black has, if White has a tile for the base (R2)."""
    taken = ZERO
    for seat in range(1, game["players"]):
        if game["hero"][seat]:
            taken |= bit(own_hero(game, seat))
    if stock(game["reserves"][WHITE]) == ZERO:
        return ZERO
    return stock(game["reserves"][BLACK]) & ~taken


@kernel
def action_menu(game, field):
    """The actions of R4."""
    seat, side = game["seat"], field.side
    movers = less(rested(game, touchable(game, seat)), field.gifts.locked)
    lifts = liftable(game, field, movers)
    as_heroes, back = ZERO, ZERO
    if side == WHITE:
        as_heroes = white_heroes(game)
    elif own_hero(game, seat) >= 0:
        kind = own_hero(game, seat)
        if is_empty(hero_of(game, BLACK, kind)):
            as_heroes = bit(kind)
        elif may_go_back(game, field, kind):
            back = ONE
    deployable = stock(game["hands"][seat])
    movers = both(movers, mobile(game))
    free, careful = less(movers, giving(game)), both(movers, giving(game))
    return RoninMenu(ZERO, ONE, back, ZERO, deployable, as_heroes, free, careful, lifts, field)


@kernel
def touchable(game, seat):
    """Tiles that a seat may shift: all of its side but another Black's hero (R4)."""
    tiles = game["sides"][side_of(seat), 0], game["sides"][side_of(seat), 1]
    if seat == 0:
        return tiles
    others = both(tiles, heroes_of(game))
    if own_hero(game, seat) >= 0:
        others = less(others, hero_of(game, BLACK, own_hero(game, seat)))
    return less(tiles, others)


@kernel
def white_heroes(game):
    """Kinds of White's hand that it may deploy as heroes (R4)."""
    there = hero_kinds(game, WHITE)
    if game["actions_left"] < HERO_PRICE or popcount(there) >= WHITE_HEROES:
        return ZERO
    if stock(game["reserves"][WHITE]) == ZERO:
        return ZERO
    return stock(game["hands"][0]) & ~there


@kernel
def place_menu(game, field):
    """Where the lifted tile may be set down; a hero goes by the numbers of heroes."""
    square = game["at"]
    squares = places(game, field, square)
    field = Field(
        field.side,
        field.standing,
        field.gifts,
        field.empty,
        field.exposed,
        field.ways,
        squares,
        squares,
    )
    kind = bit(game["tile"][square] // 4)
    hero = not is_empty(both(heroes_of(game), only(square)))
    plain = ZERO if hero else kind
    return RoninMenu(ZERO, ZERO, ZERO, ZERO, plain, kind if hero else ZERO, NONE, NONE, NONE, field)


@kernel
def landing_of(field, kind):
    return field.lotus if kind == LOTUS else field.landing


@kernel
def sample_ronin(game, menu):
    """One of the choices, each equally likely: one walk through the menu, as in ``menu.sample_choice``."""
    if menu.heroes != ZERO:
        return CHOOSE + nth(menu.heroes, choice_below(game, popcount(menu.heroes)))
    small = menu.stop << np.uint64(STOP) | menu.facings << np.uint64(FACING), ZERO
    draw = offer(game, (small, TYPE, count(small)), (menu.back, ZERO), BACK)
    for heroic in range(2):
        kinds = menu.as_heroes if heroic else menu.deployable
        while kinds != ZERO:
            kind = lowest(kinds)
            kinds = without_lowest(kinds)
            number = hero_deploy_number(kind, 0) if heroic else deploy_number(kind, 0)
            draw = offer(game, draw, landing_of(menu.field, kind), number)
    for half in range(2):
        tiles = menu.free[half]
        while tiles != ZERO:
            square = HALF * half + lowest(tiles)
            tiles = without_lowest(tiles)
            spans = free_spans(game, menu.field, square)
            draw = offer(game, draw, (spans, ZERO), first_shift(square))
        tiles = menu.careful[half]
        while tiles != ZERO:
            square = HALF * half + lowest(tiles)
            tiles = without_lowest(tiles)
            spans = careful_spans(game, menu.field, square)
            draw = offer(game, draw, (spans, ZERO), first_shift(square))
    return drawn(game, offer(game, draw, menu.lifts, LIFT))


@kernel
def write_ronin(game, menu, mask):
    """Set every entry of ``mask`` (A,) bool."""
    clear(mask)
    for kind in range(KINDS):
        mask[CHOOSE + kind] = has(menu.heroes, kind)
    for facing in range(4):
        mask[FACING + facing] = has(menu.facings, facing)
    mask[STOP] = menu.stop != ZERO
    mask[BACK] = menu.back != ZERO
    for heroic in range(2):
        kinds = menu.as_heroes if heroic else menu.deployable
        while kinds != ZERO:
            kind = lowest(kinds)
            kinds = without_lowest(kinds)
            number = hero_deploy_number(kind, 0) if heroic else deploy_number(kind, 0)
            write_squares(mask, number, landing_of(menu.field, kind))
    for half in range(2):
        tiles = menu.free[half]
        while tiles != ZERO:
            square = HALF * half + lowest(tiles)
            tiles = without_lowest(tiles)
            write_spans(mask, square, free_spans(game, menu.field, square))
        tiles = menu.careful[half]
        while tiles != ZERO:
            square = HALF * half + lowest(tiles)
            tiles = without_lowest(tiles)
            write_spans(mask, square, careful_spans(game, menu.field, square))
    write_squares(mask, LIFT, menu.lifts)
