"""Why a move of Red's, or of Ronin's, may not be made: the reasons that a person is given."""

from __future__ import annotations

import numpy as np
import pytest
from helpers import legal_texts, position, random_moves
from ronin_table import WHITE, at

from paiko_env import paiko_v0, ronin_v0, valley_v0
from paiko_env.valley_game import VALLEY
from tabletop_env.complaint import nearest, why_not

# -- Red -----------------------------------------------------------------------------------------

BOARD = {
    "d9": "z3", "e9": "z", "c9": "c", "f5": "wL", "g6": "c", "h5": "wS", "j9": "bA", "k6": "wS",
    "l9": "bS", "m8": "bS", "d10": "bF" + "S",
}  # fmt: skip


def red(phase="action", hand=5, **state):
    return position(
        VALLEY, {"to_act": "red_0", "phase": phase, "board": BOARD, "red_hand": hand, **state}
    )


@pytest.mark.parametrize(
    ("move", "reason"),
    [
        ("C@f5", "wL stands on f5"),
        ("C@e6", "a tile covers e6"),
        ("C@l8", "three tiles or more threaten l8"),
        ("Z@g6", "a tile covers g6"),
        ("Z@e9", "no corpse stands on e9"),
        ("c9-c10", "no zombie stands on c9"),
        ("d9-d8", "the zombie on d9 has shifted in three turns on end"),
        ("e9-f9", "f9 is a black square"),
        ("e9-d9", "z3 stands on d9"),
        ("e9-e7", "a zombie shifts one step"),
        ("f5<", "no face-down tile stands on f5"),
        ("h5z", "tiles are zombified after the action only"),
        ("xh5", "there is no capture to be chosen now"),
        (".", "you may not pass while there is something that you can do"),
        ("S@d6", "Red has corpses and zombies only"),
        ("-S", "Red has corpses and zombies only"),
    ],
)
def test_why_red_may_not(move, reason):
    games = red()
    assert move not in legal_texts(games)
    assert reason in why_not(games, 0, move)
    assert nearest(games, 0, move)


def test_red_alone_has_its_moves():
    games = position(VALLEY, {"to_act": "white_0", "hands": {"white_0": "S"}})
    for move in ("C@c5", "Z@c5", "c5<", "c5z", "xc5"):
        assert "only Red has corpses and zombies" in why_not(games, 0, move)


def test_why_red_may_not_without_a_tile_or_after_its_action():
    poor = red(hand=0)
    assert "you have no tile in your hand" in why_not(poor, 0, "C@c5")
    assert "you have no tile in your hand" in why_not(poor, 0, "Z@c9")
    after = red("zombify", pending={"tiles": ["d10"]})
    assert legal_texts(after) == [".", "d10z"]
    assert "fewer than two zombies stood around j9" in why_not(after, 0, "j9z")
    assert "no tile of White's or Black's stands on c9" in why_not(after, 0, "c9z")
    assert "your action is over: zombify another tile" in why_not(after, 0, "C@c5")
    assert "you are taking tiles back" in why_not(red("retrieve"), 0, "C@c5")
    prey = {"d9": "wS", "e9": "bS", "d11": "bE", "e7": "wE", "c7": "wFN", "e10": "wA"}
    games = position(VALLEY, {"to_act": "red_0", "phase": "capture", "board": prey})
    assert "xd9" in legal_texts(games)
    assert "Fires fall last" in why_not(games, 0, "xc7")
    assert "the tile on e10 cannot be captured now" in why_not(games, 0, "xe10")
    assert "one of the tiles has to be captured next" in why_not(games, 0, ".")


# -- Ronin ---------------------------------------------------------------------------------------

TABLE = {
    "h4": "bS!", "e11": "bE", "k9": "bB" + "N~", "l8": "bS3", "d8": "wS!", "e5": "wF" + "N!",
    "c6": "wW", "m7": "bA", "d7": "wE", "g2": "wA",
}  # fmt: skip
HANDS = {WHITE: "SSEFB", "black_0": "W", "black_1": "E"}
RESERVES = {"w": "SW", "b": "S"}


def table(agent, **state):
    return at(TABLE, agent, hands=HANDS, reserves=RESERVES, **state)


@pytest.mark.parametrize(
    ("agent", "move", "reason"),
    [
        (WHITE, "<", "only a Black takes its hero back"),
        (WHITE, "S!@b6", "a hero Sword of your side is on the board"),
        (WHITE, "L!@b6", "you have no Lotus in your hand"),
        (WHITE, "W@b6", "you have no Water in your hand"),
        (WHITE, "B@e6", "your own hero Fire threatens e6"),
        (WHITE, "B@n8", "n8 is neither on your homeground nor threatened"),
        (WHITE, "g2-g3", "Air cannot shift"),
        (WHITE, "d7-d5", "Earth shifts 1 at most"),
        (WHITE, "!S", "heroes are chosen before the first round only"),
        (WHITE, "^N", "no tile is to be turned now"),
        (WHITE, "d7*", "this tile may not be lifted"),
        ("black_0", "S!@m8", "a hero Sword of your side is on the board"),
        ("black_0", "B!@m8", "your hero is no Bow"),
        ("black_0", "k9-k10", "the tile on k9 is busy (R5)"),
        ("black_0", "l8-l9", "the tile on l8 has shifted in three turns on end"),
        ("black_1", "h4-h5", "the hero on h4 is another Black's (R4)"),
        ("black_1", "<", "you have no hero"),
        ("black_1", "W!@m8", "your hero is no Water"),
    ],
)
def test_why_a_side_of_ronin_may_not(agent, move, reason):
    games = table(agent)
    assert move not in legal_texts(games)
    assert reason in why_not(games, 0, move)
    assert nearest(games, 0, move)


def test_why_heroes_may_not_come_or_go():
    last = table(WHITE, actions_left=1)
    assert "a hero takes two actions, and you have one left" in why_not(last, 0, "E!@b6")
    bare = at(TABLE, WHITE, hands=HANDS, reserves={"b": "S"})
    assert "the reserve has no tile for a base" in why_not(bare, 0, "E!@b6")
    four = {**TABLE, "c6": "wW!", "d7": "wE!"}
    full = at(four, WHITE, hands=HANDS, reserves=RESERVES)
    assert "you have 4 heroes on the board" in why_not(full, 0, "B!@b6")
    busy = at({"h4": "bS!~"}, "black_0")
    assert "your hero is busy (R5)" in why_not(busy, 0, "<")
    away = at({}, "black_0", heroes={"black_0": "S"})
    assert "your hero is not on the board" in why_not(away, 0, "<")
    reserves = {"w": "SW", "b": "SSWE"}
    choosing = at({}, "black_1", phase="hero", heroes={"black_0": "S"}, reserves=reserves)
    assert "black_0 has the hero Sword" in why_not(choosing, 0, "!S")
    assert "your hero is chosen first" in why_not(choosing, 0, "S@m8")


def test_why_tiles_are_held_by_a_sword_and_what_is_under_way_comes_first():
    swords = {"h4": "bS!", "g4": "wE", "f4": "wB" + "N", "f6": "wW"}
    games = at(swords, WHITE)
    assert "the enemy's hero Sword threatens g4" in why_not(games, 0, "g4-f5")
    assert "the enemy's hero Sword threatens g5" in why_not(games, 0, "f6-g5")
    pending = {"not": None, "price": 1, "shifted": True, "tile": "f4"}
    facing = at(swords, WHITE, phase="face", pending=pending)
    assert "the tile on f4 has to be faced first" in why_not(facing, 0, "f6-f7")
    lifted = at(swords, WHITE, phase="place", pending={"tile": "f6"})
    assert "it is wW that you have lifted" in why_not(lifted, 0, "S@d5")
    assert "the tile lifted from f6 has to be set down first" in why_not(lifted, 0, ".")
    assert "the enemy's hero Sword threatens g3" in why_not(lifted, 0, "W@g3")


# -- everywhere ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("door", "players"), [(paiko_v0, 2), (valley_v0, 3), *((ronin_v0, n) for n in range(4, 8))]
)
def test_every_move_that_may_not_be_made_has_a_reason(door, players):
    games, rng, asked = door.batch(1, players, seed=players), np.random.default_rng(0), 0
    for step, _ in enumerate(random_moves(games)):
        if step > 150:
            break
        for action in rng.choice(np.flatnonzero(~games.legal[0]), 12).tolist():
            text = games.action_text(0, action)
            if "off" not in text:
                assert ": " in why_not(games, 0, text), (text, games.state_dict(0))
                asked += 1
    assert asked > 500
