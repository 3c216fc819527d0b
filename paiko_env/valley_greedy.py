"""How good a position of the Valley is at first sight.

To White and Black: what ``greedy`` says of one against the other, less Red's zombies. To Red: zombies,
what may become one, and that neither colour runs away.
"""

from __future__ import annotations

import math

from paiko_env.board import BLACK, RED, WHITE
from paiko_env.greedy import WON
from paiko_env.greedy import score as score_of_colour
from paiko_env.red import around_pieces, corpses_of, face_up, zombies_of
from paiko_env.squares import both, count
from paiko_env.state import OVER
from paiko_env.threat import stack_threat, tiles_of
from paiko_env.turn import points
from paiko_env.valley import LEAD, POINTS, RED_WINS, has_won
from tabletop_env.kernel import kernel

LOST_ZOMBIE = 3e4
"""To White and Black, each zombie on the board."""
ZOMBIE, CORPSE = 1e5, 1e3
BETWEEN_ZOMBIES, BETWEEN_PIECES, BESIDE_PIECE = 4e4, 2e3, 5e2
"""To Red, each tile that stands so."""
RISK, GAP, ABOUT_TO_WIN = 2e4, 5e3, 1e7
"""To Red, each piece that one more tile would capture; each point between the colours; a colour that wins
unless it is stopped."""


@kernel
def score(game, seat):
    """For the Valley, whoever asks."""
    if game["phase"] == OVER and game["winner"] == 1 + seat:
        return WON
    if seat == RED:
        return score_of_red(game)
    return score_of_colour(game, seat) - LOST_ZOMBIE * count(zombies_of(game))


@kernel
def score_of_red(game):
    """Zombies, prospects and dangers, as the numbers above weigh them."""
    tiles, zombies, pieces = face_up(game), zombies_of(game), tiles_of(game, RED)
    _, grip = around_pieces(zombies)
    near, between = around_pieces(pieces)
    endangered = both(pieces, stack_threat(game, tiles)[1])
    about_to_win = has_won(game, WHITE) or has_won(game, BLACK)
    return (
        ZOMBIE * count(zombies)
        + CORPSE * count(corpses_of(game))
        + BETWEEN_ZOMBIES * count(both(tiles, grip))
        + BETWEEN_PIECES * count(both(tiles, between))
        + BESIDE_PIECE * count(both(tiles, near))
        - RISK * count(endangered)
        - GAP * abs(points(game, WHITE) - points(game, BLACK))
        - ABOUT_TO_WIN * about_to_win
    )


SHARPNESS = 6.0
"""How much likelier the side that is there is to win than one that has not begun: e to this power."""


@kernel
def estimate(game, returns):
    """For the Valley: what each may expect if sides win in proportion to how near they are to it (V9)."""
    white, black = points(game, WHITE), points(game, BLACK)
    together = count(zombies_of(game)) + max(white, black)
    chance_of_white = math.exp(SHARPNESS * min(white / POINTS, (white - black) / LEAD, 1.0))
    chance_of_black = math.exp(SHARPNESS * min(black / POINTS, (black - white) / LEAD, 1.0))
    chance_of_red = math.exp(SHARPNESS * min(together / RED_WINS, 1.0))
    total = chance_of_white + chance_of_black + chance_of_red
    returns[WHITE] = (chance_of_white - chance_of_black) / total
    returns[BLACK] = -returns[WHITE]
    returns[RED] = (2 * chance_of_red - total) / total
