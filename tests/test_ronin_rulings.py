"""The Ronin Prince: rulings R2-R9 by hand-made positions."""

from __future__ import annotations

import numpy as np
import pytest
from helpers import legal_texts, play
from ronin_table import BLACKS, WHITE, at, deal, pass_round, tiles_of

from paiko_env import ronin_v0

# -- seats, heroes, rounds -----------------------------------------------------------------------


def test_heroes_are_chosen_in_seat_order_each_with_a_base():  # R2
    games = ronin_v0.batch(1, 4, explicit_chance=True)
    play(games, "black_0: !S", "chance: base W")
    assert legal_texts(games) == ["!B", "!E", "!F", "!W", "!I", "!L", "!A"]
    play(games, "black_1: !W", "chance: base W", "black_2: !A", "chance: base W")
    assert legal_texts(games) == ["token black_0", "token black_1", "token black_2"]
    assert games.chance[0].max() == pytest.approx(1 / 3)
    play(games, "chance: token black_1")
    assert "draw white_0 W" not in legal_texts(games)  # all three are bases
    assert games.chance[0].max() == pytest.approx(3 / 21)
    dealt = [text.split()[1] for text in deal(games)]
    assert dealt == [WHITE] * 4 + ["black_1"] * 3 + ["black_2"] * 3 + ["black_0"] * 3
    state = games.state_dict()
    assert (state["to_act"], state["actions_left"], state["token"]) == (WHITE, 3, "black_1")
    assert state["heroes"] == {"black_0": "S", "black_1": "W", "black_2": "A"}
    assert state["bases"] == {"black_0": "W", "black_1": "W", "black_2": "W"}
    assert state["hands"] == {WHITE: "SSSB", "black_1": "SSB", "black_2": "BBE", "black_0": "EEF"}


@pytest.mark.parametrize(
    ("players", "table"), [(4, "4 3 3"), (5, "4 2 4"), (6, "5 2 5"), (7, "5 1 6")]
)
def test_the_table(players, table):  # rulebook: White draws, a Black draws, White's actions
    games = ronin_v0.batch(1, players, seed=players, explicit_chance=True)
    while games.agent(0) == "chance" or games.state_dict()["phase"] == "hero":
        games.step(games.sample_legal(np.array([0])), [0])
    state = games.state_dict()
    sizes = {agent: len(hand) for agent, hand in state["hands"].items()}
    white = sizes.pop(WHITE)
    assert state["to_act"] == WHITE
    assert f"{white} {sizes['black_0']} {state['actions_left']}" == table
    assert len(sizes) == players - 1
    assert len(set(sizes.values())) == 1


def test_a_round_ends_with_the_token_passed_on_and_all_hands_back():  # R3
    hands = {WHITE: "SS", "black_0": "E", "black_2": "WW"}
    games = at({}, WHITE, hands=hands, token="black_2", heroes={"black_2": "L"}, actions_left=2)
    play(games, "white_0: .", "white_0: .", "black_2: .", "black_0: .")
    play(games, "black_1: .")
    assert legal_texts(games) == ["draw white_0 S"]
    assert deal(games) == ["draw white_0 S"] * 2 + ["draw black_0 E"] + ["draw black_0 W"] * 2
    state = games.state_dict()  # the reserves have run out; black_0 has no hero, and the token
    assert (state["token"], state["turn"], state["actions_left"]) == ("black_0", 1, 3)
    assert state["hands"] == {WHITE: "SS", "black_0": "EWW", "black_1": "", "black_2": ""}
    assert state["heroes"]["black_2"] == "L"


# -- actions (R4) --------------------------------------------------------------------------------


def test_a_black_touches_all_black_tiles_but_another_ones_hero():
    tiles = {"h4": "bS!", "e11": "bS", "d8": "wS"}
    own, other = at(tiles, "black_0"), at(tiles, "black_1")
    assert {"h4-h4", "e11-e11", "<", "."} <= set(legal_texts(own))
    assert "e11-e11" in legal_texts(other)
    assert not {text for text in legal_texts(other) if text[:2] == "h4" or text == "<"}
    assert not {text for text in legal_texts(own) if text[:2] == "d8"}


def test_white_pays_two_actions_for_a_hero():
    games = at({}, hands={WHITE: "SB"}, reserves={"w": "EW"})
    play(games, "white_0: S!@f4")
    assert legal_texts(games) == ["base E", "base W"]
    play(games, "chance: base W")
    state = games.state_dict()
    assert (state["board"], state["bases"]) == ({"f4": "wS!~"}, {"f4": "W"})
    assert (state["actions_left"], state["hands"][WHITE]) == (1, "B")
    assert state["reserves"]["w"] == "E"
    assert not [text for text in legal_texts(games) if "!" in text]  # one action left


def test_white_deploys_no_hero_that_it_has_nor_a_fifth_nor_one_without_a_base():
    def heroes(board, reserve="S", **state):
        games = at(board, hands={WHITE: "SB"}, reserves={"w": reserve}, **state)
        return {text[0] for text in legal_texts(games) if "!@" in text}

    four = {"c5": "wE!", "d5": "wW!", "e5": "wA!", "f5": "wL!"}
    assert heroes({}) == {"S", "B"}
    assert heroes({"f4": "wS!~"}) == {"B"}
    assert heroes({"f4": "wS"}) == {"S", "B"}
    assert heroes(four) == set()
    assert heroes(dict(list(four.items())[:3])) == {"S", "B"}
    assert heroes({}, reserve="") == set()
    assert heroes({}, actions_left=1) == set()


def test_a_directional_hero_keeps_its_price_until_it_is_faced():
    games = at({}, hands={WHITE: "I"}, reserves={"w": "E"})
    play(games, "I!@f4", "base E")
    assert games.state_dict()["pending"] == {"left": 2, "shifted": False, "tile": "f4", "price": 2}
    play(games, "f4-f5")
    pending = {"not": None, "shifted": True, "tile": "f5", "price": 2}
    assert games.state_dict()["pending"] == pending
    assert tiles_of(games) == {"f5": "wIN!"}  # busy, but not shown yet
    play(games, "^E")
    assert (tiles_of(games), games.state_dict()["actions_left"]) == ({"f5": "wIE!~1"}, 1)


def test_a_hero_goes_back_to_the_hand_and_may_come_again():
    games = at({"h4": "bS!3"}, "black_0", heroes={"black_1": "W"})
    assert not [text for text in legal_texts(games) if text[:2] == "h4"]  # three times in a row
    play(games, "black_0: <")
    assert tiles_of(games) == {}
    assert games.state_dict()["heroes"]["black_0"] == "S"
    assert "S!@k10" not in legal_texts(games)
    assert "W!@k10" in legal_texts(games)
    assert "<" not in legal_texts(at({"h4": "bS!~"}, "black_0"))  # busy


def test_no_hero_goes_back_that_keeps_a_tile_alive():  # P5
    # Two Bows threaten h5, which the hero Water covers from h4.
    tiles = {"h4": "bW!", "h5": "bA", "d5": "wBE", "h1": "wBN"}
    assert "<" not in legal_texts(at(tiles, "black_0"))
    assert "<" in legal_texts(at({**tiles, "d5": "wBN"}, "black_0"))


# -- busy tiles (R5, R6) -------------------------------------------------------------------------


def test_busy_tiles_give_no_threat_and_do_not_move():
    games = at({}, hands={WHITE: "SE"})
    play(games, "white_0: S@g6")
    assert tiles_of(games) == {"g6": "wS~"}
    assert not {"E@h7", "g6-g5", "g6-g6"} & set(legal_texts(games))
    pass_round(games)
    while games.agent(0) == "chance":
        play(games, legal_texts(games)[0])
    assert tiles_of(games) == {"g6": "wS"}
    assert {"E@h7", "g6-g5", "g6-g6"} <= set(legal_texts(games))


def test_a_lotus_just_deployed_does_not_cover_itself():
    tiles = {"d10": "bS", "f10": "bS"}  # both threaten e9, e10, e11
    lotus = set(legal_texts(at(tiles, hands={WHITE: "L"})))
    assert "L@d9" in lotus
    assert "L@e9" not in lotus
    swords = {"e6": "bS", "g6": "bS"}  # f5 is covered by the homeground: two are not enough
    assert "L@f5" in legal_texts(at(swords, hands={WHITE: "L"}))
    assert "L@f5" not in legal_texts(at({**swords, "f6": "bS"}, hands={WHITE: "L"}))


def test_cover_goes_with_a_tile_that_moves():
    tiles = {"h4": "wW", "h5": "wA", "l5": "bBW", "h9": "bBS"}  # h5: two threats, covered from h4
    assert not [text for text in legal_texts(at(tiles)) if text[:2] == "h4"]
    assert [text for text in legal_texts(at({**tiles, "i5": "wW"})) if text[:2] == "h4"]


def test_a_fire_wakes_and_may_cost_its_own_side_a_tile():  # R7
    # The Bow threatens h5 once; the Fire on g5 that faces east will be the second.
    games = at({"h5": "wS", "l5": "bBW"}, hands={WHITE: "F"})
    play(games, "F@g5", "^E")
    assert tiles_of(games)["g5"] == "wFE~"
    pass_round(games)
    assert legal_texts(games) == ["draw white_0 S"]
    deal(games)
    assert tiles_of(games) == {"g5": "wFE", "l5": "bBW"}
    assert games.state_dict()["lost"] == {"w": 1, "b": 0}


def test_white_captures_first():  # R7
    # Both Swords are threatened by each other and, once it wakes, by White's Fire.
    games = at({"h5": "wS", "i5": "bS"}, hands={WHITE: "F"})
    play(games, "F@g5", "^E")
    deal(pass_round(games))
    assert tiles_of(games) == {"g5": "wFE", "h5": "wS"}
    assert games.state_dict()["lost"] == {"w": 0, "b": 1}


def test_three_rounds_in_a_row():  # R6
    games = at({"h4": "wS2", "d8": "wS1"}, actions_left=1)
    play(games, "h4-h5")
    assert tiles_of(games) == {"h5": "wS~3", "d8": "wS1"}
    pass_round(games)
    assert tiles_of(games) == {"h5": "wS3", "d8": "wS"}
    assert not [text for text in legal_texts(games) if text[:2] == "h5"]
    deal(pass_round(games))
    assert tiles_of(games)["h5"] == "wS"


# -- captures, the end (R8, R9) ------------------------------------------------------------------


def test_a_captured_hero_goes_back_in_two_parts():  # R8
    games = at({"g5": "wFE", "i5": "bS!"}, hands={WHITE: "BE"}, bases={"black_0": "W"})
    play(games, "B@e5", "^E")  # the Fire from g5, the Bow from e5, four squares away
    pass_round(games)
    assert legal_texts(games) == ["draw white_0 E", "draw white_0 W"]  # and the base of the hero
    deal(games)
    state = games.state_dict()
    assert (state["lost"], state["heroes"]["black_0"]) == ({"w": 0, "b": 1}, None)
    assert state["bases"] == {}
    assert "".join(state["hands"][agent] for agent in BLACKS) == "S"
    assert state["hands"][WHITE] == "EW"


def test_a_captured_white_hero_frees_its_base():  # R8
    games = at({"h5": "wS!", "l5": "bBW", "h1": "bBN"}, "black_2", bases={"h5": "A"}, phase="face",
               pending={"not": None, "shifted": True, "tile": "h1", "price": 1})  # fmt: skip
    play(games, "black_2: ^N")  # h5 is four squares north of h1
    assert legal_texts(games) == ["draw white_0 S", "draw white_0 A"]


def end_of_round(white, black, middle=0):
    """The last pass of a round, with so many tiles on each other's homeground."""
    whites = ["j10", "k10", "l10", "k11", "j11", "k12"][:white]
    blacks = ["c5", "d5", "e5", "d4", "e4", "d6"][:black]
    tiles = {**dict.fromkeys(whites, "wA"), **dict.fromkeys(blacks, "bA")}
    tiles |= dict.fromkeys(["k5", "j4"][:middle], "wA")
    games = at(tiles, "black_2", turn=5)
    return play(games, "black_2: .")


@pytest.mark.parametrize(
    ("white", "black", "middle", "winner"),
    [(5, 0, 0, "w"), (5, 5, 0, "w"), (5, 6, 0, "b"), (4, 5, 0, "b"), (4, 5, 1, ""), (4, 4, 0, "")],
)
def test_who_wins(white, black, middle, winner):  # R9
    games = end_of_round(white, black, middle)
    if not winner:
        assert not games.done[0]
        return
    state = games.state_dict()
    assert (state["over"], state["turn"], state["token"]) == (True, 5, "black_0")
    assert state["actions_left"] == 0
    assert state["rewards"] == {a: 1 if a[0] == winner else -1 for a in [WHITE, *BLACKS]}


def test_cut_off_after_the_last_round():  # R9
    games = at({"f4": "wS"}, "black_2", max_rounds=6, turn=5)
    state = play(games, ".").state_dict()
    assert (state["truncated"], state["turn"], state["token"]) == (True, 6, "black_0")
    assert set(state["rewards"].values()) == {0}
    won = at(
        dict.fromkeys(["j10", "k10", "l10", "k11", "j11"], "wA"), "black_2", max_rounds=6, turn=5
    )
    assert not play(won, ".").truncated[0]


@pytest.mark.parametrize(
    ("white", "black", "message"),
    [
        ("SSS", "S", "3 Blacks are to choose a hero, but there are 1 types left in reserves of b"),
        ("SSS", "SSB", "3 Blacks are to choose a hero, but there are 2 types left"),
        ("S", "SBE", "3 Blacks are to choose a hero, but there are 1 tiles in reserves of w"),
    ],
)
def test_heroes_that_cannot_all_be_chosen_are_refused(white, black, message):  # R2
    state = {
        "game": "ronin",
        "to_act": "black_0",
        "phase": "hero",
        "heroes": dict.fromkeys(("black_0", "black_1", "black_2")),
        "reserves": {"w": white, "b": black},
    }
    with pytest.raises(ValueError, match=message):
        ronin_v0.batch(1, 4).load_state_dict(0, state)
