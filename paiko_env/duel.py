"""Paikō for two, in the order in which a game runs; rulings P1-P18.

    start -> pick ... -> begin_turn -> deploy | shift | lift (``turn.act``) | draw | stop
      -> end_action: capture, judge, then reward ... -> end_turn -> begin_turn

Every function is a kernel over one row, called ``game`` here. A seat is its side.
"""

from __future__ import annotations

from paiko_env.actions import STOP
from paiko_env.board import BLACK, WHITE
from paiko_env.capture import capture
from paiko_env.menu import sample_choice, stock, tile_menu, type_menu, write_choices
from paiko_env.state import ACTION, DRAW, OVER, REWARD, SETUP
from paiko_env.threat import look
from paiko_env.tiles import COPIES
from paiko_env.turn import act_and_look, count_shifts, end, finish_turn, points
from tabletop_env.bits import ONE, ZERO
from tabletop_env.kernel import kernel

WHITE_PICKS, BLACK_PICKS, WHITE_LAST_PICKS = 7, 9, 1
"""P16."""
DRAWS = 3
"""P10."""
WIN = 10
"""P13: points that win."""
TIE_LOST, TIE_POINTS = 13, 5
"""P13: a tie if both have lost so many tiles, and have no more points than that."""

# -- setup (P16) ---------------------------------------------------------------------------------


@kernel
def start(game):
    """All tiles in the reserves, White to pick."""
    game["reserves"][:] = COPIES
    game["phase"] = SETUP
    game["left"] = WHITE_PICKS
    game["seat"] = WHITE
    look(game)


@kernel
def pick(game, kind):
    """A tile for the starting hand; White picks, then Black, then White once more."""
    side = game["seat"]
    gain(game, side, kind)
    game["left"] -= 1
    if game["left"]:
        return
    if side == BLACK:
        game["seat"] = WHITE
        game["left"] = WHITE_LAST_PICKS
    elif hand_is_empty(game, BLACK):
        game["seat"] = BLACK
        game["left"] = BLACK_PICKS
    else:
        begin_turn(game)


@kernel
def gain(game, side, kind):
    """A tile goes from the reserve to the hand."""
    game["reserves"][side, kind] -= 1
    game["hands"][side, kind] += 1


@kernel
def hand_is_empty(game, side):
    return stock(game["hands"][side]) == ZERO


# -- a turn --------------------------------------------------------------------------------------


@kernel
def begin_turn(game):
    game["phase"] = ACTION
    game["seat"] = game["turn"] % 2


@kernel
def draw(game, kind):
    """Draw a tile, up to three in a turn (P10)."""
    side = game["seat"]
    game["left"] = (DRAWS if game["phase"] == ACTION else game["left"]) - 1
    game["phase"] = DRAW
    gain(game, side, kind)
    if game["left"] == 0 or stock(game["reserves"][side]) == ZERO:
        end_action(game)


@kernel
def stop(game):
    """Enough drawn (P10), or nothing else to do (P14)."""
    end_action(game)


# -- the end of a turn ---------------------------------------------------------------------------


@kernel
def end_action(game):
    """Count shifts, capture, judge; then the victim chooses the rewards (P7, P11-P14)."""
    side = game["seat"]
    count_shifts(game, side)
    fallen = capture(game, 1 - side)
    judge(game, side)
    if game["phase"] == OVER:
        return
    if fallen and stock(game["reserves"][side]) != ZERO:
        game["phase"] = REWARD
        game["left"] = fallen
        game["seat"] = 1 - side
    else:
        end_turn(game)


@kernel
def judge(game, side):
    """The side that acted wins by points; a tie by losses, or by two forced passes (P13, P14)."""
    own, other = points(game, side), points(game, 1 - side)
    lost = min(game["lost"][WHITE], game["lost"][BLACK])
    if own >= WIN:
        end(game, 1 + side)
    elif (lost >= TIE_LOST and max(own, other) <= TIE_POINTS) or game["passed"] == 2:
        end(game, 0)


@kernel
def reward(game, kind):
    """The captor draws the tile that its victim chose (P12)."""
    captor = 1 - game["seat"]
    gain(game, captor, kind)
    game["left"] -= 1
    if game["left"] == 0 or stock(game["reserves"][captor]) == ZERO:
        end_turn(game)


@kernel
def end_turn(game):
    """The other side's turn, unless the game is cut off here (P15)."""
    game["left"] = 0
    if finish_turn(game):
        begin_turn(game)


@kernel
def write_rewards(game, rewards):
    """+1 for the winner, -1 for the other, 0 for a tie (P17)."""
    for seat in range(2):
        if game["winner"]:
            rewards[seat] = 1 if game["winner"] == 1 + seat else -1
        else:
            rewards[seat] = 0


# -- what the doors ask for ----------------------------------------------------------------------


@kernel
def apply(game, action):
    if game["phase"] == ACTION:
        game["passed"] = game["passed"] + 1 if action == STOP else 0
    if action < STOP:
        take(game, action)
    elif action == STOP:
        stop(game)
    elif act_and_look(game, game["seat"], action):
        end_action(game)


@kernel
def take(game, kind):
    """Pick, choose for the captor, or draw a type, by the phase."""
    if game["phase"] == SETUP:
        pick(game, kind)
    elif game["phase"] == REWARD:
        reward(game, kind)
    else:
        draw(game, kind)


@kernel
def menu_of(game):
    """What the seat to act may choose from."""
    side, phase = game["seat"], game["phase"]
    if phase == SETUP:
        return type_menu(stock(game["reserves"][side]), ZERO)
    if phase == DRAW:
        return type_menu(stock(game["reserves"][side]), ONE)
    if phase == REWARD:
        return type_menu(stock(game["reserves"][1 - side]), ZERO)
    return tile_menu(game, side, stock(game["reserves"][side]))


@kernel
def write_legal(game, mask):
    write_choices(game, menu_of(game), mask)


@kernel
def sample_action(game):
    return sample_choice(game, menu_of(game))


@kernel
def apply_chance(game, outcome):
    """The game for two has no chance."""


@kernel
def write_chance(game, probabilities):
    """No event is ever due."""
    probabilities[:] = 0


@kernel
def sample_chance(game):
    """No event is ever due."""
    return 0


@kernel
def resample_hidden(game, seat):
    """Everything lies open."""
