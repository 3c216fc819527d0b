"""Rulings V1-V9 by positions that were worked out by hand, in the notation.

A Sword threatens the eight squares around it, an Earth two squares in each orthogonal direction, a Fire
facing north itself, the three squares before it and the five before those. A Lotus covers itself and the
eight squares around it, a Water the four orthogonal ones.
"""

from __future__ import annotations

import pytest
from helpers import legal_texts, play, position, refusal
from referee.paiko_board import SQUARES

from paiko_env import valley_v0
from paiko_env.valley_game import VALLEY

WHITE, BLACK, RED = "white_0", "black_0", "red_0"


def at(board, agent=RED, max_turns=400, **state):
    """A game with these pieces on the board, and whatever else the state says."""
    return position(VALLEY, {"board": board, "to_act": agent, **state}, max_turns=max_turns)


def legal(games, start="", end=""):
    return {text for text in legal_texts(games) if text.startswith(start) and text.endswith(end)}


def board_of(games):
    return games.state_dict()["board"]


def reds(games):
    state = games.state_dict()
    return state["red_hand"], {s: text for s, text in state["board"].items() if text[0] in "cz"}


# -- V1: setup -----------------------------------------------------------------------------------


def test_v1_black_discards_six_then_white_and_two_corpses_lie_on_the_shrines():
    games = valley_v0.batch(1)
    assert games.state_dict()["pending"] == {"left": 6}
    play(games, *[f"black_0: -{letter}" for letter in "SSSBBE"])
    assert games.state_dict()["pending"] == {"left": 6}
    assert games.state_dict()["red_hand"] == 6
    play(games, *[f"white_0: -{letter}" for letter in "AAALLI"])
    state = games.state_dict()
    assert state["board"] == {"f9": "c", "i6": "c"}
    assert state["red_hand"] == 10
    assert state["hands"] == {WHITE: "SSSBBBEEEFFFWWWIIL", BLACK: "BEEFFFWWWIIILLLAAA"}
    assert state["reserves"] == {"w": "", "b": ""}
    assert (state["to_act"], state["phase"], state["turn"]) == (WHITE, "action", 0)


def test_v1_only_what_is_in_the_hand_is_discarded():
    games = play(valley_v0.batch(1), "-S", "-S", "-S")
    assert legal(games) == {"-B", "-E", "-F", "-W", "-I", "-L", "-A"}


def test_v1_nothing_is_drawn_and_captures_bring_no_reward():
    # The second Sword captures the black one on d10 (two threats, no cover); then Black is on.
    games = at({"d10": "bS", "c9": "wS", "f8": "wS"}, WHITE, hands={WHITE: "S", BLACK: "E"})
    assert not legal(games, "+")
    play(games, "f8-e9")
    state = games.state_dict()
    assert "d10" not in state["board"]
    assert (state["to_act"], state["phase"], state["lost"]) == (BLACK, "action", {"b": 1, "w": 0})
    assert state["hands"] == {WHITE: "S", BLACK: "E"}


def test_v1_losses_tie_nothing():
    games = at({"d4": "wS"}, WHITE, lost={"w": 20, "b": 20})
    play(games, "d4-d4")
    assert games.agent() == BLACK


# -- V2: turn order ------------------------------------------------------------------------------


def test_v2_red_reverses_the_order_and_forced_passes_end_nothing():
    games, who = at({}, WHITE), []
    for turn in range(14):
        assert games.state_dict()["turn"] == turn
        assert legal(games) == {"."}  # P14: no tile in any hand
        who.append(games.agent())
        play(games, ".")
    assert "".join(agent[0] for agent in who) == "wbrbwrwbrbwrwb"


@pytest.mark.parametrize(("turn", "agent"), list(enumerate([WHITE, BLACK, RED, BLACK, WHITE, RED])))
def test_v2_a_turn_belongs_to_one_agent(turn, agent):
    for other in (WHITE, BLACK, RED):
        state = {"to_act": other, "turn": turn + 12, "board": {"d4": "wS", "i12": "bS"}}
        if other == agent:
            assert position(VALLEY, state).agent() == agent
        else:
            complaint = refusal(valley_v0.batch(1), state)
            assert complaint == f"turn {turn + 12} is not one of {other}"


def test_v2_a_missing_turn_is_the_first_of_the_agent():
    turns = [at({"d4": "wS"}, agent).state_dict()["turn"] for agent in (WHITE, BLACK, RED)]
    assert turns == [0, 1, 2]


# -- V3: red pieces and threat -------------------------------------------------------------------


def test_v3_three_tiles_of_both_colours_together_capture_a_zombie():
    # On e10: one threat each of the Swords on d10 and d11, and one of the Earth when it reaches e12.
    tiles = {"e10": "z", "d10": "wS", "d11": "wS", "f12": "bE"}
    assert reds(play(at(tiles, BLACK, red_hand=1), "f12-f11"))[1] == {"e10": "z"}  # two are too few
    games = play(at(tiles, BLACK, red_hand=1), "f12-e12")
    assert reds(games) == (3, {})  # V8: a zombie is two tiles
    assert games.state_dict()["lost"] == {"b": 0, "w": 0}


def test_v3_a_fire_counts_once_and_no_cover_helps():
    # The Fire on e8 and the Sword on d10 threaten e10; the white Lotus beside it covers it in vain.
    tiles = {"e10": "c", "e8": "wFN", "d10": "wS", "f11": "wL", "i10": "bE", "h14": "bA"}
    games = at(tiles, BLACK)
    assert reds(games)[1] == {"e10": "c"}  # two threats: else the position were refused
    assert reds(play(games, "i10-h10"))[1] == {"e10": "c"}
    games = at({**tiles, "h10": "bE"}, BLACK)
    assert reds(play(games, "h10-g10")) == (1, {})


def test_v3_capturable_red_pieces_are_refused():
    tiles = {"e10": "c2", "d10": "wS", "d11": "wS", "e12": "bE"}
    assert refusal(valley_v0.batch(1), {"to_act": WHITE, "board": tiles}) == (
        "board: c2 on e10 is capturable"
    )


def test_v3_red_pieces_neither_threaten_nor_cover_but_block():
    around = ["c4", "c5", "d5", "e5", "e4", "e3"]
    zombies = {square: "z" for square in around if square in SQUARES}
    games = at({"d4": "wS", **zombies}, WHITE, hands={WHITE: "S"})
    assert legal(games, "d4-") == {"d4-d4"}  # shut in; a Sword may always turn in place (P6)
    deploys = legal(games, "S@")
    assert not {f"S@{square}" for square in zombies} & deploys
    assert {"S@e6", "S@f3", "S@f4"} <= deploys  # beside zombies, in the homeground: no threat


# -- V4: Red's action ----------------------------------------------------------------------------


def test_v4_a_corpse_goes_to_any_empty_square_that_no_tile_covers():
    games = at({"e6": "wL", "j10": "bW", "c8": "c"}, red_hand=1)
    corpses = legal(games, "C@")
    covered = {"d5", "d6", "d7", "e5", "e7", "f5", "f6", "f7", "i10", "k10", "j9", "j11"}
    stand = {"e6", "j10", "c8"}
    assert corpses == {f"C@{square}" for square in set(SQUARES) - covered - stand}
    assert {"C@f9", "C@i6", "C@g7", "C@h8", "C@g1", "C@h14"} <= corpses  # black, homegrounds


def test_v4_a_corpse_is_not_laid_where_three_tiles_threaten_it():  # P5
    # e9 holds the threat of three, d9 and c9 of the two Swords, f9 of the Earth alone.
    games = at({"d8": "wS", "d10": "wS", "g9": "bE"}, red_hand=1)
    assert {"C@d9", "C@c9", "C@f9"} <= legal(games)
    assert "C@e9" not in legal(games)


def test_v4_a_corpse_costs_a_tile():
    assert reds(play(at({"d4": "wS"}, red_hand=2), "C@h8")) == (1, {"h8": "c"})
    assert legal(at({"d4": "wS"}, red_hand=0)) == {"."}


def test_v4_a_corpse_is_raised_unless_a_tile_covers_it():
    board = {"d9": "c", "e7": "c", "e6": "wL", "k9": "z", "i12": "bS"}
    games = at(board, red_hand=1)
    assert legal(games, "Z@") == {"Z@d9"}
    assert reds(play(games, "Z@d9")) == (0, {"d9": "z", "e7": "c", "k9": "z"})
    assert not legal(at(board, red_hand=0), "Z@")


def test_v4_a_zombie_shifts_one_step_to_an_empty_square_that_is_not_black():
    # Around e9: e10 and d9 are free, e8 holds a tile, f9 is black.
    games = at({"e9": "z", "e8": "wS", "i12": "bS"})
    assert legal(games, "e9-") == {"e9-e10", "e9-d9"}
    assert not [text for text in legal(games) if text[0] in "CZ"]  # no tile in the hand
    assert reds(play(games, "e9-d9"))[1] == {"d9": "z1"}


def test_v4_a_zombie_may_leave_a_black_square():
    games = at({"f9": "z", "f8": "c"})
    assert legal(games, "f9-") == {"f9-f10", "f9-e9", "f9-g9"}
    assert not legal(games, "f8-")  # a corpse cannot shift
    assert reds(play(games, "f9-f10"))[1] == {"f10": "z1", "f8": "c"}
    assert legal(at({"f10": "z"}), "f10-") == {"f10-f11", "f10-e10", "f10-g10"}  # not back


def test_v4_a_zombie_does_not_step_under_three_threats():  # P5, P6
    board = {"d8": "wS", "d10": "wS", "g9": "bE", "e10": "z", "c9": "z"}
    games = at(board)
    assert "e10-e9" not in legal(games)
    assert {"e10-e11", "c9-d9"} <= legal(games)


def test_v4_shifts_count_for_p7_and_any_other_action_starts_again():
    games = at({"k5": "z2", "m7": "z1", "i12": "c"}, red_hand=1)
    assert board_of(play(games, "k5-k4")) == {"k4": "z3", "m7": "z", "i12": "c"}
    tired = {"k4": "z3", "m7": "z", "i12": "c"}
    assert not legal(at(tired, red_hand=1), "k4-")
    assert legal(at(tired, red_hand=1), "m7-") == {"m7-m8", "m7-l7", "m7-m6", "m7-n7"}
    assert board_of(play(at(tired, red_hand=1), "Z@i12")) == {"k4": "z", "m7": "z", "i12": "z"}


def test_v4_tiles_are_taken_back_one_at_a_time():
    games = at({"f9": "z3", "i6": "c", "d4": "wS"}, red_hand=2)
    assert legal(games, "", "<") == {"f9<", "i6<"}
    play(games, "f9<")
    assert reds(games) == (3, {"f9": "c3", "i6": "c"})
    state = games.state_dict()
    assert (state["phase"], state["pending"], state["to_act"]) == ("retrieve", None, RED)
    assert legal(games) == {"f9<", "i6<", "."}
    play(games, "f9<")
    assert reds(games) == (4, {"i6": "c"})
    play(games, ".")
    assert games.agent() == BLACK
    assert reds(games) == (4, {"i6": "c"})


def test_v4_taking_back_ends_by_itself_when_none_is_left():
    games = play(at({"f9": "z", "d4": "wS"}), "f9<", "f9<")
    assert reds(games) == (2, {})
    assert games.agent() == BLACK


def test_v4_red_passes_only_if_it_can_do_nothing_else():
    assert "." not in legal(at({"f9": "c", "d4": "wS"}))
    assert legal(at({"d4": "wS"})) == {"."}
    # One tile in the hand, but nowhere to lay it: every empty square is covered or threatened thrice.
    full = dict.fromkeys(SQUARES, "wL")
    del full["d9"]
    assert legal(at(full, red_hand=1)) == {"."}


# -- V5: zombifying ------------------------------------------------------------------------------

# Zombies on d9 and f9 with e10, e8 and e9 between them; f9 also beside g8.
BETWEEN = {"d9": "z", "f9": "z", "e10": "wS1", "e8": "bW", "g8": "wE", "k5": "c"}


def test_v5_tiles_between_two_zombies_may_fall_corners_included():
    games = play(at(BETWEEN, red_hand=3), "C@l6")
    state = games.state_dict()
    assert state["phase"] == "zombify"
    assert state["pending"] == {"tiles": ["e10", "e8"]}
    assert legal(games) == {"e10z", "e8z", "."}
    play(games, "e10z")
    assert games.state_dict()["pending"] == {"tiles": ["e8"]}
    assert reds(games)[0] == 1
    assert board_of(games)["e10"] == "z"  # its count of shifts is gone with it
    play(games, "e8z")
    assert games.agent() == BLACK
    assert reds(games) == (
        0,
        {**dict.fromkeys(["d9", "f9", "e10", "e8"], "z"), "k5": "c", "l6": "c"},
    )
    assert games.state_dict()["lost"] == {"b": 0, "w": 0}  # zombified is not captured


def test_v5_red_may_stop_or_run_out_of_tiles():
    games = play(at(BETWEEN, red_hand=3), "C@l6", "e8z", ".")
    assert (games.agent(), reds(games)[0]) == (BLACK, 1)
    games = play(at(BETWEEN, red_hand=2), "C@l6", "e8z")  # it was the last tile
    assert (games.agent(), reds(games)[0]) == (BLACK, 0)
    games = play(at(BETWEEN, red_hand=1), "C@l6")
    assert games.agent() == BLACK


def test_v5_new_zombies_make_no_further_tile_eligible():
    # With e10 a zombie, the Sword on f11 would have e10 and g11 beside it.
    board = {**BETWEEN, "f11": "bS", "g11": "z"}
    games = play(at(board, red_hand=5), "C@l6")
    assert games.state_dict()["pending"] == {"tiles": ["e10", "e8"]}
    play(games, "e10z")
    assert legal(games) == {"e8z", "."}


def test_v5_eligible_is_who_stands_between_zombies_after_the_action():
    board = {"d9": "z", "f9": "c", "e10": "wS"}
    games = play(at(board, red_hand=2), "Z@f9")  # the second zombie is made just now
    assert games.state_dict()["pending"] == {"tiles": ["e10"]}
    games = play(at({"d9": "z", "f9": "z", "e10": "wS"}, red_hand=1), "f9-g9")
    assert games.agent() == BLACK  # one has gone away


def test_v5_cover_and_homegrounds_save_nobody():
    board = {"d4": "z", "f4": "z", "e4": "wL", "e3": "wS"}
    assert legal(play(at(board, red_hand=1), "d4-d5")) == {"e4z", "."}
    assert legal(play(at(board, red_hand=2), "C@l6")) == {"e3z", "e4z", "."}


# -- V6: captures on White's and Black's turn ----------------------------------------------------


def test_v6_red_pieces_fall_in_the_same_pass_as_the_other_colour():
    # The Sword reaches e8: the black one on f8 has two threats (Earth f6, Sword e8), the zombie on e9
    # three (d8, e8 and the black Sword itself), so both fall, though e9 would have two after f8's fall.
    board = {"e9": "z", "d8": "wS", "f6": "wE", "f8": "bS", "e6": "wS", "m8": "c"}
    games = play(at(board, WHITE, red_hand=1), "e6-e8")
    assert board_of(games) == {"d8": "wS", "e8": "wS1", "f6": "wE", "m8": "c"}
    assert reds(games) == (4, {"m8": "c"})  # V8: the Sword, and two for the zombie
    assert games.state_dict()["lost"] == {"b": 1, "w": 0}


def test_v6_a_later_pass_takes_what_the_first_one_bared():
    # The Water on d9 covers d10 against the Earth on f10 and the Sword on e11. It falls to the Swords on
    # c8 and e8, and then the black Sword on d10 to those two.
    board = {"d9": "bW", "d10": "bS", "c8": "wS", "f10": "wE", "e11": "wS", "f8": "wS"}
    games = play(at(board, WHITE), "f8-e8")
    assert set(board_of(games)) == {"c8", "f10", "e11", "e8"}
    assert games.state_dict()["lost"] == {"b": 2, "w": 0}
    assert games.state_dict()["red_hand"] == 2


def test_v6_own_tiles_are_not_at_stake_and_safety_leaves_red_out():
    # White may not bare its own tiles (P5), but it may let zombies fall or stand as it likes.
    board = {"e10": "z", "d10": "wS", "d11": "wS", "f12": "wE", "i12": "bS"}
    assert "f12-e12" in legal(at(board, WHITE))


# -- V7: captures on Red's turn ------------------------------------------------------------------

# Two Swords that threaten each other, each with one more threat from an Earth: whoever falls first
# leaves the other with one.
DUEL = {"d9": "wS", "e9": "bS", "d11": "bE", "e7": "wE"}
# The Water covers the Sword on d9 against two threats, and stands between two zombies.
BARED = {"d9": "wS", "c9": "wW", "e9": "bS", "d11": "bE", "b8": "z", "b9": "z", "k5": "c"}


def captures(board, **state):
    return at(board, phase="capture", **state)


def test_v7_red_chooses_who_falls_next_and_it_is_checked_again():
    for first, other in (("d9", "e9"), ("e9", "d9")):
        games = captures(DUEL)
        assert legal(games) == {"xd9", "xe9"}
        play(games, f"x{first}")
        assert first not in board_of(games)
        assert other in board_of(games)  # one threat is left on it
        assert (games.agent(), games.state_dict()["red_hand"]) == (BLACK, 1)


def test_v7_a_single_tile_falls_without_being_asked():
    games = play(at(BARED, red_hand=1), "k5<", ".", "c9z")
    state = games.state_dict()
    assert (state["to_act"], state["phase"]) == (BLACK, "action")
    assert "d9" not in state["board"]
    assert state["lost"] == {"b": 0, "w": 1}
    assert reds(games) == (2, {"b8": "z", "b9": "z", "c9": "z"})  # 1 + 1 - 1 + 1


def test_v7_red_may_leave_a_tile_to_itself():
    games = play(at(BARED, red_hand=1), "k5<", ".", ".")
    assert games.agent() == BLACK
    assert {"c9", "d9"} <= set(board_of(games))


def test_v7_fires_are_never_on_the_menu_and_fall_last_together():
    # Each of the Fires has its own threat and that of an enemy Sword.
    board = {**DUEL, "g11": "wFN", "f12": "bS", "h5": "bFS", "i4": "wS"}
    games = captures(board)
    assert legal(games) == {"xd9", "xe9"}
    play(games, "xd9")
    left = set(board_of(games))
    assert not {"d9", "g11", "h5"} & left
    assert {"e9", "f12", "i4"} <= left
    assert games.state_dict()["red_hand"] == 3
    assert games.state_dict()["lost"] == {"b": 1, "w": 2}


def test_v7_a_new_zombie_falls_where_three_tiles_threaten_it():
    # The white Sword on e4, in its homeground, bears two black threats (e6, g4) and stands beside a
    # white one. As a zombie it has three, and goes back to the hand with the tile that was laid on it.
    board = {"e4": "wS", "f3": "wS", "e6": "bE", "g4": "bE", "d5": "z", "d4": "z", "k5": "c"}
    games = play(at(board, red_hand=1), "k5<", ".", "e4z")
    assert "e4" not in board_of(games)
    assert reds(games) == (3, {"d4": "z", "d5": "z"})  # 1 + 1 - 1 + 2
    assert games.state_dict()["lost"] == {"b": 0, "w": 0}


def test_v7_red_actions_alone_expose_nobody():
    games = play(at({**BARED, "b8": "c"}, red_hand=1), "C@e10")  # beside both Swords
    assert games.agent() == BLACK
    assert {"c9", "d9", "e9"} <= set(board_of(games))


# -- V9: the end ---------------------------------------------------------------------------------

FIVE = {"a8": "wS", "c8": "wA", "e8": "wE", "i9": "wE"}  # 1 + 1 + 1 + 2 points


def test_v9_a_colour_wins_with_five_points_and_three_more_than_the_other():
    games = at({**FIVE, "d4": "wE", "n7": "bE", "k5": "bE"}, WHITE)
    assert games.state_dict()["points"] == {"w": 5, "b": 2}
    play(games, "d4-d4")
    state = games.state_dict()
    assert (state["phase"], state["to_act"], state["turn"]) == ("over", None, 0)
    assert state["rewards"] == {WHITE: 1, BLACK: -1, RED: -1}
    assert games.terminated.all()


@pytest.mark.parametrize(
    "board",
    [
        {**FIVE, "d4": "wE", "n7": "bE", "k5": "bE", "l5": "bE"},  # 5 to 3
        {"a8": "wS", "c8": "wA", "i9": "wE", "d4": "wE"},  # 4 to 0
        {"a8": "wS", "c8": "wA", "i9": "wE", "d4": "wE", "e10": "wL", "k10": "wL"},  # Lotus: none
    ],
)
def test_v9_less_wins_nothing(board):
    assert play(at(board, WHITE), "d4-d4").agent() == BLACK


def test_v9_only_the_side_whose_turn_it_was_can_win():
    # White leads by 5 after Black's turn and after Red's, and wins only when its own is done.
    games = at({**FIVE, "d4": "wE", "m9": "bE"}, BLACK, turn=3, red_hand=5)
    play(games, "black_0: m9-m9")
    assert games.agent() == WHITE
    games = at({**FIVE, "d4": "wE", "m9": "bE"}, BLACK, turn=1, red_hand=5)
    play(games, "m9-m9", "red_0: C@h1", "black_0: m9-m9")
    assert games.agent() == WHITE
    play(games, "d4-d4")
    assert games.state_dict()["rewards"] == {WHITE: 1, BLACK: -1, RED: -1}


def test_v9_black_wins_likewise():
    board = {"n7": "bS", "l7": "bA", "j7": "bE", "f6": "bE", "k10": "bE", "e10": "wE", "d10": "wE"}
    games = at(board, BLACK)
    assert games.state_dict()["points"] == {"w": 2, "b": 5}
    play(games, "k10-k10")
    assert games.state_dict()["rewards"] == {WHITE: -1, BLACK: 1, RED: -1}


def test_v9_red_wins_when_zombies_and_the_higher_score_make_twelve():
    zombies = dict.fromkeys(["c5", "d5", "e5", "f5", "g5", "e3", "f3"], "z")  # seven
    board = {**FIVE, **zombies, "n7": "bE", "k5": "bE", "h1": "c"}  # 5 to 2
    games = play(at(board, red_hand=1), "h1<", ".")
    state = games.state_dict()
    assert state["rewards"] == {WHITE: 0, BLACK: 0, RED: 1}
    assert state["phase"] == "over"
    del board["c5"]  # six and five are eleven
    assert play(at(board, red_hand=1), "h1<", ".").agent() == BLACK


def test_v9_red_wins_on_its_own_turn_only_after_captures():
    # Twelve before White's turn; White takes a zombie, so Red wins nothing when it is on.
    zombies = dict.fromkeys(["a7", "b7", "c7", "d7", "m8", "l8"], "z")
    board = {**zombies, "e10": "z", "d10": "wS", "d11": "wS", "f12": "wE", "k10": "wE", "h1": "c"}
    games = at(board, WHITE, turn=4, hands={})
    assert games.state_dict()["points"]["w"] == 5
    assert play(games, "f12-f12").state_dict()["to_act"] is None  # 5 to 0: White has won
    board["n7"] = board["l5"] = board["i5"] = "bE"
    games = play(at(board, WHITE, turn=4), "f12-e12", "red_0: h1<", ".")
    assert games.agent() == WHITE


def test_v9_a_win_on_the_last_turn_is_a_win():  # P15
    board = {**FIVE, "d4": "wE"}
    games = play(at(board, WHITE, max_turns=1), "d4-d4")
    assert games.state_dict()["rewards"] == {WHITE: 1, BLACK: -1, RED: -1}
    assert not games.truncated.any()


def test_v9_the_limit_cuts_off_with_nothing_for_anybody():  # P15
    games = play(at({"d4": "wE"}, WHITE, max_turns=7, turn=6), "d4-d4")
    state = games.state_dict()
    assert (state["truncated"], state["over"], state["turn"]) == (True, True, 7)
    assert state["rewards"] == {WHITE: 0, BLACK: 0, RED: 0}
    assert games.truncated.all()
    assert not games.terminated.any()
