"""A person at the terminal against policies."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tabletop_env.game import Game
from tabletop_env.paint import Paint, paint_for
from tabletop_env.policies import BatchPolicy
from tabletop_env.session import IllegalMoveError, Session

HELP = """\
Type a move as the list shows it, or the start of one to see those that begin so.
  legal    all legal moves                state   the table
  hint     what the policy would do       undo    take your last move back
  resign   give the game up               quit    leave
  help     this list"""
SHOWN = 12
"""How many moves a listing names before it says how many there are."""


def play(
    game: Game,
    num_players: int,
    *,
    policy: BatchPolicy,
    seat: str | None = None,
    seed: int | None = None,
    ask: Callable[[str], str] = input,
    tell: Callable[[str], None] = print,
    paint: Paint | None = None,
    **options: Any,
) -> int:
    """Play one game; ``seat`` is the person's agent. Returns the exit status."""
    session = Session(game, num_players, policy=policy, seat=seat, seed=seed, **options)
    desk = Desk(session, ask, tell, paint or paint_for())
    return desk.play()


class Desk:
    """A session at a prompt."""

    def __init__(
        self,
        session: Session,
        ask: Callable[[str], str],
        tell: Callable[[str], None],
        paint: Paint,
    ) -> None:
        self.session, self.ask, self.tell, self.paint = session, ask, tell, paint
        self.commands: dict[str, Callable[[], None]] = {
            "help": lambda: tell(HELP),
            "?": lambda: tell(HELP),
            "": lambda: tell(HELP),
            "legal": lambda: self.list(session.legal(), len(session.legal())),
            "state": self.show,
            "hint": lambda: tell(f"The policy would choose: {session.hint()}."),
            "undo": self.undo,
            "resign": session.resign,
        }

    def play(self) -> int:
        """Until the game is over, or the person leaves."""
        session = self.session
        title = session.games.game.title
        self.tell(f"{title}, seed {session.seed}. You are {session.me}.\n{HELP}")
        while not session.over:
            if not session.is_mine:
                agent, move = session.advance()
                self.tell(f"{agent}: {self.paint('bold', move)}")
            elif not self.turn():
                self.tell("Left before the end.")
                return 0
        self.show(everything=True)
        if session.resigned:
            self.tell(f"{session.me} has given up.")
        for agent, reward in session.rewards.items():
            self.tell(f"{agent}: {reward:+d}")
        return 0

    def turn(self) -> bool:
        """Ask until the person has moved, gone back or given up; whether they stay."""
        self.show()
        self.list(self.session.legal(), SHOWN)
        moves = len(self.session.log)
        while self.session.is_mine and len(self.session.log) == moves:
            try:
                line = self.ask("> ").strip()
            except EOFError:
                return False
            if line in ("quit", "exit"):
                return False
            if line in self.commands:
                self.commands[line]()
            else:
                self.move(line)
        return True

    def move(self, line: str) -> None:
        """Make a move, or say why not."""
        try:
            self.session.move(line)
        except IllegalMoveError as error:
            begun = [move for move in self.session.legal() if move.startswith(line)]
            if begun:
                self.list(begun, len(begun))
                return
            self.tell(self.paint("warn", f"{error}."))
            if error.like:
                self.tell(f"Legal and near: {', '.join(error.like)}")

    def undo(self) -> None:
        """Take back the last move, and what the others did since."""
        if self.session.undo():
            self.show()
        else:
            self.tell("You have made no move yet.")

    def show(self, everything: bool = False) -> None:
        """The table: what the person may see, or all of it."""
        session, game = self.session, self.session.games.game
        if game.artist is None:
            self.tell(game.text(session.games.state[0], None if everything else session.seat))
        else:
            viewer = None if everything else session.me
            self.tell(game.artist.text(session.state, viewer, self.paint))

    def list(self, legal: list[str], most: int) -> None:
        """Legal moves, the first of many."""
        more = f", … ({len(legal)} in all)" if len(legal) > most else ""
        self.tell(f"Legal: {', '.join(legal[:most])}{more}")
