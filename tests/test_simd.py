"""Sets laid out as bytes and read back, four words worked on at once: vectors against plain Python."""

from __future__ import annotations

import numpy as np
import pytest
from numba.core import config
from numba.core.errors import TypingError

from paiko_env.game import PAIKO
from tabletop_env import simd
from tabletop_env.batch import Batch
from tabletop_env.kernel import kernel
from tabletop_env.lanes import half, lanes, load_lanes, load_twice, require_row, store_lanes

SIZES = (8, 13, 17, 33, 112, 196)
MASKS = (0, 1, 7, 63, 64, 65, 127, 128, 129, 130, 191, 192, 193, 2477)
DTYPES = [np.bool_, np.int8, np.uint8]


def random_words(rng: np.random.Generator, *shape: int) -> np.ndarray:
    return rng.integers(0, 2**64, shape, np.uint64)


def places_of(rng: np.random.Generator, size: int, words: int) -> list[int]:
    """Any bits in any order, some of them twice, and cells that stand for none."""
    places = rng.integers(0, 64 * words, size)
    places[rng.random(size) < 0.2] = simd.NOWHERE
    return places.tolist()


def laid_by(spread):
    @kernel
    def laid(cells, start, sets):
        spread(cells, start, sets)

    return laid


@pytest.mark.parametrize("size", SIZES)
def test_sets_are_laid_out_in_any_order(size):
    rng = np.random.default_rng(size)
    for words, number in ((1, 1), (2, 1), (2, 3)):
        places = places_of(rng, size, words)
        spread = simd.make_spread(places)

        laid = laid_by(spread)
        for dtype in DTYPES if number == 1 else DTYPES[1:]:
            sets = tuple(tuple(random_words(rng, words)) for _ in range(number))
            expected = [
                0 if p == simd.NOWHERE else sum(int(s[p // 64]) >> p % 64 & 1 for s in sets)
                for p in places
            ]
            for function in (laid, spread):
                cells = np.full(size + 9, 1, dtype)
                function(cells, 5, sets)
                assert cells[5 : 5 + size].tolist() == expected
                assert cells[:5].all()  # nothing beside them was touched
                assert cells[5 + size :].all()


@pytest.mark.parametrize("size", SIZES)
def test_cells_are_filled(size):
    fill = simd.make_fill(size)

    @kernel
    def filled(cells, start, value):
        fill(cells, start, value)

    for dtype, value in ((np.int8, -5), (np.uint8, 7), (np.bool_, 1)):
        for function in (filled, fill):
            cells = np.zeros(size + 7, dtype)
            function(cells, 3, np.int8(value))
            assert (cells[3 : 3 + size] == value).all()
            assert not cells[:3].any()
            assert not cells[3 + size :].any()


def test_sizes_that_no_vector_has_are_refused():
    with pytest.raises(ValueError, match="size is 7, expected 8 or more"):
        simd.make_fill(7)
    with pytest.raises(ValueError, match="size is 0, expected 8 or more"):
        simd.make_spread([])
    for size in (4, 24, 100):
        with pytest.raises(ValueError, match=f"size is {size}, expected 8, 16, 32 or 64"):
            simd.make_gather(size)


@pytest.mark.skipif(config.DISABLE_JIT, reason="plain Python finds out by itself")
def test_sets_that_do_not_hold_the_places_are_refused():
    wide, narrow = simd.make_spread(range(60, 70)), simd.make_spread(range(10))

    @kernel
    def laid(cells, words):
        wide(cells, 0, ((words[0],),))

    @kernel
    def mixed(cells, words):
        narrow(cells, 0, ((words[0], words[1], words[2]),))

    @kernel
    def summed(cells, words):
        narrow(cells, 0, ((words[0],), (words[1],)))

    words = np.zeros(3, np.uint64)
    for function in (laid, mixed):
        with pytest.raises(TypingError, match="expected one or two words each"):
            function(np.zeros(10, np.int8), words)
    with pytest.raises(TypingError, match="2 sets, but a cell of bool holds no number"):
        summed(np.zeros(10, np.bool_), words)


@pytest.mark.skipif(config.DISABLE_JIT, reason="plain Python always checks")
def test_bounds_are_checked_where_numba_checks_them(monkeypatch):
    monkeypatch.setattr(config, "BOUNDSCHECK", 1)
    fill, spread, gathering = simd.make_fill(8), simd.make_spread(range(8)), simd.make_gather(8)

    @kernel
    def reached(cells, start, word):
        fill(cells, start, 0)

    @kernel
    def laid(cells, start, word):
        spread(cells, start, ((word,),))

    @kernel
    def read(cells, start, word):
        return gathering(cells, start, 1)

    for function in (reached, laid, read):
        cells = np.ones(12, np.int8)
        function(cells, 4, np.uint64(0))
        for start in (-1, 5):
            with pytest.raises(IndexError, match="vector is out of bounds"):
                function(cells, start, np.uint64(0))
    for row in (-1, 3):
        with pytest.raises(IndexError, match="row of words is out of bounds"):
            require_row(np.zeros((6, 2), np.uint64), row, 4)


@kernel
def gathered(cells, start, bits):
    return simd.gather(cells, start, bits)


def gathering_of(size):
    plain = simd.make_gather(size)

    @kernel
    def compiled_one(cells, start, bits):
        return plain(cells, start, bits)

    return size, plain, compiled_one


GATHERS = [gathering_of(size) for size in (8, 16, 32)]


@kernel
def tallied(cells, start):
    return simd.tally(cells, start)


@pytest.mark.parametrize("dtype", DTYPES)
def test_bytes_are_read_back_as_bits(dtype):
    rng = np.random.default_rng(0)
    cells = rng.integers(0, 2 if dtype == np.bool_ else 100, 150).astype(dtype)
    for start in (0, 1, 37, 86):
        for bits in (1, 2, 5, 255):
            expected = sum(1 << i for i in range(64) if int(cells[start + i]) & bits)
            assert int(gathered(cells, start, bits)) == expected
            assert int(simd.gather(cells, start, bits)) == expected
            for size, gathering, compiled_one in GATHERS:
                part = expected & (1 << size) - 1
                assert int(gathering(cells, start, bits)) == part
                assert int(compiled_one(cells, start, bits)) == part
    for share in (0, 0.3, 1):
        cells = (rng.random(150) < share).astype(dtype)
        for start in (0, 9, 22):
            number = np.count_nonzero(cells[start : start + 128])
            assert tallied(cells, start) == simd.tally(cells, start) == number


def test_plain_python_refuses_what_is_not_there():
    cells = np.zeros(70, np.int8)
    for start in (-1, 7):
        with pytest.raises(IndexError, match=r"no 64 bytes at .* of 70 of int8"):
            simd.gather(cells, start, 1)
    with pytest.raises(IndexError, match="no 128 bytes at 0 of 70 of int8"):
        simd.tally(cells, 0)
    with pytest.raises(IndexError, match="no 8 bytes"):
        simd.make_fill(8)(np.zeros(40, np.int8)[::2], 0, 1)
    with pytest.raises(IndexError, match="no 9 bytes"):
        simd.make_spread(range(9))(np.zeros(20, np.int16), 0, ((np.uint64(1),),))


def test_what_is_read_only_is_not_written():
    fill, spread = simd.make_fill(8), simd.make_spread(range(8))

    @kernel
    def filled(cells):
        fill(cells, 0, 1)

    @kernel
    def laid(cells):
        spread(cells, 0, ((np.uint64(255),),))

    cells = np.zeros(8, np.int8)
    cells.flags.writeable = False
    for function in (filled, laid):
        with pytest.raises(ValueError if config.DISABLE_JIT else TypingError):
            function(cells)
    assert not cells.any()


# -- masks ---------------------------------------------------------------------------------------


@kernel
def count(mask):
    return simd.count_marked(mask)


@kernel
def nth(mask, k):
    return simd.nth_marked(mask, k)


@pytest.mark.parametrize("length", MASKS)
def test_marked_entries_are_counted_and_found(length):
    rng = np.random.default_rng(length)
    for share in (0, 0.02, 0.5, 1):
        mask = rng.random(length) < share
        marked = np.flatnonzero(mask)
        assert count(mask) == len(marked)
        assert [nth(mask, k) for k in range(len(marked))] == marked.tolist()
        assert nth(mask, len(marked)) == length  # nothing beyond


def test_no_action_is_drawn_where_the_mask_has_none():
    games = Batch(PAIKO, 3, 2)
    games._legal[1] = False  # as it would be in a state that was changed and not refreshed
    assert games.sample_legal()[1] == -1


# -- lanes ---------------------------------------------------------------------------------------


def worked(first, second, table, row):
    a, b = lanes(first, second), load_lanes(table, row)
    c = load_twice(table, row)
    d, e = (a | b) & ~c, a & b | c
    return half(d, 0), half(d, 1), half(e, 0), half(e, 1)


compiled = kernel(worked)


def test_lanes_do_what_words_do():
    rng = np.random.default_rng(0)
    table = random_words(rng, 5, 3, 4)
    for row in (0, 1, 14):
        words = random_words(rng, 4)
        a, b = words, table.reshape(-1, 4)[row]
        c = np.tile(table.reshape(-1, 2)[row], 2)
        d, e = (a | b) & ~c, a & b | c
        expected = [*d.tolist(), *e.tolist()]
        for function in (worked, compiled):
            found = function(tuple(words[:2]), tuple(words[2:]), table, row)
            assert [int(word) for pair in found for word in pair] == expected


def moved(table, start, goal):
    store_lanes(table, goal, ~load_lanes(table, start))


def test_lanes_are_stored_where_they_are_loaded():
    rng = np.random.default_rng(1)
    before = random_words(rng, 3, 2, 4)
    for function in (moved, kernel(moved)):
        table = before.copy()
        function(table, 1, 4)
        assert (table.reshape(-1, 4)[4] == ~before.reshape(-1, 4)[1]).all()
        table.reshape(-1, 4)[4] = before.reshape(-1, 4)[4]
        assert (table == before).all()
    with pytest.raises(ValueError, match="table is not contiguous"):
        store_lanes(before[:, :, ::2], 0, before[0, 0])
