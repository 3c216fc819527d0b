"""The contract of a game: what the rules must say so that every door can be opened for them.

A game in play is one *row* of a numpy structured array. Rules are kernels that read and change one
row; they know neither batches nor environments. A new game is a subclass of ``Game`` with its row's
dtype, its ``Kernels``, and its texts; ``tests/tic_tac_toe.py`` is a complete small one.
"""

from __future__ import annotations

import copy
import operator
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

import numpy as np
import numpy.typing as npt

from tabletop_env.layout import Layout

if TYPE_CHECKING:
    from tabletop_env.artist import Artist
    from tabletop_env.loops import Loops
    from tabletop_env.policies import BatchPolicy

NOBODY = -1
"""``row["seat"]`` when the game is over."""
CHANCE = -2
"""``row["seat"]`` when a chance event is due."""

Row = Any
"""One game: a ``numpy.void`` of the game's dtype, a view into its array (a numba Record inside kernels)."""

StateDict = dict[str, Any]
"""A state as plain JSON values, as the notation has it."""


def row_dtype(fields: Sequence[tuple[Any, ...]]) -> np.dtype:
    """The dtype of a game's row: the header that every game shares, then ``fields``.

    The header:

    ========= ===== ===================================================================
    field     dtype meaning
    ========= ===== ===================================================================
    rng       u8    chance stream; nobody sees it
    choice    u8    stream of moves chosen at random; nobody sees it
    plies     i4    decisions made since the start, chance not counted
    players   i1    number of seats
    seat      i1    seat to act, ``CHANCE`` or ``NOBODY``
    truncated u1    1 when the game was cut off by a limit of length
    ========= ===== ===================================================================
    """
    header: list[tuple[Any, ...]] = [
        ("rng", np.uint64),
        ("choice", np.uint64),
        ("plies", np.int32),
        ("players", np.int8),
        ("seat", np.int8),
        ("truncated", np.uint8),
    ]
    return np.dtype(header + list(fields), align=True)


class Kernels(NamedTuple):
    """The rules: kernels over one row. Every one leaves the row consistent and raises nothing."""

    start: Callable[..., Any]
    """``start(row)``: begin a game in a row that holds options and streams and is zero elsewhere."""
    apply: Callable[..., Any]
    """``apply(row, action)``: make a legal action of the seat to act; stops at chance, if any.
    The caller has counted it in ``plies`` before."""
    apply_chance: Callable[..., Any]
    """``apply_chance(row, outcome)``: let a possible outcome of the chance event due happen."""
    write_legal: Callable[..., Any]
    """``write_legal(row, mask)``: set every entry of ``mask`` (A,) bool: may the seat to act do it?"""
    write_chance: Callable[..., Any]
    """``write_chance(row, probabilities)``: set every entry (C,) float64 for the event due."""
    write_rewards: Callable[..., Any]
    """``write_rewards(row, rewards)``: set every entry (P,) float32 of a finished game, from -1 to 1."""
    sample_action: Callable[..., Any]
    """``sample_action(row)``: a legal action, each equally likely, by the choice stream."""
    sample_chance: Callable[..., Any]
    """``sample_chance(row)``: an outcome of the event due, by the chance stream."""
    resample_hidden: Callable[..., Any]
    """``resample_hidden(row, seat)``: redraw by the chance stream all that ``seat`` cannot see."""


@dataclass(frozen=True)
class View:
    """One form of observation.

    ``write(row, seat, out)`` is a kernel that sets every entry of ``out``, an int8 array of
    ``shape(players)``; ``high(players)`` is the largest value of each entry (the least is 0 unless
    ``low`` says otherwise), broadcast to the shape.
    """

    write: Callable[..., Any]
    shape: Callable[[int], tuple[int, ...]]
    high: Callable[[int], Any]
    low: Callable[[int], Any] = lambda players: 0


@dataclass(frozen=True)
class Option:
    """A rule that a player of the library may set, such as ``step_table``.

    ``check`` turns a given value into plain JSON form, or raises ``ValueError`` or ``TypeError``.
    """

    default: Any
    check: Callable[[Any], Any]
    about: str


class Length(NamedTuple):
    """How long a game can get: bounds that no game exceeds, however it is played."""

    plies: int
    """Decisions of all seats together."""
    events: int = 0
    """Chance events."""


class Game(ABC):
    """Rules of one game, for all its player counts. Subclasses have one instance each, a module constant."""

    name: ClassVar[str]
    """In records and on the command line: ``shikoku``."""
    title: ClassVar[str]
    """For readers: ``Shikoku``."""
    version: ClassVar[int] = 0
    """Raised when a change of rules or spaces breaks what was trained before."""
    package: ClassVar[str]
    """Top-level package of the sources, for the cache key of kernels."""
    constant: ClassVar[str]
    """Name of the module constant that holds the only instance; pickles refer to it."""
    players: ClassVar[range]
    """Allowed numbers of players."""
    row: ClassVar[np.dtype]
    kernels: ClassVar[Kernels]
    views: ClassVar[Mapping[str, View]]
    """Forms of observation by name; the first is the default."""
    options: ClassVar[Mapping[str, Option]] = {}
    num_actions: ClassVar[int]
    num_outcomes: ClassVar[int] = 1
    """Size of the numbering of chance outcomes; 1 where nothing is left to chance."""
    perfect_information: ClassVar[bool] = False
    """Every seat sees all of the state at any time, so that ``resample_hidden`` has nothing to redraw."""
    zero_sum: ClassVar[bool] = False
    """The rewards of all seats always add up to zero."""
    derived_keys: ClassVar[tuple[str, ...]] = ()
    """Keys of the game's own state that follow from others: checked when given, never needed."""
    policies: ClassVar[Mapping[str, BatchPolicy]] = {}
    """Named policies beside ``random``; each fair to what its seat may see."""
    estimate: ClassVar[Callable[..., Any] | None] = None
    """A kernel ``estimate(row, returns)`` for search: a guess of the (P,) float32 returns of a game that is
    not over, each within the bounds of its rewards. With one, playouts are cut short."""
    artist: ClassVar[Artist | None] = None
    """Who draws the game; without one there are no pictures, and ``text`` has to be written."""

    # -- what a subclass says in words -------------------------------------------------------

    @abstractmethod
    def agents(self, num_players: int) -> list[str]:
        """Names of the seats, in seat order."""

    @abstractmethod
    def action_text(self, row: Row, action: int) -> str:
        """The text in the notation of an action, 0..A-1, which may be illegal."""

    @abstractmethod
    def read_action(self, row: Row, text: str) -> int:
        """The number of a move's text; ``ValueError`` if it is no move of this game. May be illegal."""

    @abstractmethod
    def outcome_text(self, row: Row, outcome: int) -> str:
        """Text of a chance outcome of the event due."""

    @abstractmethod
    def read_outcome(self, row: Row, text: str) -> int:
        """The number of a chance outcome's text; ``ValueError`` if it does not fit the event due."""

    @abstractmethod
    def phase(self, row: Row) -> str:
        """The phase's word in the notation."""

    @abstractmethod
    def state_dict(self, row: Row) -> StateDict:
        """All of a state but the keys that ``tabletop_env.notation`` adds for every game."""

    @abstractmethod
    def count_players(self, state: StateDict) -> int:
        """How many players a state is about; ``ValueError`` if it does not say."""

    @abstractmethod
    def read_state(self, state: StateDict, row: Row) -> None:
        """Set up ``row`` (options set, zero elsewhere) from a state; ``ValueError`` names what is wrong."""

    @abstractmethod
    def action_layout(self) -> Layout:
        """The blocks of the action numbers."""

    @abstractmethod
    def observation_layout(self, view: str, num_players: int) -> Layout:
        """The blocks of an observation."""

    def seen_actions(self, num_players: int) -> npt.NDArray[np.int64]:
        """Which action each number stands for in the eyes of each seat.

        Where a game turns its observations to the observer's side, its action numbers stay as they are.
        A network that plays several seats has to turn them as well: it chooses among
        ``legal[seen_actions[seat]]`` and plays ``seen_actions[seat, choice]``.

        Returns
        -------
        (P, A) int64
            A permutation for each seat; here each is the identity.
        """
        return np.tile(np.arange(self.num_actions), (num_players, 1))

    def action_grid(self) -> npt.NDArray[np.int64] | None:
        """Where actions lie on the board, for convolutional policies; None where there is no board.

        Returns
        -------
        (K, rows, columns) int64
            Number of the action (as seen, see ``seen_actions``) at each plane and cell, -1 where there
            is none. Actions that lie nowhere are missing.
        """
        return None

    def write_options(self, row: Row, options: Mapping[str, Any]) -> None:
        """Store checked options in a row; a game that has options says how."""
        if options:
            raise NotImplementedError(f"{self.title} has options, but does not store them")

    def longest(self, num_players: int, options: Mapping[str, Any]) -> Length | None:
        """Bounds of the game's length under all its (checked) options; ``None`` where there are none."""
        return None

    # -- what follows ------------------------------------------------------------------------

    def text(self, row: Row, viewer: int | None) -> str:
        """Lines for a terminal: all of the state, or what seat ``viewer`` may see of it."""
        if self.artist is None:
            raise NotImplementedError(f"{self.title} has neither an artist nor lines of its own")
        scene = self.scene(row)
        return self.artist.text(scene, None if viewer is None else list(scene["rewards"])[viewer])

    def scene(self, row: Row) -> StateDict:
        """The state that pictures and lines are drawn from: without legal moves, with zero rewards.

        It is there while a chance event is due, too; ``to_act`` is then ``chance``.
        """
        seat, agents = int(row["seat"]), self.agents(int(row["players"]))
        to_act = {NOBODY: None, CHANCE: "chance"}
        return {
            "game": self.name,
            "to_act": agents[seat] if seat >= 0 else to_act[seat],
            "phase": self.phase(row),
            "over": seat == NOBODY,
            "truncated": bool(row["truncated"]),
            "rewards": dict.fromkeys(agents, 0),
            "legal": [],
            **self.state_dict(row),
        }

    @cached_property
    def loops(self) -> Loops:
        """Kernels over many rows, made once for the game."""
        from tabletop_env.loops import make_loops

        return make_loops(self)

    def check_players(self, num_players: Any) -> int:
        """``num_players`` as an int, or an error that names the allowed range."""
        try:
            count = operator.index(num_players)
        except TypeError:
            count = None
        if count is None or isinstance(num_players, bool) or count not in self.players:
            low, high = self.players[0], self.players[-1]
            allowed = f"{low}" if low == high else f"{low}..{high}"
            raise ValueError(f"num_players is {num_players!r}, but {self.title} takes {allowed}")
        return count

    def check_options(self, options: Mapping[str, Any]) -> dict[str, Any]:
        """Every option, given or default, in plain JSON form."""
        unknown = sorted(set(options) - set(self.options))
        if unknown:
            known = ", ".join(self.options) or "none"
            raise TypeError(f"unknown option {unknown[0]!r} of {self.title} (options: {known})")
        return {
            name: option.check(options[name]) if name in options else copy.copy(option.default)
            for name, option in self.options.items()
        }

    def changed_options(self, options: Mapping[str, Any]) -> dict[str, Any]:
        """The options that differ from their defaults, as a record keeps them."""
        return {k: v for k, v in options.items() if v != self.options[k].default}

    def blank_row(self, num_players: int, options: Mapping[str, Any]) -> np.ndarray:
        """A (1,) array whose row has the number of players and the options, and is zero elsewhere."""
        blank = np.zeros(1, self.row)
        blank["players"] = num_players
        self.write_options(blank[0], options)
        return blank

    def check_view(self, observation: str | None) -> str:
        """The name of a form of observation; ``None`` is the default one."""
        if observation is None:
            return next(iter(self.views))
        if observation not in self.views:
            raise ValueError(
                f"observation is {observation!r}, but {self.title} has {', '.join(self.views)}"
            )
        return observation

    def __reduce__(self) -> str:
        return self.constant

    def __repr__(self) -> str:
        return f"<{self.title}>"
