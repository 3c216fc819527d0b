"""The Valley's kernels beside the referee, move by move, and what holds at every state of play."""

from __future__ import annotations

import random
from collections import Counter

import numpy as np
import pytest
from helpers import assert_uniform, legal_texts, playout_actions, position, random_moves
from paiko_rows import assert_looked
from referee.valley import Valley as Referee
from valley_positions import made_up

from paiko_env import board, valley_v0
from paiko_env.valley_game import VALLEY
from tabletop_env.batch import Batch
from tabletop_env.policies import choose_actions, seat_policies

WHITE, BLACK, RED = "white_0", "black_0", "red_0"


def assert_same(games, row, referee):
    assert_looked(games, row)
    assert games.state_dict(row) == referee.state_dict()
    assert games.rewards[row].tolist() == list(referee.rewards.values())
    assert games.terminated[row] == (referee.over and not referee.truncated)
    assert games.truncated[row] == referee.truncated


@pytest.mark.parametrize("policies", [["random"] * 3, ["random", "random", "greedy"]])
def test_kernels_and_referee_play_the_same_game(policies):
    """Whole games: at random, and with a Red that gathers zombies and turns tiles over."""
    games, seen = valley_v0.batch(2, seed=7, max_turns=90), Counter()
    referees = [Referee.start(max_turns=90) for _ in range(2)]
    players = seat_policies(VALLEY, 3, policies)
    while len(rows := np.flatnonzero(~games.done)):
        actions = choose_actions(games, players, rows)
        for row, action in zip(rows.tolist(), actions.tolist(), strict=True):
            assert_same(games, row, referees[row])
            text = games.action_text(row, action)
            assert games.read_action(row, text) == action
            seen[games.state_dict(row)["phase"]] += 1
            referees[row].play(referees[row].to_act, text)
        games.step(actions, rows)
    for row, referee in enumerate(referees):
        assert_same(games, row, referee)
    assert "greedy" not in policies or seen["zombify"] > 10, seen


# -- what holds at every state -------------------------------------------------------------------


def all_48_tiles_are_somewhere(state):  # V8
    pieces = list(state["board"].values())
    lying = len(pieces) + sum(text[0] == "z" for text in pieces)
    held = sum(len(hand) for hand in state["hands"].values())
    assert lying + held + state["red_hand"] == 48
    assert state["red_hand"] >= 0
    for side, agent in (("w", WHITE), ("b", BLACK)):
        own = [text[1] for text in pieces if text[0] == side] + list(state["hands"][agent])
        assert max(Counter(own).values(), default=0) <= 3
        assert len(own) + state["lost"][side] <= 24


def turns_rewards_and_end_fit(state):
    assert state["over"] == (state["phase"] == "over") == (state["to_act"] is None)
    assert bool(state["legal"]) != state["over"]
    rewards = tuple(state["rewards"][agent] for agent in (WHITE, BLACK, RED))
    ends = {(1, -1, -1), (-1, 1, -1), (0, 0, 1)} if not state["truncated"] else {(0, 0, 0)}
    assert rewards in (ends if state["over"] else {(0, 0, 0)})
    if not state["over"] and state["phase"] != "setup":
        assert state["to_act"] == (WHITE, BLACK, RED, BLACK, WHITE, RED)[state["turn"] % 6]
    assert state["reserves"] == {"w": "", "b": ""}


def words_and_codes_agree(raw):
    squares = [set(board.members(raw["sides"][side])) for side in range(3)]
    colours, red = squares[0] | squares[1], squares[2]
    assert len(colours) + len(red) == sum(map(len, squares))
    assert set(board.members(raw["zombies"])) <= red
    kinds = [set(board.members(words)) for words in raw["kinds"]]
    assert set.union(*kinds) == colours
    assert sum(map(len, kinds)) == len(colours)
    for kind, there in enumerate(kinds):
        assert all(raw["tile"][square] // 4 == kind for square in there)
    assert set(np.flatnonzero(raw["tile"]).tolist()) <= colours
    counted = set(board.members(raw["streak"][0] | raw["streak"][1]))
    assert counted <= colours | red
    assert raw["phase"] == 9 or not raw["eligible"].any()  # 9: zombify


def reads_back(games, row):
    again = games.take([row])
    again.load_state_dict(0, games.state_dict(row))
    assert not difference(again.state[0], games.state[row]) - {"plies"}


def difference(one, other):
    """Names of the fields in which two rows differ."""
    return {name for name in one.dtype.names if (one[name] != other[name]).any()}


@pytest.mark.parametrize("policy", ["random", "greedy"])
def test_invariants_at_every_state(policy):
    games = valley_v0.batch(12, seed=11, max_turns=60)
    players = seat_policies(VALLEY, 3, ["random", "random", policy])
    while len(rows := np.flatnonzero(~games.done)):
        for row in rows[:: 1 + len(rows) // 3].tolist():
            state = games.state_dict(row)
            all_48_tiles_are_somewhere(state)
            turns_rewards_and_end_fit(state)
            words_and_codes_agree(games.state[row])
            reads_back(games, row)
        games.step(choose_actions(games, players, rows), rows)
    for row in range(games.num_games):
        all_48_tiles_are_somewhere(games.state_dict(row))
        turns_rewards_and_end_fit(games.state_dict(row))
        reads_back(games, row)


def test_many_random_games_keep_all_tiles_and_end():
    games, wins = valley_v0.batch(1500, seed=3), Counter()
    games.playout()
    state = games.state
    pieces = np.bitwise_count(state["sides"]).sum(axis=(1, 2))
    zombies = np.bitwise_count(state["zombies"]).sum(axis=1)
    total = pieces + zombies + state["hands"].sum(axis=(1, 2)) + state["red_hand"]
    assert (total == 48).all()
    wins.update(state["winner"].tolist())
    assert min(wins[winner] for winner in (0, 1, 2, 3)) > 0  # cut off, White, Black, Red
    assert (games.truncated == (state["winner"] == 0)).all()


# -- random choices ------------------------------------------------------------------------------


CHOICES = {
    "White": {"to_act": WHITE, "hands": {WHITE: "SFL"}, "red_hand": 2},
    "Red": {"to_act": RED, "red_hand": 2},
    "Red, nothing in hand": {"to_act": RED},
    "retrieve": {"to_act": RED, "phase": "retrieve"},
    "zombify": {"to_act": RED, "phase": "zombify", "red_hand": 3},
    "capture": {"to_act": RED, "phase": "capture"},
}
PIECES = {"d9": "z", "f9": "z", "e10": "wS", "e8": "wIN", "i6": "c", "k9": "bA", "f4": "wE"}
PREY = {"d9": "wS", "e9": "bS", "d11": "bE", "e7": "wE", "f12": "z"}


DRAWS = [Batch.sample_legal, playout_actions]


@pytest.mark.parametrize("draw", DRAWS)
@pytest.mark.parametrize("name", CHOICES)
def test_every_legal_action_is_equally_likely(name, draw):
    state = {"board": PREY if name == "capture" else PIECES, **CHOICES[name]}
    if name == "zombify":
        state["pending"] = {"tiles": ["e10", "e8"]}
    games = position(VALLEY, state)
    choices = int(games.legal[0].sum())
    games = games.take([0] * (60 * choices + 2000))
    games.reseed(seed=3)
    actions = draw(games)
    assert games.legal[np.arange(len(actions)), actions].all()
    assert_uniform(Counter(actions.tolist()).values(), choices)


@pytest.mark.parametrize("draw", DRAWS)
def test_a_lone_pass_is_sampled(draw):
    for agent in (WHITE, RED):
        games = position(VALLEY, {"to_act": agent, "board": {"k9": "bA"}})
        assert legal_texts(games) == ["."]
        assert games.action_text(0, draw(games)[0]) == "."


# -- independence --------------------------------------------------------------------------------


def test_games_do_not_depend_on_the_batch_or_its_threads():
    alone = [valley_v0.batch(1, seed=seed) for seed in range(40, 46)]
    for threads in (1, 2):
        games = valley_v0.batch(6, seed=40, num_threads=threads)
        games.playout()
        for row, single in enumerate(alone):
            again = single.copy()
            again.playout()
            assert not difference(again.state[0], games.state[row])


def test_a_made_up_position_goes_on_as_its_text_does():
    """A copy read from the text after every move goes on with the same states."""
    rng, followed = random.Random(8), 0
    while followed < 12:
        try:
            games = position(VALLEY, made_up(rng))
        except ValueError:
            continue
        followed += 1
        for _ in random_moves(games):
            reads_back(games, 0)
            if games.plies[0] > 15:
                break
