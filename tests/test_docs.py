"""The documentation says what is so: tables, code blocks, commands, links, and a build without warnings.

A code block may be preceded by a comment: ``<!-- needs: moviepy -->``, and it is skipped where that is not
installed, or ``<!-- not run: why -->``. All other blocks of a page run one after another, in one namespace.
"""

from __future__ import annotations

import argparse
import ast
import contextlib
import importlib.util
import io
import re
import runpy
import shlex
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

import pytest

from paiko_env.game import PAIKO
from paiko_env.ronin_game import RONIN
from paiko_env.valley_game import VALLEY
from shikoku_env.game import SHIKOKU
from tabletop_env import cli
from tabletop_env.layout import Block, Layout

ROOT = Path(__file__).parents[1]
DOCS = sorted((ROOT / "docs").rglob("*.md"))
PAGES = [ROOT / "README.md", *DOCS]
LINKED = [*PAGES, ROOT / "CHANGELOG.md", ROOT / "benchmarks" / "README.md"]

FENCE = re.compile(
    r"(?:^<!-- (?P<mark>needs|not run): (?P<why>.+?) -->\n\n?)?^```(?P<kind>\w*)\n(?P<text>.*?)^```$",
    re.DOTALL | re.MULTILINE,
)
LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")


class Fence(NamedTuple):
    """A code block: its kind, its text, the line it begins on, and what a comment says before it."""

    kind: str
    text: str
    line: int
    mark: str | None
    why: str


def fences(path: Path, kind: str) -> list[Fence]:
    text = path.read_text("utf-8")
    return [
        Fence(
            kind,
            found["text"],
            text.count("\n", 0, found.start("text")),
            found["mark"],
            found["why"],
        )
        for found in FENCE.finditer(text)
        if found["kind"] == kind
    ]


def runs(fence: Fence) -> bool:
    """Whether a block is to be run here."""
    if fence.mark == "needs":
        return all(importlib.util.find_spec(module.strip()) for module in fence.why.split(","))
    return fence.mark is None


def name(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def holding(kind: str) -> list[Path]:
    found = [path for path in PAGES if fences(path, kind)]
    assert found
    return found


# -- tables ----------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def tables() -> Any:
    spec = importlib.util.spec_from_file_location("tables", ROOT / "docs" / "tables.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["tables"] = module
    spec.loader.exec_module(module)
    return module


def test_tables_are_those_of_the_code(tables, capsys):
    stale = tables.main(["--check"])
    assert not stale, (
        f"run python docs/tables.py, or look why they changed: {capsys.readouterr().out}"
    )


def test_every_table_stands_in_a_page(tables):
    shown = [table for path in tables.FILES for table in tables.names(path.read_text("utf-8"))]
    assert sorted(shown) == sorted(tables.makers())


def test_a_table_that_differs_is_seen(tables):
    text = (ROOT / "docs" / "environments" / "shikoku.md").read_text("utf-8")
    wrong = text.replace("| 0..32 | card |", "| 0..31 | card |")
    assert wrong != text
    assert tables.filled(wrong) == text
    with pytest.raises(KeyError, match="no such"):
        tables.filled("<!-- table: no such -->\n<!-- end of table -->")


def test_blocks_of_seats_that_are_out_of_step_are_refused(tables):
    table, own = Block("table", 2, ""), [Block("seat0_a", 1, ""), Block("seat0_b", 2, "")]
    good = [table, *own, Block("seat1_a", 1, ""), Block("seat1_b", 2, "")]
    tables.check_stride(Layout(good), [table, *own], own, 3)
    for wrong in ([*good[:3], *good[:2:-1]], [*good[:3], Block("seat1_a", 2, ""), good[4]]):
        with pytest.raises(ValueError, match="out of step"):
            tables.check_stride(Layout(wrong), [table, *own], own, 3)


# -- code ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", holding("python"), ids=name)
def test_python_runs(path: Path, tmp_path: Path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    page = ModuleType(f"page_{path.stem}")
    monkeypatch.setitem(sys.modules, page.__name__, page)  # numba looks kernels up by module
    for fence in fences(path, "python"):
        if not runs(fence):
            continue
        source = "\n" * fence.line + fence.text  # errors name the page's own lines
        exec(compile(source, f"<{name(path)}>", "exec"), vars(page))


def test_marks_belong_to_blocks():
    for path in PAGES:
        text = path.read_text("utf-8")
        marks = len(re.findall(r"<!-- (?:needs|not run):", text))
        assert marks == sum(found["mark"] is not None for found in FENCE.finditer(text)), path


# -- commands --------------------------------------------------------------------------------------

FEW = 1  # game is recorded where a page says more, for `view` takes its time for each
CHEAP = ("record", "check", "view", "state", "perft")
PROGRAMS = {"shikoku_env": [SHIKOKU], "paiko_env": [PAIKO, VALLEY, RONIN]}


class Command(NamedTuple):
    """A command of a shell block, and what is piped into it."""

    words: list[str]
    given: str


def commands(path: Path) -> Iterator[Command]:
    for fence in fences(path, "sh"):
        if not runs(fence):
            continue
        for line in fence.text.splitlines():
            for part in split(shlex.split(line, comments=True), "&&"):
                *before, last = split(part, "|")
                given = " ".join(before[0][1:]) + "\n" if before and before[0][0] == "echo" else ""
                if last:
                    yield Command(last, given)


def split(words: list[str], mark: str) -> list[list[str]]:
    parts: list[list[str]] = [[]]
    for word in words:
        if word == mark:
            parts.append([])
        else:
            parts[-1].append(word)
    return parts


def program(words: list[str]) -> str:
    return Path(words[0]).name


@pytest.mark.parametrize("path", holding("sh"), ids=name)
def test_commands_are_understood(path: Path, tmp_path: Path, monkeypatch, capsys):
    """Commands of the games are run if they are cheap, other scripts parse their arguments."""
    monkeypatch.chdir(tmp_path)
    checked = 0
    for words, given in commands(path):
        if program(words) == "pip":
            checked += check_pip(words)
        elif program(words) in ("python", "python3"):
            rest = words[1:]
            if rest[0] == "-m" and rest[1] in PROGRAMS:
                run_game(rest[1], rest[2:], given, monkeypatch)
                checked += 1
            elif rest[0].endswith(".py"):
                parse_script(rest, monkeypatch)
                checked += 1
    assert checked or not all(map(runs, fences(path, "sh"))), "nothing was checked in this page"


def check_pip(words: list[str]) -> bool:
    """The extras that a page names are there."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    for word in words:
        if extras := re.fullmatch(r"\.\[([\w,]+)\]", word):
            assert set(extras[1].split(",")) <= set(project["optional-dependencies"]), words
    return True


def run_game(package: str, arguments: list[str], given: str, monkeypatch) -> None:
    games, title = PROGRAMS[package], f"python -m {package}"
    if arguments[0] in CHEAP:
        if "--games" in arguments:
            at = arguments.index("--games") + 1
            arguments = [*arguments[:at], str(min(FEW, int(arguments[at]))), *arguments[at + 1 :]]
        monkeypatch.setattr("sys.stdin", io.StringIO(given))
        assert cli.main(games, title, arguments) == 0, arguments
    else:
        cli._parser(games, title).parse_args(arguments)


class Parsed(Exception):  # noqa: N818
    """The arguments of a script were understood, and nothing else is to happen."""


def parse_script(words: list[str], monkeypatch) -> None:
    """Run a script up to where it has parsed its arguments."""
    script = ROOT / words[0]
    assert script.exists(), words
    real = argparse.ArgumentParser.parse_args

    def parse(self: Any, *given: Any, **named: Any) -> Any:
        real(self, *given, **named)
        raise Parsed

    with monkeypatch.context() as patch:
        patch.setattr(argparse.ArgumentParser, "parse_args", parse)
        patch.setattr(sys, "argv", [str(script), *words[1:]])
        patch.syspath_prepend(str(script.parent))
        with contextlib.suppress(ModuleNotFoundError), pytest.raises(Parsed):
            runpy.run_path(str(script), run_name="__main__")


def test_wrong_arguments_are_seen(monkeypatch, capsys):
    parse_script(["examples/mcts.py", "--players", "4"], monkeypatch)
    for wrong in (["examples/mcts.py", "--seats", "4"], ["docs/tables.py", "--chek", "x"]):
        with pytest.raises(SystemExit):
            parse_script(wrong, monkeypatch)
    with pytest.raises(SystemExit):
        run_game("shikoku_env", ["bench", "--player", "x"], "", monkeypatch)


# -- links and docstrings --------------------------------------------------------------------------


def prose(path: Path) -> str:
    return re.sub(r"^```.*?^```$", "", path.read_text("utf-8"), flags=re.DOTALL | re.MULTILINE)


def anchors(path: Path) -> set[str]:
    """Of the headings, as GitHub and MyST name them."""
    titles = re.findall(r"^#+ (.+)$", prose(path), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", title.lower()).strip().replace(" ", "-") for title in titles}


def broken(path: Path, text: str) -> list[str]:
    """Relative links of a page that lead nowhere."""
    wrong = []
    for target in LINK.findall(text):
        if re.match(r"[a-z]+:", target):
            continue
        file, _, anchor = target.partition("#")
        goal = (path.parent / file).resolve() if file else path
        if not goal.exists() or (anchor and anchor not in anchors(goal)):
            wrong.append(target)
    return wrong


@pytest.mark.parametrize("path", LINKED, ids=name)
def test_links_lead_somewhere(path: Path):
    assert not broken(path, prose(path))


def test_broken_links_are_seen():
    page = ROOT / "docs" / "index.md"
    text = "[a](nowhere.md) [b](environments/paiko.md#actions) [c](environments/paiko.md#nothing)"
    assert broken(page, text) == ["nowhere.md", "environments/paiko.md#nothing"]


def listed(doc: str) -> Iterator[str]:
    """The lines of a docstring that stand where names of parameters and attributes belong."""
    section, lines = "", doc.split("\n")
    for line, below in zip(lines, [*lines[1:], ""], strict=True):
        if re.fullmatch("-{3,}", below.strip()):
            section = line
        elif section in ("Parameters", "Attributes") and re.match(r"[^\s-]", line):
            yield line


def test_docstrings_list_names_only():
    """Sphinx would take a sentence behind the parameters for one more of them."""
    wrong, seen = [], 0
    for path in sorted(
        p for package in ("tabletop_env", *PROGRAMS) for p in (ROOT / package).glob("*.py")
    ):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.FunctionDef | ast.ClassDef) and (
                doc := ast.get_docstring(node)
            ):
                for line in listed(doc):
                    seen += 1
                    if not re.fullmatch(r"\w+(, \w+)*( : .+)?", line):
                        wrong.append(f"{path.name}, {node.name}: {line}")
    assert not wrong
    assert seen > 50


# -- the build -------------------------------------------------------------------------------------


def test_the_documentation_builds_without_a_warning(tmp_path: Path):
    for needed in ("sphinx", "myst_parser", "furo"):
        pytest.importorskip(needed)
    command = [sys.executable, "-m", "sphinx", "-q", "-W", "--keep-going", "-E"]
    done = subprocess.run(
        [*command, "-d", str(tmp_path / "trees"), str(ROOT / "docs"), str(tmp_path / "pages")],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    for page in DOCS:
        built = (tmp_path / "pages" / page.relative_to(ROOT / "docs")).with_suffix(".html")
        assert built.exists(), page
    shown = (tmp_path / "pages" / "api" / "batch.html").read_text("utf-8")
    assert "tabletop_env.batch.Batch.sample_legal" in shown
