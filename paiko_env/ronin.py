"""The Ronin Prince, in the order in which a game runs; rulings R1-R11, over P1-P18.

    start -> choose_hero, lay_base ... -> place_token                              (R2)
    begin_round -> draw ... -> begin_actions                                       (R3)
      deploy | shift | lift (``turn.act``) | deploy_hero | take_hero_back | pass   (R4)
      -> end_action: the seat's next action, or the next seat's                    (R5, R6)
    end_round: wake, capture both ways, judge, pass the token on                   (R7-R9)

Every function is a kernel over one row, called ``game`` here. Seat 0 is White's, the others are Black's.
Which squares heroes and busy tiles leave open, ``heroes`` and ``busy`` say; what chance may bring,
``ronin_chance``; what a seat has seen and cannot see, ``ronin_hidden``.
"""

from __future__ import annotations

import numpy as np

from paiko_env.actions import STOP, deploy_number
from paiko_env.board import BLACK, WHITE
from paiko_env.capture import capture
from paiko_env.heroes import hero_kinds, hero_of, make_hero
from paiko_env.menu import stock
from paiko_env.moves import put_down, restart_streaks, set_streak, streak, take_off
from paiko_env.ronin_actions import BACK, CHOOSE, HERO_DEPLOY, hero_deploy_of
from paiko_env.ronin_chance import next_drawer, put_back, token_seat
from paiko_env.ronin_hidden import forget, remember
from paiko_env.ronin_menu import (
    HERO_PRICE,
    own_hero,
    ronin_menu,
    sample_ronin,
    side_of,
    write_ronin,
)
from paiko_env.squares import both, count, either, first, less, only
from paiko_env.state import ACTION, BASE, DEAL, HERO, NOTHING, PLACE, TOKEN
from paiko_env.threat import look, tiles_like, tiles_of
from paiko_env.tiles import COPIES, KINDS
from paiko_env.turn import act, come_down, end, finish_turn, points
from tabletop_env.bits import ZERO, has
from tabletop_env.game import CHANCE
from tabletop_env.kernel import kernel

# The rulebook's table, by number of players.
WHITE_DRAWS = np.array([0, 0, 0, 0, 4, 4, 5, 5])
BLACK_DRAWS = np.array([0, 0, 0, 0, 3, 2, 2, 1])
WHITE_ACTIONS = np.array([0, 0, 0, 0, 3, 4, 5, 6])
WIN, LEAD = 10, 2
"""R9: points that win, and by how many Black has to be ahead."""

# -- heroes (R2) ---------------------------------------------------------------------------------


@kernel
def start(game):
    """All tiles in the reserves, the first Black to choose its hero."""
    game["reserves"][:] = COPIES
    game["phase"] = HERO
    game["price"] = 1
    game["seat"] = 1
    look(game)


@kernel
def choose_hero(game, kind):
    """The hero goes to its owner's hand; chance lays a base under it."""
    seat = game["seat"]
    game["reserves"][BLACK, kind] -= 1
    game["hero"][seat] = 1 + kind
    await_chance(game, BASE, seat)


@kernel
def await_chance(game, event, actor):
    game["due"], game["actor"] = event, actor
    game["seat"] = CHANCE


@kernel
def lay_base(game, kind):
    """A white tile becomes the base of the hero just chosen, or just deployed by White."""
    seat = game["actor"]
    game["reserves"][WHITE, kind] -= 1
    game["due"] = NOTHING
    if game["phase"] != HERO:
        game["bases"][WHITE, game["tile"][game["at"]] // 4] = 1 + kind
        game["seat"] = 0
        if come_down(game, WHITE, game["at"]):
            end_action(game)
        return
    game["bases"][BLACK, own_hero(game, seat)] = 1 + kind
    if seat + 1 < game["players"]:
        game["seat"] = seat + 1
    else:
        await_chance(game, TOKEN, 0)


@kernel
def place_token(game, seat):
    """A random Black is the first to have the token."""
    game["token"] = seat
    begin_round(game)


# -- a round (R3) --------------------------------------------------------------------------------


@kernel
def begin_round(game):
    """Hands go back, and chance deals new ones: White's first."""
    for seat in range(game["players"]):
        put_back(game, seat)
    game["phase"] = ACTION
    game["left"] = WHITE_DRAWS[game["players"]]
    await_chance(game, DEAL, 0)
    settle_draws(game)


@kernel
def draw(game, kind):
    seat = game["actor"]
    game["reserves"][side_of(seat), kind] -= 1
    game["hands"][seat, kind] += 1
    game["left"] -= 1
    settle_draws(game)


@kernel
def settle_draws(game):
    """Go on to the next who draws; when all have drawn, or the reserves are empty, White acts."""
    while game["left"] == 0 or stock(game["reserves"][side_of(game["actor"])]) == ZERO:
        game["actor"] = next_drawer(game)
        if game["actor"] == 0:
            game["left"] = 0
            game["due"] = NOTHING
            begin_actions(game, 0)
            return
        game["left"] = BLACK_DRAWS[game["players"]]


@kernel
def begin_actions(game, seat):
    game["seat"] = seat
    game["actions_left"] = WHITE_ACTIONS[game["players"]] if seat == 0 else 1


# -- actions (R4) --------------------------------------------------------------------------------


@kernel
def deploy_hero(game, kind, square):
    """A Black's own hero, or a tile of White's hand, for which chance lays a base first."""
    seat = game["seat"]
    side = side_of(seat)
    put_down(game, side, square, 4 * kind)
    make_hero(game, square)
    game["at"] = square
    if side == WHITE:
        game["hands"][seat, kind] -= 1
        game["price"] = HERO_PRICE
        wear_out(game)
        look(game)
        await_chance(game, BASE, seat)
    else:
        continue_action(game, come_down(game, side, square))


@kernel
def take_hero_back(game):
    """The seat's hero leaves the board; its base stays under it."""
    seat = game["seat"]
    take_off(game, BLACK, first(hero_of(game, BLACK, own_hero(game, seat))))
    clear_marks(game)
    look(game)
    end_action(game)


@kernel
def continue_action(game, complete):
    """A tile that has come down or moved is busy from now on (R5); one just lifted is not."""
    if complete or game["phase"] != PLACE:
        clear_marks(game)
        wear_out(game)
        look(game)
    if complete:
        end_action(game)


@kernel
def wear_out(game):
    """The tile under way is busy."""
    here = only(game["at"])
    game["busy"][0] |= here[0]
    game["busy"][1] |= here[1]


@kernel
def clear_marks(game):
    """Squares that a tile has left lose the marks of heroes and busy tiles."""
    tiles = either(tiles_of(game, WHITE), tiles_of(game, BLACK))
    for half in range(2):
        game["heroes"][half] &= tiles[half]
        game["busy"][half] &= tiles[half]


@kernel
def end_action(game):
    """Count the tile's shift (R6); the seat's next action, the next seat's, or the round's end."""
    if game["shifted"]:
        set_streak(game, game["at"], streak(game, game["at"]) + 1)
    game["at"] = game["barred"] = game["shifted"] = game["left"] = 0
    game["phase"] = ACTION
    game["actions_left"] -= game["price"]
    game["price"] = 1
    if game["actions_left"]:
        return
    following = game["token"] if game["seat"] == 0 else next_black(game, game["seat"])
    if game["seat"] != 0 and following == game["token"]:
        end_round(game)
    else:
        begin_actions(game, following)


@kernel
def next_black(game, seat):
    """The next Black clockwise."""
    return seat + 1 if seat + 1 < game["players"] else 1


# -- the end of a round (R7-R9) ------------------------------------------------------------------


@kernel
def end_round(game):
    """Busy tiles wake; White captures, then Black; a side may have won; the token moves on."""
    remember(game)
    tiles = either(tiles_of(game, WHITE), tiles_of(game, BLACK))
    restart_streaks(game, less(tiles, (game["busy"][0], game["busy"][1])))
    game["busy"][:] = ZERO
    look(game)
    capture_from(game, BLACK)
    capture_from(game, WHITE)
    winner = winner_of(game)
    if winner >= 0:
        end(game, 1 + winner)
    elif finish_turn(game):
        game["token"] = next_black(game, game["token"])
        begin_round(game)


@kernel
def capture_from(game, side):
    """Capture what can be captured of a side; its tiles go back to the reserves (R8)."""
    heroes = hero_kinds(game, side)
    for kind in range(KINDS):
        game["reserves"][side, kind] += count(both(tiles_of(game, side), tiles_like(game, kind)))
    capture(game, side)
    clear_marks(game)
    fallen = heroes & ~hero_kinds(game, side)
    for kind in range(KINDS):
        game["reserves"][side, kind] -= count(both(tiles_of(game, side), tiles_like(game, kind)))
        if has(fallen, kind):
            free_base(game, side, kind)


@kernel
def free_base(game, side, kind):
    """A captured hero's base goes back to White; a Black has no hero from then on (R8)."""
    game["reserves"][WHITE, game["bases"][side, kind] - 1] += 1
    game["bases"][side, kind] = 0
    forget(game, side, kind)
    for seat in range(1, game["players"]):
        if side == BLACK and game["hero"][seat] == 1 + kind:
            game["hero"][seat] = 0


@kernel
def winner_of(game):
    """The side that has won, -1 if none has (R9)."""
    white, black = points(game, WHITE), points(game, BLACK)
    if black >= WIN and black >= white + LEAD:
        return BLACK
    return WHITE if white >= WIN else -1


@kernel
def write_rewards(game, rewards):
    """+1 for every seat of the side that has won, -1 for the others (R9)."""
    for seat in range(game["players"]):
        if game["winner"] == 0:
            rewards[seat] = 0
        else:
            rewards[seat] = 1 if side_of(seat) == game["winner"] - 1 else -1


# -- what the doors ask for ----------------------------------------------------------------------


@kernel
def apply(game, action):
    """Make a choice of the seat to act."""
    if game["phase"] == HERO:
        choose_hero(game, action - CHOOSE)
    elif action == STOP:
        end_action(game)
    elif action == BACK:
        take_hero_back(game)
    elif action < HERO_DEPLOY:
        continue_action(game, act(game, side_of(game["seat"]), action))
    else:
        kind, square = hero_deploy_of(action)
        if game["phase"] == PLACE:
            number = deploy_number(kind, square)  # what follows is the same for any lifted tile
            continue_action(game, act(game, side_of(game["seat"]), number))
        else:
            deploy_hero(game, kind, square)


@kernel
def apply_chance(game, outcome):
    if game["due"] == BASE:
        lay_base(game, outcome)
    elif game["due"] == TOKEN:
        game["due"] = NOTHING
        place_token(game, token_seat(outcome))
    else:
        draw(game, outcome)


@kernel
def write_legal(game, mask):
    write_ronin(game, ronin_menu(game), mask)


@kernel
def sample_action(game):
    return sample_ronin(game, ronin_menu(game))
