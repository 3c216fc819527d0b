"""The Ronin Prince for four to seven, move by move: the slow referee of Ronin.

A round: chance deals hands, White makes its actions, every Black makes one, then both sides
capture.  What a hero can do on the board stands with the plain tiles' rules (R10).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from fractions import Fraction
from functools import partial
from typing import Any, NamedTuple

from .paiko_actions import Scene, completable, deployments
from .paiko_board import (
    COPIES,
    LETTERS,
    RuleError,
    Tile,
    capturable,
    capture,
    covered,
    points,
    threat,
)
from .paiko_game import Game, Menu
from .paiko_state import SCENE_KEYS, Reader, limit, read_scene, whole_number

__all__ = ["Ronin", "RuleError", "capturable", "covered", "threat"]

WHITE = "white_0"
WHITE_HEROES = 4  # R4: at most so many on the board
PRICE_KEYS = {"slide": (*SCENE_KEYS["slide"], "price"), "face": (*SCENE_KEYS["face"], "price")}
PENDING_KEYS = {**SCENE_KEYS, **PRICE_KEYS}
PHASES = ("hero", "action", "slide", "place", "face", "over")


class Table(NamedTuple):
    white_draws: int
    black_draws: int
    white_actions: int


# Number of Blacks -> what a round is made of.
TABLE = {3: Table(4, 3, 3), 4: Table(4, 2, 4), 5: Table(5, 2, 5), 6: Table(5, 1, 6)}


class Ronin(Game):
    game = "ronin"

    def __init__(self, num_players: int, max_rounds: int | None) -> None:
        whole_number(num_players, "num_players", 4, 7)
        self.blacks = [f"black_{i}" for i in range(num_players - 1)]
        super().__init__([WHITE, *self.blacks], limit(max_rounds, "max_rounds"))
        self.table = TABLE[len(self.blacks)]
        self.heroes: dict[str, str | None] = dict.fromkeys(self.blacks)
        self.bases: dict[str, str] = {}  # of the Blacks' heroes; White's stand with the tiles
        self.token: str | None = None
        self.actor = WHITE
        self.actions_left = 0
        self.price = 1  # of the action under way
        self.draws: list[str] = []  # who has still to draw in this round, one entry a tile
        # What chance decides next: a base, the token or a draw. A base waits for its hero:
        # either a Black's choice, or White's tile in the scene.
        self.chance_of: str | None = None
        self.awaiting: Scene | None = None

    @classmethod
    def start(cls, num_players: int = 4, max_rounds: int | None = 100) -> Ronin:
        self = cls(num_players, max_rounds)
        self.reserves = {side: Counter(LETTERS * COPIES) for side in "wb"}
        self.phase, self.actor = "hero", self.blacks[0]
        return self

    # --- Who acts ---

    @property
    def side(self) -> str:
        return self.actor[0]

    @property
    def to_act(self) -> str | None:
        if self.over:
            return None
        return self.actor if self.chance_of is None else "chance"

    def _menu(self) -> Menu:
        if self.chance_of is not None:
            return {move: partial(self._happen, move) for move in self.chance()}
        if self.phase == "hero":
            return self._hero_menu()
        if self.phase in SCENE_KEYS:
            return self._scene_menu()
        return self._action_menu()

    # --- Chance ---

    def chance(self) -> dict[str, Fraction]:
        if self.chance_of is None:
            return {}
        if self.chance_of == "token":
            return {f"token {agent}": Fraction(1, len(self.blacks)) for agent in self.blacks}
        if self.chance_of == "base":
            pile, what = self.reserves["w"], "base"
        else:
            pile, what = self.reserves[self.draws[0][0]], f"draw {self.draws[0]}"
        return {f"{what} {x}": Fraction(pile[x], pile.total()) for x in LETTERS if pile[x] > 0}

    def _happen(self, event: str) -> None:
        word, *rest = event.split()
        self.chance_of = None
        if word == "token":
            self.token = rest[0]
            self._start_round()
        elif word == "draw":
            agent, letter = rest
            self.reserves[agent[0]][letter] -= 1
            self.hands[agent][letter] += 1
            del self.draws[0]
            self._go_on_drawing()
        else:
            self.reserves["w"][rest[0]] -= 1
            self._lay_base(rest[0])

    def _lay_base(self, letter: str) -> None:
        if self.awaiting is None:  # R2: under the hero that a Black has just chosen
            self.bases[self.actor] = letter
            if self.actor == self.blacks[-1]:
                self.chance_of = "token"
            else:
                self.actor = self.blacks[self.blacks.index(self.actor) + 1]
        else:  # R4: under White's
            scene, self.awaiting = self.awaiting, None
            hero = scene.board[scene.tile]._replace(base=letter)
            self._enter(scene._replace(board={**scene.board, scene.tile: hero}))

    # --- Heroes ---

    def _hero_menu(self) -> Menu:
        """R2: a type that no other Black has."""
        if self.reserves["w"].total() == 0:
            return {}
        free = [x for x in LETTERS if x not in self.heroes.values() and self.reserves["b"][x] > 0]
        return {f"!{x}": partial(self._choose_hero, x) for x in free}

    def _choose_hero(self, letter: str) -> None:
        self.reserves["b"][letter] -= 1
        self.heroes[self.actor] = letter
        self.chance_of = "base"

    def _heroes_on_board(self, side: str) -> dict[str, str]:
        """Letter of a hero -> its square."""
        return {t.letter: s for s, t in self.board.items() if t.side == side and t.hero}

    # --- The round ---

    def _from_token(self) -> list[str]:
        """The Blacks, from the one with the token on."""
        first = self.blacks.index(str(self.token))
        return self.blacks[first:] + self.blacks[:first]

    def _start_round(self) -> None:
        """R3: hands go back, heroes aside, and new ones are drawn."""
        for agent, hand in self.hands.items():
            self.reserves[agent[0]] += hand
            self.hands[agent] = Counter()
        self.draws = [WHITE] * self.table.white_draws
        for agent in self._from_token():
            self.draws += [agent] * self.table.black_draws
        self._go_on_drawing()

    def _go_on_drawing(self) -> None:
        while self.draws and self.reserves[self.draws[0][0]].total() == 0:
            del self.draws[0]  # R3: only as many as are left
        if self.draws:
            self.chance_of = "draw"
        else:
            self._start_actions(WHITE)

    def _start_actions(self, agent: str) -> None:
        self.phase, self.actor, self.actions_left = "action", agent, self._full_number(agent)

    def _full_number(self, agent: str) -> int:
        return self.table.white_actions if agent == WHITE else 1

    def _action_menu(self) -> Menu:
        agent, side = self.actor, self.side
        menu: Menu = {".": partial(self._spend, 1)}  # R4: a pass is always allowed
        for move, scene in self._deployments(agent, side, tires=True).items():
            menu[move] = partial(self._deploy, agent, scene)
        for move, scene in self._shifts(self._movable(), tires=True).items():
            menu[move] = partial(self._enter, scene)
        return {**menu, **(self._white_hero_menu() if side == "w" else self._black_hero_menu())}

    def _movable(self) -> list[str]:
        """R4: the own side's tiles, but for another Black's hero."""
        return [square for square, tile in self.board.items() if self._may_touch(tile)]

    def _may_touch(self, tile: Tile) -> bool:
        own_hero = self.actor == WHITE or tile.letter == self.heroes[self.actor]
        return tile.side == self.side and (own_hero or not tile.hero)

    def _white_hero_menu(self) -> Menu:
        """R4: a tile of White's hand as a hero, for two actions."""
        heroes, menu = self._heroes_on_board("w"), Menu()
        if self.actions_left < 2 or len(heroes) >= WHITE_HEROES:
            return menu
        if self.reserves["w"].total() == 0:
            return menu
        for letter in LETTERS:
            if self.hands[WHITE][letter] > 0 and letter not in heroes:
                scenes = deployments(self.board, Tile("w", letter, hero=True), tires=True)
                for move, scene in completable(scenes).items():
                    menu[move] = partial(self._deploy_white_hero, scene)
        return menu

    def _deploy_white_hero(self, scene: Scene) -> None:
        self.hands[WHITE][scene.board[scene.tile].letter] -= 1
        self.price = 2
        self.chance_of, self.awaiting = "base", scene

    def _black_hero_menu(self) -> Menu:
        """R4: the own hero, from the hand onto the board or back."""
        letter, menu = self.heroes[self.actor], Menu()
        if letter is None:
            return menu
        square = self._heroes_on_board("b").get(letter)
        if square is None:
            scenes = deployments(self.board, Tile("b", letter, hero=True), tires=True)
            for move, scene in completable(scenes).items():
                menu[move] = partial(self._enter, scene)
        elif not self.board[square].busy:
            without = {place: tile for place, tile in self.board.items() if place != square}
            if not capturable(without, "b"):  # P5
                menu["<"] = partial(self._take_hero_back, without)
        return menu

    def _take_hero_back(self, without: dict[str, Tile]) -> None:
        self.board = without
        self._spend(1)

    def _end_tile_action(self, scene: Scene) -> None:
        tile = self.board[scene.tile]
        if scene.shifted:  # R6
            self.board = {**self.board, scene.tile: tile._replace(streak=tile.streak + 1)}
        self._spend(self.price)

    def _spend(self, price: int) -> None:
        self.phase, self.price = "action", 1
        self.actions_left -= price
        if self.actions_left > 0:
            return
        later = self._from_token()
        if self.actor != WHITE:
            later = later[later.index(self.actor) + 1 :]
        if later:
            self._start_actions(later[0])
        else:
            self._end_round()

    # --- The end of a round ---

    def _end_round(self) -> None:
        self.board = {  # R6, R7
            square: tile._replace(busy=False, streak=tile.streak if tile.busy else 0)
            for square, tile in self.board.items()
        }
        for victim in "bw":  # R7: White captures first
            self.board, fallen = capture(self.board, victim)
            for tile in fallen:
                self._return_captured(tile)
        rewards = self._outcome()
        if rewards is not None:
            self._finish(rewards)
            return
        self._next_turn()
        if not self.over:
            self.token = self._from_token()[1]
            self._start_round()

    def _return_captured(self, tile: Tile) -> None:
        """R8: to its colour's reserve, a hero's base to White's."""
        self.lost[tile.side] += 1
        self.reserves[tile.side][tile.letter] += 1
        if not tile.hero:
            return
        base = tile.base
        if tile.side == "b":
            owner = next(agent for agent in self.blacks if self.heroes[agent] == tile.letter)
            self.heroes[owner] = None
            base = self.bases.pop(owner)
        self.reserves["w"][base] += 1

    def _outcome(self) -> dict[str, int] | None:
        """R9: the rewards if a side has won."""
        white, black = points(self.board, "w"), points(self.board, "b")
        if black >= 10 and black >= white + 2:
            winner = "b"
        elif white >= 10:
            winner = "w"
        else:
            return None
        return {agent: 1 if agent[0] == winner else -1 for agent in self.agents}

    def _finish(self, rewards: dict[str, int]) -> None:
        super()._finish(rewards)
        self.actions_left = 0

    # --- States ---

    def _pending(self) -> dict[str, Any] | None:
        pending = super()._pending()
        return {**pending, "price": self.price} if pending and self.phase != "place" else pending

    def state_dict(self) -> dict[str, Any]:
        white_bases = {square: self.board[square].base for square in self._white_hero_squares()}
        return {
            **super().state_dict(),
            "token": self.token,
            "actions_left": self.actions_left,
            "heroes": dict(self.heroes),
            "bases": {**self.bases, **white_bases},
        }

    def _white_hero_squares(self) -> list[str]:
        return sorted(self._heroes_on_board("w").values())

    @classmethod
    def from_state(
        cls,
        state: Mapping[str, Any],
        *,
        num_players: int | None = None,
        max_rounds: int | None = 100,
    ) -> Ronin:
        read = Reader(state, cls.game, ["token", "actions_left", "heroes", "bases"])
        heroes = read.part("heroes", [f"black_{i}" for i in range(6)])
        if sorted(heroes) != [f"black_{i}" for i in range(max(3, len(heroes)))]:
            raise RuleError(
                f"heroes names {sorted(heroes)}: expected black_0 to black_2 .. black_5"
            )
        self = cls(len(heroes) + 1, max_rounds)
        if num_players not in (None, len(self.agents)):
            raise RuleError(f"heroes names {len(heroes)} Blacks, but num_players is {num_players}")
        self.phase = read.word("phase", PHASES, "action")
        agent = read.word("to_act", [None] if self.phase == "over" else self.agents)
        self.actor = agent or WHITE
        self.board = read.board(lambda tile: tile.side != "r", "L")
        self.hands = read.letters("hands", self.agents)
        self.reserves = read.letters("reserves", "wb")
        self.lost = read.lost()
        self.truncated = read.flag("truncated")
        choosing = self.phase == "hero"
        self.turn = read.number("turn", 0, 0, 0 if choosing else None)
        tokens = [None] if choosing else self.blacks
        self.token = read.word("token", tokens, tokens[0])
        self._read_heroes(heroes)
        self._read_bases(read)
        self._read_pending(read)
        full = 0 if self.phase in ("hero", "over") else self._full_number(self.actor)
        self.actions_left = read.number("actions_left", full, min(full, self.price), full)
        self._finish_reading(read)
        return self

    def _read_heroes(self, heroes: dict[str, Any]) -> None:
        for agent, letter in heroes.items():
            if letter is not None and (not isinstance(letter, str) or letter not in LETTERS):
                raise RuleError(f"the hero of {agent} is {letter!r}: expected a letter or null")
            if letter is not None and letter in self.heroes.values():
                raise RuleError(f"the hero of {agent} is {letter!r}, which another Black has")
            self.heroes[agent] = letter
        if self.phase == "hero":  # R2: in seat order
            chosen = [agent for agent in self.blacks if self.heroes[agent] is not None]
            if [*chosen, self.actor] != self.blacks[: len(chosen) + 1]:
                raise RuleError(f"{self.actor} is to choose a hero after {chosen}")
        seen = Counter((tile.side, tile.letter) for tile in self.board.values() if tile.hero)
        for (side, letter), number in seen.items():
            if number > 1:
                raise RuleError(f"{number} heroes {letter!r} of {side!r} are on the board")
            if side == "b" and letter not in self.heroes.values():
                raise RuleError(f"a black hero {letter!r} is on the board, but nobody has it")
        if len(self._white_hero_squares()) > WHITE_HEROES:
            raise RuleError(f"more than {WHITE_HEROES} white heroes are on the board")

    def _read_bases(self, read: Reader) -> None:
        owners = [agent for agent in self.blacks if self.heroes[agent]]
        owners += self._white_hero_squares()
        given = read.part("bases", owners)
        for owner in owners:
            letter = given.get(owner)
            if not isinstance(letter, str) or letter not in LETTERS:
                raise RuleError(f"the base of the hero of {owner} is {letter!r}: expected a letter")
            if owner in self.heroes:
                self.bases[owner] = letter
            else:
                self.board[owner] = self.board[owner]._replace(base=letter)

    def _read_pending(self, read: Reader) -> None:
        fields = read.pending(PENDING_KEYS.get(self.phase, ()))
        if not fields:
            return
        self.scene = read_scene(fields, self.phase, self.board, self.side, tires=True)
        tile = self.board[self.scene.tile]
        if not self._may_touch(tile):
            raise RuleError(f"{self.actor} may not touch the hero on {self.scene.tile}")
        if self.phase == "place":
            return
        new_hero = tile.side == "w" and tile.hero and not self.scene.shifted
        # A white hero that was deployed and has slid is shifted; so is one shifted for price 1.
        slid = self.phase == "face" and tile.side == "w" and tile.hero and not self.scene.barred
        most = 2 if new_hero or (slid and tile.streak == 0 and tile.facing == "N") else 1
        low = 2 if new_hero else 1
        self.price = whole_number(fields["price"], "pending: price", low, most)

    def _read_end(self) -> None:
        """Why a game that is over has ended, which gives its rewards."""
        rewards = self._outcome()
        if self.truncated != (rewards is None):
            raise RuleError(f"truncated is {self.truncated}, but the outcome is {rewards}")
        self._finish(rewards or dict.fromkeys(self.agents, 0))
