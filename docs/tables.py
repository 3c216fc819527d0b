"""Write the tables of the documentation that follow from the code.

    python docs/tables.py            # writes them into README.md and docs/environments/*.md
    python docs/tables.py --check    # changes nothing; status 1 and the names of the files that are stale

A table stands between two comments, ``<!-- table: paiko actions -->`` and ``<!-- end of table -->``; what
is between them is never written by hand. Spaces come from ``Batch``, blocks from ``game.action_layout()``
and ``game.observation_layout(view, players)``, which the kernels take their offsets from.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from paiko_env import board, paiko_v0, ronin_v0, tiles, valley_v0
from shikoku_env import shikoku_v0
from tabletop_env.doors import Doors
from tabletop_env.layout import Block, Layout

ROOT = Path(__file__).resolve().parents[1]
FILES = [ROOT / "README.md", *sorted((ROOT / "docs" / "environments").glob("*.md"))]
TABLE = re.compile(r"(<!-- table: ([\w -]+) -->\n)(.*?)(<!-- end of table -->)", re.DOTALL)
SEAT = re.compile(r"seat(\d+)_(\w+)")


@dataclass(frozen=True)
class Page:
    """An environment: its doors, its registered name, and what no code says."""

    doors: Doors
    module: str
    identifier: str
    hidden: str

    @property
    def game(self) -> Any:
        return self.doors.game


PAGES = {
    "shikoku": Page(
        shikoku_v0.DOORS, "shikoku_env.shikoku_v0", "shikoku_env/Shikoku-v0", "hands, deck"
    ),
    "paiko": Page(paiko_v0.DOORS, "paiko_env.paiko_v0", "paiko_env/Paiko-v0", "–"),
    "valley": Page(valley_v0.DOORS, "paiko_env.valley_v0", "paiko_env/Valley-v0", "–"),
    "ronin": Page(
        ronin_v0.DOORS, "paiko_env.ronin_v0", "paiko_env/Ronin-v0", "hands, reserves, bases"
    ),
}


# -- tables ----------------------------------------------------------------------------------------


def creation(page: Page) -> str:
    """How an environment is made, and its spaces, in the manner of PettingZoo's pages."""
    game, players = page.game, page.game.players
    agents = game.agents(players[-1])
    package, _, module = page.module.partition(".")
    rows = [
        ("Import", f"`from {package} import {module}`"),
        ("Registered as", f"`{page.identifier}`"),
        ("Agents", listed(f"`{agent}`" for agent in agents)),
        ("Number of agents", numbers(players)),
        ("Parallel API", "no"),
        ("Manual control", f"no; `python -m {package} play`"),
        ("Actions", "discrete"),
        ("Action shape", f"`Discrete({game.num_actions})`"),
        ("Action values", f"`0..{game.num_actions - 1}`"),
    ]
    for number, view in enumerate(game.views):
        words = ", the default" if number == 0 and len(game.views) > 1 else ""
        rows.append((f"Observation shape, `{view}`{words}", shapes(page, view)))
        rows.append((f"Observation values, `{view}`", values(page, view)))
    rows.append(("Observation dtype", "int8"))
    rows.append(("Mask", f"`({game.num_actions},)` int8 of 0 and 1"))
    rows.append(("Hidden", page.hidden))
    return "\n".join(["| | |", "| --- | --- |", *(f"| {name} | {value} |" for name, value in rows)])


def arguments(page: Page) -> str:
    """The rule options of a game."""
    lines = ["| option | default | meaning |", "| --- | --- | --- |"]
    for name, option in page.game.options.items():
        default = str(option.default)
        shown = f"`{default}`" if len(default) < 30 else "see below"
        lines.append(f"| `{name}` | {shown} | {option.about} |")
    return "\n".join(lines)


def actions(page: Page) -> str:
    """The blocks of the action numbers."""
    lines = ["| numbers | block | meaning |", "| --- | --- | --- |"]
    lines += (f"| {span(b)} | {b.name} | {b.about} |" for b in page.game.action_layout())
    return "\n".join(lines)


def observation(page: Page, view: str) -> str:
    """The blocks of an observation; of the seats' blocks those of seat 0, the observer's own."""
    counts = page.game.players
    layouts = {players: page.game.observation_layout(view, players) for players in counts}
    first, *others = layouts.values()
    common = [block for block in first if not SEAT.fullmatch(block.name)]
    own = [block for block in first if (seat := SEAT.fullmatch(block.name)) and seat[1] == "0"]
    head = Layout([*common, *own]).table()
    for layout in (first, *others):
        if Layout(list(layout)[: len(common) + len(own)]).table() != head:
            raise ValueError(f"{page.game.title}: {view} begins otherwise for other players")
    if not own:
        return head
    stride = sum(block.size for block in own)
    for layout in layouts.values():
        check_stride(layout, [*common, *own], own, stride)
    return (
        f"{head}\n\nThe blocks of seat k, counted clockwise from the observer, are named "
        f"`seat{{k}}_…` and stand {stride} k further on."
    )


def check_stride(layout: Layout, head: list[Block], own: list[Block], stride: int) -> None:
    """Every seat's blocks are those of seat 0, moved by a multiple of ``stride``."""
    start = sum(block.size for block in head[: len(head) - len(own)])
    for number, block in enumerate(list(layout)[len(head) - len(own) :]):
        seat, place = divmod(number, len(own))
        before = sum(one.size for one in own[:place])
        name = f"seat{seat}_{own[place].name.partition('_')[2]}"
        if (block.name, block.start) != (name, start + stride * seat + before):
            raise ValueError(f"block {block.name} begins at {block.start}, out of step")


def kinds() -> str:
    """Paikō's types of tile."""
    lines = [
        "| number | letter | type | shifts | has a facing |",
        "| --- | --- | --- | --- | --- |",
    ]
    for kind, (letter, name) in enumerate(zip(tiles.LETTERS, tiles.NAMES, strict=True)):
        facing = "yes" if tiles.DIRECTIONAL[kind] else "no"
        lines.append(f"| {kind} | {letter} | {name} | {tiles.RANGE[kind]} | {facing} |")
    return "\n".join(lines)


def squares() -> str:
    """Paikō's squares, a line a rank."""
    lines = ["| squares | numbers |", "| --- | --- |"]
    for y in range(board.SIZE):
        rank = [square for square, place in enumerate(board.PLACES) if place[1] == y]
        first, last = rank[0], rank[-1]
        lines.append(f"| {board.NAMES[first]}..{board.NAMES[last]} | {first}..{last} |")
    return "\n".join(lines)


def offsets() -> str:
    """The offsets that a shift can span."""
    head = " | ".join(str(number) for number in range(len(board.OFFSETS)))
    row = " | ".join(f"{dx}, {dy}" for dx, dy in board.OFFSETS)
    return f"| {head} |\n|{' --- |' * len(board.OFFSETS)}\n| {row} |"


def overview() -> str:
    """All environments, a line each, for the README."""
    lines = [
        "| environment | players | agents | actions | observation (int8) | hidden |",
        "| --- | --- | --- | --- | --- | --- |",
    ]
    for name, page in PAGES.items():
        agents = page.game.agents(page.game.players[-1])
        few = listed(f"`{a}`" for a in (agents if len(agents) < 4 else agents[:2]))
        more = " …" if len(agents) >= 4 else ""
        views = "; ".join(f"`{view}` {ends(page, view)}" for view in page.game.views)
        link = f"[`{page.module}`](docs/environments/{name}.md)"
        lines.append(
            f"| {link} | {numbers(page.game.players)} | {few}{more} | {page.game.num_actions} "
            f"| {views} | {page.hidden} |"
        )
    return "\n".join(lines)


# -- words -----------------------------------------------------------------------------------------


def span(block: Block) -> str:
    last = block.stop - 1
    return f"{block.start}" if block.size == 1 else f"{block.start}..{last}"


def numbers(players: range) -> str:
    return f"{players[0]}" if len(players) == 1 else f"{players[0]}–{players[-1]}"


def listed(words: Any) -> str:
    return ", ".join(words)


def shape_of(page: Page, view: str, players: int) -> tuple[int, ...]:
    return page.game.views[view].shape(players)


def shapes(page: Page, view: str) -> str:
    """The shape for every number of players, once if they are the same."""
    found = {players: shape_of(page, view, players) for players in page.game.players}
    if len(set(found.values())) == 1:
        return f"`{next(iter(found.values()))}`"
    return listed(f"`{shape}` for {players}" for players, shape in found.items())


def ends(page: Page, view: str) -> str:
    """The shapes for the fewest and the most players."""
    few, many = (shape_of(page, view, page.game.players[end]) for end in (0, -1))
    return f"`{few}`" if few == many else f"`{few}` to `{many}`"


def values(page: Page, view: str) -> str:
    layouts = [page.game.observation_layout(view, players) for players in page.game.players]
    return f"`{min(min(x.lows()) for x in layouts)}..{max(max(x.highs()) for x in layouts)}`"


# -- files -----------------------------------------------------------------------------------------


def makers() -> dict[str, Callable[[], str]]:
    """Every table that there is, by the name in its comment."""
    tables: dict[str, Callable[[], str]] = {
        "overview": overview,
        "paiko tiles": kinds,
        "paiko squares": squares,
        "paiko offsets": offsets,
    }
    for name, page in PAGES.items():
        tables[f"{name} creation"] = lambda page=page: creation(page)
        tables[f"{name} arguments"] = lambda page=page: arguments(page)
        tables[f"{name} actions"] = lambda page=page: actions(page)
        for view in page.game.views:
            tables[f"{name} {view}"] = lambda page=page, view=view: observation(page, view)
    return tables


def filled(text: str) -> str:
    """A page with its tables written anew; ``KeyError`` for one that does not exist."""
    tables = makers()
    return TABLE.sub(lambda found: f"{found[1]}{tables[found[2]]()}\n{found[4]}", text)


def names(text: str) -> list[str]:
    """The tables of a page."""
    return [found[2] for found in TABLE.finditer(text)]


def main(argv: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--check", action="store_true", help="change nothing, name what is stale")
    check = parser.parse_args(argv).check
    stale = 0
    for path in FILES:
        old = path.read_text("utf-8")
        new = filled(old)
        if new != old:
            stale += 1
            print(path.relative_to(ROOT))
            if not check:
                path.write_text(new, "utf-8")
    return 1 if check and stale else 0


if __name__ == "__main__":
    sys.exit(main())
