"""Chance in a ``Batch``: streams, explicit events, and random moves as likely as they should be."""

from __future__ import annotations

from collections import Counter

import numpy as np
from dice_nim import DICE_NIM, RAIN, RAIN_ODDS
from helpers import assert_uniform

from shikoku_env import shikoku_v0
from tabletop_env.batch import Batch
from tabletop_env.game import CHANCE

STREAMS = ("rng", "choice")


def test_reseeding_changes_the_future_only():
    games = shikoku_v0.batch(30, 4, seed=0)
    games.step(games.sample_legal())
    other = games.copy()
    other.reseed(seed=1000)
    for field in games.state.dtype.names:
        same = np.array_equal(games.state[field], other.state[field])
        assert same == (field not in STREAMS), field
    games.playout()
    other.playout()
    assert not (games.state == other.state).any()
    third = games.copy()
    third.reseed([4, 2], seed=[11, 12])
    assert np.array_equal(third.state[[0, 1, 3]], games.state[[0, 1, 3]])
    assert (
        third.state["rng"][4] == shikoku_v0.batch(1, 4, seed=11, explicit_chance=True).state["rng"]
    )


def test_chances_add_up_and_outcomes_are_taken():
    games = shikoku_v0.batch(8, 5, seed=0, explicit_chance=True)
    events = 0
    while not games.done.all():
        due = games.seat == CHANCE
        events += int(due.sum())
        assert np.allclose(games.chance.sum(axis=1), due)
        assert not games.legal[due].any()
        outcomes = games.sample_legal()
        assert (games.chance[due, outcomes[due]] > 0).all()
        decks = [int(deck).bit_count() for deck in games.state["deck"]]
        games.step(outcomes)
        fewer = [int(deck).bit_count() for deck in games.state["deck"]]
        assert (np.subtract(decks, fewer) == due).all()
    assert events >= 8 * 20


def test_outcomes_are_drawn_by_their_probabilities():
    dealt = shikoku_v0.batch(9900, 3, seed=0, explicit_chance=True)
    assert_uniform(Counter(dealt.sample_legal().tolist()).values(), 33)
    games = Batch(DICE_NIM, 1, 2, explicit_chance=True)
    while games.state["phase"][0] != RAIN:
        games.step(games.sample_legal())
    games = games.take(np.zeros(4000, int))
    games.reseed(seed=5)
    rain = int(games.sample_legal().sum())
    assert abs(rain - 1000) < 4 * (4000 / RAIN_ODDS * (1 - 1 / RAIN_ODDS)) ** 0.5


def test_legal_actions_are_drawn_uniformly():
    games = shikoku_v0.batch(1, 3, seed=0).take(np.zeros(3000, int))
    assert games.legal[0].sum() == 3
    games.reseed(seed=77)
    for _ in range(3):  # three draws in a row from every stream
        drawn = games.sample_legal()
        assert games.legal[np.arange(3000), drawn].all()
        assert_uniform(Counter(drawn.tolist()).values(), 3)
