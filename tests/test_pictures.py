"""The drawings: golden SVGs, what a viewer may see, and whether eyes can tell things apart.

``python tests/test_pictures.py`` draws the golden pictures anew: look at them before you commit them.
"""

from __future__ import annotations

import copy
import itertools
import json
import re
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import paiko_env.picture
import shikoku_env.picture
from paiko_env import glyphs
from paiko_env.board import NAMES
from tabletop_env.svg import Picture, text

FOLDER = Path(__file__).parent / "data" / "pictures"
CASES: dict[str, dict[str, Any]] = json.loads((FOLDER / "cases.json").read_text("utf-8"))


def drawn(case: dict[str, Any], **other: Any) -> str:
    module = shikoku_env if case["state"]["game"] == "shikoku" else paiko_env
    arguments = {key: value for key, value in case.items() if key != "state"} | other
    return module.picture.draw(case["state"], arguments.pop("viewer", None), **arguments)


def pieces(svg: str) -> dict[str, str]:
    """What an SVG is made of: parts and symbols by name, and what stands around them."""
    found = dict(re.findall(r'^<g (?:data-part|id)="([^"]+)">(.*)</g>$', svg, re.MULTILINE))
    found["frame"] = re.sub(r"^<g .*$", "", svg, flags=re.MULTILINE)
    return found


def differences(old: str, new: str) -> list[str]:
    """What changed between two pictures, a line for each part."""
    before, after = pieces(old), pieces(new)
    lines = [f"{name}: gone" for name in before.keys() - after.keys()]
    lines += [f"{name}: new" for name in after.keys() - before.keys()]
    for name in sorted(before.keys() & after.keys()):
        if before[name] != after[name]:
            at = len(_common_start(before[name], after[name]))
            was, now = (part[max(0, at - 40) : at + 60] for part in (before[name], after[name]))
            lines.append(f"{name}: was …{was}…\n{' ' * len(name)}  now …{now}…")
    return sorted(lines)


def _common_start(a: str, b: str) -> str:
    return "".join(
        x for x, y in itertools.takewhile(lambda p: p[0] == p[1], zip(a, b, strict=False))
    )


@pytest.mark.parametrize("name", CASES)
def test_pictures_are_as_they_were(name):
    new = drawn(CASES[name])
    changed = differences((FOLDER / f"{name}.svg").read_text("utf-8"), new)
    assert not changed, (
        f"{name}.svg is drawn otherwise than before; if that is meant, run `python {__file__}` and "
        "look at it:\n" + "\n".join(changed)
    )


@pytest.mark.parametrize("name", CASES)
def test_pictures_are_well_formed_and_use_what_they_define(name):
    root = ElementTree.fromstring(drawn(CASES[name]))
    used = {element.get("href") for element in root.iter("{http://www.w3.org/2000/svg}use")}
    defined = {f"#{element.get('id')}" for element in root.iter() if element.get("id")}
    assert used <= defined
    assert "$" not in drawn(CASES[name])


def test_a_changed_picture_says_which_part_changed():
    case = copy.deepcopy(CASES["duel"])
    old = drawn(case)
    square, tile = next(iter(case["state"]["board"].items()))
    free = next(name for name in NAMES if name not in case["state"]["board"])
    case["state"]["board"] = {**case["state"]["board"], free: tile}
    del case["state"]["board"][square]
    assert differences(old, drawn(case)) == sorted([f"tiles/{square}: gone", f"tiles/{free}: new"])


def test_light_and_dark_differ_in_colours_alone():
    case = CASES["duel-face"]
    light, dark = (re.sub(r"#[0-9a-f]{6}", "#", drawn(case, dark=d)) for d in (False, True))
    assert light.replace('-l"', '-d"') == dark


def test_words_are_escaped():
    picture = Picture(10, 10, ["a"], {}, "<&>")
    picture.put("a/b", text(0, 0, "<$ink&>"))
    root = ElementTree.fromstring(picture.svg())
    assert "".join(root.itertext()).split() == ["<&>", "<$ink&>"]


# -- what a viewer may not see -------------------------------------------------------------------


def test_hidden_cards_of_shikoku_are_not_in_a_viewers_picture():
    """Whatever else the others hold and the deck has, the picture of a seat is the same (S8)."""
    state = CASES["shikoku-8"]["state"]
    for seat, hand in enumerate(state["hands"]):
        viewer = f"player_{seat}"
        own = shikoku_env.picture.draw(state, viewer)
        other = copy.deepcopy(state)
        for s, cards in enumerate(other["hands"]):
            if s != seat:
                known = other["known"][s]
                other["hands"][s] = known + [99] * (len(cards) - len(known))
        assert shikoku_env.picture.draw(other, viewer) == own
        hidden = set(hand) - set(state["known"][seat])
        everybody = shikoku_env.picture.draw(state)
        assert all(f'"card:{card}"' in everybody and f'"card:{card}"' in own for card in hidden)


@pytest.mark.parametrize("name", ["ronin-4", "ronin-7"])
def test_hands_reserves_and_bases_of_ronin_are_not_in_a_viewers_picture(name):
    state = CASES[name]["state"]
    for viewer in state["hands"]:
        other = copy.deepcopy(state)
        for agent, hand in state["hands"].items():
            if agent != viewer:
                other["hands"][agent] = "L" * len(hand)
        other["reserves"] = {side: "A" * len(pile) for side, pile in state["reserves"].items()}
        other["bases"] = dict.fromkeys(state["bases"], "A")
        assert paiko_env.picture.draw(other, viewer) == paiko_env.picture.draw(state, viewer)
    other = {**state, "bases": dict.fromkeys(state["bases"], "A")}
    assert paiko_env.picture.draw(other) == paiko_env.picture.draw(state)


def test_hidden_chance_is_not_heard():
    heard = paiko_env.picture.ARTIST.heard
    assert heard("chance", "draw black_1 S", "black_1") == "draw black_1 S"
    assert heard("chance", "draw black_1 S", "black_0") == "draw black_1 ?"
    assert heard("chance", "base S", "white_0") == "base ?"
    assert heard("chance", "base S", None) == "base S"
    assert heard("chance", "token black_1", "white_0") == "token black_1"
    heard = shikoku_env.picture.ARTIST.heard
    assert heard("chance", "deal 2 17", "player_2") == "deal 2 17"
    assert heard("chance", "deal 2 17", "player_0") == "deal 2 ?"
    assert heard("chance", "reveal 2 17", "player_0") == "reveal 2 17"


# -- spots ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", CASES)
def test_every_spot_that_a_move_needs_is_in_the_picture(name):
    state = CASES[name]["state"]
    module = shikoku_env if state["game"] == "shikoku" else paiko_env
    spots = set(re.findall(r'data-spot="([^"]+)"', drawn({"state": state})))
    for move in state["legal"]:
        assert set(module.picture.ARTIST.clicks(state, move)) <= spots, move


def test_clicks_of_moves():
    clicks = paiko_env.picture.ARTIST.clicks
    white = {"to_act": "white_0", "phase": "action"}
    assert clicks(white, "S@f4") == ("white_0.hand.S", "f4")
    assert clicks(white, "f4-g5") == ("f4", "g5")
    assert clicks(white, "f4-f4") == ("f4", "f4")
    assert clicks(white, "f4*") == ("f4",)
    assert clicks(white, "+S") == ("w.reserve.S",)
    assert clicks(white | {"phase": "reward"}, "+S") == ("b.reserve.S",)
    assert clicks(white | {"phase": "setup"}, "-S") == ("white_0.hand.S",)
    assert clicks(white | {"phase": "slide"}, "f4-g5") == ("g5",)
    assert clicks(white | {"phase": "place"}, "W@g5") == ("g5",)
    assert clicks(white, "S!@f14") == ("white_0.hand.S", "f14")
    assert clicks({"to_act": "black_1", "phase": "action"}, "S!@f4") == ("black_1.hero", "f4")
    red = {"to_act": "red_0", "phase": "action"}
    assert [clicks(red, m) for m in ("C@f4", "Z@f4", "f4<", "f4z", "xf4")] == [("f4",)] * 5
    assert [clicks(white, m) for m in (".", "^N", "<", "!S")] == [()] * 4


# -- eyes ----------------------------------------------------------------------------------------

COLOUR_BLIND = {  # Machado, Oliveira and Fernandes 2009, severity 1, on linear RGB
    "nobody": np.eye(3),
    "protanopia": np.array(
        [
            [0.152286, 1.052583, -0.204868],
            [0.114503, 0.786281, 0.099216],
            [-0.003882, -0.048116, 1.051998],
        ]
    ),
    "deuteranopia": np.array(
        [
            [0.367322, 0.860646, -0.227968],
            [0.280085, 0.672501, 0.047413],
            [-0.011820, 0.042940, 0.968881],
        ]
    ),
    "tritanopia": np.array(
        [
            [1.255528, -0.076749, -0.178779],
            [-0.078411, 0.930809, 0.147602],
            [0.004733, 0.691367, 0.303900],
        ]
    ),
}


def lab(colour: str, sight: str) -> np.ndarray:
    """CIE L*a*b* of a colour as somebody sees it."""
    rgb = np.array([int(colour[i : i + 2], 16) for i in (1, 3, 5)]) / 255
    linear = np.where(rgb <= 0.04045, rgb / 12.92, ((rgb + 0.055) / 1.055) ** 2.4)
    linear = np.clip(COLOUR_BLIND[sight] @ linear, 0, 1)
    xyz = (
        np.array([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]])
        @ linear
    )
    x, y, z = np.cbrt(np.maximum(xyz / [0.9505, 1, 1.089], 1e-6))
    return np.array([116 * y - 16, 500 * (x - y), 200 * (y - z)])


@pytest.mark.parametrize("sight", COLOUR_BLIND)
@pytest.mark.parametrize("dark", [False, True])
def test_colours_stay_apart(sight, dark):
    pilgrims = [colours[dark] for colours in shikoku_env.picture.PILGRIMS]
    for one, other in itertools.combinations(pilgrims, 2):
        assert np.linalg.norm(lab(one, sight) - lab(other, sight)) > 8, (one, other)
    colours = paiko_env.picture.COLOURS
    homes = [colours[name][dark] for name in ("white_home", "black_home", "middle", "black_square")]
    tiles = [colours[name][dark] for name in ("white_tile", "black_tile", "red_tile")]
    for some, least in ((homes, 9), (tiles, 20)):
        for one, other in itertools.combinations(some, 2):
            assert np.linalg.norm(lab(one, sight) - lab(other, sight)) > least, (one, other)


def test_every_pilgrim_and_every_tile_has_its_own_mark():
    shapes = [re.sub(r"\$\w+|>\d<", "", shikoku_env.picture.pilgrim(seat)) for seat in range(8)]
    assert len({re.sub(r"<text.*", "", shape) for shape in shapes}) == 8
    written = [
        "wS",
        "wBN",
        "wBE",
        "wBS",
        "wBW",
        "wE",
        "wFN",
        "wW",
        "wIN",
        "wL",
        "wA",
        "bS",
        "c",
        "z",
    ]
    drawings = [glyphs.symbol(glyphs.read_piece(text)) for text in written]
    assert len(set(drawings)) == len(written)
    marked = [glyphs.marks(glyphs.read_piece(text)) for text in ("wS", "wS!", "wS~", "wS1", "wS2")]
    assert len(set(marked)) == len(marked)


@pytest.mark.parametrize("name", CASES)
def test_words_are_large_enough_at_600_pixels(name):
    """No smaller than 8.5 pixels; tiles off the board are drawn at up to 0.86 of their size."""
    root = ElementTree.fromstring(drawn(CASES[name]))
    scale = 600 / float(root.get("width", 0))
    for element in root.iter("{http://www.w3.org/2000/svg}text"):
        shrunk = 0.86 if element.get("x") == "12.2" else 1
        assert float(element.get("font-size", 0)) * scale * shrunk >= 8.5, element.text


def test_unreadable_pieces_are_refused():
    with pytest.raises(ValueError, match="'wX' is no tile"):
        glyphs.read_piece("wX")


if __name__ == "__main__":
    for case_name, case in CASES.items():
        (FOLDER / f"{case_name}.svg").write_text(drawn(case), "utf-8")
    print(f"{len(CASES)} pictures written to {FOLDER}", file=sys.stderr)
