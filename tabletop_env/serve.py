"""A game of a person against policies in the browser, served to this machine alone.

The server listens on 127.0.0.1, answers only to requests that carry its random token and name it as their
host, and lets no move through that the session does not allow.
"""

from __future__ import annotations

import hmac
import json
import secrets
import threading
import webbrowser
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from tabletop_env.game import Game
from tabletop_env.page import page
from tabletop_env.render import draw
from tabletop_env.session import IllegalMoveError, Session
from tabletop_env.svg import css_colours, paint

MOST = 4096
"""Bytes that a request may bring; a move is a few letters long."""


class Table:
    """A session as the page sees it: every answer is the whole table as JSON values."""

    def __init__(self, begin: Callable[[], Session]) -> None:
        self.begin = begin
        self.session = begin()
        game = self.session.games.game
        if game.artist is None:
            raise ValueError(f"{game.title} has no pictures, so it is played in the terminal only")
        self.lock = threading.Lock()
        self.deeds: dict[str, Callable[[dict[str, Any]], str]] = {
            "look": lambda asked: "",
            "move": self.move,
            "advance": self.advance,
            "hint": self.hint,
            "undo": self.undo,
            "resign": self.resign,
            "again": self.again,
        }

    def page(self) -> str:
        """The page, ready to ask for the table."""
        game, picture = self.session.games.game, draw(self.session.games, 0, self.session.me)
        look = {
            "width": picture.width,
            "height": picture.height,
            "layers": picture.layers,
            "symbols": {},
            "overlays": dict(game.artist.overlays) if game.artist else {},
        }
        return page(game.title, "play", picture.colours, look)

    def answer(self, deed: str, asked: dict[str, Any]) -> dict[str, Any]:
        """Do something, and show the table as it is then."""
        with self.lock:
            try:
                words, like = self.deeds[deed](asked), []
                wrong = False
            except IllegalMoveError as error:
                words, like, wrong = str(error), error.like, True
            return {**self.show(asked), "answer": words, "like": like, "wrong": wrong}

    def show(self, asked: dict[str, Any]) -> dict[str, Any]:
        """The picture that the person may see, and what they may do."""
        session, artist = self.session, self.session.games.game.artist
        assert artist is not None
        state, legal = session.state, session.legal()
        clicks = {move: list(artist.clicks(state, move)) for move in legal}
        chosen, overlay = asked.get("chosen"), asked.get("overlay")
        spots = [spot[1] for spot in clicks.values() if len(spot) > 1 and spot[0] == chosen]
        if chosen is None:
            spots = [spot[0] for spot in clicks.values() if spot]
        picture = draw(
            session.games,
            0,
            None if session.over else session.me,
            overlay=overlay if overlay in list(artist.overlays) else None,
            last=session.last(),
            targets=sorted({*spots, *([chosen] if chosen and spots else [])}),
        )
        return {
            "symbols": {name: paint(text, css_colours) for name, text in picture.symbols.items()},
            "parts": {name: paint(text, css_colours) for name, text in picture.parts.items()},
            "legal": [[move, clicks[move], artist.words(state, move)] for move in legal],
            "me": session.me,
            "agents": session.games.agents,
            "to_act": session.to_act,
            "moves": session.log,
            "rewards": session.rewards if session.over else None,
            "seed": session.seed if session.over else None,  # it would tell every hidden card
        }

    def move(self, asked: dict[str, Any]) -> str:
        """The person's move, if the page has seen the position that it is for."""
        if asked.get("moves") != len(self.session.log):
            raise IllegalMoveError("the game has gone on since this page was drawn", [])
        self.session.move(str(asked.get("move", "")).strip())
        return ""

    def advance(self, asked: dict[str, Any]) -> str:
        """One move of a policy, if one is to act."""
        if not self.session.is_mine and not self.session.over:
            self.session.advance()
        return ""

    def hint(self, asked: dict[str, Any]) -> str:
        """What the policy would play in the person's place."""
        if not self.session.is_mine:
            return "It is not your move."
        return f"The policy would choose: {self.session.hint()}."

    def undo(self, asked: dict[str, Any]) -> str:
        return "" if self.session.undo() else "You have made no move yet."

    def resign(self, asked: dict[str, Any]) -> str:
        self.session.resign()
        return ""

    def again(self, asked: dict[str, Any]) -> str:
        self.session = self.begin()
        return ""


class Server(ThreadingHTTPServer):
    """Serves one table on 127.0.0.1; ``url`` is its secret address."""

    daemon_threads = True

    def __init__(self, table: Table, port: int = 0) -> None:
        super().__init__(("127.0.0.1", port), Handler)
        self.table = table
        self.token = secrets.token_urlsafe(24)

    @property
    def hosts(self) -> set[str]:
        """What a request may name as its host: another name would be a page from elsewhere."""
        return {f"127.0.0.1:{self.server_port}", f"localhost:{self.server_port}"}

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}/{self.token}/"


def say(words: str) -> None:
    """Print at once, into a file too."""
    print(words, flush=True)


def serve(
    game: Game,
    num_players: int,
    *,
    port: int = 0,
    browser: bool = True,
    tell: Callable[[str], None] = say,
    **arguments: Any,
) -> int:
    """Serve a game until the program is interrupted; ``arguments`` as for ``Session``."""

    def begin() -> Session:
        seed = arguments.pop("seed", None)  # another game is another one
        return Session(game, num_players, seed=seed, **arguments)

    with Server(Table(begin), port) as server:
        tell(f"{game.title} is at {server.url} (Ctrl-C ends it)")
        if browser:
            webbrowser.open(server.url)
        server.serve_forever()
    return 0


class Handler(BaseHTTPRequestHandler):
    """GET the page, POST a deed; everything else is refused."""

    server: Server
    protocol_version = "HTTP/1.1"
    timeout = 60

    def do_GET(self) -> None:
        """The page."""
        if self._deed() == "":
            self._send(200, "text/html; charset=utf-8", self.server.table.page())
        else:
            self._refuse(404, "there is nothing here")

    def do_POST(self) -> None:
        """A deed and what the page asks about it, answered with the table."""
        deed = self._deed()
        if deed is None or deed not in self.server.table.deeds:
            self._refuse(404, "there is nothing here")
            return
        if self.headers.get("Content-Type") != "application/json":
            self._refuse(415, "expected JSON")
            return
        length = self.headers.get("Content-Length", "")
        if not length.isdecimal() or len(length) > 9 or int(length) > MOST:
            self._refuse(413, f"expected at most {MOST} bytes")
            return
        try:
            asked = json.loads(self.rfile.read(int(length)))
        except (ValueError, RecursionError):
            asked = None
        if not isinstance(asked, dict):
            self._refuse(400, "expected a JSON object")
            return
        self._send(200, "application/json", json.dumps(self.server.table.answer(deed, asked)))

    def _deed(self) -> str | None:
        """What follows the token in the path; ``None`` if host or token are not ours."""
        if self.headers.get("Host") not in self.server.hosts:
            return None
        _, token, *rest = [*self.path.split("/"), ""]
        right = hmac.compare_digest(token.encode(), self.server.token.encode())
        return "/".join(rest).rstrip("/") if right and rest[:-1] else None

    def _refuse(self, status: int, words: str) -> None:
        self.close_connection = True  # what the request brought has not been read
        self._send(status, "text/plain; charset=utf-8", words)

    def _send(self, status: int, kind: str, body: str) -> None:
        data = body.encode()
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(data)))
        self.send_header("Cache-Control", "no-store")
        self.send_header("X-Content-Type-Options", "nosniff")
        self.send_header("X-Frame-Options", "DENY")
        self.send_header("Referrer-Policy", "no-referrer")
        self.send_header("Cross-Origin-Resource-Policy", "same-origin")
        if self.close_connection:
            self.send_header("Connection", "close")
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, format: str, *arguments: Any) -> None:
        """The terminal stays quiet."""
