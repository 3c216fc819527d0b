"""Paikō for two: rulings by hand-made positions, the referee in lock-step, invariants, symmetry."""

import random
from collections import Counter

import numpy as np
import pytest
from helpers import assert_uniform, legal_texts, play, playout_actions, position, random_moves
from hypothesis import given, settings
from hypothesis import strategies as st
from paiko_rows import assert_looked
from referee.paiko import Paiko as Referee
from referee.paiko_board import capturable, read_tile

from paiko_env import board
from paiko_env.actions import ACTION_IMAGE, LAYOUT
from paiko_env.game import PAIKO
from paiko_env.tiles import LETTERS
from tabletop_env.batch import Batch

WHITE, BLACK = "white_0", "black_0"


def at(tiles, agent=WHITE, max_turns=400, **state):
    """A game with these tiles on the board, and whatever else the state says."""
    return position(PAIKO, {"board": tiles, "to_act": agent, **state}, max_turns=max_turns)


def legal(games, start=""):
    """The legal moves that begin with some text."""
    return {text for text in legal_texts(games) if text.startswith(start)}


def tiles_of(games):
    return games.state_dict()["board"]


def names(squares):
    return {board.NAMES[square] for square in board.members(squares)}


# -- rulings -------------------------------------------------------------------------------------


def test_setup_is_picked_in_three_blocks():  # P16
    games, who = Batch(PAIKO, 1, 2), []
    while games.state_dict()["phase"] == "setup":
        who.append(games.agent(0)[0] + str(games.state_dict()["pending"]["left"]))
        play(games, next(text for text in ("+S", "+B", "+E") if text in legal(games)))
    assert who == [*(f"w{n}" for n in range(7, 0, -1)), *(f"b{n}" for n in range(9, 0, -1)), "w1"]
    assert games.state_dict()["hands"] == {WHITE: "SSSBBBEE", BLACK: "SSSBBBEEE"}
    assert (games.agent(0), games.state_dict()["phase"]) == (WHITE, "action")


def test_deploys_need_ground_without_threat():  # P4
    games = at({"d5": "wFN", "e9": "wS", "f6": "bBS"}, hands={WHITE: "SL"})
    forbidden = {"f9": "black", "c6": "the own Fire's", "f3": "the Bow's", "h5": "nobody's"}
    for name in forbidden:
        assert f"S@{name}" not in legal(games)
        assert f"L@{name}" in legal(games)
    assert not {"L@d5", "L@f6"} & legal(games)  # occupied
    fire, bow = {"c6", "d6", "e6", "b7", "c7", "d7", "e7", "f7"}, {"f4", "f3", "f2"}
    ground = names(board.HOME[0]) - {"g7", "d5", "f6"} - fire - bow
    ground |= {"d8", "e8", "f8", "d9", "d10", "e10", "f10"}  # the Sword's threat
    assert legal(games, "S@") == {f"S@{name}" for name in ground}


def test_a_lotus_may_stand_under_two_threats_but_not_three():  # P4
    tiles = {"h10": "bA", "j10": "bA"}
    assert "L@i12" in legal(at(tiles, hands={WHITE: "L"}))
    assert "L@i12" not in legal(at({**tiles, "k11": "bA"}, hands={WHITE: "L"}))


def test_a_fire_spares_own_tiles_or_is_not_deployed():  # P5, P18
    games = play(at({"e9": "wS", "c10": "bA"}, hands={WHITE: "F"}), "F@e10")  # a threat on e9
    assert legal(games) == {"^N", "^E", "^W"}
    assert tiles_of(games)["e10"] == "wFN"
    assert tiles_of(play(games, "^W"))["e10"] == "wFW"
    hemmed = {"e9": "wS", "e11": "wS", "d10": "wS", "f10": "wS", "c10": "bA", "e12": "bA"}
    assert not {"F@e10"} & legal(at(hemmed, hands={WHITE: "FS"}))  # a threat on each of the four
    assert "S@e10" in legal(at(hemmed, hands={WHITE: "FS"}))


def test_cover_may_not_be_taken_away():  # P5, P6, P9
    games = at({"e9": "wS", "e8": "wW", "c10": "bA", "g10": "bA"})
    assert legal(games, "e8") == {"e8-e8", "e8-d9", "e8*"}
    play(games, "e8*")
    assert tiles_of(games)["e8"] == "wW"  # it stands there until it is set down
    assert legal(games) == {"W@d9", "W@e10"}


def test_a_sai_keeps_its_cover_where_it_must():  # P5
    games = at({"e9": "wS", "d9": "wIN", "c10": "bA", "g10": "bA"})
    assert legal(play(games.copy(), "d9-d9")) == {"^S"}
    assert legal(play(games, "d9-e10")) == {"^E", "^W"}


def test_paths_bend_but_enter_no_deadly_square():  # P6
    assert len(legal(at({"f5": "wS"}), "f5-")) == 13
    assert legal(at({"f5": "wE"}), "f5-") == {"f5-f5", "f5-e5", "f5-g5", "f5-f4", "f5-f6"}
    assert legal(at({"d4": "wA", "e4": "wL"})) == {"."}
    games = at({"e10": "wS", "g12": "bA", "h11": "bA"})  # two threats on f10, one on e11
    assert {"e10-e11", "e10-f11"} <= legal(games)
    assert not {"e10-f10", "e10-g10", "e10-f9"} & legal(games)  # f9 is black
    games = at({"e10": "wS", "e11": "bL", "f10": "bL", "d10": "wL"})
    assert legal(games, "e10-") == {"e10-e10", "e10-e9", "e10-d9", "e10-e8"}
    games = at({"e10": "wFN", "c10": "bA"})  # one threat on e11 and e9, which is enough for a Fire
    assert {"e10-d10", "e10-f10"} <= legal(games)
    assert not {"e10-e9", "e10-e11"} & legal(games)


def test_a_turn_in_place_takes_another_facing():  # P6
    games = play(at({"d4": "wBE"}), "d4-d4")
    assert legal(games) == {"^N", "^S", "^W"}
    assert games.state_dict()["pending"] == {"not": "E", "shifted": True, "tile": "d4"}
    assert tiles_of(play(games, "^S"))["d4"] == "wBS1"


def test_three_in_a_row_and_two_forced_passes():  # P7, P14
    games = at({"d4": "wW", "i11": "bS"})
    for move in ("d4-d5", "i11-i11", "d5*", "W@d4", "i11-i11", "d4-d4", "i11-i12"):
        play(games, move)
    assert tiles_of(games) == {"d4": "wW3", "i12": "bS3"}
    assert legal(games) == {"."}
    play(games, ".")
    assert tiles_of(games) == {"d4": "wW", "i12": "bS3"}
    assert games.state_dict()["pending"] == {"passed": True}
    state = play(games, ".").state_dict()
    assert (state["over"], state["truncated"], state["turn"]) == (True, False, 7)
    assert state["rewards"] == {WHITE: 0, BLACK: 0}


def test_a_redeploy_is_judged_with_the_water_still_there():  # P9
    games = play(at({"e9": "wW2"}), "e9*")
    ground = names(board.HOME[0]) - {"g7"} | {"d8", "f8", "d10", "f10"}
    assert legal(games) == {f"W@{name}" for name in ground}
    assert tiles_of(play(games, "W@d10")) == {"d10": "wW3"}


def test_a_sai_slides_then_faces():  # P8
    games = play(at({}, hands={WHITE: "I"}), "I@f5")
    assert games.state_dict()["pending"] == {"left": 2, "shifted": False, "tile": "f5"}
    assert len(legal(games, "f5-")) == len(legal(games)) == 13
    assert tiles_of(play(games.copy(), "f5-g4", "^E")) == {"g4": "wIE1"}
    assert tiles_of(play(games, "f5-f5", "^N")) == {"f5": "wIN"}


def test_draws_end_by_choice_at_three_or_with_the_reserve():  # P10
    games = at({}, reserves={"w": "SSBE", "b": "A"})
    assert play(games.copy(), "+S", ".").agent(0) == BLACK
    assert play(games.copy(), "+S", "+S", "+E").agent(0) == BLACK
    assert "." not in legal(games)
    assert "." in legal(play(games, "+B"))
    assert play(games, ".", "+A").agent(0) == WHITE


def test_captures_go_pass_by_pass_and_fires_fall_last():  # P2, P11, P12
    # The Water falls to the Bow and its own Fire; then the Bow it covered, to the Air and the Fire;
    # and last the Fire, to the Air and itself.
    tiles = {"g11": "bFS", "g10": "bW", "g9": "bBN", "i10": "wA", "j10": "wBN"}
    games = play(at(tiles, reserves={"w": "LA", "b": "S"}), "j10-j10", "^W")
    state = games.state_dict()
    assert state["board"] == {"i10": "wA", "j10": "wBW1"}
    assert state["lost"] == {"w": 0, "b": 3}
    assert (state["phase"], state["to_act"], state["pending"]) == ("reward", BLACK, {"left": 3})
    state = play(games, "black_0: +A", "black_0: +L").state_dict()  # the reserve is empty
    assert (state["hands"][WHITE], state["turn"], state["to_act"]) == ("LA", 1, BLACK)


def test_ten_points_win_after_captures_and_before_rewards():  # P13, P15, P17
    tiles = {"h9": "wS", "j9": "wS", "l9": "wS", "g9": "wS", "f10": "wS"}
    games = at(tiles, hands={WHITE: "SL"}, reserves={"w": "S"}, max_turns=1)
    assert games.state_dict()["points"] == {"w": 8, "b": 0}
    lotus = play(games.copy(), "L@k9").state_dict()
    assert (lotus["points"]["w"], lotus["truncated"], lotus["turn"]) == (8, True, 1)
    assert lotus["rewards"] == {WHITE: 0, BLACK: 0}
    won = play(games, "S@k9").state_dict()
    assert (won["over"], won["truncated"], won["turn"]) == (True, False, 0)
    assert won["rewards"] == {WHITE: 1, BLACK: -1}


def test_a_tie_by_losses():  # P13
    state = {"lost": {"w": 13, "b": 13}, "reserves": {"w": "S"}}
    games = play(at({"e10": "wS"}, **state), "e10-e11")
    assert games.done[0]
    assert not games.rewards.any()
    rich = (
        {f"{file}9": "bS" for file in "cde"}
        | {"e10": "bS", "d11": "bS", "f12": "bS"}
        | {"g6": "wS"}
    )
    assert not play(at(rich, **state), "+S").done[0]


# -- beside the referee --------------------------------------------------------------------------


def assert_same(games, referee):
    assert_looked(games)
    assert games.state_dict() == referee.state_dict()


@pytest.mark.parametrize("seed", range(3))
def test_random_games_are_the_referees(seed):
    games, referee = Batch(PAIKO, 1, 2, seed=seed, max_turns=50), Referee.start(2, max_turns=50)
    for _, (action,) in random_moves(games):
        assert_same(games, referee)
        referee.play(referee.to_act, games.action_text(0, action))
    assert_same(games, referee)


def without_capturable(tiles):
    """The board less the tiles that are capturable on it, until there are none."""
    there = {name: read_tile(tile) for name, tile in tiles.items()}
    while falling := capturable(there, "w") | capturable(there, "b"):
        there = {name: tile for name, tile in there.items() if name not in falling}
    return {name: tiles[name] for name in there}


def letters(rng, most):
    return "".join(sorted(rng.choices(LETTERS, k=rng.randrange(most + 1)), key=LETTERS.index))


def conflict(rng):
    """A position with many tiles close together, all kinds of them, and all that may go with it."""
    centre = rng.choice(board.PLACES)
    near = sorted(
        range(112), key=lambda s: np.hypot(*np.subtract(board.PLACES[s], centre)) + 3 * rng.random()
    )
    tiles = {}
    for square in near[: rng.choice([4, 10, 20, 30, 45])]:
        kind = rng.choice("SBEFFFWWWIIILA")
        if kind == "L" or board.NAMES[square] not in board.BLACK_NAMES:
            facing = rng.choice(board.FACINGS) if kind in "BFI" else ""
            streak = rng.choice(["", "", "", "", "", "1", "2", "3"])
            tiles[board.NAMES[square]] = rng.choice("wb") + kind + facing + streak
    return {
        "game": "paiko",
        "board": without_capturable(tiles),
        "to_act": rng.choice([WHITE, BLACK]),
        "hands": {agent: letters(rng, 8) for agent in (WHITE, BLACK)},
        "reserves": {side: letters(rng, rng.choice([0, 9])) for side in "wb"},
        "lost": {side: rng.choice([0, 12, 13]) for side in "wb"},
    }


def most_captures(games, rng):
    """Of a few legal actions, often a lift or draw among them, the one that captures most at once."""
    every = np.flatnonzero(games.legal[0]).tolist()
    some = rng.sample(every, k=min(6, len(every)))
    rare = [action for action in every if action < 8 or action >= LAYOUT.start("lift")]
    if rare and rng.random() < 0.4:
        some.insert(0, rng.choice(rare))
    tried = games.take([0] * len(some))
    tried.step(some)
    return some[int(np.argmax(tried.state["lost"].sum(axis=1)))]


def test_conflicts_end_as_the_referee_says():
    games, seen = Batch(PAIKO, 1, 2, max_turns=20), Counter()
    for seed in range(60):
        rng = random.Random(seed)
        state = conflict(rng)
        games.load_state_dict(0, state)
        referee = Referee.from_state(state, max_turns=20)
        for _ in range(12):
            assert_same(games, referee)
            reread = games.copy()
            reread.load_state_dict(0, games.state_dict())
            assert reread.state_dict() == games.state_dict()
            seen[games.state_dict()["phase"]] += 1
            if games.done[0]:
                break
            action, lost = most_captures(games, rng), int(games.state["lost"].sum())
            referee.play(referee.to_act, games.action_text(0, action))
            games.step([action])
            seen["captured"] += int(games.state["lost"].sum()) - lost
    assert min(seen[what] for what in ("slide", "face", "place", "reward", "draw", "over")) >= 5, (
        seen
    )
    assert seen["captured"] >= 20


SQUARES = st.sampled_from([name for name in board.NAMES if name not in board.BLACK_NAMES])
TILES = st.builds(
    lambda side, tile: side + tile,
    st.sampled_from("wb"),
    st.sampled_from([k + f for k in "BFI" for f in "NESW"] + list("SEWLA")),
)


@settings(max_examples=60, deadline=None, derandomize=True)
@given(st.dictionaries(SQUARES, TILES, min_size=1, max_size=40), st.sampled_from([WHITE, BLACK]))
def test_any_position_has_the_referees_moves(tiles, agent):
    state = {"game": "paiko", "board": without_capturable(tiles), "to_act": agent}
    state["hands"] = dict.fromkeys((WHITE, BLACK), LETTERS)
    assert_same(position(PAIKO, state), Referee.from_state(state))


# -- invariants ----------------------------------------------------------------------------------


def test_what_holds_at_every_state():
    games = Batch(PAIKO, 30, 2, seed=5)
    for rows, _ in random_moves(games):
        for row in rows[:: 1 + len(rows) // 2]:
            state, raw = games.state_dict(row), games.state[row]
            tiles = "".join(tile[:2] for tile in state["board"].values())
            for side, agent in zip("wb", (WHITE, BLACK), strict=True):  # 48 tiles
                held = len(state["hands"][agent]) + len(state["reserves"][side])
                assert tiles.count(side) + held + state["lost"][side] == 24
            if state["phase"] in ("action", "draw", "reward"):
                assert state["board"] == without_capturable(state["board"])
            both = raw["sides"][0] | raw["sides"][1]
            assert not (raw["sides"][0] & raw["sides"][1]).any()
            for kind in range(8):  # words and codes agree
                squares = board.members(raw["kinds"][kind])
                assert all(raw["tile"][square] // 4 == kind for square in squares)
            assert np.bitwise_or.reduce(raw["kinds"]).tolist() == both.tolist()
            assert np.bitwise_count(raw["kinds"]).sum() == np.bitwise_count(both).sum()
            assert set(np.flatnonzero(raw["tile"])) <= set(board.members(both))
            assert games.legal[row].any()


@pytest.mark.parametrize("draw", [Batch.sample_legal, playout_actions])
def test_every_legal_action_is_equally_likely(draw):
    tiles = {"f4": "wFN", "e9": "wW", "d5": "wIE", "k9": "bA"}
    games = at(tiles, hands={WHITE: "SFL"}, reserves={"w": "SA"}).take([0] * 20_000)
    games.reseed(seed=3)
    actions = draw(games)
    assert games.legal[0, actions].all()
    assert_uniform(Counter(actions.tolist()).values(), int(games.legal[0].sum()))


# -- symmetry ---------------------------------------------------------------------------------------


def image_of(state, symmetry):
    """The position as a symmetry shows it; where that exchanges the homegrounds, the sides too."""
    swap = board.EXCHANGES[symmetry]
    sides, agents = {"w": "wb"[swap], "b": "bw"[swap]}, {WHITE: (WHITE, BLACK)[swap]}
    agents[BLACK] = (BLACK, WHITE)[swap]
    tiles = {}
    for name, tile in state["board"].items():
        square = board.NAMES[board.SQUARE_IMAGE[symmetry, board.SQUARE_OF[name]]]
        turned = [
            board.FACINGS[board.FACING_IMAGE[symmetry, board.FACINGS.index(c)]]
            if c in board.FACINGS and tile[1] in "BFI" and i == 2
            else c
            for i, c in enumerate(tile)
        ]
        tiles[square] = sides[tile[0]] + "".join(turned[1:])
    return {
        "board": tiles,
        "to_act": agents[state["to_act"]],
        "hands": {agents[agent]: hand for agent, hand in state["hands"].items()},
        "reserves": {sides[side]: tiles for side, tiles in state["reserves"].items()},
        "lost": {sides[side]: number for side, number in state["lost"].items()},
    }


@pytest.mark.parametrize("symmetry", range(4))
def test_a_game_and_its_image_go_the_same_way(symmetry):
    for seed in range(8):
        state = conflict(random.Random(seed))
        games, images = position(PAIKO, state), position(PAIKO, image_of(state, symmetry))
        swap = board.EXCHANGES[symmetry]
        for _ in range(15):
            mine = np.flatnonzero(games.legal[0])
            theirs = np.flatnonzero(images.legal[0]).tolist()
            assert sorted(ACTION_IMAGE[symmetry, mine]) == theirs
            assert images.rewards[0].tolist() == games.rewards[0, :: -1 if swap else 1].tolist()
            if games.done[0]:
                break
            action = games.sample_legal()
            games.step(action)
            images.step(ACTION_IMAGE[symmetry, action])


@pytest.mark.parametrize("view", list(PAIKO.views))
def test_both_sides_see_the_same_from_their_own_side(view):
    state = conflict(random.Random(11))
    options = {"observation": view, "max_turns": None}
    games, images = (Batch(PAIKO, 1, 2, **options) for _ in range(2))
    games.load_state_dict(0, state)
    images.load_state_dict(0, image_of(state, board.HALF_TURN))
    turned = PAIKO.observation_layout(view, 2).start("turned")
    for seat in range(2):
        seen, image = games.observe([seat])[0], images.observe([1 - seat])[0]
        assert (seen[turned] == seat).all() and (image[turned] == 1 - seat).all()
        assert (np.delete(seen, turned, axis=0) == np.delete(image, turned, axis=0)).all()
