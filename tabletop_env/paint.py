"""Colours of terminals: where there are any, and how words get them."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Mapping
from typing import TextIO

Paint = Callable[[str, str], str]
"""``paint(style, words)``: the words in a style of ``STYLES``, or as they are."""

STYLES: Mapping[str, str] = {
    "bold": "1",
    "faint": "2",
    "white": "30;48;5;230",
    "black": "97;48;5;238",
    "red": "97;48;5;124",
    "white_home": "38;5;75",
    "black_home": "38;5;179",
    "black_square": "38;5;130",
    "aim": "1;38;5;39",
    "warn": "38;5;208",
    "pilgrim0": "38;5;214",
    "pilgrim1": "38;5;117",
    "pilgrim2": "38;5;36",
    "pilgrim3": "38;5;227",
    "pilgrim4": "38;5;32",
    "pilgrim5": "38;5;166",
    "pilgrim6": "38;5;175",
    "pilgrim7": "1",
}
"""Name to the codes of ECMA-48; the colours are those of the pictures, as near as 256 come."""


def plain(style: str, words: str) -> str:
    """No colours."""
    return words


def coloured(style: str, words: str) -> str:
    """With colours, whatever the terminal."""
    return f"\x1b[{STYLES[style]}m{words}\x1b[0m" if words else words


def paint_for(stream: TextIO | None = None) -> Paint:
    """Colours if the stream (by default standard output) is a terminal that has them.

    ``NO_COLOR``, when set to anything, switches them off; ``FORCE_COLOR`` switches them on.
    """
    stream = sys.stdout if stream is None else stream
    if os.environ.get("NO_COLOR"):
        return plain
    if os.environ.get("FORCE_COLOR"):
        return coloured
    capable = stream.isatty() and os.environ.get("TERM") not in (None, "", "dumb")
    return coloured if capable else plain
