"""The notebooks run from top to bottom, with small budgets, and are kept without outputs."""

from __future__ import annotations

import json
import os
import xml.etree.ElementTree as ElementTree
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[1]
NOTEBOOKS = sorted((ROOT / "examples").glob("*.ipynb"))
SMALL: dict[str, dict[str, int]] = {
    "quickstart": {"SECONDS": 1, "GAMES": 40},
    "paiko_positions": {"SIMULATIONS": 200, "DEPTH": 2},
}
"""What the cell with the tag `parameters` is replaced by."""
NEEDS = {"quickstart": ("torch", "tensorboard", "tqdm", "matplotlib"), "paiko_positions": ()}


def test_every_notebook_has_a_small_run():
    assert {path.stem for path in NOTEBOOKS} == set(SMALL) == set(NEEDS)


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebooks_are_kept_without_outputs(path: Path):
    """Outputs would be stale soon, and pictures are large: who opens a notebook runs it."""
    notebook = json.loads(path.read_text("utf-8"))
    code = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
    assert code
    assert not any(cell["outputs"] or cell["execution_count"] for cell in code)
    assert len({cell["id"] for cell in notebook["cells"]}) == len(notebook["cells"])


def executed(path: Path, folder: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """The notebook after a run in an empty folder."""
    nbclient, nbformat = pytest.importorskip("nbclient"), pytest.importorskip("nbformat")
    pytest.importorskip("ipykernel")
    for needed in NEEDS[path.stem]:
        pytest.importorskip(needed)
    places = [str(ROOT), str(path.parent), os.environ.get("PYTHONPATH", "")]
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(filter(None, places)))
    monkeypatch.setenv("IPYTHONDIR", str(folder / "ipython"))
    notebook = nbformat.read(path, 4)
    (cell,) = [c for c in notebook.cells if "parameters" in c.metadata.get("tags", ())]
    small = SMALL[path.stem]
    given = [line.partition(" = ")[0] for line in cell.source.splitlines()]
    assert given == list(small), "the parameters of the notebook are others"
    cell.source = "\n".join(f"{name} = {value}" for name, value in small.items())
    client = nbclient.NotebookClient(
        notebook, timeout=300, kernel_name="python3", resources={"metadata": {"path": str(folder)}}
    )
    client.execute()  # an error in a cell raises
    return notebook


def shown(notebook: Any, mime: str) -> list[str]:
    """What the cells show in one form, in order."""
    outputs = [out for cell in notebook.cells for out in cell.get("outputs", ())]
    return [out["data"][mime] for out in outputs if mime in out.get("data", {})]


def printed(notebook: Any) -> str:
    outputs = [out for cell in notebook.cells for out in cell.get("outputs", ())]
    return "".join(out["text"] for out in outputs if out.get("name") == "stdout")


def test_quickstart(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    (path,) = [path for path in NOTEBOOKS if path.stem == "quickstart"]
    notebook = executed(path, tmp_path, monkeypatch)
    pages = [ElementTree.fromstring(page) for page in shown(notebook, "text/html")]
    captions = [page.findtext(".//figcaption") for page in pages]
    assert len(captions) == 5
    assert all(str(caption).endswith(" sees it") for caption in captions[:2])
    assert captions[2:] == ["game 0, all lies open"] * 3  # the batch, the record, the policy's game
    assert len(shown(notebook, "image/svg+xml")) == 1
    (plot,) = shown(notebook, "image/png")
    assert plot
    assert "random" in printed(notebook)
    assert (tmp_path / "runs" / "quickstart" / "checkpoint.pt").exists()


def test_paiko_positions(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    (path,) = [path for path in NOTEBOOKS if path.stem == "paiko_positions"]
    notebook = executed(path, tmp_path, monkeypatch)
    pictures = shown(notebook, "image/svg+xml")
    assert len(pictures) == 5
    plain, white, black = pictures[:3]
    assert len({plain, white, black}) == 3, "the overlays show nothing"
    words = printed(notebook)
    assert "g7" in words  # the refusal
    assert " total " in words
    (batch,) = shown(notebook, "text/html")
    rows = {
        row.findtext("th"): row.findtext("td") for row in ElementTree.fromstring(batch).iter("tr")
    }
    assert rows["games"] == "10000"
