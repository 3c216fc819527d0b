"""Around Paikō's board: hands, reserves, points, whose move it is; for all three games."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from paiko_env.glyphs import Piece, sign_only, symbol
from paiko_env.lines import number_of
from paiko_env.tiles import LETTERS
from tabletop_env.game import StateDict
from tabletop_env.svg import Picture, circle, group, path, rect, text, use

STRIPS = (4, 704)
"""Tops of the strips: that of the colour which sits above, and below."""
STRIP_HEIGHT = 74
BOARD_TOP, BOARD_BOTTOM = 94, 682
HAND_LEFT, HAND_STRIDE, HAND_SCALE = 116, 38, 0.86
RESERVE_LEFT, RESERVE_STRIDE, RESERVE_SCALE = 433, 25, 0.6
SIDES = {"w": "white", "b": "black", "r": "red"}


def put_panels(
    picture: Picture,
    state: StateDict,
    viewer: str | None,
    title: str,
    targets: set[str],
    turned: bool,
) -> None:
    """Everything beside the board; ``turned``, Black sits below."""
    ronin = state["game"] == "ronin"
    above, below = "wb" if turned else "bw"
    top = dict(zip((above, below), STRIPS, strict=True))
    put_status(picture, state, title)
    put_strip(picture, state, "white_0", viewer, targets, top["w"])
    if ronin:
        put_blacks(picture, state, viewer, targets, top["b"])
    else:
        put_strip(picture, state, "black_0", viewer, targets, top["b"])
    put_points(picture, state, below, 26, BOARD_BOTTOM - 8, None)
    put_points(picture, state, above, 614, BOARD_TOP + 26, "end")
    if state["game"] == "valley":
        put_red(picture, state)
    if ronin and viewer is None:
        put_pile(picture, state["reserves"]["b"], "b", 447, BOARD_TOP + 62, targets)
    elif ronin:
        words = f"reserve: {number_of(len(state['reserves']['b']), 'tile')}"
        place = (26, BOARD_BOTTOM - 48) if turned else (614, BOARD_TOP + 50)
        anchor = None if turned else "end"
        picture.put("panels/reserve-b", text(*place, words, 12, "$muted", anchor))


# -- words in the corners ------------------------------------------------------------------------


def put_status(picture: Picture, state: StateDict, title: str) -> None:
    """Upper left: the game, its turn and phase, who is to act, or who has won."""
    unit = "round" if state["game"] == "ronin" else "turn"
    picture.put(
        "status/title",
        text(26, BOARD_TOP + 14, title, 18, bold=True),
        text(26, BOARD_TOP + 35, f"{unit} {state['turn']}, {state['phase']}", 13, "$muted"),
    )
    y = BOARD_TOP + 58
    agent = state["to_act"]
    if state["over"]:
        winners = [name for name, reward in state["rewards"].items() if reward > 0]
        words = f"{winners[0].split('_')[0]} wins" if winners else "a tie"
        words = "cut off" if state["truncated"] else words
        picture.put("status/who", text(26, y, f"the end: {words}", 15, bold=True))
    elif agent in state["rewards"]:
        left = (state["pending"] or {}).get("left")
        actions = state.get("actions_left")
        more = f", {left} left" if left else f", {actions} left" if actions else ""
        picture.put(
            "status/who",
            mini_plate(33, y - 5, SIDES[agent[0]]),
            text(46, y, f"{agent} to act{more}", 14, bold=True),
        )


def mini_plate(x: float, y: float, side: str) -> str:
    return rect(x - 7, y - 7, 14, 14, f"${side}_tile", rx=3, stroke="$ink", stroke_width=1.2)


def put_points(
    picture: Picture, state: StateDict, side: str, x: float, y: float, anchor: str | None
) -> None:
    """A colour's points, and what it has lost."""
    points, lost = state["points"][side], state["lost"][side]
    away = 1 if anchor is None else -1
    wide = 24 if points > 9 else 0
    picture.put(
        f"panels/points-{side}",
        text(x, y, points, 36, anchor=anchor, bold=True),
        text(x + away * (30 + wide), y - 12, f"{SIDES[side]}'s points", 12.5, "$ink", anchor),
        text(x + away * (30 + wide), y + 2, f"lost {lost}" if lost else "", 12, "$muted", anchor),
    )


def put_red(picture: Picture, state: StateDict) -> None:
    """Lower right: Red's hand and zombies."""
    zombies = sum(written[0] == "z" for written in state["board"].values())
    x, y = 614, BOARD_BOTTOM - 46
    for name in "cz":
        picture.define(f"red-{name}", symbol(Piece("red", name, "", False, False, 0)))
    picture.put(
        "panels/red",
        use("red-c", x - 12, y - 42, 0.6),
        text(x - 30, y - 37, f"hand {state['red_hand']}", 14, anchor="end", bold=True),
        use("red-z", x - 12, y - 14, 0.6),
        text(x - 30, y - 9, zombies, 14, anchor="end", bold=True),
    )


# -- hands and reserves --------------------------------------------------------------------------


def put_strip(
    picture: Picture, state: StateDict, agent: str, viewer: str | None, targets: set[str], y: float
) -> None:
    """The hand and the reserve of a colour that one agent plays."""
    side, ronin = agent[0], state["game"] == "ronin"
    hand, reserve = state["hands"][agent], state["reserves"][side]
    put_plate(picture, state, agent, 10, y, 620)
    you = " (you)" if viewer == agent else ""
    picture.put(
        f"panels/name-{agent}",
        text(20, y + 24, agent, 13, bold=True),
        text(20, y + 42, you.strip() or f"{len(hand)} in hand", 11.5, "$muted"),
    )
    middle = y + STRIP_HEIGHT / 2 + 2
    if ronin and viewer not in (None, agent):
        put_backs(picture, agent, HAND_LEFT, middle, len(hand))
    else:
        put_hand(picture, hand, agent, HAND_LEFT, middle, targets)
    if ronin and viewer is not None:
        words = f"reserve: {number_of(len(reserve), 'tile')}"
        picture.put(f"panels/reserve-{side}", text(520, middle + 4, words, 12, "$muted", "middle"))
    elif state["game"] != "valley":
        put_pile(picture, reserve, side, RESERVE_LEFT, middle, targets)


def put_plate(
    picture: Picture, state: StateDict, agent: str, x: float, y: float, width: float
) -> None:
    """The ground of a panel, framed when its agent is to act."""
    frame: dict[str, Any] = {}
    if state["to_act"] == agent:
        frame = {"stroke": "$blue", "stroke_width": 2.4}
    plate = rect(x, y, width, STRIP_HEIGHT, "$panel", rx=8, **frame)
    picture.put(f"plates/{agent}", plate)


def put_hand(
    picture: Picture, hand: str, agent: str, left: float, y: float, targets: set[str]
) -> None:
    """Eight places, a type each, with the number of tiles where there are several."""
    for place, letter in enumerate(LETTERS):
        part = f"panels/hand-{agent}-{place}"
        x, count, spot = left + HAND_STRIDE * place, hand.count(letter), f"{agent}.hand.{letter}"
        if not count:
            picture.put(part, empty_place(x, y, letter, HAND_SCALE))
            continue
        tile = loose_tile(picture, SIDES[agent[0]], letter, x, y, HAND_SCALE)
        aimed = ring(x, y, 36) if spot in targets else ""
        picture.put(part, group(tile, badge(x, y, count), aimed, data_spot=spot))


def put_pile(
    picture: Picture, reserve: str, side: str, left: float, y: float, targets: set[str]
) -> None:
    """A reserve: small tiles, the number of each below it."""
    for place, letter in enumerate(LETTERS):
        part, spot = f"panels/reserve-{side}-{place}", f"{side}.reserve.{letter}"
        x, count = left + RESERVE_STRIDE * place, reserve.count(letter)
        if not count:
            picture.put(part, empty_place(x, y - 7, letter, RESERVE_SCALE))
            continue
        name = f"{SIDES[side]}-{letter}-sign"
        picture.define(name, sign_only(SIDES[side], letter))
        tile = use(name, x, y - 7, RESERVE_SCALE)
        aimed = ring(x, y - 7, 25) if spot in targets else ""
        words = text(x, y + 18, f"{letter} {count}", 11, "$ink", "middle")
        picture.put(part, group(tile, words, aimed, data_spot=spot))
    words = f"reserve: {len(reserve)}"
    picture.put(f"panels/reserve-{side}", text(left - 11, y - 24, words, 11, "$muted"))


def put_backs(
    picture: Picture, agent: str, left: float, y: float, count: int, stride: float = HAND_STRIDE
) -> None:
    """Tiles that the viewer may not see."""
    for place in range(count):
        x = left + stride * place
        part = f"panels/hand-{agent}-{place}"
        picture.put(part, rect(x - 15, y - 15, 30, 30, "$muted", rx=6, fill_opacity=0.55),
                    text(x, y + 5, "?", 14, "$paper", "middle", bold=True))  # fmt: skip


def loose_tile(picture: Picture, side: str, letter: str, x: float, y: float, scale: float) -> str:
    """A tile off the board: it faces nowhere."""
    piece = Piece(side, letter, "", False, False, 0)
    picture.define(piece.symbol, symbol(piece))
    return use(piece.symbol, x, y, scale)


@lru_cache(256)
def empty_place(x: float, y: float, letter: str, scale: float) -> str:
    half = 18 * scale
    return rect(x - half, y - half, 2 * half, 2 * half, "none", rx=5, stroke="$line") + text(
        x, y + 4, letter, 11, "$line", "middle"
    )


def badge(x: float, y: float, count: int) -> str:
    if count < 2:
        return ""
    return circle(x + 14, y - 13, 7.5, "$blue", stroke="$panel", stroke_width=1.4) + text(
        x + 14, y - 9.2, count, 10.5, "$panel", "middle", bold=True
    )


def ring(x: float, y: float, size: float) -> str:
    half = size / 2
    return rect(x - half, y - half, size, size, "none", rx=8, stroke="$blue", stroke_width=2.4)


# -- the Blacks of Ronin -------------------------------------------------------------------------


def put_blacks(
    picture: Picture, state: StateDict, viewer: str | None, targets: set[str], y: float
) -> None:
    """One panel a Black: name, token, hero, and the hand as far as the viewer may see it (R11)."""
    blacks = [agent for agent in state["hands"] if agent != "white_0"]
    width = 620 / len(blacks)
    for place, agent in enumerate(blacks):
        x = 10 + width * place
        put_plate(picture, state, agent, x + 1.5, y, width - 3)
        part = f"panels/name-{agent}"
        you = " (you)" if viewer == agent and width > 110 else ""
        picture.put(part, text(x + 10, y + 18, agent + you, 12, bold=True))
        if state["token"] == agent:
            flag = path("M0 0V-13H9L6.5 -9.5L9 -6H1.5", "$orange", stroke="$ink", stroke_width=1)
            picture.put(part, group(flag, x=x + width - 18, y=y + 20))
        put_hero(picture, state, agent, x + 25, y + 47, targets)
        hand, left = state["hands"][agent], x + 65
        stride = min(HAND_STRIDE, (width - 85) / max(1, len(hand) - 1))
        if viewer not in (None, agent):
            put_backs(picture, agent, left, y + 47, len(hand), stride)
            continue
        for number, letter in enumerate(hand):
            at_x, spot = left + stride * number, f"{agent}.hand.{letter}"
            tile = loose_tile(picture, "black", letter, at_x, y + 47, HAND_SCALE)
            aimed = ring(at_x, y + 47, 36) if spot in targets else ""
            picture.put(f"panels/hand-{agent}-{number}", group(tile, aimed, data_spot=spot))


def put_hero(
    picture: Picture, state: StateDict, agent: str, x: float, y: float, targets: set[str]
) -> None:
    """A Black's hero; faint while it is on the board."""
    part, letter, spot = f"panels/hero-{agent}", state["heroes"][agent], f"{agent}.hero"
    if letter is None:
        picture.put(part, empty_place(x, y, "–", HAND_SCALE))
        return
    out = any(w.startswith(f"b{letter}") and "!" in w for w in state["board"].values())
    tile = loose_tile(picture, "black", letter, x, y, HAND_SCALE)
    frame = rect(x - 16, y - 16, 32, 32, "none", rx=6, stroke="$hero", stroke_width=3)
    aimed = ring(x, y, 38) if spot in targets else ""
    picture.put(part, group(tile, frame, aimed, opacity=0.4 if out else None, data_spot=spot))
