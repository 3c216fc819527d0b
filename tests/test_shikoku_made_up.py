"""Made-up positions, sound and broken: the kernels read exactly those that the referee reads.

And they go on alike. These are states that no game need reach; ``test_shikoku_states`` has by name
what may be left out and what is refused.
"""

from __future__ import annotations

import copy
import json
import random
from collections import Counter

from helpers import legal_texts, play, position
from hypothesis import given, settings
from hypothesis import strategies as st
from referee.shikoku import RuleError, Shikoku

from shikoku_env.game import SHIKOKU

JUNK = (None, -1, 0, 1, 2, 33, 34, True, 1.0, "1", [], {}, [1], [[1, 0]], "play", "player_1")


def made_up(rng):
    """A position that no game need reach: cards anywhere, in numbers that the phase allows.

    Hands are even but for what the phase adds: with an empty deck only they tell whether the last
    seat has drawn (S5).
    """
    n, phase, turn = rng.randint(3, 8), rng.choice(["play", "take", "over"]), rng.randint(0, 2)
    cards = rng.sample(range(1, 34), 33)
    seats = [rng.sample(range(n), n) for _ in range(2)]
    in_row = rng.randint(0, n - 1) if phase == "play" else n
    in_previous = rng.randint(2, n) if phase == "take" else n
    previous = sorted([cards.pop(), seat] for seat in seats[0][:in_previous])
    by_card = [seat for _, seat in previous]
    if phase == "play":
        seats[1] = by_card[turn > 0 :] + by_card[: turn > 0]
    row = sorted([cards.pop(), seat] for seat in seats[1][:in_row])
    few = rng.randint(0, 2)
    sizes = [few] * n
    if phase == "play":
        for seat in seats[1][in_row:]:
            sizes[seat] += 1
    if phase == "take":
        by_card = [seat for _, seat in row]
        for seat in [*by_card[1 : n - in_previous + 1], *by_card[: rng.randint(0, 1)]]:
            sizes[seat] += 1
    hands = [[cards.pop() for _ in range(size) if cards] for size in sizes]
    removed = [cards.pop() for _ in range(rng.choice([0, 1, 5, len(cards)])) if cards]
    steps = [rng.choice([1, 7, 20, 31, 32]) for _ in range(n)]
    if phase == "over":
        steps[rng.randrange(n)] = 33
    known = [rng.sample(hand, rng.randint(0, len(hand))) for hand in hands]
    state = {"game": "shikoku", "phase": phase, "turn": turn, "steps": steps, "hands": hands}
    return {**state, "known": known, "row": row, "previous_row": previous, "removed": removed}


def change(rng, state):
    """One change at random; it may do harm or not."""
    kind = rng.choice(["drop", "junk", "inside", "copy", "cut", "swap", "phase", "derived", "key"])
    key = rng.choice([key for key in state if key != "game"])
    lists = [value for value in state.values() if isinstance(value, list) and value]
    some = rng.choice(lists) if lists else [0]
    if isinstance(some[0], list) and some[0] and rng.random() < 0.5:
        some = some[0]
    at = rng.randrange(len(some))
    if kind == "drop":
        del state[key]
    elif kind == "junk":
        state[key] = rng.choice(JUNK)
    elif kind == "inside":
        some[at] = rng.choice([*JUNK, rng.randint(1, 33)])
    elif kind == "copy":
        some.append(copy.deepcopy(some[at]))
    elif kind == "cut":
        del some[at]
    elif kind == "swap":
        other = rng.randrange(len(some))
        some[at], some[other] = some[other], some[at]
    elif kind == "phase":
        state["phase"] = rng.choice(["play", "take", "over"])
    elif kind == "derived":
        state[rng.choice(["to_act", "over", "order", "deck", "truncated"])] = rng.choice(
            ["player_0", "player_1", None, False, True, [0, 1, 2], [1, 2, 0], 0, 9]
        )
    else:
        state[rng.choice(["plies", "seed"])] = 0


def compare(rng):
    """Read one made-up state with both programs, and play on; returns what they made of it."""
    state = made_up(rng)
    for _ in range(rng.choice([0, 0, 1, 1, 2])):
        change(rng, state)
    reading = json.dumps(state)
    try:
        games, complaint = position(SHIKOKU, json.loads(reading)), None
    except ValueError as error:
        games, complaint = None, error
    try:
        referee = Shikoku.from_state(json.loads(reading))
    except RuleError as error:
        referee, objection = None, error
    if referee is None:
        assert games is None, f"read, but the referee says {objection}: {reading}"
        return "refused"
    assert games is not None, f"the referee reads it, but {complaint}: {reading}"
    for _ in range(12):
        assert games.agent() == referee.to_act, reading
        if referee.to_act != "chance":
            assert games.state_dict() == referee.state_dict(), reading
        texts = legal_texts(games)
        assert sorted(texts) == sorted(referee.chance() or referee.legal()), reading
        if not texts:
            break
        text = rng.choice(texts)
        referee.play(referee.to_act, text)
        play(games, text)
    return "read"


@settings(max_examples=150, deadline=None, derandomize=True)
@given(st.randoms(use_true_random=False))
def test_kernels_and_referee_read_the_same_states_and_go_on_alike(rng):
    compare(rng)


def test_and_once_more_with_a_fair_share_of_either_answer():
    answers = Counter(compare(random.Random(seed)) for seed in range(900))
    assert answers["read"] > 250, answers
    assert answers["refused"] > 250, answers
