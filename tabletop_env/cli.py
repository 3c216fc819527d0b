"""The command line of every game: record, check, view, state, perft, play and bench.

A game's package calls ``main`` with its games; with more than one, ``--game`` chooses.
"""

from __future__ import annotations

import argparse
import io
import json
import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import IO, Any, TypeVar

from tabletop_env.batch import Batch
from tabletop_env.game import Game
from tabletop_env.notation import state_dict
from tabletop_env.policies import find_policy, policy_names
from tabletop_env.record import RecordError, begin, check_record, follow, write_records

T = TypeVar("T")


def main(games: Sequence[Game], program: str, arguments: Sequence[str] | None = None) -> int:
    """Run one command; returns the exit status (0 fine, 1 a finding, 2 bad usage)."""
    parser = _parser(games, program)
    given = parser.parse_args(arguments)
    by_name = {game.name: game for game in games}
    if isinstance(sys.stdout, io.TextIOWrapper):  # what it cannot write, it escapes
        sys.stdout.reconfigure(errors="backslashreplace")
    try:
        status = given.run(by_name, given)
        sys.stdout.flush()
        return status
    except BrokenPipeError:  # the reader has left, as `| head` does: let the last flush go nowhere
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except (ValueError, TypeError, OSError) as error:
        print(f"{program}: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print(file=sys.stderr)
        return 130


def _parser(games: Sequence[Game], program: str) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(program, description="Games, records and positions as text.")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")

    def command(
        run: Any, about: str, *, players: bool = False, needed: bool = True
    ) -> argparse.ArgumentParser:
        sub = commands.add_parser(run.__name__.strip("_"), help=about, description=about)
        sub.set_defaults(run=run)
        if players:
            sub.add_argument(
                "--game",
                choices=[game.name for game in games],
                default=games[0].name if len(games) == 1 or not needed else None,
                required=len(games) > 1 and needed,
            )
            sub.add_argument("--players", type=int, required=needed, metavar="N")
            sub.add_argument(
                "--options", type=_options, default={}, metavar="JSON", help="rule options"
            )
        return sub

    names = sorted({name for game in games for name in policy_names(game)})
    known = f"{', '.join(names)}; mcts:N makes N simulations a move"
    policy_help = f"{known}; or one a seat, with commas between them"

    record = command(_record, "play games and write their records, JSON Lines", players=True)
    record.add_argument("--games", type=int, default=1, metavar="K")
    record.add_argument("--seed", type=int, default=0, metavar="S", help="game k has seed S + k")
    record.add_argument("--full", action="store_true", help="with all states")
    record.add_argument("--policy", default="random", metavar="NAME", help=policy_help)
    record.add_argument("-o", "--output", default="-", metavar="FILE", help="- is standard output")

    check = command(_check, "replay records and compare states, rewards and chance")
    check.add_argument("file", metavar="FILE", help="- is standard input")

    view = command(_view, "write a page that replays the records of a file in any browser")
    view.add_argument("file", metavar="FILE", help="- is standard input")
    view.add_argument("-o", "--output", default="-", metavar="PAGE", help="- is standard output")
    view.add_argument(
        "--viewer",
        metavar="AGENT",
        help="leave out what this agent may not know; default: show all",
    )

    command(_state, "read states from standard input, one a line; play moves on; print the results")

    perft = command(_perft, "read one state from standard input and count sequences of legal moves")
    perft.add_argument("--depth", type=int, required=True, metavar="D")
    perft.add_argument("--divide", action="store_true", help="a line for each first move")

    play = command(
        _play, "play in the terminal or the browser against policies", players=True, needed=False
    )
    play.add_argument("--seed", type=int, default=None, metavar="S")
    play.add_argument("--seat", default=None, metavar="AGENT", help="yours; by default the first")
    play.add_argument("--policy", default="random", metavar="NAME", help=known)
    play.add_argument("--web", action="store_true", help="in the browser, served to this machine")
    play.add_argument("--port", type=int, default=0, metavar="N", help="with --web; 0: any")
    play.add_argument("--no-browser", action="store_true", help="with --web: open none")

    bench = command(_bench, "measure decisions a second of every door", players=True)
    bench.add_argument("--games", type=int, default=4096, metavar="K", help="games in the batch")
    bench.add_argument("--threads", type=int, default=1, metavar="T")
    bench.add_argument("--seconds", type=float, default=1.0, metavar="S", help="for each figure")
    return parser


def _record(games: dict[str, Game], given: argparse.Namespace) -> int:
    names = given.policy.split(",")
    records = write_records(
        games[given.game],
        given.players,
        given.games,
        seed=given.seed,
        policies=names if len(names) > 1 else names[0],
        full=given.full,
        **given.options,
    )
    first = next(records)  # bad arguments show before a file is made
    with _opened(given.output, "w") as out:
        for record in _progress(_chain(first, records), given.games, "games"):
            out.write(json.dumps(record) + "\n")
    return 0


def _check(games: dict[str, Game], given: argparse.Namespace) -> int:
    count = 0
    with _opened(given.file, "r") as lines:
        for number, line in enumerate(lines, start=1):
            try:
                record = _json(line)
                name = record.get("game") if isinstance(record, dict) else None
                if not isinstance(name, str) or name not in games:
                    raise RecordError(f"game is {name!r}, expected one of {', '.join(games)}")
                check_record(games[name], record)
            except ValueError as error:
                print(f"line {number}: {error}")
                return 1
            count += 1
    print(f"{count} records agree with the rules")
    return 0


def _view(games: dict[str, Game], given: argparse.Namespace) -> int:
    from tabletop_env.page import replay_page

    with _opened(given.file, "r") as lines:
        records = [_json(line) for line in lines]
    names = {record.get("game") if isinstance(record, dict) else None for record in records}
    if len(names) > 1:
        raise ValueError(f"the file has games of several kinds ({_listed(names)}), a page has one")
    (name,) = names or {None}
    if name not in games:
        raise ValueError(f"game is {name!r}, expected one of {', '.join(games)}")
    text = replay_page(games[name], _progress(records, len(records), "games"), given.viewer)
    with _opened(given.output, "w") as out:
        out.write(text)
    return 0


def _state(games: dict[str, Game], given: argparse.Namespace) -> int:
    with _opened("-", "r") as lines:
        for line in lines:
            try:
                answer = state_dict(_position(games, _json(line)), 0)
            except (ValueError, TypeError) as error:
                answer = {"error": str(error)}
            print(json.dumps(answer), flush=True)
    return 0


def _perft(games: dict[str, Game], given: argparse.Namespace) -> int:
    from tabletop_env.perft import divide, perft

    with _opened("-", "r") as text:
        position = _position(games, _json(text.read()))
    if not given.divide:
        print(perft(position, given.depth))
        return 0
    counts = divide(position, given.depth)
    for move in sorted(counts):
        print(f"{move} {counts[move]}")
    print(f"total {sum(counts.values())}")
    return 0


def _position(games: dict[str, Game], state: Any) -> Batch:
    """One game in the state that follows from a state and the moves that it comes with."""
    if not isinstance(state, dict):
        raise ValueError(f"a state is a JSON object, not {state!r}")
    only = next(iter(games)) if len(games) == 1 else None
    name = state.get("game", only)
    if not isinstance(name, str) or name not in games:
        raise ValueError(f"game is {name!r}, expected one of {', '.join(games)}")
    game = games[name]
    moves = state.pop("play", [])
    options = state.pop("options", {})
    if not isinstance(moves, list):
        raise ValueError(f"play is {moves!r}, expected a list")
    row = begin(game, game.count_players(state), options)
    row.load_state_dict(0, state)
    for index, entry in enumerate(moves):
        if not isinstance(entry, list) or len(entry) != 2:
            raise ValueError(f"play[{index}]: {entry!r} is no pair of agent and move")
        try:
            follow(row, *entry)
        except ValueError as error:
            raise ValueError(f"play[{index}]: {error}") from None
    return row


def _play(games: dict[str, Game], given: argparse.Namespace) -> int:
    game, options = games[given.game], given.options
    policy = find_policy(game, given.policy)
    arguments = {"seat": given.seat, "seed": given.seed, "policy": policy, **options}
    players = game.players[0] if given.players is None else given.players
    if given.web:
        from tabletop_env.serve import serve

        return serve(game, players, port=given.port, browser=not given.no_browser, **arguments)
    from tabletop_env.terminal import play

    return play(game, players, **arguments)


def _bench(games: dict[str, Game], given: argparse.Namespace) -> int:
    from tabletop_env.measure import report

    game, options = games[given.game], given.options
    for line in report(
        game,
        given.players,
        num_games=given.games,
        num_threads=given.threads,
        seconds=given.seconds,
        **options,
    ):
        print(line, flush=True)
    return 0


# -- small things --------------------------------------------------------------------------------


def _options(text: str) -> dict[str, Any]:
    """What ``--options`` says."""
    try:
        options = _json(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(f"{text!r}: {error}") from None
    if not isinstance(options, dict):
        raise argparse.ArgumentTypeError(f"{text!r} is no JSON object")
    return options


def _listed(names: Iterable[Any]) -> str:
    return ", ".join(sorted(map(str, names)))


def _json(line: str) -> Any:
    """JSON without the constants that JSON does not have, and without a key given twice."""

    def refuse(constant: str) -> Any:
        raise ValueError(f"{constant} is no JSON")

    def unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        read: dict[str, Any] = {}
        for key, value in pairs:
            if key in read:
                raise ValueError(f"key {key!r} is given twice")
            read[key] = value
        return read

    if any("\udc80" <= letter <= "\udcff" for letter in line):  # stray bytes, see `_opened`
        raise ValueError("the line is no UTF-8")
    try:
        return json.loads(line, parse_constant=refuse, object_pairs_hook=unique)
    except RecursionError:
        raise ValueError("the JSON is nested too deeply") from None


@contextmanager
def _opened(name: str, mode: str) -> Iterator[IO[str]]:
    """A file, or the standard stream that ``-`` stands for; UTF-8, stray bytes read as surrogates."""
    if name != "-":
        with open(name, mode, encoding="utf-8", errors="surrogateescape") as file:
            yield file
    elif mode == "r":
        if isinstance(sys.stdin, io.TextIOWrapper):
            sys.stdin.reconfigure(encoding="utf-8", errors="surrogateescape")
        yield sys.stdin
    else:
        yield sys.stdout


def _chain(first: T, rest: Iterable[T]) -> Iterator[T]:
    yield first
    yield from rest


def _progress(items: Iterable[T], total: int, noun: str) -> Iterator[T]:
    """Pass items on, with a bar on standard error when that is a terminal."""
    show = sys.stderr.isatty()
    for count, item in enumerate(items, start=1):
        yield item
        if show and (count % max(1, total // 200) == 0 or count == total):
            full = 30 * count // total
            bar = "#" * full + "." * (30 - full)
            end = "\n" if count == total else ""
            print(f"\r[{bar}] {count}/{total} {noun}", end=end, file=sys.stderr, flush=True)
