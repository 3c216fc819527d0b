"""Made-up positions of the Valley: kernels and referee read the same ones, and go on alike."""

from __future__ import annotations

import json
import random
from collections import Counter

from helpers import legal_texts, play, position
from hypothesis import given, settings
from hypothesis import strategies as st
from paiko_rows import assert_looked
from referee.valley import RuleError, Valley
from valley_positions import made_up, piece

from paiko_env.valley_game import VALLEY

JUNK = (None, -1, 0, 1, 2, 7, True, 1.0, "1", "", [], {}, ["d9"], "action", "red_0", "wS", "z")
PHASES = ("action", "slide", "place", "face", "retrieve", "zombify", "capture", "over", "draw")


def change(rng, state):
    """One change at random; it may do harm or not."""
    kind = rng.choice(["drop", "junk", "board", "inside", "phase", "derived", "key", "end"])
    key = rng.choice([key for key in state if key not in ("game", "hands")])
    board = state.get("board")
    if kind == "drop" and key != "phase":
        del state[key]
    elif kind == "junk":
        state[key] = rng.choice(JUNK)
    elif kind == "board" and isinstance(board, dict):
        square = rng.choice([*board, "a7", "f9", "h8", "z9", "d4"])
        board[square] = rng.choice(["c4", "wSN", "bF", "wS~", "wA!", "", 3, piece(rng, "d4", 0.5)])
    elif kind == "inside" and isinstance(state.get("pending"), dict):
        pending = state["pending"]
        pending[rng.choice([*pending, "left"])] = rng.choice([*JUNK, *(board or ["d4"])])
    elif kind == "phase":
        state["phase"] = rng.choice(PHASES)
    elif kind == "derived":
        state[rng.choice(["over", "truncated", "points", "reserves", "turn"])] = rng.choice(
            [False, True, 0, 1, 2, 3, 4, 6, {"w": 0, "b": 0}, {"w": "S"}, {"w": "", "b": ""}]
        )
    elif kind == "key":
        state[rng.choice(["plies", "seed", "token"])] = 0
    elif kind == "end":
        state.update(phase="over", to_act=None, truncated=rng.random() < 0.3)


def same(games, referee, reading):
    assert games.state_dict() == referee.state_dict(), reading
    assert_looked(games)
    assert sorted(legal_texts(games)) == referee.legal(), reading
    assert games.rewards[0].tolist() == list(referee.rewards.values()), reading


def favourite(rng, texts):
    """A move that changes much rather than little, if there is one."""
    telling = [text for text in texts if text[-1] == "z" or text[0] in "xZ"]
    return rng.choice(telling if telling and rng.random() < 0.6 else texts)


def compare(rng, changes, plies, limit=400):
    """Read one made-up state with both programs, and play on; returns what they made of it, and saw."""
    state = made_up(rng)
    for _ in range(changes):
        change(rng, state)
    reading = json.dumps(state)
    try:
        games, complaint = position(VALLEY, json.loads(reading), max_turns=limit), None
    except ValueError as error:
        games, complaint = None, error
    try:
        referee = Valley.from_state(json.loads(reading), max_turns=limit)
    except RuleError as error:
        referee, objection = None, error
    if referee is None:
        assert games is None, f"read, but the referee says {objection}: {reading}"
        return "refused", set()
    assert games is not None, f"the referee reads it, but {complaint}: {reading}"
    seen = set()
    for _ in range(plies):
        same(games, referee, reading)
        if referee.over:
            break
        text = favourite(rng, referee.legal())
        seen |= features(games, referee, text)
        referee.play(referee.to_act, text)
        play(games, text)
    same(games, referee, reading)
    return "read", seen | ending(referee)


def features(games, referee, text):
    """What is worth seeing about a move about to be made."""
    seen = {f"{referee.phase} {referee.side}", f"form {form(text)}"}
    if len(referee.legal()) == 1:
        seen.add(f"only {form(text)} {referee.side}")
    return seen


def form(text):
    """A move with its squares and letters taken out."""
    if text == ".":
        return "stop"
    marks = [mark for mark in "@-*^<" if mark in text]
    return text[0] if text[0] in "CZx" else text[-1] if text[-1] == "z" else marks[0]


def ending(referee):
    if not referee.over:
        return set()
    winner = [agent for agent, reward in referee.rewards.items() if reward > 0]
    return {f"ended {winner[0] if winner else 'cut off'}"}


WANTED = {
    *(f"action {side}" for side in "wbr"),
    *(f"{phase} {side}" for phase in ("slide", "place", "face") for side in "wb"),
    *(f"{phase} r" for phase in ("retrieve", "zombify", "capture")),
    *(f"form {form}" for form in ("stop", *"CZxz@-*^<")),
    *(f"only stop {side}" for side in "wbr"),
    *(f"ended {end}" for end in ("white_0", "black_0", "red_0", "cut off")),
}


def test_made_up_positions_go_on_alike_and_reach_what_is_rare():
    rng, seen, answers = random.Random(4), set(), Counter()
    for _ in range(220):
        answer, features_seen = compare(rng, changes=0, plies=8, limit=rng.choice([20, 400]))
        answers[answer] += 1
        seen |= features_seen
    assert answers["read"] > 150, answers
    assert not (missing := WANTED - seen), missing


@settings(max_examples=60, deadline=None, derandomize=True)
@given(st.randoms(use_true_random=False))
def test_kernels_and_referee_read_the_same_states(rng):
    compare(rng, changes=rng.choice([0, 1, 2]), plies=3)


def test_and_once_more_with_a_fair_share_of_either_answer():
    answers = Counter(
        compare(rng, changes=rng.choice([0, 1, 2]), plies=1)[0]
        for rng in map(random.Random, range(600))
    )
    assert answers["read"] > 150, answers
    assert answers["refused"] > 150, answers


def test_a_sai_that_would_fall_where_it_stands_has_to_slide():
    board = {"g8": "bIN", "h6": "bFN", "h5": "bE3", "f7": "wW1", "g9": "wBN2", "h7": "z3"}
    pending = {"left": 2, "shifted": False, "tile": "g8"}
    state = {"game": "valley", "to_act": "black_0", "phase": "slide", "board": board}
    games = position(VALLEY, {**state, "pending": pending})
    same(games, Valley.from_state({**state, "pending": pending}), "a Sai")
    assert "g8-g8" not in legal_texts(games)
