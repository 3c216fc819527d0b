"""Importing this registers ``tabletop_paiko``, ``tabletop_valley`` and ``tabletop_ronin`` with OpenSpiel;
see ``tabletop_env.openspiel``.
"""

from paiko_env import paiko_v0, ronin_v0, valley_v0
from tabletop_env.openspiel import register

for module in (paiko_v0, valley_v0, ronin_v0):
    register(module.DOORS)
