"""The board, the tiles' patterns, threat and cover for the whole board (P1-P3), action numbers."""

import json
from pathlib import Path

import numpy as np
import pytest
from referee.paiko_board import covered, read_tile
from referee.paiko_board import threat as threat_of

from paiko_env import board, tiles
from paiko_env.actions import LAYOUT, NUM_ACTIONS, action_planes, decode, encode
from paiko_env.game import PAIKO
from paiko_env.moves import put_down
from paiko_env.ronin_game import RONIN
from paiko_env.spans import around, walk
from paiko_env.squares import count, holds, nth_of, only
from paiko_env.state import ROW
from paiko_env.threat import falling, lift_off, look, stack_threat, survey
from paiko_env.valley_game import VALLEY
from tabletop_env.batch import Batch
from tabletop_env.kernel import kernel

SHARED = Path(__file__).parents[2] / "shared" / "rules" / "paiko_data.json"

# The facts of the pictures, in the form of paiko_data.json (y grows southwards, patterns face north).
FACTS = {
    "black_squares": [[5, 5], [8, 8], [7, 6], [6, 7]],
    "tiles": {
        "Sword": (2, "-1-1 0-1 +1-1 -1+0 +1+0 -1+1 0+1 +1+1", ""),
        "Bow": (2, "0-2 0-3 0-4", ""),
        "Earth": (1, "0-2 0-1 -2+0 -1+0 +1+0 +2+0 0+1 0+2", ""),
        "Fire": (2, "0+0 -1-1 0-1 +1-1 -2-2 -1-2 0-2 +1-2 +2-2", ""),
        "Water": (2, "-1-1 +1-1 -1+1 +1+1", "0-1 -1+0 +1+0 0+1"),
        "Sai": (2, "0-1", "-1+0 +1+0"),
        "Lotus": (0, "", "-1-1 0-1 +1-1 -1+0 0+0 +1+0 -1+1 0+1 +1+1"),
        "Air": (0, "-1-2 +1-2 -2-1 +2-1 -2+1 +2+1 -1+2 +1+2", ""),
    },
}


def offsets(text):
    return sorted((int(word[:-2]), int(word[-2:])) for word in text.split())


def member_set(table, *index):
    return set(board.members(table[index]))


def names(squares):
    return {board.NAMES[square] for square in board.members(squares)}


# -- board ---------------------------------------------------------------------------------------


@pytest.mark.skipif(not SHARED.exists(), reason="the shared rules are not at hand")
def test_own_facts_are_the_shared_ones():
    shared = json.loads(SHARED.read_text())
    assert sorted(shared["board"]["black_squares"]) == sorted(FACTS["black_squares"])
    assert list(shared["facings_clockwise"].values()) == [list(d) for d in board.DIRECTIONS]
    assert list(shared["tiles"]) == list(FACTS["tiles"]) == list(tiles.NAMES)
    for name, (steps, threat, cover) in FACTS["tiles"].items():
        fact = shared["tiles"][name]
        assert fact["letter"] == tiles.LETTERS[tiles.NAMES.index(name)]
        assert (fact["copies"], fact["shift"]) == (tiles.COPIES, steps)
        assert sorted(map(tuple, fact["threat"])) == offsets(threat)
        assert sorted(map(tuple, fact["cover"])) == offsets(cover)
    directional = [name for name, flag in zip(tiles.NAMES, tiles.DIRECTIONAL, strict=True) if flag]
    assert directional == shared["directional_tiles"]


def test_squares_and_regions():
    width = [y if y < 7 else 13 - y for y in range(14)]
    expected = [(x, y) for y in range(14) for x in range(14) if 6 - width[y] <= x <= 7 + width[y]]
    assert list(board.PLACES) == expected
    assert len(expected) == board.SQUARES == 112
    assert (board.NAMES[0], board.NAMES[55], board.NAMES[56], board.NAMES[111]) == (
        ("g14", "n8", "a7", "h1")
    )
    white = {board.NAMES[s] for s, (x, y) in enumerate(expected) if x < 7 and y > 6}
    black = {board.NAMES[s] for s, (x, y) in enumerate(expected) if x > 6 and y < 7}
    assert names(board.HOME[0]) == white
    assert names(board.HOME[1]) == black
    assert names(board.MIDDLE) == set(board.NAMES) - white - black
    places = [board.PLACES[s] for s in board.members(board.BLACK_SQUARES)]
    assert sorted(map(list, places)) == sorted(FACTS["black_squares"])
    assert names(board.BLACK_SQUARES) == {"f9", "i6", "h8", "g7"}  # P1
    assert names(board.BLACK_SQUARES & board.MIDDLE) == {"f9", "i6"}


def test_offsets():
    for square, (x, y) in enumerate(board.PLACES):
        for offset, (dx, dy) in enumerate(board.OFFSETS):
            assert board.TARGET[square, offset] == board.NUMBERS.get((x + dx, y + dy), board.OFF)
    assert len(set(board.OFFSETS)) == 13
    assert board.OFFSETS[board.STAY] == (0, 0)


def test_exactly_four_of_the_grids_eight_symmetries_keep_the_board():
    turns = [
        lambda x, y, k=k: ((x, y), (13 - y, x), (13 - x, 13 - y), (y, 13 - x))[k] for k in range(4)
    ]
    mirrored = [lambda x, y, turn=turn: turn(13 - x, y) for turn in turns]
    home = [{board.PLACES[s] for s in board.members(words)} for words in board.HOME]
    black = {board.PLACES[s] for s in board.members(board.BLACK_SQUARES)}
    kept = {}
    for image in turns + mirrored:
        homes = [{image(x, y) for x, y in squares} for squares in home]
        if homes in (home, home[::-1]) and {image(x, y) for x, y in black} == black:
            kept[tuple(board.NUMBERS[image(x, y)] for x, y in board.PLACES)] = homes != home
    ours = map(tuple, board.SQUARE_IMAGE.tolist())
    assert dict(zip(ours, board.EXCHANGES, strict=True)) == kept
    assert board.SQUARE_IMAGE[board.HALF_TURN].tolist() == list(range(111, -1, -1))


# -- patterns ------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", range(tiles.KINDS))
def test_patterns_are_those_of_the_pictures(kind):
    steps, *parts = FACTS["tiles"][tiles.NAMES[kind]]
    assert tiles.RANGE[kind] == steps
    assert [sorted(part) for part in tiles.pattern(kind)] == [offsets(part) for part in parts]
    for facing in range(4):
        for square, (x, y) in enumerate(board.PLACES):
            for table, part in zip((tiles.THREAT, tiles.COVER), parts, strict=True):
                turned = offsets(part)
                for _ in range(facing):
                    turned = [(-dy, dx) for dx, dy in turned]
                expected = {board.NUMBERS.get((x + dx, y + dy)) for dx, dy in turned} - {None}
                assert member_set(table, 4 * kind + facing, square) == expected


def test_only_tiles_with_a_facing_look_different_when_turned():  # P3
    for table in (tiles.THREAT, tiles.COVER):
        for kind in range(tiles.KINDS):
            if not tiles.DIRECTIONAL[kind]:
                assert (table[4 * kind : 4 * kind + 4] == table[4 * kind]).all()


def test_a_pattern_read_backwards_is_that_of_the_tile_turned_round():
    for table in (tiles.THREAT, tiles.COVER):
        for code in range(32):
            reached = [member_set(table, code, square) for square in range(112)]
            for goal in range(112):
                origins = {square for square in range(112) if goal in reached[square]}
                assert member_set(table, code ^ 2, goal) == origins


@pytest.mark.parametrize("symmetry", range(4))
def test_patterns_follow_the_symmetries(symmetry):
    squares, facings = board.SQUARE_IMAGE[symmetry], board.FACING_IMAGE[symmetry]
    for table in (tiles.THREAT, tiles.COVER):
        for code in range(32):
            image = code // 4 * 4 + facings[code % 4]
            for square in range(112):
                turned = {int(squares[s]) for s in member_set(table, code, square)}
                assert member_set(table, image, squares[square]) == turned


# -- sets of squares -----------------------------------------------------------------------------


def test_sets_of_squares():
    rng = np.random.default_rng(0)
    for size in (1, 5, 60, 112):
        members = sorted(rng.choice(112, size, replace=False).tolist())
        pair = tuple(board.words(members))
        assert board.members(pair) == members
        assert count(pair) == size
        assert [nth_of(pair, k) for k in range(size)] == members
        assert [s for s in range(113) if holds(pair, s)] == members
    assert [board.members(only(s)) for s in range(113)] == [[s] for s in range(112)] + [[]]


# -- threat and cover ----------------------------------------------------------------------------


def crowded_board(rng, tiles_on_board):
    """Square to tile text, anywhere and anyhow (black squares aside)."""
    free = [name for name in board.NAMES if name not in board.BLACK_NAMES]
    where = rng.choice(free, tiles_on_board, replace=False).tolist()
    kinds = rng.choice(list("SBEFFFWWWIIILA"), tiles_on_board).tolist()
    return {
        name: rng.choice(["w", "b"]) + kind + (rng.choice(list("NESW")) if kind in "BFI" else "")
        for name, kind in zip(where, kinds, strict=True)
    }


def row_of(position):
    row = np.zeros(1, ROW)[0]
    for name, tile in position.items():
        code = 4 * tiles.LETTERS.index(tile[1]) + (board.FACINGS.index(tile[2]) if tile[2:] else 0)
        put_down(row, "wb".index(tile[0]), board.SQUARE_OF[name], code)
    look(row)
    return row


POSITIONS = [crowded_board(np.random.default_rng(n), n) for n in (1, 2, 4, 8, 15, 30, 45, 60, 100)]


@pytest.mark.parametrize("position", POSITIONS, ids=len)
def test_a_survey_counts_what_the_referee_counts(position):  # P2
    row, tiles_there = row_of(position), {name: read_tile(tile) for name, tile in position.items()}
    for side in range(2):
        view = survey(row, side)
        for square, name in enumerate(board.NAMES):
            times = threat_of(tiles_there, "wb"[side], name)
            steps = (view.one, view.two, view.three, view.four)
            assert [square in board.members(step) for step in steps] == [
                times > k for k in range(4)
            ]
            assert (name in names(view.cover)) == covered(tiles_there, "wb"[side], name)
        own = {name for name in position if position[name][0] == "wb"[side]}
        assert names(view.own) == own
        falls = {
            name
            for name in own
            if threat_of(tiles_there, "wb"[side], name)
            >= 2 + covered(tiles_there, "wb"[side], name)
        }
        assert names(falling(row, side)) == falls


@kernel
def lifted_survey(game, side, square):
    return lift_off(game, survey(game, side), square)


@pytest.mark.parametrize("position", POSITIONS, ids=len)
def test_lifting_a_tile_off_is_as_good_as_a_survey_without_it(position):
    row = row_of(position)
    for name, tile in position.items():
        side, square = "wb".index(tile[0]), board.SQUARE_OF[name]
        lifted = lifted_survey(row, side, square)
        without = survey(row_of({k: v for k, v in position.items() if k != name}), side)
        for field in ("own", "one", "two", "three", "cover"):
            assert getattr(lifted, field) == getattr(without, field), field
        assert lifted.reach == survey(row, side).reach  # P9


def test_busy_tiles_give_neither_threat_nor_cover():  # R5
    row = row_of({"d4": "wS", "f5": "wW", "k9": "bA"})
    row["busy"] = board.words([board.SQUARE_OF["d4"], board.SQUARE_OF["f5"]])
    look(row)
    still = survey(row_of({"k9": "bA"}), 0)
    view = survey(row, 0)
    assert names(view.own) == {"d4", "f5"}
    assert (view.reach, view.cover, view.one) == (still.reach, still.cover, still.one)


def test_a_stack_of_no_tiles_is_empty():
    none = (np.uint64(0), np.uint64(0))
    assert stack_threat(np.zeros(1, ROW)[0], none) == ((0, 0),) * 4


# -- action numbers ----------------------------------------------------------------------------------


def test_every_number_has_its_text_and_its_values():
    row = Batch(PAIKO, 1, 2).state[0]
    assert len({PAIKO.action_text(row, action) for action in range(NUM_ACTIONS)}) == NUM_ACTIONS
    for action in range(NUM_ACTIONS):
        assert PAIKO.read_action(row, PAIKO.action_text(row, action)) == action
        block, values = decode(action)
        if not (block == "shift" and values[1] == board.OFF):
            assert encode(block, *values) == action
    assert [block.name for block in LAYOUT] == ["type", "stop", "facing", "deploy", "shift", "lift"]
    for text in ("S@f4", "f4-h4", "f4*", "^E", "+L", "."):
        assert PAIKO.action_text(row, PAIKO.read_action(row, text)) == text
    for wrong in ("S@f0", "S@F4", "f4-i4", "f4-off(0,1)", "+X", "^", "", "f4", "x4*"):
        with pytest.raises(ValueError):
            PAIKO.read_action(row, wrong)


@kernel
def spans_around(squares, start, out):
    out[0], out[1], out[2] = (
        around(squares, start),
        walk(start, 1, squares),
        walk(start, 2, squares),
    )


def test_spans_are_what_paths_of_one_and_two_steps_reach():  # P6
    rng = np.random.default_rng(0)
    found = np.zeros(3, np.uint64)
    for start, (x, y) in enumerate(board.PLACES):
        free = {s for s in range(board.SQUARES) if rng.random() < 0.6} - {start}
        near = {
            board.NUMBERS.get((x + dx, y + dy), board.OFF) for dx, dy in board.DIRECTIONS
        } & free
        far = (
            near
            | {
                board.NUMBERS.get((board.PLACES[s][0] + dx, board.PLACES[s][1] + dy), board.OFF)
                for s in near
                for dx, dy in board.DIRECTIONS
            }
            & free
        )
        spans_around(tuple(board.words(free)), start, found)
        for spans, goals in zip(found.tolist(), (free, near, far), strict=True):
            reached = {int(board.TARGET[start, i]) for i in range(13) if spans >> i & 1}
            within = {int(square) for square in board.TARGET[start]} - {board.OFF}
            assert reached == goals & within
            assert spans < 2**13


@pytest.mark.parametrize(("game", "players"), [(PAIKO, 2), (VALLEY, 3), (RONIN, 5)])
def test_actions_turn_with_the_board_and_lie_on_a_grid(game, players):
    seen, grid = game.seen_actions(players), game.action_grid()
    identity = np.arange(game.num_actions)
    assert seen.shape == (players, game.num_actions)
    for agent, numbers in zip(game.agents(players), seen, strict=True):
        assert sorted(numbers) == identity.tolist()
        assert (numbers == identity).all() == (not agent.startswith("black"))
    numbers = grid[grid >= 0]
    assert len(set(numbers)) == len(numbers)
    layout, missing = game.action_layout(), set(identity) - set(numbers)
    names = {layout.block_of(int(action)).name for action in missing}
    assert names <= {"type", "stop", "facing", "shift", "hero", "hero_back"}
    for action in missing:
        if layout.block_of(int(action)).name == "shift":
            assert decode(int(action))[1][1] == board.OFF
    for plane, number in ((0, 13), (8 + board.STAY, 909 + board.STAY)):  # a Sword, a shift in place
        cells = grid[plane][grid[plane] >= 0]
        step = 1 if plane == 0 else 13
        assert cells.tolist() == [number + step * square for square in range(board.SQUARES)]


def test_planes_hold_every_action_that_has_a_square_once():
    for side in range(2):
        planes = action_planes(side)
        numbers = planes[planes >= 0]
        astray = {
            a
            for a in range(NUM_ACTIONS)
            if decode(a)[0] == "shift" and decode(a)[1][1] == board.OFF
        }
        assert sorted(numbers) == sorted(set(range(LAYOUT.start("deploy"), NUM_ACTIONS)) - astray)
    lower_left = (slice(None), slice(7, 14), slice(0, 7))
    for side in range(2):
        deploys = action_planes(side)[0][lower_left[1:]]
        squares = {decode(int(action))[1][1] for action in deploys[deploys >= 0]}
        assert squares == set(board.members(board.HOME[side]))
