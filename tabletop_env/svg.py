"""Pictures as SVG, put together from named parts.

A part is the drawing of one thing (a tile on its square, a hand, a line of text) in one layer. Parts
have names so that a test can say what changed, a web page can exchange what moved and leave the rest,
and nothing that a viewer may not see is ever in the text. Colours are written by name, ``$ink``, and
become light or dark ones, or CSS variables, when the picture is written out.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from xml.sax.saxutils import escape, quoteattr

FONT = "'DejaVu Sans', Verdana, Arial, sans-serif"
"""Of like widths on every system; the first is the one that ``tabletop_env.raster`` brings along."""

Colours = Mapping[str, tuple[str, str]]
"""Name to its light and its dark form."""

COMMON_COLOURS: Colours = {
    "paper": ("#faf8f3", "#1d1f24"),
    "panel": ("#efebe1", "#292c33"),
    "line": ("#c9c2b2", "#474c57"),
    "ink": ("#1c1b19", "#f0eee8"),
    "muted": ("#6a655b", "#a9a79f"),
    "blue": ("#0072b2", "#56b4e9"),
    "orange": ("#e69f00", "#f0b429"),
    "green": ("#00805d", "#2bc79a"),
    "vermilion": ("#d55e00", "#ff8a3d"),
    "yellow": ("#f0d400", "#f0e442"),
}
"""After Okabe and Ito: they stay apart for eyes that see no red, no green or no blue."""

_COLOUR = re.compile(r"\$(\w+)")


def number(value: float) -> str:
    """A coordinate, as short as can be."""
    return f"{round(value, 2):g}"


def tag(name: str, *inside: str, **attributes: object) -> str:
    """An element; ``stroke_width=2`` is written ``stroke-width="2"``, ``None`` is left out."""
    words = [name]
    for key, value in attributes.items():
        if isinstance(value, int | float):
            words.append(f'{key.replace("_", "-")}="{number(value)}"')
        elif value is not None:
            words.append(f"{key.replace('_', '-')}={quoted(str(value))}")
    head = " ".join(words)
    return f"<{head}>{''.join(inside)}</{name}>" if inside else f"<{head}/>"


@lru_cache(1024)
def quoted(value: str) -> str:
    """An attribute's value, escaped, in quotation marks."""
    return quoteattr(value)


def rect(x: float, y: float, width: float, height: float, fill: str, **more: object) -> str:
    return tag("rect", x=x, y=y, width=width, height=height, fill=fill, **more)


def box(x: float, y: float, size: float, fill: str, **more: object) -> str:
    """A square around its middle."""
    return rect(x - size / 2, y - size / 2, size, size, fill, **more)


def circle(x: float, y: float, radius: float, fill: str, **more: object) -> str:
    return tag("circle", cx=x, cy=y, r=radius, fill=fill, **more)


def polygon(points: Sequence[tuple[float, float]], fill: str, **more: object) -> str:
    places = " ".join(f"{number(x)},{number(y)}" for x, y in points)
    return tag("polygon", points=places, fill=fill, **more)


def path(line: str, fill: str = "none", **more: object) -> str:
    return tag("path", d=line, fill=fill, **more)


def group(*inside: str, x: float = 0, y: float = 0, turn: float = 0, scale: float = 1,
          **more: object) -> str:  # fmt: skip
    """Elements moved, then turned clockwise by degrees, then scaled."""
    steps = [f"translate({number(x)} {number(y)})"] if x or y else []
    steps += [f"rotate({number(turn)})"] if turn else []
    steps += [f"scale({number(scale)})"] if scale != 1 else []
    return tag("g", *inside, transform=" ".join(steps) or None, **more)


def text(x: float, y: float, words: object, size: float = 12, fill: str = "$ink",
         anchor: str | None = None, bold: bool = False, **more: object) -> str:  # fmt: skip
    """Words on a base line; ``anchor`` is ``middle`` or ``end``."""
    inside = escape(str(words)).replace("$", "&#36;")
    weight = "bold" if bold else None
    return tag("text", inside, x=x, y=y, font_size=size, fill=fill, text_anchor=anchor,
               font_weight=weight, **more)  # fmt: skip


def use(symbol: str, x: float = 0, y: float = 0, scale: float = 1, **more: object) -> str:
    """A symbol that ``Picture.define`` was told, with its middle at a point."""
    where = f"translate({number(x)} {number(y)})"
    if scale != 1:
        where += f" scale({number(scale)})"
    return tag("use", href=f"#{symbol}-$theme", transform=where, **more)


class Picture:
    """A drawing in parts.

    Parameters
    ----------
    width, height
        In units that are pixels at the natural size.
    layers
        From the back to the front. A part's name is ``layer/thing``; things of one layer do not overlap.
    colours
        Those that the fragments name, beside ``COMMON_COLOURS``.
    label
        What the picture shows, for those who do not see it.
    """

    def __init__(
        self, width: int, height: int, layers: Sequence[str], colours: Colours, label: str
    ) -> None:
        self.width, self.height = width, height
        self.layers = tuple(layers)
        self.colours = {**COMMON_COLOURS, **colours}
        self.label = label
        self.symbols: dict[str, str] = {}
        self.parts: dict[str, str] = {}

    def define(self, symbol: str, *fragments: str) -> None:
        """A drawing that ``use`` refers to."""
        self.symbols[symbol] = "".join(fragments)

    def put(self, name: str, *fragments: str) -> None:
        """Add to a part."""
        if name.split("/")[0] not in self.layers:
            raise ValueError(f"part is {name!r}, expected a layer of {self.layers}")
        self.parts[name] = self.parts.get(name, "") + "".join(fragments)

    def svg(self, dark: bool = False) -> str:
        """The whole drawing as one SVG document, a part a line."""
        return paint("\n".join(self._lines()) + "\n", literal_colours(self.colours, dark))

    def _lines(self) -> list[str]:
        size = f'width="{self.width}" height="{self.height}"'
        lines = [
            f'<svg xmlns="http://www.w3.org/2000/svg" {size} '
            f'viewBox="0 0 {self.width} {self.height}" font-family="{FONT}" role="img">',
            f"<title>{escape(self.label)}</title>",
            "<defs>",
            *(f'<g id="{name}-$theme">{inside}</g>' for name, inside in self.symbols.items()),
            "</defs>",
            rect(0, 0, self.width, self.height, "$paper"),
        ]
        for layer in self.layers:
            inside = [name for name in self.parts if name.split("/")[0] == layer]
            lines += (f'<g data-part="{name}">{self.parts[name]}</g>' for name in inside)
        return [*lines, "</svg>"]

    def _repr_svg_(self) -> str:
        """What a notebook shows."""
        return self.svg()

    def __str__(self) -> str:
        return self.svg()


def paint(fragment: str, colour: Callable[[str], str]) -> str:
    """Write a fragment's colours out."""
    return _COLOUR.sub(lambda match: colour(match[1]), fragment)


def literal_colours(colours: Colours, dark: bool) -> Callable[[str], str]:
    """For ``paint``: the light or the dark ones. ``$theme`` keeps the names of symbols apart."""
    forms = {name: pair[dark] for name, pair in colours.items()}
    forms["theme"] = "d" if dark else "l"
    return forms.__getitem__


def css_colours(name: str) -> str:
    """For ``paint``: variables of a style sheet, so that a page can go dark by itself."""
    return "page" if name == "theme" else f"var(--{name})"
