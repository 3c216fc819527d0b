"""Looking at Paikō's larger games: a board turned for Black, hands that stay hidden, pages in Chromium."""

from __future__ import annotations

import json
import random
import re
import threading
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from browser import Page, opened
from helpers import position, random_moves
from test_ronin_hidden import permuted, some_states

from paiko_env import ronin_v0, valley_v0
from paiko_env.board import NAMES
from paiko_env.family import PaikoGame
from paiko_env.game import PAIKO
from paiko_env.overlay import survey_side
from paiko_env.picture import ARTIST, place
from paiko_env.ronin_game import RONIN
from paiko_env.valley_game import VALLEY
from tabletop_env.page import replay_page
from tabletop_env.policies import RANDOM, find_policy
from tabletop_env.record import write_records
from tabletop_env.render import draw, render
from tabletop_env.serve import Server, Table
from tabletop_env.session import Session

PLAYERS = range(4, 8)
every_count = pytest.mark.parametrize("players", PLAYERS)


def middle(games: Any, viewer: str | None, square: str, **marks: Any) -> tuple[float, float]:
    """Where a square is drawn, by what the picture says that the mouse points at."""
    drawn = draw(games, 0, viewer, **marks).parts["board/squares"]
    x, y, wide = map(
        float,
        re.search(
            rf'<rect x="([\d.]+)" y="([\d.]+)" width="([\d.]+)"[^>]*data-spot="{square}"', drawn
        ).groups(),
    )
    return x + wide / 2, y + wide / 2


# -- the board turned ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("game", "players"), [(PAIKO, 2), (VALLEY, 3), (RONIN, 4), (RONIN, 7)], ids=str
)
def test_every_colour_sees_its_own_homeground_at_the_lower_left(game: PaikoGame, players: int):
    games = Session(game, players, policy=RANDOM, seed=1).games
    for agent in games.agents:
        own, other = ("h14", "g1") if agent[0] == "b" else ("g1", "h14")
        assert middle(games, agent, own)[1] > middle(games, agent, other)[1]
    assert middle(games, "black_0", "a8") == place("n7")
    assert middle(games, None, "a8") == middle(games, "white_0", "a8") == place("a8")
    assert middle(games, "black_0", "a8", turned=False) == place("a8")
    assert middle(games, None, "a8", turned=True) == place("n7")
    names = re.findall(r'data-spot="(\w+)"', draw(games, 0, "black_0").parts["board/squares"])
    assert sorted(names) == sorted(NAMES)


def test_tiles_marks_and_facings_turn_with_the_board():
    board = {"f4": "wBN", "k9": "bFE"}
    state = {"game": "paiko", "to_act": "white_0", "board": board, "hands": {"white_0": "S"}}
    games = position(PAIKO, state)
    facing = position(PAIKO, {**state, "board": {"i11": "wBS", "d6": "bFW"}})
    seen = draw(games, 0, "black_0", last=["f4-f5"], targets=["g4"])
    as_white = draw(facing, 0, "white_0", last=["i11-i10"], targets=["h11"])
    for mine, theirs in (("tiles/f4", "tiles/i11"), ("tiles/k9", "tiles/d6"),
                         ("targets/g4", "targets/h11"), ("last/f5", "last/i10"),
                         ("last/f4-f5", "last/i11-i10")):  # fmt: skip
        there = as_white.parts[theirs].replace(f'"{theirs[6:]}"', f'"{mine[6:]}"')
        assert seen.parts[mine] == there
    turning = {"to_act": "black_0", "phase": "face"}
    assert ARTIST.words(turning, "^N") == "face ↓ north"
    assert ARTIST.words({**turning, "to_act": "white_0"}, "^N") == "face ↑ north"


def test_blacks_strip_and_points_lie_below_when_the_board_is_turned():
    games = Session(RONIN, 5, policy=RANDOM, seed=1).games
    tops = {}
    for viewer in ("white_0", "black_2"):
        parts = draw(games, 0, viewer).parts
        for agent in ("white_0", "black_2"):
            tops[viewer, agent] = float(re.search(r' y="([\d.]+)"', parts[f"plates/{agent}"])[1])
    assert tops["white_0", "white_0"] == tops["black_2", "black_2"] > 600
    assert tops["white_0", "black_2"] == tops["black_2", "white_0"] < 100


# -- overlays ------------------------------------------------------------------------------------


def test_threat_to_red_is_that_of_both_colours_and_only_tiles_cover():
    board = {"d9": "z", "e10": "wS", "c10": "bS", "k6": "wW", "g6": "c"}
    games = position(VALLEY, {"to_act": "red_0", "board": board, "red_hand": 3})
    seen = survey_side(games.state[0], "r")
    assert (seen["threat"]["d9"], seen["threat"]["d10"], seen["threat"]["f9"]) == (2, 2, 1)
    assert sorted(seen["cover"]) == ["j6", "k5", "k7", "l6"]
    picture = draw(games, 0, "black_0", overlay="red")
    assert "counts/j6-cover" in picture.parts
    assert "threat to Red" in "".join(picture.parts.values())
    with pytest.raises(ValueError, match="overlay is 'red', expected one of white, black"):
        PAIKO.artist.overlay(games.state[0], "red")


def test_no_corpse_may_be_laid_where_the_overlay_says_so():
    games, checked = valley_v0.batch(1, seed=3), 0
    for step, _ in enumerate(random_moves(games)):
        state = games.state_dict(0)
        if state["to_act"] != "red_0" or state["phase"] != "action" or not state["red_hand"]:
            continue
        seen = survey_side(games.state[0], "r")
        barred = {square for square, count in seen["threat"].items() if count > 2}
        free = set(NAMES) - set(state["board"]) - set(seen["cover"]) - barred
        assert {move[2:] for move in state["legal"] if move[0] == "C"} == free
        checked += 1
        if step > 300:
            break
    assert checked > 10


# -- what stays hidden (R11) ---------------------------------------------------------------------


@every_count
def test_pictures_and_policies_do_not_depend_on_what_is_hidden(players: int):
    rng = random.Random(players)
    games = ronin_v0.batch(1, players, max_rounds=12)
    greedy = find_policy(RONIN, "greedy")
    for state in some_states(players, step=41):
        for agent in games.agents:
            told = []
            for each in (state, permuted(state, agent, rng)):
                games.load_state_dict(0, each)
                games.reseed(seed=1)
                move = greedy.choose(games.copy(), np.zeros(1, np.int64))[0]
                mine = state["to_act"] == agent
                told.append((draw(games, 0, agent).svg(), move if mine else None))
                told[-1] += (render(games, 0, "ansi", agent),)
            assert told[0] == told[1]


@every_count
def test_a_page_of_a_black_holds_no_more_than_it_may_know(players: int):
    (record,) = write_records(RONIN, players, 1, seed=players, max_rounds=2)
    text = replay_page(RONIN, [record], "black_1")
    data = json.loads(re.search(r'id="data">(.*?)</script>', text, re.DOTALL)[1])
    heard = [move for agent, move, _ in data["games"][0]["moves"] if agent == "chance"]
    said = [move for agent, move in record["moves"] if agent == "chance"]
    own = [move for move in said if move.startswith(("draw black_1", "token"))]
    assert [move for move in heard if not move.endswith("?")] == own
    assert len(heard) == len(said)
    spots = set(re.findall(r'data-spot="(\w+)\.hand', " ".join(data["pool"])))
    assert spots <= {"black_1"}


def test_the_table_in_the_browser_shows_the_own_hand_alone():
    session = Session(RONIN, 5, policy=RANDOM, seed=2, seat="black_1")
    table = Table(lambda: session)
    for _ in range(40):
        shown = table.answer("look", {})
        spots = set(re.findall(r'data-spot="(\w+)\.hand', "".join(shown["parts"].values())))
        assert spots <= {"black_1"}
        if session.over:
            break
        table.answer("advance", {})
        if session.is_mine:
            table.answer("move", {"move": session.legal()[-1], "moves": len(session.log)})


# -- in Chromium ---------------------------------------------------------------------------------


@pytest.mark.parametrize("players", [4, 7])
def test_a_replay_of_ronin_shows_hands_to_whom_they_belong(
    chromium: Any, tmp_path: Path, players: int
):
    records = list(write_records(RONIN, players, 1, seed=3, max_rounds=3))
    page = opened(chromium, tmp_path, replay_page(RONIN, records))
    hands = (
        "return [...document.querySelectorAll('[data-spot*=\".hand.\"]')]"
        ".map(e => e.dataset.spot.split('.')[0])"
    )
    page.run("go(Math.round(page.game.frames.length / 2))")
    assert set(page.run(hands)) > {"black_1"}
    page.choose("#viewer", "black_1")
    assert set(page.run(hands)) <= {"black_1"}
    page.press("END")
    assert page.words("#result").startswith("cut off: white_0 0, black_0 0, black_1 0")
    assert page.errors() == []


def test_a_black_plays_ronin_by_clicks(chromium: Any):
    session = Session(RONIN, 5, policy=RANDOM, seed=5, seat="black_1")
    with Server(Table(lambda: session)) as server:
        threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
        page = Page(chromium, server.url)
        ready = "return page.table && !page.busy && page.table.to_act === page.table.me"
        page.wait(ready)
        hero = session.legal()[0]
        page.element("#text").send_keys(f"{hero}\n")
        page.wait("return page.table.moves.some(([who, move]) => who === 'black_1')")
        page.wait(ready)
        click = (
            "document.querySelector(arguments[0])"
            ".dispatchEvent(new MouseEvent('click', {bubbles: true}))"
        )
        entries = len(session.log)
        page.run(click, '[data-spot="black_1.hero"]')
        page.wait(
            "return !page.busy && document.querySelectorAll('[data-part^=\"targets/\"]').length"
        )
        goal = next(move[3:] for move in session.legal() if move.startswith(f"{hero[1]}!@"))
        page.run(click, f'[data-spot="{goal}"]')
        page.wait(f"return page.table.moves.length > {entries}")
        assert session.log[entries] == ("black_1", f"{hero[1]}!@{goal}")
        page.wait(ready)
        page.element("#text").send_keys("C@f4\n")
        page.wait("return byId('answer').textContent.includes('is no move')")
        assert page.errors() == []
        server.shutdown()
