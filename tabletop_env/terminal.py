"""A person at the terminal against policies."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from tabletop_env.batch import Batch
from tabletop_env.game import Game
from tabletop_env.policies import BatchPolicy

HELP = "Type a move as the list shows it; 'legal' lists them all, 'state' the table, 'quit' leaves."


def play(
    game: Game,
    num_players: int,
    *,
    policy: BatchPolicy,
    seat: str | None = None,
    seed: int | None = None,
    ask: Callable[[str], str] = input,
    tell: Callable[[str], None] = print,
    **options: Any,
) -> int:
    """Play one game; ``seat`` is the person's agent. Returns the exit status."""
    if seed is None:
        seed = int(np.random.SeedSequence().generate_state(1, np.uint32)[0])
    games = Batch(game, 1, num_players, seed=seed, **options)
    me = games.agents[0] if seat is None else seat
    if me not in games.agents:
        raise ValueError(f"seat is {me!r}, expected one of {', '.join(games.agents)}")
    tell(f"{game.title}, seed {seed}. You are {me}. {HELP}")
    while not games.done[0]:
        agent = games.agent(0)
        if agent == me:
            action = _ask(games, games.agents.index(me), ask, tell)
            if action is None:
                tell("Left before the end.")
                return 0
        else:
            action = int(policy.choose(games, np.zeros(1, np.int64))[0])
            tell(f"{agent}: {games.action_text(0, action)}")
        games.step([action])
    tell(game.text(games.state[0], None))
    for agent, reward in zip(games.agents, games.rewards[0].tolist(), strict=True):
        tell(f"{agent}: {reward:+.0f}")
    return 0


def _ask(
    games: Batch, seat: int, ask: Callable[[str], str], tell: Callable[[str], None]
) -> int | None:
    """The person's next action, or ``None`` to leave."""
    legal = [games.action_text(0, int(action)) for action in np.flatnonzero(games.legal[0])]
    tell(games.game.text(games.state[0], seat))
    tell(_listing(legal, 12))
    while True:
        try:
            line = ask("> ").strip()
        except EOFError:
            return None
        if line in ("quit", "exit"):
            return None
        if line == "legal":
            tell(_listing(legal, len(legal)))
        elif line == "state":
            tell(games.game.text(games.state[0], seat))
        elif line in legal:
            return games.read_action(0, line)
        elif line in ("help", "?", ""):
            tell(HELP)
        else:
            tell(f"{line!r} is not legal now. {_listing(legal, 12)}")


def _listing(legal: list[str], most: int) -> str:
    more = f", … ({len(legal)} in all)" if len(legal) > most else ""
    return f"Legal: {', '.join(legal[:most])}{more}"
