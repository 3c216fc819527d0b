"""Web pages that need nothing but a browser: a replay of games, and the table of a game being played.

Style, script and data stand in the page itself, and its content-security policy lets it load nothing.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from importlib.resources import files
from typing import Any
from xml.sax.saxutils import escape

from tabletop_env.film import Film
from tabletop_env.game import Game
from tabletop_env.svg import Colours


def replay_page(game: Game, records: Iterable[Any], viewer: str | None = None) -> str:
    """A page of recorded games; with a viewer, it holds no more than this agent may know.

    Raises
    ------
    RecordError
        If a record breaks a rule.
    """
    film = Film(game, viewer)
    named = ((record, _name(number, record, viewer)) for number, record in enumerate(records, 1))
    games = [film.take(record, name) for record, name in named]
    if not games:
        raise ValueError("there is no game to show")
    look = film.look()
    return page(game.title, "replay", look["colours"], {**look, "games": games})


def page(title: str, kind: str, colours: Colours, data: Mapping[str, Any]) -> str:
    """A page of a kind, ``replay`` or ``play``; only that of play may talk to where it came from."""
    slots = {
        "title": escape(title),
        "connect": "'self'" if kind == "play" else "'none'",
        "controls": source(f"{kind}.html"),
        "style": source("page.css").replace("{{colours}}", style(colours)),
        "script": source("board.js") + source(f"{kind}.js"),
        "data": as_script(data),
    }
    text = source("page.html")
    for name, inside in slots.items():
        text = text.replace("{{" + name + "}}", inside)
    return text


def source(name: str) -> str:
    """A file of ``web/``."""
    return (files("tabletop_env") / "web" / name).read_text("utf-8")


def style(colours: Colours) -> str:
    """The colours as CSS variables: light, dark where the system is so, or as the page's button says."""
    light, dark = (
        " ".join(f"--{name}: {pair[form]};" for name, pair in colours.items()) for form in (0, 1)
    )
    return (
        f":root {{ color-scheme: light; {light} }}\n"
        f"@media (prefers-color-scheme: dark) {{ :root:not([data-theme=light]) "
        f"{{ color-scheme: dark; {dark} }} }}\n"
        f":root[data-theme=dark] {{ color-scheme: dark; {dark} }}"
    )


def as_script(data: Any) -> str:
    """JSON that cannot end the script element it stands in."""
    text = json.dumps(data, separators=(",", ":"), ensure_ascii=False)
    return text.replace("<", "\\u003c")


def _name(number: int, record: Any, viewer: str | None) -> str:
    """A game's number, and its seed, from which all that a viewer may not know could be found out."""
    seed = record.get("seed") if isinstance(record, dict) and viewer is None else None
    return f"{number}" if seed is None else f"{number}: seed {seed}"
