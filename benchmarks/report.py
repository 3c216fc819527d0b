"""A result file as Markdown: ``python benchmarks/report.py FILE.json``."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any


def markdown(result: dict[str, Any]) -> str:
    """The whole report."""
    return "\n".join(_lines(result))


def _lines(result: dict[str, Any]) -> Iterator[str]:
    machine = result["machine"]
    versions = ", ".join(f"{k} {v}" for k, v in result["versions"].items() if v)
    commit = (result["commit"] or "unknown")[:10]
    changed = " with changes" if result["changed_since_commit"] else ""
    yield f"{machine['cpu']}, {machine['cores']} cores, {machine['system']}."
    yield f"{result['date']}, commit {commit}{changed}. {versions}."
    yield f"Load of the machine: {machine['load_before']} before, {machine['load_after']} after."
    yield (
        f"Medians and quartiles of {result['settings']['rounds']} rounds of "
        f"{result['settings']['seconds']} s. `{result['command']}`"
    )
    for game in result["games"].values():
        yield from ("", f"## {game['title']}")
        if demands := [d for s in game["sections"] for d in s["demands"]]:
            yield from ("", *_demands(demands))
        if game["startup"]:
            yield from ("", *_startup(game["startup"]))
        for section in game["sections"]:
            yield from ("", f"### {section['title']}", "", *_figures(section))
    if result["not_run"]:
        yield from ("", "Not run:", "")
        yield from (f"- {entry['label']}: {entry['why']}" for entry in result["not_run"])


def _demands(demands: list[dict[str, Any]]) -> Iterator[str]:
    def row(demand: dict[str, Any]) -> list[str]:
        head = [demand["section"], demand["text"], f"{demand['at_least']:g} times"]
        if demand["ratio"] is None:
            return [*head, "not measured", "", ""]
        median, low, high = demand["ratio"]
        return [*head, f"**{median:.2f}**", f"{low:.2f} to {high:.2f}", _verdict(demand["met"])]

    head = ["where", "ours over theirs", "demanded", "measured", "quartiles", ""]
    yield from _table(head, map(row, demands))


def _startup(findings: list[dict[str, Any]]) -> Iterator[str]:
    def amount(value: float | None, unit: str) -> str:
        if value is None:
            return ""
        return f"{value / 2**20:.1f} MiB" if unit == "bytes" else f"{value:.2f} s"

    yield from _table(
        ["starting", "of a core", "on the clock", "limit", ""],
        (
            [
                finding["text"],
                amount(finding["value"], finding["unit"]),
                amount(finding.get("wall", [None])[0], finding["unit"]),
                amount(finding["limit"], finding["unit"]),
                _verdict(finding["met"]),
            ]
            for finding in findings
        ),
    )


def _figures(section: dict[str, Any]) -> Iterator[str]:
    second = "a second" if section["clock"] == "wall" else "a second of a core"
    yield from _table(
        ["", f"decisions {second}", "quartiles", "cores had", "facts"],
        (
            [
                figure["label"],
                f"{figure['rate'][0]:,.0f}",
                f"{figure['rate'][1]:,.0f} to {figure['rate'][2]:,.0f}",
                f"{figure['core_share']:.2f}",
                _facts(figure),
            ]
            for figure in section["figures"]
        ),
    )


def _facts(figure: dict[str, Any]) -> str:
    def number(value: Any) -> str:
        return f"{value:,}" if isinstance(value, int) else f"{value:.3g}"

    facts = dict(figure["facts"])
    if chance := facts.get("chance_a_decision"):
        facts["with chance"] = int(figure["rate"][0] * (1 + chance))
    return ", ".join(f"{name.replace('_', ' ')} {number(value)}" for name, value in facts.items())


def _verdict(met: bool | None) -> str:
    return {True: "met", False: "**missed**", None: ""}[met]


def _table(head: list[str], rows: Iterable[list[str]]) -> Iterator[str]:
    yield f"| {' | '.join(head)} |"
    yield f"|{' --- |' * len(head)}"
    for row in rows:
        yield f"| {' | '.join(row)} |"


if __name__ == "__main__":
    print(markdown(json.loads(Path(sys.argv[1]).read_text())))
