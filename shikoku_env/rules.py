"""The numbers of Shikoku, each with its source (rulebook, or ruling S1-S8)."""

from __future__ import annotations

import numpy as np

CARDS = 33
"""Mantra cards, numbered 1..33 (rulebook). Card c is bit c - 1 of a set, and action c - 1."""
TOP = 33
"""The pagoda's step; pilgrims begin on step 1 (rulebook)."""
MIN_PLAYERS, MAX_PLAYERS = 3, 8
"""S2."""
DEALT = 3
"""Cards dealt to each hand, and held at the start of a round (rulebook); in setup one more a seat is
revealed (S3)."""
TWO_SIDED = 5
"""From so many players on, the second place from the end counts too (S4, S6)."""
MAX_ICONS = 32
"""The most walking icons that a step table may give a card (S1)."""

ALL_CARDS = np.uint64((1 << CARDS) - 1)

STAND_IN_TABLE = tuple(1 + (card - 1) % 6 for card in range(1, CARDS + 1))
"""Walking icons of cards 1..33 (S1): a stand-in, since no public text lists the printed ones."""


def most_rounds(players: int) -> int:
    """Rounds that no game exceeds, whatever the step table.

    A pilgrim climbs a step or more whenever it climbs: everyone in setup (S3), and in each round all but
    the one or two held back (S4). Nobody stands on the pagoda before the last round, so that the steps'
    sum grows from 2 or more a pilgrim to 32 or less in the rounds before.
    """
    climbers = players - (2 if players >= TWO_SIDED else 1)
    return 1 + players * (TOP - 1 - 2) // climbers


def check_step_table(table: object) -> list[int]:
    """A step table as a list of 33 ints in 1..32 (S1); ``ValueError`` otherwise."""
    if isinstance(table, np.ndarray):
        table = table.tolist()
    if not isinstance(table, list | tuple) or len(table) != CARDS:
        raise ValueError(f"step_table is {table!r}, expected {CARDS} integers, one a card")
    for card, icons in enumerate(table, start=1):
        if isinstance(icons, bool) or not isinstance(icons, int | np.integer):
            raise ValueError(f"step_table gives card {card} {icons!r}, expected an integer")
        if not 1 <= icons <= MAX_ICONS:
            raise ValueError(f"step_table gives card {card} {icons}, expected 1..{MAX_ICONS}")
    return [int(icons) for icons in table]
