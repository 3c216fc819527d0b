"""Decisions a second of every door of a game, side by side with what else is installed.

    python benchmarks/throughput.py [--quick] [--games shikoku] [-o FILE.json]

Prints Markdown; with ``-o`` also writes every round to a JSON file, from which ``report.py`` prints
the same again. README.md says what is compared with what, and why.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import machine
import report
import startup
from games import GAMES, Demand, Section
from timing import Round, rates, ratio, spread
from workers import Contestant, NotRunError, Workers

STARTUP = "startup"
SECTIONS = ("playouts", "batch", "vector", "aec", "threat", "threads", STARTUP)


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure, print, write."""
    parser = _parser()
    given = parser.parse_args(arguments)
    if not importlib.util.find_spec("tabletop_env"):
        parser.error("tabletop_env is not installed; in the checkout: pip install -e '.[bench]'")
    rounds = given.rounds or (5 if given.quick else 9)
    seconds = given.seconds or (0.1 if given.quick else 0.3)
    result = machine.describe()
    result["settings"] = {"quick": given.quick, "rounds": rounds, "seconds": seconds}
    result["games"], result["not_run"] = {}, []
    with Workers() as workers:
        for name in given.games:
            plan = GAMES[name](given.quick)
            findings = []
            if STARTUP in given.only:
                say(f"{plan.title}: starting")
                findings = startup.measure(plan.limits, given.quick)
            measured = []
            for section in plan.sections:
                if section.key in given.only:
                    say(f"{plan.title}: {section.title}")
                    run = Run(workers, section, peers=not given.no_peers)
                    run.measure(rounds, seconds)
                    measured.append(run.result())
                    result["not_run"] += run.not_run
            result["games"][name] = {
                "title": plan.title,
                "startup": findings,
                "sections": measured,
            }
    result["machine"]["load_after"] = machine.load()
    print(report.markdown(result))
    if given.output:
        given.output.write_text(json.dumps(result, indent=1) + "\n")
    return 0


class Run:
    """One section being measured."""

    def __init__(self, workers: Workers, section: Section, *, peers: bool) -> None:
        self.workers = workers
        self.section = section
        self.not_run: list[dict[str, str]] = []
        self.facts: dict[Contestant, dict[str, Any]] = {}
        self.rounds: dict[Contestant, list[Round]] = {}
        for contestant in section.contestants:
            if not peers and not contestant.make.startswith("ours:"):
                self._drop(contestant, "left out by --no-peers")
                continue
            say(f"    {contestant.label}")
            try:
                self.facts[contestant] = workers.prepare(contestant)
                self.rounds[contestant] = []
            except NotRunError as why:
                self._drop(contestant, str(why))

    def measure(self, rounds: int, seconds: float) -> None:
        """Round by round, all contestants in turn: A, B, C, then C, B, A, and so on."""
        for number in range(rounds):
            say(f"    round {number + 1} of {rounds}")
            for contestant in list(self.rounds)[:: 1 if number % 2 == 0 else -1]:
                try:
                    self.rounds[contestant].append(self.workers.time_round(contestant, seconds))
                except NotRunError as why:
                    del self.rounds[contestant]
                    self._drop(contestant, str(why))

    def result(self) -> dict[str, Any]:
        """Figures and verdicts, for the result file."""
        return {
            "key": self.section.key,
            "title": self.section.title,
            "clock": self.section.clock,
            "figures": [self._figure(contestant) for contestant in self.rounds],
            "demands": [self._verdict(demand) for demand in self.section.demands],
        }

    def _figure(self, contestant: Contestant) -> dict[str, Any]:
        rounds = self.rounds[contestant]
        return {
            "label": contestant.label,
            "rate": spread(self._rates(contestant)),
            "wall_rate": spread(rates(rounds, "wall")),
            "core_share": sum(r.cpu for r in rounds) / sum(r.wall for r in rounds),
            "facts": self.facts[contestant],
            "make": contestant.make,
            "arguments": contestant.arguments,
            "rounds": rounds,
        }

    def _verdict(self, demand: Demand) -> dict[str, Any]:
        ours, theirs = self._best(demand.ours), self._best(demand.theirs)
        found = None
        if ours and theirs:
            found = ratio(self._rates(ours), self._rates(theirs))
        return {
            "section": self.section.title,
            "text": demand.text,
            "at_least": demand.at_least,
            "ours": ours and ours.label,
            "theirs": theirs and theirs.label,
            "ratio": found,
            "met": found and found.median >= demand.at_least,
        }

    def _best(self, contestants: Sequence[Contestant]) -> Contestant | None:
        running = [contestant for contestant in contestants if contestant in self.rounds]
        return max(running, key=lambda c: spread(self._rates(c)).median, default=None)

    def _rates(self, contestant: Contestant) -> list[float]:
        return rates(self.rounds[contestant], self.section.clock)

    def _drop(self, contestant: Contestant, why: str) -> None:
        """Go on without a peer; without a door of our own there is nothing to report."""
        if contestant.make.startswith("ours:"):
            raise RuntimeError(f"{contestant.label}: {why}")
        say(f"    {contestant.label}: {why}")
        self.not_run.append({"label": contestant.label, "why": why})


def say(text: str) -> None:
    """Progress, on standard error."""
    print(text, file=sys.stderr, flush=True)


def _parser() -> argparse.ArgumentParser:
    def listed(known: Sequence[str]) -> Any:
        def read(text: str) -> list[str]:
            names = text.split(",")
            if unknown := [name for name in names if name not in known]:
                raise argparse.ArgumentTypeError(f"{unknown[0]!r} is none of {', '.join(known)}")
            return names

        return read

    parser = argparse.ArgumentParser(description="Decisions a second, beside other libraries.")
    parser.add_argument("--quick", action="store_true", help="fewer sizes, shorter rounds")
    parser.add_argument(
        "--games", type=listed(list(GAMES)), default=list(GAMES), metavar="A,B", help="which games"
    )
    parser.add_argument(
        "--only", type=listed(SECTIONS), default=SECTIONS, metavar="A,B", help=", ".join(SECTIONS)
    )
    parser.add_argument("--no-peers", action="store_true", help="this library alone")
    parser.add_argument("--rounds", type=int, metavar="N", help="timed rounds of each contestant")
    parser.add_argument("--seconds", type=float, metavar="S", help="length of a round")
    parser.add_argument("-o", "--output", type=Path, metavar="FILE", help="result file, JSON")
    return parser


if __name__ == "__main__":
    sys.exit(main())
