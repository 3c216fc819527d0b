"""What a seat may see (S8), as a vector of int8.

A block of features about the whole table, then a block for each seat, the observer's first and the
others clockwise. The form ``padded`` has blocks for eight seats at any player count, the surplus ones
all zero, so that one network can play at every table.
"""

from __future__ import annotations

import numpy as np

from shikoku_env.rules import CARDS, MAX_PLAYERS, MIN_PLAYERS, TOP, most_rounds
from shikoku_env.state import PLAY, SETUP, TAKE
from tabletop_env.bits import ZERO, lowest, popcount, without_lowest
from tabletop_env.kernel import kernel
from tabletop_env.layout import Block, Layout

MAX_ROUNDS = max(most_rounds(players) for players in range(MIN_PLAYERS, MAX_PLAYERS + 1)) - 1
"""The most that are finished before the last: 50, of five pilgrims."""

TABLE = Layout(
    [
        Block("playing", 1, "the phase is play"),
        Block("taking", 1, "the phase is take"),
        Block("round", 1, "rounds finished", high=MAX_ROUNDS),
        Block("deck", 1, "cards in the deck", high=CARDS),
        Block("players", 1, "number of players", high=MAX_PLAYERS),
        Block("hand", CARDS, "own hand, a number a card"),
        Block("removed", CARDS, "cards out of the game"),
    ]
)

SEAT = Layout(
    [
        Block("step", 1, "step of the pilgrim", high=TOP),
        Block("place", 1, "place in the turn order of the phase, from 1", high=MAX_PLAYERS),
        Block("to_act", 1, "it is this seat's move"),
        Block("drew", 1, "drew from the deck in the take phase under way"),
        Block("hidden", 1, "cards in hand that the others have not seen", high=CARDS),
        Block("row", CARDS, "card played in this round"),
        Block("previous_row", CARDS, "card of the previous row, until it is taken"),
        Block("known", CARDS, "cards in hand that all have seen being taken"),
    ]
)

_PLAYING, _TAKING, _ROUND, _DECK = TABLE.starts("playing", "taking", "round", "deck")
_PLAYERS, _HAND, _REMOVED = TABLE.starts("players", "hand", "removed")
_STEP, _PLACE, _TO_ACT, _DREW = SEAT.starts("step", "place", "to_act", "drew")
_HIDDEN, _ROW, _PREVIOUS_ROW, _KNOWN = SEAT.starts("hidden", "row", "previous_row", "known")
_TABLE_SIZE, _SEAT_SIZE = TABLE.size, SEAT.size


def layout(seats: int) -> Layout:
    """The blocks of an observation with blocks for ``seats`` seats; ``seat0`` is the observer."""
    of_seats = (
        Block(f"seat{seat}_{block.name}", block.size, block.about, block.high, block.low)
        for seat in range(seats)
        for block in SEAT
    )
    return Layout([*TABLE, *of_seats])


@kernel
def write_observation(game, observer, out):
    """Fill ``out``: (71 + 104 * seats,) int8, with blocks for ``players`` seats or more.

    The loops over cards stand here in full: handing ``out`` to a kernel of their own, for three cards
    at a time, would take longer than the loops.
    """
    out[:] = 0
    players = np.int64(game["players"])
    out[_PLAYING] = game["phase"] == PLAY
    out[_TAKING] = game["phase"] == TAKE
    out[_ROUND] = min(game["turn"], MAX_ROUNDS)
    out[_DECK] = popcount(game["deck"])
    out[_PLAYERS] = players
    for start, cards in ((_HAND, game["hands"][observer]), (_REMOVED, game["removed"])):
        while cards != ZERO:
            out[start + lowest(cards)] = 1
            cards = without_lowest(cards)
    for seat in range(players):
        at = seat_block(seat, observer, players)
        known = game["known"][seat]
        out[at + _STEP] = game["steps"][seat]
        out[at + _TO_ACT] = game["seat"] == seat
        out[at + _HIDDEN] = popcount(game["hands"][seat] & ~known)
        while known != ZERO:
            out[at + _KNOWN + lowest(known)] = 1
            known = without_lowest(known)
    for start, cards in ((_ROW, game["row"]), (_PREVIOUS_ROW, game["previous_row"])):
        while cards != ZERO:
            card = lowest(cards)
            out[seat_block(game["owner"][card], observer, players) + start + card] = 1
            cards = without_lowest(cards)
    if game["phase"] != SETUP:  # before, there is no turn order
        for place in range(players):
            at = seat_block(game["order"][place], observer, players)
            out[at + _PLACE] = place + 1
            out[at + _DREW] = place == players - 1 and game["drew"] != 0


@kernel
def seat_block(seat, observer, players):
    """Where the block of ``seat`` begins."""
    offset = np.int64(seat) - observer
    if offset < 0:  # a remainder would take longer
        offset += players
    return _TABLE_SIZE + _SEAT_SIZE * offset
