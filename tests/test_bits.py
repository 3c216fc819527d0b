"""Sets as bits: the instructions against plain Python."""

from __future__ import annotations

import numpy as np
import pytest

from tabletop_env import bits
from tabletop_env.kernel import kernel


@kernel
def compiled(word):
    return bits.popcount(word), bits.lowest(word), bits.reverse(word)


@pytest.mark.parametrize("value", [0, 1, 2**63, 2**64 - 1, 0x00F0_0000_1234_8001])
def test_instructions_do_what_python_does(value):
    word = np.uint64(value)
    count, lowest, reverse = compiled(word)
    assert count == bits.popcount(word) == value.bit_count()
    assert lowest == bits.lowest(word) == next((i for i in range(64) if value >> i & 1), 64)
    assert int(reverse) == int(bits.reverse(word)) == int(f"{value:064b}"[::-1], 2)
