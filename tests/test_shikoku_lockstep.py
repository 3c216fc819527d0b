"""The kernels beside the referee, move by move, and what holds at every state of random play."""

from __future__ import annotations

import random
from collections import Counter
from fractions import Fraction

import numpy as np
import pytest
from helpers import assert_uniform, legal_texts, play, position, random_moves
from referee.shikoku import Shikoku

from shikoku_env import shikoku_v0
from shikoku_env.game import SHIKOKU

PLAYERS = range(3, 9)
ROW = [[10, 0], [11, 1], [12, 2]]


def drawn_table(icons, seed):
    return random.Random(seed).choices(icons, k=33)


TABLES = {
    "stand-in": None,
    "slow": [1] * 33,  # the longest games: the deck of every player count runs out
    "mixed": drawn_table([1, 2, 3, 4, 5, 6], seed=1),
    "wild": drawn_table([1, 5, 16, 32, 32, 32], seed=2),  # the pagoda is reached in setup, too
}


def batch(players, table, games, seed):
    options = {} if TABLES[table] is None else {"step_table": TABLES[table]}
    return shikoku_v0.batch(games, players, seed=seed, explicit_chance=True, **options)


def assert_same(games, row, referee):
    """The kernels' game and the referee's are the same, seen from every door."""
    assert games.agent(row) == referee.to_act
    if referee.to_act == "chance":
        chance = referee.chance()
        assert legal_texts(games, row) == list(chance)
        for text, probability in chance.items():
            number = games.read_action(row, text)
            assert Fraction(games.chance[row, number]).limit_denominator(33) == probability
        assert games.chance[row].sum() == pytest.approx(1)
        assert not games.legal[row].any()
        return
    assert games.state_dict(row) == referee.state_dict()
    assert sorted(legal_texts(games, row)) == referee.legal()
    assert not games.chance[row].any()
    assert games.rewards[row].tolist() == list(referee.rewards.values())
    assert games.terminated[row] == referee.over
    assert not games.truncated[row]


@pytest.mark.parametrize("table", TABLES)
@pytest.mark.parametrize("players", PLAYERS)
def test_kernels_and_referee_play_the_same_game(players, table):
    games = batch(players, table, games=4, seed=100 * players)
    referees = [Shikoku.start(players, TABLES[table]) for _ in range(4)]
    for rows, actions in random_moves(games):
        for row, action in zip(rows.tolist(), actions.tolist(), strict=True):
            assert_same(games, row, referees[row])
            referees[row].play(referees[row].to_act, games.action_text(row, action))
    for row, referee in enumerate(referees):
        assert_same(games, row, referee)
        assert referee.over


def test_the_games_above_reach_what_is_rare():
    # Or the lock-step would prove less than it seems to: an empty deck at every player count, the
    # automatic last take, the pagoda reached in setup, a game in which nobody wins.
    seen = set()
    for players in PLAYERS:
        for table in TABLES:
            games = batch(players, table, games=4, seed=100 * players)
            for rows, _ in random_moves(games):
                state = games.state[rows]
                deciding = state["seat"] >= 0
                first_play = deciding & (state["turn"] == 0) & (state["phase"] == 1)
                at_top = (state["steps"] == 33).any(axis=1)
                seen |= {"setup reaches 33"} if (first_play & at_top).any() else set()
                empty = deciding & (state["deck"] == 0) & (state["phase"] == 2)
                for drew in state["drew"][empty].tolist():
                    seen.add(f"{players} players, empty deck, {'drew' if drew else 'no draw'}")
            seen |= {"nobody wins"} if (games.rewards == -1).all(axis=1).any() else set()
    wanted = {"setup reaches 33", "nobody wins"}
    wanted |= {f"{n} players, empty deck, {d}" for n in PLAYERS for d in ("drew", "no draw")}
    assert seen == wanted


def test_the_cards_that_chance_turns_up_are_uniform():
    # Not told apart by the referee, which takes the cards as they come.
    first = shikoku_v0.batch(5000, 3, seed=4, explicit_chance=True)
    assert_uniform(Counter(first.sample_legal().tolist()).values(), 33)
    whole = shikoku_v0.batch(5000, 3, seed=4)  # here chance happens by itself
    on_row = whole.state["previous_row"][:, None] >> np.arange(33, dtype=np.uint64) & 1 == 1
    for seat in range(3):
        game, revealed = np.nonzero(on_row & (whole.state["owner"] == seat))
        assert game.tolist() == list(range(5000))
        assert_uniform(Counter(revealed.tolist()).values(), 33)
    table = position(SHIKOKU, {"steps": [1, 2, 3], "hands": [[1], [2], [3]], "previous_row": ROW})
    play(table, "play 1", "play 2", "play 3")
    draws = table.take([0] * 5000)
    draws.reseed(seed=8)
    assert_uniform(Counter(draws.sample_legal().tolist()).values(), 33 - 6)


# -- invariants: each is called with a state, the state before it in the same game, and the batch --


def all_33_cards_are_somewhere_once(state, before, games, row):
    where = [card for hand in state["hands"] for card in hand]
    where += [card for name in ("row", "previous_row") for card, _ in state[name]]
    where += state["removed"]
    where += [card for card in range(1, 34) if int(games.state["deck"][row]) >> (card - 1) & 1]
    assert sorted(where) == list(range(1, 34))
    assert int(games.state["deck"][row]) < 2**33
    assert state["deck"] == 33 - (len(where) - state["deck"])


def steps_lie_on_the_board_and_never_fall(state, before, games, row):
    assert all(1 <= step <= 33 for step in state["steps"])
    if before:
        assert all(new >= old for new, old in zip(state["steps"], before["steps"], strict=True))
        phase_2_between = before["phase"] == "play" and state["phase"] != "play"
        assert state["steps"] == before["steps"] or phase_2_between


def hands_have_the_right_size(state, before, games, row):
    order, last = state["order"], state["order"][-1]
    drew = bool(games.state["drew"][row])
    assert not (drew and state["phase"] != "take")
    if state["phase"] == "over":
        sizes = dict.fromkeys(order, 2)
    elif state["phase"] == "play":
        acted = [seat for _, seat in state["row"]]
        sizes = {seat: 2 if seat in acted else 3 for seat in order}
    else:
        acted = order[: len(order) - len(state["previous_row"])]
        sizes = {seat: 3 if seat in acted or (seat == last and drew) else 2 for seat in order}
    assert [len(hand) for hand in state["hands"]] == [sizes[seat] for seat in sorted(order)]


def known_cards_are_in_the_hand_and_come_from_takes(state, before, games, row):
    for seat, known in enumerate(state["known"]):
        assert set(known) <= set(state["hands"][seat])
        if before:
            fresh = set(known) - set(before["known"][seat])
            assert fresh <= {card for card, _ in before["previous_row"]}
            lost = set(before["known"][seat]) - set(known)
            assert lost <= {card for card, owner in state["row"] if owner == seat}


def order_is_a_permutation_and_names_who_acts(state, before, games, row):
    players = len(state["steps"])
    assert sorted(state["order"]) == list(range(players))
    acted = len(state["row"]) if state["phase"] == "play" else players - len(state["previous_row"])
    agent = None if state["over"] else f"player_{state['order'][acted]}"
    assert state["to_act"] == agent
    assert games.seat[row] == (-1 if agent is None else state["order"][acted])


def rows_ascend_with_one_card_a_seat(state, before, games, row):
    for name in ("row", "previous_row"):
        cards, seats = [card for card, _ in state[name]], [seat for _, seat in state[name]]
        assert cards == sorted(cards)
        assert len(set(seats)) == len(seats)
        assert set(seats) <= set(state["order"])


def mask_has_exactly_the_legal_cards(state, before, games, row):
    seat = int(games.seat[row])
    if state["phase"] == "play":
        cards = state["hands"][seat]
    else:
        cards = [] if state["over"] else [card for card, _ in state["previous_row"]]
    assert np.flatnonzero(games.legal[row]).tolist() == [card - 1 for card in cards]
    verb = state["phase"]
    assert state["legal"] == sorted(f"{verb} {card}" for card in cards)
    assert bool(cards) != state["over"]


def rewards_come_at_the_end_and_with_it(state, before, games, row):
    rewards = list(state["rewards"].values())
    assert set(rewards) <= ({-1, 1} if state["over"] else {0})
    assert state["over"] == (state["phase"] == "over") == bool(games.terminated[row])
    assert state["truncated"] is False
    on_top = [step == 33 for step in state["steps"]]
    assert any(on_top) == state["over"] or (state["turn"] == 0 and state["phase"] == "play")
    if state["over"]:
        assert {reward for reward, top in zip(rewards, on_top, strict=True) if top} == {-1}


def deck_and_removed_go_one_way(state, before, games, row):
    if before:
        assert before["deck"] - state["deck"] in (0, 1)
        assert set(before["removed"]) <= set(state["removed"])
        assert len(state["removed"]) - len(before["removed"]) in (0, 1)
        assert state["turn"] - before["turn"] in (0, 1)
    players, rounds = len(state["steps"]), state["turn"]
    draws = min(rounds + (state["phase"] == "take"), 33 - 4 * players)
    assert state["deck"] == 33 - 4 * players - draws
    assert len(state["removed"]) == min(rounds, 33 - 4 * players)  # one a round with a draw (S5)


def counters_and_unused_seats(state, before, games, row):
    players = len(state["steps"])
    game = games.state[row]
    for name in ("hands", "known", "steps", "order"):
        assert not game[name][players:].any()
    decided = (2 * players - 1) * state["turn"] + len(state["row"])
    if state["phase"] == "take":
        decided += players - len(state["previous_row"])
    assert game["plies"] == decided


INVARIANTS = [
    all_33_cards_are_somewhere_once,
    steps_lie_on_the_board_and_never_fall,
    hands_have_the_right_size,
    known_cards_are_in_the_hand_and_come_from_takes,
    order_is_a_permutation_and_names_who_acts,
    rows_ascend_with_one_card_a_seat,
    mask_has_exactly_the_legal_cards,
    rewards_come_at_the_end_and_with_it,
    deck_and_removed_go_one_way,
    counters_and_unused_seats,
]


@pytest.mark.parametrize("table", TABLES)
@pytest.mark.parametrize("players", PLAYERS)
def test_invariants_at_every_state(players, table):
    games = batch(players, table, games=2, seed=7000 + players)
    before = [None] * 2

    def check(row):
        state = games.state_dict(row)
        for invariant in INVARIANTS:
            invariant(state, before[row], games, row)
        before[row] = state

    for rows, _ in random_moves(games):
        for row in rows.tolist():
            if games.agent(row) != "chance":
                check(row)
    for row in range(2):
        check(row)
