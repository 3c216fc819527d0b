"""What a seat sees, as planes of int8 for convolutional policies or as one compact vector.

Both show the board from the observer's side: its own homeground lies at the lower left, so Black sees
everything turned by half a turn, facings too. In the game for two nothing is hidden. Numbers that
might be larger in a made-up position are cut at the block's highest value.
"""

from __future__ import annotations

import numpy as np

from paiko_env.board import BLACK_SQUARES, HALF, HOME, MIDDLE, SQUARES, WHITE, members
from paiko_env.grid import CELL, CELLS, count_up, fill, lay, seen_by, square_seen_by, stack
from paiko_env.squares import ALL, NONE, at, both, either, first, is_empty, less, only, rest
from paiko_env.state import FACE, OVER, PHASES, PLACE, SLIDE
from paiko_env.threat import survey, tiles_like, tiles_of, tiles_of_kinds
from paiko_env.tiles import COPIES, DIRECTIONAL, FACED, KINDS
from paiko_env.turn import points
from tabletop_env.kernel import kernel
from tabletop_env.layout import Block, Layout
from tabletop_env.simd import gather

_PHASES = OVER + 1  # those of the game for two
_MOST_TURNS = 127

# One number a square, and a plane each.
_SQUARE_BLOCKS = (
    ("streak", "turns on end in which the tile has shifted (P7)", 3),
    ("against_own", "tiles that threaten own tiles there (P2), at most 3", 3),
    ("against_enemy", "tiles that threaten enemy tiles there, at most 3", 3),
    ("own_cover", "own tiles are in cover there", 1),
    ("enemy_cover", "enemy tiles are in cover there", 1),
    ("under_way", "the tile that is to slide, to be set down or faced", 1),
)
TABLE = Layout(  # one number for all; in the planes it fills a plane each
    [
        Block("own_hand", KINDS, "tiles of each type in the own hand", high=COPIES),
        Block("enemy_hand", KINDS, "in the enemy's hand", high=COPIES),
        Block("own_reserve", KINDS, "in the own reserve", high=COPIES),
        Block("enemy_reserve", KINDS, "in the enemy's reserve", high=COPIES),
        Block("own_points", 1, "own points", high=12),
        Block("enemy_points", 1, "the enemy's points", high=12),
        Block("own_lost", 1, "own tiles captured", high=KINDS * COPIES),
        Block("enemy_lost", 1, "enemy tiles captured", high=KINDS * COPIES),
        Block("phase", _PHASES, f"the phase is {', '.join(PHASES[:_PHASES])}"),
        Block("to_act", 1, "the observer is to act"),
        Block("turns_left", 1, "turns before the cut-off, 127 if more or none", high=_MOST_TURNS),
        Block("left", 1, "picks, draws, steps or rewards left in the phase", high=9),
        Block("turning", 1, "the tile under way must take another facing"),
        Block("shifted", 1, "the tile under way has shifted this turn"),
        Block("passed", 1, "the turn before was a forced pass"),
        Block("turned", 1, "the observer sees the board turned by half a turn: it is Black"),
    ]
)

PLANES = Layout(
    [
        Block("own", KINDS, "own tiles, a plane a type, in the order SBEFWILA"),
        Block("enemy", KINDS, "enemy tiles likewise"),
        Block("facing", 4, "tiles that face N, E, S, W as the observer sees the board"),
        *(Block(name, 1, about, high) for name, about, high in _SQUARE_BLOCKS),
        Block("own_home", 1, "own homeground"),
        Block("enemy_home", 1, "the enemy's homeground"),
        Block("middle", 1, "middle ground"),
        Block("black", 1, "black squares"),
        *(Block(block.name, block.size, block.about, block.high) for block in TABLE),
    ]
)
"""Channels of the planes."""

COMPACT = Layout(
    [
        Block("own", SQUARES, "own tile on each square: 1 + type, 0 none", KINDS),
        Block("enemy", SQUARES, "enemy tile likewise", KINDS),
        Block("facing", SQUARES, "1 + facing as the observer sees it, 0 none", 4),
        *(Block(name, SQUARES, about, high) for name, about, high in _SQUARE_BLOCKS),
        *(Block(block.name, block.size, block.about, block.high) for block in TABLE),
    ]
)
"""Blocks of the compact form: nine numbers a square (``out[:9 * 112].reshape(9, 112)``), then a vector.
Squares are numbered as in ``board``, from the observer's side."""

# Places in the compact form: features of squares, the table, and what stands in the table.
_OWN, _FACING, _STREAK = 0, 2, 3
_C_TABLE = COMPACT.start("own_hand")
_HANDS, _RESERVES, _POINTS, _LOST = (
    TABLE.start(name) for name in ("own_hand", "own_reserve", "own_points", "own_lost")
)
_PHASE, _TO_ACT, _TURNS_LEFT, _LEFT, _TURNING, _SHIFTED, _PASSED, _TURNED = (
    block.start for block in list(TABLE)[-8:]
)
_MOST_POINTS, _MOST_LOST, _MOST_LEFT = (TABLE[n].high for n in ("own_points", "own_lost", "left"))
# Places in the planes.
_P_OWN, _P_ENEMY, _P_FACING = (PLANES.start(name) for name in ("own", "enemy", "facing"))
_P_STREAK, _P_TABLE, _P_HOME = (PLANES.start(n) for n in ("streak", "own_hand", "own_home"))
_TABLE_SIZE, _NUM_PLANES = TABLE.size, PLANES.size


def _blank_ground() -> np.ndarray:
    """The planes of the regions, which look alike from both sides."""
    planes = np.zeros((4, CELLS), np.int8)
    for plane, region in zip(planes, (*HOME, MIDDLE, BLACK_SQUARES), strict=True):
        plane[CELL[members(region)]] = 1
    return planes.ravel()


_GROUND = _blank_ground()


# -- the board -----------------------------------------------------------------------------------


@kernel
def counts(game, own, enemy):
    """Of the first three ``_SQUARE_BLOCKS`` the numbers: n is a member of n sets."""
    low, high = at(game["streak"], 0), at(game["streak"], 1)
    return (low, high, high), (own.one, own.two, own.three), (enemy.one, enemy.two, enemy.three)


@kernel
def single_sets(game, own, enemy):
    """Of the other three the members."""
    under_way = NONE
    if game["phase"] == SLIDE or game["phase"] == PLACE or game["phase"] == FACE:
        under_way = only(np.int64(game["at"]))
    return own.cover, enemy.cover, under_way


@kernel
def facing_seen_by(side, facing):
    """A facing as a side sees it."""
    return facing if side == WHITE else facing ^ 2


@kernel
def write_board(game, side, out):
    """The features of squares in the compact form, as a side sees them; ``out`` is zero."""
    for enemy in range(2):
        tiles = tiles_of(game, 1 - side if enemy else side)
        while not is_empty(tiles):
            code = game["tile"][first(tiles)]
            square = square_seen_by(side, first(tiles))
            tiles = rest(tiles)
            out[(_OWN + enemy) * SQUARES + square] = 1 + code // 4
            if DIRECTIONAL[code // 4]:
                out[_FACING * SQUARES + square] = 1 + facing_seen_by(side, code % 4)
    own, enemy = survey(game, side), survey(game, 1 - side)
    numbers, sets = counts(game, own, enemy), single_sets(game, own, enemy)
    for feature in range(len(numbers)):
        for level in range(3):
            count_up(out, (_STREAK + feature) * SQUARES, seen_by(side, numbers[feature][level]))
    for feature in range(len(sets)):
        start = (_STREAK + len(numbers) + feature) * SQUARES
        count_up(out, start, seen_by(side, sets[feature]))


@kernel
def lay_board(game, side, cells):
    """The same as planes."""
    own, enemy = survey(game, side), survey(game, 1 - side)
    for kind in range(KINDS):
        alike = tiles_like(game, kind)
        lay(cells, _P_OWN + kind, side, both(own.own, alike))
        lay(cells, _P_ENEMY + kind, side, both(enemy.own, alike))
    lay_facings(game, side, cells)
    shifts, against_own, against_enemy = counts(game, own, enemy)
    own_cover, enemy_cover, under_way = single_sets(game, own, enemy)
    stack(cells, _P_STREAK, side, shifts)
    stack(cells, _P_STREAK + 1, side, against_own)
    stack(cells, _P_STREAK + 2, side, against_enemy)
    lay(cells, _P_STREAK + 3, side, own_cover)
    lay(cells, _P_STREAK + 4, side, enemy_cover)
    lay(cells, _P_STREAK + 5, side, under_way)
    for i in range(len(_GROUND)):
        cells[_P_HOME * CELLS + i] = _GROUND[i]


@kernel
def lay_facings(game, side, cells):
    """The four planes of facings."""
    tiles = both(either(tiles_of(game, 0), tiles_of(game, 1)), tiles_of_kinds(game, FACED))
    low, high = coded(game, 1), coded(game, 2)
    for facing in range(4):
        alike = both(tiles, low) if facing & 1 else less(tiles, low)
        alike = both(alike, high) if facing & 2 else less(alike, high)
        lay(cells, _P_FACING + facing_seen_by(side, facing), side, alike)


@kernel
def coded(game, bit):
    """Squares whose code has a bit set."""
    codes = game["tile"]
    north, south = gather(codes, 0, bit), gather(codes, SQUARES - 64, bit)
    return both((north, south >> np.uint64(64 - HALF)), ALL)


# -- the table -----------------------------------------------------------------------------------


@kernel
def write_table(game, observer, out):
    """What goes with no square, laid out as ``TABLE`` says; ``out`` is zero."""
    for enemy in range(2):
        seat = 1 - observer if enemy else observer
        add_counts(game["hands"][seat], out, _HANDS + KINDS * enemy)
        add_counts(game["reserves"][seat], out, _RESERVES + KINDS * enemy)
    write_course(game, observer, out)
    out[_TO_ACT] = game["seat"] == observer


@kernel
def add_counts(counts, out, start):
    """Add numbers of tiles of each kind; the sums are cut at ``COPIES``."""
    for kind in range(KINDS):
        out[start + kind] = min(COPIES, out[start + kind] + np.int64(counts[kind]))


@kernel
def write_course(game, observer, out):
    """The part of the table that is public in every game; ``observer`` is a side."""
    for enemy in range(2):
        side = 1 - observer if enemy else observer
        out[_POINTS + enemy] = min(_MOST_POINTS, points(game, side))
        out[_LOST + enemy] = min(_MOST_LOST, game["lost"][side])
    if game["phase"] < _PHASES:
        out[_PHASE + game["phase"]] = 1
    turns_left = game["max_turns"] - game["turn"] if game["max_turns"] else _MOST_TURNS
    out[_TURNS_LEFT] = min(_MOST_TURNS, turns_left)
    out[_LEFT] = min(_MOST_LEFT, game["left"])
    out[_TURNING] = game["barred"] != 0
    out[_SHIFTED] = game["shifted"]
    out[_PASSED] = game["passed"]
    out[_TURNED] = observer != WHITE


# -- both together -------------------------------------------------------------------------------


@kernel
def write_compact(game, observer, out):
    """Fill ``out``: (1059,) int8, laid out as ``COMPACT`` says."""
    out[:] = 0
    write_board(game, observer, out)
    write_table(game, observer, out[_C_TABLE:])


@kernel
def write_planes(game, observer, out):
    """Fill ``out``: (81, 14, 14) int8, laid out as ``PLANES`` says."""
    cells = out.reshape(_NUM_PLANES * CELLS)
    lay_board(game, observer, cells)
    table = waiting_room(cells, _TABLE_SIZE)
    write_table(game, observer, table)
    fill_planes(cells, _P_TABLE, table)


@kernel
def waiting_room(cells, size):
    """Room for as many numbers, zero, in the last plane, which is to be filled last (``size`` is at most
    ``CELLS``, and the last plane is one of those that the numbers fill)."""
    room = cells[len(cells) - size :]
    room[:] = 0
    return room


@kernel
def fill_planes(cells, plane, numbers):
    """A plane for each number, one after another."""
    for i in range(len(numbers)):
        fill(cells, plane + i, numbers[i])
