"""Records: what the command ``record`` writes, and that it is the game that everybody else plays.

``tests/data/shikoku_golden.jsonl`` holds games as they were once written; when the rules, the
random streams or the format change on purpose, write it anew:

    python tests/test_shikoku_records.py > tests/data/shikoku_golden.jsonl
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

import pytest
from referee.shikoku import Shikoku

from shikoku_env import shikoku_v0
from shikoku_env.game import SHIKOKU
from tabletop_env.cli import main

GOLDEN = Path(__file__).parent / "data" / "shikoku_golden.jsonl"
TABLE = [1 + (7 * card) % 5 for card in range(33)]
COMMANDS = [
    "--players 3 --seed 1 --full",
    *(f"--players {players} --seed {10 * players} --games 2" for players in range(3, 9)),
    f"--players 5 --seed 7 --options {json.dumps({'step_table': TABLE}, separators=(',', ':'))}",
]
KEYS = ["format", "game", "agents", "options", "seed", "moves", "rewards", "truncated"]


def shikoku(*arguments):
    """``python -m shikoku_env``, in this process; returns the exit status."""
    return main([SHIKOKU], "shikoku", [str(argument) for argument in arguments])


@pytest.fixture
def record(capsys):
    """The lines that ``record`` writes to standard output."""

    def run(command):
        assert shikoku("record", *command.split()) == 0
        out, err = capsys.readouterr()
        assert err == ""  # no progress bar where standard error is no terminal
        assert out.endswith("\n")
        return out.splitlines()

    return run


def difference(old, new, where="record"):
    """Where two JSON values differ first, in words; ``None`` if nowhere."""
    if type(old) is not type(new):
        return f"{where} was {old!r}, is {new!r}"
    if isinstance(old, dict):
        if list(old) != list(new):
            return f"the keys of {where} were {list(old)}, are {list(new)}"
        pairs = [(old[key], new[key], f"{where}[{key!r}]") for key in old]
    elif isinstance(old, list):
        pairs = [(*both, f"{where}[{i}]") for i, both in enumerate(zip(old, new, strict=False))]
        if len(old) != len(new):
            pairs.append((len(old), len(new), f"the length of {where}"))
    else:
        return None if old == new else f"{where} was {old!r}, is {new!r}"
    return next(filter(None, (difference(*pair) for pair in pairs)), None)


# -- what is written -----------------------------------------------------------------------------


def test_golden_records_are_written_as_ever(record):
    golden = GOLDEN.read_text().splitlines()
    written = [(command, line) for command in COMMANDS for line in record(command)]
    assert len(golden) == len(written)
    for number, (old, (command, new)) in enumerate(zip(golden, written, strict=True), start=1):
        changed = difference(json.loads(old), json.loads(new))
        assert changed is None, f"line {number}, of `record {command}`: {changed}"
        assert old == new, f"line {number}: the same record is spelt in another way"


def test_golden_records_are_checked(capsys):
    assert shikoku("check", GOLDEN) == 0
    assert capsys.readouterr().out == "14 records agree with the rules\n"


@pytest.mark.parametrize("players", range(3, 9))
def test_keys_order_and_kinds_of_a_record(record, players):
    (line,) = record(f"--players {players} --seed 3 --full")
    game = json.loads(line)
    assert line == json.dumps(game)  # as Python writes it by default: spaces, escapes and all
    assert list(game) == [*KEYS, "states"]
    assert game["format"] == "tabletop-record-1"
    assert game["game"] == "shikoku"
    assert game["agents"] == [f"player_{seat}" for seat in range(players)]
    assert (game["options"], game["seed"], game["truncated"]) == ({}, 3, False)
    assert list(game["rewards"]) == game["agents"]
    assert {type(reward) for reward in game["rewards"].values()} == {int}
    for agent, text in game["moves"]:
        verbs = ("deal", "reveal") if agent == "chance" else ("play", "take")
        assert text.startswith(verbs)
    decisions = [agent for agent, _ in game["moves"] if agent != "chance"]
    assert [state["to_act"] for state in game["states"]] == [*decisions, None]
    assert all(list(state) == sorted(state) for state in game["states"])
    (plain,) = record(f"--players {players} --seed 3")
    assert json.loads(plain) == {key: game[key] for key in KEYS}


def test_setup_comes_first_all_deals_of_a_seat_before_the_next(record):
    game = json.loads(record("--players 4 --seed 11")[0])
    setup = [text.rpartition(" ")[0] for agent, text in game["moves"][:16]]
    assert setup == [f"deal {seat}" for seat in range(4) for _ in "123"] + [
        f"reveal {seat}" for seat in range(4)
    ]
    assert [agent for agent, _ in game["moves"][:17]].count("chance") == 16


def test_only_options_that_differ_from_their_defaults_are_written(record):
    default = json.dumps({"step_table": SHIKOKU.options["step_table"].default}).replace(" ", "")
    assert json.loads(record(f"--players 3 --options {default}")[0])["options"] == {}
    other = json.dumps({"step_table": TABLE}).replace(" ", "")
    assert json.loads(record(f"--players 3 --options {other}")[0])["options"] == {
        "step_table": TABLE
    }


def test_a_game_is_its_seed(record):
    three = record("--players 4 --seed 5 --games 3")
    assert three == [record(f"--players 4 --seed {seed}")[0] for seed in (5, 6, 7)]
    assert record("--players 4 --seed 5 --games 3") == three
    assert len({json.dumps(json.loads(line)["moves"]) for line in three}) == 3
    assert record("--players 4") == record("--players 4 --seed 0 --games 1 --policy random")
    assert record("--players 4 --policy random,random,random,random") == record("--players 4")


def test_more_games_than_are_played_side_by_side_are_the_same_games(record):
    many = record("--players 3 --seed 2 --games 258")  # 256 are played at once
    assert [json.loads(line)["seed"] for line in many] == list(range(2, 260))
    assert many[-1] == record("--players 3 --seed 259")[0]


def test_output_goes_to_a_file(record, capsys, tmp_path):
    file = tmp_path / "games.jsonl"
    assert shikoku("record", "--players", 3, "--games", 2, "-o", file) == 0
    assert capsys.readouterr().out == ""
    assert file.read_text().splitlines() == record("--players 3 --games 2")
    assert shikoku("check", file) == 0
    assert capsys.readouterr().out == "2 records agree with the rules\n"


def test_a_terminal_gets_a_progress_bar(capsys, monkeypatch):
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)
    assert shikoku("record", "--players", 3, "--games", 4) == 0
    out, err = capsys.readouterr()
    assert len(out.splitlines()) == 4
    assert "\r[#######.......................] 1/4 games" in err
    assert err.endswith(f"\r[{'#' * 30}] 4/4 games\n")


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        ("--players 2", "num_players is 2, but Shikoku takes 3..8"),
        ("--players 9", "num_players is 9, but Shikoku takes 3..8"),
        ("--players 3 --games 0", "num_games is 0, expected an integer of 1 or more"),
        ("--players 3 --seed -1", "seed is -1, expected an integer in 0.."),
        ("--players 3 --seed 18446744073709551615 --games 2", "seed is 18446744073709551615"),
        ("--players 3 --policy clever", "policy is 'clever', but Shikoku has: random"),
        ("--players 3 --policy random,random", "2 policies for 3 seats"),
        ('--players 3 --options {"max_turns":5}', "unknown option 'max_turns' of Shikoku"),
        ('--players 3 --options {"step_table":[]}', "step_table is [], expected 33 integers"),
        ("--players 3 -o /nowhere/at/all.jsonl", "No such file or directory"),
    ],
)
def test_bad_usage_is_exit_2_and_says_why(arguments, complaint, capsys):
    assert shikoku("record", *arguments.split()) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("shikoku: ")
    assert complaint in err


@pytest.mark.parametrize("options", ["[1]", "{", '{"a": 1, "a": 1}', '{"a": NaN}'])
def test_options_that_are_no_json_object_are_bad_usage(options, capsys):
    with pytest.raises(SystemExit) as left:
        shikoku("record", "--players", 3, "--options", options)
    assert left.value.code == 2
    assert f"argument --options: {options!r}" in capsys.readouterr().err


def test_bad_arguments_show_before_a_file_is_made(tmp_path, capsys):
    file = tmp_path / "games.jsonl"
    assert shikoku("record", "--players", 2, "-o", file) == 2
    assert not file.exists()


@pytest.mark.parametrize("games", [1, 30], ids=["at the last flush", "on the way"])
def test_a_reader_who_leaves_early_is_no_error(games, monkeypatch, capsys):
    reader, writer = os.pipe()
    os.close(reader)  # as `| head` does, sooner or later
    with open(writer, "w") as out:
        monkeypatch.setattr(sys, "stdout", out)
        assert shikoku("record", "--players", 8, "--games", games) == 0
    assert capsys.readouterr().err == ""


# -- the same game elsewhere ---------------------------------------------------------------------


def samples(record):
    """Full records of every player count, and of a table that lets the deck run out."""
    slow = json.dumps({"step_table": [1] * 33}).replace(" ", "")
    for players in range(3, 9):
        yield json.loads(record(f"--players {players} --seed 21 --full")[0])
    for players in (3, 8):
        yield json.loads(record(f"--players {players} --seed 22 --full --options {slow}")[0])


def test_the_referee_accepts_a_records_moves_and_gets_its_states(record):
    for game in samples(record):
        referee = Shikoku.start(len(game["agents"]), **game["options"])
        states = iter(game["states"])
        for agent, text in game["moves"]:
            if agent != "chance":
                assert next(states) == referee.state_dict()
            referee.play(agent, text)
        assert list(states) == [referee.state_dict()]
        assert referee.over
        assert game["rewards"] == referee.rewards


def test_a_record_is_the_game_that_an_environment_begins_with_its_seed(record):
    for game in samples(record):
        env = shikoku_v0.env(len(game["agents"]), **game["options"])
        env.reset(seed=game["seed"])
        states = iter(game["states"])
        for agent, text in game["moves"]:
            if agent != "chance":  # the environment turns up the same cards by itself
                assert env.agent_selection == agent
                assert env.state_dict() == next(states)
                env.step(int(text.split()[1]) - 1)
        assert [env.state_dict()] == list(states)
        assert env.rewards == game["rewards"]
        assert all(env.terminations.values())


def test_a_record_is_the_game_that_a_batch_plays_in_the_row_of_its_seed(record):
    games = shikoku_v0.batch(3, 4, seed=5)  # chance happens by itself, moves come from the rows
    texts = [[], [], []]
    while not games.done.all():
        actions = games.sample_legal()
        for row in range(3):
            if not games.done[row]:
                texts[row].append([games.agent(row), games.action_text(row, actions[row])])
        games.step(actions)
    for row, line in enumerate(record("--players 4 --seed 5 --games 3")):
        moves = json.loads(line)["moves"]
        assert texts[row] == [move for move in moves if move[0] != "chance"]


if __name__ == "__main__":
    sys.exit(max(shikoku("record", *command.split()) for command in COMMANDS))
