"""The referee of Shikoku: slow, plain, and written from the rules alone.

Numbers such as S5 cite `rulings.md`; the texts of moves and states are those of `notation.md`.
"""

from __future__ import annotations

from collections.abc import Iterator
from copy import deepcopy
from fractions import Fraction
from itertools import combinations
from typing import Any

CARDS = range(1, 34)
TOP = 33  # the pagoda
STAND_IN_TABLE = [1 + (card - 1) % 6 for card in CARDS]  # S1


class RuleError(ValueError):
    """A move, a state or an option that the rules do not allow."""


class Shikoku:
    """One game, hidden cards included. A row maps each card to the seat that owns it."""

    def __init__(self, num_players: int, step_table: list[int] | None = None) -> None:
        self.n = _integer("num_players", num_players, 3, 8)  # S2
        table = STAND_IN_TABLE if step_table is None else step_table
        table = _list("step_table", table, 33, 33)  # S1
        self.table = [_integer("step_table", icons, 1, 32) for icons in table]
        self.agents = [f"player_{seat}" for seat in range(self.n)]
        self.steps = [1] * self.n  # S3
        self.hands: list[set[int]] = [set() for _ in self.agents]
        self.known: list[set[int]] = [set() for _ in self.agents]  # S8: the public part of hands
        self.deck: set[int] = set(CARDS)
        self.row: dict[int, int] = {}
        self.previous_row: dict[int, int] = {}
        self.removed: set[int] = set()
        self.order: list[int] = []
        self.turn = 0
        self.phase = "setup"
        self.drew = False  # did the last seat draw in the collecting under way? (S5)
        self.waiting: list[tuple[str, int]] = []  # chance events due now: ("deal", seat) ...

    @classmethod
    def start(cls, num_players: int, step_table: list[int] | None = None) -> Shikoku:
        """A new game, before its first card is dealt."""
        game = cls(num_players, step_table)
        seats = range(num_players)
        # S3, in the order of notation.md: all hands, seat by seat, then the setup row.
        game.waiting = [("deal", seat) for seat in seats for _ in range(3)]
        game.waiting += [("reveal", seat) for seat in seats]
        return game

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.phase == "over"

    @property
    def to_act(self) -> str | None:
        """The agent to act, "chance" when a card is to be turned up, None at the end."""
        if self.waiting:
            return "chance"
        if self.over:
            return None
        return self.agents[self._seat_to_act()]

    def _seat_to_act(self) -> int:
        if self.phase == "play":
            return self.order[len(self.row)]  # one card each, so as many seats have played
        return self.order[self.n - len(self.previous_row)]  # as many seats have taken

    def legal(self) -> list[str]:
        """The moves of the agent to act, sorted as texts."""
        if self.waiting or self.over:
            return []
        if self.phase == "play":
            return sorted(f"play {card}" for card in self.hands[self._seat_to_act()])
        return sorted(f"take {card}" for card in self.previous_row)  # S5: the own card too

    def chance(self) -> dict[str, Fraction]:
        """The outcomes of the chance event that is due; every card of the deck is as likely."""
        if not self.waiting:
            return {}
        kind, seat = self.waiting[0]
        return {f"{kind} {seat} {card}": Fraction(1, len(self.deck)) for card in sorted(self.deck)}

    @property
    def rewards(self) -> dict[str, int]:
        """S6 and S7."""
        if not self.over:
            return dict.fromkeys(self.agents, 0)
        ranks = sorted(set(self.steps), reverse=True)  # shared steps are one rank
        winning: set[int] = set()
        if len(ranks) >= 2:  # S6: on a single step nobody wins
            winning.add(ranks[1])
            if self.n >= 5:
                winning.add(ranks[-2])
        winning.discard(TOP)  # S6: with two ranks, second from the bottom is the top
        return {a: 1 if self.steps[s] in winning else -1 for s, a in enumerate(self.agents)}

    def play(self, agent: str, move: str) -> None:
        """Make a move or, as the agent "chance", turn up a card."""
        if self.over or agent != self.to_act:
            raise RuleError(f"agent is {agent!r}, expected {self.to_act!r}")
        allowed = list(self.chance()) if self.waiting else self.legal()
        if move not in allowed:
            raise RuleError(f"move of {agent} is {move!r}, expected one of {', '.join(allowed)}")
        card = int(move.split()[-1])
        if self.waiting:
            self._turn_up(card)
        elif self.phase == "play":
            self._play_card(card)
        else:
            self._take_card(card)

    def _turn_up(self, card: int) -> None:
        kind, seat = self.waiting.pop(0)
        self.deck.remove(card)
        if kind == "deal":
            self.hands[seat].add(card)  # S8: private
        else:
            self.previous_row[card] = seat
        if self.phase == "setup" and not self.waiting:
            for climber in range(self.n):  # S3: nobody is held back, and the game does not end
                self._climb(climber, self.previous_row)
            self.order = _turn_order(self.previous_row, lowest_last=False)  # S3
            self.phase = "play"

    def _climb(self, seat: int, row: dict[int, int]) -> None:
        (card,) = (card for card, owner in row.items() if owner == seat)
        self.steps[seat] = min(TOP, self.steps[seat] + self.table[card - 1])

    def _play_card(self, card: int) -> None:
        seat = self._seat_to_act()
        self.hands[seat].remove(card)
        self.known[seat].discard(card)  # S8
        self.row[card] = seat
        if len(self.row) < self.n:
            return
        # S4: everybody has played and the pilgrims climb.
        by_card = [self.row[c] for c in sorted(self.row)]
        held = {by_card[1]}
        if self.n >= 5:
            held.add(by_card[self.n - 2])
        for climber in by_card:
            if climber not in held:
                self._climb(climber, self.row)
        if TOP in self.steps:  # S6; S3: also a seat that stood there since the setup
            self.phase = "over"
            return
        # S5: collecting begins.
        self.phase = "take"
        self.order = _turn_order(self.row, lowest_last=True)
        self.drew = len(self.deck) > 0
        if self.drew:
            self.waiting = [("deal", self.order[-1])]

    def _take_card(self, card: int) -> None:
        seat = self._seat_to_act()
        del self.previous_row[card]
        self.hands[seat].add(card)
        self.known[seat].add(card)  # S8
        if len(self.previous_row) > 1:
            return
        # S5: one card is left. It leaves the game, or is the last seat's automatic take.
        (left,) = self.previous_row
        if self.drew:
            self.removed.add(left)
        else:
            self.hands[self.order[-1]].add(left)
            self.known[self.order[-1]].add(left)
        self.previous_row = self.row
        self.row = {}
        self.turn += 1
        self.phase = "play"

    def state_dict(self) -> dict[str, Any]:
        """The state of notation.md, in plain JSON values."""
        if self.waiting:
            raise RuleError("to_act is 'chance', expected an agent or the end to write a state")
        return {
            "deck": len(self.deck),
            "game": "shikoku",
            "hands": [sorted(hand) for hand in self.hands],
            "known": [sorted(cards) for cards in self.known],
            "legal": self.legal(),
            "order": list(self.order),
            "over": self.over,
            "phase": self.phase,
            "previous_row": [[card, self.previous_row[card]] for card in sorted(self.previous_row)],
            "removed": sorted(self.removed),
            "rewards": self.rewards,
            "row": [[card, self.row[card]] for card in sorted(self.row)],
            "steps": list(self.steps),
            "to_act": self.to_act,
            "truncated": False,  # a game of Shikoku never is
            "turn": self.turn,
        }

    @classmethod
    def from_state(cls, state: dict[str, Any], step_table: list[int] | None = None) -> Shikoku:
        """Read a state; what is missing gets its default, what contradicts itself is refused."""
        if not isinstance(state, dict):
            raise RuleError(f"state is {state!r}, expected an object")
        if state.get("game") != "shikoku":
            raise RuleError(f"game is {state.get('game')!r}, expected 'shikoku'")
        if "turn" not in state:  # the first turn that to_act, and all the rest, has
            try:
                return cls.from_state({**state, "turn": 0}, step_table)
            except RuleError as error:
                try:
                    return cls.from_state({**state, "turn": 1}, step_table)
                except RuleError:
                    raise error from None
        steps = _list("steps", state.get("steps"), 3, 8)  # S2
        game = cls(len(steps), step_table)
        game.steps = [_integer("steps", step, 1, TOP) for step in steps]
        game.phase = state.get("phase", "play")
        if game.phase not in ("play", "take", "over"):
            raise RuleError(f"phase is {game.phase!r}, expected 'play', 'take' or 'over'")
        game.turn = _integer("turn", state["turn"], 0, None)
        game._read_cards(state)
        game._check_phase()
        # What follows from the rest must be exactly this; sets of cards may be in any order.
        expected = game.state_dict()
        for key, value in state.items():
            if key not in expected:
                raise RuleError(f"unknown key {key!r}, expected only {', '.join(expected)}")
            if key not in ("hands", "known", "removed") and not _same(value, expected[key]):
                raise RuleError(f"{key} is {value!r}, expected {expected[key]!r}")
        return game

    def _read_cards(self, state: dict[str, Any]) -> None:
        hands = self._read_seats("hands", state)
        known = self._read_seats("known", state)
        self.row = self._read_row("row", state)
        self.previous_row = self._read_row("previous_row", state)
        removed = _cards("removed", state.get("removed", []))
        for hand in [*hands, list(self.row), list(self.previous_row), removed]:
            for card in hand:
                if card not in self.deck:
                    raise RuleError(f"card {card} is in two places, expected one at most")
                self.deck.remove(card)  # so the deck keeps what is nowhere else
        self.hands = [set(hand) for hand in hands]
        self.removed = set(removed)
        self.known = [set(cards) for cards in known]
        for seat, cards in enumerate(known):
            if not self.known[seat] <= self.hands[seat] or len(self.known[seat]) < len(cards):
                expected = f"cards of seat {seat}'s hand {sorted(self.hands[seat])}, each once"
                raise RuleError(f"known has {cards}, expected {expected}")

    def _read_seats(self, name: str, state: dict[str, Any]) -> list[list[int]]:
        lists = [_cards(name, cards) for cards in _list(name, state.get(name, []), 0, self.n)]
        return lists + [[] for _ in range(self.n - len(lists))]

    def _read_row(self, name: str, state: dict[str, Any]) -> dict[int, int]:
        row: dict[int, int] = {}
        for entry in _list(name, state.get(name, [])):
            card, seat = _list(name, entry, 2, 2)
            _integer(name, card, 1, 33)
            _integer(name, seat, 0, self.n - 1)
            if row and card <= max(row):
                raise RuleError(f"{name} has {card} after {max(row)}, expected ascending cards")
            if seat in row.values():
                raise RuleError(f"{name} has seat {seat} twice, expected one card a seat")
            row[card] = seat
        return row

    def _check_phase(self) -> None:
        """Find the order, and check that steps, rows and hands fit the phase."""
        n, playing, taking = self.n, self.phase == "play", self.phase == "take"
        on_top = TOP in self.steps
        if (on_top and (taking or (playing and self.turn > 0))) or (self.over and not on_top):
            expected = "a seat" if self.over else "no seat"  # S6; S3 for turn 0
            raise RuleError(f"steps is {self.steps} in {self.phase!r}, expected {expected} on 33")
        # A row that nobody is adding to or taking from has a card of every seat.
        _list("row", sorted(self.row), 0 if playing else n, n - 1 if playing else n)
        # S5: the last card of the previous row is never asked for.
        _list("previous_row", sorted(self.previous_row), 2 if taking else n, n)
        full: set[int] = set()  # the seats that have their card for a play in hand
        if taking:
            self.order = _turn_order(self.row, lowest_last=True)
            last, taken = self.order[-1], self.order[: n - len(self.previous_row)]
            # S5: with an empty deck only the hands tell whether there was a card to draw.
            asked = self._seat_to_act()
            self.drew = len(self.deck) > 0 or len(self.hands[last]) == len(self.hands[asked]) + 1
            full = {*taken, last} if self.drew else set(taken)
        else:
            self.order = _turn_order(self.previous_row, lowest_last=self.turn > 0)  # S3, S5
        if playing:
            played = self.order[: len(self.row)]
            if set(self.row.values()) != set(played):
                raise RuleError(f"row is {self.row}, expected cards of the seats {played}")
            full = set(self.order) - set(played)
        for seat, hand in enumerate(self.hands):
            low, high = (1, 3) if seat in full else (0, 2)
            _list(f"hand of seat {seat}", sorted(hand), low, high)


def hidden_deals(game: Shikoku, seat: int) -> Iterator[Shikoku]:
    """S8: every game that looks the same to `seat`, each once, all of them equally likely."""
    others = [other for other in range(game.n) if other != seat]
    hidden = {other: len(game.hands[other] - game.known[other]) for other in others}
    seen = {*game.hands[seat], *game.row, *game.previous_row, *game.removed}
    for other in others:
        seen |= game.known[other]

    def fill(seats: list[int], unseen: set[int]) -> Iterator[dict[int, set[int]]]:
        if not seats:
            yield {}
            return
        for cards in combinations(sorted(unseen), hidden[seats[0]]):
            for rest in fill(seats[1:], unseen - set(cards)):
                yield {seats[0]: set(cards), **rest}

    for hands in fill(others, set(CARDS) - seen):
        deal = deepcopy(game)
        deal.deck = set(CARDS) - seen
        for other, cards in hands.items():
            deal.hands[other] = game.known[other] | cards
            deal.deck -= cards
        yield deal


def _turn_order(row: dict[int, int], lowest_last: bool) -> list[int]:
    seats = [row[card] for card in sorted(row)]
    return seats[1:] + seats[:1] if lowest_last else seats


def _list(name: str, value: Any, low: int = 0, high: int = 33) -> list[Any]:
    if not isinstance(value, list):
        raise RuleError(f"{name} is or has {value!r}, expected a list")
    if not low <= len(value) <= high:
        expected = f"{low}" if low == high else f"{low} to {high}"
        raise RuleError(f"{name} is or has {value!r}, expected a list of length {expected}")
    return value


def _integer(name: str, value: Any, low: int, high: int | None) -> int:
    if type(value) is not int or value < low or (high is not None and value > high):
        limits = f"{low} or more" if high is None else f"{low} to {high}"
        raise RuleError(f"{name} is or has {value!r}, expected an integer, {limits}")
    return value


def _cards(name: str, value: Any) -> list[int]:
    return [_integer(name, card, 1, 33) for card in _list(name, value)]


def _same(one: Any, other: Any) -> bool:
    """Equality in which neither 1 and True nor 1 and 1.0 are equal."""
    if type(one) is not type(other) or one != other:
        return False
    if isinstance(one, dict):
        return all(_same(one[key], other[key]) for key in one)
    return not isinstance(one, list) or all(map(_same, one, other))
