# SPDX-License-Identifier: BSD-3-Clause
"""The packages of the report call only those below them, and what has no row here fails."""

import ast
from pathlib import Path

import pytest

PACKAGE = Path(__file__).resolve().parents[1] / "mpt_report"
# What each may import besides itself: `words` and what is below.
BELOW = {
    "words": set(),
    "arguments": set(),
    "places": set(),
    "runs": set(),
    "limits": {"runs"},
    "goals": {"runs", "limits"},
    "tables": {"runs", "limits", "goals"},
    "page": {"runs", "limits", "goals", "tables"},
    "text": {"runs", "tables"},
    "export": {"runs", "tables"},
    "drive": {"runs"},
    "show": {"runs", "page"},
    "measuring": {"places", "runs", "text", "show", "drive"},
    "explore": set(),
    "trace": {"tables", "page", "show"},
    "predict": {"places", "trace"},
    "timeline": {"trace"},
    "picture": {"runs", "page", "drive", "measuring"},
    "cli": {
        "arguments",
        "runs",
        "tables",
        "text",
        "export",
        "show",
        "drive",
        "measuring",
        "explore",
        "trace",
        "predict",
        "timeline",
        "picture",
    },
    "__main__": {"cli"},
    "__init__": set(),
}


def layer_of(file: Path) -> str:
    """The package or module of the top level that a file belongs to."""
    return file.relative_to(PACKAGE).parts[0].removesuffix(".py")


def imported(file: Path) -> set[str]:
    """The layers a file imports, its own aside."""
    found = set()
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if not isinstance(node, ast.ImportFrom) or not node.level:
            continue
        folder = file.parents[node.level - 1].relative_to(PACKAGE).parts
        path = (*folder, *(node.module.split(".") if node.module else ()))
        found |= {path[0]} if path else {alias.name for alias in node.names}
    return found - {layer_of(file)}


@pytest.mark.parametrize("file", sorted(PACKAGE.rglob("*.py")), ids=lambda file: file.relative_to(PACKAGE).as_posix())
def test_layers_call_downwards(file):
    assert imported(file) - {"words", "__version__"} <= BELOW[layer_of(file)]
