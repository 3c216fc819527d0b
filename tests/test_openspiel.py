"""The games in OpenSpiel: its own tests and searches run on them, and a seat is told what it may know."""

from __future__ import annotations

import pickle
import random
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pyspiel = pytest.importorskip("pyspiel")

from dice_nim import DICE_NIM  # noqa: E402
from helpers import random_moves  # noqa: E402
from open_spiel.python import rl_environment  # noqa: E402
from open_spiel.python.algorithms import ismcts, mcts, minimax  # noqa: E402
from open_spiel.python.observation import make_observation  # noqa: E402
from tic_tac_toe import SQUARES, TIC_TAC_TOE  # noqa: E402

import paiko_env.openspiel  # noqa: E402, F401
import shikoku_env.openspiel  # noqa: E402, F401
from paiko_env import paiko_v0, ronin_v0, valley_v0  # noqa: E402
from shikoku_env import shikoku_v0  # noqa: E402
from tabletop_env.batch import Batch  # noqa: E402
from tabletop_env.doors import Doors  # noqa: E402
from tabletop_env.openspiel import UNTOLD, TabletopState, register  # noqa: E402

SHIKOKU = [f"tabletop_shikoku(players={players})" for players in range(3, 9)]
RONIN = [f"tabletop_ronin(players={players},max_rounds=2)" for players in range(4, 8)]
OPEN = ["tabletop_paiko(max_turns=12)", "tabletop_valley(max_turns=12)"]
FEW = [SHIKOKU[0], SHIKOKU[5], *OPEN, RONIN[0], RONIN[3]]
CHANCE = pyspiel.PlayerId.CHANCE
RULES = [doors.DOORS.game for doors in (shikoku_v0, paiko_v0, valley_v0, ronin_v0)]


def begin(text: str, steps: int = 0) -> TabletopState:
    """A new state of a game, so many random steps on, and further to the next decision."""
    state = pyspiel.load_game(text).new_initial_state()
    moves = random.Random(0)
    while steps > 0 or state.is_chance_node():
        advance(state, moves)
        steps -= 1
    return state


def advance(state: TabletopState, moves: random.Random) -> None:
    if state.is_chance_node():
        outcomes, chances = zip(*state.chance_outcomes(), strict=True)
        state.apply_action(moves.choices(outcomes, chances)[0])
    else:
        state.apply_action(moves.choice(state.legal_actions()))


def play(state: TabletopState, *actions: int) -> TabletopState:
    for action in actions:
        state.apply_action(action)
    return state


def history(state: TabletopState) -> list[tuple[int, int]]:
    """Who did what, in order."""
    return [(step.player, step.action) for step in state.full_history()]


def told(state: TabletopState) -> list[Any]:
    """All that a state shows."""
    seats = range(state.num_players())
    return [
        str(state),
        history(state),
        state.legal_actions(),
        *(state.information_state_string(seat) for seat in seats),
        *(state.observation_tensor(seat) for seat in seats),
    ]


# -- as OpenSpiel wants them ---------------------------------------------------------------------


@pytest.mark.parametrize("text", [*SHIKOKU, *OPEN, *RONIN])
def test_openspiels_random_simulations_pass(text: str):
    pyspiel.random_sim_test(pyspiel.load_game(text), 1, serialize=True, verbose=False)


def test_games_say_what_kind_they_are():
    about = pyspiel.GameType
    kinds = {}
    for text in ("shikoku", "paiko", "valley", "ronin"):
        kind = pyspiel.load_game(f"tabletop_{text}").get_type()
        assert kind.reward_model == about.RewardModel.TERMINAL
        assert not kind.provides_information_state_tensor
        kinds[text] = (kind.chance_mode, kind.information, kind.utility)
    hidden = (
        about.ChanceMode.EXPLICIT_STOCHASTIC,
        about.Information.IMPERFECT_INFORMATION,
        about.Utility.GENERAL_SUM,
    )
    open_ = (about.ChanceMode.DETERMINISTIC, about.Information.PERFECT_INFORMATION)
    assert kinds == {
        "shikoku": hidden,
        "ronin": hidden,
        "paiko": (*open_, about.Utility.ZERO_SUM),
        "valley": (*open_, about.Utility.GENERAL_SUM),
    }


@pytest.mark.parametrize("text", FEW)
def test_a_state_is_the_game_of_a_batch(text: str):
    state = begin(text)
    games = state.games
    moves = random.Random(3)
    while not state.is_terminal():
        possible = games.chance[0] if state.is_chance_node() else games.legal[0]
        assert state.legal_actions() == np.flatnonzero(possible).tolist()
        if state.is_chance_node():
            assert state.chance_outcomes() == [(o, possible[o]) for o in np.flatnonzero(possible)]
        else:
            assert state.current_player() == games.seat[0]
        (first, *_) = state.legal_actions()
        assert state.action_to_string(first) == games.action_text(0, first)
        for seat in range(state.num_players()):
            assert state.observation_tensor(seat) == games.observe(seat).ravel().tolist()
        advance(state, moves)
        games.step([state.history()[-1]])
    assert state.current_player() == pyspiel.PlayerId.TERMINAL
    assert state.returns() == games.rewards[0].tolist()


def test_importing_and_leaving_is_no_crash():
    """OpenSpiel's table of games outlives Python; what it holds must not be freed then."""
    program = (
        "import pyspiel, paiko_env.openspiel, shikoku_env.openspiel; "
        "print(pyspiel.load_game('tabletop_valley'))"
    )
    root = Path(__file__).parents[1]
    done = subprocess.run([sys.executable, "-c", program], cwd=root, capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (0, "tabletop_valley()\n"), done.stderr


def test_a_game_is_registered_once():
    before = pyspiel.registered_names()
    assert register(shikoku_v0.DOORS) == "tabletop_shikoku"
    assert pyspiel.registered_names() == before
    assert pyspiel.load_game("tabletop_shikoku").num_players() == shikoku_v0.DOORS.num_players


def test_another_game_of_the_same_name_is_refused():
    with pytest.raises(ValueError, match="tabletop_shikoku is <Shikoku> already"):
        register(Doors(type(shikoku_v0.DOORS.game)(), num_players=3))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("tabletop_shikoku(players=2)", "num_players is 2, but Shikoku takes 3..8"),
        ("tabletop_ronin(players=8)", "num_players is 8, but The Ronin Prince takes 4..7"),
        ("tabletop_paiko(players=3)", "num_players is 3, but Paikō takes 2"),
        ("tabletop_paiko(max_turns=0)", "max_turns is 0, expected an integer of 1 or more"),
        ("tabletop_paiko(max_turns=2000000000)", "may take 8000000048 plies"),
        ("tabletop_paiko(max_turns=None)", "Wrong type for parameter max_turns"),
        ("tabletop_valley(observation=seats)", "observation is 'seats', but Valley of the"),
        ("tabletop_shikoku(step_table=1 two)", "step_table is '1 two', expected integers"),
        ("tabletop_shikoku(step_table=1 2)", "step_table is [1, 2], expected 33 integers"),
        ("tabletop_shikoku(seats=4)", "Unknown parameter 'seats'"),
    ],
)
def test_bad_parameters_are_named(text: str, message: str):
    with pytest.raises((ValueError, pyspiel.SpielError)) as caught:
        pyspiel.load_game(text)
    assert message in str(caught.value)


def test_parameters_reach_the_rules_and_the_games_text():
    table = " ".join(["2"] * 33)
    game = pyspiel.load_game("tabletop_shikoku", {"step_table": table, "observation": "padded"})
    assert game.start.options == {"step_table": [2] * 33}
    assert game.observation_tensor_shape() == [903]
    again = pyspiel.load_game(str(game))
    assert (str(again), again.start.options) == (str(game), game.start.options)
    assert str(pyspiel.load_game("tabletop_shikoku(players=4)")) == "tabletop_shikoku()"


def test_a_game_that_may_never_end_is_refused():
    name = register(Doors(DICE_NIM, 2))
    with pytest.raises(ValueError, match="may never end, but OpenSpiel asks for a bound"):
        pyspiel.load_game(name)


# -- what the rules say of themselves ------------------------------------------------------------


@pytest.mark.parametrize("rules", RULES, ids=lambda rules: rules.name)
def test_no_game_is_longer_than_its_bounds(rules: Any):
    for players in rules.players:
        limits = [{"step_table": [1] * 33}, {}]
        if rules.name != "shikoku":
            (option,) = rules.options
            limits = [{option: limit} for limit in (1, 3, 6)]
        for options in limits:
            games = Batch(rules, 40, players, seed=5, explicit_chance=True, **options)
            bounds = rules.longest(players, games.options)
            events = np.zeros(40, int)
            for rows, _ in random_moves(games):
                events[rows] += games.seat[rows] < 0
            assert games.plies.max() <= bounds.plies, (players, options)
            assert events.max() <= bounds.events, (players, options)
            assert bounds.plies < 6 * games.plies.max() + 150, "a bound that says nothing"


def test_a_game_without_a_limit_has_no_bounds():
    for rules in RULES[1:]:
        (option,) = rules.options
        assert rules.longest(rules.players[0], {option: None}) is None


@pytest.mark.parametrize("rules", RULES, ids=lambda rules: rules.name)
def test_nothing_is_hidden_where_information_is_perfect(rules: Any):
    games = Batch(rules, 20, rules.players[0], seed=1)
    for _ in range(20):
        games.step(games.sample_legal())
    other = games.copy()
    other.resample_hidden(seed=9)
    fields = [name for name in games.state.dtype.names if name not in ("rng", "choice")]
    kept = all(np.array_equal(games.state[name], other.state[name]) for name in fields)
    assert kept == rules.perfect_information


@pytest.mark.parametrize("rules", RULES, ids=lambda rules: rules.name)
def test_rewards_add_up_to_zero_where_they_say_so(rules: Any):
    games = Batch(rules, 400, rules.players[0], seed=1)
    games.playout()
    assert (np.abs(games.rewards) <= 1).all()
    assert (games.rewards.sum(axis=1) == 0).all() == rules.zero_sum


# -- states --------------------------------------------------------------------------------------


@pytest.mark.parametrize("text", FEW)
def test_a_copy_goes_its_own_way(text: str):
    state = begin(text, 25)
    before = told(state)
    first, *_, last = state.legal_actions()
    other = play(state.clone(), first)
    assert told(state) == before
    assert told(play(state.clone(), first)) == told(other)
    play(state, last)
    assert told(other) != told(state)
    assert state.history()[:-1] == other.history()[:-1]


@pytest.mark.parametrize("text", FEW)
def test_an_illegal_action_changes_nothing(text: str):
    state = begin(text, 20)
    before = told(state)
    legal = state.legal_actions()
    wrong = next(a for a in range(state.num_distinct_actions()) if a not in legal)
    with pytest.raises(ValueError, match="not legal in phase"):
        state.apply_action(wrong)
    with pytest.raises(ValueError, match="out of range"):
        state.apply_action(state.num_distinct_actions())
    assert told(state) == before
    with pytest.raises(ValueError, match=r"expected 0\.\."):
        state.action_to_string(0, state.num_distinct_actions())


def test_an_impossible_outcome_and_a_move_after_the_end_are_refused():
    state = pyspiel.load_game(SHIKOKU[0]).new_initial_state()
    play(state, 7)
    with pytest.raises(ValueError, match="of chance"):
        state.apply_action(7)
    assert state.history() == [7]
    moves = random.Random(0)
    while not state.is_terminal():
        advance(state, moves)
    with pytest.raises(ValueError, match="over"):
        state.apply_action(0)
    assert state.legal_actions() == []


@pytest.mark.parametrize("text", FEW)
def test_states_are_pickled(text: str):
    state = begin(text, 22)
    for one in (state, state.resample_from_infostate(0, random.Random(0).random)):
        again = pickle.loads(pickle.dumps(one))
        assert told(again) == told(one)
        action = one.legal_actions()[0]
        assert told(play(again, action)) == told(play(one, action))


# -- what a seat knows ---------------------------------------------------------------------------


def deal(*hands: tuple[int, ...], row: tuple[int, ...]) -> TabletopState:
    """Shikoku for three, from these cards (numbers as on the cards)."""
    cards = [card - 1 for hand in (*hands, row) for card in hand]
    return play(pyspiel.load_game(SHIKOKU[0]).new_initial_state(), *cards)


def strings(state: TabletopState, seat: int) -> tuple[str, str]:
    return state.observation_string(seat), state.information_state_string(seat)


def test_strings_differ_only_where_the_seat_knows_a_difference():
    one = deal((1, 2, 3), (4, 5, 6), (7, 8, 9), row=(10, 11, 12))
    other = deal((1, 2, 3), (7, 5, 6), (4, 8, 9), row=(10, 11, 12))
    for state in (one, other):
        play(state, 2)  # player_0, whose card of the row is the lowest, plays 3
    assert one.history() != other.history()
    assert strings(one, 0) == strings(other, 0)
    for seat in (1, 2):
        assert one.observation_string(seat) != other.observation_string(seat)
        assert one.information_state_string(seat) != other.information_state_string(seat)
    play(one, 4)
    play(other, 5)  # player_1 shows another card
    assert one.observation_string(0) != other.observation_string(0)


def test_information_states_recall_what_observations_forget():
    one = deal((1, 2, 3), (4, 5, 6), (7, 8, 9), row=(10, 11, 12))
    other = deal((3, 2, 1), (4, 5, 6), (7, 8, 9), row=(10, 11, 12))
    assert one.observation_string(0) == other.observation_string(0)
    assert one.information_state_string(0) != other.information_state_string(0)
    assert strings(one, 1) == strings(other, 1)


def test_in_the_open_all_recall_the_moves():
    one, other = (begin("tabletop_paiko") for _ in range(2))
    play(one, 0, 1, 2)
    play(other, 2, 1, 0)
    assert one.observation_string(0) == other.observation_string(0)
    assert one.information_state_string(0) != other.information_state_string(0)


@pytest.mark.parametrize("text", [*SHIKOKU, *RONIN])
def test_a_resampled_state_is_the_same_to_the_seat(text: str):
    draws = random.Random(1)
    differ = 0
    for steps in (0, 40):
        state = begin(text, steps)
        for seat in range(state.num_players()):
            other = state.resample_from_infostate(seat, draws.random)
            assert strings(other, seat) == strings(state, seat)
            assert other.observation_tensor(seat) == state.observation_tensor(seat)
            assert other.current_player() == state.current_player()
            assert other.move_number() == state.move_number()
            if seat == state.current_player():
                assert other.legal_actions() == state.legal_actions()
            differ += str(other) != str(state)
            assert history(other) == [
                (player, UNTOLD if player == CHANCE else action)
                for player, action in history(state)
            ]
            action = other.legal_actions()[0]
            assert told(play(other.clone(), action)) == told(play(other, action))
            while not other.is_terminal():
                advance(other, draws)
    assert differ


def test_a_resampled_state_tells_nothing_of_the_hands_that_are_held():
    """From two deals that seat 0 cannot tell apart, the same draw makes the same state for all seats."""
    one = deal((1, 2, 3), (4, 5, 6), (7, 8, 9), row=(10, 11, 12))
    other = deal((1, 2, 3), (4, 20, 9), (7, 8, 6), row=(10, 11, 12))
    for draw in (0.0, 0.3, 0.9):
        worlds = [state.resample_from_infostate(0, iter([draw]).__next__) for state in (one, other)]
        assert told(worlds[0]) == told(worlds[1])
    assert told(one) != told(other)


def test_observers_are_those_of_one_seat():
    state = begin(RONIN[0], 30)
    game = state.get_game()
    observation = make_observation(game)
    observation.set_from(state, 2)
    assert observation.dict["observation"].shape == ronin_v0.batch(1, 4).observation_shape
    assert observation.tensor.tolist() == state.observation_tensor(2)
    recall = make_observation(game, pyspiel.IIGObservationType(perfect_recall=True))
    assert recall.tensor is None
    assert recall.string_from(state, 2) == state.information_state_string(2)
    none = pyspiel.PrivateInfoType.NONE
    nobody = pyspiel.IIGObservationType(perfect_recall=False, private_info=none)
    assert make_observation(game, nobody) is None
    with pytest.raises(ValueError, match="observers take none"):
        make_observation(game, params={"what": 1})


# -- OpenSpiel's algorithms ----------------------------------------------------------------------


@pytest.mark.parametrize("text", OPEN)
def test_mcts_plays_what_lies_open(text: str):
    state = begin(text, 21)
    game, draws = state.get_game(), np.random.RandomState(0)
    evaluator = mcts.RandomRolloutEvaluator(1, draws)
    bot = mcts.MCTSBot(game, 1.4, 12, evaluator, random_state=draws)
    for _ in range(8):
        if not state.is_terminal():
            action = bot.step(state)
            assert action in state.legal_actions()
            state.apply_action(action)
    assert state.move_number() > 21


@pytest.mark.parametrize(("reply", "value"), [("b2", 0), ("b1", 1), ("c1", 1)])
def test_minimax_solves_the_toy(reply: str, value: float):
    """Against a corner, of these replies the centre alone holds the draw."""
    game = pyspiel.load_game(register(Doors(TIC_TAC_TOE, 2)))
    state = play(game.new_initial_state(), SQUARES.index("a1"), SQUARES.index(reply))
    found, best = minimax.alpha_beta_search(game, state, maximum_depth=9)
    assert (found, best in state.legal_actions()) == (value, True)


@pytest.mark.parametrize(
    ("text", "by_observation"),
    [*((text, False) for text in (*SHIKOKU, *RONIN)), (SHIKOKU[0], True), (RONIN[0], True)],
)
def test_is_mcts_plays_with_hidden_hands(text: str, by_observation: bool):
    state = begin(text)
    draws, moves = np.random.RandomState(0), random.Random(0)
    evaluator = mcts.RandomRolloutEvaluator(1, draws)
    bot = ismcts.ISMCTSBot(
        state.get_game(),
        evaluator,
        uct_c=1.4,
        max_simulations=5,
        random_state=draws,
        use_observation_string=by_observation,
    )
    decisions = 0
    while decisions < 5 and not state.is_terminal():
        if state.is_chance_node():
            advance(state, moves)
            continue
        action = bot.step(state)
        assert action in state.legal_actions()
        state.apply_action(action)
        decisions += 1
    assert decisions == 5


def test_openspiels_reinforcement_learning_environment_plays():
    table = rl_environment.Environment("tabletop_shikoku(players=3)")
    step = table.reset()
    moves = random.Random(0)
    while not step.last():
        seat = step.observations["current_player"]
        step = table.step([moves.choice(step.observations["legal_actions"][seat])])
    assert sorted(step.rewards) in ([-1, -1, 1], [-1, 1, 1], [-1, -1, -1])
    assert len(step.observations["info_state"][0]) == 71 + 104 * 3
