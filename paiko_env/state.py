"""The data dictionary of Paikō: what one row holds, and who may see it.

One dtype serves the game for two, the Valley and Ronin; a game leaves at zero what it has no use for.
Sets of squares are pairs of words (``board``), kinds of tiles and tile codes are those of ``tiles``.
Sides: 0 White, 1 Black, 2 Red. In the first two games a seat is its side; in Ronin seats from 1 on
are Black's. The header fields stand in ``tabletop_env.game.row_dtype``.
"""

from __future__ import annotations

import numpy as np

from paiko_env.board import SQUARES
from paiko_env.tiles import KINDS
from tabletop_env.game import row_dtype

MAX_PLAYERS = 7

PHASES = (
    "setup",  # pick or discard tiles
    "action",  # choose what to do
    "draw",  # more tiles, or enough
    "slide",  # a tile just deployed may move on
    "place",  # set a lifted tile down
    "face",  # turn a tile just deployed or shifted
    "reward",  # the victim chooses what its captor draws
    "over",
    "retrieve",  # Valley: more of Red's tiles back, or enough
    "zombify",  # Valley: another tile, or enough
    "capture",  # Valley: Red chooses what falls next
    "hero",  # Ronin: choose a hero
)
SETUP, ACTION, DRAW, SLIDE, PLACE, FACE, REWARD, OVER, RETRIEVE, ZOMBIFY, CAPTURE, HERO = range(
    len(PHASES)
)

EVENTS = ("nothing", "base", "token", "draw")
NOTHING, BASE, TOKEN, DEAL = range(len(EVENTS))
"""Ronin's chance events (R2-R4)."""

STACKS = ("one", "two", "three", "four", "cover", "twice", "reach")
"""What is kept of both sides' threat and cover: the sets of ``threat.Survey`` but for heroes' gifts."""

ROW = row_dtype(
    [
        # the board: public
        ("sides", np.uint64, (3, 2)),  # squares of each side's tiles (Red's: corpses and zombies)
        ("kinds", np.uint64, (KINDS, 2)),  # squares of each kind of tile, both colours together
        ("zombies", np.uint64, (2,)),  # those of Red's squares that hold a zombie
        ("heroes", np.uint64, (2,)),  # squares of heroes, both colours together
        ("busy", np.uint64, (2,)),  # squares of busy tiles (R5)
        ("streak", np.uint64, (2, 2)),  # P7's count of each tile: its low bits, its high bits
        ("tile", np.uint8, (SQUARES,)),  # code of the tile on each square; 0 where none stands
        # follows from the above: ``threat.look`` writes it after any change, STACKS names the rows
        ("stacks", np.uint64, (len(STACKS), 4)),  # White's two words, then Black's
        # what is under way: public
        ("eligible", np.uint64, (2,)),  # zombify: tiles that may still fall (V5)
        ("turn", np.int32),  # turns of a side (Ronin: rounds) finished
        ("max_turns", np.int32),  # an option: cut off when turn gets there; 0 never (P15, R9)
        ("phase", np.uint8),  # index into PHASES
        ("left", np.uint8),  # setup: picks, discards; draw: draws; slide: steps; reward: to come
        ("at", np.uint8),  # slide, place, face: square of the tile under way
        ("barred", np.uint8),  # face: 1 + the facing that a turn in place may not keep; 0 none
        ("shifted", np.uint8),  # slide, face: 1 if it counts for P7 already
        ("passed", np.uint8),  # 1 if the turn before was a forced pass (P14)
        ("winner", np.uint8),  # 1 + the side that has won; 0 nobody
        ("actions_left", np.uint8),  # Ronin: of the seat to act, the one under way included
        ("price", np.uint8),  # Ronin, slide and face: actions that the one under way takes
        ("due", np.uint8),  # Ronin: the chance event due, index into EVENTS
        ("actor", np.uint8),  # Ronin: seat that a base or a draw is for
        ("token", np.uint8),  # Ronin: seat that has the first-turn token; 0 before there is one
        ("hero", np.uint8, (MAX_PLAYERS,)),  # Ronin: 1 + kind of a Black's hero; 0 none
        # off the board: public in the games for two and three, else own hand only (R11)
        ("hands", np.uint8, (MAX_PLAYERS, KINDS)),  # tiles of each kind, by seat, heroes aside
        ("reserves", np.uint8, (2, KINDS)),  # tiles of each kind, by colour
        ("red_hand", np.int32),  # Valley: face-down tiles that Red holds
        ("lost", np.int32, (2,)),  # tiles captured so far, by colour: public
        # nobody sees them
        ("bases", np.uint8, (2, KINDS)),  # Ronin: 1 + kind of the base of each hero
        # what White [0] and the Blacks [1] saw in earlier rounds; a state's text does not tell it
        (
            "shown",
            np.uint32,
            (2, 2, KINDS),
        ),  # Ronin: tiles that a base is none of (``ronin_hidden``)
    ]
)
