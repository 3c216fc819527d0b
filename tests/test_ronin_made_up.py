"""Made-up positions of Ronin: kernels and referee read the same ones, and go on alike."""

from __future__ import annotations

import json
import random
from collections import Counter

from helpers import legal_texts, play, position
from referee.ronin import Ronin, RuleError
from ronin_positions import made_up, tile
from test_ronin_lockstep import assert_same, form

from paiko_env.ronin_game import RONIN

JUNK = (None, -1, 0, 1, 2, 7, True, 1.0, "1", "", [], {}, "action", "black_0", "wS", "S")
PHASES = ("hero", "action", "slide", "place", "face", "over", "draw")


def change(rng, state):
    """One change at random; it may do harm or not."""
    kind = rng.choice(["drop", "junk", "board", "inside", "phase", "derived", "key", "end", "hero"])
    key = rng.choice([key for key in state if key not in ("game", "hands")])
    board = state.get("board")
    if kind == "drop" and key != "phase":
        del state[key]
    elif kind == "junk":
        state[key] = rng.choice(JUNK)
    elif kind == "board" and isinstance(board, dict):
        square = rng.choice([*board, "a7", "f9", "h8", "z9", "d4"])
        board[square] = rng.choice(["c4", "wSN", "bF", "wS~!", "bA!", "", 3, tile(rng, "d4", 0.5)])
    elif kind == "inside" and isinstance(state.get("pending"), dict):
        pending = state["pending"]
        pending[rng.choice([*pending, "price"])] = rng.choice([*JUNK, *(board or ["d4"])])
    elif kind == "phase":
        state["phase"] = rng.choice(PHASES)
    elif kind == "derived":
        state[rng.choice(["over", "truncated", "actions_left", "turn", "token"])] = rng.choice(
            [False, True, 0, 1, 2, 3, 6, 100, None, "black_1", "black_5", "white_0"]
        )
    elif kind == "key":
        state[rng.choice(["plies", "seed", "red_hand"])] = 0
    elif kind == "end":
        state.update(phase="over", to_act=None, truncated=rng.random() < 0.3, actions_left=0)
        if state["truncated"]:
            state["turn"] = 100
    elif kind == "hero" and isinstance(state.get("heroes"), dict):
        state["heroes"][f"black_{rng.randint(0, 6)}"] = rng.choice([None, "S", "A", "X", 1])


def favourite(rng, texts):
    """A move that tells heroes from others, if there is one."""
    telling = [text for text in texts if text[-1] in "*<" or "!" in text]
    return rng.choice(telling if telling and rng.random() < 0.3 else texts)


def compare(rng, changes, plies):
    """Read one made-up state with both programs, and play on; what they made of it, and what happened."""
    state = made_up(rng)
    for _ in range(changes):
        change(rng, state)
    reading = json.dumps(state)
    try:
        games, complaint = position(RONIN, json.loads(reading)), None
    except ValueError as error:
        games, complaint = None, error
    try:
        referee, verdict = Ronin.from_state(json.loads(reading)), None
    except RuleError as error:
        referee, verdict = None, error
    if referee is None:
        assert games is None, f"read, but the referee says {verdict}: {reading}"
        return "refused", set()
    assert games is not None, f"the referee reads it, but {complaint}: {reading}"
    seen = set()
    for _ in range(plies):
        assert_same(games, 0, referee)
        if referee.over:
            break
        text = favourite(rng, legal_texts(games))
        seen |= {form(text), f"{referee.phase} {referee.side}"}
        lost = dict(referee.lost)
        referee.play(referee.to_act, text)
        play(games, text)
        seen |= {f"captured {side}" for side in "wb" if referee.lost[side] > lost[side]}
    assert_same(games, 0, referee)
    return "read", seen


WANTED = {
    *(f"{phase} {side}" for phase in ("action", "slide", "place", "face") for side in "wb"),
    *("!", "@", "*", "-", "^", "<", ".", "base", "draw", "captured w", "captured b"),
}


def test_made_up_positions_go_on_alike_and_reach_what_is_rare():
    seen, answers = set(), Counter()
    for rng in map(random.Random, range(150)):
        answer, happened = compare(rng, changes=0, plies=12)
        answers[answer] += 1
        seen |= happened
    assert answers["read"] > 80, answers
    assert not (missing := WANTED - seen), missing


def test_kernels_and_referee_refuse_the_same_states():
    answers = Counter(
        compare(rng, changes=rng.choice([1, 1, 2]), plies=1)[0]
        for rng in map(random.Random, range(300))
    )
    assert answers["read"] > 25, answers
    assert answers["refused"] > 60, answers
