"""A table of The Ronin Prince for tests: positions told for either side, and rounds passed."""

from __future__ import annotations

import re

import pytest
from helpers import legal_texts, play, position

from paiko_env.board import HALF_TURN, NAMES, SQUARE_IMAGE, SQUARE_OF
from paiko_env.ronin_game import RONIN

WHITE, BLACKS = "white_0", ["black_0", "black_1", "black_2"]
SIDES = pytest.mark.parametrize("side", "wb")
OPPOSITE = dict(zip("wbNESW", "bwSWNE", strict=True))


def at(tiles, agent=WHITE, owners=BLACKS, max_rounds=100, **state):
    """A table of four; Blacks own the black heroes on the board in the order of ``owners``."""
    letters = [text[1] for text in tiles.values() if text[0] == "b" and "!" in text]
    heroes = dict.fromkeys(BLACKS) | dict(zip(owners, letters, strict=False))
    heroes |= state.pop("heroes", {})
    whites = [square for square, text in tiles.items() if text[0] == "w" and "!" in text]
    bases = dict.fromkeys([*(b for b in BLACKS if heroes[b]), *whites], "S")
    bases |= state.pop("bases", {})
    full = {"board": tiles, "to_act": agent, "heroes": heroes, "bases": bases, **state}
    return position(RONIN, full, max_rounds=max_rounds)


def turned(text):
    """A move or a tile as the other side has it: half a turn, the other colour."""
    text = re.sub(r"[a-n]\d+", lambda m: NAMES[SQUARE_IMAGE[HALF_TURN, SQUARE_OF[m[0]]]], text)
    text = re.sub(r"\^([NESW])", lambda m: "^" + OPPOSITE[m[1]], text)
    return re.sub(
        r"^([wb])([SBEFWILA])([NESW]?)",
        lambda m: OPPOSITE[m[1]] + m[2] + OPPOSITE.get(m[3], ""),
        text,
    )


def stand(side, tiles, hand="", owners=BLACKS, **state):
    """A position told as if White were to act; for ``b`` it is black_0 in the mirrored one."""
    if side == "b":
        tiles = {turned(square): turned(text) for square, text in tiles.items()}
    agent = WHITE if side == "w" else "black_0"
    return at(tiles, agent, owners, hands={agent: hand}, **state)


def moves(games, side, start=""):
    """Legal moves as White would tell them."""
    texts = {turned(text) if side == "b" else text for text in legal_texts(games)}
    return {text for text in texts if text.startswith(start)}


def go(games, side, *texts):
    return play(games, *(turned(text) if side == "b" else text for text in texts))


def tiles_of(games):
    return games.state_dict()["board"]


def pass_round(games):
    """All actions left in the round are passed; then chance may be due, or the game over."""
    turn = games.state["turn"][0]
    while games.agent(0) not in ("chance", None) and games.state["turn"][0] == turn:
        play(games, ".")
    return games


def deal(games):
    """Let chance take the first tile it can until somebody is to act; the texts of what happened."""
    texts = []
    while games.agent(0) == "chance":
        texts.append(legal_texts(games)[0])
        play(games, texts[-1])
    return texts
