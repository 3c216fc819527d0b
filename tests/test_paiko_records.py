"""Paikō for two through its doors: golden records, perft numbers, policies, conformance, refusals.

``tests/data/paiko_golden.jsonl`` holds games as they were once written, ``paiko_perft.jsonl`` positions
with the numbers of their sequences of moves, which the slow referee counted to depth 2. Both are written
anew, when rules or streams change on purpose, by ``python tests/test_paiko_records.py``.
"""

from __future__ import annotations

import contextlib
import io
import json
import sys
from pathlib import Path

import gymnasium
import numpy as np
import pytest
from helpers import position
from pettingzoo.test import api_test, seed_test
from referee.paiko import Paiko

from paiko_env import paiko_v0
from paiko_env.game import PAIKO
from tabletop_env.cli import main
from tabletop_env.perft import divide, perft
from tabletop_env.policies import choose_actions, seat_policies
from tabletop_env.record import check_record, write_records

DATA = Path(__file__).parent / "data"
COMMANDS = [
    '--seed 1 --full --options {"max_turns":8}',
    '--seed 2 --games 2 --options {"max_turns":60}',
    "--seed 5 --policy random,greedy",
    "--seed 7 --policy greedy --full",
]
POSITIONS = [
    {"to_act": "white_0", "hands": {"white_0": "S"}, "board": {}},
    {"to_act": "black_0", "hands": {"black_0": "SBEFWILA"}, "board": {}},
    {"to_act": "white_0", "hands": {"white_0": "FL"}, "board": {"g4": "wS", "h4": "wFE"}},
    {"to_act": "white_0", "board": {"f4": "wW", "g5": "wIN", "e6": "wBW", "h10": "bS"}},
    {"to_act": "black_0", "board": {"i9": "bW", "j9": "bW2", "k8": "bS3", "g9": "wA"}},
    {"to_act": "white_0", "hands": {"white_0": "I"}, "board": {"f8": "wS", "h10": "bIS"}},
    {"to_act": "white_0", "reserves": {"w": "SSB"}, "board": {"g3": "wE", "j11": "bE"}},
    {"to_act": "white_0", "board": {"g8": "wS", "h9": "bS", "i10": "bL", "f7": "wE"}},
    {
        "phase": "place",
        "to_act": "white_0",
        "pending": {"tile": "f5"},
        "board": {"f5": "wW", "g8": "wA", "j10": "bA"},
    },
    {
        "phase": "reward",
        "to_act": "black_0",
        "reserves": {"w": "SBW", "b": "A"},
        "pending": {"left": 2},
        "lost": {"b": 2},
        "hands": {"white_0": "A", "black_0": "S"},
    },
    {"phase": "setup", "to_act": "white_0", "reserves": {"w": "SBEFWILA" * 3, "b": "SBEFWILA" * 3},
     "pending": {"left": 7}},
    {"to_act": "black_0", "board": {"h9": "bFN", "i9": "bFW", "f8": "wS", "e8": "wW", "e5": "wFE"}},
]  # fmt: skip


def paiko(*arguments: str) -> int:
    """``python -m paiko_env``, in this process; returns the exit status."""
    return main([PAIKO], "paiko", list(arguments))


def recorded() -> str:
    """What the commands write to standard output."""
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        for command in COMMANDS:
            assert paiko("record", "--players", "2", *command.split()) == 0
    return out.getvalue()


def counted() -> list[dict]:
    """The positions with their numbers; the referee counts as far as it is quick enough."""
    lines = []
    for state in POSITIONS:
        full = {"game": "paiko", **state}
        games = position(PAIKO, full)
        slow = Paiko.from_state(full)
        second = 0
        for move in slow.legal():
            after = Paiko.from_state(full)
            after.play(str(after.to_act), move)
            second += len(after.legal())
        counts = [perft(games, depth) for depth in (1, 2, 3)]
        assert counts[:2] == [len(slow.legal()), second], (state, counts, second)
        lines.append({"state": full, "perft": counts})
    return lines


def test_golden_records():
    golden = (DATA / "paiko_golden.jsonl").read_text().splitlines()
    for number, (old, new) in enumerate(zip(golden, recorded().splitlines(), strict=True), start=1):
        assert json.loads(new) == json.loads(old), f"record {number} is another game now"
        assert new == old, f"record {number} is spelt in another way now"


def test_records_agree_with_the_rules(tmp_path, capsys):
    assert paiko("check", str(DATA / "paiko_golden.jsonl")) == 0
    broken = json.loads((DATA / "paiko_golden.jsonl").read_text().splitlines()[0])
    broken["moves"][3][1] = "S@f4"
    (tmp_path / "broken.jsonl").write_text(json.dumps(broken) + "\n")
    capsys.readouterr()
    assert paiko("check", str(tmp_path / "broken.jsonl")) == 1
    assert capsys.readouterr().out.startswith("line 1: moves[3]: ")


def test_perft_numbers():
    for line in (DATA / "paiko_perft.jsonl").read_text().splitlines():
        entry = json.loads(line)
        games = position(PAIKO, entry["state"])
        assert [perft(games, depth) for depth in (1, 2, 3)] == entry["perft"], entry["state"]
        assert sum(divide(games, 2).values()) == entry["perft"][1]


def test_perft_command(monkeypatch, capsys):
    state = json.dumps({"game": "paiko", **POSITIONS[0]})
    monkeypatch.setattr(sys, "stdin", io.StringIO(state))
    assert paiko("perft", "--depth", "1") == 0
    assert capsys.readouterr().out == "27\n"  # 28 squares of the homeground, less the black one
    monkeypatch.setattr(sys, "stdin", io.StringIO(state))
    assert paiko("perft", "--depth", "1", "--divide") == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 28
    assert lines[-1] == "total 27"
    assert lines[0] == "S@a7 1"


def test_greedy_beats_random_nearly_always():
    for policies in (["greedy", "random"], ["random", "greedy"]):
        games = paiko_v0.batch(40, seed=3)
        players = seat_policies(PAIKO, 2, policies)
        while len(rows := np.flatnonzero(~games.done)):
            games.step(choose_actions(games, players, rows), rows)
        assert (games.rewards[:, policies.index("greedy")] > 0).mean() > 0.9


def test_a_win_on_the_last_turn_allowed_is_a_win():
    """P13 is judged before P15: White gets its tenth point on the turn that reaches the limit."""
    board = {"h13": "wS", "h12": "wE", "i12": "wE", "i13": "wS", "j9": "wE"}  # 10 points for White
    spread = {**board, "g5": "wE"}
    games = position(PAIKO, {"game": "paiko", "to_act": "white_0", "turn": 4, "board": spread},
                     max_turns=5)  # fmt: skip
    games.step([games.read_action(0, "g5-g6")])
    state = games.state_dict(0)
    assert (state["over"], state["truncated"], state["rewards"]["white_0"]) == (True, False, 1)


def test_conformance():
    api_test(paiko_v0.env(max_turns=40), num_cycles=200)
    seed_test(lambda: paiko_v0.env(max_turns=40), num_cycles=50)
    for observation in ("planes", "compact"):
        envs = gymnasium.make_vec(
            "paiko_env/Paiko-v0", num_envs=3, seat="random", observation=observation
        )
        observations, infos = envs.reset(seed=1)
        assert observations in envs.observation_space
        for _ in range(40):
            moves = [np.flatnonzero(mask)[0] for mask in infos["action_mask"]]
            observations, *_, infos = envs.step(np.array(moves))
            assert observations in envs.observation_space


@pytest.mark.parametrize("limit", [0, -3, 2.5, "9", True])
def test_other_limits_are_refused(limit):
    with pytest.raises(ValueError, match=r"max_turns is .*, expected an integer of 1 or more"):
        paiko_v0.batch(1, max_turns=limit)


def test_written_records_replay():
    for record in write_records(PAIKO, 2, 3, seed=11, full=True, policies="greedy"):
        check_record(PAIKO, record)


if __name__ == "__main__":
    (DATA / "paiko_golden.jsonl").write_text(recorded())
    lines = [json.dumps(entry) + "\n" for entry in counted()]
    (DATA / "paiko_perft.jsonl").write_text("".join(lines))
