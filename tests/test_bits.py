"""Sets as bits, and masks read eight bytes at a time: the instructions against plain Python."""

from __future__ import annotations

import numpy as np
import pytest
from numba.core import config

from paiko_env.game import PAIKO
from tabletop_env import bits
from tabletop_env.batch import Batch
from tabletop_env.kernel import kernel

LENGTHS = (0, 1, 7, 8, 9, 63, 64, 65, 130, 2477)


@kernel
def compiled(word):
    return bits.popcount(word), bits.lowest(word), bits.reverse(word)


@kernel
def load(cells, start):
    return bits.load_word(cells, start)


@kernel
def store(cells, start, word):
    bits.store_word(cells, start, word)


@pytest.mark.parametrize("value", [0, 1, 2**63, 2**64 - 1, 0x00F0_0000_1234_8001])
def test_instructions_do_what_python_does(value):
    word = np.uint64(value)
    count, lowest, reverse = compiled(word)
    assert count == bits.popcount(word) == value.bit_count()
    assert lowest == bits.lowest(word) == next((i for i in range(64) if value >> i & 1), 64)
    assert int(reverse) == int(bits.reverse(word)) == int(f"{value:064b}"[::-1], 2)


@pytest.mark.parametrize("dtype", [np.bool_, np.int8, np.uint8])
def test_words_are_loaded_from_any_place_and_stored_there(dtype):
    cells = np.arange(20).astype(dtype)
    for start in range(13):
        expected = int.from_bytes(cells[start : start + 8].tobytes(), "little")
        assert int(load(cells, start)) == int(bits.load_word(cells, start)) == expected
    for write in (store, bits.store_word):
        cells = np.zeros(20, dtype)
        write(cells, 3, np.uint64(0x0100_0001_0101_0001))
        assert cells.nonzero()[0].tolist() == [3, 5, 6, 7, 10]


def test_plain_python_refuses_what_is_not_there():
    for start in (-1, 13):
        with pytest.raises(IndexError, match=r"no eight bytes at .* of 20 of int8"):
            bits.load_word(np.zeros(20, np.int8), start)
    with pytest.raises(IndexError):
        bits.store_word(np.zeros(40, np.int8)[::2], 0, np.uint64(1))


def test_what_is_read_only_is_not_written():
    cells = np.zeros(8, np.int8)
    cells.flags.writeable = False
    error = ValueError if config.DISABLE_JIT else Exception  # numba's typing error
    with pytest.raises(error):
        store(cells, 0, np.uint64(1))
    assert not cells.any()


@kernel
def count(mask):
    return bits.count_marked(mask)


@kernel
def nth(mask, k):
    return bits.nth_marked(mask, k)


@pytest.mark.parametrize("length", LENGTHS)
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
