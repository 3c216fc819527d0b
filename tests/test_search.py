"""Search: it finds what is there to be found, and knows no more than its seat."""

from __future__ import annotations

import importlib.util
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from dice_nim import DICE_NIM
from helpers import play, position, snapshot
from search_cases import at, guess, middle_games, same
from tic_tac_toe import TIC_TAC_TOE

from shikoku_env.game import SHIKOKU
from tabletop_env import search as search_module
from tabletop_env.batch import Batch
from tabletop_env.cli import main
from tabletop_env.game import CHANCE
from tabletop_env.policies import RANDOM, find_policy
from tabletop_env.record import check_record, write_records
from tabletop_env.search import SearchPolicy, SearchResult, search

TABLES = [
    pytest.param(game, players, id=f"{game.name}-{players}")
    for game, players in ((TIC_TAC_TOE, 2), (DICE_NIM, 3), (SHIKOKU, 4))
]
every_table = pytest.mark.parametrize(("game", "players"), TABLES)


both_ways = pytest.mark.parametrize("evaluate", [None, guess], ids=["playouts", "evaluated"])


# -- what it finds -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("board", "best"),
    [
        (["xx.", "oo.", "..."], "c1"),
        (["oo.", "xx.", "..x"], "c1"),
        (["xo.", "xo.", "..."], "a3"),
        (["xx.", "o..", "..."], "c1"),
        (["x..", ".x.", "o.."], "c3"),
        (["o..", ".xo", "x.."], "c1"),
    ],
    ids=["row", "o-wins", "column", "block", "block-diagonal", "win-not-block"],
)
@pytest.mark.parametrize(
    "evaluate", [None, lambda seen, masks: (None, np.zeros(len(seen)))], ids=["playouts", "blind"]
)
def test_wins_are_made_and_threats_are_met(board: list[str], best: str, evaluate: Any):
    games = position(TIC_TAC_TOE, {"game": "tic_tac_toe", "board": board})
    found = search(games, simulations=800, evaluate=evaluate, seed=2)
    assert games.action_text(0, found.actions[0]) == best


def test_tic_tac_toe_between_two_searches_is_a_draw():
    games = Batch(TIC_TAC_TOE, 30, 2, seed=0)
    policy = SearchPolicy(2000)
    while len(rows := np.flatnonzero(~games.done)):
        games.step(policy.choose(games, rows), rows)
    assert not games.rewards.any()


# Cards 18 and 24 have 6 icons, 22 has 4, 17 has 5, 7 has 1. The pilgrim of the second card stays.
# Player_0 comes to the top in any case; 17 holds player_3 back on 20 and brings player_2 to 21.
LAST_PLAY = {
    "game": "shikoku",
    "turn": 5,
    "steps": [30, 8, 16, 20],
    "hands": [[1, 5], [21, 30], [7, 17, 29], [26, 32]],
    "row": [[18, 3], [22, 1], [24, 0]],
    "previous_row": [[3, 2], [9, 1], [11, 0], [14, 3]],
    "order": [1, 0, 3, 2],
}

# Player_1 plays last, and its hand is known. Whatever player_2 plays, player_1 could make it lose;
# but after 12 player_1 wins only with cards that make player_2 win, too.
EVERYBODY_FOR_ITSELF = {
    "game": "shikoku",
    "turn": 5,
    "steps": [19, 15, 14, 30],
    "hands": [[18, 33], [9, 23, 25], [1, 12, 22], [24, 31]],
    "known": [[18, 33], [9, 23, 25], [1, 12, 22], [24, 31]],
    "row": [[19, 0], [30, 3]],
    "previous_row": [[2, 1], [15, 0], [17, 3], [21, 2]],
    "order": [0, 3, 2, 1],
}


def test_four_seats_the_move_that_wins_at_once():
    games = position(SHIKOKU, LAST_PLAY)
    wins = [play(games.copy(), f"play {card}").rewards[0, 2] for card in (7, 17, 29)]
    assert wins == [-1, 1, -1]
    found = search(games, simulations=60)
    assert games.action_text(0, found.actions[0]) == "play 17"
    assert [found.q[0, card - 1] for card in (7, 17, 29)] == [-1, 1, -1]
    assert found.values[0, 2] > 0.5 > -0.5 > found.values[0, 3]


@pytest.mark.parametrize("trees", [1, 4])
def test_four_seats_each_goes_for_its_own(trees: int):
    games = position(SHIKOKU, EVERYBODY_FOR_ITSELF)
    for mine in (1, 12, 22):
        after = play(games.copy(), f"player_2: play {mine}")
        ends = [play(after.copy(), f"player_1: play {his}").rewards[0] for his in (9, 23, 25)]
        assert min(end[2] for end in ends) == -1
        assert {end[2] for end in ends if end[1] == 1} == {1 if mine == 12 else -1}
    found = search(games, simulations=400, trees=trees)
    assert games.action_text(0, found.actions[0]) == "play 12"
    assert found.values[0, 1] > 0.5 < found.values[0, 2]


def test_shikoku_is_won_more_often_than_at_random():
    """Two of three of four would lose at random: a mean of -0.46."""
    games = Batch(SHIKOKU, 240, 4, seed=3)
    seat = np.arange(240) % 4
    policy = SearchPolicy(40)
    while len(rows := np.flatnonzero(~games.done)):
        actions = RANDOM.choose(games, rows)
        mine = games.seat[rows] == seat[rows]
        actions[mine] = policy.choose(games, rows[mine])
        games.step(actions, rows)
    assert games.rewards[np.arange(240), seat].mean() > 0.1


# -- what it reports -----------------------------------------------------------------------------


@every_table
@both_ways
@pytest.mark.parametrize("trees", [1, 5])
def test_visits_add_up_and_values_are_returns(game, players, evaluate, trees):
    games = middle_games(game, players)
    before = snapshot(games)
    found = search(games, simulations=50, evaluate=evaluate, trees=trees)
    assert snapshot(games) == before, "the search has changed its games"
    visits, q, values, actions = found
    assert (visits.dtype, q.dtype, values.dtype) == (np.int64, np.float64, np.float64)
    assert visits.shape == q.shape == games.legal.shape
    assert values.shape == games.rewards.shape
    assert (visits.sum(axis=1) == 50).all()
    assert not visits[~games.legal].any()
    assert (np.isnan(q) == (visits == 0)).all()
    assert (np.abs(q[visits > 0]) <= 1).all()
    assert (np.abs(values) <= 1).all()
    every = np.arange(len(visits))
    assert (visits[every, actions] == visits.max(axis=1)).all()
    if evaluate is None:
        mean = np.where(visits > 0, q * visits, 0).sum(axis=1) / 50
        assert np.allclose(mean, values[every, games.seat])


def test_with_as_many_simulations_as_moves_every_move_is_tried_once():
    games = Batch(TIC_TAC_TOE, 4, 2)
    found = search(games, simulations=9)
    assert (found.visits == 1).all()
    assert (found.actions == found.q.argmax(axis=1)).all()


# -- what it depends on --------------------------------------------------------------------------


@every_table
@both_ways
def test_the_seed_decides(game, players, evaluate):
    games = middle_games(game, players)

    def again(seed: Any, **how: Any) -> SearchResult:
        return search(games, simulations=40, evaluate=evaluate, seed=seed, **how)

    first = again(7)
    assert same(again(7), first)
    assert same(again(np.arange(7, 19)), first)
    assert same(again(list(range(7, 19))), first)
    if evaluate is None or game is not TIC_TAC_TOE:  # there, nothing is left to chance
        assert not same(again(8), first)
    assert not same(again(7, exploration=3), first)


@every_table
@both_ways
def test_neither_batch_nor_threads_matter(game, players, evaluate, monkeypatch):
    games = middle_games(game, players)
    how: dict[str, Any] = {"simulations": 40, "evaluate": evaluate, "trees": 2}
    together = search(games, seed=100, **how)
    for row in (0, 5, 11):
        alone = search(games.take([row]), seed=100 + row, **how)
        assert same(alone, at(together, [row]))
    some = np.array([11, 2, 3])
    assert same(search(games.take(some), seed=100 + some, **how), at(together, some))
    threaded = middle_games(game, players, num_threads=3)
    monkeypatch.setattr(search_module, "CHUNK", 50)
    assert same(search(threaded, seed=100, **how), together)


@every_table
@both_ways
def test_what_is_hidden_and_what_is_to_come_change_nothing(game, players, evaluate):
    games = middle_games(game, players)
    other = games.copy()
    other.resample_hidden(seed=991)
    if game is not TIC_TAC_TOE:
        other_fields = [name for name in game.row.names if name not in ("rng", "choice")]
        assert any((other.state[f] != games.state[f]).any() for f in other_fields)
    assert (other.observe() == games.observe()).all()
    assert (other.state["rng"] != games.state["rng"]).all()
    first, second = (search(g, simulations=60, evaluate=evaluate, seed=3) for g in (games, other))
    assert same(first, second)


def test_the_seat_does_not_know_the_parity_of_hidden_dice():
    """Taking the last stone wins or loses by dice that nobody sees all of."""
    games = Batch(DICE_NIM, 40, 2, seed=1, stones=1)
    found = search(games, simulations=2000)
    assert (np.abs(found.values) < 0.1).all()
    games.step(found.actions)
    assert 0.2 < (games.rewards[:, 0] == 1).mean() < 0.8


def test_games_with_explicit_chance_are_searched_alike():
    explicit = Batch(SHIKOKU, 5, 3, seed=4, explicit_chance=True)
    while (explicit.seat == CHANCE).any():
        explicit.step(explicit.sample_legal())
    games = Batch(SHIKOKU, 5, 3, seed=4)
    assert same(search(explicit, simulations=30), search(games, simulations=30))


# -- by name -------------------------------------------------------------------------------------


def test_a_search_is_a_policy_with_a_name():
    policy = find_policy(SHIKOKU, "mcts:30")
    assert isinstance(policy, SearchPolicy)
    assert repr(policy) == "<search of 30 simulations>"
    assert find_policy(SHIKOKU, "mcts:30") is policy
    assert repr(find_policy(TIC_TAC_TOE, "mcts")) == "<search of 1000 simulations>"
    for name in ("mcts:", "mcts:0", "mcts:-3", "mcts:many", "mcts:1.5"):
        with pytest.raises(ValueError, match=f"policy is '{name}', expected mcts or mcts:N"):
            find_policy(SHIKOKU, name)


@every_table
def test_a_game_played_by_searches_does_not_depend_on_its_neighbours(game, players):
    together = list(write_records(game, players, 4, seed=10, policies="mcts:20"))
    for record in together:
        check_record(game, record)
    [alone] = write_records(game, players, 1, seed=12, policies="mcts:20")
    assert alone == together[2]


def test_a_move_that_is_the_only_one_is_made_at_once():
    def never(seen: np.ndarray, masks: np.ndarray) -> Any:
        raise AssertionError("nobody should ask")

    games = position(TIC_TAC_TOE, {"game": "tic_tac_toe", "board": ["xox", "oxo", "ox."]})
    assert SearchPolicy(50, evaluate=never).choose(games, np.array([0])).tolist() == [8]


def test_policies_of_other_seeds_play_other_games():
    games = Batch(SHIKOKU, 50, 3)
    every = np.arange(50)
    first, second = (SearchPolicy(20, seed=seed).choose(games, every) for seed in (0, 1))
    assert (first != second).any()


def test_the_command_line_lets_searches_play(capsys):
    arguments = ["record", "--players", "2", "--policy", "mcts:50,random", "--games", "3"]
    assert main([TIC_TAC_TOE], "toys", arguments) == 0
    assert '"x_0": 1' in capsys.readouterr().out
    assert main([TIC_TAC_TOE], "toys", ["record", "--players", "2", "--policy", "mcts:x"]) == 2
    assert "expected mcts or mcts:N" in capsys.readouterr().err


# -- bad arguments -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        ({"simulations": 0}, "simulations is 0, expected an integer of 1 or more"),
        ({"simulations": 2.5}, r"simulations is 2\.5, expected an integer of 1 or more"),
        ({"simulations": True}, "simulations is True, expected an integer of 1 or more"),
        ({"trees": 0}, "trees is 0, expected an integer of 1 or more"),
        ({"simulations": 10, "trees": 4}, "simulations is 10, expected a multiple of trees, 4"),
        ({"exploration": -1}, "exploration is -1, expected a number of 0 or more"),
        ({"exploration": np.inf}, "exploration is inf, expected a number of 0 or more"),
        ({"exploration": np.nan}, "exploration is nan, expected a number of 0 or more"),
        ({"exploration": "much"}, "exploration is 'much', expected a number of 0 or more"),
        ({"evaluate": 3}, "evaluate is 3, expected a function"),
        ({"horizon": -1}, "horizon is -1, expected an integer of 0 or more"),
        ({"horizon": 2.0}, r"horizon is 2\.0, expected an integer of 0 or more"),
        ({"horizon": 2, "evaluate": guess}, "horizon is 2, but leaves are evaluated"),
        ({"seed": -1}, "seed is -1, expected an integer"),
        ({"seed": [1, 2, 3]}, r"seeds is .*, expected one integer of 0 or more, or \(2,\) of them"),
    ],
)
def test_arguments_out_of_range_are_refused(arguments: dict[str, Any], complaint: str):
    games = Batch(TIC_TAC_TOE, 2, 2)
    with pytest.raises((ValueError, TypeError), match=complaint):
        search(games, **arguments)
    if "seed" not in arguments:
        with pytest.raises((ValueError, TypeError), match=complaint):
            SearchPolicy(**arguments)


def test_only_games_in_which_a_seat_is_to_act_are_searched():
    games = Batch(TIC_TAC_TOE, 3, 2)
    games.load_state_dict(1, {"game": "tic_tac_toe", "board": ["xxx", "oo.", "..."]})
    with pytest.raises(
        ValueError, match="game 1 is over, expected games in which a seat is to act"
    ):
        search(games)
    games = Batch(DICE_NIM, 2, 2, explicit_chance=True)
    with pytest.raises(ValueError, match="game 0 waits for chance, expected games in which"):
        search(games)
    with pytest.raises(TypeError, match="games is None, expected a Batch"):
        search(None)


# -- the example ---------------------------------------------------------------------------------


def test_the_example_reports_intervals(capsys):
    path = Path(__file__).parent.parent / "examples" / "mcts.py"
    spec = importlib.util.spec_from_file_location("mcts", path)
    assert spec
    assert spec.loader
    example = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(example)
    example.main(["--players", "4", "--games", "8", "--simulations", "5"])
    told = capsys.readouterr().out
    assert told.startswith("Shikoku, 4 players, 8 games: 5 simulations against random\n")
    assert re.search(r"^  mean reward -?\d\.\d\d ± \d\.\d\d$", told, re.MULTILINE)
    assert re.search(r"^  as player_3: ", told, re.MULTILINE)
