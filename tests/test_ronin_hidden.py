"""R11: what a seat of Ronin may see, and only that; and what it cannot see, dealt anew without bias."""

from __future__ import annotations

import copy
import random
from collections import Counter
from itertools import permutations

import numpy as np
import pytest
from helpers import assert_uniform, position, random_states

from paiko_env import ronin_v0
from paiko_env.ronin_game import RONIN
from paiko_env.tiles import LETTERS

PLAYERS = range(4, 8)
ROUNDS = 12
VIEWS = ("planes", "compact")


def some_states(players, step=23):
    batch = ronin_v0.batch(2, players, seed=players, max_rounds=ROUNDS)
    return list(random_states(batch))[::step]


def hidden_places(state, observer):
    """Where tiles lie that ``observer`` cannot see, colour by colour: (key, owner) of each tile."""
    places = {"w": [], "b": []}
    for agent, hand in state["hands"].items():
        if agent != observer:
            places[agent[0]] += [("hands", agent)] * len(hand)
    for side, reserve in state["reserves"].items():
        places[side] += [("reserves", side)] * len(reserve)
    places["w"] += [("bases", owner) for owner in state["bases"]]
    return places


def pool(state, observer):
    """The tiles that lie there."""
    tiles = {"w": "", "b": ""}
    for agent, hand in state["hands"].items():
        tiles[agent[0]] += hand if agent != observer else ""
    for side, reserve in state["reserves"].items():
        tiles[side] += reserve
    tiles["w"] += "".join(state["bases"].values())
    return {side: Counter(text) for side, text in tiles.items()}


def permuted(state, observer, rng):
    """The same state with all that ``observer`` cannot see shuffled among its places."""
    other = copy.deepcopy(state)
    del other["legal"]
    for agent in other["hands"]:
        other["hands"][agent] = state["hands"][agent] if agent == observer else ""
    other["reserves"] = {"w": "", "b": ""}
    tiles = {side: list(count.elements()) for side, count in pool(state, observer).items()}
    for side, places in hidden_places(state, observer).items():
        rng.shuffle(tiles[side])
        for (key, owner), letter in zip(places, tiles[side], strict=True):
            other[key][owner] = letter if key == "bases" else other[key][owner] + letter
    for key in ("hands", "reserves"):
        other[key] = {o: "".join(sorted(t, key=LETTERS.index)) for o, t in other[key].items()}
    return other


@pytest.mark.parametrize("players", PLAYERS)
def test_permuting_what_is_hidden_changes_nothing_that_a_seat_sees(players):
    rng = random.Random(players)
    games = {
        view: ronin_v0.batch(1, players, observation=view, max_rounds=ROUNDS) for view in VIEWS
    }
    moved = 0
    for state in some_states(players):
        for seat, agent in enumerate(RONIN.agents(players)):
            other = permuted(state, agent, rng)
            moved += other["hands"] != state["hands"]
            for batch in games.values():
                batch.load_state_dict(0, state)
                before = batch.observe(seat).copy()
                text = RONIN.text(batch.state[0], seat)
                batch.load_state_dict(0, other)
                assert (batch.observe(seat) == before).all()
                assert RONIN.text(batch.state[0], seat) == text
                if state["to_act"] == agent:
                    assert batch.state_dict(0)["legal"] == state["legal"]
    assert moved > 5 * players


@pytest.mark.parametrize("view", VIEWS)
@pytest.mark.parametrize("players", PLAYERS)
def test_observations_tell_what_is_public_and_the_own_hand(players, view):
    layout = RONIN.observation_layout(view, players)
    games = ronin_v0.batch(1, players, observation=view, max_rounds=ROUNDS)
    agents = RONIN.agents(players)
    shown = {block.name: block for block in layout}

    def number(seen, name):
        return int(np.ravel(seen[shown[name].start])[0])

    for state in some_states(players, step=23):
        games.load_state_dict(0, state)
        for seat, agent in enumerate(agents):
            seen = games.observe(seat)[0]
            hand = [np.ravel(seen[shown["own_hand"].start + k])[0] for k in range(8)]
            assert hand == [state["hands"][agent].count(letter) for letter in LETTERS]
            assert not seen[shown["enemy_hand"].start : shown["enemy_hand"].stop].any()
            for offset in range(players):
                other = agents[(seat + offset) % players]
                assert number(seen, f"seat{offset}_hand") == len(state["hands"][other])
                assert number(seen, f"seat{offset}_token") == (state["token"] == other)
                assert number(seen, f"seat{offset}_acting") == (state["to_act"] == other)
                letter = state["heroes"].get(other)
                assert number(seen, f"seat{offset}_hero") == (
                    1 + LETTERS.index(letter) if letter else 0
                )
            assert number(seen, "actions_left") == state["actions_left"]
            assert number(seen, "white") == (seat == 0)
            heroes = seen[shown["hero"].start : shown["hero"].stop].sum()
            assert heroes == sum("!" in tile for tile in state["board"].values())
            sides = ("own", "enemy") if seat == 0 else ("enemy", "own")
            for name, side in zip(sides, "wb", strict=True):
                out_of_sight = pool(state, agent)[side]
                told = [np.ravel(seen[shown[f"{name}_reserve"].start + k])[0] for k in range(8)]
                assert told == [min(3, out_of_sight[letter]) for letter in LETTERS]
            highs = np.asarray(layout.highs()).reshape((-1,) + (1,) * (seen.ndim - 1))
            assert (seen <= highs).all()
            assert (seen >= 0).all()


@pytest.mark.parametrize("players", PLAYERS)
def test_resampling_keeps_what_a_seat_sees_and_varies_the_rest(players):
    games = ronin_v0.batch(1, players, max_rounds=ROUNDS)
    deals = {seat: set() for seat in range(players)}
    for state in some_states(players):
        for seat, agent in enumerate(RONIN.agents(players)):
            games.load_state_dict(0, state)
            before = games.observe(seat).copy()
            games.resample_hidden(seat=seat, seed=len(deals[seat]))
            after = games.state_dict(0)
            assert (games.observe(seat) == before).all()
            assert pool(after, agent) == pool(state, agent)
            assert hidden_places(after, agent) == hidden_places(state, agent)
            assert after["hands"][agent] == state["hands"][agent]
            public = ("board", "heroes", "token", "turn", "points", "lost", "pending", "phase")
            assert all(after[key] == state[key] for key in public)
            deals[seat].add(str(after["hands"]) + str(after["bases"]))
    assert all(len(found) > 5 for found in deals.values())


def test_resampling_is_uniform_over_all_deals():
    # Hidden from White: a base, its reserve of W and L, and the Blacks' E, S and F.
    state = {
        "to_act": "white_0",
        "heroes": {"black_0": "A", "black_1": None, "black_2": None},
        "bases": {"black_0": "I"},
        "hands": {"white_0": "B", "black_0": "E", "black_1": "S"},
        "reserves": {"w": "WL", "b": "F"},
    }
    white = dealt_again(state, seat=0)
    assert (white["hands"][:, 0].argmax(1) == LETTERS.index("B")).all()
    seen = Counter(zip(*letters_of(white, hands=(1, 2)), strict=True))
    expected = {(base, *deal[:2]) for base in "IWL" for deal in permutations("ESF")}
    assert set(seen) == expected
    assert_uniform(seen.values(), len(expected))
    black = dealt_again(state, seat=1)  # it knows neither White's hand nor the base of its own hero
    seen = Counter(zip(*letters_of(black, hands=(0, 2)), strict=True))
    expected = {(*deal[:2], hand) for deal in permutations("IWLB") for hand in "SF"}
    assert set(seen) == expected
    assert_uniform(seen.values(), len(expected))


def dealt_again(state, seat):
    """The rows of many copies of a state in which all that ``seat`` cannot see is dealt anew."""
    games = position(RONIN, state).take([0] * 4000)
    games.resample_hidden(seat=seat, seed=seat + 1)
    return games.state


def letters_of(rows, hands):
    """The base of black_0's hero, an Air, and the only tile of each hand named."""
    numbers = [rows["bases"][:, 1, LETTERS.index("A")] - 1]
    numbers += [rows["hands"][:, hand].argmax(1) for hand in hands]
    return [[LETTERS[n] for n in column] for column in numbers]
