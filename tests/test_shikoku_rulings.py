"""Rulings S1-S8 by examples that were worked out by hand.

Icons of the stand-in table (S1), which the comments use: 1 2 3 4 5 6 for cards 1..6, the same again
for 7..12, 13..18, 19..24, 25..30, and 1 2 3 for cards 31, 32, 33.
"""

from __future__ import annotations

import numpy as np
import pytest
from helpers import legal_texts, play, position

from shikoku_env import shikoku_v0
from shikoku_env.game import SHIKOKU

STAND_IN = [1, 2, 3, 4, 5, 6] * 5 + [1, 2, 3]


def new_game(num_players, **options):
    """A game before its first card, every chance event to be chosen."""
    return shikoku_v0.batch(1, num_players, explicit_chance=True, **options)


def set_up(hands, revealed, **options):
    """A game in which seat s is dealt hands[s] and then revealed[s]."""
    games = new_game(len(hands), **options)
    for seat, cards in enumerate(hands):
        play(games, *(f"chance: deal {seat} {card}" for card in cards))
    return play(games, *(f"chance: reveal {seat} {card}" for seat, card in enumerate(revealed)))


def last_play(steps, cards, **options):
    """Seat s has played cards[s], but the last seat: it does so now. Round 1, seats in order."""
    players = len(steps)
    unused = [card for card in range(1, 34) if card not in cards]
    state = {
        "game": "shikoku",
        "steps": steps,
        "hands": [[]] * (players - 1) + [[cards[-1]]],
        "row": sorted([card, seat] for seat, card in enumerate(cards[:-1])),
        "previous_row": [[card, seat] for seat, card in enumerate(unused[:players])],
    }
    games = position(SHIKOKU, state, **options)
    return play(games, f"player_{players - 1}: play {cards[-1]}")


def steps_of(games):
    return games.state["steps"][0, : games.num_players].tolist()


# Three players; card 20 is worth 2, 5 and 11 are worth 5: the pilgrims begin on 3, 6 and 6.
HANDS, REVEALED = [[8, 9, 10], [4, 6, 7], [12, 13, 14]], [20, 5, 11]

# -- S1: the step table --------------------------------------------------------------------------


def test_s1_default_table_is_the_stand_in():
    # Setup climbs the icons of the revealed card and nothing else (S3), so it shows the table.
    for card in range(1, 34):
        others = [c for c in range(1, 34) if c != card]
        games = set_up([others[0:3], others[3:6], others[6:9]], [card, *others[9:11]])
        assert steps_of(games)[0] == 1 + STAND_IN[card - 1], f"card {card}"


def test_s1_own_table_is_used_in_setup_and_in_every_climb():
    table = [*range(32, 0, -1), 7]  # card c is worth 33 - c, card 33 is worth 7
    games = set_up([[1, 2, 30], [3, 4, 31], [5, 6, 32]], [33, 29, 28], step_table=table)
    assert steps_of(games) == [1 + 7, 1 + 4, 1 + 5]
    play(games, "player_2: play 32", "player_1: play 31", "player_0: play 30")
    # 30 (seat 0) climbs 3, 31 (seat 1) is second and stays, 32 (seat 2) climbs 1.
    assert steps_of(games) == [8 + 3, 5, 6 + 1]


@pytest.mark.parametrize("table", [[1] * 33, [32] * 33, tuple([1] * 33), np.full(33, 5)])
def test_s1_table_may_hold_1_to_32(table):
    games = shikoku_v0.batch(1, 3, step_table=table)
    assert games.options["step_table"] == [int(table[0])] * 33


@pytest.mark.parametrize(
    ("table", "complaint"),
    [
        ([1] * 32, "expected 33 integers"),
        ([1] * 34, "expected 33 integers"),
        (7, "step_table is 7, expected 33 integers"),
        (None, "step_table is None, expected 33 integers"),
        ([0] + [1] * 32, "gives card 1 0, expected 1..32"),
        ([1] * 32 + [33], "gives card 33 33, expected 1..32"),
        ([1, -1] + [1] * 31, "gives card 2 -1, expected 1..32"),
        ([1, 2.0] + [1] * 31, "gives card 2 2.0, expected an integer"),
        ([True] + [1] * 32, "gives card 1 True, expected an integer"),
        (["1"] + [1] * 32, "gives card 1 '1', expected an integer"),
    ],
)
def test_s1_other_tables_are_refused(table, complaint):
    with pytest.raises(ValueError) as caught:
        shikoku_v0.batch(1, 3, step_table=table)
    assert complaint in str(caught.value)


# -- S2: seats -----------------------------------------------------------------------------------


@pytest.mark.parametrize(("players", "deck"), [(3, 21), (4, 17), (5, 13), (6, 9), (7, 5), (8, 1)])
def test_s2_three_to_eight_seats_and_a_deck_of_33_less_four_a_seat(players, deck):
    state = shikoku_v0.batch(1, players).state_dict()
    assert state["deck"] == deck
    assert [len(hand) for hand in state["hands"]] == [3] * players
    assert list(state["rewards"]) == [f"player_{seat}" for seat in range(players)]


@pytest.mark.parametrize("players", [2, 9, 0, -3, True, 4.0, "4"])
def test_s2_other_numbers_of_seats_are_refused(players):
    with pytest.raises(ValueError, match=r"num_players is .*, but Shikoku takes 3\.\.8"):
        shikoku_v0.batch(1, players)


# -- S3: setup -----------------------------------------------------------------------------------


@pytest.mark.parametrize("players", range(3, 9))
def test_s3_three_cards_to_each_hand_then_one_revealed_a_seat(players):
    games = new_game(players)
    due = [f"deal {seat}" for seat in range(players) for _ in range(3)]
    due += [f"reveal {seat}" for seat in range(players)]
    for number, event in enumerate(due):  # we turn up 33, 32, 31 …
        assert games.agent() == "chance"
        cards = range(1, 34 - number)
        assert legal_texts(games) == [f"{event} {card}" for card in cards]
        assert games.chance[0][: len(cards)] == pytest.approx(1 / len(cards))
        play(games, f"chance: {event} {33 - number}")
    state = games.state_dict()
    assert state["hands"][0] == [31, 32, 33]
    assert state["hands"][-1] == [34 - 3 * players, 35 - 3 * players, 36 - 3 * players]
    # The later a seat, the lower its card: the row is in the opposite order of the seats.
    low = 33 - 4 * players
    assert state["previous_row"] == [[low + i, players - i] for i in range(1, players + 1)]
    assert (state["phase"], state["turn"], state["row"], state["removed"]) == ("play", 0, [], [])


def test_s3_first_round_follows_the_sorted_setup_row_as_it_stands():
    state = set_up(HANDS, REVEALED).state_dict()
    assert state["steps"] == [3, 6, 6]
    assert state["previous_row"] == [[5, 1], [11, 2], [20, 0]]
    assert state["order"] == [1, 2, 0]  # the lowest card, of seat 1, is not moved last
    assert state["to_act"] == "player_1"
    assert state["legal"] == ["play 4", "play 6", "play 7"]


def test_s3_nobody_is_held_back_in_setup():
    hands = [[1, 2, 3], [5, 6, 7], [9, 10, 11], [12, 13, 14], [15, 17, 18]]
    games = set_up(hands, [4, 8, 16, 23, 29])  # S4 would hold seats 1 and 3 back
    assert steps_of(games) == [1 + 4, 1 + 2, 1 + 4, 1 + 5, 1 + 5]


def test_s3_the_pagoda_reached_in_setup_ends_the_game_after_the_first_climb():
    table = STAND_IN.copy()
    table[20 - 1] = 32
    games = set_up(HANDS, REVEALED, step_table=table)
    state = games.state_dict()
    assert state["steps"] == [33, 6, 6]
    assert (state["phase"], state["over"], set(state["rewards"].values())) == ("play", False, {0})
    play(games, "player_1: play 4", "player_2: play 12", "player_0: play 8")
    # 4 (seat 1) climbs 4; 8 (seat 0) is held back and stays on 33; 12 (seat 2) climbs 6.
    state = games.state_dict()
    assert state["steps"] == [33, 10, 12]
    assert (state["phase"], state["turn"]) == ("over", 0)
    assert state["rewards"] == {"player_0": -1, "player_1": -1, "player_2": 1}


def test_s3_all_may_reach_the_pagoda_in_setup_and_then_nobody_wins():
    games = set_up(HANDS, REVEALED, step_table=[32] * 33)
    assert steps_of(games) == [33, 33, 33]
    assert games.agent() == "player_1"
    play(games, "play 4", "play 12", "play 8")
    assert games.state_dict()["rewards"] == {"player_0": -1, "player_1": -1, "player_2": -1}


# -- S4: climbing --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("before", "cards", "after"),
    [
        # n = 3: 3 (seat 1) +3, 10 (seat 2) stays, 20 (seat 0) +2
        ([10, 10, 10], [20, 3, 10], [12, 13, 10]),
        # n = 4: 6 (seat 1) +6, 9 (seat 3) stays, 17 (seat 2) +5 though last but one, 30 (seat 0) +6
        ([1, 2, 3, 4], [30, 6, 17, 9], [7, 8, 8, 4]),
        # n = 5: 1 (seat 4) +1, 5 (seat 2) stays, 12 (seat 0) +6, 18 (seat 3) stays, 33 (seat 1) +3
        ([10, 10, 10, 10, 10], [12, 33, 5, 18, 1], [16, 13, 10, 10, 11]),
        # n = 6: 4 (1) +4, 8 (3) stays, 16 (5) +4, 23 (0) +5, 29 (4) stays, 32 (2) +2
        ([2, 4, 6, 8, 10, 12], [23, 4, 32, 8, 29, 16], [7, 8, 8, 8, 10, 16]),
        # n = 7: 2 (4) +2, 7 (0) stays, 11 (5) +5, 14 (1) +2, 21 (2) +3, 28 (3) stays, 33 (6) +3
        ([1] * 7, [7, 14, 21, 28, 2, 11, 33], [1, 3, 4, 1, 3, 6, 4]),
        # n = 8: 3 (1) +3, 6 (6) stays, 9 (3) +3, 15 (4) +3, 20 (5) +2, 24 (7) +6, 27 stays, 31 +1
        ([5] * 8, [31, 3, 27, 9, 15, 20, 6, 24], [6, 8, 5, 8, 8, 7, 5, 11]),
        # a step above 33 is 33: 18 (seat 0) +6 from 31; 10 (seat 1) stays; 1 (seat 2) +1
        ([31, 32, 1], [18, 10, 1], [33, 32, 2]),
        # exactly 33: 20 (seat 0) +2 from 31
        ([31, 32, 1], [20, 10, 1], [33, 32, 2]),
        # 32 is not 33: 19 (seat 0) +1 from 31
        ([31, 32, 1], [19, 10, 1], [32, 32, 2]),
        # S3: who stands on 33 since the setup stays there, climbing (20) or held back (10)
        ([33, 6, 6], [20, 3, 10], [33, 9, 6]),
        ([33, 6, 6], [10, 3, 20], [33, 9, 8]),
    ],
)
def test_s4_second_place_stays_and_from_five_players_on_the_last_but_one_too(before, cards, after):
    games = last_play(before, cards)
    assert steps_of(games) == after
    assert games.terminated[0] == (33 in after)


def test_s4_all_climb_at_once_after_the_last_play_only():
    games = set_up(HANDS, REVEALED)
    play(games, "player_1: play 4", "player_2: play 12")
    assert steps_of(games) == [3, 6, 6]
    play(games, "player_0: play 8")
    assert steps_of(games) == [3, 10, 12]


# -- S5: collecting ------------------------------------------------------------------------------


def test_s5_two_rounds_of_three_players():
    games = play(set_up(HANDS, REVEALED), "play 4", "play 12", "play 8")
    # Row 4 (seat 1), 8 (seat 0), 12 (seat 2): seat 1, the lowest, is moved last, and draws one of
    # the 21 cards that were not dealt, before the first take.
    out = {card for cards in [*HANDS, REVEALED] for card in cards}
    deck = [card for card in range(1, 34) if card not in out]
    assert legal_texts(games) == [f"deal 1 {card}" for card in deck]
    assert games.chance[0][deck[0] - 1] == pytest.approx(1 / 21)
    play(games, "chance: deal 1 33")
    state = games.state_dict()
    assert (state["phase"], state["turn"], state["deck"]) == ("take", 0, 20)
    assert state["order"] == [0, 2, 1]
    assert state["hands"] == [[9, 10], [6, 7, 33], [13, 14]]
    # Round 1 takes from the setup row: any card, the own one included.
    assert state["previous_row"] == [[5, 1], [11, 2], [20, 0]]
    assert legal_texts(games) == ["take 5", "take 11", "take 20"]
    play(games, "player_0: take 20")
    assert games.state_dict()["previous_row"] == [[5, 1], [11, 2]]
    play(games, "player_2: take 5")
    # Seat 1 drew and does not take: card 11 leaves the game, and the next round begins.
    state = games.state_dict()
    assert (state["phase"], state["turn"], state["to_act"]) == ("play", 1, "player_0")
    assert state["removed"] == [11]
    assert state["hands"] == [[9, 10, 20], [6, 7, 33], [5, 13, 14]]
    assert state["previous_row"] == [[4, 1], [8, 0], [12, 2]]
    assert state["row"] == []
    assert state["order"] == [0, 2, 1]  # from round 2 on the lowest card is last
    play(games, "player_0: play 20", "player_2: play 13", "player_1: play 6")
    # 6 (seat 1) climbs 6 from 10; 13 (seat 2) is second and stays; 20 (seat 0) climbs 2 from 3.
    assert steps_of(games) == [5, 16, 12]
    play(games, "chance: deal 1 1", "player_2: take 12", "player_0: take 4")
    state = games.state_dict()
    assert state["order"] == [2, 0, 1]
    assert state["removed"] == [8, 11]
    assert state["hands"] == [[4, 9, 10], [1, 7, 33], [5, 12, 14]]


def eight_players_at_the_end_of_round_two():
    """Seat s gets 3s+1, 3s+2, 3s+3 and reveals 25+s; each plays its lowest card in both rounds."""
    games = set_up([[3 * s + 1, 3 * s + 2, 3 * s + 3] for s in range(8)], list(range(25, 33)))
    play(games, *(f"player_{s}: play {3 * s + 1}" for s in range(8)))
    return games


def test_s5_the_deck_is_judged_before_the_draw():
    games = eight_players_at_the_end_of_round_two()
    # One card is in the deck: seat 0, lowest and so last, draws it, and the deck is empty.
    assert legal_texts(games) == ["deal 0 33"]
    assert games.chance[0].tolist() == [0.0] * 32 + [1.0]
    play(games, "deal 0 33")
    assert games.state_dict()["deck"] == 0
    play(games, *(f"player_{s}: take {24 + s}" for s in range(1, 8)))
    # It drew, so it takes nothing: the card left, 32, is out of the game.
    state = games.state_dict()
    assert (state["turn"], state["removed"]) == (1, [32])
    assert state["hands"][0] == [2, 3, 33]
    assert state["known"] == [[], [25], [26], [27], [28], [29], [30], [31]]


def test_s5_with_an_empty_deck_all_take_and_the_last_take_is_automatic():
    games = play(eight_players_at_the_end_of_round_two(), "deal 0 33")
    play(games, *(f"take {24 + s}" for s in range(1, 8)))
    play(games, *(f"player_{s}: play {3 * s + 2}" for s in (1, 2, 3, 4, 5, 6, 7, 0)))
    # No draw: the first seat takes at once. Round 1's row is there to be taken.
    state = games.state_dict()
    assert (state["phase"], state["turn"], state["deck"]) == ("take", 1, 0)
    assert state["order"] == [1, 2, 3, 4, 5, 6, 7, 0]
    assert legal_texts(games) == [f"take {card}" for card in (1, 4, 7, 10, 13, 16, 19, 22)]
    play(games, *(f"player_{s}: take {3 * s - 2}" for s in range(1, 8)))
    # Seven decisions; card 22 is left and goes to seat 0, and all know it.
    state = games.state_dict()
    assert (state["phase"], state["turn"], state["to_act"]) == ("play", 2, "player_1")
    assert state["hands"][0] == [3, 22, 33]
    assert state["known"][0] == [22]
    assert state["removed"] == [32]
    assert [len(hand) for hand in state["hands"]] == [3] * 8
    assert games.plies[0] == 8 + 7 + 8 + 7


# -- S6, S7: the end -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("steps", "winners"),
    [
        ([33, 20, 10], [1]),
        ([10, 33, 20], [2]),
        ([33, 20, 15, 10], [1]),  # n = 4: second from the bottom is nobody's wish
        ([33, 33, 15, 10], [2]),
        ([33, 20, 15, 12, 10], [1, 3]),  # n = 5: both
        ([33, 20, 10, 10, 10], [1]),  # three distinct steps: second from both sides
        ([33, 20, 20, 10, 10], [1, 2]),
        ([33, 30, 30, 12, 12, 5], [1, 2, 3, 4]),  # shared steps share the place
        ([5, 32, 31, 30, 29, 33, 6], [1, 6]),
        ([33, 32, 31, 30, 29, 28, 27, 26], [1, 6]),
        ([33, 33, 32, 32, 2, 2, 1, 1], [2, 3, 4, 5]),
        ([33, 33, 7], [2]),  # two distinct steps: second from the top is also last, and wins
        ([33, 33, 33, 10, 10], [3, 4]),  # … and second from the bottom is 33, which never wins
        ([33, 1, 1, 1, 1, 1, 1, 1], [1, 2, 3, 4, 5, 6, 7]),
        ([33, 33, 33], []),  # one distinct step: nobody
        ([33, 33, 33, 33, 33], []),
    ],
)
def test_s6_winners_and_s7_rewards(steps, winners):
    players = len(steps)
    games = position(
        SHIKOKU,
        {
            "phase": "over",
            "steps": steps,
            "row": [[seat + 1, seat] for seat in range(players)],
            "previous_row": [[seat + 9, seat] for seat in range(players)],
        },
    )
    expected = [1 if seat in winners else -1 for seat in range(players)]
    assert games.rewards[0].tolist() == expected
    assert list(games.state_dict()["rewards"].values()) == expected
    assert (bool(games.terminated[0]), bool(games.truncated[0])) == (True, False)


def test_s6_the_game_stops_after_the_climb_and_nothing_is_collected():
    state = {"steps": [3, 6, 28], "hands": HANDS, "previous_row": [[5, 1], [11, 2], [20, 0]]}
    games = play(position(SHIKOKU, state), "player_1: play 4", "player_2: play 12")
    assert games.rewards[0].tolist() == [0, 0, 0]  # S7: zero before the end
    play(games, "player_0: play 8")
    # 12 (seat 2) climbs 6, past the pagoda; seat 1 goes from 6 to 10, seat 0 is held back on 3.
    state = games.state_dict()
    assert (state["phase"], state["over"], state["to_act"]) == ("over", True, None)
    assert (state["steps"], state["turn"], state["deck"]) == ([3, 10, 33], 0, 21)
    assert state["hands"] == [[9, 10], [6, 7], [13, 14]]
    assert state["previous_row"] == [[5, 1], [11, 2], [20, 0]]
    assert state["row"] == [[4, 1], [8, 0], [12, 2]]
    assert state["order"] == [1, 2, 0]  # of the play phase
    assert state["rewards"] == {"player_0": -1, "player_1": 1, "player_2": -1}
    assert not games.legal.any()


# -- S8: information -----------------------------------------------------------------------------


def seen(games, observer, block):
    """The cards that a block of an observation names."""
    where = SHIKOKU.observation_layout("seats", games.num_players)[block]
    bits = games.observe(observer)[0, where.start : where.stop]
    return [card for card, bit in enumerate(bits, start=1) if bit]


def test_s8_a_card_taken_is_known_until_it_is_played():
    games = play(set_up(HANDS, REVEALED), "play 4", "play 12", "play 8", "deal 1 33")
    play(games, "player_0: take 20")
    assert games.state_dict()["known"] == [[20], [], []]
    play(games, "player_2: take 5")
    assert games.state_dict()["known"] == [[20], [], [5]]  # the drawn 33 is not
    # Seats are counted from the observer on: seat 0 is the third seat from seat 1's own.
    assert seen(games, 1, "seat2_known") == [20]
    assert seen(games, 0, "seat0_known") == [20]
    assert seen(games, 1, "hand") == [6, 7, 33]
    play(games, "player_0: play 20")
    assert games.state_dict()["known"] == [[], [], [5]]
    assert seen(games, 1, "seat2_known") == []
    assert seen(games, 1, "seat2_row") == [20]
    play(games, "player_2: play 13")
    assert games.state_dict()["known"] == [[], [], [5]]  # another card was played


def test_s8_only_the_drawer_sees_what_it_drew_but_all_see_that_it_drew():
    before = play(set_up(HANDS, REVEALED), "play 4", "play 12", "play 8")
    one, other = play(before.copy(), "deal 1 33"), play(before.copy(), "deal 1 32")
    for watcher in (0, 2):
        assert (one.observe(watcher) == other.observe(watcher)).all()
    assert seen(one, 1, "hand") == [6, 7, 33]
    assert seen(other, 1, "hand") == [6, 7, 32]
    drew = SHIKOKU.observation_layout("seats", 3)["seat1_drew"].start
    assert one.observe(0)[0, drew] == 1
    assert play(one, "take 5", "take 11").observe(0)[0, drew] == 0  # the take phase is over
