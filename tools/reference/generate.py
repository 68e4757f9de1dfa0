#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Make the reference from docs/reference: manual pages, pages of Markdown, a listing of OpenSHMEM's prototypes.

Usage: generate.py FOLDER [--cc CC]     writes FOLDER/man3, FOLDER/reference and FOLDER/shmem_prototypes.h
       generate.py --check [--cc CC]    says what has no contract, and what the contracts have wrong
"""

from __future__ import annotations

import argparse
import shutil
import sys
from pathlib import Path

import contracts
import declarations as d
import listing
import man
import markdown


def write_manual(interfaces: list[contracts.Interface], folder: Path) -> None:
    """A file a page; what is on another's page is a link to it."""
    folder.mkdir(parents=True)
    pages, callbacks = contracts.index(interfaces), d.mpi_callbacks()
    for page in {p.name: p for i in interfaces for p in i.pages}.values():
        (folder / f"{page.name}.3").write_text(man.write(page, pages, callbacks))
    for name, page in pages.items():
        if name != page.name:
            (folder / f"{name}.3").symlink_to(f"{page.name}.3")


def write_markdown(interfaces: list[contracts.Interface], folder: Path) -> None:
    for interface in interfaces:
        (folder / interface.name).mkdir(parents=True)
        for chapter in interface.chapters:
            (folder / interface.name / f"{chapter.name}.md").write_text(markdown.chapter(chapter))
    (folder / "index.md").write_text(markdown.contents(interfaces))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", nargs="?", type=Path)
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--cc", default="cc")
    parser.add_argument("--only", action="append", help="this interface; for work on the contracts")
    a = parser.parse_args()
    interfaces = contracts.load(a.cc, a.only)
    found = list(contracts.breaches(interfaces))
    for text in found:
        print(text)
    if found or a.check or not a.folder:
        functions = sum(len(f.functions) for i in interfaces for f in i.families.values())
        print(
            f"reference: {functions} functions on {sum(len(i.pages) for i in interfaces)} pages, {len(found)} breaches"
        )
        return bool(found)
    for part in ("man3", "reference"):
        shutil.rmtree(a.folder / part, ignore_errors=True)
    write_manual(interfaces, a.folder / "man3")
    write_markdown(interfaces, a.folder / "reference")
    for interface in interfaces:
        if interface.name == "shmem":
            (a.folder / "shmem_prototypes.h").write_text(listing.write(interface))
    return 0


if __name__ == "__main__":
    sys.exit(main())
