"""Ronin's chance events (R2-R4).

Outcomes are numbered: a tile of each type, in the order SBEFWILA, then the Blacks who may get the token.
"""

from __future__ import annotations

from paiko_env.board import WHITE
from paiko_env.ronin_menu import side_of
from paiko_env.state import BASE, MAX_PLAYERS, TOKEN
from paiko_env.tiles import KINDS
from tabletop_env.kernel import kernel
from tabletop_env.rng import chance_below

FIRST_TOKEN = KINDS
"""Number of the outcome that ``black_0`` gets the token."""
NUM_OUTCOMES = FIRST_TOKEN + MAX_PLAYERS - 1

# -- who, what -----------------------------------------------------------------------------------


@kernel
def token_seat(outcome):
    return 1 + outcome - FIRST_TOKEN


@kernel
def next_drawer(game):
    """Who draws after the seat that has just drawn: Blacks from the token on, then nobody, 0."""
    seat = game["actor"]
    if seat == 0:
        return game["token"]
    seat = seat + 1 if seat + 1 < game["players"] else 1
    return 0 if seat == game["token"] else seat


@kernel
def pile_of(game):
    """The colour of the reserve that a base or a tile is drawn from."""
    return WHITE if game["due"] == BASE else side_of(game["actor"])


@kernel
def size(counts):
    """How many tiles there are."""
    tiles = 0
    for kind in range(KINDS):
        tiles += counts[kind]
    return tiles


@kernel
def kind_at(counts, place):
    """The kind of the tile in a place, if tiles lie in order of their kinds; ``place`` is from 0."""
    kind = 0
    while place >= counts[kind]:
        place -= counts[kind]
        kind += 1
    return kind


# -- the event due -------------------------------------------------------------------------------


@kernel
def write_chance(game, probabilities):
    """Every tile of the reserve is equally likely, and so is every Black."""
    probabilities[:] = 0
    if game["due"] == TOKEN:
        blacks = game["players"] - 1
        for black in range(blacks):
            probabilities[FIRST_TOKEN + black] = 1.0 / blacks
        return
    reserve = game["reserves"][pile_of(game)]
    for kind in range(KINDS):
        probabilities[kind] = reserve[kind] / size(reserve)


@kernel
def sample_chance(game):
    if game["due"] == TOKEN:
        return FIRST_TOKEN + chance_below(game, game["players"] - 1)
    reserve = game["reserves"][pile_of(game)]
    return kind_at(reserve, chance_below(game, size(reserve)))


# -- hands ----------------------------------------------------------------------------------------


@kernel
def put_back(game, seat):
    """A hand goes back to its colour's reserve."""
    for kind in range(KINDS):
        game["reserves"][side_of(seat), kind] += game["hands"][seat, kind]
        game["hands"][seat, kind] = 0
