"""What the three games of Paikō share: playing a move from a menu, and writing the state.

A game builds a *menu*: the text of every legal move with the deed that carries it out.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from functools import partial
from typing import Any, ClassVar

from .paiko_actions import Scene, completable, deployments, follow, shifts
from .paiko_board import LETTERS, RuleError, Tile, points, write_tile
from .paiko_state import Reader, refuse_capturable, write_letters, write_scene

Menu = dict[str, Callable[[], None]]


class Game:
    """A position with everything that belongs to it; subclasses know whose turn it is and why."""

    game: ClassVar[str]
    sides: ClassVar[str] = "wb"  # whose tiles may be on the board

    def __init__(self, agents: list[str], limit: int | None) -> None:
        self.agents = agents
        self.limit = limit  # P15, R9: how many turns the game may last
        self.board: dict[str, Tile] = {}
        self.hands: dict[str, Counter[str]] = {
            agent: Counter() for agent in agents if agent != "red_0"
        }
        self.reserves: dict[str, Counter[str]] = {"w": Counter(), "b": Counter()}
        self.lost = {"w": 0, "b": 0}
        self.turn = 0
        self.phase = "action"
        self.scene: Scene | None = None  # in place, slide and face
        self.left = 0  # in setup, draw and reward
        self.over = False
        self.truncated = False
        self.rewards = dict.fromkeys(agents, 0)
        self._menu_now: Menu | None = None

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_menu_now": None}  # a copy makes its own menu

    # --- Whoever is to act, and what they may do ---

    @property
    def to_act(self) -> str | None:
        raise NotImplementedError

    def _menu(self) -> Menu:
        raise NotImplementedError

    def _current_menu(self) -> Menu:
        if self._menu_now is None:
            self._menu_now = {} if self.over else self._menu()
        return self._menu_now

    def legal(self) -> list[str]:
        return [] if self.to_act == "chance" else sorted(self._current_menu())

    def play(self, agent: str, move: str) -> None:
        if agent != self.to_act:
            raise RuleError(f"{agent!r} plays {move!r}: expected {self.to_act!r} to act")
        menu = self._current_menu()
        if not isinstance(move, str) or move not in menu:
            some = ", ".join(sorted(menu)[:12]) + (", ..." if len(menu) > 12 else "")
            raise RuleError(f"{move!r} is not legal for {agent}: expected one of {some}")
        self._menu_now = None
        menu[move]()

    # --- Tiles under way ---

    def _deployments(self, agent: str, side: str, tires: bool) -> dict[str, Scene]:
        """Deploys from the hand that can be completed."""
        scenes: dict[str, Scene] = {}
        for letter in LETTERS:
            if self.hands[agent][letter] > 0:
                scenes |= deployments(self.board, Tile(side, letter), tires=tires)
        return completable(scenes)

    def _deploy(self, agent: str, scene: Scene) -> None:
        self.hands[agent][scene.board[scene.tile].letter] -= 1
        self._enter(scene)

    def _shifts(self, squares: Iterable[str], tires: bool) -> dict[str, Scene]:
        return completable(shifts(self.board, squares, tires=tires))

    def _tile_menu(self, agent: str, side: str) -> Menu:
        """Deploys, shifts and lifts in the game for two and the Valley."""
        own = [square for square, tile in self.board.items() if tile.side == side]
        menu: Menu = {}
        for move, scene in self._deployments(agent, side, tires=False).items():
            menu[move] = partial(self._deploy, agent, scene)
        for move, scene in self._shifts(own, tires=False).items():
            menu[move] = partial(self._enter, scene)
        return menu

    def _scene_menu(self) -> Menu:
        """The next moves of the tile under way, in place, slide and face."""
        assert self.scene is not None
        after = completable(follow(self.scene))
        return {move: partial(self._enter, scene) for move, scene in after.items()}

    def _enter(self, scene: Scene) -> None:
        self.board = scene.board
        if scene.phase == "done":
            self.scene = None
            self._end_tile_action(scene)
        else:
            self.scene, self.phase = scene, scene.phase

    def _end_tile_action(self, scene: Scene) -> None:
        raise NotImplementedError

    # --- The end ---

    def _finish(self, rewards: dict[str, int]) -> None:
        """The end of the game; a reward for each agent, in the order of the agents."""
        self.over, self.phase = True, "over"
        self.rewards = {agent: rewards[agent] for agent in self.agents}

    def _next_turn(self) -> None:
        self.turn += 1
        self.phase = "action"
        if self.turn == self.limit:  # P15, R9
            self.truncated = True
            self._finish(dict.fromkeys(self.agents, 0))

    # --- Writing and reading ---

    def _pending(self) -> dict[str, Any] | None:
        if self.phase in ("setup", "draw", "reward"):
            return {"left": self.left}
        return None if self.scene is None else write_scene(self.scene)

    def _shown_board(self) -> dict[str, str]:
        """The board as text: a tile under way is not yet marked as busy."""
        board = dict(self.board)
        if self.scene is not None:
            board[self.scene.tile] = board[self.scene.tile]._replace(busy=False)
        return {square: write_tile(tile) for square, tile in sorted(board.items())}

    def state_dict(self) -> dict[str, Any]:
        if self.to_act == "chance":
            raise RuleError("a state is written only when an agent is to act or the game is over")
        return {
            "game": self.game,
            "to_act": self.to_act,
            "phase": self.phase,
            "turn": self.turn,
            "over": self.over,
            "truncated": self.truncated,
            "rewards": dict(self.rewards),
            "legal": self.legal(),
            "board": self._shown_board(),
            "hands": {agent: write_letters(hand) for agent, hand in self.hands.items()},
            "reserves": {side: write_letters(pile) for side, pile in self.reserves.items()},
            "points": {side: points(self.board, side) for side in "wb"},
            "lost": dict(self.lost),
            "pending": self._pending(),
        }

    def _read_end(self) -> None:
        raise NotImplementedError

    def _finish_reading(self, read: Reader) -> None:
        """How the game ended, if it did, and what must hold of every state that is read back."""
        if self.phase == "over":
            self._read_end()
        elif self.truncated:
            raise RuleError(f"truncated is True in phase {self.phase}: expected phase 'over'")
        at_limit = self.limit is not None and self.turn >= self.limit
        if at_limit != self.truncated or (at_limit and self.turn != self.limit):
            raise RuleError(
                f"turn is {self.turn} with truncated {self.truncated}:"
                f" expected less than the limit {self.limit}, or both at it"
            )
        refuse_capturable(self.board, self.sides, self.phase)
        if not self.over and not self.legal():
            raise RuleError(f"{self.to_act!r} can do nothing in phase {self.phase}")
        read.check_following(self.state_dict())
