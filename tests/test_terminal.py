"""A person at the prompt: the board, help, hints, going back, giving up, and answers to illegal moves."""

from __future__ import annotations

import itertools
import os
import pty
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from test_pictures import CASES
from tic_tac_toe import TIC_TAC_TOE

import paiko_env.lines
from paiko_env.game import PAIKO
from shikoku_env.game import SHIKOKU
from tabletop_env.complaint import legal_texts, nearest, why_not
from tabletop_env.game import Game
from tabletop_env.paint import coloured, plain
from tabletop_env.policies import RANDOM
from tabletop_env.session import IllegalMoveError, Session
from tabletop_env.terminal import SHOWN, play


def at_prompt(game: Game, players: int, *lines: str, **arguments: Any) -> tuple[int, str]:
    """Type lines, then leave; the exit status and all that was said."""
    said: list[str] = []
    typed = itertools.chain(lines, itertools.repeat("quit"))
    status = play(
        game,
        players,
        policy=RANDOM,
        seed=arguments.pop("seed", 1),
        ask=lambda prompt: next(typed),
        tell=said.append,
        paint=arguments.pop("paint", plain),
        **arguments,
    )
    return status, "\n".join(said)


def started(game: Game, players: int, **arguments: Any) -> Session:
    return Session(game, players, policy=RANDOM, seed=arguments.pop("seed", 1), **arguments)


# -- commands ------------------------------------------------------------------------------------


def test_help_and_leaving():
    status, said = at_prompt(SHIKOKU, 4, "help", "?", "")
    assert status == 0
    assert said.startswith("Shikoku, seed 1. You are player_0.")
    assert said.count("give the game up") == 4
    assert said.endswith("Left before the end.")


def test_the_end_of_the_input_is_leaving():
    def nothing(prompt: str) -> str:
        raise EOFError

    said: list[str] = []
    assert play(SHIKOKU, 4, policy=RANDOM, seed=1, ask=nothing, tell=said.append, paint=plain) == 0
    assert said[-1] == "Left before the end."


def test_a_hint_is_legal_and_changes_nothing():
    session = started(SHIKOKU, 4)
    while not session.is_mine:
        session.advance()
    before = session.games.state.tobytes()
    assert session.hint() in session.legal()
    assert session.games.state.tobytes() == before
    assert "The policy would choose: play " in at_prompt(SHIKOKU, 4, "hint")[1]


def test_undo_goes_back_to_the_move_before():
    session = started(SHIKOKU, 5, seat="player_2")
    assert not session.undo()
    positions = []
    for _ in range(3):
        while not session.is_mine:
            session.advance()
        positions.append((session.games.state.tobytes(), list(session.log)))
        session.move(session.legal()[0])
    for state, log in reversed(positions):
        assert session.undo()
        assert (session.games.state.tobytes(), session.log) == (state, log)
        assert session.is_mine
    assert not session.undo()
    assert "You have made no move yet." in at_prompt(SHIKOKU, 5, "undo")[1]


def test_who_resigns_has_lost_and_may_think_better_of_it():
    status, said = at_prompt(SHIKOKU, 4, "resign")
    assert status == 0
    assert "player_0 has given up." in said
    assert said.endswith("player_0: -1\nplayer_1: +0\nplayer_2: +0\nplayer_3: +0")
    session = started(TIC_TAC_TOE, 2)
    session.move("b2")
    session.resign()
    assert session.over
    assert session.legal() == []
    with pytest.raises(IllegalMoveError, match="the game is over"):
        session.move("a1")
    assert session.undo()
    assert not session.over
    assert session.legal() == [column + row for row in "123" for column in "abc"]


def test_a_whole_game_with_its_result():
    _, said = at_prompt(TIC_TAC_TOE, 2, *[f"{c}{r}" for r in "123" for c in "abc"] * 2)
    assert re.search(r"x_0: [+-][01]\no_0: [+-][01]$", said)


def test_long_lists_are_cut_and_the_start_of_a_move_shows_what_begins_so():
    _, said = at_prompt(TIC_TAC_TOE, 2, "a", "legal")
    assert "Legal: a1, a2, a3\n" in said + "\n"
    session = started(PAIKO, 2)
    while session.games.agent(0) and session.games.game.phase(session.games.state[0]) == "setup":
        session.games.step(session.games.sample_legal())
    assert len(session.legal() or legal_texts(session.games, 0)) > SHOWN


# -- moves that are not legal --------------------------------------------------------------------


def test_an_illegal_move_is_answered_with_a_reason_and_what_is_near():
    session = started(SHIKOKU, 4)
    while not session.is_mine:
        session.advance()
    card = next(c for c in range(1, 34) if f"play {c}" not in session.legal())
    before = session.games.state.tobytes()
    with pytest.raises(IllegalMoveError) as refused:
        session.move(f"play {card}")
    assert str(refused.value) == (
        f"'play {card}' is not legal in phase play: card {card} is not in the hand of player_0"
    )
    assert sorted(refused.value.like) == sorted(session.legal())
    with pytest.raises(IllegalMoveError, match="'jump' is no move, expected 'play 1'"):
        session.move("jump")
    assert session.games.state.tobytes() == before
    assert session.log == []
    _, said = at_prompt(SHIKOKU, 4, "play 33")
    assert "card 33 is not in the hand of player_0.\nLegal and near: play " in said


def test_a_move_out_of_turn():
    session = started(SHIKOKU, 4, seat="player_3")
    if session.is_mine:
        session.move(session.legal()[0])
    with pytest.raises(IllegalMoveError, match="it is not your move"):
        session.move("play 1")


BOARD = {"f4": "wS", "f5": "wL", "e5": "wFN3", "h6": "bS", "c9": "wA", "g9": "bBS"}
STATE = {
    "game": "paiko", "to_act": "white_0", "turn": 10, "board": BOARD,
    "hands": {"white_0": "BWL"}, "reserves": {"w": "S"},
}  # fmt: skip


@pytest.fixture(scope="module")
def paiko() -> Any:
    """A position of the game for two."""
    from tabletop_env.batch import Batch

    games = Batch(PAIKO, 1, 2)
    games.load_state_dict(0, STATE)
    return games


@pytest.mark.parametrize(
    ("move", "reason"),
    [
        ("S@d6", "you have no Sword in your hand"),
        ("B@f4", "wS stands on f4"),
        ("B@f9", "f9 is a black square"),
        ("B@g5", "there is 2 threat on g5"),
        ("B@n8", "n8 is neither on your homeground nor threatened by a tile of yours"),
        ("c9-c10", "Air cannot shift"),
        ("e5-e6", "the tile on e5 has shifted in three turns on end"),
        ("h6-h5", "no tile of yours stands on h6"),
        ("f4-f5", "wL stands on f5"),
        ("f4*", "this tile may not be lifted"),
        ("a7*", "no tile of yours stands on a7"),
        (".", "you may not pass while there is something that you can do"),
        ("^N", "no tile is to be turned now"),
        ("+B", "no Bow can be had now"),
    ],
)
def test_why_a_move_of_paiko_is_not_legal(paiko: Any, move: str, reason: str):
    assert move not in legal_texts(paiko, 0)
    assert reason in why_not(paiko, 0, move)
    assert "not legal in phase action" in why_not(paiko, 0, move)


def test_every_illegal_move_of_paiko_has_a_reason(paiko: Any):
    for action in np.flatnonzero(~paiko.legal[0])[::17]:
        text = paiko.action_text(0, int(action))
        if "off" not in text:
            assert ": " in why_not(paiko, 0, text), text


def test_near_moves_share_squares_or_tiles(paiko: Any):
    assert all(move.startswith("f4-") for move in nearest(paiko, 0, "f4-f8", 3))
    assert all(move.endswith("@d4") for move in nearest(paiko, 0, "S@d4", 2))
    assert nearest(paiko, 0, "+Q", 1) == ["+S"]
    assert len(nearest(paiko, 0, "nonsense")) == 6


# -- the board in lines --------------------------------------------------------------------------


@pytest.mark.parametrize("name", [name for name in CASES if not name.startswith("shikoku")])
def test_the_board_shows_every_tile_where_it_stands(name: str):
    state = CASES[name]["state"]
    lines = paiko_env.lines.text(state).split("\n")
    assert lines[1].split() == list("abcdefghijklmn") == lines[16].split()
    ranks = {14 - y: lines[2 + y] for y in range(14)}
    assert all(
        line.startswith(f"{rank:2} ") and line.endswith(f" {rank:2}")
        for rank, line in ranks.items()
    )
    for square, written in state["board"].items():
        at = 3 + 4 * "abcdefghijklmn".index(square[0])
        shown = ranks[int(square[1:])][at : at + 4].strip()
        assert shown == written.rstrip("123").replace("!~", "%"), square
    assert len({len(line) for line in ranks.values()}) == 1


def test_lines_hide_what_the_viewer_may_not_see():
    state = CASES["ronin-7"]["state"]
    said = paiko_env.lines.text(state, "black_2")
    hidden = {**state, "reserves": {side: "A" * len(p) for side, p in state["reserves"].items()}}
    hidden["hands"] = {a: h if a == "black_2" else "L" * len(h) for a, h in state["hands"].items()}
    assert paiko_env.lines.text(hidden, "black_2") == said
    assert paiko_env.lines.text(hidden) != paiko_env.lines.text(state)


def test_colours_at_the_prompt():
    _, said = at_prompt(SHIKOKU, 4, "play 99", paint=coloured)
    assert "\x1b[38;5;208m" in said
    assert "\x1b" not in at_prompt(SHIKOKU, 4, "play 99")[1]


# -- the command ---------------------------------------------------------------------------------


def run_in_terminal(lines: str, **environment: str) -> str:
    """``play`` with a pseudo-terminal as standard output."""
    command = [sys.executable, "-m", "shikoku_env", "play", "--players", "3", "--seed", "1"]
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        command,
        stdin=subprocess.PIPE,
        stdout=theirs,
        cwd=Path(__file__).parents[1],
        env={
            **{k: v for k, v in os.environ.items() if k != "NO_COLOR"},
            "TERM": "xterm-256color",
            **environment,
        },
    )
    os.close(theirs)
    process.stdin.write(lines.encode())
    process.stdin.close()
    said = b"".join(_read_all(ours)).decode()
    assert process.wait() == 0
    return said


def _read_all(descriptor: int) -> Iterator[bytes]:
    with os.fdopen(descriptor, "rb", buffering=0) as stream:
        while True:
            try:
                piece = stream.read(4096)
            except OSError:  # the other end is closed
                return
            if not piece:
                return
            yield piece


def test_a_terminal_has_colours_unless_it_is_told_not_to():
    assert "\x1b[" in run_in_terminal("quit\n")
    assert "\x1b[" not in run_in_terminal("quit\n", NO_COLOR="1")
