"""The data dictionary of Shikoku: what one row holds, in which unit, and who may see it (S8).

Sets of cards are uint64, card c being bit c - 1. Arrays by seat are sized for eight seats; the
entries from ``players`` on stay zero. The header fields stand in ``tabletop_env.game.row_dtype``.
"""

from __future__ import annotations

import numpy as np

from shikoku_env.rules import CARDS, MAX_PLAYERS
from tabletop_env.game import row_dtype

SETUP, PLAY, TAKE, OVER = range(4)
PHASES = ("setup", "play", "take", "over")

ROW = row_dtype(
    [
        # private: a seat sees its own hand
        ("hands", np.uint64, (MAX_PLAYERS,)),  # cards in each hand
        # public
        ("known", np.uint64, (MAX_PLAYERS,)),  # those of them that all saw being taken from a row
        ("row", np.uint64),  # mantra row of the round under way
        ("previous_row", np.uint64),  # mantra row of the round before; round 0: the setup row
        ("removed", np.uint64),  # cards out of the game
        # nobody sees which cards these are; their number is public
        ("deck", np.uint64),
        # public
        ("owner", np.int8, (CARDS,)),  # seat whose pilgrim stands on a card of either row
        ("step_table", np.int8, (CARDS,)),  # walking icons of each card: an option, not a state
        ("steps", np.int8, (MAX_PLAYERS,)),  # step of each pilgrim, 1..33
        ("order", np.int8, (MAX_PLAYERS,)),  # seats in the turn order of the phase under way
        ("turn", np.int16),  # round, from 0
        ("place", np.int8),  # how many seats have acted in this phase
        ("phase", np.uint8),  # SETUP, PLAY, TAKE or OVER
        ("drew", np.uint8),  # 1 while taking, if the last seat drew from the deck this round
    ]
)
