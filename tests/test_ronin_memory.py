"""R11 over several rounds: a base is no tile that lay open while it was there, whatever has become of it."""

from __future__ import annotations

import copy
from collections import Counter
from itertools import permutations

import numpy as np
import pytest
from helpers import play, position, random_moves
from ronin_table import WHITE, at, deal, pass_round

from paiko_env import ronin_v0
from paiko_env.ronin_game import RONIN
from paiko_env.tiles import LETTERS

SAMPLES = 250


class Watcher:
    """What a viewer, White or the Blacks, saw at every moment: bases that were there, tiles that were hidden.

    A base is named by its hero's side and letter, and counted up when White lays it anew.
    """

    def __init__(self, viewer: str) -> None:
        self.viewer = viewer
        self.laid: Counter[str] = Counter()
        self.there: dict[str, str] = {}  # hero -> name of its base
        self.seen: dict[
            frozenset[str], Counter[str]
        ] = {}  # the fewest tiles hidden with these bases

    def look(self, state) -> None:
        heroes = [hero for hero, _ in bases_of(state)]
        for hero in [*self.there]:
            if hero not in heroes:
                del self.there[hero]
        for hero in heroes:
            if hero not in self.there:
                self.laid[hero] += 1
                self.there[hero] = f"{hero}{self.laid[hero]}"
        there, before = frozenset(self.there.values()), self.seen
        self.seen = {there: hidden(state, self.viewer)}
        for earlier, tiles in before.items():
            left = earlier & there
            self.seen[left] = self.seen.get(left, tiles) & tiles

    def allows(self, letters: dict[str, str]) -> bool:
        """Whether bases, some of those there, may be of these letters, by hero."""
        names = {self.there[hero]: letter for hero, letter in letters.items()}
        return all(
            [*names.values()].count(letter) <= tiles[letter]
            or sum(names[name] == letter for name in there & names.keys()) <= tiles[letter]
            for there, tiles in self.seen.items()
            for letter in set(names.values())
        )

    def possible(self, hero: str) -> set[str]:
        """Letters that the base of a hero may be, others being what they may."""

        def completes(letters: dict[str, str]) -> bool:
            if not self.allows(letters):
                return False
            rest = [other for other in self.there if other not in letters]
            return not rest or any(completes({**letters, rest[0]: x}) for x in LETTERS)

        return {letter for letter in LETTERS if completes({hero: letter})}


def bases_of(state):
    """(hero, letter of its base) of each hero that has one; heroes as ``bA``, ``wS``."""
    for owner, letter in state["bases"].items():
        black = owner.startswith("black")
        yield ("b" + state["heroes"][owner]) if black else state["board"][owner][:2], letter


def hidden(state, viewer):
    """White tiles out of a viewer's sight."""
    tiles = Counter(state["reserves"]["w"]) + Counter(state["bases"].values())
    return tiles if viewer == WHITE else tiles + Counter(state["hands"][WHITE])


def letters_of(games):
    """The bases of every game as ``bases_of`` has them, each way once."""
    for bases in np.unique(games.state["bases"], axis=0):
        there = zip(*np.nonzero(bases), strict=True)
        yield {f"{'wb'[k]}{LETTERS[hero]}": LETTERS[bases[k, hero] - 1] for k, hero in there}


def redrawn(games, seat, samples=SAMPLES, seed=0):
    copies = games.take([0] * samples)
    copies.resample_hidden(seat=seat, seed=seed)
    return copies


# -- random games --------------------------------------------------------------------------------


@pytest.mark.parametrize(("players", "seed"), [(4, 2), (5, 1), (6, 3), (7, 2)])
def test_bases_are_redrawn_as_everything_seen_allows_and_in_every_way(players, seed):
    games = ronin_v0.batch(1, players, seed=seed, max_rounds=50)
    watchers = {0: Watcher(WHITE), 1: Watcher("black")}
    undone = Counter()
    for step, _ in enumerate(random_moves(games)):
        state = games.state_dict(0)
        for watcher in watchers.values():
            watcher.look(state)
        if step % 19 or not state["bases"]:
            continue
        for seat, watcher in watchers.items():
            assert watcher.allows(dict(bases_of(state)))
            copies = redrawn(games, seat, seed=1000 * step)
            drawn = list(letters_of(copies))
            assert all(watcher.allows(letters) for letters in drawn)
            for hero in watcher.there:
                assert {letters[hero] for letters in drawn} == watcher.possible(hero)
            forgetful = games.take([0] * 20)
            forgetful.state["shown"] = 0
            forgetful.resample_hidden(seat=seat, seed=step)
            undone[seat] += sum(not watcher.allows(each) for each in letters_of(forgetful))
    assert undone.total() > 10, undone  # or the test would say nothing


@pytest.mark.parametrize("players", range(4, 8))
def test_a_redrawn_game_looks_the_same_and_remembers_the_same(players):
    games = ronin_v0.batch(1, players, seed=players, max_rounds=12)
    for step, _ in enumerate(random_moves(games)):
        if step % 29:
            continue
        for seat in range(players):
            copies = redrawn(games, seat, samples=3, seed=step)
            assert (copies.observe(seat) == games.observe(seat)).all()
            assert (copies.state["shown"] == games.state["shown"]).all()
            if games.seat[0] == seat:
                assert (copies.legal == games.legal).all()


# -- by hand -------------------------------------------------------------------------------------

HEROES = {"heroes": {"black_0": "A", "black_1": "B"}, "bases": {"black_0": "E", "black_1": "E"}}


def frequencies(games, seat, samples=6000):
    """How often the bases of black_0 and black_1 are of each pair of letters."""
    rows = redrawn(games, seat, samples, seed=7).state
    pairs = rows["bases"][:, 1, [LETTERS.index("A"), LETTERS.index("B")]] - 1
    return Counter(f"{LETTERS[a]}{LETTERS[b]}" for a, b in pairs.tolist())


def assert_as_likely(found, tiles, allowed):
    """Pairs of different tiles, all those allowed equally likely, within five standard deviations."""
    ways = Counter(a + b for a, b in permutations(tiles, 2) if allowed(a + b))
    assert set(found) == set(ways)
    total = sum(found.values())
    for pair, number in ways.items():
        share = number / sum(ways.values())
        assert abs(found[pair] - total * share) < 5 * (total * share * (1 - share)) ** 0.5, pair


def next_round(games, white_draws):
    """All pass, and White draws these letters; Blacks draw what comes."""
    pass_round(games)
    return play(games, *(f"draw white_0 {letter}" for letter in white_draws))


def test_white_remembers_its_hands_and_the_blacks_do_not():
    games = at({}, hands={WHITE: "SSSW"}, reserves={"w": "WBBFFLEI", "b": ""}, **HEROES)
    next_round(games, "BBFF")
    deal(games)
    rest = "SSSWWLEIEE"  # what White does not see now
    assert_as_likely(
        frequencies(games, 0), rest, lambda pair: "S" not in pair and pair.count("W") < 2
    )
    assert_as_likely(frequencies(games, 1), rest + "BBFF", lambda pair: True)
    fresh = at({}, hands={WHITE: "BBFF"}, reserves={"w": "SSSWWLEI"}, **HEROES)
    assert_as_likely(frequencies(fresh, 0), rest, lambda pair: True)  # a text tells no past


def burnt():
    """Three white Swords have fallen to two Fires that woke; the bases lay there before."""
    tiles = {"c10": "wS", "d10": "wS", "e10": "wS", "c8": "bFN~", "e8": "bFN~"}
    games = at(tiles, hands={WHITE: "BB"}, reserves={"w": "WWFL", "b": ""}, **HEROES)
    next_round(games, "WWBB")
    deal(games)
    assert games.state_dict(0)["lost"]["w"] == 3
    return games


def test_all_remember_tiles_that_lay_on_the_board_and_were_captured():
    games = burnt()
    assert_as_likely(frequencies(games, 0), "SSSFLEE", lambda pair: "S" not in pair)
    assert_as_likely(frequencies(games, 1), "SSSFLEEWWBB", lambda pair: "S" not in pair)


def test_a_base_laid_later_may_be_a_tile_shown_before():
    games = play(burnt(), "W!@f4", "base S")
    for seat in range(4):
        rows = redrawn(games, seat).state
        water = rows["bases"][:, 0, LETTERS.index("W")] - 1
        old = rows["bases"][:, 1][:, [LETTERS.index("A"), LETTERS.index("B")]] - 1
        assert LETTERS.index("S") in water
        assert LETTERS.index("S") not in old


def test_a_hero_that_falls_takes_the_memory_of_its_base_along():
    games = at(
        {"d10": "wS!", "c8": "bFN~", "e8": "bFN~"},
        hands={WHITE: "BBB"},
        reserves={"w": "WWWS", "b": ""},
        bases={"d10": "L"},
    )
    pass_round(games)
    assert not games.state["shown"].any()
    play(games, *(f"draw white_0 {letter}" for letter in "WWWS"))
    deal(games)
    play(games, "S!@f4", "base B")
    assert set(redrawn(games, 0).state["bases"][:, 0, 0] - 1) == {LETTERS.index(x) for x in "SBL"}


def test_copies_and_pickles_keep_what_was_shown():
    games = burnt()
    other = copy.deepcopy(games)
    assert np.array_equal(other.state["shown"], games.state["shown"])
    assert frequencies(other, 0) == frequencies(games, 0)


def test_where_hardly_any_deal_is_possible_one_is_found():
    # White has seen two tiles of six kinds and all of two others: six bases of six kinds, in any order.
    state = {
        "to_act": WHITE,
        "heroes": {f"black_{k}": letter for k, letter in enumerate("SBEFWI")},
        "bases": {f"black_{k}": letter for k, letter in enumerate("SBFWIL")},
        "hands": {WHITE: "SSBBEEEFFWWIILL"},
        "reserves": {"w": "AAA"},
    }
    games = next_round(position(RONIN, state), "EEAAA")
    deal(games)
    rows = redrawn(games, 0, samples=3000).state
    found = Counter(map(tuple, (rows["bases"][:, 1, :6] - 1).tolist()))
    assert set(found) <= set(permutations(LETTERS.index(letter) for letter in "SBFWIL"))
    assert len(found) > 680  # of 720; 709 are expected
    assert max(found.values()) < 20


@pytest.mark.parametrize("players", range(4, 8))
def test_a_state_read_from_text_is_the_same_row_but_for_what_was_shown(players):
    games = ronin_v0.batch(1, players, seed=players, max_rounds=6)
    again = ronin_v0.batch(1, players, max_rounds=6)
    for step, _ in enumerate(random_moves(games)):
        if step % 7 == 0:
            again.load_state_dict(0, games.state_dict(0))
            mine, theirs = games.state[0], again.state[0]
            changed = {name for name in mine.dtype.names if (mine[name] != theirs[name]).any()}
            assert changed <= {"rng", "choice", "plies", "shown", "actor"}
            assert not theirs["shown"].any()
