"""A state of Shikoku as a picture: the stairs above, both mantra rows, then everybody's hand.

``draw`` works on any state of the notation; with a viewer it shows only what S8 lets that seat see.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from typing import Any

from shikoku_env import lines
from shikoku_env.rules import STAND_IN_TABLE, TOP
from tabletop_env.artist import Artist
from tabletop_env.game import Row, StateDict
from tabletop_env.paint import Paint, plain
from tabletop_env.svg import (
    Picture,
    circle,
    group,
    path,
    polygon,
    rect,
    tag,
    text,
    use,
)

WIDTH = 640
LAYERS = ("table", "marks", "stairs", "status", "rows", "hands", "cards", "pilgrims")

PILGRIMS = (  # colour in light and dark, colour of the digit on it
    ("#e69f00", "#e69f00", "#1c1b19"),
    ("#56b4e9", "#56b4e9", "#1c1b19"),
    ("#00805d", "#13a07a", "#ffffff"),
    ("#f0e442", "#f0e442", "#1c1b19"),
    ("#0064a0", "#2a7fc0", "#ffffff"),
    ("#c44d00", "#d55e00", "#ffffff"),
    ("#cc79a7", "#d98bb6", "#1c1b19"),
    ("#3a3a3a", "#e8e6e0", None),
)
"""Of seats 0..7, after Okabe and Ito."""

COLOURS = {
    **{f"pilgrim{seat}": (light, dark) for seat, (light, dark, _) in enumerate(PILGRIMS)},
    **{f"digit{seat}": (d, d) if d else ("#ffffff", "#1c1b19")
       for seat, (_, _, d) in enumerate(PILGRIMS)},
    "stone": ("#d9d1bf", "#3a3e48"),
    "stone_edge": ("#a79d88", "#5d6371"),
    "card": ("#ffffff", "#363b45"),
    "back": ("#8a7f9c", "#6d6480"),
    "last": ("#d9a400", "#f0e442"),
    "pagoda": ("#a8322a", "#c9544b"),
}  # fmt: skip

STAIRS_LEFT, STAIRS_BASE, STEP_WIDTH, STEP_RISE = 23, 424, 18, 8
ROW_TOP, ROW_HEIGHT, ROW_LEFT, CARD_STRIDE = 436, 76, 92, 67
HANDS_TOP, HAND_HEIGHT, HAND_WIDTH = 592, 37, 312


def draw(
    state: StateDict,
    viewer: str | None = None,
    *,
    dark: bool = False,
    overlay: Any = None,
    last: Sequence[str] = (),
    targets: Sequence[str] = (),
    options: Mapping[str, Any] | None = None,
) -> str:
    """The picture of a state as SVG; arguments as for ``tabletop_env.artist.Artist.compose``."""
    picture = ARTIST.compose(state, viewer, last=last, targets=targets, options=options)
    return picture.svg(dark)


class ShikokuArtist(Artist):
    """Draws Shikoku; spots are ``card:17``, scores the steps of the pilgrims."""

    def compose(
        self,
        state: StateDict,
        viewer: str | None = None,
        *,
        overlay: Any = None,
        last: Sequence[str] = (),
        targets: Sequence[str] = (),
        options: Mapping[str, Any] | None = None,
        turned: bool | None = None,
    ) -> Picture:
        seats = len(state["steps"])
        me = None if viewer is None else agents(seats).index(viewer)
        icons = (options or {}).get("step_table", STAND_IN_TABLE)
        label = f"Shikoku, round {state['turn']}, phase {state['phase']}"
        height = HANDS_TOP + HAND_HEIGHT * -(-seats // 2) + 6
        picture = Picture(WIDTH, height, LAYERS, COLOURS, label)
        for seat in range(seats):
            picture.define(f"pilgrim{seat}", pilgrim(seat))
        picture.put("table/stairs", stairs())
        put_pilgrims(picture, state["steps"])
        put_status(picture, state)
        put_deck(picture, state)
        marked = {int(move.split()[1]) for move in last if move.split()[0] in ("play", "take")}
        aimed = {int(spot.split(":")[1]) for spot in targets}
        for place, name in enumerate(("previous_row", "row")):
            put_row(picture, state[name], name, place, icons, marked, aimed)
        for seat in range(seats):
            put_hand(picture, state, seat, me, icons, aimed)
        return picture

    def text(self, state: StateDict, viewer: str | None = None, paint: Paint = plain) -> str:
        return lines.text(state, viewer, paint)

    def clicks(self, state: StateDict, move: str) -> tuple[str, ...]:
        return (f"card:{move.split()[1]}",)

    def series(self, agents: Sequence[str]) -> dict[str, str]:
        return {agent: f"pilgrim{seat}" for seat, agent in enumerate(agents)}

    def scores(self, state: StateDict) -> tuple[int, ...]:
        return tuple(state["steps"])

    def why_not(self, row: Row, state: StateDict, move: str) -> str:
        where = "previous row" if state["phase"] == "take" else f"hand of {state['to_act']}"
        return f"card {move.split()[1]} is not in the {where}"

    def heard(self, agent: str, move: str, viewer: str | None) -> str:
        if agent == "chance" and viewer is not None:
            verb, seat, _ = move.split()
            if verb == "deal" and viewer != f"player_{seat}":  # S8
                return f"deal {seat} ?"
        return move


def agents(seats: int) -> list[str]:
    return [f"player_{seat}" for seat in range(seats)]


# -- pilgrims ------------------------------------------------------------------------------------


@cache
def pilgrim(seat: int) -> str:
    """The token of a seat, about 20 wide around its middle: own colour, own mark, own digit."""
    look: dict[str, Any] = {"fill": f"$pilgrim{seat}", "stroke": "$ink", "stroke_width": 1.2}
    shape = (
        lambda: circle(0, 0, 8.6, **look),
        lambda: rect(-7.8, -7.8, 15.6, 15.6, rx=1, **look),
        lambda: polygon([(0, -9.6), (9.6, 7.4), (-9.6, 7.4)], stroke_linejoin="round", **look),
        lambda: polygon([(0, -10), (10, 0), (0, 10), (-10, 0)], **look),
        lambda: polygon(star(5, 10.4, 5.6), **look),
        lambda: polygon([(0, 9.8), (9.6, -7.2), (-9.6, -7.2)], stroke_linejoin="round", **look),
        lambda: path("M-4 -9H4V-4H9V4H4V9H-4V4H-9V-4H-4Z", **look),
        lambda: polygon(star(6, 9.6, 8.4), **look),
    )[seat]()
    drop = {2: 6, 4: 4.4, 5: 2.4}.get(seat, 3.7)
    return shape + text(0, drop, seat, 10, f"$digit{seat}", "middle", bold=True)


def star(rays: int, outer: float, inner: float) -> list[tuple[float, float]]:
    """Corners of a star, one ray upwards."""
    corners = []
    for corner in range(2 * rays):
        radius, angle = (inner if corner % 2 else outer), math.pi * corner / rays
        corners.append((radius * math.sin(angle), -radius * math.cos(angle)))
    return corners


def put_pilgrims(picture: Picture, steps: Sequence[int]) -> None:
    """All pilgrims on their steps; those who share one stand one above the other."""
    for seat, step in enumerate(steps):
        below = sum(other == step for other in steps[:seat])
        x, y = step_place(step)
        picture.put(f"pilgrims/{seat}", use(f"pilgrim{seat}", x, y - 11 - 19 * below))


# -- the stairs ----------------------------------------------------------------------------------


def step_place(step: int) -> tuple[float, float]:
    """The middle of a step's upper edge."""
    return STAIRS_LEFT + (step - 0.5) * STEP_WIDTH, STAIRS_BASE - 14 - step * STEP_RISE


@cache
def stairs() -> str:
    """The staircase of 33 steps, each with its number, and the pagoda."""
    edge = "".join(f"V{step_place(step)[1]}h{STEP_WIDTH}" for step in range(1, TOP + 1))
    body = f"M{STAIRS_LEFT} {STAIRS_BASE}{edge}V{STAIRS_BASE}Z"
    numbers = [
        text(x, y + 11, step, 9.5, "$ink", "middle", bold=step in (1, TOP))
        for step in range(1, TOP + 1)
        for x, y in [step_place(step)]
    ]
    x, y = step_place(TOP)
    ground = path(body, "$stone", stroke="$stone_edge", stroke_width=1)
    return "".join([ground, *numbers, group(pagoda(), x=x - 30, y=y - 32, scale=0.9, opacity=0.28)])


def pagoda() -> str:
    roof = "M{0} {1}Q0 {2} -{0} {1}L-{3} {4}H{3}Z"
    tiers = [roof.format(w, y, y + 3, w - 12, y - 12) for w, y in ((24, -24), (29, -2), (34, 20))]
    walls = [rect(-w, y, 2 * w, 12, "$pagoda") for w, y in ((12, -24), (15, -2), (18, 20))]
    return "".join([path("M-1.5 -62H1.5V-36H-1.5Z", "$pagoda")]
                   + [path(tier, "$pagoda") for tier in tiers] + walls)  # fmt: skip


# -- words, deck, cards --------------------------------------------------------------------------


def put_status(picture: Picture, state: StateDict) -> None:
    """Round, phase and whose move it is; in the end who has won."""
    picture.put(
        "status/title",
        text(23, 36, "Shikoku", 22, bold=True),
        text(23, 60, f"round {state['turn']}, phase {state['phase']}", 14, "$muted"),
    )
    x, y = 23, 88
    if state["over"]:
        winners = [int(a.split("_")[1]) for a, r in state["rewards"].items() if r > 0]
        words = "wins" if len(winners) == 1 else "win"
        picture.put("status/who", text(x, y, "the end:", 15, bold=True))
        for place, seat in enumerate(winners):
            picture.put("status/who", use(f"pilgrim{seat}", x + 88 + 24 * place, y - 5))
        what = words if winners else "nobody wins"
        shift = 88 + 24 * len(winners) if winners else 76
        picture.put("status/who", text(x + shift - 6, y, what, 15, bold=True))
    elif state["to_act"] in state["rewards"]:
        seat = int(state["to_act"].split("_")[1])
        picture.put(
            "status/who",
            use(f"pilgrim{seat}", x + 10, y - 5),
            text(x + 26, y, f"{state['to_act']} to {state['phase']}", 15, bold=True),
        )


def put_deck(picture: Picture, state: StateDict) -> None:
    """How many cards the deck has, and the cards that left the game."""
    x, y = 408, 330
    pile = min(3, -(-state["deck"] // 4))
    for place in range(pile):
        picture.put("status/deck", card_back(x - 34 + 2 * place, y - 2 * place))
    picture.put(
        "status/deck",
        text(x + 2, y + 14, f"deck: {state['deck']}", 13, bold=True),
        text(x + 2, y + 32, "out of the game:" if state["removed"] else "", 12, "$ink"),
    )
    for place, card in enumerate(state["removed"]):
        at_x, at_y = x - 34 + 25 * (place % 9), y + 40 + 20 * (place // 9)
        picture.put(
            "status/deck",
            rect(at_x, at_y, 22, 17, "$paper", rx=3, fill_opacity=0.75),
            text(at_x + 11, at_y + 13, card, 11, "$ink", "middle"),
        )


@lru_cache(256)
def card_back(x: float, y: float) -> str:
    lines = path(
        "M4 6L16 18M4 18L16 6M4 12H16", stroke="$paper", stroke_width=1, stroke_opacity=0.6
    )
    return group(
        rect(0, 0, 20, 25, "$back", rx=3, stroke="$paper", stroke_width=1), lines, x=x, y=y
    )


@lru_cache(4096)
def steps_mark(x: float, y: float, steps: int) -> str:
    """A sole, and how many steps a card goes up."""
    sole = tag("ellipse", cx=x, cy=y - 3.5, rx=2.2, ry=3.4, fill="$muted")
    heel = circle(x, y + 2.4, 1.5, "$muted")
    return sole + heel + text(x + 5, y + 3, steps, 10.5, "$muted")


def put_row(
    picture: Picture,
    row: Sequence[Sequence[int]],
    name: str,
    place: int,
    icons: Sequence[int],
    marked: set[int],
    aimed: set[int],
) -> None:
    """A mantra row: its cards from low to high, with their owners."""
    y = ROW_TOP + ROW_HEIGHT * place
    picture.put(f"table/{name}", rect(14, y, 612, ROW_HEIGHT - 6, "$panel", rx=6))
    upper, lower = ("this", "round") if place else ("round", "before")
    picture.put(
        f"table/{name}",
        text(24, y + 32, upper, 13, bold=True),
        text(24, y + 48, lower, 13, bold=True),
    )
    for position, (card, seat) in enumerate(row):
        x = ROW_LEFT + CARD_STRIDE * position
        edge = "$last" if card in marked else "$blue" if card in aimed else "$line"
        picture.put(f"rows/{card}", row_card(x, y + 6, card, seat, icons[card - 1], edge))


@lru_cache(8192)
def row_card(x: float, y: float, card: int, seat: int, steps: int, edge: str) -> str:
    """A card on a row, with the pilgrim of who played it."""
    strong = 1 if edge == "$line" else 3
    return group(
        rect(0, 0, 61, 58, "$card", rx=5, stroke=edge, stroke_width=strong),
        text(8, 30, card, 22, bold=True),
        steps_mark(12, 46, steps),
        use(f"pilgrim{seat}", 47, 44, 0.95),
        x=x,
        y=y,
        data_spot=f"card:{card}",
    )


# -- hands ---------------------------------------------------------------------------------------


def put_hand(
    picture: Picture,
    state: StateDict,
    seat: int,
    me: int | None,
    icons: Sequence[int],
    aimed: set[int],
) -> None:
    """A seat: its token, step and reward, and the cards of its hand that the viewer may see (S8)."""
    x, y = 10 + HAND_WIDTH * (seat % 2), HANDS_TOP + HAND_HEIGHT * (seat // 2)
    name = f"player_{seat}"
    acts, end = state["to_act"] == name, ""
    if state["over"]:
        end = "wins" if state["rewards"][name] > 0 else "loses"
    picture.put(f"hands/{seat}", seat_plate(seat, state["steps"][seat], acts, seat == me, end))
    known = set(state["known"][seat])
    hand = state["hands"][seat]
    seen = [card for card in hand if me in (None, seat) or card in known]
    for place in range(len(hand)):
        left = x + 120 + 46 * place
        if place >= len(seen):
            picture.put(f"cards/{seat}-{place}", card_back(left + 9, y + 3.5))
        else:
            card = seen[place]
            steps = icons[card - 1]
            drawing = hand_card(left, y + 3.5, card, steps, card in known, card in aimed)
            picture.put(f"cards/{seat}-{place}", drawing)


@lru_cache(4096)
def seat_plate(seat: int, step: int, acts: bool, me: bool, end: str) -> str:
    """A seat's ground, framed when it is to act, with its token, name and step, and how it ended."""
    x, y = 10 + HAND_WIDTH * (seat % 2), HANDS_TOP + HAND_HEIGHT * (seat // 2)
    edge: dict[str, Any] = {"stroke": "$blue", "stroke_width": 2} if acts else {}
    you = ", you" if me else ""
    return "".join(
        (
            rect(x + 4, y, HAND_WIDTH - 8, HAND_HEIGHT - 5, "$panel", rx=6, **edge),
            use(f"pilgrim{seat}", x + 19, y + 16),
            text(x + 35, y + 15, f"player_{seat}", 11.5, bold=acts),
            text(x + 35, y + 27, f"step {step}{you}", 10.5, "$muted"),
            text(x + 222, y + 20, end, 12, bold=end == "wins") if end else "",
        )
    )


@lru_cache(8192)
def hand_card(x: float, y: float, card: int, steps: int, known: bool, aimed: bool) -> str:
    """A card in a hand; a bar at its top says that everybody knows it."""
    edge = {"stroke": "$blue", "stroke_width": 2.4} if aimed else {"stroke": "$line"}
    bar = rect(4, 1.5, 35, 2.4, "$orange", rx=1) if known else ""
    return group(
        rect(0, 0, 43, 25, "$card", rx=4, **edge),
        bar,
        text(14, 19, card, 13, anchor="middle", bold=True),
        steps_mark(30.5, 15, steps),
        x=x,
        y=y,
        data_spot=f"card:{card}",
    )


ARTIST = ShikokuArtist()
