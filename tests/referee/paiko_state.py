"""Reading a state of Paikō back: one typed question a key, and a refusal that names the value."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Collection, Mapping
from typing import Any

from .paiko_actions import Scene, may_be_lifted, may_shift, slide_range
from .paiko_board import (
    BLACK_SQUARES,
    DIRECTIONAL,
    LETTERS,
    MARKS,
    RuleError,
    Tile,
    capturable,
    read_tile,
)

COMMON_KEYS = (
    *("game", "to_act", "phase", "turn", "over", "truncated", "rewards", "legal"),
    *("board", "hands", "reserves", "points", "lost", "pending"),
)
FOLLOWING_KEYS = ("legal", "points", "over", "rewards")
# Where a capturable tile may stand on the board: in the middle of an action, before captures.
UNSETTLED_PHASES = ("slide", "face", "zombify", "capture")


def write_letters(letters: Counter[str]) -> str:
    return "".join(letter * letters[letter] for letter in LETTERS)


class Reader:
    """A state as it was handed in, asked key by key."""

    def __init__(self, state: Any, game: str, extra_keys: Collection[str] = ()) -> None:
        self.state = self.mapping(state, "the state")
        for key in self.state:
            if key not in COMMON_KEYS and key not in extra_keys:
                raise RuleError(f"unknown key {key!r} in a state of {game}")
        self.word("game", [game])

    @staticmethod
    def mapping(value: Any, name: str) -> Mapping[str, Any]:
        if not isinstance(value, Mapping):
            raise RuleError(f"{name} is {value!r}: expected a mapping")
        for key in value:
            if not isinstance(key, str):
                raise RuleError(f"{name} has the key {key!r}: expected a text")
        return value

    def word(self, key: str, allowed: Collection[Any], default: Any = ...) -> Any:
        """A value out of a few; without a default the key is needed."""
        value = self.state.get(key, default)
        if value is ...:
            raise RuleError(f"the state has no {key!r}: expected one of {list(allowed)}")
        if not (value is None or isinstance(value, str)) or value not in allowed:
            raise RuleError(f"{key} is {value!r}: expected one of {list(allowed)}")
        return value

    def flag(self, key: str) -> bool:
        value = self.state.get(key, False)
        if not isinstance(value, bool):
            raise RuleError(f"{key} is {value!r}: expected true or false")
        return value

    def number(self, key: str, default: int, low: int = 0, high: int | None = None) -> int:
        return whole_number(self.state.get(key, default), key, low, high)

    def part(self, key: str, owners: Collection[str]) -> dict[str, Any]:
        """A mapping from some of the owners; whoever is not named there is not in the answer."""
        value = self.mapping(self.state.get(key, {}), key)
        for owner in value:
            if owner not in owners:
                raise RuleError(f"{key} names {owner!r}: expected some of {list(owners)}")
        return dict(value)

    def letters(self, key: str, owners: Collection[str]) -> dict[str, Counter[str]]:
        """Hands or reserves: a pile of tiles for each owner."""
        given = self.part(key, owners)
        piles = {}
        for owner in owners:
            text = given.get(owner, "")
            if not isinstance(text, str) or any(letter not in LETTERS for letter in text):
                raise RuleError(f"{key} of {owner} is {text!r}: expected letters of {LETTERS}")
            piles[owner] = Counter(text)
        return piles

    def lost(self) -> dict[str, int]:
        given = self.part("lost", ["w", "b"])
        return {side: whole_number(given.get(side, 0), f"lost of {side}") for side in "wb"}

    def board(self, allowed: Callable[[Tile], bool], black_squares_for: str) -> dict[str, Tile]:
        """The board; `allowed` knows the game's tiles. Black squares bear only some letters."""
        board = {}
        for square, text in self.mapping(self.state.get("board", {}), "board").items():
            if square not in MARKS:
                raise RuleError(f"{square!r} is no square of the board: expected a1 to n14")
            tile = read_tile(text) if isinstance(text, str) else None
            if tile is None or not allowed(tile):
                raise RuleError(f"{text!r} on {square} is no tile of this game")
            if square in BLACK_SQUARES and tile.letter not in black_squares_for:
                raise RuleError(f"{text!r} stands on the black square {square}")
            board[square] = tile
        return board

    def pending(self, keys: Collection[str]) -> dict[str, Any]:
        """What is under way, with exactly these keys; none at all stand for null."""
        value = self.state.get("pending")
        fields = {} if value is None else dict(self.mapping(value, "pending"))
        if set(fields) != set(keys) or (value is not None and not keys):
            wanted = f"the keys {sorted(keys)}" if keys else "null"
            phase = self.state.get("phase", "action")
            raise RuleError(f"pending is {value!r}: expected {wanted} in phase {phase}")
        return fields

    def check_following(self, actual: Mapping[str, Any]) -> None:
        """Keys that follow from the others are compared when given."""
        for key in FOLLOWING_KEYS:
            if key in self.state and plain(self.state[key]) != plain(actual[key]):
                raise RuleError(f"{key} is {self.state[key]!r}: expected {actual[key]!r}")


def whole_number(value: Any, name: str, low: int = 0, high: int | None = None) -> int:
    if type(value) is int and low <= value and (high is None or value <= high):  # no bool
        return value
    wanted = f"{low} or more" if high is None else f"{low} to {high}"
    raise RuleError(f"{name} is {value!r}: expected an integer, {wanted}")


def limit(value: Any, name: str) -> int | None:
    """P15, R9: how long a game may last at most."""
    return None if value is None else whole_number(value, name, 1)


def plain(value: Any) -> str:
    try:
        return json.dumps(value, sort_keys=True)
    except TypeError as error:
        raise RuleError(f"{value!r} is no plain JSON value") from error


# --- A tile under way -----------------------------------------------------------------------


def write_scene(scene: Scene) -> dict[str, Any]:
    if scene.phase == "place":
        return {"tile": scene.tile}
    if scene.phase == "slide":
        return {"left": scene.left, "shifted": scene.shifted, "tile": scene.tile}
    return {"not": scene.barred, "shifted": scene.shifted, "tile": scene.tile}


SCENE_KEYS = {
    "place": ("tile",),
    "slide": ("left", "shifted", "tile"),
    "face": ("not", "shifted", "tile"),
}


def read_scene(
    fields: Mapping[str, Any], phase: str, board: dict[str, Tile], side: str, *, tires: bool
) -> Scene:
    """A scene out of `pending` and the board; what contradicts itself is refused."""
    square = fields["tile"]
    tile = board.get(square) if isinstance(square, str) else None
    if tile is None or tile.side != side or tile.busy:
        raise RuleError(f"pending names {square!r}: expected a square with a tile of {side!r}")
    where = f"{phase} of {square}"
    if phase == "place":
        if not (may_shift(board, square) and may_be_lifted(board, square)):
            raise RuleError(f"{where}: {tile.letter} cannot be lifted there")
        return Scene(board, side, "place", square, tires=tires)
    shifted, barred = fields["shifted"], fields.get("not")
    if not isinstance(shifted, bool):
        raise RuleError(f"{where}: shifted is {shifted!r}, expected true or false")
    if shifted and phase == "slide" and not tires:
        raise RuleError(f"{where}: shifted is True, but outside Ronin a slide is the first move")
    if tile.streak > (2 if shifted else 0):  # P7
        raise RuleError(f"{where}: {tile.streak} shifts in a row do not fit shifted = {shifted}")
    if tile.facing != "N" and (phase == "slide" or not shifted):
        raise RuleError(f"{where}: a tile just set down shows N, not {tile.facing}")
    if phase == "face":
        if tile.letter not in DIRECTIONAL:
            raise RuleError(f"{where}: {tile.letter} has no facing")
        if barred is not None and (barred != tile.facing or not shifted):
            raise RuleError(f"{where}: not is {barred!r}, expected null or the facing shown")
    board[square] = tile._replace(busy=tires)  # R5: the state does not show it yet
    left = slide_range(board, square)
    if phase == "slide":
        if left == 0:
            raise RuleError(f"{where}: {tile.letter} does not slide there")
        whole_number(fields["left"], f"{where}: left", left, left)
        return Scene(board, side, "slide", square, left, shifted, tires=tires)
    return Scene(board, side, "face", square, 0, shifted, barred, tires)


def refuse_capturable(board: dict[str, Tile], sides: str, phase: str) -> None:
    if phase not in UNSETTLED_PHASES:
        for side in sides:
            for square in sorted(capturable(board, side)):
                raise RuleError(f"the tile of {side!r} on {square} is capturable in {phase}")
