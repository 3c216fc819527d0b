"""A state of Paikō, of any of its three games, as lines for a terminal: the board with coordinates.

A square is four columns wide: the side's letter and the tile's as the notation has them, then its
facing, and one mark: ``!`` a hero, ``~`` a busy tile, ``%`` a busy hero. Empty squares show ``·`` in the
middle ground, ``-`` on White's homeground, ``=`` on Black's, and ``#`` where the board is black.
"""

from __future__ import annotations

from paiko_env.board import BLACK, BLACK_NAMES, HOME, NAMES, SIZE, WHITE, members
from tabletop_env.game import StateDict
from tabletop_env.paint import Paint, plain

FILES = "abcdefghijklmn"
_GROUND = {
    **dict.fromkeys(NAMES, ("faint", "·")),
    **{NAMES[square]: ("white_home", "-") for square in members(HOME[WHITE])},
    **{NAMES[square]: ("black_home", "=") for square in members(HOME[BLACK])},
    **dict.fromkeys(BLACK_NAMES, ("black_square", "#")),
}


def text(state: StateDict, viewer: str | None = None, paint: Paint = plain) -> str:
    """The board, then hands, reserves and points, as far as a viewer may see them (R11)."""
    return "\n".join(
        [headline(state), *board_lines(state, paint), *side_lines(state, viewer, paint)]
    )


def headline(state: StateDict) -> str:
    unit = "round" if state["game"] == "ronin" else "turn"
    line = f"{unit} {state['turn']}, phase {state['phase']}"
    pending = state["pending"] or {}
    if "left" in pending:
        line += f", {pending['left']} left"
    if "tile" in pending:
        line += f", tile on {pending['tile']}"
    if state.get("actions_left"):
        line += f", {number_of(state['actions_left'], 'action')} left"
    return line


def board_lines(state: StateDict, paint: Paint) -> list[str]:
    """Rank by rank, files above and below."""
    files = paint("faint", "   " + "".join(f"{file:^4}" for file in FILES).rstrip())
    lines = [files]
    for rank in range(SIZE, 0, -1):
        cells = [cell(state, f"{file}{rank}", paint) for file in FILES]
        number = paint("faint", f"{rank:2}")
        lines.append(f"{number} {''.join(cells)} {number}")
    return [*lines, files]


def cell(state: StateDict, square: str, paint: Paint) -> str:
    """Four columns for a square."""
    if square not in _GROUND:
        return "    "
    written = state["board"].get(square)
    if written is None:
        style, sign = _GROUND[square]
        return f" {paint(style, sign)}  "
    side = {"w": "white", "b": "black"}.get(written[0], "red")
    shown = f"{written.rstrip('123').replace('!~', '%'):<3}"
    return paint(side, shown) + " " * (4 - len(shown))


def side_lines(state: StateDict, viewer: str | None, paint: Paint) -> list[str]:
    """A line an agent, then the reserves and points of both colours."""
    ronin = state["game"] == "ronin"
    lines = []
    for agent, hand in state["hands"].items():
        shown = "?" * len(hand) if ronin and viewer not in (None, agent) else hand
        line = f"{agent}  hand {shown or '-'}"
        if ronin and agent != "white_0":
            line += f"  hero {state['heroes'][agent] or '-'}"
            line += "  first" if state["token"] == agent else ""
        lines.append(mark(state, agent, line, paint))
    if state["game"] == "valley":
        lines.append(mark(state, "red_0", f"red_0  hand {state['red_hand']}", paint))
    for side, name in (("w", "white"), ("b", "black")):
        reserve = state["reserves"][side]
        if ronin and viewer is not None:
            reserve = number_of(len(reserve), "tile")
        line = f"  {name}: {state['points'][side]} points, lost {state['lost'][side]}"
        lines.append(line + (f", reserve {reserve or '-'}" if state["game"] != "valley" else ""))
    return lines


def number_of(count: int, noun: str) -> str:
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def mark(state: StateDict, agent: str, line: str, paint: Paint) -> str:
    """An agent's line, marked when it is to act."""
    return f"{paint('aim', '>')} {paint('bold', line)}" if state["to_act"] == agent else f"  {line}"
