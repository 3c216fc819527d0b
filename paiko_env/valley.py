"""Valley of the Shrines, in the order in which a game runs; rulings V1-V9, over P1-P18.

    start -> discard ... -> begin_turn                                             (V1, V2)
    White, Black: deploy | shift | lift (``turn.act``) | pass -> end_action        (V6)
    Red: corpse | raise | shift | retrieve ... | pass -> end_red_action            (V3, V4)
      -> zombify ... -> capture_on_red ...                                         (V5, V7)
    end_turn: has_won, or the next side's turn                                     (V8, V9)

Every function is a kernel over one row, called ``game`` here. A seat is its side.
"""

from __future__ import annotations

import numpy as np

from paiko_env.actions import STOP, shift_of
from paiko_env.board import BLACK, HALF, RED, SQUARE_OF, SQUARES, WHITE
from paiko_env.capture import capture, capture_one, capture_rest, prey
from paiko_env.menu import sample_choice, stock, tile_menu, type_menu, write_choices
from paiko_env.red import (
    between_zombies,
    lay_corpse,
    raise_corpse,
    retrieve,
    shift_zombie,
    zombies_of,
    zombify,
)
from paiko_env.red_menu import red_menu, sample_red, write_red
from paiko_env.squares import count, first, is_empty
from paiko_env.state import ACTION, CAPTURE, RETRIEVE, SETUP, ZOMBIFY
from paiko_env.threat import look, tiles_of
from paiko_env.tiles import COPIES
from paiko_env.turn import act_and_look, count_shifts, end, finish_turn, points
from paiko_env.valley_actions import CAPTURE_NEXT, CORPSE, RAISE, TAKE_BACK, TURN_OVER
from tabletop_env.bits import ZERO, bit
from tabletop_env.kernel import kernel

DISCARDS = 6
"""V1."""
SHRINES = (SQUARE_OF["f9"], SQUARE_OF["i6"])
"""V1: the black squares of the middle ground."""
ORDER = np.array([WHITE, BLACK, RED, BLACK, WHITE, RED])
"""V2: whose turn it is, again and again."""
POINTS, LEAD = 5, 3
"""V9: White or Black wins with so many points, and so many more than the other."""
RED_WINS = 12
"""V9: Red's zombies and the higher of the two scores."""

# -- setup (V1) ----------------------------------------------------------------------------------


@kernel
def start(game):
    """All tiles in the hands, Black to discard."""
    for side in range(2):
        game["hands"][side, :] = COPIES
    game["phase"] = SETUP
    game["left"] = DISCARDS
    game["seat"] = BLACK
    look(game)


@kernel
def discard(game, kind):
    """A tile joins Red's hand; first Black's, then White's. After the last Red has its head start."""
    side = game["seat"]
    game["hands"][side, kind] -= 1
    game["red_hand"] += 1
    game["left"] -= 1
    if game["left"]:
        return
    if side == BLACK:
        game["seat"] = WHITE
        game["left"] = DISCARDS
    else:
        for square in SHRINES:
            lay_corpse(game, square)
        begin_turn(game)


@kernel
def begin_turn(game):
    game["phase"] = ACTION
    game["seat"] = ORDER[game["turn"] % len(ORDER)]


# -- White's and Black's turns -------------------------------------------------------------------


@kernel
def end_action(game, side):
    """Count shifts, capture the other colour and red pieces (P7, V6)."""
    count_shifts(game, side)
    game["red_hand"] += capture(game, 1 - side)
    end_turn(game)


# -- Red's turn ----------------------------------------------------------------------------------


@kernel
def act_red(game, action):
    """Make a choice of Red's (V4, V5, V7)."""
    square = (action - CORPSE) % SQUARES
    if action == STOP:
        stop_red(game)
    elif action < CORPSE:
        shift_red(game, action)
    elif action < RAISE:
        lay_corpse(game, square)
        end_red_action(game)
    elif action < TAKE_BACK:
        raise_corpse(game, square)
        end_red_action(game)
    elif action < TURN_OVER:
        retrieve_one(game, square)
    elif action < CAPTURE_NEXT:
        zombify_one(game, square)
    else:
        game["red_hand"] += capture_one(game, square)
        capture_on_red(game)


@kernel
def stop_red(game):
    """Enough zombified, enough retrieved, or nothing to do (P14)."""
    if game["phase"] == ZOMBIFY:
        capture_on_red(game)
    else:
        end_red_action(game)


@kernel
def shift_red(game, action):
    """Move a zombie one step."""
    start, goal = shift_of(action)
    shift_zombie(game, start, goal)
    game["at"], game["shifted"] = goal, 1
    end_red_action(game)


@kernel
def retrieve_one(game, square):
    """Take a face-down tile back; more may follow, as long as there are any (V4)."""
    retrieve(game, square)
    if is_empty(tiles_of(game, RED)):
        end_red_action(game)
    else:
        game["phase"] = RETRIEVE


@kernel
def end_red_action(game):
    """Count shifts; then who stands between zombies may be zombified (P7, V5)."""
    count_shifts(game, RED)
    set_eligible(game, between_zombies(game))
    zombify_or_capture(game)


@kernel
def set_eligible(game, tiles):
    game["eligible"][0], game["eligible"][1] = tiles


@kernel
def zombify_one(game, square):
    zombify(game, square)
    look(game)
    game["eligible"][square // HALF] &= ~bit(square % HALF)
    zombify_or_capture(game)


@kernel
def zombify_or_capture(game):
    """The choice goes on while a tile is eligible and the hand not empty (V5)."""
    eligible = game["eligible"][0] | game["eligible"][1]
    if eligible != ZERO and game["red_hand"]:
        game["phase"] = ZOMBIFY
    else:
        capture_on_red(game)


@kernel
def capture_on_red(game):
    """Capture one tile after the other, by Red's choice where there are several; then the rest (V7)."""
    set_eligible(game, (ZERO, ZERO))
    tiles = prey(game)
    while count(tiles) == 1:
        game["red_hand"] += capture_one(game, first(tiles))
        tiles = prey(game)
    if is_empty(tiles):
        game["red_hand"] += capture_rest(game)
        end_turn(game)
    else:
        game["phase"] = CAPTURE


# -- the end of a turn (V9) ----------------------------------------------------------------------


@kernel
def end_turn(game):
    """The side whose turn it is has won, or the next one's begins."""
    side = game["seat"]
    if has_won(game, side):
        end(game, 1 + side)
    elif finish_turn(game):
        begin_turn(game)


@kernel
def has_won(game, side):
    """Whether a side wins if the capture phase just over was that of its turn."""
    white, black = points(game, WHITE), points(game, BLACK)
    if side == RED:
        return count(zombies_of(game)) + max(white, black) >= RED_WINS
    own, other = (white, black) if side == WHITE else (black, white)
    return own >= POINTS and own - other >= LEAD


@kernel
def write_rewards(game, rewards):
    """+1 for the winner, -1 for the losers; White and Black lose nothing to Red (V9)."""
    rewards[:] = 0 if game["winner"] == 0 or game["winner"] == 1 + RED else -1
    if game["winner"]:
        rewards[game["winner"] - 1] = 1


# -- what the doors ask for ----------------------------------------------------------------------


@kernel
def apply(game, action):
    """Make a choice of the seat to act."""
    side = game["seat"]
    if game["phase"] == SETUP:
        discard(game, action)
    elif side == RED:
        act_red(game, action)
    elif action == STOP or act_and_look(game, side, action):
        end_action(game, side)


@kernel
def menu_of(game):
    """What White or Black may choose from."""
    side = game["seat"]
    if game["phase"] == SETUP:
        return type_menu(stock(game["hands"][side]), ZERO)
    return tile_menu(game, side, ZERO)


@kernel
def write_legal(game, mask):
    if game["seat"] == RED:
        write_red(red_menu(game), mask)
    else:
        write_choices(game, menu_of(game), mask)


@kernel
def sample_action(game):
    if game["seat"] == RED:
        return sample_red(game, red_menu(game))
    return sample_choice(game, menu_of(game))
