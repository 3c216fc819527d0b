"""Game records: written, replayed and checked. One JSON object a game, as the notation has it.

A record holds every move and every chance event, so that a replay needs no seed and no random numbers.
A record that was read is a plain dict; ``Record(game, record)`` is the same, and shows in notebooks.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from tabletop_env.batch import Batch
from tabletop_env.check import check_count, check_seed
from tabletop_env.game import Game
from tabletop_env.loops import SKIP
from tabletop_env.notation import rewards_dict, same, state_dict
from tabletop_env.policies import choose_actions, seat_policies

FORMAT = "tabletop-record-1"
KEYS = ("format", "game", "agents", "options", "seed", "moves", "rewards", "truncated")
CHUNK = 256
"""Games that are played side by side while records are written."""


class RecordError(ValueError):
    """A record breaks the rules or the format; ``index`` is the entry in ``moves``, or ``None``."""

    def __init__(self, message: str, index: int | None = None) -> None:
        super().__init__(message if index is None else f"moves[{index}]: {message}")
        self.index = index


class Record(dict[str, Any]):
    """A record that knows its game: the plain JSON object, and what a notebook shows of it.

    It is not checked here; ``check_record`` does so.
    """

    def __init__(self, game: Game, record: Mapping[str, Any]) -> None:
        super().__init__(record)
        self.game = game

    def replay(self) -> Batch:
        """The game played to its end, a batch of one with explicit chance; ``RecordError`` if it is wrong."""
        check_record(self.game, self)
        games = begin(self.game, len(self["agents"]), self["options"])
        for agent, move in self["moves"]:
            follow(games, agent, move)
        return games

    def html(self, viewer: str | None = None) -> str:
        """Header, result, moves and the last picture: all of it, or what ``viewer`` may know.

        A record tells everything and its game is over, so that by default all lies open. What is wrong
        with a record that breaks a rule is said in place of moves and picture.
        """
        from tabletop_env.display import facts_of_game, fragment, moves, view
        from tabletop_env.render import viewer_name

        try:
            games = self.replay()
        except RecordError as error:
            return fragment({"game": self.game.title, "this is no record": error})
        name, artist = viewer_name(games, viewer), self.game.artist
        heard = (
            (agent, move if artist is None else artist.heard(agent, move, name))
            for agent, move in self["moves"]
        )
        facts = facts_of_game(games, 0)
        if name is None:  # who knows the seed, knows every deal
            facts |= {"seed": self["seed"]}
        return fragment(facts, moves(heard, len(self["moves"])), view(games, 0, name))

    def _repr_html_(self) -> str:
        return self.html()

    def __reduce__(self) -> Any:
        return type(self), (self.game, dict(self))


def write_records(
    game: Game,
    num_players: int,
    num_games: int,
    *,
    seed: int = 0,
    policies: Any = "random",
    full: bool = False,
    **options: Any,
) -> Iterator[Record]:
    """Play games and yield their records; bad arguments raise at once.

    Parameters
    ----------
    seed
        Game k has the seed ``seed + k``, and is the game that an environment begins with that seed.
    policies
        Who plays: one policy for all seats, a list in seat order, or a dict by agent.
    full
        Whether records have ``states`` too.
    """
    check_count("num_games", num_games)
    check_seed(seed, num_games)
    game.check_options(options)  # or an argument of Batch would pass for a rule
    players = seat_policies(game, game.check_players(num_players), policies)

    def chunks() -> Iterator[Record]:
        for start in range(0, num_games, CHUNK):
            count, first = min(CHUNK, num_games - start), seed + start
            games = Batch(game, count, num_players, seed=first, explicit_chance=True, **options)
            yield from _play(games, players, first, full)

    return chunks()


def _play(games: Batch, players: Any, seed: int, full: bool) -> list[Record]:
    """Play a batch to its end and write it down."""
    moves: list[list[list[str]]] = [[] for _ in range(games.num_games)]
    states: list[list[dict[str, Any]]] = [[] for _ in range(games.num_games)]
    while len(rows := np.flatnonzero(~games.done)):
        actions = choose_actions(games, players, rows)
        games._check_actions(games._spread(actions, rows, SKIP), games._chosen(rows))
        for row, action in zip(rows.tolist(), actions.tolist(), strict=True):
            agent = games.agent(row)
            if full and agent != "chance":
                states[row].append(state_dict(games, row))
            moves[row].append([str(agent), games.action_text(row, action)])
        games.step(actions, rows)
    records = []
    for row in range(games.num_games):
        record = {
            "format": FORMAT,
            "game": games.game.name,
            "agents": games.agents,
            "options": games.game.changed_options(games.options),
            "seed": seed + row,
            "moves": moves[row],
            "rewards": rewards_dict(games, row),
            "truncated": bool(games.truncated[row]),
        }
        if full:
            record["states"] = [*states[row], state_dict(games, row)]
        records.append(Record(games.game, record))
    return records


def begin(game: Game, num_players: int, options: Any) -> Batch:
    """One game with explicit chance, ready to follow a list of moves."""
    if not isinstance(options, dict):
        raise ValueError(f"options is {options!r}, expected an object")
    game.check_options(options)  # or an argument of Batch would pass for a rule
    return Batch(game, 1, num_players, explicit_chance=True, **options)


def follow(games: Batch, agent: Any, text: Any) -> None:
    """Make one entry of a move list in a batch of one game; ``ValueError`` if it may not be made."""
    due = games.agent(0)
    if due is None:
        raise ValueError(f"{text!r} of {agent!r} comes after the end of the game")
    if agent != due:
        raise ValueError(f"{agent!r} is not to act, expected {due!r}")
    if not isinstance(text, str):
        raise ValueError(f"{text!r} is no move, expected a text")
    action = games.read_action(0, text)
    possible = games.chance[0] if due == "chance" else games.legal[0]
    if not possible[action]:
        phase = games.game.phase(games.state[0])
        raise ValueError(f"{text!r} of {due} is not possible in phase {phase}")
    games.step([action])


def check_record(game: Game, record: Any) -> None:
    """Replay a record with the kernels; ``RecordError`` says what is wrong and where."""
    agents = _check_form(game, record)
    try:
        games = begin(game, len(agents), record["options"])
    except (TypeError, ValueError) as error:
        raise RecordError(str(error)) from None
    if agents != games.agents:
        raise RecordError(f"agents are {agents}, expected {games.agents}")
    changed = game.changed_options(games.options)
    if not same(record["options"], changed):
        raise RecordError(f"options are {record['options']}, expected what differs: {changed}")
    states = record.get("states")
    seen = 0
    for index, entry in enumerate(record["moves"]):
        if not isinstance(entry, list) or len(entry) != 2:
            raise RecordError(f"{entry!r} is no pair of agent and move", index)
        try:
            if states is not None and games.agent(0) not in ("chance", None):
                _check_state(games, states, seen)
                seen += 1
            follow(games, *entry)
        except ValueError as error:
            raise RecordError(str(error), index) from None
    if not games.done[0]:
        raise RecordError("the moves end before the game does", len(record["moves"]))
    if states is not None:
        try:
            _check_state(games, states, seen)
        except ValueError as error:
            raise RecordError(str(error), len(record["moves"])) from None
        if len(states) != seen + 1:
            raise RecordError(f"states has {len(states)} entries, expected {seen + 1}")
    rewards = rewards_dict(games, 0)
    given = record["rewards"]
    if not same(given, rewards) or list(given) != list(rewards):
        raise RecordError(f"rewards are {given}, expected {rewards}")
    truncated = bool(games.truncated[0])
    if record["truncated"] is not truncated:
        raise RecordError(f"truncated is {record['truncated']!r}, expected {truncated}")


def _check_form(game: Game, record: Any) -> list[str]:
    """Keys and kinds of a record; returns its agents."""
    if not isinstance(record, dict):
        raise RecordError(f"a record is a JSON object, not {record!r}")
    if record.get("format") != FORMAT:
        raise RecordError(f"format is {record.get('format')!r}, expected {FORMAT!r}")
    keys = [*KEYS, "states"] if "states" in record else list(KEYS)
    if list(record) != keys:
        raise RecordError(f"keys are {list(record)}, expected {keys} in this order")
    if record["game"] != game.name:
        raise RecordError(f"game is {record['game']!r}, expected {game.name!r}")
    for key in ("agents", "moves", *(["states"] if "states" in record else [])):
        if not isinstance(record[key], list):
            raise RecordError(f"{key} is {record[key]!r}, expected a list")
    if record["seed"] is not None:
        try:
            check_seed(record["seed"])
        except ValueError as error:
            raise RecordError(str(error)) from None
    return record["agents"]


def _check_state(games: Batch, states: list[Any], seen: int) -> None:
    """Whether the recorded state ``seen`` is the state of the game."""
    if seen >= len(states):
        raise ValueError(f"states has only {len(states)} entries")
    own, given = state_dict(games, 0), states[seen]
    if same(given, own):
        return
    if not isinstance(given, dict):
        raise ValueError(f"states[{seen}] is {given!r}, expected an object")
    for key in sorted({*own, *given}):
        if key not in given or key not in own or not same(given[key], own[key]):
            found, right = (repr(s[key]) if key in s else "nothing" for s in (given, own))
            raise ValueError(f"states[{seen}]: {key!r} is {found}, expected {right}")
