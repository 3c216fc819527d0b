"""Threat and cover of a position, for pictures: read off the survey that the rules themselves use."""

from __future__ import annotations

from typing import Any

from paiko_env.board import NAMES, SIDES, members
from paiko_env.threat import survey
from tabletop_env.game import Row


def survey_side(row: Row, side: str) -> dict[str, Any]:
    """What ``picture.draw`` takes as ``overlay``: how much threat a side's tiles would meet on each
    square (3 stands for more, too), and where they are in cover (P2).
    """
    view = survey(row, SIDES.index(side))
    threat: dict[str, int] = {}
    for count, squares in enumerate((view.one, view.two, view.three), start=1):
        threat |= {NAMES[square]: count for square in members(squares)}
    cover = [NAMES[square] for square in members(view.cover)]
    return {"side": side, "threat": threat, "cover": cover}
