"""Windows of tests need no display."""

import os

os.environ.setdefault("SDL_VIDEODRIVER", "dummy")
os.environ["NO_COLOR"] = "1"
