"""The Ronin Prince: what each hero changes (R10), by hand-made positions, for both sides."""

from __future__ import annotations

import pytest
from helpers import legal_texts
from ronin_table import BLACKS, SIDES, at, deal, go, moves, stand, tiles_of, turned


@SIDES
def test_air_shifts_two(side):
    hero, plain = (stand(side, {"h4": text}) for text in ("wA!", "wA"))
    assert {"h4-h4", "h4-h6", "h4-i5", "h4-g4"} <= moves(hero, side, "h4-")
    assert not moves(plain, side, "h4-")


@SIDES
def test_bow_may_be_redeployed(side):
    assert not moves(stand(side, {"h4": "wBN"}), side, "h4*")
    assert not moves(stand(side, {"h4": "wBN!3"}), side, "h4*")
    games = stand(side, {"h4": "wBE!1", "c5": "wS"})
    go(games, side, "h4*")
    assert "B!@b6" in moves(games, side)
    assert "B!@h4" not in moves(games, side)
    go(games, side, "B!@b6", "^W")
    assert tiles_of(games)["b6" if side == "w" else turned("b6")][-3:] == "!~2"


@SIDES
def test_earth_covers_itself_unless_it_has_just_moved(side):
    swords = {"i4": "bS", "i5": "bS"}  # two threats on h4, h5; none on g4
    games = stand(side, {"h4": "wE!", **swords})
    assert moves(games, side, "h4-") == {"h4-g4", "h4-h3"}
    with pytest.raises(ValueError, match="capturable"):
        stand(side, {"h4": "wE", **swords})


@SIDES
def test_fire_spares_its_own_side_which_still_may_not_deploy_there(side):
    burning = {"h4": "wFN!", "h5": "wS", "l5": "bBW"}  # h5: the Bow's threat alone
    games = stand(side, burning, hand="SL")
    assert not {"S@h6", "S@g5"} & moves(games, side)  # in the Fire's threat; g5 is homeground
    assert "S@g3" in moves(games, side)
    assert "L@g5" in moves(games, side)
    with pytest.raises(ValueError, match="capturable"):
        stand(side, {**burning, "h4": "wFN"})
    with pytest.raises(ValueError, match="capturable"):
        stand(side, {"h4": "wFN!", "g5": "wS", "h5": "bS"})  # the enemy it threatens


@SIDES
def test_tiles_around_a_lotus_cannot_be_captured_but_itself_can(side):
    around = {"h5": "wS", "g6": "bS", "h6": "bS", "i5": "bS"}  # three threats on h5
    stand(side, {"h4": "wL!", **around})
    for tiles in ({"h4": "wL", **around}, {"h4": "wL!", "g3": "bS", "i3": "bS", "i5": "bS"}):
        with pytest.raises(ValueError, match="capturable"):
            stand(side, tiles)
    three = {"f6": "bS", "g6": "bS", "h6": "bS"}  # on g5
    assert "L@g5" in moves(stand(side, {"h4": "wL!", **three}, hand="L"), side)
    assert "L@g5" not in moves(stand(side, {"h4": "wL", **three}, hand="L"), side)


@SIDES
@pytest.mark.parametrize(("letter", "steps"), [("S", 2), ("E", 1), ("B", 2), ("L", 0), ("A", 0)])
def test_sai_lets_others_slide(side, letter, steps):
    games = stand(side, {"g5": "wIE!"}, hand=letter)  # threatens h5
    go(games, side, f"{letter}@h5")
    state = games.state_dict()
    assert (state["phase"] == "slide") == (steps > 0)
    if steps:
        assert state["pending"]["left"] == steps
        assert f"h5-{'j5' if steps == 2 else 'i5'}" in moves(games, side)
        assert "h5-h5" in moves(games, side)
    plain = stand(side, {"g5": "wIE"}, hand=letter)
    assert go(plain, side, f"{letter}@h5").state_dict()["phase"] != "slide"


@SIDES
def test_sai_lets_a_redeployed_tile_slide_and_a_hero_air_two(side):
    games = stand(side, {"g5": "wIE!", "c5": "wW"})
    go(games, side, "c5*", "W@h5")
    assert games.state_dict()["pending"]["left"] == 2
    go(games, side, "h5-h5")  # it stays, but was redeployed: that counts
    assert "W~1" in {text[1:] for text in tiles_of(games).values()}
    air = {"heroes": {"black_0": "A"}, "owners": BLACKS[1:]} if side == "b" else {}
    games = stand(side, {"g5": "wIE!"}, hand="A" * (side == "w"), reserves={"w": "S"}, **air)
    go(games, side, "A!@h5")
    deal(games)
    assert games.state_dict()["pending"]["left"] == 2
    assert games.state_dict()["pending"]["price"] == (2 if side == "w" else 1)


@SIDES
def test_sword_bars_enemy_shifts_from_to_and_through_its_threat(side):
    tiles = {"h4": "wW", "f5": "wS", "k5": "wS", "g3": "wW!", "g4": "wL"}
    games = stand(side, {**tiles, "i5": "bS!"}, hand="L")  # threatens h4..h6, i4, j4..j6
    assert not moves(games, side, "h4")
    assert moves(games, side, "f5-h5") == set()
    assert moves(games, side, "f5-g5")
    assert moves(games, side, "k5-j5") == set()
    assert moves(games, side, "k5-k4")
    assert "L@h6" in moves(games, side)  # deploying is no shift
    go(games, side, "g4*")
    assert "L@h6" not in moves(games, side)
    assert "L@a7" in moves(games, side)
    plain = stand(side, {**tiles, "i5": "bS"}, hand="L")
    assert {"h4-h4", "h4*", "f5-h5", "k5-j5"} <= moves(plain, side)
    busy = stand(side, {**tiles, "i5": "bS!~"}, hand="L")
    assert {"h4-h4", "h4*", "f5-h5", "k5-j5"} <= moves(busy, side)


def test_sword_does_not_bar_the_way_back_to_the_hand():
    assert "<" in legal_texts(at({"i4": "bE!", "i5": "wS!"}, "black_0"))


@SIDES
@pytest.mark.parametrize("owner", ["black_0", "black_2"])
def test_water_lets_tiles_around_it_be_redeployed(side, owner):
    tiles = {"f4": "wW!", "f5": "wS", "e5": "wA", "g4": "wL", "d6": "wS"}
    owners = [owner, *(agent for agent in BLACKS if agent != owner)]
    games = stand(side, tiles, owners=owners)
    mine = side == "w" or owner == "black_0"  # a Black uses any hero, but moves only its own
    assert {t for t in moves(games, side) if "*" in t} == {"f5*", "e5*", "g4*"} | (
        {"f4*"} if mine else set()
    )
    go(games, side, "g4*")
    assert "L@i6" in moves(games, side)  # a Lotus: anywhere
    for water in ("wW!~", "wW"):
        other = stand(side, {**tiles, "f4": water}, owners=owners)
        lifts = {text for text in moves(other, side) if "*" in text}
        assert lifts == ({"f4*"} if water == "wW" else set())


@SIDES
def test_a_fire_is_not_redeployed_into_its_own_old_threat(side):
    for fire in ("wFN", "wFN!"):  # in the Water's cover; threatens f5, f6
        games = stand(side, {"f3": "wW!", "f4": fire}, owners=["black_1", "black_0"])
        go(games, side, "f4*")
        name = "F!" if "!" in fire else "F"
        assert f"{name}@d5" in moves(games, side) or f"{name}@c5" in moves(games, side)
        assert not {f"{name}@f5", f"{name}@f6", f"{name}@f4"} & moves(games, side)
