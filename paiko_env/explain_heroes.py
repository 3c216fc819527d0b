"""Why a move is not legal that has to do with Ronin's heroes (R2, R4, R10), in words; as in ``explain``."""

from __future__ import annotations

from typing import Any

from paiko_env.board import SIDES, SQUARE_OF
from paiko_env.heroes import gifts_of
from paiko_env.ronin_menu import HERO_PRICE, WHITE_HEROES
from paiko_env.squares import holds
from paiko_env.tiles import LETTERS, NAMES
from tabletop_env.game import Row, StateDict

WHITE = "white_0"


def choice(state: StateDict, letter: str) -> str:
    """Against choosing a hero."""
    if state["phase"] != "hero":
        return "heroes are chosen before the first round only (R2)"
    owner = next((agent for agent, hero in state["heroes"].items() if hero == letter), None)
    return f"{owner} has the hero {NAMES[LETTERS.index(letter)]}" if owner else ""


def back(state: StateDict) -> str:
    """Against taking the own hero back, up to its safety."""
    agent = state["to_act"]
    if agent == WHITE:
        return "only a Black takes its hero back to the hand (R4)"
    letter = state["heroes"][agent]
    if letter is None:
        return "you have no hero"
    written = _on_board(state, "b", letter)
    if not written:
        return "your hero is not on the board"
    return "your hero is busy (R5)" if "~" in written else ""


def deploy(state: StateDict, letter: str) -> str:
    """Against deploying a hero, wherever."""
    agent, name = state["to_act"], NAMES[LETTERS.index(letter)]
    if _on_board(state, agent[0], letter):
        return f"a hero {name} of your side is on the board"
    if agent != WHITE:
        return "" if state["heroes"][agent] == letter else f"your hero is no {name}"
    if letter not in state["hands"][agent]:
        return f"you have no {name} in your hand"
    if state["actions_left"] < HERO_PRICE:
        return "a hero takes two actions, and you have one left (R4)"
    if sum(w[0] == "w" and "!" in w for w in state["board"].values()) >= WHITE_HEROES:
        return f"you have {WHITE_HEROES} heroes on the board (R4)"
    return "" if state["reserves"]["w"] else "the reserve has no tile for a base (R4)"


def bar(row: Row, state: StateDict, square: str, letter: str = "") -> str:
    """Against a shift from or to a square, or a tile of this letter being set down there (R10)."""
    gifts: Any = gifts_of(row, SIDES.index(state["to_act"][0]))
    number = SQUARE_OF[square]
    if letter not in ("", "L") and holds(gifts.hot, number):
        return f"your own hero Fire threatens {square} (R10)"
    if (not letter or state["phase"] == "place") and holds(gifts.locked, number):
        return f"the enemy's hero Sword threatens {square}: nothing of yours shifts there (R10)"
    return ""


def others(state: StateDict, square: str) -> str:
    """Against touching another Black's hero (R4)."""
    agent, written = state["to_act"], state["board"][square]
    own = agent == WHITE or "!" not in written or state["heroes"][agent] == written[1]
    return "" if own else f"the hero on {square} is another Black's (R4)"


def _on_board(state: StateDict, side: str, letter: str) -> str:
    """How a side's hero stands on the board, if it does."""
    heroes = (w for w in state["board"].values() if w.startswith(side + letter) and "!" in w)
    return next(heroes, "")
