"""How good a position is at first sight: points, then captures, then threat."""

from __future__ import annotations

import math

from paiko_env.board import BLACK, WHITE
from paiko_env.squares import both, count
from paiko_env.state import OVER
from paiko_env.threat import survey
from paiko_env.turn import points
from tabletop_env.kernel import kernel

WON = 1e9
LEAD, BALANCE = 5, 8
"""Points and captures ahead that stand for a return of three quarters in a search."""
POINT, CAPTURE, THREATENED, REACH = 1e5, 1e4, 10.0, 1.0


@kernel
def score(game, seat):
    """For the game for two: what the side of ``seat`` has over the other."""
    side = seat
    if game["phase"] == OVER and game["winner"]:
        return WON if game["winner"] == 1 + side else -WON
    other = 1 - side
    lead = points(game, side) - points(game, other)
    captures = game["lost"][other] - game["lost"][side]
    facing = survey(game, other)  # the other side, as it has to reckon with ours
    threatened = count(both(facing.own, facing.one)) + 2 * count(both(facing.own, facing.two))
    return POINT * lead + CAPTURE * captures + THREATENED * threatened + REACH * count(facing.one)


@kernel
def estimate(game, returns):
    """For the game for two: what each side may expect by its lead in points and captures."""
    lead = points(game, WHITE) - points(game, BLACK)
    captures = game["lost"][BLACK] - game["lost"][WHITE]
    returns[WHITE] = math.tanh(lead / LEAD + captures / BALANCE)
    returns[BLACK] = -returns[WHITE]
