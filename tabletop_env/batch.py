"""``Batch``: many games of one kind, stepped together; for self-play, search and benchmarks.

The games are a structured array, ``games.state``, whose dtype is the game's data dictionary. What a
trainer needs after every step (``seat``, ``legal``, ``rewards`` …) are arrays that are kept up to date
in place: copy them if an old value is to be kept.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Self

import numpy as np
import numpy.typing as npt

from tabletop_env.check import (
    check_count,
    check_seed,
    describe,
    integers,
    row_index,
    seat_array,
    seed_array,
)
from tabletop_env.complaint import complaint
from tabletop_env.game import CHANCE, NOBODY, Game, StateDict
from tabletop_env.loops import SKIP
from tabletop_env.threads import run_slices

if TYPE_CHECKING:
    from tabletop_env.svg import Picture

NO_LIMIT = np.iinfo(np.int32).max
"""More plies than any game is played on."""

Rows = Any
"""Which games: ``None`` for all, a (B,) bool array, or distinct integers in 0..B-1."""


class Batch:
    """``num_games`` games side by side.

    Parameters
    ----------
    game
        The rules.
    num_games
        B, 1 or more.
    num_players
        P, where the game allows several.
    seed
        Game i is the game that ``env.reset(seed=seed + i)`` begins: 0 <= seed, seed + B <= 2**64.
    num_threads
        The rows are dealt out to so many threads. No result depends on it.
    explicit_chance
        If true, a game stops at every chance event: its ``seat`` is ``CHANCE``, its row of
        ``chance`` has the probabilities, and ``step`` takes an outcome's number as its action.
    observation
        The form of observation, a name of ``game.views``.
    options
        The game's rule options.

    Attributes
    ----------
    state : (B,) structured array
        The rows. A row may be overwritten by another (``state[i] = state[j]``); call ``refresh``
        afterwards.
    seat : (B,) int8
        Seat to act, ``CHANCE`` (-2) or ``NOBODY`` (-1).
    legal : (B, A) bool
        Mask of the legal actions of the seat to act; all false where none is.
    chance : (B, C) float64
        Probabilities of the outcomes of the chance event due; (0, C) unless chance is explicit.
    rewards : (B, P) float32
        What each seat has got: zeros until the game is over.
    terminated : (B,) bool
        Ended by the rules.
    truncated : (B,) bool
        Cut off by a limit of length.

    Notes
    -----
    All attributes but ``state`` are read-only views.
    """

    def __init__(
        self,
        game: Game,
        num_games: int,
        num_players: int,
        *,
        seed: int = 0,
        num_threads: int = 1,
        explicit_chance: bool = False,
        observation: str | None = None,
        **options: Any,
    ) -> None:
        self.game = game
        self.num_games = check_count("num_games", num_games)
        self.num_players = game.check_players(num_players)
        self.num_threads = check_count("num_threads", num_threads)
        self.explicit_chance = bool(explicit_chance)
        self.observation = game.check_view(observation)
        self.options = game.check_options(options)
        self.agents = game.agents(self.num_players)
        self.observation_shape = game.views[self.observation].shape(self.num_players)
        self._blank = game.blank_row(self.num_players, self.options)
        self._allocate(np.repeat(self._blank, self.num_games))
        self.reset(seeds=seed)

    def _allocate(self, state: np.ndarray) -> None:
        count = len(state)
        self.num_games = count
        self.state = state
        self._seat = np.zeros(count, np.int8)
        self._legal = np.zeros((count, self.game.num_actions), np.bool_)
        chances = count if self.explicit_chance else 0
        self._chance = np.zeros((chances, self.game.num_outcomes), np.float64)
        self._rewards = np.zeros((count, self.num_players), np.float32)
        self._terminated = np.zeros(count, np.bool_)
        self._truncated = np.zeros(count, np.bool_)
        self._everybody = np.ones(count, np.bool_)
        self.seat, self.legal = _read_only(self._seat), _read_only(self._legal)
        self.chance, self.rewards = _read_only(self._chance), _read_only(self._rewards)
        self.terminated = _read_only(self._terminated)
        self.truncated = _read_only(self._truncated)

    @property
    def num_actions(self) -> int:
        """A, the size of the action numbering."""
        return self.game.num_actions

    @property
    def done(self) -> npt.NDArray[np.bool_]:
        """(B,) bool: ``terminated | truncated``, a new array."""
        return self._seat == NOBODY

    @property
    def plies(self) -> npt.NDArray[np.int32]:
        """(B,) int32: decisions made in each game so far; a view."""
        return self.state["plies"]

    # -- playing -----------------------------------------------------------------------------

    def reset(self, rows: Rows = None, seeds: Any = None) -> None:
        """Begin anew in ``rows``.

        ``seeds`` is one integer (game i of the batch gets ``seeds + i``), or one for each of the
        rows. Without seeds the streams of the rows go on, so that the next game is another one.
        """
        if seeds is not None:
            self._seed_rows(self._index(rows), seeds)
        self._run(
            self.game.loops.reset,
            self.state,
            self._mask(rows),
            self._blank,
            self.explicit_chance,
            *self._outputs(),
        )

    def step(self, actions: Any, rows: Rows = None) -> None:
        """Make one action in each of ``rows``.

        Parameters
        ----------
        actions
            One integer for each of the rows: an action of the seat to act, an outcome where chance
            is due, and ``SKIP`` (-1), nothing else, where the game is over.

        Raises
        ------
        ValueError
            If any of them may not be made; then no game was touched.
        """
        index = self._index(rows)
        count = self.num_games if index is None else len(index)
        moves = self._spread(integers("actions", actions, count), index, SKIP)
        chosen = self._chosen(index)
        self._check_actions(moves, chosen)
        self._run(
            self.game.loops.step,
            self.state,
            moves,
            chosen,
            self.explicit_chance,
            *self._outputs(),
        )

    def sample_legal(self, rows: Rows = None) -> npt.NDArray[np.int64]:
        """Actions for ``step(actions, rows)``, each legal one equally likely.

        They come from the rows' own streams, so a game does not depend on its neighbours. Where a game
        has many actions they are drawn from the mask, and a playout draws others, as likely. ``SKIP``
        where a game is over; where chance is due, an outcome by its probability.
        """
        index = self._index(rows)
        actions = np.empty(self.num_games, np.int64)
        self._run(self.game.loops.sample, self.state, self._legal, self._chosen(index), actions)
        return actions if index is None else actions[index]

    def playout(self, until: Any = None, max_plies: int | None = None) -> npt.NDArray[np.int32]:
        """Play every game at random to its end, in place.

        Parameters
        ----------
        until
            A seat, or a seat for each game (B,): stop where this seat is to act, at once if it is so
            already.
        max_plies
            Stop a game after so many plies. A game without a limit of length may never end, and the
            kernel that plays it cannot be interrupted.

        Returns
        -------
        (B,) int32
            The number of plies that each game was played on. Rewards are in ``rewards``. Chance
            happens by itself here, also where it is explicit otherwise.
        """
        seats = self._seats(NOBODY if until is None else until, nobody=until is None)
        most = NO_LIMIT if max_plies is None else min(NO_LIMIT, check_count("max_plies", max_plies))
        plies = np.empty(self.num_games, np.int32)
        self._run(self.game.loops.playout, self.state, seats, most, plies)
        self.refresh()
        return plies

    def observe(self, seats: Any = None, out: np.ndarray | None = None) -> npt.NDArray[np.int8]:
        """What a seat of each game may see.

        Parameters
        ----------
        seats
            One seat, or one for each game (B,); by default the seat to act (zeros where none is).
        out
            Array to write to: (B, *observation_shape) int8, C-contiguous.

        Returns
        -------
        (B, *observation_shape) int8
            ``out``, or a new array.
        """
        who = self._seat if seats is None else self._seats(seats)
        shape = (self.num_games, *self.observation_shape)
        if out is None:
            out = np.empty(shape, np.int8)
        elif not (
            isinstance(out, np.ndarray)
            and out.shape == shape
            and out.dtype == np.int8
            and out.flags.c_contiguous
            and out.flags.writeable
        ):
            raise ValueError(
                f"out is {describe(out)}, expected a writable C-contiguous {shape} array of int8"
            )
        self._run(self.game.loops.observe[self.observation], self.state, who, out)
        return out

    # -- copies, and what search needs -------------------------------------------------------

    def copy(self) -> Self:
        """An independent copy of all games, streams included."""
        return self.take(np.arange(self.num_games))

    def take(self, rows: Any) -> Self:
        """A new batch of copies of the given games: a (B,) bool array, or integers (with repeats)."""
        index = row_index(rows, self.num_games)
        if not len(index):
            raise ValueError("rows is empty, expected at least one game")
        other = type(self).__new__(type(self))
        other.__dict__.update(self.__dict__)
        other._allocate(self.state[index])
        other.refresh()
        return other

    def refresh(self, rows: Rows = None) -> None:
        """Write the outputs of ``rows`` afresh from ``state``, after they were changed by hand.

        What a game keeps in a row although it follows from the rest (its ``state`` says what and how)
        has to be set by hand as well.
        """
        self._run(self.game.loops.refresh, self.state, self._mask(rows), *self._outputs())

    def reseed(self, rows: Rows = None, seed: Any = None) -> None:
        """Give rows new streams: one integer (``seed + i`` for game i), or one for each row.

        A search must do so with its copies, or it would know the chance to come.
        """
        if seed is None:
            raise TypeError("reseed needs a seed")
        self._seed_rows(self._index(rows), seed)

    def resample_hidden(self, rows: Rows = None, seat: Any = None, seed: Any = None) -> None:
        """Redraw all that ``seat`` cannot see, consistently with all it has seen.

        Parameters
        ----------
        seat
            One seat, or one for each game (B,); by default the seat to act.
        seed
            As in ``reseed``: the rows get new streams as well.
        """
        if seed is None:
            raise TypeError("resample_hidden needs a seed")
        index = self._index(rows)
        chosen = self._chosen(index)
        seats = self._seats(self._seat if seat is None else seat, nobody=seat is None)
        if (seats[chosen] < 0).any():
            game = int(np.flatnonzero(chosen & (seats < 0))[0])
            raise ValueError(f"nobody is to act in game {game}: name the seat that looks")
        seeds = self._seeds(index, seed)
        self._run(self.game.loops.resample, self.state, chosen, seats, seeds)
        self.refresh()

    # -- states and texts --------------------------------------------------------------------

    def state_dict(self, row: int = 0) -> StateDict:
        """Game ``row`` as plain JSON values, in the notation; ``ValueError`` while chance is due."""
        from tabletop_env.notation import state_dict

        return state_dict(self, self._row(row))

    def load_state_dict(self, row: int, state: StateDict) -> None:
        """Set game ``row`` up from a state in the notation; its streams go on, ``plies`` begin at 0.

        ``ValueError`` says what is wrong in the state; nothing has changed then.
        """
        from tabletop_env.notation import load_state_dict

        load_state_dict(self, self._row(row), state)

    def render(self, row: int = 0, mode: str = "rgb_array", viewer: Any = None, **how: Any) -> Any:
        """Game ``row`` as an ``rgb_array`` (height, width, 3) uint8, as ``svg`` or as ``ansi`` text.

        ``viewer`` is an agent or a seat whose view it is; by default all lies open. ``how``: ``dark``,
        ``width`` in pixels, ``overlay`` (a name of ``game.artist.overlays``), ``last`` and ``targets``
        (moves and spots to be marked).
        """
        from tabletop_env.render import render

        return render(self, self._row(row), mode, viewer, **how)

    def picture(self, row: int = 0, viewer: Any = None, **marks: Any) -> Picture:
        """Game ``row`` as a picture, which notebooks show; ``marks`` as for ``render``."""
        from tabletop_env.render import draw

        return draw(self, self._row(row), viewer, **marks)

    def action_text(self, row: int, action: int) -> str:
        """The text of an action (or of a chance outcome, where one is due) in game ``row``."""
        row = self._row(row)
        words = self.game.outcome_text if self._seat[row] == CHANCE else self.game.action_text
        return words(self.state[row], int(action))

    def read_action(self, row: int, text: str) -> int:
        """The number of an action's (or outcome's) text in game ``row``; legal or not."""
        row = self._row(row)
        read = self.game.read_outcome if self._seat[row] == CHANCE else self.game.read_action
        return read(self.state[row], text)

    def agent(self, row: int = 0) -> str | None:
        """Who is to act in game ``row``: an agent, ``chance``, or None when it is over."""
        seat = int(self._seat[self._row(row)])
        if seat >= 0:
            return self.agents[seat]
        return "chance" if seat == CHANCE else None

    # -- inner workings ----------------------------------------------------------------------

    def _outputs(self) -> tuple[np.ndarray, ...]:
        return (
            self._seat,
            self._legal,
            self._chance,
            self._rewards,
            self._terminated,
            self._truncated,
        )

    def _run(self, loop: Callable[..., Any], *arguments: Any) -> None:
        """Call a loop on all rows, in slices where there are several threads."""
        threads = min(self.num_threads, self.num_games)
        if threads == 1:
            loop(*arguments)
            return
        run_slices(loop, arguments, self._blank, self.num_games, threads)

    def _row(self, row: int) -> int:
        try:
            index = operator.index(row)
        except TypeError:
            index = -1
        if not 0 <= index < self.num_games:
            raise IndexError(f"row is {row!r}, expected an integer in 0..{self.num_games - 1}")
        return index

    def _index(self, rows: Rows) -> np.ndarray | None:
        """Distinct rows as integers; ``None`` for all of them."""
        if rows is None:
            return None
        index = row_index(rows, self.num_games)
        chosen = self._chosen(index)
        if np.count_nonzero(chosen) != len(index):
            raise ValueError("rows names a game twice, expected distinct games")
        return index

    def _mask(self, rows: Rows) -> npt.NDArray[np.bool_]:
        """(B,) bool: the rows, where their order does not matter."""
        if (
            isinstance(rows, np.ndarray)
            and rows.dtype == np.bool_
            and rows.shape == (self.num_games,)
            and rows.flags.carray  # kernels compile for one layout only
        ):
            return rows
        return self._chosen(self._index(rows))

    def _chosen(self, index: np.ndarray | None) -> npt.NDArray[np.bool_]:
        """(B,) bool: the rows of an index."""
        if index is None:
            return self._everybody
        chosen = np.zeros(self.num_games, np.bool_)
        chosen[index] = True
        return chosen

    def _spread(self, values: np.ndarray, index: np.ndarray | None, rest: int) -> np.ndarray:
        """(B,) array with ``values`` in the rows of ``index`` and ``rest`` elsewhere."""
        if index is None:
            return values
        spread = np.full(self.num_games, rest, values.dtype)
        spread[index] = values
        return spread

    def _check_actions(self, moves: np.ndarray, chosen: np.ndarray) -> None:
        row = self.game.loops.first_illegal(moves, chosen, self._seat, self._legal, self._chance)
        if row >= 0:
            raise ValueError(complaint(self, row, int(moves[row])))

    def _seats(self, seats: Any, *, nobody: bool = False) -> npt.NDArray[np.int8]:
        """One seat, or one for each game, as a (B,) array."""
        return seat_array(seats, self.num_games, self.num_players, CHANCE if nobody else 0)

    def _seed_rows(self, index: np.ndarray | None, seeds: Any) -> None:
        chosen, values = self._chosen(index), self._seeds(index, seeds)
        self._run(self.game.loops.reseed, self.state, chosen, values)

    def _seeds(self, index: np.ndarray | None, seeds: Any) -> npt.NDArray[np.uint64]:
        """(B,) seeds: ``seeds + i``, or those given for the rows of ``index``."""
        if np.ndim(seeds) == 0:
            first = check_seed(seeds, self.num_games)
            return np.uint64(first) + np.arange(self.num_games, dtype=np.uint64)
        values = seed_array(seeds, self.num_games if index is None else len(index))
        return self._spread(values, index, 0)

    def __getstate__(self) -> dict[str, Any]:
        names = ("game", "num_players", "num_threads", "explicit_chance", "observation", "options",
                 "agents", "observation_shape", "_blank", "state")  # fmt: skip
        return {name: self.__dict__[name] for name in names}  # outputs follow from the state

    def __setstate__(self, saved: dict[str, Any]) -> None:
        self.__dict__.update(saved)
        self._allocate(self.state)
        self.refresh()

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        return self.copy()

    __copy__ = copy

    def __repr__(self) -> str:
        return (
            f"<Batch of {self.num_games} games of {self.game.title} "
            f"for {self.num_players}, {int(self.done.sum())} over>"
        )

    def _repr_html_(self) -> str:
        """What a notebook shows: a table, and game 0 as the agent to act sees it."""
        from tabletop_env.display import facts_of_batch, fragment, onlooker, view

        return fragment(facts_of_batch(self), view(self, 0, onlooker(self, 0)))


def _read_only(array: np.ndarray) -> np.ndarray:
    view = array.view()
    view.flags.writeable = False
    return view
