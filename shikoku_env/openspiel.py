"""Importing this registers ``tabletop_shikoku`` with OpenSpiel; see ``tabletop_env.openspiel``."""

from shikoku_env.shikoku_v0 import DOORS
from tabletop_env.openspiel import register

register(DOORS)
