"""Reading states back: what may be left out, and what is refused and by which words."""

from __future__ import annotations

import json

import pytest
from helpers import play, position, random_moves, refusal, without

from shikoku_env import shikoku_v0
from shikoku_env.game import SHIKOKU

# Positions of one game of three (see test_shikoku_rulings), full as state_dict() gives them but for
# `rewards` and `legal`, which follow.
COMMON = {"game": "shikoku", "truncated": False, "over": False}
ROUND_1 = {"row": [[4, 1], [8, 0], [12, 2]], "previous_row": [[5, 1], [11, 2], [20, 0]]}
TAKE = {
    **COMMON,
    **ROUND_1,
    "phase": "take",
    "turn": 0,
    "to_act": "player_0",
    "steps": [3, 10, 12],
    "hands": [[9, 10], [6, 7, 33], [13, 14]],
    "known": [[], [], []],
    "order": [0, 2, 1],
    "deck": 20,
    "removed": [],
}
PLAY = {
    **COMMON,
    "phase": "play",
    "turn": 1,
    "to_act": "player_0",
    "steps": [3, 10, 12],
    "hands": [[9, 10, 20], [6, 7, 33], [5, 13, 14]],
    "known": [[20], [], [5]],
    "row": [],
    "previous_row": [[4, 1], [8, 0], [12, 2]],
    "order": [0, 2, 1],
    "deck": 20,
    "removed": [11],
}
PLAYED = {
    **PLAY,
    "to_act": "player_2",
    "hands": [[9, 10], [6, 7, 33], [5, 13, 14]],
    "known": [[], [], [5]],
    "row": [[20, 0]],
}
FIRST = {
    **PLAY,
    "turn": 0,
    "to_act": "player_1",
    "order": [1, 0, 2],
    "hands": [[9, 10, 20], [6, 7, 33], [13, 14, 15]],
    "known": [[], [], []],
    "removed": [],
    "deck": 21,
}
OVER = {
    **TAKE,
    "phase": "over",
    "over": True,
    "to_act": None,
    "steps": [3, 10, 33],
    "hands": [[9, 10], [6, 7], [13, 14]],
    "order": [1, 2, 0],
    "deck": 21,
}
BASES = {"first": FIRST, "play": PLAY, "played": PLAYED, "take": TAKE, "over": OVER}


def read(state, **options):
    """The full state that a state is read as."""
    return position(SHIKOKU, state, **options).state_dict()


# -- what is read, and what may be left out ------------------------------------------------------


@pytest.mark.parametrize("base", BASES)
def test_a_full_state_is_read_as_it_stands(base):
    state = read(BASES[base])
    assert without(state, "legal", "rewards") == dict(sorted(BASES[base].items()))
    assert list(state) == sorted(state)
    assert (
        state["legal"]
        == {
            "first": ["play 33", "play 6", "play 7"],  # by code point
            "play": ["play 10", "play 20", "play 9"],
            "played": ["play 13", "play 14", "play 5"],
            "take": ["take 11", "take 20", "take 5"],
            "over": [],
        }[base]
    )
    assert read(state) == state  # with `legal` and `rewards` given, too
    assert json.loads(json.dumps(state)) == state


LEFT_OUT = [
    # these follow from others
    *((base, key) for base in BASES for key in ("over", "order", "deck", "to_act", "truncated")),
    *((base, key) for base in BASES for key in ("legal", "rewards")),
    # these have a default, which they have here
    *((base, "phase") for base in ("first", "play", "played")),
    # of `turn` it is the first that the rest has: 0, or 1 where the lowest card was moved last
    *((base, "turn") for base in ("first", "play", "played", "take", "over")),
    *((base, "known") for base in ("first", "take", "over")),
    *((base, "removed") for base in ("first", "take", "over")),
    *((base, "row") for base in ("first", "play")),
]


@pytest.mark.parametrize(("base", "key"), LEFT_OUT)
def test_a_key_that_may_be_left_out(base, key):
    full = read(BASES[base])
    assert read(without(full, key)) == full


def test_a_position_takes_no_more_than_steps_hands_and_a_row():
    state = read(
        {"steps": [1, 2, 3], "hands": [[1], [2], [3]], "previous_row": PLAY["previous_row"]}
    )
    assert state["turn"] == 0
    assert state["order"] == [1, 0, 2]
    assert state["deck"] == 33 - 6


def test_a_missing_turn_is_the_first_that_to_act_has():
    """Rows of S3 and S5: the seats of 4, 8, 12 are 1, 0, 2; from round 1 on seat 1 is the last."""
    bare = without(PLAY, "turn", "order")
    assert read(bare)["turn"] == 1  # player_0 is to act, who in round 0 would be second
    assert read(without(bare, "to_act"))["turn"] == 0
    assert read({**bare, "to_act": "player_1"})["order"] == [1, 0, 2]
    late = {**bare, "to_act": "player_2"}
    assert "to_act is 'player_2'" in refusal(shikoku_v0.batch(1, 3), late)
    ended = read({**OVER, "turn": 3, "order": [2, 0, 1]})
    assert read(without(ended, "turn"))["turn"] == 1
    assert read(without(ended, "turn", "order"))["turn"] == 0


def test_hands_may_be_left_out_where_nobody_needs_a_card():
    state = read(without(OVER, "hands", "deck"))
    assert state["hands"] == [[], [], []]
    assert state["deck"] == 33 - 6


def test_entries_of_the_last_seats_may_be_left_out():
    state = {**TAKE, "hands": [[9, 10], [6, 7, 33]], "known": [[9]], "deck": 22}
    assert read(state)["hands"] == [[9, 10], [6, 7, 33], []]
    assert read(state)["known"] == [[9], [], []]


def test_sets_of_cards_may_be_given_in_any_order():
    state = {**PLAY, "hands": [[20, 9, 10], [33, 7, 6], [14, 13, 5]]}
    assert read(state) == read(PLAY)
    two = {**PLAY, "removed": [31, 11], "known": [[20, 9], [], [5]], "deck": 19}
    assert read(two)["removed"] == [11, 31]
    assert read(two)["known"][0] == [9, 20]


def test_the_pagoda_may_be_occupied_in_the_first_play_phase():
    assert read({**FIRST, "steps": [33, 10, 12]})["over"] is False  # S3


def test_whether_the_last_seat_drew_shows_in_the_deck_or_in_its_hand():
    # S5: the deck is empty; who holds one more than the seat to act has drawn the last card.
    rest = [card for card in range(1, 34) if card not in {4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 20}]
    drew = {**TAKE, "hands": [[9, 10], [6, 7, 33], [13, 14]], "removed": rest[:-1], "deck": 0}
    assert rest[-1] == 33
    state = play(position(SHIKOKU, drew), "player_0: take 5", "player_2: take 11").state_dict()
    assert state["hands"][1] == [6, 7, 33]
    assert state["removed"] == sorted([*rest[:-1], 20])
    idle = {**TAKE, "hands": [[9, 10], [6, 7], [13, 14]], "removed": rest, "deck": 0}
    state = play(position(SHIKOKU, idle), "player_0: take 5", "player_2: take 11").state_dict()
    assert state["hands"][1] == [6, 7, 20]


def test_reading_keeps_streams_and_neighbours():
    games = shikoku_v0.batch(3, 3, seed=5)
    before = games.copy()
    games.load_state_dict(1, PLAY)
    assert games.state_dict(1) == read(PLAY)
    for row in (0, 2):
        assert games.state[row] == before.state[row]
        assert (games.legal[row] == before.legal[row]).all()
    for stream in ("rng", "choice"):
        assert (games.state[stream] == before.state[stream]).all()
    assert games.plies.tolist() == [0, 0, 0]


@pytest.mark.parametrize("players", range(3, 9))
def test_every_state_of_a_game_reads_back_and_goes_on_alike(players):
    options = {"step_table": [1] * 33}  # long games, whose deck runs out
    games = shikoku_v0.batch(1, players, seed=players, explicit_chance=True, **options)
    twin = shikoku_v0.batch(1, players, seed=99, explicit_chance=True, **options)
    twin_follows = False
    for number, (_, actions) in enumerate(random_moves(games)):
        if games.agent() != "chance":
            state = json.loads(json.dumps(games.state_dict()))
            assert not twin_follows or twin.state_dict() == state
            if number % 4 == 0:  # now and then the twin forgets all that the state does not say
                twin.load_state_dict(0, state)
                assert twin.state_dict() == state
                twin_follows = True
        if twin_follows:
            twin.step(actions)
    assert twin.state_dict() == games.state_dict()
    assert (twin.rewards == games.rewards).all()
    assert twin.terminated[0]


# -- what is refused -----------------------------------------------------------------------------

REFUSED = [
    # kinds and ranges
    ("play", {"game": "nim"}, "game is 'nim', expected 'shikoku'"),
    ("play", {"game": None}, "game is None, expected 'shikoku'"),
    ("play", {"steps": 7}, "steps is 7, expected a list"),
    ("play", {"steps": [1, 2]}, "steps has 2 entries, expected 3"),
    ("play", {"steps": [1, 2, 3, 4]}, "steps has 4 entries, expected 3"),
    *(
        ("play", {"steps": [3, step, 12]}, f"steps is {step!r}, expected an integer in 1..33")
        for step in (0, 34, -1, True, 2.0, "3", None)
    ),
    *(
        ("play", {"phase": phase}, f"phase is {phase!r}, expected 'play', 'take' or 'over'")
        for phase in ("setup", "Play", "", None, 1, ["play"])
    ),
    *(
        ("play", {"truncated": value}, f"truncated is {value!r}, but Shikoku is never truncated")
        for value in (True, 0, None)
    ),
    *(
        ("play", {"turn": turn}, f"turn is {turn!r}, expected an integer")
        for turn in (-1, True, 1.0, "1", None)
    ),
    *(("play", {key: 5}, f"{key} is 5, expected a list") for key in ("hands", "known", "removed")),
    *(
        ("play", {key: None}, f"{key} is None, expected a list")
        for key in ("hands", "known", "removed", "row", "previous_row")
    ),
    ("play", {"hands": [*PLAY["hands"], []]}, "hands has 4 entries, expected 3"),
    ("play", {"known": [[], [], [], []]}, "known has 4 entries, expected 3"),
    ("play", {"hands": [[9, 10, 20], 6, [5]]}, "hands is 6, expected a list"),
    *(
        ("play", {"hands": [[9, 10, card], [6], [5]]}, f"card in hands is {card!r}, expected an")
        for card in (0, 34, True, 20.0, "20", None)
    ),
    ("play", {"known": [[0], [], []]}, "card in known is 0, expected an integer in 1..33"),
    ("play", {"removed": [34]}, "card in removed is 34, expected an integer in 1..33"),
    ("played", {"row": [[20]]}, "row is [[20]], expected a list of [card, seat]"),
    ("played", {"row": [20, 0]}, "row is [20, 0], expected a list of [card, seat]"),
    ("played", {"row": [[0, 0]]}, "card in row is 0, expected an integer in 1..33"),
    ("played", {"row": [[20, 3]]}, "seat in row is 3, expected an integer in 0..2"),
    ("played", {"row": [[20, -1]]}, "seat in row is -1, expected an integer in 0..2"),
    ("played", {"row": [[20, False]]}, "seat in row is False, expected an integer in 0..2"),
    ("play", {"deck": True}, "deck is True, expected an integer in 0..33"),
    ("play", {"deck": 20.0}, "deck is 20.0, expected an integer in 0..33"),
    ("play", {"colour": "red"}, "unknown key 'colour'"),
    ("play", {"options": {}}, "unknown key 'options'"),
    # a card in two places
    ("play", {"hands": [[9, 20, 20], [6], [5]]}, "card 20 is in two places, one of them the hand"),
    ("play", {"hands": [[9, 20], [6, 20], [5]]}, "card 20 is in two places, one of them the hand"),
    ("play", {"hands": [[9, 4, 20], [6], [5]]}, "card 4 is in two places, one of them previous_ro"),
    ("played", {"row": [[9, 0]]}, "card 9 is in two places, one of them row"),
    ("played", {"row": [[4, 0]]}, "card 4 is in two places, one of them previous_row"),
    ("play", {"removed": [9]}, "card 9 is in two places, one of them removed"),
    ("play", {"removed": [4]}, "card 4 is in two places, one of them removed"),
    ("play", {"removed": [11, 11]}, "card 11 is in two places, one of them removed"),
    ("play", {"deck": 19}, "deck is 19, but 20 cards are nowhere else"),
    ("play", {"known": [[21], [], []]}, "known: card 21 is not in the hand of player_0"),
    ("play", {"known": [[6], [], []]}, "known: card 6 is not in the hand of player_0"),
    ("play", {"known": [[20, 20], [], []]}, "known: card 20 of player_0 is given twice"),
    # rows that do not fit
    ("take", {"row": [[4, 1], [12, 2], [8, 0]]}, "row is [[4, 1], [12, 2], [8, 0]], expected asce"),
    ("take", {"row": [[4, 1], [8, 1], [12, 2]]}, "row has two cards of one seat"),
    ("take", {"previous_row": [[5, 2], [11, 2]]}, "previous_row has two cards of one seat"),
    ("take", {"row": [[4, 1], [8, 0]]}, "row has 2 cards, expected 3 in phase take"),
    ("over", {"row": [[4, 1], [8, 0]]}, "row has 2 cards, expected 3 in phase over"),
    ("play", {"row": [[1, 0], [2, 1], [3, 2]]}, "row is complete in phase play"),
    ("play", {"previous_row": []}, "previous_row has 0 cards, expected one of each seat"),
    ("over", {"previous_row": [[5, 1], [11, 2]]}, "previous_row has 2 cards, expected one of each"),
    ("take", {"previous_row": [[5, 1]]}, "previous_row has 1 cards in phase take, expected 2 or m"),
    ("played", {"row": [[20, 1]]}, "row has a card of player_1, whose turn is yet to come"),
    ("played", {"turn": 0, "row": [[20, 0]]}, "row has a card of player_0, whose turn is yet to c"),
    # steps that do not fit (S6; in round 1 S3)
    ("play", {"steps": [3, 33, 12]}, "player_1 is on step 33, so the game is over"),
    ("take", {"steps": [33, 10, 33]}, "player_0 is on step 33, so the game is over"),
    ("over", {"steps": [3, 10, 32]}, "nobody is on step 33, so the game is not over"),
    # hands that do not fit
    ("play", {"hands": [[9, 10, 20, 21], [6], [5]]}, "player_0 holds 4 cards, expected at most 3"),
    ("play", {"hands": [[9], [6], []], "known": []}, "player_2 has to play and holds no card"),
    ("played", {"hands": [[9, 10, 21], [6], [5]]}, "player_0 holds 3 cards, expected at most 2"),
    ("take", {"hands": [[9, 10, 21], [6], [13]]}, "player_0 holds 3 cards, expected at most 2"),
    ("take", {"hands": [[9], [6, 7, 32, 33], [13]]}, "player_1 holds 4 cards, expected at most 3"),
    ("take", {"hands": [[9, 10], [], [13]]}, "player_1 took or drew a card and holds none"),
    ("over", {"hands": [[9, 10, 21], [6], [13]]}, "player_0 holds 3 cards, expected at most 2"),
    # what follows from the rest, given wrong
    ("play", {"to_act": "player_1"}, "to_act is 'player_1', but it follows that it is 'player_0'"),
    ("play", {"to_act": None}, "to_act is None, but it follows that it is 'player_0'"),
    ("over", {"to_act": "player_1"}, "to_act is 'player_1', but it follows that it is None"),
    ("play", {"order": [2, 1, 0]}, "order is [2, 1, 0], but it follows that it is [0, 2, 1]"),
    ("play", {"order": [False, 2, 1]}, "order is [False, 2, 1], but it follows"),
    ("play", {"over": True}, "over is True, but it follows that it is False"),
    ("play", {"over": 0}, "over is 0, but it follows that it is False"),
    ("play", {"legal": ["play 9", "play 10", "play 20"]}, "legal is ['play 9', 'play 10', 'play 2"),
    ("play", {"legal": []}, "legal is [], but it follows that it is ['play 10', 'play 20', 'play"),
    ("over", {"rewards": {"player_0": -1, "player_1": 1, "player_2": 1}}, "rewards is {'player_0'"),
    ("over", {"rewards": {"player_0": -1, "player_1": 1.0, "player_2": -1}}, "rewards is {'player"),
    ("play", {"rewards": {"player_0": 0, "player_1": 0}}, "but it follows that it is {'player_0':"),
]  # fmt: skip


@pytest.mark.parametrize(("base", "change", "complaint"), REFUSED)
def test_a_state_that_breaks_the_rules_is_refused_by_name(base, change, complaint):
    games = shikoku_v0.batch(2, 3, seed=1)
    state = {**without(BASES[base], "deck"), **change}
    assert complaint in refusal(games, state, row=1)


@pytest.mark.parametrize("state", [None, 3, "steps", [], [PLAY]])
def test_what_is_no_object_is_refused(state):
    assert "a state is a JSON object, not" in refusal(shikoku_v0.batch(1, 3), state)


def test_steps_are_needed_and_tell_the_number_of_players():
    games = shikoku_v0.batch(1, 3)
    assert "steps is missing" in refusal(games, without(PLAY, "steps"))
    for steps in (None, [1, 2], [1] * 9):
        with pytest.raises(ValueError, match=r"steps is .*, expected 3 to 8 steps"):
            SHIKOKU.count_players({"steps": steps})


def test_there_is_no_state_while_chance_is_due():
    games = shikoku_v0.batch(2, 3, explicit_chance=True)
    games.load_state_dict(0, PLAY)
    with pytest.raises(ValueError, match="a chance event is due in game 1"):
        games.state_dict(1)
    state = {**TAKE, "to_act": "chance", "deck": 20}
    assert "to_act is 'chance', but it follows that it is 'player_0'" in refusal(games, state)
