"""Looking through the doors: text, frames, a window, videos, notebooks."""

from __future__ import annotations

import copy
import pickle
import re
import time
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest
from pettingzoo.test import render_test
from tic_tac_toe import TIC_TAC_TOE

from paiko_env.picture import draw, place
from shikoku_env import shikoku_v0
from shikoku_env.game import SHIKOKU
from shikoku_env.picture import PILGRIMS, step_place
from tabletop_env import raster, render
from tabletop_env.aec import GameEnv
from tabletop_env.batch import Batch
from tabletop_env.paint import coloured, paint_for, plain
from tabletop_env.vector import GameSeatEnv, GameVectorEnv
from tabletop_env.window import Window

try:
    from paiko_env.game import PAIKO
except ImportError:  # pragma: no cover
    PAIKO = None

GAMES = [pytest.param(game, id=game.name) for game in (SHIKOKU, PAIKO) if game is not None]


def started(game: Any, plies: int = 20, seed: int = 3, games: int = 1) -> Batch:
    """A batch some way into its games."""
    batch = Batch(game, games, game.players[-1], seed=seed)
    for _ in range(plies):
        batch.step(batch.sample_legal())
    return batch


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(render, "FPS", 1000)


# -- frames --------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", GAMES)
def test_a_frame_is_a_picture_of_the_right_size(game: Any):
    batch = started(game, games=2)
    frame = batch.render(1)
    assert frame.dtype == np.uint8
    assert frame.ndim == 3
    assert frame.shape[2] == 3
    assert all(side % 2 == 0 for side in frame.shape[:2])
    assert frame.flags.owndata
    assert frame.flags.writeable
    assert frame.mean() > 180  # light paper, not black
    assert len(np.unique(frame.reshape(-1, 3), axis=0)) > 50
    dark = batch.render(1, dark=True)
    assert dark.shape == frame.shape
    assert dark.mean() < 90
    assert batch.render(1, width=300).shape[1] == 300
    assert not np.array_equal(frame, batch.render(0))


def test_a_moved_pilgrim_has_moved():
    """Its colour is on the step where it stands, and not where it stood."""
    batch = Batch(SHIKOKU, 1, 3, seed=1)
    colour = np.array([int(PILGRIMS[0][0][i : i + 2], 16) for i in (1, 3, 5)])

    def is_on(step: int) -> bool:
        (x, y), frame = step_place(step), batch.render(0).astype(int)
        return bool(np.abs(frame[int(y) - 17, int(x) - 4] - colour).max() < 12)

    start = int(batch.state["steps"][0][0])
    assert is_on(start)
    assert not is_on(30)
    batch.state["steps"][0][0] = 30
    assert not is_on(start)
    assert is_on(30)


def test_a_moved_tile_has_moved():
    state: dict[str, Any] = {
        "game": "paiko", "turn": 3, "phase": "action", "to_act": "white_0", "over": False,
        "truncated": False, "rewards": {"white_0": 0, "black_0": 0}, "legal": [],
        "board": {"d6": "bS"}, "hands": {"white_0": "", "black_0": ""},
        "reserves": {"w": "", "b": ""}, "points": {"w": 0, "b": 0}, "lost": {"w": 0, "b": 0},
        "pending": None,
    }  # fmt: skip
    before, after = raster.frame(draw(state)), raster.frame(draw(state | {"board": {"e7": "bS"}}))
    for frame, square, dark in (
        (before, "d6", True), (before, "e7", False), (after, "d6", False), (after, "e7", True)
    ):  # fmt: skip
        x, y = map(int, place(square))
        assert (frame[y - 13, x - 13].mean() < 90) == dark, square


@pytest.mark.parametrize("game", GAMES)
def test_overlays_come_from_the_kernels(game: Any):
    batch = started(game)
    for overlay in game.artist.overlays:
        assert batch.render(0, "svg", overlay=overlay) != batch.render(0, "svg")
    with pytest.raises(ValueError, match="overlay is 'x', expected one of"):
        batch.render(0, "svg", overlay="x")


def test_rows_while_chance_is_due_can_be_seen():
    batch = Batch(SHIKOKU, 1, 5, explicit_chance=True)
    for _ in range(17):
        assert batch.agent(0) == "chance"
        assert batch.render(0, "svg")
        assert "phase setup" in batch.render(0, "ansi")
        batch.step(batch.sample_legal())


def test_a_finished_game_says_who_won():
    batch = Batch(SHIKOKU, 1, 4, seed=5)
    batch.playout()
    assert ">the end:<" in batch.render(0, "svg")
    assert batch.render(0, "svg").count(">wins<") == (batch.rewards[0] > 0).sum() + (
        (batch.rewards[0] > 0).sum() == 1
    )


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((0, "film"), "mode is 'film', expected 'ansi', 'svg' or 'rgb_array'"),
        ((0, "svg", "nobody"), "viewer is 'nobody', expected None, a seat or one of"),
        ((0, "svg", 8), "viewer is 8, expected"),
    ],
)
def test_what_cannot_be_rendered(arguments: tuple[Any, ...], message: str):
    with pytest.raises(ValueError, match=message):
        started(SHIKOKU).render(*arguments)
    with pytest.raises(IndexError, match="row is 1"):
        started(SHIKOKU).render(1)


def test_a_game_without_an_artist_has_its_text():
    env = GameEnv(TIC_TAC_TOE, 2, render_mode="ansi")
    env.reset(seed=0)
    assert env.render() == "...\n...\n..."
    assert env.metadata["render_modes"] == ["ansi"]
    with pytest.raises(ValueError, match="Tic-tac-toe has no pictures"):
        env.games.render()
    with pytest.raises(ValueError, match="render_mode is 'human', expected None or 'ansi'"):
        GameEnv(TIC_TAC_TOE, 2, render_mode="human")


# -- environments --------------------------------------------------------------------------------


def test_pettingzoos_render_test():
    opened = []

    def env(**arguments: Any) -> GameEnv:
        opened.append(shikoku_v0.env(3, **arguments))
        return opened[-1]

    render_test(env)
    for one in opened:
        one.close()


@pytest.mark.parametrize("game", GAMES)
def test_a_move_shows(game: Any):
    env = GameEnv(game, game.players[0], render_mode="rgb_array")
    env.reset(seed=1)
    frame = env.render()
    env.step(int(np.flatnonzero(env.infos[env.agent_selection]["action_mask"])[0]))
    assert not np.array_equal(frame, env.render())
    assert env.metadata["render_fps"] == 2


def test_the_last_moves_of_an_agent_are_marked():
    env = shikoku_v0.env(3, render_mode="rgb_array")
    env.reset(seed=1)
    assert env._screen is not None
    for _ in range(3):
        action = int(np.flatnonzero(env.infos[env.agent_selection]["action_mask"])[0])
        move = env.games.action_text(0, action)
        env.step(action)
        assert env._screen.last == [move]
    env.reset(seed=1)
    assert env._screen.last == []


def test_a_learner_sees_what_it_may():
    env = GameSeatEnv(SHIKOKU, 5, seat=2, render_mode="rgb_array")
    env.reset(seed=4)
    assert np.array_equal(env.render(), env.envs.games.render(0, viewer="player_2"))
    envs = GameVectorEnv(SHIKOKU, 3, 5, seat="random", render_mode="rgb_array")
    envs.reset(seed=4)
    frames = envs.render()
    assert len(frames) == 3
    for row, frame in enumerate(frames):
        assert np.array_equal(frame, envs.games.render(row, viewer=int(envs._seats[row])))


def test_gymnasium_records_a_video(tmp_path: Path):
    pytest.importorskip("moviepy")
    env = gymnasium.make("shikoku_env/Shikoku-v0", num_players=3, render_mode="rgb_array")
    assert env.metadata["render_fps"] == 2
    env = gymnasium.wrappers.RecordVideo(
        env, str(tmp_path), episode_trigger=lambda episode: True, disable_logger=True
    )
    _, info = env.reset(seed=1)
    done = False
    while not done:
        action = int(np.flatnonzero(info["action_mask"])[0])
        _, _, terminated, truncated, info = env.step(action)
        done = terminated or truncated
    env.close()
    (video,) = tmp_path.glob("*.mp4")
    assert video.stat().st_size > 5000


# -- the window ----------------------------------------------------------------------------------


def test_a_window_shows_pictures_and_lives_by_itself():
    svg = started(SHIKOKU, plies=0).render(0, "svg")
    window = Window("Shikoku")
    try:
        width, height = window.show(svg)
        assert width > 400
        assert height > 400
        time.sleep(0.2)  # nothing is asked of it meanwhile
        assert window.is_open
        assert window.show(svg) == (width, height)
        window._process.terminate()  # as if somebody had closed it
        window._process.wait()
        assert not window.is_open
        assert window.show(svg) is None
    finally:
        window.close()
    window.close()


def test_the_window_follows_an_environment(monkeypatch: pytest.MonkeyPatch):
    shown: list[str] = []
    monkeypatch.setattr(Window, "__init__", lambda self, title: None)
    monkeypatch.setattr(Window, "show", lambda self, svg: shown.append(svg))
    monkeypatch.setattr(Window, "close", lambda self: shown.append("closed"))
    for env in (
        shikoku_v0.env(4, render_mode="human"),
        shikoku_v0.seat_env(4, render_mode="human"),
    ):
        shown.clear()
        env.reset(seed=1)
        assert len(shown) == 1
        masks = env.infos[env.agent_selection] if isinstance(env, GameEnv) else None
        mask = masks["action_mask"] if masks else env.action_masks()
        env.step(int(np.flatnonzero(mask)[0]))
        assert len(shown) == 2
        assert shown[0] != shown[1]
        assert env.render() is None
        if isinstance(env, GameEnv):
            for twin in (copy.deepcopy(env), pickle.loads(pickle.dumps(env))):
                assert twin._screen._window is None
                assert twin._screen.last == env._screen.last
        env.close()
        env.close()
        assert shown.count("closed") == 1


def test_what_is_missing_is_named(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("tabletop_env.window.find_spec", lambda name: None)
    with pytest.raises(
        ImportError, match=r"a window needs pygame: pip install 'tabletop-env\[render\]'"
    ):
        Window("Shikoku")
    monkeypatch.setitem(__import__("sys").modules, "resvg_py", None)
    with pytest.raises(
        ImportError, match=r"frames need resvg: pip install 'tabletop-env\[render\]'"
    ):
        started(SHIKOKU).render(0)


# -- colours of terminals ------------------------------------------------------------------------


class Stream:
    """A stream that may be a terminal."""

    def __init__(self, terminal: bool) -> None:
        self.terminal = terminal

    def isatty(self) -> bool:
        return self.terminal


def test_colours_only_where_there_are_any(monkeypatch: pytest.MonkeyPatch):
    for name in ("NO_COLOR", "FORCE_COLOR"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("TERM", "xterm-256color")
    assert paint_for(Stream(True)) is coloured
    assert paint_for(Stream(False)) is plain
    monkeypatch.setenv("TERM", "dumb")
    assert paint_for(Stream(True)) is plain
    monkeypatch.setenv("FORCE_COLOR", "1")
    assert paint_for(Stream(False)) is coloured
    monkeypatch.setenv("NO_COLOR", "1")
    assert paint_for(Stream(True)) is plain


@pytest.mark.parametrize("game", GAMES)
def test_colours_change_no_word(game: Any):
    batch = started(game)
    state = render.scene(batch, 0)
    text, painted = game.artist.text(state), game.artist.text(state, None, coloured)
    assert re.sub(r"\x1b\[[\d;]*m", "", painted) == text
    assert painted != text
