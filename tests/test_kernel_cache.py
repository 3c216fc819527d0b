"""The cache of compiled kernels: fast where nothing changed, and never an old rule.

A small package of kernels and a copy of ``tabletop_env`` lie in a folder of their own; every look
at them is a process of its own.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from shikoku_env import shikoku_v0
from tabletop_env.record import write_records

ROOT = Path(__file__).parents[1]

RULES = """
import numpy as np
from tabletop_env.bits import has
from tabletop_env.kernel import kernel
from tabletop_env.simd import make_spread
from toy.helper import price
from toy.tables import PRICES

@kernel
def bill(first, second):
    return price(first) + PRICES[second]

@kernel
def member(number):
    return has(np.uint64(5), number)

@kernel
def pick(values, index):
    return values[index]

def make(step, label):
    def count(number):
        return number + step
    return kernel(count, label=label)

ones, tens = make(1, "ones-"), make(10, "tens-")

def layer(places):  # of one label: their vectors alone tell them apart
    spread = make_spread(places)
    def lay(cells):
        spread(cells, 0, ((np.uint64(1),),))
    return kernel(lay)

forth, back = layer(range(8)), layer(range(7, -1, -1))
"""
HELPER = """
from tabletop_env.kernel import kernel

@kernel
def price(number):
    return 10 * number
"""
TABLES = """
import numpy as np
PRICES = np.array([0, 1, 2, 3])
"""
LOOK = """
import json, sys
import numpy as np
from toy import rules
answers = {}
def ask(name, call):
    try:
        answers[name] = call()
    except IndexError:
        answers[name] = "IndexError"
ask("bill", lambda: int(rules.bill(2, 3)))
ask("member", lambda: bool(rules.member(0)))
ask("pick", lambda: int(rules.pick(np.arange(8)[:3], 5)))  # outside the view, inside its memory
ask("count", lambda: [int(rules.ones(1)), int(rules.tens(1))])
def laid(lay):
    cells = np.zeros(8, np.int8)
    lay(cells)
    return cells.nonzero()[0].tolist()
ask("laid", lambda: [laid(rules.forth), laid(rules.back)])
kernels = [rules.bill, rules.member, rules.pick, rules.ones, rules.tens, rules.forth, rules.back]
if hasattr(rules.bill, "stats"):
    answers["hits"] = sum(sum(kernel.stats.cache_hits.values()) for kernel in kernels)
print(json.dumps(answers))
"""
TRUTH = {"bill": 23, "member": True, "pick": 5, "count": [2, 11], "laid": [[0], [7]]}
COMPILED, CACHED = TRUTH | {"hits": 0}, TRUTH | {"hits": 7}


class Workshop:
    """The folder with both packages, and their cache."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.cache = folder, folder / "cache"
        (folder / "toy").mkdir()
        for name, text in [
            ("__init__", ""),
            ("rules", RULES),
            ("helper", HELPER),
            ("tables", TABLES),
        ]:
            (folder / "toy" / f"{name}.py").write_text(text)
        shutil.copytree(
            ROOT / "tabletop_env",
            folder / "tabletop_env",
            ignore=shutil.ignore_patterns("__pycache__"),
        )

    def run(self, program: str, **variables: str) -> Any:
        """What a fresh process prints, as JSON; nothing may go to its standard error."""
        kept = {k: v for k, v in os.environ.items() if not k.startswith(("NUMBA_", "TABLETOP_"))}
        places = {"PYTHONPATH": str(self.folder), "NUMBA_CACHE_DIR": str(self.cache)}
        quiet = {"PYTHONDONTWRITEBYTECODE": "1"}
        done = subprocess.run(
            [sys.executable, "-c", program],
            env=kept | places | quiet | variables,
            cwd=self.folder,
            capture_output=True,
            text=True,
            check=False,
        )
        assert not done.stderr, done.stderr
        return json.loads(done.stdout)

    def look(self, **variables: str) -> dict[str, Any]:
        return self.run(LOOK, **variables)

    def edit(self, file: str, old: str, new: str) -> None:
        """Change a source but neither its size nor its time stamp."""
        path = self.folder / file
        text, stamp = path.read_text(), path.stat()
        assert text.count(old) == 1
        assert len(old) == len(new)
        path.write_text(text.replace(old, new))
        os.utime(path, ns=(stamp.st_atime_ns, stamp.st_mtime_ns))

    def cached(self) -> list[Path]:
        """Files of compiled kernels, wherever they are."""
        return [path for path in self.folder.rglob("*") if path.suffix in (".nbi", ".nbc")]


@pytest.fixture
def workshop(tmp_path: Path) -> Workshop:
    return Workshop(tmp_path)


@pytest.fixture(scope="module")
def stock(tmp_path_factory: pytest.TempPathFactory) -> tuple[Workshop, Path]:
    """A workshop whose kernels are cached, and a copy of its folder."""
    workshop = Workshop(tmp_path_factory.mktemp("workshop"))
    assert workshop.look() == COMPILED
    copy = tmp_path_factory.mktemp("stock") / "copy"
    shutil.copytree(workshop.folder, copy)
    return workshop, copy


@pytest.fixture
def warm(stock: tuple[Workshop, Path]) -> Workshop:
    """The workshop whose kernels are cached, as it was at first."""
    workshop, copy = stock
    shutil.rmtree(workshop.folder)
    shutil.copytree(copy, workshop.folder)
    return workshop


def test_a_second_process_compiles_nothing(warm: Workshop):
    files = {path: path.stat().st_mtime_ns for path in warm.cached()}
    assert files
    assert all(path.is_relative_to(warm.cache) for path in files)
    assert warm.look() == CACHED
    assert {path: path.stat().st_mtime_ns for path in warm.cached()} == files


def test_an_edited_helper_or_table_in_another_module_is_the_new_rule(warm: Workshop):
    warm.edit("toy/helper.py", "10 * number", "20 * number")
    assert warm.look() == COMPILED | {"bill": 43}
    warm.edit("toy/tables.py", "[0, 1, 2, 3]", "[0, 1, 2, 7]")
    assert warm.look() == COMPILED | {"bill": 47}


def test_a_change_in_tabletop_env_is_the_new_rule(warm: Workshop):
    warm.edit("tabletop_env/bits.py", "& ONE != ZERO", "& ONE == ZERO")
    assert warm.look() == COMPILED | {"member": False}


LENDER = """
from tabletop_env.kernel import kernel

@kernel
def fee(number):
    return number + 1
"""
BORROWER = """
from pathlib import Path
import numpy as np
from lender import fee
from tabletop_env.kernel import kernel
RATES = np.array([int(word) for word in Path("rates.txt").read_text().split()])

@kernel
def cost(number):
    return fee(number) * RATES[number]
"""
COST = """
import json
from toy.borrower import cost
print(json.dumps([int(cost(1)), sum(cost.stats.cache_hits.values())]))
"""


def test_another_packages_kernel_or_a_table_from_a_file_is_the_new_rule(workshop: Workshop):
    for name, text in [("lender", LENDER), ("toy/borrower", BORROWER)]:
        (workshop.folder / f"{name}.py").write_text(text)
    (workshop.folder / "rates.txt").write_text("1 2")
    assert workshop.run(COST) == [4, 0]
    assert workshop.run(COST) == [4, 1]
    workshop.edit("lender.py", "number + 1", "number + 3")
    assert workshop.run(COST) == [8, 0]
    (workshop.folder / "rates.txt").write_text("1 5")
    assert workshop.run(COST) == [20, 0]
    assert workshop.run(COST) == [20, 1]


def test_an_upgrade_in_place_is_the_new_rule(warm: Workshop):
    """Another version of the package at the same path, with the same sizes and time stamps."""
    old, new = warm.folder / "toy", warm.folder / "new"
    shutil.copytree(old, new)
    warm.edit("new/helper.py", "10 * number", "30 * number")
    shutil.rmtree(old)
    shutil.move(new, old)
    assert warm.look() == COMPILED | {"bill": 63}


def test_bounds_checks_have_entries_of_their_own(warm: Workshop):
    assert warm.look(NUMBA_BOUNDSCHECK="1") == COMPILED | {"pick": "IndexError"}
    assert warm.look() == CACHED


def test_the_cache_can_be_switched_off(workshop: Workshop):
    assert workshop.look(TABLETOP_NO_CACHE="1") == COMPILED
    assert workshop.cached() == []
    assert workshop.look(TABLETOP_NO_CACHE="0") == COMPILED
    assert workshop.cached()


def test_without_numbas_folder_kernels_lie_beside_their_source(workshop: Workshop):
    file = workshop.folder / "a file"
    file.touch()
    for hits in (0, 7):
        assert workshop.look(NUMBA_CACHE_DIR=str(file / "cache")) == TRUTH | {"hits": hits}
    assert {path.parent.name for path in workshop.cached()} == {"__pycache__"}


def test_where_no_folder_can_be_written_kernels_are_compiled_in_memory(workshop: Workshop):
    """Root may write everywhere but below a file."""
    file = workshop.folder / "a file"
    for blocked in (
        file,
        workshop.folder / "toy/__pycache__",
        workshop.folder / "tabletop_env/__pycache__",
    ):
        blocked.touch()
    nowhere = str(file / "cache")
    answers = workshop.look(NUMBA_CACHE_DIR=nowhere, HOME=nowhere, XDG_CACHE_HOME=nowhere)
    assert answers == COMPILED
    assert workshop.cached() == []


def test_kernels_run_as_plain_python_too(workshop: Workshop):
    answers = workshop.look(NUMBA_DISABLE_JIT="1", PYTHONWARNINGS="ignore::RuntimeWarning")
    assert answers == TRUTH | {"pick": "IndexError"}
    assert workshop.cached() == []


PLAIN = """
import json
from shikoku_env import shikoku_v0
from shikoku_env.game import SHIKOKU
from tabletop_env.record import write_records
games = shikoku_v0.batch(2, 5, seed=3)
assert not hasattr(SHIKOKU.kernels.apply, "py_func"), "compiled after all"
observed = []
while not games.done.all():
    observed.append(games.observe().tolist())
    games.step(games.sample_legal())
games.resample_hidden(seat=0, seed=1)
other = shikoku_v0.batch(1, 8, seed=4)
other.playout(until=2)
print(json.dumps({
    "observed": observed,
    "states": [games.state_dict(0), games.state_dict(1), other.state_dict(0)],
    "records": list(write_records(SHIKOKU, 3, 1, seed=5, full=True)),
}))
"""


def test_shikoku_as_plain_python_plays_the_compiled_games(workshop: Workshop):
    shutil.rmtree(workshop.folder / "tabletop_env")
    answers = workshop.run(
        PLAIN,
        PYTHONPATH=str(ROOT),
        NUMBA_DISABLE_JIT="1",
        PYTHONWARNINGS="ignore::RuntimeWarning",  # streams overflow, as they should
    )
    games, observed = shikoku_v0.batch(2, 5, seed=3), []
    while not games.done.all():
        observed.append(games.observe().tolist())
        games.step(games.sample_legal())
    games.resample_hidden(seat=0, seed=1)
    other = shikoku_v0.batch(1, 8, seed=4)
    other.playout(until=2)
    assert np.array_equal(answers["observed"], observed)
    assert answers["states"] == [games.state_dict(0), games.state_dict(1), other.state_dict(0)]
    assert answers["records"] == list(write_records(other.game, 3, 1, seed=5, full=True))
