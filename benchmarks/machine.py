"""What a figure was measured on: the machine, the versions, the commit; and pinning to one core."""

from __future__ import annotations

import datetime
import importlib.metadata
import os
import platform
import subprocess
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent

ONE_THREAD = {
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "MKL_NUM_THREADS": "1",
    "NUMBA_NUM_THREADS": "1",
    "XLA_FLAGS": "--xla_cpu_multi_thread_eigen=false",
    "JAX_PLATFORMS": "cpu",
    "TF_CPP_MIN_LOG_LEVEL": "3",
    "PYGAME_HIDE_SUPPORT_PROMPT": "1",
}
"""Environment of every measured process, set before anything is imported there."""

OURS = ("numpy", "numba", "llvmlite", "gymnasium", "pettingzoo")
PEERS = ("open_spiel", "pgx", "jax", "jaxlib", "rlcard", "pygame", "chess")


def pin_to_one_core() -> int | None:
    """Keep this process on one core; its number, or None where the system cannot do so."""
    if not hasattr(os, "sched_setaffinity"):
        return None
    core = max(os.sched_getaffinity(0))
    os.sched_setaffinity(0, {core})
    return core


def describe() -> dict[str, Any]:
    """Machine, versions, date, commit and command, for the result file."""
    return {
        "date": datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds"),
        "command": " ".join(["python", *sys.orig_argv[1:]]),
        "commit": _git("rev-parse", "HEAD"),
        "changed_since_commit": bool(_git("status", "--porcelain", "--untracked-files=no")),
        "machine": {
            "cpu": _cpu(),
            "cores": len(os.sched_getaffinity(0))
            if hasattr(os, "sched_getaffinity")
            else os.cpu_count(),
            "system": platform.platform(),
            "load_before": load(),
        },
        "versions": {"python": platform.python_version(), **_versions()},
    }


def load() -> float | None:
    """Processes that wanted a core, on average over the last minute."""
    return round(os.getloadavg()[0], 2) if hasattr(os, "getloadavg") else None


def _versions() -> dict[str, str | None]:
    """Version of each package; None where it is not installed."""
    found: dict[str, str | None] = {}
    for name in OURS + PEERS:
        try:
            found[name] = importlib.metadata.version(name)
        except importlib.metadata.PackageNotFoundError:
            found[name] = None
    return found


def _cpu() -> str:
    info = Path("/proc/cpuinfo")
    if info.exists():
        for line in info.read_text().splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or platform.machine()


def _git(*arguments: str) -> str | None:
    try:
        done = subprocess.run(
            ["git", *arguments], cwd=ROOT, capture_output=True, text=True, check=True
        )
    except (OSError, subprocess.CalledProcessError):
        return None
    return done.stdout.strip()
