"""What ``Batch`` refuses: with a message that says what was wrong, and every game untouched."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from helpers import snapshot

from shikoku_env import shikoku_v0
from tabletop_env.batch import Batch

OVER, ALIVE = 2, [0, 1, 3]


@pytest.fixture
def games() -> Batch:
    """Four games of three, the third of them over."""
    games = shikoku_v0.batch(4, 3, seed=0)
    finished = games.take([OVER])
    finished.playout()
    games.state[OVER] = finished.state[0]
    games.refresh()
    return games


def case(name: str, call: Callable[[Batch], Any], message: str, error: type = ValueError) -> Any:
    return pytest.param(call, error, message, id=name)


def legal(games: Batch) -> np.ndarray:
    """A legal action in every game, ``SKIP`` where it is over; no stream is touched."""
    return np.where(games.done, -1, games.legal.argmax(axis=1))


def illegal(games: Batch) -> list[int]:
    """Legal actions but for the last game's."""
    return [*legal(games)[:3], int((~games.legal[3]).argmax())]


def with_action(games: Batch, row: int, action: int) -> np.ndarray:
    actions = legal(games)
    actions[row] = action
    return actions


RANGE = "expected an action in 0..32"
STEP = [
    case("too few", lambda g: g.step(legal(g)[:3]), r"actions is a \(3,\) array of int64, expec"),
    case("matrix", lambda g: g.step([legal(g)]), r"actions is a \(1, 4\) array of int64, expected"),
    case(
        "number", lambda g: g.step(3), r"actions is a \(\) array of int64, expected a \(4,\) array"
    ),
    case(
        "float",
        lambda g: g.step(legal(g) * 1.0),
        r"a \(4,\) array of float64, expected a \(4,\) arr",
    ),
    case(
        "bool",
        lambda g: g.step([True] * 4),
        r"a \(4,\) array of bool, expected a \(4,\) array of int",
    ),
    case("text", lambda g: g.step(["1"] * 4), r"a \(4,\) array of <U1, expected a \(4,\) array of"),
    case("none", lambda g: g.step(None), r"actions is a \(\) array of object, expected"),
    case("one for all rows", lambda g: g.step([0], rows=[0, 1]), r"expected a \(2,\) array of int"),
    case(
        "below", lambda g: g.step(with_action(g, 3, -2)), f"game 3: action -2 of .* range, {RANGE}"
    ),
    case(
        "above", lambda g: g.step(with_action(g, 3, 33)), f"game 3: action 33 of .* range, {RANGE}"
    ),
    case(
        "huge", lambda g: g.step(with_action(g, 3, 2**40)), f"action {2**40} of .* range, {RANGE}"
    ),
    case(
        "skip",
        lambda g: g.step(with_action(g, 0, -1)),
        f"game 0: action -1 of player_. is .*{RANGE}",
    ),
    case(
        "illegal",
        lambda g: g.step(illegal(g)),
        r"game 3: action 0 \(play 1\) of player_. is not legal in phase play; "
        r"expected one of: play \d+, play \d+, play \d+$",
    ),
    case(
        "over",
        lambda g: g.step(with_action(g, OVER, 0)),
        "2: action 0, but the game is over; exp.* -1",
    ),
    case("over, by rows", lambda g: g.step([0], rows=[OVER]), "2: action 0, but the game is over"),
]
ROWS = [
    case(
        "twice", lambda g: g.step([0, 0], rows=[1, 1]), "rows names a game twice, expected distinct"
    ),
    case("twice in reset", lambda g: g.reset([0, 1, 0]), "rows names a game twice"),
    case("twice in reseed", lambda g: g.reseed([0, 0], seed=1), "rows names a game twice"),
    case("below", lambda g: g.reset([-1]), "rows names game -1, expected 0..3"),
    case("above", lambda g: g.take([0, 4]), "rows names game 4, expected 0..3"),
    case(
        "short mask",
        lambda g: g.reset([True]),
        r"rows is a \(1,\) array of bool, expected a \(4,\)",
    ),
    case("float", lambda g: g.sample_legal([0.0]), r"rows is a \(1,\) array of float64, expected"),
    case("number", lambda g: g.reset(1), r"rows is a \(\) array of int64, expected"),
    case("matrix", lambda g: g.reset([[1]]), r"rows is a \(1, 1\) array of int64, expected"),
    case("none taken", lambda g: g.take([]), "rows is empty, expected at least one game"),
    case("none in mask", lambda g: g.take([False] * 4), "rows is empty, expected at least one"),
    case(
        "row", lambda g: g.action_text(4, 0), r"row is 4, expected an integer in 0\.\.3", IndexError
    ),
    case("row below", lambda g: g.state_dict(-1), "row is -1, expected an integer in", IndexError),
    case("row text", lambda g: g.agent("0"), "row is '0', expected an integer in", IndexError),
]
LIMIT = 2**64 - 4
SEEDS = [
    case(
        "negative", lambda g: g.reset(seeds=-1), rf"seed is -1, expected an integer in 0\.\.{LIMIT}"
    ),
    case(
        "too large", lambda g: g.reset(seeds=LIMIT + 1), f"seed is {LIMIT + 1}, expected an integer"
    ),
    case("float", lambda g: g.reset(seeds=1.0), "seed is 1.0, expected an integer"),
    case("bool", lambda g: g.reset(seeds=True), "seed is True, expected an integer"),
    case("text", lambda g: g.reseed(seed="1"), "seed is '1', expected an integer"),
    case(
        "too few",
        lambda g: g.reset(seeds=[1, 2]),
        r"seeds is a \(2,\) array of uint64, .*\(4,\) of",
    ),
    case(
        "too many", lambda g: g.reset([0], seeds=[1, 2]), r"one integer of 0 or more, or \(1,\) of"
    ),
    case("negative one", lambda g: g.reset([0, 1], [5, -5]), "seed is -5, expected an integer"),
    case("bool among", lambda g: g.reset([0, 1], [True, 5]), "seed is True, expected an integer"),
    case("float array", lambda g: g.reset(seeds=np.ones(4)), r"seeds is a \(4,\) array of float64"),
    case(
        "int array",
        lambda g: g.reset(seeds=-np.arange(4)),
        r"seeds is a \(4,\) array of int64, exp",
    ),
    case("resample", lambda g: g.resample_hidden(seat=0, seed=[1]), r"expected .*\(4,\) of them"),
    case("no seed", lambda g: g.reseed(), "reseed needs a seed", TypeError),
    case(
        "no seed either", lambda g: g.resample_hidden(), "resample_hidden needs a seed", TypeError
    ),
]


def out(games: Batch, **change: Any) -> np.ndarray:
    form = {"shape": (4, *games.observation_shape), "dtype": np.int8, "order": "C"}
    return np.zeros(**(form | change))


def locked(games: Batch) -> np.ndarray:
    array = out(games)
    array.flags.writeable = False
    return array


OUT = r"expected a writable C-contiguous \(4, 383\) array of int8"
SEATS = [
    case("above", lambda g: g.observe(3), r"seat 3 does not exist, expected 0\.\.2"),
    case("below", lambda g: g.observe([0, 1, 2, -1]), r"seat -1 does not exist, expected 0\.\.2"),
    case(
        "too few", lambda g: g.observe([0, 1]), r"seats is a \(2,\) array of int64, expected a \(4,"
    ),
    case("float", lambda g: g.observe(1.0), r"seats is a \(4,\) array of float64, expected"),
    case("bool", lambda g: g.observe(True), r"seats is a \(4,\) array of bool, expected"),
    case("name", lambda g: g.observe("player_0"), r"seats is a \(4,\) array of <U8, expected"),
    case("until", lambda g: g.playout(until=3), r"seat 3 does not exist, expected 0\.\.2"),
    case("looker", lambda g: g.resample_hidden(seat=-1, seed=0), "seat -1 does not exist"),
    case(
        "nobody", lambda g: g.resample_hidden(seed=0), "nobody is to act in game 2: name the seat"
    ),
    case("out list", lambda g: g.observe(out=[]), rf"out is \[\], {OUT}"),
    case(
        "out shape",
        lambda g: g.observe(out=out(g, shape=(4, 3))),
        rf"\(4, 3\) array of int8, {OUT}",
    ),
    case("out dtype", lambda g: g.observe(out=out(g, dtype=np.uint8)), f"array of uint8, {OUT}"),
    case("out order", lambda g: g.observe(out=out(g, order="F")), OUT),
    case("out locked", lambda g: g.observe(out=locked(g)), OUT),
]


@pytest.mark.parametrize(("call", "error", "message"), STEP + ROWS + SEEDS + SEATS)
def test_a_refused_call_says_why_and_touches_nothing(
    games: Batch, call: Callable[[Batch], Any], error: type, message: str
):
    before = snapshot(games)
    with pytest.raises(error, match=message):
        call(games)
    assert snapshot(games) == before


def test_all_that_is_refused_is_refused_for_its_own_fault(games: Batch):
    """The same calls with nothing wrong about them pass."""
    games.step(legal(games))
    games.step(legal(games)[ALIVE], rows=ALIVE)
    games.reset([0, 1], [5, 5])
    games.reset(seeds=LIMIT)
    games.observe(2, out=out(games))
    games.playout(until=2)
    games.resample_hidden(seed=0)


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"num_players": 2}, ValueError, r"num_players is 2, but Shikoku takes 3\.\.8"),
        ({"num_players": 9}, ValueError, r"num_players is 9, but Shikoku takes 3\.\.8"),
        ({"num_players": True}, ValueError, r"num_players is True, but Shikoku takes 3\.\.8"),
        ({"num_players": "5"}, ValueError, r"num_players is '5', but Shikoku takes 3\.\.8"),
        ({"num_players": 4.0}, ValueError, r"num_players is 4\.0, but Shikoku takes 3\.\.8"),
        ({"num_games": 0}, ValueError, "num_games is 0, expected an integer of 1 or more"),
        ({"num_games": True}, ValueError, "num_games is True, expected an integer of 1 or more"),
        ({"num_games": 2.0}, ValueError, r"num_games is 2\.0, expected an integer of 1 or more"),
        ({"num_threads": -1}, ValueError, "num_threads is -1, expected an integer of 1 or more"),
        ({"num_threads": None}, ValueError, "num_threads is None, expected an integer of 1 or"),
        ({"seed": -1}, ValueError, "seed is -1, expected an integer in 0"),
        ({"seed": 2**64 - 1}, ValueError, f"seed is {2**64 - 1}, expected an integer in 0"),
        ({"seed": 1.5}, ValueError, r"seed is 1\.5, expected an integer in 0"),
        (
            {"observation": "flat"},
            ValueError,
            "observation is 'flat', but Shikoku has seats, padded",
        ),
        ({"hand": 4}, TypeError, r"unknown option 'hand' of Shikoku \(options: step_table\)"),
        ({"step_table": [1] * 32}, ValueError, "step_table is .*, expected 33 integers"),
        ({"step_table": [0] * 33}, ValueError, r"step_table gives card 1 0, expected 1\.\.32"),
        ({"step_table": [1.0] * 33}, ValueError, r"step_table gives card 1 1\.0, expected an int"),
    ],
)
def test_a_batch_that_cannot_be(arguments: dict[str, Any], error: type, message: str):
    with pytest.raises(error, match=message):
        shikoku_v0.batch(**({"num_games": 2, "num_players": 4} | arguments))


def test_impossible_outcomes_are_refused():
    games = shikoku_v0.batch(2, 3, seed=0, explicit_chance=True)
    games.step([4, 5])
    before = snapshot(games)
    for outcomes, message in [
        (
            [5, 5],
            r"game 1: action 5 \(deal 0 6\) of chance is not legal in phase setup; expected one of",
        ),
        ([33, 5], r"game 0: action 33 of chance is out of range, expected an outcome in 0\.\.32"),
        ([-1, 4], r"game 0: action -1 of chance is out of range, expected an outcome in 0\.\.32"),
    ]:
        with pytest.raises(ValueError, match=message):
            games.step(outcomes)
        assert snapshot(games) == before


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("play 34", "'play 34' is no move"),
        ("play 01", "'play 01' is no move"),
        ("take 3", "'take 3' does not fit phase play"),
        ("", "'' is no move"),
    ],
)
def test_texts_that_are_no_moves(games: Batch, text: str, message: str):
    with pytest.raises(ValueError, match=message):
        games.read_action(0, text)


def test_a_state_while_chance_is_due_is_refused():
    games = shikoku_v0.batch(1, 3, explicit_chance=True)
    with pytest.raises(
        ValueError, match="a chance event is due in game 0; a state is there once it"
    ):
        games.state_dict(0)
