#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Make the documentation site: the pages of docs/, the reference that was generated, and what they link to.

MkDocs wants all pages below one folder, so this one lays them out in BUILD/site-pages as they lie in the tree. A source
file that a page links to becomes a page with its text; a folder is its README. Then MkDocs runs (mkdocs.yml), strictly,
and what it wrote is searched for anything that a browser would load from another host.

Usage: build.py BUILD [MKDOCS]; the site is BUILD/site. Needs BUILD/reference (target mpt_reference).
"""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path, PurePosixPath

from pages import ELSEWHERE, FENCE, ROOT, files, lines, replaced

TOP = ("README.md", "CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md", "examples/README.md")
LANGUAGE = {".h": "c", ".sc": "c", ".cc": "cpp", ".f90": "fortran", ".f": "fortran", ".sh": "sh", ".py": "python"}
AS_THEY_ARE = (".svg", ".json")  # pictures and data, which are no pages
CONTRACTS = "docs/reference/"  # folders of contracts, which are no pages: those made of them are
LOADS = {
    "script": "src",
    "img": "src",
    "iframe": "src",
    "source": "src",
    "audio": "src",
    "video": "src",
    "embed": "src",
}
STYLE = re.compile(r"(?:url\(|@import)\s*['\"]?\s*((?:https?:)?//[^'\")]+)")


class Site:
    def __init__(self, build: Path) -> None:
        self.reference = build / "reference/reference"
        self.pages = build / "site-pages"
        self.todo: list[str] = []
        self.done: set[str] = set()

    def lead(self, page: str, m: re.Match[str]) -> str:
        """A link as it has to be on the site."""
        text, target = m[1], m[2]
        if ELSEWHERE.match(target) or target.startswith("#"):
            return m[0]
        name, hash_, anchor = target.partition("#")
        to = os.path.normpath(PurePosixPath(page).parent / name)
        if to.startswith(CONTRACTS) and (ROOT / to).is_dir():
            to = "reference/index.md"
        elif (ROOT / to).is_dir():
            to = f"{to}/README.md"
        if to != "reference/index.md":
            if not (ROOT / to).is_file():
                return text  # a folder without a page
            if Path(to).suffix in AS_THEY_ARE:
                self.copy(to)
                return f"[{text}]({os.path.relpath(to, PurePosixPath(page).parent)})"
            self.todo.append(to)
            to += "" if to.endswith(".md") else ".md"
        return f"[{text}]({os.path.relpath(to, PurePosixPath(page).parent)}{hash_}{anchor})"

    def copy(self, name: str) -> None:
        to = self.pages / name
        to.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, to)

    def put(self, name: str) -> None:
        """A file of the tree becomes a page."""
        self.done.add(name)
        text = (ROOT / name).read_text()
        if name.endswith(".md"):
            page, text = name, wide(replaced(text, lambda m: self.lead(name, m)))
        else:
            language = LANGUAGE.get(Path(name).suffix, Path(name).suffix[1:] if name.endswith(".c") else "text")
            page, text = f"{name}.md", f"# {name}\n\n```{language}\n{text}```\n"
        to = self.pages / page
        to.parent.mkdir(parents=True, exist_ok=True)
        to.write_text(text)

    def lay_out(self) -> None:
        shutil.rmtree(self.pages, ignore_errors=True)
        shutil.copytree(self.reference, self.pages / "reference")
        (self.pages / "assets").mkdir()
        shutil.copy(Path(__file__).with_name("iframe-worker.js"), self.pages / "assets")
        self.todo = [*TOP, *files("docs/*.md")]
        while self.todo:
            name = self.todo.pop()
            if name not in self.done:
                self.put(name)


def wide(text: str) -> str:
    """What MkDocs' Markdown reads otherwise than GitHub's: what belongs to an item of a list is indented by four, a
    list begins behind a blank line, as does an item behind a further paragraph of the one before; and between
    backticks no bar of a table is escaped."""
    out: list[str] = []
    more, first = 0, ""  # by how much lines of the list's items are too near; the line behind the last blank one
    listed = False
    for _, line, it_is in lines(text):
        if fence := FENCE.match(line):  # words for tests stay behind
            title = re.search(r'title="[^"]*"', fence[2])
            line = line[: fence.start(2)] + " ".join([*fence[2].split()[:1], *([title[0]] if title else [])])
        if item := re.match(r"([-*]|\d+\.) ", line) if it_is else None:
            if out and out[-1].strip() and (not listed or first.startswith(" ")):
                out.append("")
            listed, more = True, 4 - len(item[0])
        elif line.strip() and not line.startswith(" "):
            listed = False
        if listed and line.startswith("  "):
            line = " " * more + line
        if it_is and line.startswith("|"):
            line = re.sub(r"`[^`]*`", lambda m: m[0].replace("\\|", "|"), line)
        if line.strip() and not (out and out[-1].strip()):
            first = line
        out.append(line)
    return "\n".join(out) + "\n"


class Loads(HTMLParser):
    """Addresses on other hosts that a page makes a browser load."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = dict(attrs)
        # A link of these kinds only tells where the page is.
        told = tag == "link" and values.get("rel") in ("canonical", "next", "prev", "alternate")
        address = values.get(LOADS.get(tag, "")) or ("" if told or tag != "link" else values.get("href")) or ""
        self.found += [
            a for a in (address, *(STYLE.findall(values.get("style") or ""))) if re.match(r"(https?:)?//", a)
        ]


def strangers(site: Path) -> Iterator[str]:
    """What pages and style sheets load from other hosts."""
    for page in sorted(site.rglob("*.html")):
        reader = Loads()
        reader.feed(page.read_text())
        yield from (f"{page.relative_to(site)} loads {address}" for address in reader.found)
    for sheet in sorted(site.rglob("*.css")):
        yield from (f"{sheet.relative_to(site)} loads {address}" for address in STYLE.findall(sheet.read_text()))


def main() -> int:
    build = Path(sys.argv[1]).resolve()
    mkdocs = sys.argv[2] if len(sys.argv) > 2 else str(build / "site-venv/bin/mkdocs")
    if not (build / "reference/reference/index.md").exists():
        sys.exit(f"site: {build}/reference is missing: run cmake --build {build} --target mpt_reference")
    Site(build).lay_out()
    site = build / "site"
    environment = os.environ | {"MPT_SITE_PAGES": str(build / "site-pages"), "NO_MKDOCS_2_WARNING": "1"}
    command = [mkdocs, "build", "--strict", "--clean", "--quiet", "-f", str(ROOT / "mkdocs.yml"), "-d", str(site)]
    if status := subprocess.run(command, env=environment, check=False).returncode:
        return status
    bad = list(strangers(site))
    print("\n".join(bad) or f"{len(list(site.rglob('*.html')))} pages, {site}/index.html")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
