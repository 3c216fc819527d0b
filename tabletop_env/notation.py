"""States as plain JSON values: the keys that every game has, and the door for states read back."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from tabletop_env.game import CHANCE, StateDict

if TYPE_CHECKING:
    from tabletop_env.batch import Batch

DERIVED = ("legal", "over", "rewards", "to_act", "phase")
"""Common keys that follow from the row: whatever was given must equal what the row says."""


def state_dict(games: Batch, row: int) -> StateDict:
    """Game ``row`` in the notation; keys sorted, inner ones too.

    Raises
    ------
    ValueError
        While a chance event is due: the notation has states for decisions and for the end only.
    """
    game, state = games.game, games.state[row]
    seat = int(state["seat"])
    if seat == CHANCE:
        raise ValueError(
            f"a chance event is due in game {row}; a state is there once it is decided"
        )
    legal = [game.action_text(state, int(a)) for a in np.flatnonzero(games.legal[row])]
    own = {"rewards": rewards_dict(games, row), "legal": sorted(legal)}
    return _sorted({**game.scene(state), **own})


def _sorted(value: Any) -> Any:
    """The same with the keys of all objects sorted."""
    if isinstance(value, dict):
        return {key: _sorted(value[key]) for key in sorted(value)}
    return value


def rewards_dict(games: Batch, row: int) -> dict[str, int]:
    """Agent to reward, in seat order."""
    return {
        agent: int(reward)
        for agent, reward in zip(games.agents, games.rewards[row].tolist(), strict=True)
    }


def load_state_dict(games: Batch, row: int, state: StateDict) -> None:
    """Set up game ``row``; its streams go on. ``ValueError`` says what is wrong; then nothing changed."""
    game = games.game
    if not isinstance(state, dict):
        raise ValueError(f"a state is a JSON object, not {state!r}")
    if state.get("game", game.name) != game.name:
        raise ValueError(f"game is {state['game']!r}, expected {game.name!r}")
    scratch = games.take([row])
    fresh = game.blank_row(games.num_players, games.options)
    fresh["rng"], fresh["choice"] = scratch.state["rng"], scratch.state["choice"]
    game.read_state(state, fresh[0])
    scratch.state[:] = fresh
    scratch.refresh()
    full = state_dict(scratch, 0)
    unknown = sorted(set(state) - set(full))
    if unknown:
        raise ValueError(f"unknown key {unknown[0]!r}; a state has {', '.join(full)}")
    for key in sorted({*DERIVED, *game.derived_keys} & set(state)):
        if not same(state[key], full[key]):
            raise ValueError(f"{key} is {state[key]!r}, but it follows that it is {full[key]!r}")
    games.state[row] = scratch.state[0]
    games.refresh([row])


def same(given: Any, own: Any) -> bool:
    """Equality of JSON values that does not take ``true`` for 1, or 1.0 for 1."""
    if isinstance(given, dict) and isinstance(own, dict):
        return given.keys() == own.keys() and all(same(given[k], own[k]) for k in own)
    if isinstance(given, list) and isinstance(own, list):
        return len(given) == len(own) and all(map(same, given, own))
    return type(given) is type(own) and given == own
