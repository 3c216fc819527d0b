"""``python -m paiko_env``: records, positions, play and benchmarks of Paikō's games."""

import sys

from paiko_env.game import PAIKO
from paiko_env.ronin_game import RONIN
from paiko_env.valley_game import VALLEY
from tabletop_env.cli import main

if __name__ == "__main__":
    sys.exit(main([PAIKO, VALLEY, RONIN], "python -m paiko_env"))
