"""``check``, ``state`` and ``play``: broken records, positions as JSON lines, a person's game."""

from __future__ import annotations

import io
import json
import re
import sys
from pathlib import Path

import pytest

from shikoku_env.game import SHIKOKU
from shikoku_env.rules import STAND_IN_TABLE
from tabletop_env.cli import main

GOLDEN = Path(__file__).parent / "data" / "shikoku_golden.jsonl"
LINE, OTHER, *_ = GOLDEN.read_text().splitlines()  # LINE: three players, seed 1, with states
# Its moves: 0..8 deals, 9..11 reveals (10, 22 and 31), 12 ["player_0", "play 13"], 13 ["player_1",
# "play 25"], 14 ["player_2", "play 20"], 15 ["chance", "deal 0 5"], 16 ["player_2", "take 10"] …
LAST = len(json.loads(LINE)["moves"]) - 1


def shikoku(*arguments):
    """``python -m shikoku_env``, in this process; returns the exit status."""
    return main([SHIKOKU], "shikoku", [str(argument) for argument in arguments])


@pytest.fixture
def check(tmp_path, capsys):
    """Write lines to a file and check it: exit status and what was said."""

    def run(*lines):
        file = tmp_path / "games.jsonl"
        file.write_bytes(b"".join(line.encode(errors="surrogateescape") + b"\n" for line in lines))
        status = shikoku("check", file)
        out, err = capsys.readouterr()
        assert err == ""
        return status, out.rstrip("\n")

    return run


def test_the_record_that_the_breaks_below_start_from():
    moves = json.loads(LINE)["moves"]
    assert [agent for agent, _ in moves[:17]].index("player_0") == 12
    assert moves[12:17] == [
        ["player_0", "play 13"],
        ["player_1", "play 25"],
        ["player_2", "play 20"],
        ["chance", "deal 0 5"],
        ["player_2", "take 10"],
    ]


# -- check ---------------------------------------------------------------------------------------


def move(index, *entry):
    """A change that puts another entry at an index."""
    return lambda record: record["moves"].__setitem__(index, list(entry))


def put(key, value):
    """A change that gives a key another value, at its place."""
    return lambda record: record.__setitem__(key, value)


def state(index, **values):
    """A change of the keys of a state."""
    return lambda record: record["states"][index].update(values)


def both(*changes):
    return lambda record: [change(record) for change in changes]


def reorder(*path):
    """A change that turns round the keys of the object at a path."""

    def change(record):
        for key in path:
            record = record[key]
        for key in list(record)[::-1]:
            record[key] = record.pop(key)

    return change


BROKEN = [
    # who and what
    (move(12, "player_1", "play 25"), "moves[12]: 'player_1' is not to act, expected 'player_0'"),
    (move(12, "chance", "deal 0 13"), "moves[12]: 'chance' is not to act, expected 'player_0'"),
    (move(0, "player_0", "play 13"), "moves[0]: 'player_0' is not to act, expected 'chance'"),
    (move(12, None, "play 13"), "moves[12]: None is not to act, expected 'player_0'"),
    (move(12, "player_0", "play 25"), "moves[12]: 'play 25' of player_0 is not possible in phase"),
    (move(16, "player_2", "take 13"), "moves[16]: 'take 13' of player_2 is not possible in phase"),
    (move(12, "player_0", "take 13"), "moves[12]: 'take 13' does not fit phase play"),
    (move(16, "player_2", "play 10"), "moves[16]: 'play 10' does not fit phase take"),
    (move(12, "player_0", "deal 0 13"), "moves[12]: 'deal 0 13' is no move"),
    *(
        (move(12, "player_0", text), f"moves[12]: {text!r} is no move")
        for text in ("play 34", "play 0", "play 013", "Play 13", "play  13", "play 13 ", "", 13)
    ),
    (move(12, "player_0"), "moves[12]: ['player_0'] is no pair of agent and move"),
    (move(12, "player_0", "play 13", 1), "moves[12]: ['player_0', 'play 13', 1] is no pair"),
    (lambda r: r["moves"].__setitem__(12, "play 13"), "moves[12]: 'play 13' is no pair"),
    # chance
    (move(15, "chance", "deal 0 13"), "moves[15]: 'deal 0 13' of chance is not possible"),
    (move(8, "chance", "deal 2 13"), "moves[8]: 'deal 2 13' of chance is not possible"),
    (move(15, "chance", "deal 1 5"), "moves[15]: 'deal 1 5' is not due, expected 'deal 0 CARD'"),
    (move(15, "chance", "reveal 0 5"), "moves[15]: 'reveal 0 5' is not due, expected 'deal 0 CARD"),
    (move(3, "chance", "deal 0 26"), "moves[3]: 'deal 0 26' is not due, expected 'deal 1 CARD'"),
    (move(9, "chance", "deal 0 10"), "moves[9]: 'deal 0 10' is not due, expected 'reveal 0 CARD'"),
    (move(9, "chance", "reveal 1 10"), "moves[9]: 'reveal 1 10' is not due, expected 'reveal 0 CA"),
    (move(15, "chance", "deal 0 34"), "moves[15]: 'deal 0 34' is no chance event"),
    (move(15, "chance", "deal 0 05"), "moves[15]: 'deal 0 05' is no chance event"),
    (move(15, "chance", "play 5"), "moves[15]: 'play 5' is no chance event"),
    (move(15, "chance", 5), "moves[15]: 5 is no move, expected a text"),
    (lambda r: r["moves"].pop(15), "moves[15]: 'player_2' is not to act, expected 'chance'"),
    (lambda r: r["moves"].insert(16, ["chance", "deal 0 1"]), "moves[16]: 'chance' is not to act"),
    # another card is dealt than the states say
    (move(15, "chance", "deal 0 7"), "moves[16]: states[3]: 'hands' is [[2, 5, 32], "),
    # the end
    (lambda r: r["moves"].append(["a", "b"]), f"moves[{LAST + 1}]: 'b' of 'a' comes after the end"),
    (lambda r: r["moves"].append(["\ud800", "x"]), f"moves[{LAST + 1}]: 'x' of '\\ud800' comes"),
    (lambda r: r["moves"].pop(), f"moves[{LAST}]: the moves end before the game does"),
    (put("moves", []), "moves[0]: the moves end before the game does"),
    (put("rewards", {"player_0": 1, "player_1": 1, "player_2": -1}), "rewards are {'player_0': 1,"),
    (put("rewards", {"player_0": -1, "player_1": 1}), "rewards are {'player_0': -1, 'player_1': 1"),
    (put("rewards", [-1, 1, -1]), "rewards are [-1, 1, -1], expected {'player_0': "),
    (reorder("rewards"), "rewards are {'player_2': "),
    (lambda r: r["rewards"].update(player_0=float(r["rewards"]["player_0"])), "rewards are {'play"),
    (put("truncated", True), "truncated is True, expected False"),
    (put("truncated", 0), "truncated is 0, expected False"),
    # the form
    (put("format", "tabletop-record-2"), "format is 'tabletop-record-2', expected 'tabletop-recor"),
    (put("game", "paiko"), "game is 'paiko', expected one of shikoku"),
    (put("game", None), "game is None, expected one of shikoku"),
    (put("agents", ["player_0", "player_1"]), "num_players is 2, but Shikoku takes 3..8"),
    (put("agents", ["player_1", "player_0", "player_2"]), "agents are ['player_1', 'player_0', "),
    (put("agents", ["a", "b", "c"]), "agents are ['a', 'b', 'c'], expected ['player_0', "),
    (put("agents", "abc"), "agents is 'abc', expected a list"),
    (put("agents", [f"player_{s}" for s in range(4)]), "moves[9]: 'reveal 0 10' is not due"),
    (put("moves", {}), "moves is {}, expected a list"),
    (put("options", []), "options is [], expected an object"),
    (put("options", {"max_turns": 3}), "unknown option 'max_turns' of Shikoku"),
    (put("options", {"step_table": [0] * 33}), "step_table gives card 1 0, expected 1..32"),
    (put("options", {"step_table": list(STAND_IN_TABLE)}), "expected what differs: {}"),
    (put("options", {"step_table": [1] * 33}), "moves[12]: states[0]: 'steps' is "),
    *((put("seed", seed), f"seed is {seed!r}, expected") for seed in (-1, 1.0, "1", True)),
    (lambda r: r.pop("seed"), "keys are ['format', 'game', 'agents', 'options', 'moves', "),
    (put("comment", "hello"), "keys are ['format', "),
    (reorder(), "keys are ['states', 'truncated', "),
    # states
    (state(3, deck=19), "moves[16]: states[3]: 'deck' is 19, expected 20"),
    (state(0, turn=False), "moves[12]: states[0]: 'turn' is False, expected 0"),
    (state(0, to_act="player_1"), "moves[12]: states[0]: 'to_act' is 'player_1', expected 'player"),
    (state(0, comment=None), "moves[12]: states[0]: 'comment' is None, expected nothing"),
    (state(-1, over=1), f"moves[{LAST + 1}]: states["),
    (lambda r: r["states"][-1].pop("to_act"), "'to_act' is nothing, expected None"),
    (lambda r: r["states"].__setitem__(0, 7), "moves[12]: states[0] is 7, expected an object"),
    (lambda r: r["states"].pop(), f"moves[{LAST + 1}]: states has only "),
    (lambda r: r["states"].append({}), "entries, expected "),
    (lambda r: r["states"].pop(0), "moves[12]: states[0]: 'hands' is "),
    (put("states", {}), "states is {}, expected a list"),
    (put("states", None), "states is None, expected a list"),
    # two things at once: the first one is named
    (both(move(13, "player_1", "play 1"), put("truncated", True)), "moves[13]: 'play 1' of player"),
]  # fmt: skip


@pytest.mark.parametrize(("change", "complaint"), BROKEN)
def test_a_broken_record_is_exit_1_with_line_index_and_reason(check, change, complaint):
    record = json.loads(LINE)
    change(record)
    status, said = check(OTHER, json.dumps(record), OTHER)
    assert status == 1
    assert said.startswith("line 2: ")
    assert complaint in said
    if complaint.startswith("moves["):
        assert said.startswith(f"line 2: {complaint}")


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        ("", "Expecting value"),
        ("{", "Expecting property name"),
        ("[]", "game is None, expected one of shikoku"),
        ("7", "game is None, expected one of shikoku"),
        (LINE + LINE, "Extra data"),
        (LINE.replace('"seed": 1', '"seed": NaN'), "NaN is no JSON"),
        (LINE.replace('"seed": 1', '"seed": 1, "seed": 1'), "key 'seed' is given twice"),
        ("[" * 100_000, "the JSON is nested too deeply"),
        ("\udcff", "the line is no UTF-8"),
    ],
)
def test_a_line_that_is_no_record_is_exit_1(check, line, complaint):
    status, said = check(LINE, line)
    assert status == 1
    assert said.startswith("line 2: ")
    assert complaint in said


def test_chance_comes_from_the_record_and_not_from_the_seed(check):
    record = json.loads(LINE)
    assert check(LINE, json.dumps({**record, "seed": 2}), json.dumps({**record, "seed": None})) == (
        0,
        "3 records agree with the rules",
    )


def test_chance_of_a_record_without_states_is_checked_by_what_follows(check):
    record = {key: value for key, value in json.loads(LINE).items() if key != "states"}
    assert check(json.dumps(record))[0] == 0
    move(15, "chance", "deal 0 7")(record)  # 7 instead of 5, which player_0 plays later
    status, said = check(json.dumps(record))
    assert status == 1
    assert re.fullmatch(r"line 1: moves\[\d+\]: 'play 5' of player_0 is not possible.*", said)


def test_check_reads_standard_input(monkeypatch, capsys):
    monkeypatch.setattr(sys, "stdin", io.StringIO(LINE + "\n" + LINE + "\n"))
    assert shikoku("check", "-") == 0
    assert capsys.readouterr().out == "2 records agree with the rules\n"


def test_check_of_a_file_that_is_not_there_is_exit_2(capsys):
    assert shikoku("check", "/nowhere/at/all.jsonl") == 2
    assert "No such file or directory" in capsys.readouterr().err


# -- state ---------------------------------------------------------------------------------------

POSITION = {
    "game": "shikoku",
    "steps": [3, 10, 12],
    "hands": [[9, 10, 20], [6, 7, 33], [5, 13, 14]],
    "previous_row": [[4, 1], [8, 0], [12, 2]],
    "removed": [11],
    "turn": 1,
}
ROUND = [["player_0", "play 20"], ["player_2", "play 13"], ["player_1", "play 6"]]
COLLECT = [["chance", "deal 1 1"], ["player_2", "take 12"], ["player_0", "take 4"]]


@pytest.fixture
def answers(monkeypatch, capsys):
    """What ``state`` prints for lines, each a text or a value to be written as JSON."""

    def run(*lines):
        texts = [line if isinstance(line, str) else json.dumps(line) for line in lines]
        monkeypatch.setattr(sys, "stdin", io.StringIO("".join(text + "\n" for text in texts)))
        assert shikoku("state") == 0
        out, err = capsys.readouterr()
        assert err == ""
        printed = out.splitlines()
        assert printed == [json.dumps(json.loads(line)) for line in printed]
        assert len(printed) == len(lines)
        return [json.loads(line) for line in printed]

    return run


def test_state_prints_the_full_state_and_reads_it_again(answers):
    (full,) = answers(POSITION)
    assert list(full) == sorted(full)
    assert full["order"] == [0, 2, 1]
    assert full["deck"] == 20
    assert full["legal"] == ["play 10", "play 20", "play 9"]
    assert full["known"] == [[], [], []]
    assert answers(full, POSITION) == [full, full]


def test_state_plays_on_chance_included(answers):
    (after,) = answers({**POSITION, "play": ROUND + COLLECT})
    # The second round of test_shikoku_rulings: 6 climbs 6, 13 stays, 20 climbs 2; 8 is left over.
    assert after["steps"] == [5, 16, 12]
    assert after["hands"] == [[4, 9, 10], [1, 7, 33], [5, 12, 14]]
    assert after["known"] == [[4], [], [12]]
    assert (after["turn"], after["removed"], after["to_act"]) == (2, [8, 11], "player_2")


def test_state_takes_options(answers):
    table = {"step_table": [32] * 33}
    (after,) = answers({**POSITION, "options": table, "play": ROUND})
    assert after["steps"] == [33, 33, 12]  # 6 and 20 climb, 13 is held back
    assert after["rewards"] == {"player_0": -1, "player_1": -1, "player_2": 1}
    assert answers({**after, "options": table}) == [after]


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        ("", "Expecting value"),
        ("[1]", "a state is a JSON object, not [1]"),
        ("null", "a state is a JSON object, not None"),
        ('{"turn": 1, "turn": 1}', "key 'turn' is given twice"),
        ('{"turn": Infinity}', "Infinity is no JSON"),
        ("\udcff", "the line is no UTF-8"),
        ({**POSITION, "game": "paiko"}, "game is 'paiko', expected one of shikoku"),
        ({"game": "shikoku"}, "steps is None, expected 3 to 8 steps"),
        ({**POSITION, "steps": [1, 2]}, "steps is [1, 2], expected 3 to 8 steps"),
        ({**POSITION, "removed": [9]}, "card 9 is in two places, one of them removed"),
        ({**POSITION, "options": []}, "options is [], expected an object"),
        ({**POSITION, "options": {"max_turns": 9}}, "unknown option 'max_turns'"),
        ({**POSITION, "options": {"step_table": [1]}}, "step_table is [1], expected 33 integers"),
        ({**POSITION, "play": "play 9"}, "play is 'play 9', expected a list"),
        ({**POSITION, "play": [["player_0"]]}, "play[0]: ['player_0'] is no pair of agent and mov"),
        ({**POSITION, "play": [ROUND[0], ROUND[0]]}, "play[1]: 'player_0' is not to act, expected"),
        ({**POSITION, "play": [["player_0", "play 1"]]}, "play[0]: 'play 1' of player_0 is not po"),
        ({**POSITION, "play": [*ROUND, ["chance", "deal 1 20"]]}, "play[3]: 'deal 1 20' of chance"),
        ({**POSITION, "play": [*ROUND, ["player_2", "take 12"]]}, "play[3]: 'player_2' is not to"),
        ({**POSITION, "play": ROUND}, "a chance event is due"),
    ],
)  # fmt: skip
def test_state_answers_an_error_and_goes_on(answers, line, complaint):
    error, after = answers(line, POSITION)
    assert list(error) == ["error"]
    assert complaint in error["error"]
    assert after["turn"] == 1


# -- play ----------------------------------------------------------------------------------------


@pytest.fixture
def session(monkeypatch, capsys):
    """What a person sees who types lines in a game of three, seed 1."""

    def run(*lines, arguments=("--players", 3, "--seed", 1)):
        monkeypatch.setattr(sys, "stdin", io.StringIO("".join(line + "\n" for line in lines)))
        status = shikoku("play", *arguments)
        out, err = capsys.readouterr()
        return status, out if status == 0 else err

    return run


def test_play_shows_the_table_as_the_person_sees_it(session):
    status, said = session("quit")
    assert status == 0
    assert said.startswith("Shikoku, seed 1. You are player_0.")
    # Seed 1 deals 2, 13 and 32 to player_0, who begins; what others hold stays face down (S8).
    assert "> player_0  step  5  hand 2 13 32" in said
    assert said.count("hand ?? ?? ??") == 2
    assert "Legal: play 2, play 13, play 32" in said
    assert said.endswith("Left before the end.\n")


def test_play_answers_what_is_no_legal_move(session):
    _, said = session("play 25", "nonsense", "legal", "state", "help", "", "exit")
    assert "'play 25' is not legal" in said
    assert "'nonsense' is no" in said
    assert said.count("Legal: play 2, play 13, play 32") == 2  # at the beginning, and for `legal`
    assert said.count("hand 2 13 32") == 2  # at the beginning, and for `state`
    assert said.count("Type a move as the list shows it") == 3  # greeting, `help`, empty line


def test_play_ends_when_the_input_ends(session):
    status, said = session("play 13")
    assert status == 0
    # The cards of the record's deals: 26, 8, 25 for player_1, then 20, 9, 6 for player_2.
    assert re.search(r"^> player_1: play (8|25|26)\nplayer_2: play (6|9|20)$", said, re.MULTILINE)
    assert said.endswith("Left before the end.\n")


def test_play_to_the_end_tells_the_rewards(session):
    # Whoever tries every card at every turn gets to the end.
    tries = [
        f"{verb} {card}" for _ in range(60) for verb in ("play", "take") for card in range(1, 34)
    ]
    status, said = session(*tries, arguments=("--players", 5, "--seed", 3, "--seat", "player_2"))
    assert status == 0
    assert "You are player_2." in said
    lines = said.splitlines()[-5:]
    assert [line.partition(": ")[0] for line in lines] == [f"player_{seat}" for seat in range(5)]
    assert {line.partition(": ")[2] for line in lines} <= {"+1", "-1"}
    assert "phase over" in said


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (
            ("--players", 3, "--seat", "player_3"),
            "seat is 'player_3', expected one of player_0, play",
        ),
        (("--players", 2), "num_players is 2, but Shikoku takes 3..8"),
        (("--players", 3, "--policy", "clever"), "policy is 'clever', but Shikoku has: random"),
        (("--players", 3, "--seed", -1), "seed is -1, expected an integer in 0.."),
    ],
)
def test_play_says_what_is_wrong_with_its_arguments(session, arguments, complaint):
    status, said = session(arguments=arguments)
    assert status == 2
    assert complaint in said
