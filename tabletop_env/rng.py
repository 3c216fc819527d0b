"""Random streams that live in the row, so that a copied game continues as the original would.

Every row has two SplitMix64 streams (Steele, Lea and Flood, 2014): ``rng`` for the chance of the
game (deals, draws) and ``choice`` for moves picked at random on a player's behalf. They are apart so
that the cards of a game do not depend on who chooses the moves, or how.
A number below n is taken from the upper 32 bits by multiplication; its bias is below n / 2**32.
"""

from __future__ import annotations

import numpy as np

from tabletop_env.kernel import kernel

_STEP = np.uint64(0x9E3779B97F4A7C15)
_FIRST = np.uint64(0xBF58476D1CE4E5B9)
_SECOND = np.uint64(0x94D049BB133111EB)
_CHOICE = np.uint64(0xD1B54A32D192ED03)  # sets the choice stream apart from the chance stream
_S27, _S30, _S31, _S32 = np.uint64(27), np.uint64(30), np.uint64(31), np.uint64(32)


@kernel
def mix(z):
    """SplitMix64's output function: a bijection of uint64 that scatters neighbours."""
    z = (z ^ (z >> _S30)) * _FIRST
    z = (z ^ (z >> _S27)) * _SECOND
    return z ^ (z >> _S31)


@kernel
def seed_row(row, seed):
    """Start both streams of ``row`` from a uint64 seed."""
    row["rng"] = mix(seed + _STEP)
    row["choice"] = mix((seed ^ _CHOICE) + _STEP)


@kernel
def chance_below(row, n):
    """A number in 0..n-1 from the chance stream; n is 1..2**32."""
    row["rng"] += _STEP
    return np.int64(((mix(row["rng"]) >> _S32) * np.uint64(n)) >> _S32)


@kernel
def choice_below(row, n):
    """A number in 0..n-1 from the choice stream; n is 1..2**32."""
    row["choice"] += _STEP
    return np.int64(((mix(row["choice"]) >> _S32) * np.uint64(n)) >> _S32)
