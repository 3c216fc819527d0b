"""A state of Shikoku as lines for a terminal."""

from __future__ import annotations

from typing import Any

from tabletop_env.game import StateDict
from tabletop_env.paint import Paint, plain


def text(state: StateDict, viewer: str | None = None, paint: Paint = plain) -> str:
    """The table; with a viewer, cards that this agent has not seen show as ``??`` (S8)."""
    players = range(len(state["steps"]))
    names = [paint(f"pilgrim{seat}", f"player_{seat}") for seat in players]
    lines = [
        f"round {state['turn']}, phase {state['phase']}, {state['deck']} in the deck, "
        f"removed: {listed(state['removed'])}"
    ]
    for key in ("previous_row", "row"):
        cards = "  ".join(f"{paint('bold', str(card))}·{names[seat]}" for card, seat in state[key])
        lines.append(f"{key.replace('_', ' ')}: {cards or '-'}")
    for seat in state["order"] if state["phase"] != "setup" else players:
        name = f"player_{seat}"
        seen = state["hands"][seat] if viewer in (None, name) else state["known"][seat]
        hidden = ["??"] * (len(state["hands"][seat]) - len(seen))
        mark = paint("aim", ">") if state["to_act"] == name else " "
        hand = listed([*seen, *hidden])
        lines.append(f"{mark} {names[seat]}  step {state['steps'][seat]:2}  hand {hand}")
    return "\n".join(lines)


def listed(cards: list[Any]) -> str:
    return " ".join(map(str, cards)) or "-"
