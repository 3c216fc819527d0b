"""Paikō for two, move by move, straight from the rules: the slow referee of the duel."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from functools import partial
from typing import Any

from .paiko_actions import Scene, count_turn
from .paiko_board import (
    COPIES,
    ENEMY,
    LETTERS,
    RuleError,
    capturable,
    capture,
    covered,
    points,
    threat,
)
from .paiko_game import Game, Menu
from .paiko_state import SCENE_KEYS, Reader, limit, read_scene, whole_number

__all__ = ["Paiko", "RuleError", "capturable", "covered", "threat"]

AGENTS = {"w": "white_0", "b": "black_0"}
SETUP_BLOCKS = (("w", 7), ("b", 9), ("w", 1))  # P16
PENDING_KEYS = {"setup": ("left",), "draw": ("left",), "reward": ("left",), **SCENE_KEYS}
PHASES = ("setup", "action", "draw", "slide", "place", "face", "reward", "over")


class Paiko(Game):
    game = "paiko"

    def __init__(self, max_turns: int | None) -> None:
        super().__init__(list(AGENTS.values()), limit(max_turns, "max_turns"))
        self.block = len(SETUP_BLOCKS)  # which block of the setup is under way
        self.passed = False  # P14: whether the turn before this one was a forced pass

    @classmethod
    def start(cls, num_players: int = 2, max_turns: int | None = 400) -> Paiko:
        whole_number(num_players, "num_players", 2, 2)
        self = cls(max_turns)
        self.reserves = {side: Counter(LETTERS * COPIES) for side in "wb"}
        self.phase = "setup"
        self._start_block(0)
        return self

    # --- Who acts ---

    @property
    def side(self) -> str:
        """Whose turn it is; in a reward still the capturer's."""
        return SETUP_BLOCKS[self.block][0] if self.phase == "setup" else "wb"[self.turn % 2]

    @property
    def to_act(self) -> str | None:
        if self.over:
            return None
        return AGENTS[ENEMY[self.side] if self.phase == "reward" else self.side]

    def _menu(self) -> Menu:
        if self.phase == "action":
            return self._action_menu()
        if self.phase in SCENE_KEYS:
            return self._scene_menu()
        # setup, draw, reward: a tile from the reserve of the side whose turn it is
        deed = {"setup": self._pick, "draw": self._draw, "reward": self._reward}[self.phase]
        pile = self.reserves[self.side]
        menu: Menu = {f"+{x}": partial(deed, x) for x in LETTERS if pile[x] > 0}
        if self.phase == "draw":
            menu["."] = partial(self._end_action, None)  # P10
        return menu

    def _action_menu(self) -> Menu:
        menu = self._tile_menu(AGENTS[self.side], self.side)
        for letter in LETTERS:
            if self.reserves[self.side][letter] > 0:
                menu[f"+{letter}"] = partial(self._draw, letter)
        return menu or {".": partial(self._end_action, None, forced_pass=True)}  # P14

    # --- Setup and draws ---

    def _start_block(self, block: int) -> None:
        self.block = block
        if block == len(SETUP_BLOCKS):
            self.phase, self.left = "action", 0
        else:
            self.left = SETUP_BLOCKS[block][1]

    def _take(self, letter: str) -> None:
        """A tile goes from the reserve to the hand of the side whose turn it is."""
        self.reserves[self.side][letter] -= 1
        self.hands[AGENTS[self.side]][letter] += 1

    def _pick(self, letter: str) -> None:
        self._take(letter)
        self.left -= 1
        if self.left == 0:
            self._start_block(self.block + 1)

    def _draw(self, letter: str) -> None:
        if self.phase == "action":
            self.phase, self.left = "draw", 3
        self._take(letter)
        self.left -= 1
        if self.left == 0 or self.reserves[self.side].total() == 0:  # P10
            self._end_action(None)

    # --- From the end of the action to the next turn ---

    def _end_tile_action(self, scene: Scene) -> None:
        self._end_action(scene.tile if scene.shifted else None)

    def _end_action(self, shifted: str | None, forced_pass: bool = False) -> None:
        enemy = ENEMY[self.side]
        counted = count_turn(self.board, self.side, shifted)  # P7: before captures
        self.board, fallen = capture(counted, enemy)  # P11
        self.lost[enemy] += len(fallen)
        self.left = 0
        rewards = self._outcome(self.side)  # P13: before rewards
        if rewards is None and forced_pass and self.passed:
            rewards = dict.fromkeys(self.agents, 0)  # P14
        self.passed = forced_pass
        if rewards is not None:
            self._finish(rewards)
        else:
            self.phase, self.left = "reward", len(fallen)
            self._go_on()

    def _outcome(self, side: str) -> dict[str, int] | None:
        """P13, P17: the rewards if the game ends after the capture phase of a side."""
        if points(self.board, side) >= 10:
            return {AGENTS[side]: 1, AGENTS[ENEMY[side]]: -1}
        if all(self.lost[s] >= 13 and points(self.board, s) <= 5 for s in "wb"):
            return dict.fromkeys(self.agents, 0)
        return None

    def _reward(self, letter: str) -> None:
        self._take(letter)
        self.left -= 1
        self._go_on()

    def _go_on(self) -> None:
        """P12: rewards go on while any are due and the capturer's reserve holds a tile."""
        if self.left == 0 or self.reserves[self.side].total() == 0:
            self.left = 0
            self._next_turn()

    # --- States ---

    def _pending(self) -> dict[str, Any] | None:
        if self.phase == "action" and self.passed:
            return {"passed": True}
        return super()._pending()

    @classmethod
    def from_state(
        cls, state: Mapping[str, Any], *, num_players: int = 2, max_turns: int | None = 400
    ) -> Paiko:
        whole_number(num_players, "num_players", 2, 2)
        self = cls(max_turns)
        read = Reader(state, cls.game)
        self.phase = read.word("phase", PHASES, "action")
        agent = read.word("to_act", [None] if self.phase == "over" else self.agents)
        self.board = read.board(lambda tile: tile.side != "r" and not (tile.hero or tile.busy), "L")
        self.hands = read.letters("hands", self.agents)
        self.reserves = read.letters("reserves", "wb")
        self.lost = read.lost()
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
            # White's last pick of its seven, or its eighth: told apart by Black's hand.
            picked = self.hands[AGENTS["b"]].total() > 0
            left = read.pending(("left",))["left"]
            self.block = 1 if agent == AGENTS["b"] else 2 if picked and left == 1 else 0
            return
        first = (agent == AGENTS["b"]) != (self.phase == "reward")
        self.turn = read.number("turn", int(first))
        if self.to_act != agent:
            raise RuleError(f"turn is {self.turn} in phase {self.phase}: not a turn of {agent}")

    def _read_pending(self, read: Reader) -> None:
        if self.phase == "action" and read.state.get("pending") is not None:
            passed = read.pending(("passed",))["passed"]
            if passed is not True:
                raise RuleError(f"pending: passed is {passed!r}, expected true")
            self.passed = True
            return
        fields = read.pending(PENDING_KEYS.get(self.phase, ()))
        if self.phase in SCENE_KEYS:
            self.scene = read_scene(fields, self.phase, self.board, self.side, tires=False)
        elif fields:
            most: dict[str, int | None] = {"draw": 2, "reward": None}
            if self.phase == "setup":
                most["setup"] = SETUP_BLOCKS[self.block][1]
            self.left = whole_number(fields["left"], "pending: left", 1, most[self.phase])
            if self.reserves[self.side].total() == 0:
                raise RuleError(f"the reserve of {self.side!r} is empty in phase {self.phase}")

    def _read_end(self) -> None:
        """Why a game that is over has ended, which gives its rewards."""
        mover = "wb"[(self.turn - self.truncated) % 2]
        rewards = self._outcome(mover)
        if self.truncated and rewards is not None:
            raise RuleError(f"truncated is True, but the game had ended: {rewards}")
        if rewards is None and not self.truncated:
            for side in "wb":  # P14: else neither side had anything to draw or to deploy
                drawn = self.reserves[side].total() > 0
                if drawn or self._deployments(AGENTS[side], side, tires=False):
                    raise RuleError("phase is 'over', but nothing has ended the game")
        self._finish(rewards or dict.fromkeys(self.agents, 0))
