"""How good a position of Ronin is at first sight, from either side: ``greedy`` for rounds and teams.

Tiles act and capture at the end of a round only, so the position is judged as if all tiles woke now. The
board is public: nothing that the seat cannot see is looked at.
"""

from __future__ import annotations

import math

from paiko_env.board import BLACK, WHITE
from paiko_env.capture import capture
from paiko_env.greedy import BALANCE, LEAD, WON
from paiko_env.greedy import score as score_of_side
from paiko_env.ronin_menu import side_of
from paiko_env.state import OVER
from paiko_env.threat import look
from paiko_env.turn import points
from tabletop_env.bits import ZERO
from tabletop_env.kernel import kernel


@kernel
def score(game, seat):
    """For Ronin, whoever asks; ``game`` is a copy to be used up."""
    side = side_of(seat)
    if game["phase"] == OVER and game["winner"]:
        return WON if game["winner"] == 1 + side else -WON
    game["busy"][:] = ZERO
    look(game)
    capture(game, BLACK)
    capture(game, WHITE)
    return score_of_side(game, side)


@kernel
def estimate(game, returns):
    """What each seat may expect by its side's lead in points and captures; for search."""
    lead = points(game, BLACK) - points(game, WHITE)
    captures = game["lost"][WHITE] - game["lost"][BLACK]
    black = math.tanh(lead / LEAD + captures / BALANCE)
    for seat in range(game["players"]):
        returns[seat] = black if seat else -black
