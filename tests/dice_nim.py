"""Nim with hidden dice: a toy with all that tic-tac-toe does without.

Chance before the first move and in the middle, outcomes that are not equally likely, something
each seat alone knows, options, a limit of length that truncates, several player counts, a seat that
may move twice in a row, and games that end before every seat has moved.

Each seat rolls a die that only it sees. In turn they take 1 to 3 stones from the heap; who leaves
three moves again. After every move that leaves some it may rain (1 in 4): a stone is added. If the
dice add up to an even number, who takes the last stone wins (+1, the others -1), otherwise it loses
(-1, the others +1).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from tabletop_env.game import CHANCE, NOBODY, Game, Kernels, Option, Row, StateDict, View, row_dtype
from tabletop_env.kernel import kernel
from tabletop_env.layout import Block, Layout
from tabletop_env.rng import chance_below, choice_below

ROLL, MOVE, RAIN, OVER = range(4)
PHASES = ("roll", "move", "rain", "over")
RAIN_ODDS = 4
SIDES = 6
MOST = 3
MAX_STONES = 20

ROW = row_dtype(
    [
        ("dice", np.int8, (3,)),  # private: each seat its own, 0 before it is rolled
        ("heap", np.int16),  # stones left
        ("stones", np.int16),  # at the start: an option
        ("max_turns", np.int32),  # 0 without a limit: an option
        ("turn", np.int32),  # moves made
        ("mover", np.int8),  # who moved last
        ("phase", np.uint8),
    ]
)


@kernel
def start(game):
    game["heap"] = game["stones"]
    game["mover"] = NOBODY
    game["seat"] = CHANCE


@kernel
def apply(game, action):
    game["mover"] = game["seat"]
    game["heap"] -= action + 1
    game["turn"] += 1
    if game["heap"] == 0:
        game["phase"], game["seat"] = OVER, NOBODY
    elif game["turn"] == game["max_turns"]:
        game["phase"], game["seat"], game["truncated"] = OVER, NOBODY, 1
    else:
        game["phase"], game["seat"] = RAIN, CHANCE


@kernel
def apply_chance(game, outcome):
    if game["phase"] == ROLL:
        seat = to_roll(game)
        game["dice"][seat] = outcome + 1
        if seat == game["players"] - 1:
            game["phase"], game["seat"] = MOVE, 0
        return
    again = game["heap"] == MOST
    game["heap"] += outcome
    game["phase"] = MOVE
    game["seat"] = game["mover"] if again else (game["mover"] + 1) % game["players"]


@kernel
def to_roll(game):
    """The first seat without a die."""
    seat = 0
    while game["dice"][seat] != 0:
        seat += 1
    return seat


@kernel
def write_legal(game, mask):
    for action in range(MOST):
        mask[action] = action < game["heap"]


@kernel
def write_chance(game, probabilities):
    probabilities[:] = 0
    if game["phase"] == ROLL:
        probabilities[:] = 1 / SIDES
    else:
        probabilities[0], probabilities[1] = 1 - 1 / RAIN_ODDS, 1 / RAIN_ODDS


@kernel
def write_rewards(game, rewards):
    if game["truncated"]:
        rewards[:] = 0
        return
    sign = 1 if game["dice"].sum() % 2 == 0 else -1
    rewards[:] = -sign
    rewards[game["mover"]] = sign


@kernel
def sample_action(game):
    return choice_below(game, min(MOST, game["heap"]))


@kernel
def sample_chance(game):
    if game["phase"] == ROLL:
        return chance_below(game, SIDES)
    return np.int64(chance_below(game, RAIN_ODDS) == 0)


@kernel
def resample_hidden(game, seat):
    """Nothing that happens tells of a die: those rolled may show anything."""
    for other in range(game["players"]):
        if other != seat and game["dice"][other] != 0:
            game["dice"][other] = 1 + chance_below(game, SIDES)


@kernel
def write_observation(game, seat, out):
    out[0] = game["heap"]
    out[1] = game["dice"][seat]
    out[2] = game["seat"] == seat


def check_count(low: int, high: int, *, none: bool = False) -> Any:
    def check(value: Any) -> Any:
        if value is None and none:
            return None
        if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
            raise ValueError(f"{value!r} is no integer in {low}..{high}")
        return value

    return check


class DiceNim(Game):
    """Nim with hidden dice for two or three players."""

    name = "dice_nim"
    title = "Dice Nim"
    package = "dice_nim"
    constant = "DICE_NIM"
    players = range(2, 4)
    row = ROW
    kernels = Kernels(
        start,
        apply,
        apply_chance,
        write_legal,
        write_chance,
        write_rewards,
        sample_action,
        sample_chance,
        resample_hidden,
    )
    views = {
        "table": View(
            write_observation, lambda players: (3,), lambda players: [MAX_STONES, SIDES, 1]
        )
    }
    options = {
        "stones": Option(9, check_count(1, MAX_STONES), "stones in the heap at the start"),
        "max_turns": Option(None, check_count(1, 10**6, none=True), "moves before it is cut off"),
    }
    num_actions = MOST
    num_outcomes = SIDES

    def write_options(self, row: Row, options: Mapping[str, Any]) -> None:
        row["stones"], row["max_turns"] = options["stones"], options["max_turns"] or 0

    def agents(self, num_players: int) -> list[str]:
        return [f"taker_{seat}" for seat in range(num_players)]

    def action_text(self, row: Row, action: int) -> str:
        return f"take {action + 1}"

    def read_action(self, row: Row, text: str) -> int:
        return ["take 1", "take 2", "take 3"].index(text)

    def outcome_text(self, row: Row, outcome: int) -> str:
        if row["phase"] == ROLL:
            return f"roll {to_roll(row)} {outcome + 1}"
        return ("dry", "rain")[outcome]

    def read_outcome(self, row: Row, text: str) -> int:
        count = SIDES if row["phase"] == ROLL else 2
        return [self.outcome_text(row, outcome) for outcome in range(count)].index(text)

    def phase(self, row: Row) -> str:
        return PHASES[row["phase"]]

    def text(self, row: Row, viewer: int | None) -> str:
        dice = [d if viewer in (None, s) else "?" for s, d in enumerate(row["dice"].tolist())]
        return f"heap {row['heap']}, dice {' '.join(map(str, dice[: row['players']]))}"

    def state_dict(self, row: Row) -> StateDict:
        return {
            "turn": int(row["turn"]),
            "heap": int(row["heap"]),
            "dice": row["dice"][: row["players"]].tolist(),
            "mover": int(row["mover"]),
        }

    def count_players(self, state: StateDict) -> int:
        return len(state["dice"])

    def read_state(self, state: StateDict, row: Row) -> None:
        row["dice"][: row["players"]] = state["dice"]
        row["heap"], row["turn"], row["mover"] = state["heap"], state["turn"], state["mover"]
        row["truncated"] = state.get("truncated", False)
        row["phase"], row["seat"] = OVER, NOBODY
        if row["heap"] and not row["truncated"]:
            if state["to_act"] not in self.agents(row["players"]):
                raise ValueError(f"to_act is {state['to_act']!r}")
            row["phase"], row["seat"] = MOVE, self.agents(row["players"]).index(state["to_act"])

    def action_layout(self) -> Layout:
        return Layout([Block("take", MOST, "take 1 to 3 stones")])

    def observation_layout(self, view: str, num_players: int) -> Layout:
        return Layout(
            [
                Block("heap", 1, "stones left", high=MAX_STONES),
                Block("die", 1, "the observer's", high=SIDES),
                Block("to_act", 1, "it is the observer's move"),
            ]
        )


DICE_NIM = DiceNim()
