"""Paikō, a game of tiles that threaten and cover, for two; Valley of the Shrines, for
three; and The Ronin Prince, for four to seven.

In reading order:

=============== ======================================================================
paiko_v0        the doors of the game for two: env, raw_env, batch, vector_env; valley_v0, ronin_v0
board           squares, regions, neighbours, symmetries
tiles           pattern drawings, turned into tables
state           the dtype of a row: the data dictionary, shared by all games
squares         sets of squares in kernels
heroes          Ronin: what a hero changes
threat          threat stacking and cover
moves           what moves do to the board
legal           where tiles may go
capture         what falls, in what order
turn            a tile's action from choice to choice, its counts, points
menu            the choices of the seat to act: written out, or one at random
red, red_menu   the Valley: Red's pieces, and Red's choices
busy            Ronin: where tiles may go that are busy at once; ronin_menu
duel, valley    who acts, in which phase, and how it ends: the rules of each game; ronin
ronin_chance    Ronin: chance events; ronin_hidden: what a seat cannot see, dealt anew
actions         action numbers: layout, encode, decode; valley_actions, ronin_actions
observe         what a seat sees; valley_observe, ronin_observe
notation        moves and states as text; reading: states read back; valley_…, ronin_…
greedy          a policy's idea of a good position; valley_greedy, ronin_greedy
family          what the three have in common as games of the library
game            all of the above as one ``tabletop_env.game.Game``; valley_game, ronin_game
clock           Ronin's clock
openspiel       the games in OpenSpiel, if it is imported
picture         a state as SVG (glyphs, panels, overlay) and as lines
explain         why a move is illegal, in words; explain_red, explain_heroes
=============== ======================================================================

Importing the package registers its games, ``paiko_env/Paiko-v0``, ``paiko_env/Valley-v0`` and
``paiko_env/Ronin-v0``, with Gymnasium (``make`` and ``make_vec``) and, where it has a registry, with
PettingZoo.
"""

from paiko_env import paiko_v0, ronin_v0, valley_v0
from tabletop_env.registration import register

register("paiko_env/Paiko-v0", paiko_v0)
register("paiko_env/Valley-v0", valley_v0)
register("paiko_env/Ronin-v0", ronin_v0)

__all__ = ["paiko_v0", "ronin_v0", "valley_v0"]
