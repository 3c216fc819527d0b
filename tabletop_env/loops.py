"""Kernels over many rows: the game's kernels, one after another, for any slice of a batch.

Made once for each game by ``make_loops``; they close over that game's kernels. The outputs (seat,
mask, chances, rewards, flags) are functions of the row alone, so any of them can be written afresh
at any time. Arrays: ``state`` (B,) rows, ``seat`` (B,) int8, ``legal`` (B, A) bool, ``chance`` (B, C)
float64 (B = 0 unless chance is explicit), ``rewards`` (B, P) float32, ``terminated`` and
``truncated`` (B,) bool, ``actions`` (B,) int64 with ``SKIP`` where a row is to be left alone.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

from tabletop_env.game import CHANCE, NOBODY
from tabletop_env.kernel import kernel
from tabletop_env.rng import choice_below, seed_row
from tabletop_env.simd import count_marked, nth_marked

if TYPE_CHECKING:
    from tabletop_env.game import Game

SKIP = -1
"""The action that leaves a row alone."""
MANY_ACTIONS = 256
"""With more, to look through the mask is faster than to ask the game."""


class Loops(NamedTuple):
    """What ``make_loops`` makes; B rows each, outputs as above."""

    reset: Callable[..., None]
    step: Callable[..., None]
    first_illegal: Callable[..., int]
    refresh: Callable[..., None]
    sample: Callable[..., None]
    playout: Callable[..., None]
    reseed: Callable[..., None]
    resample: Callable[..., None]
    observe: dict[str, Callable[..., None]]


def make_loops(game: Game) -> Loops:
    """Compile-on-call loops over the kernels of ``game``."""

    def compiled(function: Any, label: str = "") -> Any:
        return kernel(function, package=game.package, label=f"{game.name}{label}-")

    start, apply, apply_chance, write_legal, write_chance, write_rewards, *rest = game.kernels
    sample_action, sample_chance, resample_hidden = rest

    @compiled
    def settle(row, explicit):
        """Let chance happen until somebody is to act, unless chance is the caller's."""
        if explicit:
            return
        while row["seat"] == CHANCE:
            apply_chance(row, sample_chance(row))

    @compiled
    def refresh(state, chosen, seat, legal, chance, rewards, terminated, truncated):
        """Write the chosen rows' outputs; all in one call, which costs more than a row does."""
        for i in range(len(state)):
            if not chosen[i]:
                continue
            row = state[i]
            to_act = row["seat"]
            over = to_act == NOBODY
            seat[i] = to_act
            terminated[i] = over and row["truncated"] == 0
            truncated[i] = over and row["truncated"] != 0
            if to_act >= 0:
                write_legal(row, legal[i])
            else:
                legal[i, :] = False
            if over:
                write_rewards(row, rewards[i])
            else:
                rewards[i, :] = 0
        for i in range(len(chance)):
            if not chosen[i]:
                continue
            if state[i]["seat"] == CHANCE:
                write_chance(state[i], chance[i])
            else:
                chance[i, :] = 0

    @compiled
    def reset(state, chosen, blank, explicit, seat, legal, chance, rewards, terminated, truncated):
        """Begin anew in the chosen rows; options come from ``blank``, streams go on."""
        for i in range(len(state)):
            if chosen[i]:
                row = state[i]
                rng, choice = row["rng"], row["choice"]
                state[i] = blank[0]
                row["rng"], row["choice"] = rng, choice
                start(row)
                settle(row, explicit)
        refresh(state, chosen, seat, legal, chance, rewards, terminated, truncated)

    @compiled
    def step(state, actions, chosen, explicit, seat, legal, chance, rewards, terminated, truncated):
        for i in range(len(state)):
            action = actions[i]
            if action == SKIP:
                continue
            row = state[i]
            if row["seat"] == CHANCE:
                apply_chance(row, action)
            else:
                row["plies"] += 1
                apply(row, action)
            settle(row, explicit)
        refresh(state, chosen, seat, legal, chance, rewards, terminated, truncated)

    @compiled
    def first_illegal(actions, chosen, seat, legal, chance):
        """Index of the first chosen row whose action may not be made, or -1."""
        for i in range(len(actions)):
            if not chosen[i]:
                continue
            action = actions[i]
            if seat[i] >= 0:
                fine = 0 <= action < legal.shape[1] and legal[i, action]
            elif seat[i] == CHANCE:
                fine = 0 <= action < chance.shape[1] and chance[i, action] > 0
            else:
                fine = action == SKIP
            if not fine:
                return i
        return -1

    if game.num_actions > MANY_ACTIONS:

        def draw(row, mask):
            """A random entry of the mask, which is there already."""
            count = count_marked(mask)  # 0 where a state was changed, but not refreshed
            return nth_marked(mask, choice_below(row, count)) if count else SKIP

    else:

        def draw(row, mask):
            """A random action, as the game itself finds it."""
            return sample_action(row)

    draw = compiled(draw)

    @compiled
    def sample(state, legal, chosen, actions):
        """A random legal action (or chance outcome) for the chosen rows, ``SKIP`` elsewhere."""
        for i in range(len(state)):
            row = state[i]
            actions[i] = SKIP
            if chosen[i] and row["seat"] >= 0:
                actions[i] = draw(row, legal[i])
            elif chosen[i] and row["seat"] == CHANCE:
                actions[i] = sample_chance(row)

    @compiled
    def playout(state, until, most, plies):
        """Play at random to the end, until seat ``until[i]`` is to act, or for ``most`` plies."""
        for i in range(len(state)):
            row = state[i]
            before = row["plies"]
            settle(row, False)
            while row["seat"] >= 0 and row["seat"] != until[i] and row["plies"] - before < most:
                row["plies"] += 1
                apply(row, sample_action(row))
                settle(row, False)
            plies[i] = row["plies"] - before

    @compiled
    def reseed(state, chosen, seeds):
        for i in range(len(state)):
            if chosen[i]:
                seed_row(state[i], seeds[i])

    @compiled
    def resample(state, chosen, seats, seeds):
        for i in range(len(state)):
            if chosen[i]:
                seed_row(state[i], seeds[i])
                resample_hidden(state[i], seats[i])

    def observer(name: str, write: Any) -> Any:
        def observe(state, seats, out):
            """What each seat sees; zeros where the seat is nobody."""
            for i in range(len(state)):
                if seats[i] >= 0:
                    write(state[i], seats[i], out[i])
                else:
                    out[i] = 0

        return compiled(observe, name)

    observers = {name: observer(name, view.write) for name, view in game.views.items()}
    return Loops(reset, step, first_illegal, refresh, sample, playout, reseed, resample, observers)
