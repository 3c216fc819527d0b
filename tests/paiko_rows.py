"""What rows of Paikō's three games have to keep."""

from __future__ import annotations

from paiko_env.threat import look
from tabletop_env.batch import Batch


def assert_looked(games: Batch, row: int = 0) -> None:
    """The row says what a look at its board, from scratch, finds."""
    again = games.state[row].copy()
    again["stacks"] = 0
    look(again)
    assert (again["stacks"] == games.state[row]["stacks"]).all()
