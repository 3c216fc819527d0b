"""``python -m shikoku_env``: records, positions, play and benchmarks of Shikoku."""

import sys

from shikoku_env.game import SHIKOKU
from tabletop_env.cli import main

if __name__ == "__main__":
    sys.exit(main([SHIKOKU], "python -m shikoku_env"))
