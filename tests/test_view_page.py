"""The replay page and the table in the browser: what they hold, and how they behave in Chromium."""

from __future__ import annotations

import http.client
import json
import re
import subprocess
import sys
import threading
import time
import zipfile
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from browser import Page, opened

from paiko_env.game import PAIKO
from shikoku_env.game import SHIKOKU
from tabletop_env.cli import main
from tabletop_env.film import AS_ALL, GONE, Film, changes
from tabletop_env.page import as_script, replay_page
from tabletop_env.policies import RANDOM
from tabletop_env.record import RecordError, write_records
from tabletop_env.render import draw
from tabletop_env.serve import MOST, Server, Table
from tabletop_env.session import Session
from tabletop_env.svg import css_colours, paint

ROOT = Path(__file__).parents[1]


@pytest.fixture(scope="module")
def records() -> list[Any]:
    return list(write_records(SHIKOKU, 5, 2, seed=3))


@pytest.fixture(scope="module")
def duel() -> list[Any]:
    return list(write_records(PAIKO, 2, 1, seed=7, max_turns=40))


def data_of(text: str) -> Any:
    match = re.search(r'<script type="application/json" id="data">(.*?)</script>', text, re.DOTALL)
    return json.loads(match[1])


# -- what a page holds ---------------------------------------------------------------------------


def replayed(data: Any, game: int, track: str) -> Iterator[dict[str, str]]:
    """The parts of a track in every frame, as the page's script puts them together."""
    tracks: dict[str, dict[int, int]] = {}
    for frame in data["games"][game]["frames"]:
        for name, flat in frame.items():
            parts = tracks.setdefault(name, {})
            for part, fragment in zip(flat[::2], flat[1::2], strict=True):
                if fragment == (GONE if name == "all" else AS_ALL):
                    del parts[part]
                else:
                    parts[part] = fragment
        shown = {**tracks["all"], **tracks.get(track, {})}
        yield {data["parts"][p]: data["pool"][f] for p, f in shown.items() if f != GONE}


@pytest.mark.parametrize("track", ["all", "player_3"])
def test_frames_put_together_are_the_pictures(records: list[Any], track: str):
    """Every frame of the page is what ``draw`` makes of that state."""
    data = data_of(replay_page(SHIKOKU, records))
    frames = list(replayed(data, 1, track))
    batch = Session(SHIKOKU, 5, policy=RANDOM, seed=4).games
    for frame, (agent, move, _) in zip(
        frames, [m for m in data["games"][1]["moves"] if m[0] != "chance"], strict=False
    ):
        picture = draw(batch, 0, None if track == "all" else track)
        drawn = {name: paint(text, css_colours) for name, text in picture.parts.items()}
        last = {name for name in frame.keys() & drawn.keys() if frame[name] != drawn[name]}
        assert frame.keys() == drawn.keys()
        assert all("--last" in frame[name] for name in last)  # only the mark of the last move
        assert batch.agent(0) == agent
        batch.step([batch.read_action(0, move)])


def test_a_page_of_a_viewer_holds_no_more_than_it_may_know(records: list[Any]):
    """Its frames are those that the viewer sees, and its moves those that it hears."""
    text = replay_page(SHIKOKU, records, "player_1")
    data = data_of(text)
    game = data["games"][0]
    assert game["viewers"] == []
    assert all(set(frame) == {"all"} for frame in game["frames"])
    heard = [move for agent, move, _ in game["moves"] if agent == "chance"]
    assert all(move.endswith("?") for move in heard if move.startswith("deal") and move[5] != "1")
    assert any(re.fullmatch(r"deal 1 \d+", move) for move in heard)
    frames = list(replayed(data, 0, "all"))
    assert frames == list(replayed(data_of(replay_page(SHIKOKU, records)), 0, "player_1"))
    with pytest.raises(ValueError, match="viewer is 'nobody'"):
        replay_page(SHIKOKU, records, "nobody")


def test_a_page_loads_nothing_and_stays_small(duel: list[Any]):
    text = replay_page(PAIKO, duel)
    policy = re.search(r'Content-Security-Policy" content="([^"]+)"', text)[1]
    assert "default-src 'none'" in policy
    assert "connect-src 'none'" in policy
    assert not re.search(
        r"(?:src|href)=\"(?!#|data:)|https?://(?!www\.w3\.org)|@import|url\(", text
    )
    assert "{{" not in text
    frames = len(data_of(text)["games"][0]["frames"])
    assert len(text) < 120_000 + 3000 * frames

    class Checker(HTMLParser):
        """Every element that is opened is closed."""

        def __init__(self) -> None:
            super().__init__()
            self.open: list[str] = []

        def handle_starttag(self, tag: str, attrs: Any) -> None:
            if tag not in ("meta", "link", "input"):
                self.open.append(tag)

        def handle_endtag(self, tag: str) -> None:
            assert self.open.pop() == tag

    checker = Checker()
    checker.feed(text)
    assert checker.open == []


def test_data_cannot_leave_its_element():
    assert as_script({"a": "</script><!--"}) == '{"a":"\\u003c/script>\\u003c!--"}'


def test_changes_name_what_is_new_other_and_gone():
    assert changes({1: 5, 2: 6, 3: 7}, {1: 5, 2: 8, 4: 9}, GONE) == [2, 8, 3, GONE, 4, 9]


def test_what_cannot_be_viewed(
    records: list[Any], tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    wrong = {**records[0], "moves": records[0]["moves"][:-1]}
    with pytest.raises(RecordError, match="the moves end before the game does"):
        replay_page(SHIKOKU, [wrong])
    with pytest.raises(ValueError, match="there is no game to show"):
        replay_page(SHIKOKU, [])
    file, page = tmp_path / "games.jsonl", tmp_path / "game.html"
    for lines, message in (
        ([], "game is None, expected one of shikoku"),
        ([{"game": "go"}], "game is 'go', expected one of shikoku"),
        ([records[0], {"game": "go"}], r"games of several kinds \(go, shikoku\)"),
        ([wrong], "the moves end before the game does"),
    ):
        file.write_text("".join(json.dumps(line) + "\n" for line in lines))
        assert main([SHIKOKU], "x", ["view", str(file), "-o", str(page)]) == 2
        assert re.search(message, capsys.readouterr().err)
        assert not page.exists()


def test_the_command_writes_a_page(records: list[Any], tmp_path: Path):
    file, page = tmp_path / "games.jsonl", tmp_path / "game.html"
    file.write_text("".join(json.dumps(record) + "\n" for record in records))
    assert main([SHIKOKU], "x", ["view", str(file), "-o", str(page)]) == 0
    assert page.read_text("utf-8") == replay_page(SHIKOKU, records)


def test_a_wheel_brings_everything_that_pages_and_frames_need(tmp_path: Path):
    builders = pytest.importorskip("hatchling.builders.wheel")
    (wheel,) = builders.WheelBuilder(str(ROOT)).build(
        directory=str(tmp_path), versions=["standard"]
    )
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(tmp_path / "there")
    program = (
        "from tabletop_env import page, raster; "
        "print(raster._FONTS[0], *(page.page('x', kind, {}, {}) for kind in ('play', 'replay')))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program],
        cwd=tmp_path / "there",
        env={"PYTHONPATH": str(tmp_path / "there"), "PATH": ""},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.startswith(str(tmp_path / "there"))
    for folder in ("web", "fonts"):
        ours = {path.name for path in (ROOT / "tabletop_env" / folder).iterdir()}
        assert ours == {p.name for p in (tmp_path / "there" / "tabletop_env" / folder).iterdir()}


def test_a_film_needs_an_artist():
    from tic_tac_toe import TIC_TAC_TOE

    with pytest.raises(ValueError, match="Tic-tac-toe has no pictures"):
        Film(TIC_TAC_TOE)


# -- the server ----------------------------------------------------------------------------------


@pytest.fixture
def server() -> Iterator[Server]:
    table = Table(lambda: Session(SHIKOKU, 4, policy=RANDOM, seed=1, seat="player_0"))
    with Server(table) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
        thread.start()
        yield server
        server.shutdown()
        thread.join()


def ask(server: Server, path: str, body: Any = None, **headers: str) -> tuple[int, str]:
    """A request; POST when there is a body."""
    connection = http.client.HTTPConnection("127.0.0.1", server.server_port, timeout=20)
    sent = {"Content-Type": "application/json"} if body is not None else {}
    data = body if isinstance(body, str) or body is None else json.dumps(body)
    connection.request("GET" if body is None else "POST", path, data, sent | headers)
    reply = connection.getresponse()
    text = reply.read().decode()
    connection.close()
    return reply.status, text


def deed(server: Server, name: str, **asked: Any) -> dict[str, Any]:
    status, text = ask(server, f"/{server.token}/{name}", asked)
    assert status == 200
    return json.loads(text)


def test_only_this_machine_is_served(server: Server):
    assert server.server_address[0] == "127.0.0.1"
    assert server.url.startswith(f"http://127.0.0.1:{server.server_port}/")
    assert len(server.token) >= 32


def test_without_token_or_with_another_host_there_is_nothing(server: Server):
    good = f"/{server.token}/"
    assert ask(server, good)[0] == 200
    for path in ("/", "/x/", good[:-1], good + "page", good + "../", f"/{server.token[:-1]}/"):
        assert ask(server, path)[0] == 404, path
    for host in ("evil.example", f"evil.example:{server.server_port}", "127.0.0.1", ""):
        assert ask(server, good, Host=host)[0] == 404, host
        assert ask(server, good + "look", {}, Host=host)[0] == 404, host
    assert ask(server, "/x/move", {"move": "play 1"})[0] == 404
    assert ask(server, good + "close", {})[0] == 404


def test_bad_requests_are_refused(server: Server):
    path = f"/{server.token}/look"
    assert ask(server, path, "{")[0] == 400
    assert ask(server, path, "[]")[0] == 400
    assert ask(server, path, "[" * 2000)[0] == 400
    assert ask(server, path, {"x": "y" * MOST})[0] == 413
    assert ask(server, path, {}, **{"Content-Type": "text/plain"})[0] == 415


def test_no_move_that_the_rules_forbid_gets_through(server: Server):
    session = server.table.session
    while not session.is_mine:
        deed(server, "advance")
    shown = deed(server, "look")
    before = session.games.state.tobytes()
    legal = [move for move, *_ in shown["legal"]]
    assert legal == session.legal()
    entries = len(session.log)
    for move in ("play 33", "take 1", "", "deal 0 1", 7, None, ["play 1"]):
        answer = deed(server, "move", move=move, moves=entries)
        assert answer["wrong"], move
        assert session.games.state.tobytes() == before
    assert deed(server, "move", move=legal[0], moves=entries + 1)["answer"].startswith(
        "the game has"
    )
    assert not deed(server, "move", move=legal[0], moves=entries)["wrong"]
    assert session.log[entries] == ("player_0", legal[0])
    if not session.is_mine:
        assert (
            deed(server, "move", move=legal[1], moves=entries + 1)["answer"]
            == "it is not your move"
        )


def test_the_page_gets_no_more_than_the_person_may_see(server: Server):
    parts = "".join(deed(server, "look")["parts"].values())
    hands = server.table.session.state["hands"]
    assert all(f'"card:{card}"' in parts for card in hands[0])
    assert not any(f'"card:{card}"' in parts for hand in hands[1:] for card in hand)


def test_hint_undo_resign_and_another_game(server: Server):
    session = server.table.session
    assert deed(server, "undo")["answer"] == "You have made no move yet."
    while not session.is_mine:
        deed(server, "advance")
    assert deed(server, "advance")["to_act"] == "player_0"  # nobody moves for the person
    assert re.fullmatch(r"The policy would choose: play \d+\.", deed(server, "hint")["answer"])
    entries = len(session.log)
    deed(server, "move", move=session.legal()[0], moves=entries)
    assert len(deed(server, "undo")["moves"]) == entries
    assert deed(server, "resign")["rewards"]["player_0"] == -1
    assert deed(server, "hint")["answer"] == "It is not your move."
    again = deed(server, "again")
    assert (again["moves"], again["rewards"]) == ([], None)


# -- in Chromium ---------------------------------------------------------------------------------


def test_a_replay_steps_to_the_end_and_shows_the_result(
    chromium: Any, records: list[Any], tmp_path: Path
):
    page = opened(chromium, tmp_path, replay_page(SHIKOKU, records))
    assert page.browser.title == "Shikoku"
    frames = page.run("return page.game.frames.length")
    assert page.words("#where") == f"position 0 of {frames - 1}"
    assert page.words("#result") == ""
    page.press("ARROW_RIGHT", "ARROW_RIGHT", "ARROW_LEFT")
    assert page.words("#where") == f"position 1 of {frames - 1}"
    for _ in range(frames):
        page.run("byId('next').click()")
    assert page.words("#where") == f"position {frames - 1} of {frames - 1}"
    rewards = ", ".join(f"{agent} {reward:+d}" for agent, reward in records[0]["rewards"].items())
    assert page.words("#result") == f"the end: {rewards}"
    assert "the end:" in page.words("#board")
    assert page.words("#moves .here").split("\n")[-1] == records[0]["moves"][-1][1]
    page.press("HOME")
    assert page.words("#where").startswith("position 0")
    page.run(
        "document.querySelectorAll('#moves li')[arguments[0]].click()", len(records[0]["moves"]) - 1
    )
    assert page.words("#where").startswith(f"position {frames - 1}")
    page.choose("#game", "1")
    page.press("END")
    rewards = ", ".join(f"{agent} {reward:+d}" for agent, reward in records[1]["rewards"].items())
    assert page.words("#result") == f"the end: {rewards}"
    assert page.errors() == []


def test_a_replay_plays_by_itself_shows_views_and_plots(
    chromium: Any, records: list[Any], tmp_path: Path
):
    page = opened(chromium, tmp_path, replay_page(SHIKOKU, records))
    hand = "return document.querySelectorAll('[data-part^=\"cards/\"] [data-spot]').length"
    everybody = page.run(hand)
    assert everybody == 15
    page.choose("#viewer", "player_2")
    assert page.run(hand) == 3
    heard = page.run(
        "return [...document.querySelectorAll('#moves li.chance')].map(e => e.textContent)"
    )
    assert sum(text.endswith("?") for text in heard) >= 12
    page.press("v")
    assert page.run("return byId('viewer').value") == "player_3"
    page.choose("#viewer", "")
    assert page.run(hand) == everybody
    page.choose("#speed", "50")
    page.press(" ")
    page.wait("return page.at > 2")
    page.press(" ")
    stopped = page.run("return page.at")
    time.sleep(0.15)
    assert page.run("return page.at") == stopped
    assert (
        page.run("return document.querySelectorAll('#plot path[stroke-width=\"2.2\"]').length") == 5
    )
    page.run(
        "const b = byId('plot').getBoundingClientRect();"
        "byId('plot').dispatchEvent(new MouseEvent('click', {clientX: b.left + b.width * 0.975}))"
    )
    assert page.run("return page.at === page.game.frames.length - 1")
    before = page.run("return getComputedStyle(document.body).backgroundColor")
    page.press("d")
    assert page.run("return getComputedStyle(document.body).backgroundColor") != before
    assert page.errors() == []


def test_the_board_of_a_duel_shows_every_tile_and_overlays(
    chromium: Any, duel: list[Any], tmp_path: Path
):
    page = opened(chromium, tmp_path, replay_page(PAIKO, duel))
    page.press("END")
    shown = page.run(
        "return [...document.querySelectorAll('[data-part^=\"tiles/\"]')].map(e => e.dataset.part)"
    )
    batch = Session(PAIKO, 2, policy=RANDOM, seed=7, max_turns=40).games
    for _, move in duel[0]["moves"]:
        batch.step([batch.read_action(0, move)])
    assert {part.split("/")[1] for part in shown} == set(batch.state_dict(0)["board"])
    counts = "return document.querySelectorAll('[data-part^=\"counts/\"]').length"
    assert page.run(counts) == 0
    page.press("o")
    assert page.run(counts) > 40
    assert page.words("#result").startswith("cut off: white_0 ")
    assert page.errors() == []


def test_a_person_plays_by_clicks(chromium: Any, server: Server):
    page = Page(chromium, server.url)
    session = server.table.session
    for _ in range(3):
        page.wait("return page.table && !page.busy && page.table.to_act === page.table.me")
        move = session.legal()[0]
        card = move.split()[1]
        entries = len(session.log)
        page.run(
            "document.querySelector(arguments[0]).dispatchEvent(new MouseEvent('click', {bubbles: true}))",
            f'[data-spot="card:{card}"]',
        )
        page.wait(f"return page.table.moves.length > {entries}")
        assert session.log[entries] == ("player_0", move)
    page.wait("return !page.busy && page.table.to_act === page.table.me")
    page.element("#text").send_keys("play 0\n")
    page.wait("return byId('answer').textContent.includes('is no move')")
    entries = len(session.log)
    page.element("#undo").click()
    page.wait(f"return page.table.moves.length < {entries}")
    page.wait("return !page.busy")
    page.run("window.confirm = () => true; byId('resign').click()")
    page.wait("return byId('result').textContent.includes('player_0 -1')")
    assert page.errors() == []
