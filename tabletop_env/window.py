"""A window that shows pictures, in a process of its own.

However long the program thinks between two moves, the window can be moved, resized and closed; when it
is resized, the picture is drawn anew at the new size. The process gets SVG, a JSON text a line, on its
standard input, and answers a line for each picture shown. pygame (the extra ``render``) is loaded there
only, so that nothing here needs a display.
"""

from __future__ import annotations

import io
import json
import os
import queue
import subprocess
import sys
import threading
from contextlib import suppress
from importlib.util import find_spec
from typing import IO, Any

from tabletop_env import raster

START = 620, 760
"""Size of the window at first, in pixels."""


class Window:
    """The program's end: starts the process, sends pictures."""

    def __init__(self, title: str) -> None:
        if find_spec("pygame") is None:
            raise raster.missing("a window needs pygame")
        path = os.pathsep.join(entry for entry in sys.path if entry)
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tabletop_env.window", title],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, "PYTHONPATH": path, "PYGAME_HIDE_SUPPORT_PROMPT": "1"},
        )
        self._shown = 0

    @property
    def is_open(self) -> bool:
        """Whether nobody has closed it."""
        return self._process.poll() is None

    def show(self, svg: str) -> tuple[int, int] | None:
        """Show a picture and wait until it is seen; its size in pixels, ``None`` if the window is closed.

        Raises
        ------
        RuntimeError
            If the window could not be opened at all; the process has said why on standard error.
        """
        try:
            self._send({"svg": svg})
            answer = self._process.stdout.readline()  # type: ignore[union-attr]
        except OSError:
            answer = ""
        if answer:
            self._shown += 1
            width, height = map(int, answer.split())
            return width, height
        if not self._shown and self._process.wait():
            raise RuntimeError("no window could be opened: is there a display?")
        return None

    def _send(self, message: dict[str, Any]) -> None:
        stream = self._process.stdin
        assert stream is not None
        stream.write(json.dumps(message) + "\n")
        stream.flush()

    def __del__(self) -> None:
        if hasattr(self, "_process"):  # it is not there if nothing could be started
            self.close()

    def close(self) -> None:
        """Close the window; once more does nothing."""
        for stream in (self._process.stdin, self._process.stdout):
            with suppress(OSError):
                stream.close()  # type: ignore[union-attr]
        try:
            self._process.wait(5)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()


# -- the window's own process --------------------------------------------------------------------


def run(title: str, source: IO[str], answers: IO[str]) -> None:
    """Show what comes from ``source`` until it ends or somebody closes the window."""
    import pygame

    pygame.display.init()
    pygame.display.set_mode(START, pygame.RESIZABLE)
    pygame.display.set_caption(title)
    inbox: queue.SimpleQueue[str] = queue.SimpleQueue()
    threading.Thread(target=_listen, args=(source, inbox), daemon=True).start()
    clock, svg, drawn_at = pygame.time.Clock(), "", (0, 0)
    while True:
        if any(event.type == pygame.QUIT for event in pygame.event.get()):
            return
        news = None if inbox.empty() else inbox.get()
        if news == "":
            return
        surface: Any = pygame.display.get_surface()
        if news is not None:
            svg = json.loads(news)["svg"]
        if svg and (news is not None or surface.get_size() != drawn_at):
            drawn_at = surface.get_size()
            size = _paint(pygame, surface, svg)
            if news is not None:
                print(*size, file=answers, flush=True)
        clock.tick(30)


def _listen(source: IO[str], inbox: queue.SimpleQueue[str]) -> None:
    for line in source:
        inbox.put(line)
    inbox.put("")


def _paint(pygame: Any, surface: Any, svg: str) -> tuple[int, int]:
    """Draw a picture as large as the window lets it be; its size."""
    wide, high = surface.get_size()
    natural = pygame.image.load(io.BytesIO(raster.png(svg, 64)), "picture.png").get_size()
    width = max(64, int(min(wide, high * natural[0] / natural[1])))
    image = pygame.image.load(io.BytesIO(raster.png(svg, width)), "picture.png")
    surface.fill(image.get_at((0, 0)))
    surface.blit(image, image.get_rect(center=(wide // 2, high // 2)))
    pygame.display.flip()
    return image.get_size()


if __name__ == "__main__":
    with suppress(KeyboardInterrupt):
        run(sys.argv[1], sys.stdin, sys.stdout)
    os._exit(0)  # the thread that listens may still wait for a line
