"""Make the README's pictures: ``python examples/screenshots.py`` writes PNG files into docs/images/.

Boards are drawn by the library itself (the extra ``render``); pages are opened in a headless Chromium with
selenium (the extra ``test``), and left out where there is none. All games are random ones of fixed seeds,
so that a picture changes only when its drawing does.
"""

from __future__ import annotations

import argparse
import io
import re
import shutil
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image

from paiko_env.paiko_v0 import batch as duel
from paiko_env.valley_v0 import batch as valley
from shikoku_env.shikoku_v0 import batch as shikoku
from tabletop_env import raster
from tabletop_env.batch import Batch
from tabletop_env.page import replay_page
from tabletop_env.policies import find_policy
from tabletop_env.record import write_records
from tabletop_env.serve import Server, Table
from tabletop_env.session import Session

WIDTH = 600


def main() -> None:
    """Draw everything, or what is named on the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("names", nargs="*", help=f"some of: {', '.join(SHOTS)}; by default all")
    parser.add_argument("-o", "--output", type=Path, default=Path("docs/images"))
    given = parser.parse_args()
    given.output.mkdir(parents=True, exist_ok=True)
    for name in given.names or SHOTS:
        data = SHOTS[name]()
        if data is None:
            print(f"{name}: left out, no Chromium with its chromedriver is here")
            continue
        path = given.output / f"{name}.png"
        path.write_bytes(smaller(data))
        print(f"{path}: {path.stat().st_size // 1024} kB")


def smaller(data: bytes) -> bytes:
    """A PNG without an alpha channel, packed as tightly as it gets."""
    out = io.BytesIO()
    Image.open(io.BytesIO(data)).convert("RGB").save(out, "PNG", optimize=True)
    return out.getvalue()


# -- boards --------------------------------------------------------------------------------------


def played(games: Batch, until: Callable[[dict[str, Any]], bool]) -> tuple[Batch, list[str]]:
    """Play the library's own policy until a state is worth a picture; its batch, and the last moves."""
    policy = find_policy(games.game, "greedy" if "greedy" in games.game.policies else "random")
    last: list[str] = []
    mover = None
    while not games.done[0] and not until(games.state_dict(0)):
        agent = games.agent(0)
        action = int(policy.choose(games, np.zeros(1, np.int64))[0])
        move = games.action_text(0, action)
        last, mover = ([*last, move] if agent == mover else [move]), agent
        games.step([action])
    return games, last


def board(games: Batch, until: Callable[[dict[str, Any]], bool], **how: Any) -> bytes:
    """A board as a PNG file."""
    games, last = played(games, until)
    dark = how.pop("dark", False)
    return raster.png(games.picture(0, last=last, **how).svg(dark), WIDTH)


def after(turn: int) -> Callable[[dict[str, Any]], bool]:
    """The first action of a turn."""
    return lambda state: state["turn"] >= turn and state["phase"] == "action"


def ronin() -> bytes | None:
    """The Ronin Prince, as one of the Blacks sees it."""
    from paiko_env.ronin_v0 import batch

    games = batch(1, 6, seed=3)
    return board(
        games, lambda state: state["turn"] >= 2 and state["to_act"] == "black_2", viewer="black_2"
    )


# -- pages ---------------------------------------------------------------------------------------


@contextmanager
def chromium() -> Iterator[Any]:
    """A headless browser, or ``None``."""
    binary, driver = shutil.which("chromium"), shutil.which("chromedriver")
    try:
        from selenium import webdriver
    except ImportError:
        binary = None
    if not binary or not driver:
        yield None
        return
    options = webdriver.ChromeOptions()
    options.binary_location = binary
    with tempfile.TemporaryDirectory() as profile:
        for word in (
            "headless", "no-sandbox", "disable-gpu", "disable-quic", "no-first-run",
            "disable-background-networking", "disable-component-update", "disable-sync",
            "disable-dev-shm-usage", "window-size=1180,900", f"user-data-dir={profile}",
        ):  # fmt: skip
            options.add_argument(f"--{word}")
        browser = webdriver.Chrome(options=options, service=webdriver.ChromeService(driver))
        try:
            yield browser
        finally:
            browser.quit()


def replay(games: Batch, share: float, *scripts: str) -> bytes | None:
    """The replay page of one game, ``share`` of the way through it."""
    policies = "greedy" if "greedy" in games.game.policies else "random"
    records = write_records(games.game, games.num_players, 1, seed=7, policies=policies)
    with chromium() as browser, tempfile.TemporaryDirectory() as folder:
        if browser is None:
            return None
        file = Path(folder, "game.html")
        file.write_text(replay_page(games.game, records), "utf-8")
        browser.get(file.as_uri())
        for script in (*scripts, f"go(Math.round({share} * (page.game.frames.length - 1)))"):
            browser.execute_script(script)
        return browser.get_screenshot_as_png()


def table(games: Batch, moves: int, spot: str) -> bytes | None:
    """A game in the browser after some moves of the person, with a spot clicked."""
    policy = find_policy(games.game, "greedy" if "greedy" in games.game.policies else "random")
    session = Session(games.game, games.num_players, policy=policy, seed=11)
    while moves and not session.over:
        if session.is_mine:
            session.move(session.hint())
            moves -= session.state["phase"] != "setup"
        else:
            session.advance()
    with chromium() as browser, Server(Table(lambda: session)) as server:
        if browser is None:
            return None
        threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
        browser.get(server.url)
        wait(browser, "return page.table && !page.busy && page.table.to_act === page.table.me")
        clicks = "return page.table.legal.map(([, spots]) => spots[0])"
        spots = [s for s in browser.execute_script(clicks) if s and re.fullmatch(spot, s)]
        browser.execute_script("choose(arguments[0])", max(spots, key=spots.count))
        wait(browser, "return !page.busy")
        image = browser.get_screenshot_as_png()
        server.shutdown()
        return image


def wait(browser: Any, script: str) -> None:
    """Until a script returns something true."""
    while not browser.execute_script(script):
        time.sleep(0.05)


SHOTS: dict[str, Callable[[], bytes | None]] = {
    "shikoku": lambda: board(
        shikoku(1, 8, seed=3), lambda state: state["turn"] == 3 and len(state["row"]) == 5
    ),
    "shikoku-dark": lambda: board(
        shikoku(1, 5, seed=5),
        lambda state: state["turn"] == 4 and state["phase"] == "take",
        viewer="player_2",
        dark=True,
    ),
    "paiko": lambda: board(duel(1, seed=1), after(34)),
    "paiko-overlay": lambda: board(duel(1, seed=1), after(34), overlay="black", dark=True),
    "valley": lambda: board(valley(1, seed=2), after(15)),
    "ronin": ronin,
    "replay": lambda: replay(duel(1), 0.9, "byId('overlay').value = 'white'"),
    "play": lambda: table(duel(1), 12, r"white_0\.hand\.[^L]"),
}


if __name__ == "__main__":
    main()
