"""Any game as a Python game of OpenSpiel, so that OpenSpiel's own algorithms play it.

    import pyspiel
    import shikoku_env.openspiel  # registers tabletop_shikoku

    game = pyspiel.load_game("tabletop_shikoku(players=5)")

Needs the extra ``openspiel``. Parameters are ``players``, ``observation`` (a name of ``game.views``) and
the game's options; a list of integers is written with blanks, ``step_table=1 2 3 …``. Options that have
no plain default are left out. Games of a length without bounds are refused: OpenSpiel asks for a bound.

A state holds a ``Batch`` of one game whose chance is explicit. Strings of a seat tell no more than the
seat may know: the observation string lists the observation by the names of its blocks, and the
information state string adds a digest of its own actions and of its observations after every decision,
which all are taken to see (in games of perfect information, the moves). There is no information state
tensor, since observations do not recall the past.

OpenSpiel's algorithms in Python play these games. Its bots in C++ (``pyspiel.MCTSBot``) do not: up to
version 2.0.2 they crash on every game written in Python, OpenSpiel's own among them.
"""

from __future__ import annotations

import atexit
import base64
import hashlib
import math
import pickle
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import pyspiel

from tabletop_env.batch import Batch
from tabletop_env.doors import Doors
from tabletop_env.game import CHANCE, NOBODY, Game, Length

PREFIX = "tabletop_"
"""Before a game's name among OpenSpiel's."""
DIGEST = 16
"""Bytes that stand for a seat's past."""
UNTOLD = -1
"""In the history of a resampled state, the outcome of every chance event: ``pyspiel.INVALID_ACTION``."""
LONGEST = 2**31 - 1
"""OpenSpiel counts lengths with 32 bits."""


_registered: dict[str, Game] = {}


def register(doors: Doors) -> str:
    """Make a game known to OpenSpiel, if it is not yet; returns its name there, ``tabletop_shikoku``.

    ``doors`` are those of the game's module ``*_v0``; they say how many play where ``players`` is not given.
    ``ValueError`` if another game has the name.
    """
    name = PREFIX + doors.game.name
    if _registered.setdefault(name, doors.game) is not doors.game:
        raise ValueError(f"{name} is {_registered[name]!r} already, expected a name of its own")
    if name not in pyspiel.registered_names():
        kind = _game_type(name, doors)
        pyspiel.register_game(kind, lambda params: TabletopGame(doors.game, kind, params))
        atexit.register(pyspiel.register_game, kind, dict)  # see below
    return name


# OpenSpiel's table of games is cleared after Python has ended, when nothing of Python's may be freed. The
# entry is therefore replaced before, by something that stays: else every program would end in a crash.


def _game_type(name: str, doors: Doors) -> pyspiel.GameType:
    rules, about = doors.game, pyspiel.GameType
    chance = rules.num_outcomes > 1
    return about(
        short_name=name,
        long_name=rules.title,
        dynamics=about.Dynamics.SEQUENTIAL,
        chance_mode=(
            about.ChanceMode.EXPLICIT_STOCHASTIC if chance else about.ChanceMode.DETERMINISTIC
        ),
        information=(
            about.Information.PERFECT_INFORMATION
            if rules.perfect_information
            else about.Information.IMPERFECT_INFORMATION
        ),
        utility=about.Utility.ZERO_SUM if rules.zero_sum else about.Utility.GENERAL_SUM,
        reward_model=about.RewardModel.TERMINAL,
        max_num_players=rules.players[-1],
        min_num_players=rules.players[0],
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification={
            "players": doors.num_players,
            "observation": rules.check_view(None),
            **_option_defaults(rules),
        },
    )


# -- parameters ----------------------------------------------------------------------------------


def _option_defaults(rules: Game) -> dict[str, Any]:
    """The options that can be parameters, as such."""
    written = {name: _write(option.default) for name, option in rules.options.items()}
    return {name: value for name, value in written.items() if value is not None}


def _write(value: Any) -> Any:
    """An option's value as a parameter; ``None`` if it cannot be one."""
    if isinstance(value, list) and all(type(item) is int for item in value):
        return " ".join(map(str, value))
    return value if isinstance(value, bool | int | float | str) else None


def _read(rules: Game, name: str, value: Any) -> Any:
    """A parameter as the option's value."""
    if not isinstance(rules.options[name].default, list):
        return value
    try:
        return [int(number) for number in value.split()]
    except ValueError:
        raise ValueError(f"{name} is {value!r}, expected integers with blanks between") from None


# -- the game ------------------------------------------------------------------------------------


class TabletopGame(pyspiel.Game):
    """A game of this library with its number of players and options, as OpenSpiel has games.

    ``params`` has a value for each parameter; ``ValueError`` or ``TypeError`` name a bad one.
    """

    def __init__(self, rules: Game, kind: pyspiel.GameType, params: Mapping[str, Any]) -> None:
        players = rules.check_players(params["players"])
        names = [name for name in _option_defaults(rules) if name in params]
        options = {name: _read(rules, name, params[name]) for name in names}
        view = rules.check_view(params["observation"])
        start = Batch(rules, 1, players, explicit_chance=True, observation=view, **options)
        length = _bounds(rules, players, start.options)
        defaults = kind.parameter_specification
        info = pyspiel.GameInfo(
            num_distinct_actions=rules.num_actions,
            max_chance_outcomes=rules.num_outcomes if rules.num_outcomes > 1 else 0,
            num_players=players,
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=0.0 if rules.zero_sum else None,
            max_game_length=length.plies,
        )
        super().__init__(kind, info, {k: v for k, v in params.items() if v != defaults.get(k)})
        self.start = start
        self.past = () if rules.perfect_information else _begin_past(start)
        self._most_events = length.events

    def new_initial_state(self, json: Any = None) -> TabletopState:
        """The start of a game, before any deal."""
        if json is not None:
            raise ValueError("a game begins at its start only, and reads no states")
        return TabletopState(self)

    def max_chance_nodes_in_history(self) -> int:
        """Chance events that no game exceeds."""
        return self._most_events

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Observer | None:
        """Who turns states into what one seat sees; ``None``, as OpenSpiel has it, for any other kind."""
        if params:
            raise ValueError(f"params is {params!r}, but observers take none")
        if iig_obs_type is None:
            return Observer(self, recall=False)
        own = iig_obs_type.private_info == pyspiel.PrivateInfoType.SINGLE_PLAYER
        if not (iig_obs_type.public_info and own):
            return None
        return Observer(self, recall=iig_obs_type.perfect_recall)


def _bounds(rules: Game, players: int, options: Mapping[str, Any]) -> Length:
    length = rules.longest(players, options)
    if length is None:
        raise ValueError(
            f"{rules.title} with {options} may never end, but OpenSpiel asks for a bound"
        )
    if max(length) > LONGEST:
        raise ValueError(
            f"{rules.title} with {options} may take {max(length)} plies or chance events, "
            f"expected {LONGEST} at most"
        )
    return length


# -- what a seat sees ----------------------------------------------------------------------------


class Form(NamedTuple):
    """The shortest form of observation, from which strings and digests are made."""

    view: str
    shape: tuple[int, ...]
    places: list[tuple[str, str]]
    """Of each entry, in order: its block, and its number there, empty where it is the only one."""


@cache
def _form(rules: Game, players: int) -> Form:
    shapes = {name: view.shape(players) for name, view in rules.views.items()}
    view = min(shapes, key=lambda name: math.prod(shapes[name]))
    layout = rules.observation_layout(view, players)
    each = math.prod(shapes[view]) // layout.size  # a block may count channels
    places = []
    for block in layout:
        size = block.size * each
        places += [(block.name, str(i) if size > 1 else "") for i in range(size)]
    return Form(view, shapes[view], places)


def _sights(games: Batch, seats: Sequence[int]) -> npt.NDArray[np.int8]:
    """(S, size) int8: what each of S seats of the one game sees, in the shortest form."""
    form = _form(games.game, games.num_players)
    who = np.array(seats, np.int8)
    out = np.empty((len(who), *form.shape), np.int8)
    games.game.loops.observe[form.view](np.repeat(games.state, len(who)), who, out)
    return out.reshape(len(who), len(form.places))


def _begin_past(games: Batch) -> tuple[bytes, ...]:
    """Of each seat, the digest of a past that begins here."""
    seats = range(games.num_players)
    return tuple(_longer(b"", NOBODY, sight) for sight in _sights(games, seats))


def _longer(past: bytes, action: int, sight: npt.NDArray[np.int8]) -> bytes:
    """The digest of a past, then the seat's own action (or ``NOBODY``), then what it sees."""
    more = past + action.to_bytes(4, "little", signed=True) + sight.tobytes()
    return hashlib.blake2b(more, digest_size=DIGEST).digest()


# -- a state -------------------------------------------------------------------------------------


class TabletopState(pyspiel.State):
    """A game under way; OpenSpiel copies and pickles what its attributes hold."""

    def __init__(self, game: TabletopGame) -> None:
        super().__init__(game)
        self._games = game.start.copy()
        self._past = game.past

    @property
    def games(self) -> Batch:
        """A copy of the game as a batch of one: for pictures, or to leave OpenSpiel."""
        return self._games.copy()

    def current_player(self) -> int:
        """The seat to act, or OpenSpiel's number of chance or of the end."""
        seat = int(self._games.seat[0])
        if seat >= 0:
            return seat
        return pyspiel.PlayerId.CHANCE if seat == CHANCE else pyspiel.PlayerId.TERMINAL

    def is_terminal(self) -> bool:
        """Whether the game is over, or was cut off."""
        return bool(self._games.seat[0] == NOBODY)

    def returns(self) -> list[float]:
        """What each seat has got: zeros until the game is over."""
        return self._games.rewards[0].tolist()

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """The possible outcomes of the chance event due, each with its probability."""
        chance = self._games.chance[0]
        possible = np.flatnonzero(chance)
        return list(zip(possible.tolist(), chance[possible].tolist(), strict=True))

    def _legal_actions(self, player: int) -> list[int]:
        return np.flatnonzero(self._games.legal[0]).tolist()

    def _apply_action(self, action: int) -> None:
        """``ValueError`` says why an action (or outcome) cannot be made; nothing has changed then."""
        actor = int(self._games.seat[0])
        self._games.step([action])
        if self._past:
            sights = _sights(self._games, range(len(self._past)))
            self._past = tuple(
                _longer(past, action if seat == actor else NOBODY, sights[seat])
                for seat, past in enumerate(self._past)
            )

    def _action_to_string(self, player: int, action: int) -> str:
        rules, row = self._games.game, self._games.state[0]
        chance = player == pyspiel.PlayerId.CHANCE
        count = rules.num_outcomes if chance else rules.num_actions
        if not 0 <= action < count:
            kind = "outcome" if chance else "action"
            raise ValueError(f"{kind} is {action}, expected 0..{count - 1}")
        return (rules.outcome_text if chance else rules.action_text)(row, action)

    def __str__(self) -> str:
        """All of the state, as in a terminal."""
        return self._games.game.text(self._games.state[0], None)

    def observe(self, player: int) -> npt.NDArray[np.int8]:
        """(1, *shape) int8: what a seat sees, in the form that the game was loaded with."""
        return self._games.observe(player)

    def observed(self, player: int, *, recall: bool) -> str:
        """What a seat sees, block by block: the numbers of the entries that are 1, ``:`` before other
        values than 1, nothing of those that are 0. With ``recall`` the seat's past follows.
        """
        games = self._games
        places = _form(games.game, games.num_players).places
        (sight,) = _sights(games, [player])
        blocks: dict[str, list[str]] = {}
        for entry in np.flatnonzero(sight).tolist():
            (block, number), value = places[entry], sight[entry]
            more = f"{number}:{value}" if value != 1 else number
            blocks.setdefault(block, []).append(more if number else str(value))
        text = " ".join([games.agents[player], *(f"{k}={','.join(v)}" for k, v in blocks.items())])
        if not recall:
            return text
        return f"{text}\npast {self._past[player].hex() if self._past else self.history_str()}"

    def resample_from_infostate(
        self, player: int, probability_sampler: Callable[[], float]
    ) -> TabletopState:
        """Another state that, for all it sees, seat ``player`` could be in; see ``Batch.resample_hidden``.

        The other seats' pasts begin with the resampled state. Which outcomes of chance led there is not made
        up: the history keeps the decisions, which everybody has seen, and has ``UNTOLD`` for every outcome.
        """
        games = self._games.copy()
        games.resample_hidden(seat=player, seed=int(probability_sampler() * 2**53))
        if games.game.perfect_information:
            return self.clone()
        past = list(_begin_past(games))
        past[player] = self._past[player]
        other = self._with_history_untold()
        other._games, other._past = games, tuple(past)
        return other

    def _with_history_untold(self) -> TabletopState:
        """A state with this one's decisions as its history; OpenSpiel sets one only by reading a state."""
        chance = int(pyspiel.PlayerId.CHANCE)
        made = (
            f"{step.player}:{UNTOLD if step.player == chance else step.action}"
            for step in self.full_history()
        )
        attributes = base64.b64encode(pickle.dumps({})).decode()
        return self.get_game().deserialize_state(
            f"history={','.join(made)}\nmove_number={self.move_number()}\n__dict__={attributes}"
        )


class Observer:
    """What a seat sees, as an array and as a string.

    ``tensor`` (size,) float32 and ``dict["observation"]``, its view in the observation's shape, are
    written by ``set_from``. With ``recall`` there is a string alone: ``tensor`` is None.
    """

    def __init__(self, game: TabletopGame, *, recall: bool) -> None:
        self._recall = recall
        self.tensor: npt.NDArray[np.float32] | None = None
        self.dict: dict[str, npt.NDArray[np.float32]] = {}
        if not recall:
            shape = game.start.observation_shape
            self.tensor = np.zeros(math.prod(shape), np.float32)
            self.dict["observation"] = self.tensor.reshape(shape)

    def set_from(self, state: TabletopState, player: int) -> None:
        """Write what seat ``player`` sees into ``tensor``."""
        if self.tensor is not None:
            self.dict["observation"][...] = state.observe(player)[0]

    def string_from(self, state: TabletopState, player: int) -> str:
        """What seat ``player`` sees, with its past if that was asked for."""
        return state.observed(player, recall=self._recall)
