"""What to say against a move: why it may not be made, and which moves would do."""

from __future__ import annotations

import difflib
from typing import TYPE_CHECKING

import numpy as np

from tabletop_env.loops import SKIP

if TYPE_CHECKING:
    from tabletop_env.batch import Batch


def complaint(games: Batch, row: int, action: int) -> str:
    """Why an action's number may not be made in game ``row``."""
    where = f"game {row}: action {action}"
    who = games.agent(row)
    if who is None:
        return f"{where}, but the game is over; expected {SKIP}"
    size = games.game.num_outcomes if who == "chance" else games.num_actions
    noun = "outcome" if who == "chance" else "action"
    if not 0 <= action < size:
        return f"{where} of {who} is out of range, expected an {noun} in 0..{size - 1}"
    fitting = games.chance[row] > 0 if who == "chance" else games.legal[row]
    some = [games.action_text(row, int(a)) for a in np.flatnonzero(fitting)[:8]]
    more = ", …" if np.count_nonzero(fitting) > len(some) else ""
    text, phase = games.action_text(row, action), games.game.phase(games.state[row])
    return (
        f"{where} ({text}) of {who} is not legal in phase {phase}; "
        f"expected one of: {', '.join(some)}{more}"
    )


def legal_texts(games: Batch, row: int) -> list[str]:
    """The legal moves of game ``row`` as texts, in the order of their numbers."""
    return [games.action_text(row, int(action)) for action in np.flatnonzero(games.legal[row])]


def why_not(games: Batch, row: int, text: str) -> str:
    """Why a text that a person typed is no legal move in game ``row``, in a sentence."""
    game, state = games.game, games.state[row]
    try:
        games.read_action(row, text)
    except ValueError as error:
        return str(error)
    reason = game.artist.why_not(state, game.scene(state), text) if game.artist else ""
    return f"{text!r} is not legal in phase {game.phase(state)}" + (f": {reason}" if reason else "")


def nearest(games: Batch, row: int, text: str, most: int = 6) -> list[str]:
    """The legal moves that are most like a text: that share its squares or cards, then its letters."""
    legal = legal_texts(games, row)
    artist = games.game.artist
    scene = games.game.scene(games.state[row])

    def spots(move: str) -> set[str]:
        try:
            return set() if artist is None else {*artist.clicks(scene, move)}
        except (IndexError, ValueError):  # a text that is no move has none
            return set()

    def likeness(move: str) -> float:
        letters = difflib.SequenceMatcher(None, move, text).ratio()
        return len(spots(move) & aimed) + letters

    aimed = spots(text)
    return sorted(legal, key=lambda move: (-likeness(move), move))[:most]
