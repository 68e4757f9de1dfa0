# SPDX-License-Identifier: BSD-3-Clause
"""MkDocs' hook: adds the reference's chapters and the decision records to the navigation."""

import re
from pathlib import Path
from typing import Any

ENTRY = re.compile(r"- \[(.*)\]\((.*)\)")


def chapters(index: Path) -> list[dict[str, Any]]:
    """A section for each interface, from the reference's index."""
    sections: list[dict[str, Any]] = []
    for line in index.read_text().splitlines():
        if line.startswith("## "):
            sections.append({line[3:]: []})
        elif m := ENTRY.match(line):
            next(iter(sections[-1].values())).append({m[1]: f"reference/{m[2]}"})
    return sections


def records(folder: Path) -> list[dict[str, str]]:
    found = []
    for page in sorted(folder.glob("[0-9]*.md")):
        title = next(line for line in page.read_text().splitlines() if line.startswith("# "))
        found.append({re.sub(r"^# (\d+\W+)?", f"{int(page.name[:4])}. ", title): f"docs/adr/{page.name}"})
    return found


def on_config(config: Any) -> Any:
    pages = Path(config.docs_dir)
    for part in config.nav:
        if "Reference" in part:
            part["Reference"] += chapters(pages / "reference/index.md")
        if "Development" in part:
            part["Development"].append({"Decision records": ["docs/adr/README.md", *records(pages / "docs/adr")]})
    return config
