"""Ronin's kernels beside the referee, move by move, and what holds at every state of random play."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction

import pytest
from helpers import assert_uniform, legal_texts, playout_actions, random_moves
from paiko_rows import assert_looked
from referee.ronin import Ronin

from paiko_env import ronin_v0
from tabletop_env.batch import Batch

PLAYERS = range(4, 8)


def assert_same(games, row, referee):
    """The kernels' game and the referee's are the same, seen from every door."""
    assert_looked(games, row)
    assert games.agent(row) == referee.to_act
    if referee.to_act == "chance":
        chance = referee.chance()
        assert legal_texts(games, row) == list(chance)
        for text, probability in chance.items():
            number = games.read_action(row, text)
            assert Fraction(games.chance[row, number]).limit_denominator(48) == probability
        assert games.chance[row].sum() == pytest.approx(1)
        assert not games.legal[row].any()
        return
    assert games.state_dict(row) == referee.state_dict()
    assert sorted(legal_texts(games, row)) == referee.legal()
    assert games.rewards[row].tolist() == list(referee.rewards.values())
    assert games.terminated[row] == (referee.over and not referee.truncated)
    assert games.truncated[row] == referee.truncated


@pytest.mark.parametrize("players", PLAYERS)
def test_kernels_and_referee_play_the_same_game(players):
    seen = Counter()
    games = ronin_v0.batch(2, players, seed=20 * players, explicit_chance=True, max_rounds=14)
    referees = [Ronin.start(players, max_rounds=14) for _ in range(2)]
    for rows, actions in random_moves(games):
        for row, action in zip(rows.tolist(), actions.tolist(), strict=True):
            text = games.action_text(row, action)
            assert_same(games, row, referees[row])
            seen[form(text)] += 1
            referees[row].play(referees[row].to_act, text)
    for row, referee in enumerate(referees):
        assert_same(games, row, referee)
        assert referee.over
    assert not {"@", "-", "^", ".", "base", "draw"} - set(seen), seen


def form(text):
    if " " in text:
        return text.split()[0]
    return next(mark for mark in "!@@*-^<." if mark in text)


@pytest.mark.parametrize("number", range(6))
def test_playouts_take_every_legal_action_equally_often(number):
    """At decisions of one random game in which as many kinds of action as possible are legal."""
    games = ronin_v0.batch(1, 4, seed=5, max_rounds=14)
    kinds: dict[frozenset[str], Batch] = {}
    for _ in random_moves(games):
        kinds[frozenset(map(form, legal_texts(games)))] = games.copy()
    assert len(kinds) >= 6, list(kinds)
    assert frozenset("!") in kinds
    some = kinds.pop(frozenset("!")) if number == 0 else None
    some = some or kinds[sorted(kinds, key=len)[-number]]
    choices = int(some.legal[0].sum())
    many = some.take([0] * (60 * choices + 2000))
    many.reseed(seed=number)
    actions = playout_actions(many)
    assert many.legal[0, actions].all()
    assert_uniform(Counter(actions.tolist()).values(), choices)


@pytest.mark.parametrize("players", PLAYERS)
def test_all_48_tiles_are_always_somewhere(players):  # R8
    games = ronin_v0.batch(6, players, seed=players, explicit_chance=True, max_rounds=40)
    for rows, _ in random_moves(games):
        for row in rows.tolist():
            if games.agent(row) == "chance":
                continue
            state = games.game.state_dict(games.state[row])
            tiles = Counter(text[:2] for text in state["board"].values())
            for agent, hand in state["hands"].items():
                tiles.update(agent[0] + letter for letter in hand)
            for side, reserve in state["reserves"].items():
                tiles.update(side + letter for letter in reserve)
            tiles.update("w" + letter for letter in state["bases"].values())
            there = {text[1] for text in state["board"].values() if text[0] == "b" and "!" in text}
            away = {letter for letter in state["heroes"].values() if letter} - there
            tiles.update("b" + letter for letter in away)
            assert set(tiles.values()) == {3}
            assert len(tiles) == 16
