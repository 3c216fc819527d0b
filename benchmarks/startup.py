"""What starting costs: import, first step with and without compiled kernels, memory of a batch.

Each is measured in processes of its own. Seconds are those that the process had a core; the time on
the clock stands beside them.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from typing import Any

import machine
from games import Limits
from timing import spread

IMPORT = """
import json, time
wall, cpu = time.perf_counter(), time.process_time()
import {package}
print(json.dumps([time.process_time() - cpu, time.perf_counter() - wall]))
"""

FIRST_STEP = """
import json, time
import {module}
game = {module}.{constant}
from tabletop_env.aec import GameEnv
from tabletop_env.batch import Batch
wall, cpu = time.perf_counter(), time.process_time()
if {door!r} == "batch":
    games = Batch(game, 64, {players})
    games.step(games.sample_legal())
    games.observe()
else:
    env = GameEnv(game, {players})
    env.reset(seed=0)
    env.step(int(env.last()[0]["action_mask"].argmax()))
    env.last()
print(json.dumps([time.process_time() - cpu, time.perf_counter() - wall]))
"""

MEMORY = """
import json, tracemalloc
import {module}
from tabletop_env.batch import Batch
def play(games, out):
    for _ in range(8):
        games.step(games.sample_legal())
        games.observe(out=out)
play(warm := Batch({module}.{constant}, 64, {players}), warm.observe())
tracemalloc.start()
games = Batch({module}.{constant}, {games}, {players})
out = games.observe()
kept = tracemalloc.get_traced_memory()[0]
play(games, out)
print(json.dumps([kept, tracemalloc.get_traced_memory()[1]]))
"""


def measure(limits: Limits, quick: bool) -> list[dict[str, Any]]:
    """Findings, each with its limit where there is one."""
    runs = 3 if quick else 7
    module, _, constant = limits.where.partition(":")
    names = {"module": module, "constant": constant, "players": limits.players}
    found = []

    def seconds(text: str, limit: float | None, samples: list[Any]) -> None:
        cpu = spread([sample[0] for sample in samples])
        wall = spread([sample[1] for sample in samples])
        found.append(_finding(text, "s", cpu.median, limit, {"spread": cpu, "wall": wall}))

    _python(IMPORT.format(package=limits.package))  # its byte code is compiled by now
    for package, limit in ((limits.package, limits.import_seconds), ("numba", None)):
        script = IMPORT.format(package=package)
        seconds(f"import {package}", limit, [_python(script) for _ in range(runs)])
    for door in ("batch", "aec"):
        script = FIRST_STEP.format(door=door, **names)
        cold, cached = [], []
        for _ in range(1 if quick else 2):
            with tempfile.TemporaryDirectory() as folder:
                cold.append(_python(script, NUMBA_CACHE_DIR=folder))
                cached += [_python(script, NUMBA_CACHE_DIR=folder) for _ in range(runs // 2 + 1)]
        seconds(f"first step, {door}, nothing compiled yet", limits.cold_seconds, cold)
        seconds(f"first step, {door}, kernels from the cache", limits.cached_seconds, cached)
    names |= {"players": limits.memory_players, "games": limits.games}
    kept, peak = _python(MEMORY.format(**names))
    size = f"{limits.games} games of {limits.memory_players} players"
    text = f"memory of {size}, with outputs and observations"
    more = {"peak_while_stepping": peak}
    found.append(_finding(text, "bytes", kept, limits.memory_bytes, more))
    return found


def _finding(
    text: str, unit: str, value: float, limit: float | None, more: dict[str, Any]
) -> dict[str, Any]:
    met = None if limit is None else value < limit
    return {"text": text, "unit": unit, "value": value, "limit": limit, "met": met, **more}


def _python(script: str, **variables: str) -> Any:
    """What a fresh interpreter prints, read as JSON."""
    done = subprocess.run(
        [sys.executable, "-c", script],
        env={**os.environ, **machine.ONE_THREAD, **variables},
        check=True,
        stdout=subprocess.PIPE,
        text=True,
    )
    return json.loads(done.stdout)
