"""S8: what a seat may see, and only that; and the cards it cannot see, dealt anew without bias."""

from __future__ import annotations

import random
from collections import Counter

import numpy as np
import pytest
from helpers import assert_uniform, position, random_states
from referee.shikoku import Shikoku, hidden_deals

from shikoku_env import shikoku_v0
from shikoku_env.game import SHIKOKU

PLAYERS = range(3, 9)
VIEWS = ("seats", "padded")
SLOW = [1] * 33  # long games, whose deck runs out


def some_states(players, games=2, seed=0, step=3):
    """Every ``step``-th state of random games, slow and usual ones."""
    for options in ({}, {"step_table": SLOW}):
        batch = shikoku_v0.batch(games, players, seed=seed + 50 * players, **options)
        yield from list(random_states(batch))[::step]


def unseen_cards(state, observer):
    """What ``observer`` has not seen, by the words of S8: cards dealt or drawn, and the deck."""
    seen = {*state["hands"][observer], *state["removed"]}
    for row in (state["row"], state["previous_row"]):
        seen |= {card for card, _ in row}
    for cards in state["known"]:
        seen |= set(cards)
    return sorted(set(range(1, 34)) - seen)


def permuted(state, observer, rng):
    """The same state with all that ``observer`` has not seen shuffled among its places."""
    unseen = unseen_cards(state, observer)
    rng.shuffle(unseen)
    hands = []
    for seat, (hand, known) in enumerate(zip(state["hands"], state["known"], strict=True)):
        kept = hand if seat == observer else known
        hands.append([card if card in kept else unseen.pop() for card in hand])
    return {key: state[key] for key in state if key not in ("hands", "legal")} | {"hands": hands}


def public_part(state, observer):
    """All that S8 makes public, and the hand of ``observer``; nothing of seat numbers is turned."""
    players = len(state["steps"])
    public = {key: state[key] for key in ("phase", "turn", "steps", "known", "row", "previous_row")}
    public |= {key: state[key] for key in ("order", "deck", "removed", "to_act")}
    public["sizes"] = [len(hand) for hand in state["hands"]]
    return {**public, "players": players, "hand": sorted(state["hands"][observer])}


# -- what is hidden ------------------------------------------------------------------------------


@pytest.mark.parametrize("players", PLAYERS)
def test_permuting_what_is_hidden_changes_nothing_that_a_seat_sees(players):
    rng = random.Random(players)
    envs = [shikoku_v0.env(players, observation=view) for view in VIEWS]
    moved = 0
    for state in some_states(players, games=1, step=11):
        for env in envs:
            env.load_state_dict(state)
        agents = envs[0].possible_agents
        seen = [[env.observe(agent) for env in envs] for agent in agents]
        texts = [SHIKOKU.text(envs[0].games.state[0], seat) for seat in range(players)]
        for seat, agent in enumerate(agents):
            other = permuted(state, seat, rng)
            moved += other["hands"] != state["hands"]
            for env, old in zip(envs, seen[seat], strict=True):
                env.load_state_dict(other)
                new = env.observe(agent)
                assert (new["observation"] == old["observation"]).all()
                assert (new["action_mask"] == old["action_mask"]).all()
                assert (env.infos[agent]["action_mask"] == old["action_mask"]).all()
            assert SHIKOKU.text(envs[0].games.state[0], seat) == texts[seat]
    assert moved > 20  # or the test would say nothing


@pytest.mark.parametrize("players", PLAYERS)
def test_mask_of_who_is_not_to_act_is_empty(players):
    env = shikoku_v0.env(players)
    for state in some_states(players, games=1, step=9):
        env.load_state_dict(state)
        for agent in env.possible_agents:
            mask = np.flatnonzero(env.observe(agent)["action_mask"]) + 1
            legal = state["legal"] if agent == state["to_act"] else []
            assert sorted(mask.tolist()) == sorted(int(text.split()[1]) for text in legal)


# -- what is public ------------------------------------------------------------------------------


def decoded(observation, layout, observer):
    """What an observation says, in the words of a state: ``public_part`` from the vector alone."""

    def block(name):
        return observation[layout[name].start : layout[name].stop].tolist()

    def cards(name):
        return [card for card, bit in enumerate(block(name), start=1) if bit]

    def of(offset, name):
        return block(f"seat{offset}_{name}")[0]

    players = block("players")[0]
    seats = [(seat - observer) % players for seat in range(players)]  # offsets, by seat
    by_place = sorted(range(players), key=lambda seat: of(seats[seat], "place"))
    assert [of(seats[seat], "place") for seat in by_place] == list(range(1, players + 1))
    acting = [seat for seat in range(players) if of(seats[seat], "to_act")]
    phases = {(1, 0): "play", (0, 1): "take", (0, 0): "over"}
    drawing = [seat for seat in range(players) if of(seats[seat], "drew")]
    assert drawing in ([], [by_place[-1]])
    known = [cards(f"seat{offset}_known") for offset in seats]
    rows = {
        name: sorted([card, s] for s in range(players) for card in cards(f"seat{seats[s]}_{name}"))
        for name in ("row", "previous_row")
    }
    return bool(drawing), {
        **rows,
        "phase": phases[block("playing")[0], block("taking")[0]],
        "turn": block("round")[0],
        "deck": block("deck")[0],
        "players": players,
        "hand": cards("hand"),
        "removed": cards("removed"),
        "steps": [of(offset, "step") for offset in seats],
        "order": by_place,
        "to_act": f"player_{acting[0]}" if acting else None,
        "known": known,
        "sizes": [of(seats[s], "hidden") + len(known[s]) for s in range(players)],
    }


@pytest.mark.parametrize("view", VIEWS)
@pytest.mark.parametrize("players", PLAYERS)
def test_all_that_is_public_can_be_read_off_an_observation(players, view):
    # So two states that differ in anything public, or in the own hand, have different observations.
    layout = SHIKOKU.observation_layout(view, players)
    games = shikoku_v0.batch(1, players, observation=view)
    assert games.observation_shape == (layout.size,)
    for state in some_states(players, games=1, step=9):
        games.load_state_dict(0, state)
        for observer in range(players):
            observation = games.observe(observer)[0]
            drew, public = decoded(observation, layout, observer)
            assert public == public_part(state, observer)
            assert drew == bool(games.state["drew"][0])
            assert (observation <= layout.highs()).all()
            assert (observation >= layout.lows()).all()
            used = SHIKOKU.observation_layout("seats", players).size
            assert not observation[used:].any()  # the blocks of seats that nobody sits on


def test_padded_observations_begin_like_the_others():
    for state in some_states(5, games=1):
        plain, padded = (shikoku_v0.batch(1, 5, observation=view) for view in VIEWS)
        for games in (plain, padded):
            games.load_state_dict(0, state)
        size = plain.observation_shape[0]
        assert (padded.observe(3)[0, :size] == plain.observe(3)[0]).all()
    sizes = {shikoku_v0.batch(1, n, observation="padded").observation_shape for n in PLAYERS}
    assert len(sizes) == 1


# Three players collecting; the deck holds 20 cards.
TAKING = {
    "phase": "take",
    "turn": 3,
    "steps": [3, 10, 12],
    "hands": [[9, 10], [6, 7, 33], [13, 14]],
    "known": [[9], [], []],
    "row": [[4, 1], [8, 0], [12, 2]],
    "previous_row": [[5, 1], [11, 2], [20, 0]],
    "removed": [1],
}
DRAWN = sorted(set(range(1, 34)) - {4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 20, 33})


@pytest.mark.parametrize(
    "change",
    [
        {"turn": 4},
        {"steps": [3, 10, 11]},
        {"known": [[10], [], []]},
        {"known": [[9], [], [13]]},
        {"row": [[4, 1], [8, 2], [12, 0]]},  # other owners, another order
        {"row": [[3, 1], [8, 0], [12, 2]]},
        {"row": [[1, 1], [8, 0], [12, 2]], "removed": [4]},
        {"previous_row": [[5, 2], [11, 1], [20, 0]]},
        {"previous_row": [[2, 1], [11, 2], [20, 0]]},
        {"removed": [2]},
        {"removed": [1, 2]},  # and a smaller deck
        {"hands": [[9, 10], [6, 7], [13, 14]]},  # how many cards a seat holds
        {"phase": "over", "steps": [3, 10, 33], "hands": [[9, 10], [6, 7], [13, 14]]},
    ],
)
def test_every_public_change_shows_to_every_seat(change):
    before, after = position(SHIKOKU, TAKING), position(SHIKOKU, {**TAKING, **change})
    for observer in range(3):
        assert (before.observe(observer) != after.observe(observer)).any(), f"player_{observer}"


def test_that_a_seat_drew_shows_even_when_the_deck_is_empty_after_it():
    layout = SHIKOKU.observation_layout("seats", 3)
    drew = {**TAKING, "removed": DRAWN}
    idle = {**drew, "hands": [[9, 10], [6, 7], [13, 14]], "removed": [*DRAWN, 33]}
    one, other = position(SHIKOKU, drew), position(SHIKOKU, idle)
    for observer in range(3):
        at = layout[
            f"seat{(1 - observer) % 3}_drew"
        ].start  # seat 1 has the lowest card: it is last
        assert one.observe(observer)[0, at] == 1
        assert other.observe(observer)[0, at] == 0


def test_the_same_table_looks_alike_from_seats_that_are_turned_round_it():
    # Seat-relative: everything moved one seat on, the observer too, gives the same observation.
    for state in some_states(4, games=1):
        turned = {key: state[key] for key in ("phase", "turn", "removed")}
        turned |= {key: state[key][-1:] + state[key][:-1] for key in ("steps", "hands", "known")}
        for name in ("row", "previous_row"):
            turned[name] = [[card, (seat + 1) % 4] for card, seat in state[name]]
        one, other = shikoku_v0.batch(1, 4), shikoku_v0.batch(1, 4)
        one.load_state_dict(0, state)
        other.load_state_dict(0, turned)
        for seat in range(4):
            assert (one.observe(seat) == other.observe((seat + 1) % 4)).all()


# -- resample_hidden -----------------------------------------------------------------------------

FEW = {  # positions, and in how many ways the cards may lie for each seat that looks
    "three hidden places and a deck of two": (
        {
            "steps": [3, 10, 12],
            "hands": [[1, 2, 3], [4, 5, 6], [7, 8, 9]],
            "known": [[1, 2], [4, 5], [7]],
            "previous_row": [[10, 0], [11, 1], [12, 2]],
            "removed": list(range(15, 34)),
        },
        {0: 5 * 6, 1: 5 * 6, 2: 4 * 3},  # for seat 0: one of five cards, then two of four
    ),
    "an empty deck": (
        {
            "steps": [3, 10, 12],
            "hands": [[1, 2, 3], [4, 5, 6], [7, 8, 9]],
            "known": [[], [5], [7, 8, 9]],
            "previous_row": [[10, 0], [11, 1], [12, 2]],
            "removed": list(range(13, 34)),
        },
        {0: 1, 1: 1, 2: 10},  # only player_2 does not know who holds what
    ),
    "a card just drawn": (
        {
            "phase": "take",
            "steps": [3, 10, 12],
            "hands": [[1, 2], [4, 5, 6], [7, 8]],
            "known": [[1, 2], [4, 5], [7]],
            "row": [[10, 1], [11, 0], [12, 2]],  # player_1 is last in the order, and drew
            "previous_row": [[13, 0], [14, 1], [15, 2]],
            "removed": list(range(17, 34)),
        },
        {0: 5 * 4, 1: 4, 2: 4},  # 3, 9 and 16 are in the deck
    ),
}


@pytest.mark.parametrize("seat", range(3))
@pytest.mark.parametrize("name", FEW)
def test_resampled_deals_are_uniform_over_those_that_the_seat_may_hold_possible(name, seat):
    state, counts = FEW[name]
    referee = Shikoku.from_state({"game": "shikoku", **state})
    possible = {
        (*(sum(1 << (card - 1) for card in hand) for hand in deal.hands), *[0] * 5)
        for deal in hidden_deals(referee, seat)
    }
    assert len(possible) == counts[seat]
    games = position(SHIKOKU, state).take(np.zeros(6000, np.int64))
    games.resample_hidden(seat=seat, seed=11)
    seen = Counter(map(tuple, games.state["hands"].tolist()))
    assert set(seen) <= possible
    if len(possible) > 1:
        assert_uniform(seen.values(), len(possible))


def test_resampling_again_starts_from_nothing():
    # From a deal that was itself redrawn, again all deals are equally likely: nothing sticks.
    state, counts = FEW["three hidden places and a deck of two"]
    games = position(SHIKOKU, state).take(np.zeros(6000, np.int64))
    games.resample_hidden(seat=2, seed=3)
    first = list(map(tuple, games.state["hands"].tolist()))
    games.resample_hidden(seat=2, seed=90_000)
    second = list(map(tuple, games.state["hands"].tolist()))
    pairs = Counter(zip(first, second, strict=True))
    assert_uniform(pairs.values(), counts[2] ** 2)


@pytest.mark.parametrize("players", PLAYERS)
def test_resampling_keeps_all_that_the_seat_has_seen(players):
    games = shikoku_v0.batch(1, players, step_table=SLOW)
    changed = 0
    states = list(random_states(shikoku_v0.batch(1, players, step_table=SLOW)))[::11]
    for number, state in enumerate(states):
        for seat in range(players):
            games.load_state_dict(0, state)
            seen, mask = games.observe(seat), games.legal[0].copy()
            games.resample_hidden(seat=seat, seed=1000 * number + seat)
            after = games.state_dict()
            assert (games.observe(seat) == seen).all()
            assert public_part(after, seat) == public_part(state, seat)
            assert unseen_cards(after, seat) == unseen_cards(state, seat)
            if state["to_act"] == f"player_{seat}" or state["phase"] != "play":
                assert (games.legal[0] == mask).all()
            for cards, known in zip(after["hands"], state["known"], strict=True):
                assert set(known) <= set(cards)
            changed += after["hands"] != state["hands"]
            # What follows is a whole game still: the referee reads it.
            assert Shikoku.from_state(after).state_dict() == after
    assert changed > 20


def test_resampling_gives_new_streams_and_leaves_other_rows_alone():
    games = shikoku_v0.batch(3, 4, seed=1)
    before = games.copy()
    games.resample_hidden([1], seat=0, seed=[77])
    for row in (0, 2):
        assert games.state[row] == before.state[row]
    assert games.state[1] != before.state[1]
    # A search that copies a game into many rows gets as many futures.
    many = games.take([0] * 50)
    many.resample_hidden(seat=2, seed=5)
    many.playout()
    assert len({row.tobytes() for row in many.state["steps"]}) > 5
    again = games.take([0] * 50)
    again.resample_hidden(seat=2, seed=5)
    again.playout()
    assert (again.state == many.state).all()


def test_resampling_by_default_is_for_the_seat_to_act():
    one, other = shikoku_v0.batch(20, 5, seed=1), shikoku_v0.batch(20, 5, seed=1)
    seats = one.seat.copy()
    assert len(set(seats.tolist())) > 1
    one.resample_hidden(seed=9)
    other.resample_hidden(seat=seats, seed=9)
    assert (one.state == other.state).all()
    with pytest.raises(TypeError, match="needs a seed"):
        one.resample_hidden(seat=0)
    one.playout()
    with pytest.raises(ValueError, match="nobody is to act in game 0: name the seat that looks"):
        one.resample_hidden(seed=9)
