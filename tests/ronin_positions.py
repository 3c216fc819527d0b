"""Made-up positions of Ronin, crowded with heroes and busy tiles that meet their enemies at once."""

from __future__ import annotations

import random
from typing import Any

from referee.paiko_actions import may_be_lifted, slide_range
from referee.paiko_board import (
    BLACK_SQUARES,
    DIRECTIONAL,
    FACINGS,
    LETTERS,
    SQUARES,
    XY,
    capturable,
    read_tile,
)
from referee.ronin import TABLE


def tile(rng: random.Random, square: str, busy: float) -> str:
    """A tile of either colour that may stand on a square; no hero."""
    letter = "L" if square in BLACK_SQUARES else rng.choice(LETTERS)
    facing = rng.choice(FACINGS) if letter in DIRECTIONAL else ""
    return (
        rng.choice("wb")
        + letter
        + facing
        + "~" * (rng.random() < busy)
        + rng.choice(["", "", "", "1", "2", "3"])
    )


def crowd(rng: random.Random) -> dict[str, str]:
    """Tiles close together around some square."""
    x, y = XY[rng.choice(SQUARES)]
    spread, busy = rng.choice([1, 2, 4]), rng.choice([0, 0.1, 0.4])
    near = sorted(
        SQUARES,
        key=lambda s: abs(XY[s][0] - x) + abs(XY[s][1] - y) + spread * rng.random(),
    )
    return {square: tile(rng, square, busy) for square in near[: rng.randint(0, 30)]}


def settle(board: dict[str, str]) -> None:
    """Take off what is capturable, until nothing is."""
    while True:
        tiles = {square: read_tile(text) for square, text in board.items()}
        falling = capturable(tiles, "w") | capturable(tiles, "b")
        if not falling:
            return
        for square in falling:
            del board[square]


def is_hero(text: str) -> bool:
    return "!" in text


def make_heroes(rng: random.Random, board: dict[str, str]) -> None:
    """Raise some tiles to heroes, at most one of a kind and side, four of White's."""
    share = rng.choice([0, 0.3, 0.9])
    seen: set[str] = set()
    for square in rng.sample(sorted(board), len(board)):
        kind = board[square][:2]
        whites = sum(name[0] == "w" for name in seen)
        if rng.random() < share and kind not in seen and (kind[0] == "b" or whites < 4):
            seen.add(kind)
            body = board[square].rstrip("123")
            cut = len(body.rstrip("~"))
            board[square] = board[square][:cut] + "!" + board[square][cut:]


def heroes_of(
    rng: random.Random, board: dict[str, str], blacks: int
) -> tuple[dict[str, str | None], dict[str, str]]:
    """Who has the heroes on the board, perhaps others in hands, and all bases."""
    there = [text[1] for text in board.values() if is_hero(text) and text[0] == "b"]
    rng.shuffle(there)
    spare = [letter for letter in LETTERS if letter not in there]
    rng.shuffle(spare)
    owned: list[str | None] = [*there[:blacks]]
    while len(owned) < blacks:
        owned.append(spare.pop() if rng.random() < 0.6 else None)
    rng.shuffle(owned)
    heroes = {f"black_{i}": letter for i, letter in enumerate(owned)}
    bases = {agent: rng.choice(LETTERS) for agent, letter in heroes.items() if letter}
    for square, text in board.items():
        if is_hero(text) and text[0] == "w":
            bases[square] = rng.choice(LETTERS)
    return heroes, bases


def made_up(rng: random.Random) -> dict[str, Any]:
    """A state that is often sound, of any phase but the choice of heroes."""
    blacks = rng.choice(list(TABLE))
    phase = rng.choice(["action"] * 8 + ["slide", "slide", "place", "place", "place", "face"])
    board = crowd(rng)
    make_heroes(rng, board)
    while sum(is_hero(text) and text[0] == "b" for text in board.values()) > blacks:
        square = next(s for s, text in board.items() if is_hero(text) and text[0] == "b")
        del board[square]
    if phase in ("action", "place") or rng.random() < 0.8:
        settle(board)
    heroes, bases = heroes_of(rng, board, blacks)
    agents = ["white_0", *heroes]
    agent = rng.choice(["white_0", rng.choice(agents[1:])])
    state: dict[str, Any] = {
        "game": "ronin",
        "to_act": agent,
        "phase": phase,
        "turn": rng.randint(0, 12),
        "board": board,
        "hands": {
            one: "".join(sorted(rng.choices(LETTERS, k=rng.randint(0, 3)))) for one in agents
        },
        "reserves": {
            side: "".join(sorted(rng.choices(LETTERS, k=rng.choice([0, 1, 8])))) for side in "wb"
        },
        "heroes": heroes,
        "bases": bases,
        "token": rng.choice(agents[1:]),
    }
    if agent == "white_0":
        state["actions_left"] = rng.randint(1, TABLE[blacks].white_actions)
    pending = under_way(rng, state)
    return {**state, "pending": pending} if pending else state


def under_way(rng: random.Random, state: dict[str, Any]) -> dict[str, Any] | None:
    """A ``pending`` that mostly fits; the tile under way shows what it may then show."""
    board, phase, agent = state["board"], state["phase"], state["to_act"]
    if phase == "action":
        return None
    own = [
        square
        for square, text in board.items()
        if text[0] == agent[0]
        and "~" not in text
        and (not is_hero(text) or agent == "white_0" or text[1] == state["heroes"][agent])
    ]
    tiles = {square: read_tile(text) for square, text in board.items()}
    if phase == "face":
        own = [square for square in own if board[square][1] in DIRECTIONAL]
    elif phase == "slide":
        own = [square for square in own if slide_range(tiles, square)] or own
    elif rng.random() < 0.9:
        own = [square for square in own if may_be_lifted(tiles, square)] or own
    if not own:
        return {"tile": "g8"}
    square = rng.choice(sorted(own))
    text = board[square]
    if phase == "place":
        return {"tile": square}
    shifted = rng.random() < 0.5
    facing = rng.choice(FACINGS) if shifted and phase == "face" else "N"
    digit = rng.choice(["", "1", "2"]) if shifted else ""
    letter, hero = text[1], is_hero(text)
    facing = facing if letter in DIRECTIONAL else ""
    board[square] = text[:2] + facing + "!" * hero + digit
    price = 2 if hero and agent == "white_0" and not shifted else 1
    if price == 2 and state["actions_left"] < 2:
        state["actions_left"] = 2
    if phase == "slide":
        left = {"E": 1, "L": 0, "A": 2 * hero}.get(letter, 2)
        return {"left": left, "shifted": shifted, "tile": square, "price": price}
    kept = rng.choice([None, facing]) if shifted else None
    return {"not": kept, "shifted": shifted, "tile": square, "price": price}
