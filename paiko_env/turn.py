"""What a turn is made of in all three games: a tile's action, choice by choice; its counts; points.

    deploy -> slide -> face     shift -> face     lift -> set_down -> slide -> face

The functions that make a choice return whether the action is complete; what follows then, and whose
turn it is, the drivers know.
"""

from __future__ import annotations

from paiko_env.actions import DEPLOY, FACING, LIFT, SHIFT, deploy_of, shift_of
from paiko_env.board import HOME, MIDDLE, N
from paiko_env.heroes import slide_range
from paiko_env.moves import move, put_down, restart_streaks, set_streak, streak, turn_to
from paiko_env.squares import at, both, count, less
from paiko_env.state import FACE, OVER, PLACE
from paiko_env.state import SLIDE as SLIDING
from paiko_env.threat import look, tiles_like, tiles_of
from paiko_env.tiles import DIRECTIONAL, LOTUS
from tabletop_env.game import NOBODY
from tabletop_env.kernel import kernel

MIDDLE_GROUND = (MIDDLE[0], MIDDLE[1])
MOST_CHOICES = 4
"""Choices that a tile's action takes at most: lift, set down, slide, face."""

# -- a tile's action -----------------------------------------------------------------------------


@kernel
def act(game, side, action):
    """Make a choice about a tile: a number from ``FACING`` on. Whether its action is complete."""
    if action < DEPLOY:
        turn_to(game, game["at"], action - FACING)
        return True
    if action < SHIFT:
        kind, square = deploy_of(action)
        if game["phase"] == PLACE:
            return set_down(game, side, square)
        return deploy(game, side, kind, square)
    if action < LIFT:
        start, goal = shift_of(action)
        if game["phase"] == SLIDING:
            return slide(game, side, start, goal)
        return shift(game, side, start, goal)
    return lift(game, action - LIFT)


@kernel
def act_and_look(game, side, action):
    """The same, and a look at what it has changed on the board; a tile lifted still stands there."""
    complete = act(game, side, action)
    if complete or game["phase"] != PLACE:
        look(game)
    return complete


@kernel
def deploy(game, side, kind, square):
    """Put a tile from the hand on the board (P4)."""
    game["hands"][game["seat"], kind] -= 1
    put_down(game, side, square, 4 * kind)
    return come_down(game, side, square)


@kernel
def come_down(game, side, square):
    """A tile has been set down; a Sai may slide on, and another by way of a hero Sai (P8, R10)."""
    game["at"] = square
    steps = slide_range(game, side, square)
    if steps:
        game["phase"] = SLIDING
        game["left"] = steps
        return False
    return needs_no_facing(game, 0)


@kernel
def slide(game, side, start, goal):
    """Move the tile just deployed on, or stay (P8)."""
    game["left"] = 0
    step_to(game, side, start, goal)
    game["shifted"] |= goal != start
    return needs_no_facing(game, 0)


@kernel
def shift(game, side, start, goal):
    """Move a tile, or stay on its square to turn it (P6)."""
    step_to(game, side, start, goal)
    game["shifted"] = 1
    stays = goal == start and DIRECTIONAL[game["tile"][start] // 4]
    return needs_no_facing(game, 1 + game["tile"][start] % 4 if stays else 0)


@kernel
def lift(game, square):
    """Take up a tile that will be set down elsewhere; until then it stands where it is (P9)."""
    game["phase"] = PLACE
    game["at"] = square
    return False


@kernel
def set_down(game, side, goal):
    """Set the lifted tile down, facing N: a shift, as P7 counts."""
    step_to(game, side, game["at"], goal)
    turn_to(game, goal, N)
    game["shifted"] = 1
    return come_down(game, side, goal)


@kernel
def step_to(game, side, start, goal):
    """The tile under way moves to its goal."""
    move(game, side, start, goal)
    game["at"] = goal


@kernel
def needs_no_facing(game, barred):
    """A directional tile is faced before the action is complete (P3)."""
    if DIRECTIONAL[game["tile"][game["at"]] // 4]:
        game["phase"] = FACE
        game["barred"] = barred
        return False
    return True


@kernel
def count_shifts(game, side):
    """A tile that shifted has done so once more, all others of the side start again (P7)."""
    shifts = streak(game, game["at"]) + 1 if game["shifted"] else 0
    restart_streaks(game, tiles_of(game, side))
    if shifts:
        set_streak(game, game["at"], shifts)
    game["at"] = game["barred"] = game["shifted"] = game["left"] = 0


# -- how it stands, how it ends ------------------------------------------------------------------


@kernel
def points(game, side):
    """Two for each tile on the other homeground, one on middle ground, none for a Lotus (P13)."""
    tiles = less(tiles_of(game, side), tiles_like(game, LOTUS))
    return 2 * count(both(tiles, at(HOME, 1 - side))) + count(both(tiles, MIDDLE_GROUND))


@kernel
def finish_turn(game):
    """One turn more is finished; whether the game goes on, or is cut off here (P15)."""
    game["turn"] += 1
    if game["turn"] == game["max_turns"]:
        game["truncated"] = 1
        end(game, 0)
        return False
    return True


@kernel
def end(game, winner):
    """The game is over; ``winner`` is 1 + the side that has won, or 0."""
    game["winner"] = winner
    game["passed"] = 0
    game["phase"] = OVER
    game["seat"] = NOBODY
