"""One tile on its way: deploy, shift, lift, slide, face, and whether an action may be completed.

A *scene* is the board in the middle of an action.  Every move leads from scene to scene until the
phase `done`; a move is offered only if from its scene some end can be reached at which no own tile
is capturable (P5, P18), and that is found by trying all ends.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from .paiko_board import (
    BLACK_SQUARES,
    DIRECTIONAL,
    FACINGS,
    HOMEGROUND,
    SHIFT,
    SQUARES,
    Position,
    Tile,
    capturable,
    covered_from,
    orthogonal,
    threatened_from,
    threats,
)


class Scene(NamedTuple):
    board: dict[str, Tile]
    side: str
    phase: str  # place, slide, face, done
    tile: str  # the square of the tile under way
    left: int = 0  # slide: its range
    shifted: bool = False  # whether the tile has already done what P7 counts
    barred: str | None = None  # face: the facing that a turn in place may not keep
    tires: bool = False  # R5: whether a tile becomes busy as soon as it has moved


# --- What a tile may do ---------------------------------------------------------------------


def shift_range(tile: Tile) -> int:
    if tile.hero and tile.letter == "A":  # R10: a hero Air shifts 2
        return 2
    return SHIFT[tile.letter]


def sword_squares(board: Position, side: str) -> set[str]:
    """R10: where an enemy hero Sword keeps the side's shifts from, to or through."""
    squares = set[str]()
    for place, tile in board.items():
        if tile.side != side and tile.letter == "S" and tile.hero:
            squares |= threatened_from(place, tile)
    return squares


def may_enter(lifted: Position, tile: Tile, square: str) -> bool:
    """P6: whether a tile that is off the board may pass over or stop on a square."""
    if square in BLACK_SQUARES or square in lifted:
        return False
    # With the tile on the square a Fire adds its own 1 there.
    return square not in capturable({**lifted, square: tile}, tile.side)


def reach(board: Position, square: str, tile: Tile, distance: int) -> set[str]:
    """P6: where a tile may go from a square in up to `distance` steps, not ending there."""
    locked = sword_squares(board, tile.side)
    if square in locked:
        return set()
    lifted = {place: other for place, other in board.items() if place != square}
    found, edge = set[str](), {square}
    for _ in range(distance):
        near = {n for place in edge for n in orthogonal(place)} - locked
        edge = {n for n in near if may_enter(lifted, tile, n)}
        found |= edge
    return found - {square}


def may_shift(board: Position, square: str) -> bool:
    """What must hold of a tile that is shifted or lifted, whatever its range."""
    tile = board[square]
    return (
        tile.streak < 3  # P7
        and not tile.busy  # R5
        and square not in sword_squares(board, tile.side)  # R10
    )


def may_be_lifted(board: Position, square: str) -> bool:
    """Whether a tile has the gift of being redeployed: P9, R10."""
    tile = board[square]
    if tile.letter == "W" or (tile.letter == "B" and tile.hero):
        return True
    return any(
        other.side == tile.side
        and other.letter == "W"
        and other.hero
        and square in threatened_from(place, other) | covered_from(place, other)
        for place, other in board.items()
        if place != square
    )


def deploy_squares(board: Position, tile: Tile) -> list[str]:
    """P4, but for the Lotus's own safety, which P5 sees to at the end of the action."""
    free = [square for square in SQUARES if square not in board]
    if tile.letter == "L":
        return free
    own_threat, own_fire = set[str](), set[str]()
    for place, other in board.items():
        if other.side == tile.side:
            squares = own_fire if other.letter == "F" else own_threat
            squares |= threatened_from(place, other)
    pressure = threats(board, tile.side)
    return [
        square
        for square in free
        if square not in BLACK_SQUARES
        and pressure[square] == 0
        and square not in own_fire  # R10: an own hero Fire forbids too, though P2 leaves it out
        and (square in HOMEGROUND[tile.side] or square in own_threat)
    ]


def slide_range(board: Position, square: str) -> int:
    """How far the tile just set down on a square may slide: P8, and R10 for a hero Sai."""
    tile = board[square]
    by_hero = any(
        other.side == tile.side
        and other.letter == "I"
        and other.hero
        and square in threatened_from(place, other)
        for place, other in board.items()
        if place != square
    )
    return shift_range(tile) if tile.letter == "I" or by_hero else 0


# --- From scene to scene --------------------------------------------------------------------


def tile_name(tile: Tile) -> str:
    return tile.letter + "!" * tile.hero


def deployments(board: Position, tile: Tile, *, tires: bool) -> dict[str, Scene]:
    """Every way to bring a tile from the hand onto the board."""
    scenes = {}
    for square in deploy_squares(board, tile):
        scene = _set_down(dict(board), tile, square, shifted=False, tires=tires)
        scenes[f"{tile_name(tile)}@{square}"] = scene
    return scenes


def shifts(board: Position, squares: Iterable[str], *, tires: bool) -> dict[str, Scene]:
    """Every shift, turn in place and lift of the tiles on some squares."""
    scenes = {}
    for square in squares:
        tile = board[square]
        if not may_shift(board, square):
            continue
        if may_be_lifted(board, square):  # P9
            scenes[f"{square}*"] = Scene(dict(board), tile.side, "place", square, tires=tires)
        moved = tile._replace(busy=tires)  # R5
        for target in reach(board, square, moved, shift_range(tile)):
            scenes[f"{square}-{target}"] = _shifted(board, square, target, moved, None)
        if shift_range(tile) > 0:  # P6: turning in place
            barred = tile.facing if tile.letter in DIRECTIONAL else None
            scenes[f"{square}-{square}"] = _shifted(board, square, square, moved, barred)
    return scenes


def _shifted(board: Position, square: str, target: str, moved: Tile, barred: str | None) -> Scene:
    after = {place: other for place, other in board.items() if place != square}
    after[target] = moved
    phase = "face" if moved.letter in DIRECTIONAL else "done"
    return Scene(after, moved.side, phase, target, shifted=True, barred=barred, tires=moved.busy)


def _set_down(
    board: dict[str, Tile], tile: Tile, square: str, *, shifted: bool, tires: bool
) -> Scene:
    board[square] = tile._replace(facing="N", busy=tires)
    distance = slide_range(board, square)
    if distance > 0:  # P18: asked whenever the range is above 0
        return Scene(board, tile.side, "slide", square, distance, shifted, tires=tires)
    phase = "face" if tile.letter in DIRECTIONAL else "done"
    return Scene(board, tile.side, phase, square, shifted=shifted, tires=tires)


def follow(scene: Scene) -> dict[str, Scene]:
    """Every next move of a scene, whether or not it leads to a legal end."""
    board, square, tile = scene.board, scene.tile, scene.board[scene.tile]
    scenes = {}
    if scene.phase == "place":
        # P9: judged with the tile still where it was, so that square is no target either.
        locked = sword_squares(board, tile.side)
        for target in deploy_squares(board, tile):
            if target in locked:
                continue  # R10: a redeploy is a shift, so a hero Sword bars a Lotus as well
            after = {place: other for place, other in board.items() if place != square}
            next_scene = _set_down(after, tile, target, shifted=True, tires=scene.tires)
            scenes[f"{tile_name(tile)}@{target}"] = next_scene
    elif scene.phase == "slide":
        phase = "face" if tile.letter in DIRECTIONAL else "done"
        for target in {square} | reach(board, square, tile, scene.left):
            after = {place: other for place, other in board.items() if place != square}
            after[target] = tile
            scenes[f"{square}-{target}"] = scene._replace(
                board=after,
                phase=phase,
                tile=target,
                left=0,
                shifted=scene.shifted or target != square,  # P7: staying is no shift
            )
    elif scene.phase == "face":
        for facing in FACINGS:
            if facing != scene.barred:
                after = {**board, square: tile._replace(facing=facing)}
                scenes[f"^{facing}"] = scene._replace(board=after, phase="done", barred=None)
    return scenes


def can_be_completed(scene: Scene) -> bool:
    """P18: whether some way to end the action from here leaves every own tile safe (P5)."""
    if scene.phase == "done":
        return not capturable(scene.board, scene.side)
    return any(can_be_completed(after) for after in follow(scene).values())


def completable(scenes: dict[str, Scene]) -> dict[str, Scene]:
    return {move: scene for move, scene in scenes.items() if can_be_completed(scene)}


def count_turn(board: Position, side: str, shifted: str | None) -> dict[str, Tile]:
    """P7: one more for the tile that shifted in this turn, nought for all others of its side."""
    return {
        square: tile._replace(streak=tile.streak + 1 if square == shifted else 0)
        if tile.side == side
        else tile
        for square, tile in board.items()
    }
