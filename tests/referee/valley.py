"""Valley of the Shrines for three, move by move: the slow referee of the Valley.

White and Black play their tiles as in the duel; Red plays face-down tiles, a corpse being one and
a zombie two.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from functools import partial
from typing import Any

from .paiko_actions import Scene, count_turn, reach
from .paiko_board import (
    COPIES,
    ENEMY,
    LETTERS,
    SQUARES,
    RuleError,
    Tile,
    around,
    capturable,
    capture,
    covered,
    covered_from,
    points,
    threat,
)
from .paiko_game import Game, Menu
from .paiko_state import SCENE_KEYS, Reader, limit, read_scene, whole_number

__all__ = ["RuleError", "Valley", "capturable", "covered", "threat"]

AGENTS = {"w": "white_0", "b": "black_0", "r": "red_0"}
ORDER = "wbrbwr"  # V2
DISCARDS = 6  # V1
SHRINES = ("f9", "i6")  # V1: the black squares of the middle ground
PENDING_KEYS = {"setup": ("left",), "zombify": ("tiles",), **SCENE_KEYS}
PHASES = ("setup", "action", "slide", "place", "face", "retrieve", "zombify", "capture", "over")
RED_PHASES = ("retrieve", "zombify", "capture")
CORPSE, ZOMBIE = Tile("r", "c"), Tile("r", "z")


class Valley(Game):
    game = "valley"
    sides = "wbr"

    def __init__(self, max_turns: int | None) -> None:
        super().__init__(list(AGENTS.values()), limit(max_turns, "max_turns"))
        self.red_hand = 0
        self.discarding = "b"  # V1: Black first
        self.eligible: list[str] = []  # V5: who may still be zombified

    @classmethod
    def start(cls, num_players: int = 3, max_turns: int | None = 400) -> Valley:
        whole_number(num_players, "num_players", 3, 3)
        self = cls(max_turns)
        self.hands = {AGENTS[side]: Counter(LETTERS * COPIES) for side in "wb"}
        self.phase, self.left = "setup", DISCARDS
        return self

    # --- Who acts ---

    @property
    def side(self) -> str:
        return self.discarding if self.phase == "setup" else ORDER[self.turn % len(ORDER)]

    @property
    def to_act(self) -> str | None:
        return None if self.over else AGENTS[self.side]

    def _menu(self) -> Menu:
        if self.phase == "setup":
            hand = self.hands[AGENTS[self.side]]
            return {f"-{x}": partial(self._discard, x) for x in LETTERS if hand[x] > 0}
        if self.phase in SCENE_KEYS:
            return self._scene_menu()
        if self.phase == "retrieve":
            return {**self._retrieve_menu(), ".": self._end_red_action}
        if self.phase == "zombify":
            return {**self._zombify_menu(), ".": self._red_captures}
        if self.phase == "capture":
            return {f"x{square}": partial(self._capture_one, square) for square in self._prey()}
        if self.side == "r":
            return self._red_menu() or {".": self._end_red_action}  # V4: a pass if nothing else
        pass_move: Menu = {".": partial(self._end_action, None)}  # P14: a pass ends nothing here
        return self._tile_menu(AGENTS[self.side], self.side) or pass_move

    def _discard(self, letter: str) -> None:
        self.hands[AGENTS[self.side]][letter] -= 1
        self.red_hand += 1
        self.left -= 1
        if self.left > 0:
            return
        if self.discarding == "b":
            self.discarding, self.left = "w", DISCARDS
        else:
            for square in SHRINES:
                self.board[square] = CORPSE
            self.red_hand -= len(SHRINES)
            self.phase = "action"

    # --- White's and Black's turns ---

    def _end_tile_action(self, scene: Scene) -> None:
        self._end_action(scene.tile if scene.shifted else None)

    def _end_action(self, shifted: str | None) -> None:
        counted = count_turn(self.board, self.side, shifted)  # P7
        self.board, fallen = capture(counted, ENEMY[self.side] + "r")  # V6
        self._bury(fallen)
        self._end_turn()

    def _bury(self, fallen: list[Tile]) -> None:
        """V8: captured tiles go to Red's hand."""
        for tile in fallen:
            self.red_hand += 2 if tile.letter == "z" else 1
            if tile.side != "r":
                self.lost[tile.side] += 1

    # --- Red's action ---

    def _tile_cover(self) -> set[str]:
        """V4: what the cover patterns of White's and Black's tiles reach, homegrounds aside."""
        squares = set[str]()
        for place, tile in self.board.items():
            squares |= covered_from(place, tile)
        return squares

    def _red_menu(self) -> Menu:
        """V4: what Red may do with one action, corpses and zombies staying safe (P5)."""
        deploys: dict[str, dict[str, Tile]] = {}
        shielded = self._tile_cover()
        for square in SQUARES:
            if self.red_hand > 0 and square not in shielded:
                if square not in self.board:
                    deploys[f"C@{square}"] = {**self.board, square: CORPSE}
                elif self.board[square].letter == "c":
                    deploys[f"Z@{square}"] = {**self.board, square: ZOMBIE}
        menu: Menu = {}
        for move, after in deploys.items():
            if not capturable(after, "r"):
                menu[move] = partial(self._red_deploy, after)
        for square, piece in self.board.items():
            if piece.letter == "z" and piece.streak < 3:  # P7
                for target in reach(self.board, square, piece, 1):  # P6
                    after = {place: other for place, other in self.board.items() if place != square}
                    after[target] = piece
                    if not capturable(after, "r"):
                        menu[f"{square}-{target}"] = partial(self._red_shift, after, target)
        return {**menu, **self._retrieve_menu()}

    def _retrieve_menu(self) -> Menu:
        red = [square for square, piece in self.board.items() if piece.side == "r"]
        return {f"{square}<": partial(self._retrieve, square) for square in red}

    def _red_deploy(self, after: dict[str, Tile]) -> None:
        self.board = after
        self.red_hand -= 1
        self._end_red_action()

    def _red_shift(self, after: dict[str, Tile], target: str) -> None:
        self.board = after
        self._end_red_action(target)

    def _retrieve(self, square: str) -> None:
        self.phase = "retrieve"
        self.red_hand += 1
        if self.board[square].letter == "z":
            self.board[square] = self.board[square]._replace(letter="c")
        else:
            del self.board[square]
        if not any(piece.side == "r" for piece in self.board.values()):
            self._end_red_action()

    def _end_red_action(self, shifted: str | None = None) -> None:
        self.board = count_turn(self.board, "r", shifted)  # P7
        self.eligible = sorted(
            square
            for square, tile in self.board.items()
            if tile.side != "r" and self._zombies_around(square) >= 2
        )
        self._go_on_zombifying()

    # --- Zombifying, and captures on Red's turn ---

    def _zombies_around(self, square: str) -> int:
        near = [self.board[n] for n in around(square) if n in self.board]
        return sum(piece.letter == "z" for piece in near)

    def _zombify_menu(self) -> Menu:
        return {f"{square}z": partial(self._zombify, square) for square in self.eligible}

    def _zombify(self, square: str) -> None:
        self.board[square] = ZOMBIE  # the tile itself, turned over, and one from the hand
        self.red_hand -= 1
        self.eligible.remove(square)
        self._go_on_zombifying()

    def _go_on_zombifying(self) -> None:
        if self.eligible and self.red_hand > 0:  # V5
            self.phase = "zombify"
        else:
            self._red_captures()

    def _prey(self) -> list[str]:
        """V7: the tiles other than Fires that fall on Red's turn, as the position stands."""
        in_danger = capturable(self.board, "w") | capturable(self.board, "b")
        return sorted(square for square in in_danger if self.board[square].letter != "F")

    def _capture_one(self, square: str) -> None:
        self._bury([self.board.pop(square)])
        self._red_captures()

    def _red_captures(self) -> None:
        self.eligible = []
        while len(prey := self._prey()) == 1:
            self._bury([self.board.pop(prey[0])])
        if prey:
            self.phase = "capture"  # two or more: Red chooses the next
            return
        for sides in ("r", "wb"):  # the red pieces together, then the Fires together
            falling = {square for side in sides for square in capturable(self.board, side)}
            self._bury([self.board.pop(square) for square in falling])
        self._end_turn()

    # --- The end of a turn ---

    def _outcome(self, side: str) -> dict[str, int] | None:
        """V9: the rewards if the side whose turn it is has won."""
        score = {s: points(self.board, s) for s in "wb"}
        if side == "r":
            zombies = sum(piece.letter == "z" for piece in self.board.values())
            if zombies + max(score.values()) >= 12:
                return {"white_0": 0, "black_0": 0, "red_0": 1}
        elif score[side] >= 5 and score[side] >= score[ENEMY[side]] + 3:
            return {agent: 1 if agent == AGENTS[side] else -1 for agent in self.agents}
        return None

    def _end_turn(self) -> None:
        rewards = self._outcome(self.side)
        if rewards is not None:
            self._finish(rewards)
        else:
            self._next_turn()

    # --- States ---

    def _pending(self) -> dict[str, Any] | None:
        if self.phase == "zombify":
            return {"tiles": list(self.eligible)}
        return super()._pending()

    def state_dict(self) -> dict[str, Any]:
        return {**super().state_dict(), "red_hand": self.red_hand}

    @classmethod
    def from_state(
        cls, state: Mapping[str, Any], *, num_players: int = 3, max_turns: int | None = 400
    ) -> Valley:
        whole_number(num_players, "num_players", 3, 3)
        self = cls(max_turns)
        read = Reader(state, cls.game, ["red_hand"])
        self.phase = read.word("phase", PHASES, "action")
        agent = read.word("to_act", [None] if self.phase == "over" else self.agents)
        self.board = read.board(lambda tile: not (tile.hero or tile.busy), "Lcz")
        self.hands = read.letters("hands", [AGENTS["w"], AGENTS["b"]])
        for side, pile in read.letters("reserves", "wb").items():
            if pile.total() > 0:
                raise RuleError(f"a reserve of {side!r} in the Valley: expected none")
        self.lost = read.lost()
        self.red_hand = read.number("red_hand", 0)
        self.truncated = read.flag("truncated")
        self._read_turn(read, agent)
        self._read_pending(read)
        self._finish_reading(read)
        return self

    def _read_turn(self, read: Reader, agent: str | None) -> None:
        if self.phase == "over":
            if "turn" not in read.state:
                raise RuleError("the state of a finished game has no 'turn'")
            self.turn = read.number("turn", 0)
            return
        if self.phase == "setup":
            self.turn = read.number("turn", 0, 0, 0)
            self.discarding = "w" if agent == AGENTS["w"] else "b"
        else:
            self.turn = read.number("turn", self.agents.index(str(agent)))
        if self.to_act != agent:
            raise RuleError(f"turn is {self.turn} in phase {self.phase}: not a turn of {agent}")
        if (self.phase in SCENE_KEYS and agent == "red_0") or (
            self.phase in RED_PHASES and agent != "red_0"
        ):
            raise RuleError(f"{agent} is to act in phase {self.phase}: not a phase of theirs")

    def _read_pending(self, read: Reader) -> None:
        fields = read.pending(PENDING_KEYS.get(self.phase, ()))
        if self.phase in SCENE_KEYS:
            self.scene = read_scene(fields, self.phase, self.board, self.side, tires=False)
        elif self.phase == "setup":
            self.left = whole_number(fields["left"], "pending: left", 1, DISCARDS)
        elif self.phase == "zombify":
            self.eligible = self._read_eligible(fields["tiles"])
        elif self.phase == "retrieve" and not self._retrieve_menu():
            raise RuleError("phase is 'retrieve', but no red piece is on the board")
        elif self.phase == "capture" and len(self._prey()) < 2:
            raise RuleError(f"phase is 'capture' with only {self._prey()} to choose from")

    def _read_eligible(self, tiles: Any) -> list[str]:
        """V5: zombies made in this turn make nobody eligible, but may stand beside the rest."""
        if not isinstance(tiles, list) or not tiles or self.red_hand == 0:
            raise RuleError(f"zombify: tiles {tiles!r}, red_hand {self.red_hand}: expected some")
        for square in tiles:
            tile = self.board.get(square) if isinstance(square, str) else None
            if tile is None or tile.side == "r" or self._zombies_around(square) < 2:
                raise RuleError(f"zombify: {square!r} holds no tile between two zombies")
        if tiles != sorted(set(tiles)):
            raise RuleError(f"zombify: {tiles!r}: expected squares in order, each once")
        return list(tiles)

    def _read_end(self) -> None:
        """Why a game that is over has ended, which gives its rewards."""
        rewards = self._outcome(ORDER[(self.turn - self.truncated) % len(ORDER)])
        if self.truncated != (rewards is None):
            raise RuleError(f"truncated is {self.truncated}, but the outcome is {rewards}")
        self._finish(rewards or dict.fromkeys(self.agents, 0))
