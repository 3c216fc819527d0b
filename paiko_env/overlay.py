"""Threat and cover of a position, for pictures and words: read off the sets that the rules themselves use."""

from __future__ import annotations

from typing import Any

from paiko_env.board import NAMES, RED, SIDES, members
from paiko_env.red import face_up, shielded
from paiko_env.threat import stack_threat, survey
from tabletop_env.game import Row


def survey_side(row: Row, side: str) -> dict[str, Any]:
    """What ``picture.draw`` takes as ``overlay``: how much threat a side's tiles would meet on each
    square (3 stands for more, too), and where they are in cover (P2).

    For Red, ``"r"``, the threat is that of both colours' tiles (V3), and ``cover`` holds the squares that
    their cover patterns reach, where it may neither lay nor raise a corpse (V4).
    """
    if side == SIDES[RED]:
        steps, covered = stack_threat(row, face_up(row))[:3], shielded(row)
    else:
        view = survey(row, SIDES.index(side))
        steps, covered = (view.one, view.two, view.three), view.cover
    threat: dict[str, int] = {}
    for count, squares in enumerate(steps, start=1):
        threat |= {NAMES[square]: count for square in members(squares)}
    return {"side": side, "threat": threat, "cover": [NAMES[square] for square in members(covered)]}
