"""The arrows of the design, read off the imports, and the few measures that all sources keep.

::

    tests  benchmarks  examples
       └──────┬──────────┘
     shikoku_env   paiko_env        the rules of one game each; know no API
            └────┬────┘
           tabletop_env             what all games share; knows no game
                 └── numpy, numba   (aec.py also pettingzoo, vector.py also gymnasium)
"""

from __future__ import annotations

import ast
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
SHARED = "tabletop_env"
GAMES = [name for name in ("shikoku_env", "paiko_env") if (ROOT / name / "__init__.py").exists()]
LIBRARY = [SHARED, *GAMES]
CORE = {"numpy", "numba", "gymnasium", "pettingzoo"}
APIS = {"gymnasium", "pettingzoo"}
RENDER = {"resvg_py": "raster", "PIL": "raster", "pygame": "window"}
"""Packages of the extra ``render``, each known to one module, which loads it only when it draws."""
LLVMLITE = "llvmlite"
"""Numba's own code generator, which it brings in the version that it needs: known to two modules."""
VECTORS = {"tabletop_env.simd", "tabletop_env.lanes"}
OPENSPIEL = "pyspiel"
"""The extra ``openspiel``, known to one module, which is imported by those that register a game alone."""
DOORS = {"tabletop_env.aec", "tabletop_env.vector", "tabletop_env.registration"}
ABOUT_400 = 500  # lines of a file: a quarter of room where a file is one thing
ABOUT_50 = 60  # lines of a kernel
ABOUT_8 = 8  # parameters of a kernel
EVIDENT = {"shared": 3, "game": 12}  # lines of a function that its name may explain


@dataclass(frozen=True)
class Import:
    """A module that ``source`` imports; late: when a function runs; typing: for checkers only."""

    source: str
    module: str
    late: bool
    typing: bool

    @property
    def root(self) -> str:
        return self.module.partition(".")[0]


def module_name(path: Path) -> str:
    name = ".".join(path.relative_to(ROOT).with_suffix("").parts)
    return name.removesuffix(".__init__")


@cache
def tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def sources(*packages: str) -> list[Path]:
    found = [path for name in packages for path in sorted((ROOT / name).rglob("*.py"))]
    assert found, f"no sources of {packages}"
    return found


def imports_of(path: Path) -> Iterator[Import]:
    def visit(node: ast.AST, late: bool, typing: bool) -> Iterator[Import]:
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield Import(module_name(path), alias.name, late, typing)
        elif isinstance(node, ast.ImportFrom):
            package = module_name(path).split(".")[: -node.level] if node.level else []
            module = ".".join([*package, *([node.module] if node.module else [])])
            for alias in node.names:  # `from a import b`: b may be a module
                inner = ROOT.joinpath(*module.split("."), alias.name).with_suffix(".py")
                name = f"{module}.{alias.name}" if inner.exists() else module
                yield Import(module_name(path), name, late, typing)
        late |= isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda)
        typing |= isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"
        for child in ast.iter_child_nodes(node):
            yield from visit(child, late, typing)

    yield from visit(tree(path), False, False)


def imports(*packages: str) -> list[Import]:
    found = [one for path in sources(*packages) for one in imports_of(path)]
    assert found
    return found


def listed(wrong: list[Import]) -> str:
    return "\n".join(f"{one.source} imports {one.module}" for one in wrong)


def at_import(module: str) -> set[str]:
    """The library's modules and the roots of others that come along when ``module`` is imported."""
    by_name = {module_name(path): path for path in sources(*LIBRARY)}
    seen, ahead = set(), [module]
    while ahead:
        name = ahead.pop()
        parents = {name.rpartition(".")[0]} - {""} if name in by_name else set()
        for found in {name if name in by_name else name.partition(".")[0], *parents} - seen:
            seen.add(found)
            if found in by_name:
                ahead += [
                    one.module
                    for one in imports_of(by_name[found])
                    if not one.late and not one.typing
                ]
    return seen


def functions(path: Path) -> Iterator[tuple[str, ast.FunctionDef, ast.ClassDef | None]]:
    """Functions of a module, and methods of its classes, with their qualified names."""
    for node in tree(path).body:
        if isinstance(node, ast.FunctionDef):
            yield f"{module_name(path)}.{node.name}", node, None
        elif isinstance(node, ast.ClassDef):
            for inner in node.body:
                if isinstance(inner, ast.FunctionDef):
                    yield f"{module_name(path)}.{node.name}.{inner.name}", inner, node


def is_kernel(node: ast.FunctionDef) -> bool:
    return any(ast.unparse(mark).startswith("kernel") for mark in node.decorator_list)


def length(node: ast.FunctionDef) -> int:
    return node.end_lineno - node.lineno + 1


# -- who knows whom ------------------------------------------------------------------------------


def test_the_shared_package_knows_no_game():
    outside = set(GAMES) | {"paiko_env", "shikoku_env", "tests", "examples", "benchmarks"}
    assert not (wrong := [one for one in imports(SHARED) if one.root in outside]), listed(wrong)


@pytest.mark.parametrize("game", GAMES)
def test_a_game_knows_no_other_game_and_nothing_above_it(game: str):
    allowed = {game, SHARED, *CORE, *sys.stdlib_module_names}
    assert not (wrong := [one for one in imports(game) if one.root not in allowed]), listed(wrong)


def test_the_core_needs_its_four_dependencies_and_the_standard_library():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    named = {requirement.partition(">=")[0] for requirement in project["dependencies"]}
    assert named == CORE
    extra = [one for one in imports(*LIBRARY) if one.root in RENDER]
    assert all(one.late and one.source == f"{SHARED}.{RENDER[one.root]}" for one in extra)
    vectors = {one.source for one in imports(*LIBRARY) if one.root == LLVMLITE}
    assert vectors == VECTORS
    roots = {one.root for one in imports(*LIBRARY)} - {*RENDER, OPENSPIEL, LLVMLITE}
    assert roots - sys.stdlib_module_names - set(LIBRARY) == CORE


def test_only_the_doors_know_an_api():
    wrong = [one for one in imports(*LIBRARY) if one.root in APIS and one.source not in DOORS]
    assert not wrong, listed(wrong)


def test_openspiel_comes_along_only_when_it_is_asked_for():
    found = imports(*LIBRARY)
    assert {one.source for one in found if one.root == OPENSPIEL} == {f"{SHARED}.openspiel"}
    asking = {one.source for one in found if one.module == f"{SHARED}.openspiel"}
    assert asking == {f"{game}.openspiel" for game in GAMES}
    assert not (wrong := [one for one in found if one.module in asking]), listed(wrong)


def test_registering_imports_an_api_only_when_it_is_done():
    late = [one.late for one in imports(SHARED) if one.source == "tabletop_env.registration"]
    assert late.count(True) == 2
    assert not APIS & at_import("tabletop_env.registration")


@pytest.mark.parametrize("game", GAMES)
def test_rules_know_neither_batches_nor_environments(game: str):
    """All of a game's modules but its doors and what starts the package."""
    rules = [
        module_name(path)
        for path in sources(game)
        if not path.stem.endswith("_v0")
        and path.stem not in ("__init__", "__main__", "clock", "openspiel")
    ]
    assert {f"{game}.{name}" for name in ("state", "observe", "notation", "game")} <= set(rules)
    doors = {"aec", "vector", "registration", "openspiel", "measure", "cli", "terminal"}
    above = {f"{SHARED}.{name}" for name in doors | {"batch", "loops", "record"}}
    wrong = [one for one in imports(game) if one.source in rules and one.module in above]
    assert not (wrong := [one for one in wrong if not one.typing]), listed(wrong)


def test_doors_open_an_environment_only_when_it_is_asked_for():
    (path,) = [path for path in sources(SHARED) if path.stem == "doors"]
    opened = [one for one in imports_of(path) if one.module in DOORS and not one.typing]
    assert opened, path
    assert all(one.late for one in opened), listed(opened)


def test_most_of_the_shared_package_comes_without_an_api():
    for name in (
        "game",
        "kernel",
        "rng",
        "bits",
        "simd",
        "lanes",
        "layout",
        "loops",
        "batch",
        "notation",
        "policies",
    ):
        assert not (APIS | DOORS) & at_import(f"{SHARED}.{name}"), name
    for name in ("record", "cli", "terminal"):
        assert not (APIS | DOORS) & at_import(f"{SHARED}.{name}"), name
    assert "pettingzoo" in at_import(f"{SHARED}.aec")  # the search does find them


def test_kernels_and_rules_lie_below_the_batch():
    """game, kernel, rng, bits, simd, lanes, layout: nothing there knows the loops or the batch."""
    for name in ("game", "kernel", "rng", "bits", "simd", "lanes", "layout"):
        above = {"loops", "batch", "policies", "record", "notation", "cli"}
        assert not {f"{SHARED}.{other}" for other in above} & at_import(f"{SHARED}.{name}"), name


@pytest.mark.parametrize("module", ["tabletop_env.batch", "tabletop_env.cli"])
def test_importing_the_batch_loads_no_environment_library(module: str):
    program = f"import sys, {module}; print(*{{name.partition('.')[0] for name in sys.modules}})"
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True
    )
    loaded = set(done.stdout.split())
    assert {"numpy", "numba"} <= loaded
    assert not loaded & {"gymnasium", "pettingzoo", "torch", "pytest", "matplotlib", *GAMES}


def test_the_referee_shares_nothing_with_what_it_judges():
    allowed = {"tests", "referee", "", *sys.stdlib_module_names}
    wrong = [one for one in imports("tests/referee") if one.root not in allowed]
    assert not wrong, listed(wrong)


def test_nothing_in_the_library_needs_the_tests():
    wrong = [one for one in imports(*LIBRARY) if one.root in {"tests", "pytest", "hypothesis"}]
    assert not wrong, listed(wrong)


# -- measures ------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", sources(*LIBRARY), ids=module_name)
def test_a_file_says_what_it_is_for_and_stays_short(path: Path):
    if path.stem != "__init__" or path.stat().st_size:
        assert ast.get_docstring(tree(path)), "the module has no docstring"
    assert len(path.read_text(encoding="utf-8").splitlines()) <= ABOUT_400


def test_tests_stay_short_too():
    long = {
        path.name: lines
        for path in sorted((ROOT / "tests").rglob("*.py"))
        if (lines := len(path.read_text(encoding="utf-8").splitlines())) > ABOUT_400
    }
    assert not long


def test_kernels_stay_small():
    """The loops over a batch take all its outputs; the rules of a game take what one rule needs."""
    long = {
        name: length(node)
        for path in sources(*LIBRARY)
        for name, node, _ in functions(path)
        if is_kernel(node) and length(node) > ABOUT_50
    }
    wide = {
        name: len(node.args.args)
        for path in sources(*LIBRARY)
        for name, node, _ in functions(path)
        if is_kernel(node) and len(node.args.args) > ABOUT_8
    }
    assert not long
    assert not wide


def test_every_kernel_is_compiled_in_the_one_way():
    for path in sources(*LIBRARY):
        if path.name == "kernel.py":
            continue
        for node in ast.walk(tree(path)):
            words = ast.unparse(node) if isinstance(node, ast.Attribute | ast.Name) else ""
            assert words.rpartition(".")[2] not in {"njit", "jit", "prange", "vectorize"}, path


def test_public_classes_and_functions_say_what_they_do():
    """Very short functions, and the shorter rules of a game, may let their names speak."""
    silent = []
    for path in sources(*LIBRARY):
        door = path.stem.endswith("_v0")
        most = 0 if door else EVIDENT["shared" if SHARED in path.parts else "game"]
        silent += [
            f"{module_name(path)}.{node.name}"
            for node in tree(path).body
            if isinstance(node, ast.ClassDef) and not ast.get_docstring(node)
        ]
        for name, node, owner in functions(path):
            private = any(part.startswith("_") for part in name.split("."))
            inherited = owner is not None and owner.bases  # the base says it
            if not (private or inherited or length(node) <= most or ast.get_docstring(node)):
                silent.append(name)
    assert not silent
