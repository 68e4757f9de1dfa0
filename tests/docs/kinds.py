# SPDX-License-Identifier: BSD-3-Clause
"""What a page's blocks of code are, by the words behind their fences, which readers do not see:

  ```sh                       commands that the test runs, in the order of the page, all in one folder
  ```sh nightly               the same, but by night only, as they take long
  ```c title="ring.c"         a file, which the commands find
  ```c title="a.c" run="cc a.c && ./a.out"   the same, and what to do with it there
  ```c excerpt="FILE"         stands so in that file of the tree
  ```c within="FRAME"         lines of a program: put into a file of tests/docs/frames, which says what to do with it
  ```text                     right behind one that is run: what it prints, but for the order of lines, and for
                              addresses; a line ... stands for others, and ... for the rest of a line
  ```text measured            the same with other figures
  ```LANGUAGE no-run (why)    is not run, for the reason that it gives
needs="gdb groff", after any of them: only where these programs are.
"""

import re
import sys
from pathlib import Path
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tools/site"))
import pages

INFO = re.compile(
    r"(?P<language>[a-z+]+)"
    r'(?: (?P<how>nightly|measured|no-run(?= \()|(?P<word>title|excerpt|within)="(?P<name>[^"\s]+)"))?'
    r"(?: \((?P<why>\S.{7,})\))?"
    r'(?: run="(?P<run>[^"]+)")?'
    r'(?: needs="(?P<needs>[^"]+)")?'
)


class Code(NamedTuple):
    """A block: `how` is nightly, measured, no-run, nothing, title, excerpt or within; the last three have a `name`."""

    language: str
    how: str
    name: str
    run: str
    needs: list[str]
    text: str
    line: int

    @property
    def runs(self) -> bool:
        return bool(self.run) or self.how == "within" or (self.language == "sh" and self.how in ("", "nightly"))

    @property
    def is_output(self) -> bool:
        return self.language == "text" and self.how in ("", "measured")


def code(block: pages.Block) -> Code | None:
    """What a block is; None if its words do not say it."""
    m = INFO.fullmatch(block.info)
    if not m or (m["how"] == "no-run") != bool(m["why"]) or (m["run"] and m["word"] != "title"):
        return None
    found = Code(
        m["language"],
        m["word"] or m["how"] or "",
        m["name"] or "",
        m["run"] or "",
        (m["needs"] or "").split(),
        *block[1:],
    )
    known = found.how in ("no-run", "title", "excerpt", "within") or found.runs or found.is_output
    return found if known else None


def codes(text: str) -> list[Code]:
    """The blocks of a page that say what they are."""
    return [c for c in map(code, pages.blocks(text)) if c]


def behind(first: Code, second: Code) -> bool:
    """Nothing but a blank line, or not even that, lies between the two."""
    return second.line - (first.line + first.text.count("\n") + 2) <= 1


def faults(text: str) -> list[str]:
    """Blocks of a page that neither are run nor say why not."""
    bad = [f"{line}: an indented block says nothing of itself: put it between fences" for line in pages.bare(text)]
    before = None
    for block in pages.blocks(text):
        now = code(block)
        if now is None:
            bad.append(f"{block.line}: ```{block.info} says neither how it is tested nor why it is not")
        elif now.is_output and not (before and (before.runs or before.how == "no-run") and behind(before, now)):
            bad.append(f"{block.line}: ```{block.info} is the output of nothing")
        before = now
    return bad
