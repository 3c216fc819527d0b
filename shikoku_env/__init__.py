"""Shikoku, a card race for 3 to 8 pilgrims with hidden hands, where second and second-to-last win.

In reading order:

=============== ======================================================================
shikoku_v0      the doors: env, raw_env, batch, vector_env
rules           numbers of the game, each with its source
state           the dtype of a row: the data dictionary
phases          deal, play, climb, collect, end: the rules as kernels
observe         what a seat may see
notation        moves and states as text, both ways
lines, picture  a state as text for a terminal, and as SVG
game            all of the above as one ``tabletop_env.game.Game``
openspiel       the game in OpenSpiel, if it is imported
=============== ======================================================================

Importing the package registers ``shikoku_env/Shikoku-v0`` with Gymnasium (``make`` and ``make_vec``)
and, where it has a registry, with PettingZoo.
"""

from shikoku_env import shikoku_v0
from tabletop_env.registration import register

register("shikoku_env/Shikoku-v0", shikoku_v0)

__all__ = ["shikoku_v0"]
