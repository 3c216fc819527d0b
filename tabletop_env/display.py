"""How notebooks show environments, batches and records: fragments of HTML, well formed as XML too.

A picture that is shown unasked shows no more than the agent to act may see, or, while chance is due, the
first agent; when the game is over all lies open. Whoever wants to see more asks for it:
``games.picture(row)`` shows all, ``games.picture(row, viewer)`` what one agent may see.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any
from xml.sax.saxutils import escape

from tabletop_env.game import CHANCE, NOBODY
from tabletop_env.notation import rewards_dict
from tabletop_env.render import draw, viewer_name

if TYPE_CHECKING:
    from tabletop_env.batch import Batch

WIDTH = 460
"""Of a picture, in CSS pixels; it shrinks with the page."""


def onlooker(games: Batch, row: int) -> str | None:
    """The agent whose view is shown unasked; ``None`` when the game is over, and all lies open."""
    seat = int(games.seat[row])
    if seat == NOBODY:
        return None
    return games.agents[0 if seat == CHANCE else seat]


def fragment(facts: Mapping[str, Any], *pieces: str) -> str:
    """A table of facts, then pieces of HTML, in one element. What is no piece is escaped."""
    rows = "".join(
        f"<tr><th style='text-align:left'>{text(name)}</th>"
        f"<td style='text-align:left'>{text(value)}</td></tr>"
        for name, value in facts.items()
    )
    return f"<div><table>{rows}</table>{''.join(pieces)}</div>"


def view(games: Batch, row: int, viewer: str | int | None, last: Sequence[str] = ()) -> str:
    """A game as ``viewer`` sees it, with a line that says so; text where the game has no pictures."""
    name = viewer_name(games, viewer)
    words = "all lies open" if name is None else f"as {name} sees it"
    if games.game.artist is None:
        seat = None if name is None else games.agents.index(name)
        shown = f"<pre>{text(games.game.text(games.state[row], seat))}</pre>"
    else:
        svg = draw(games, row, name, last=last).svg()
        shown = svg.replace("<svg ", "<svg style='max-width:100%;height:auto' ", 1)
    return (
        f"<figure style='margin:0;max-width:{WIDTH}px'>{shown}"
        f"<figcaption>game {row}, {text(words)}</figcaption></figure>"
    )


def facts_of_game(games: Batch, row: int) -> dict[str, Any]:
    """What is public about one game of a batch, for ``fragment``."""
    facts = {
        "game": games.game.title,
        "agents": ", ".join(games.agents),
        **facts_of_options(games.game.changed_options(games.options)),
        "plies": int(games.plies[row]),
    }
    if games.seat[row] == NOBODY:
        return facts | {"result": result(rewards_dict(games, row), bool(games.truncated[row]))}
    return facts | {
        "to act": games.agent(row),
        "phase": games.game.phase(games.state[row]),
    }


def facts_of_batch(games: Batch) -> dict[str, Any]:
    """What a batch holds, for ``fragment``."""
    plies = games.plies
    return {
        "game": games.game.title,
        "players": games.num_players,
        **facts_of_options(games.game.changed_options(games.options)),
        "games": games.num_games,
        "done": f"{int(games.done.sum())}, {int(games.truncated.sum())} of them cut off",
        "plies": f"{plies.min()} to {plies.max()}, {plies.mean():.1f} on average",
        "observation": f"{games.observation}, {games.observation_shape} int8",
        "actions": games.num_actions,
    }


def facts_of_options(changed: Mapping[str, Any]) -> dict[str, str]:
    """A line for rule options that are not the default ones, if there are any."""
    return {"options": listed(changed)} if changed else {}


def result(rewards: Mapping[str, Any], truncated: bool) -> str:
    """The end of a game in words."""
    return listed(rewards) + (", cut off" if truncated else "")


def listed(values: Mapping[str, Any]) -> str:
    """Names and values in a line."""
    return ", ".join(f"{name} {value}" for name, value in values.items())


def moves(entries: Iterable[tuple[str, str]], count: int) -> str:
    """A list of agents and moves, folded away."""
    items = "".join(f"<li>{text(agent)}: {text(move)}</li>" for agent, move in entries)
    return (
        f"<details><summary>{count} moves</summary>"
        f"<ol start='0' style='max-height:20em;overflow:auto'>{items}</ol></details>"
    )


def text(value: Any) -> str:
    """A value's words, escaped; control characters that XML has no room for show as U+FFFD."""
    words = "".join(
        letter if letter in "\t\n" or letter.isprintable() or letter == " " else "\ufffd"
        for letter in str(value)
    )
    return escape(words)
