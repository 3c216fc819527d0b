"""Sphinx builds the documentation: ``sphinx-build -W --keep-going docs docs/_build``. Nothing is fetched.

Sphinx with MyST, since docstrings are written in its markup and pages in Markdown, which GitHub shows too.
"""

from __future__ import annotations

import re
import sys
from importlib.metadata import PackageNotFoundError
from importlib.metadata import version as installed
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

project = "tabletop-env"
author = "The tabletop-env authors"
project_copyright = author
try:
    release = installed(project)
except PackageNotFoundError:
    release = "from a clone"

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
source_suffix = {".md": "markdown"}
exclude_patterns = ["_build"]
html_theme = "furo"
html_title = project
html_copy_source = False

myst_heading_anchors = 3
napoleon_google_docstring = False
napoleon_use_rtype = False
napoleon_use_ivar = True
autodoc_member_order = "bysource"
autodoc_typehints = "none"  # signatures would be longer than what they say; docstrings give shapes
autodoc_default_options = {"members": True, "undoc-members": False, "show-inheritance": True}
add_module_names = False

STAR = re.compile(r"(?<=, )\*(?=\w+\))")  # of shapes such as (B, *shape), which is no emphasis
INDENTED = re.compile(r" {4,}\S")


def mark_code(app: Any, what: str, name: str, item: Any, options: Any, lines: list[str]) -> None:
    """Indented lines behind an empty one are code in docstrings, which the markup wants to be told.

    Only at the outer level: there, nothing else is indented without being a list or a field of its own.
    """
    told: list[str] = []
    inside = False
    for line in lines:
        before = told[-1].strip() if told else ""
        opens = INDENTED.match(line) and not before and not inside
        previous = next((one for one in reversed(told) if one.strip()), "")
        if opens and not previous.startswith((" ", "..", ":", "*", "-")) and previous[-2:] != "::":
            told += [".. code-block:: python", ""]
            inside = True
        elif line.strip() and not line.startswith(" "):
            inside = False
        told.append(STAR.sub(r"\\*", line))
    lines[:] = told


def setup(app: Any) -> dict[str, bool]:
    app.connect("autodoc-process-docstring", mark_code, priority=400)  # before napoleon's fields
    return {"parallel_read_safe": True}
