# SPDX-License-Identifier: BSD-3-Clause
"""Each block of code of each page says how it is tested or why it is not (kinds.py), and one that does not is found."""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "launch"))
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "tools/site"))
import kinds
import pages

import harness as h

GOOD = """```sh
ls
```

```text
a
```
```c title="a.c"
```
```c within="frame.c"
```
```text measured
3 s
```
```sh nightly needs="gdb"
```
```sh no-run (needs root on a fresh machine)
```
```text
of what is not run
```
- item
  of two lines

  and a paragraph
"""
BAD = {
    "```\nls\n```\n": "says neither",
    "```console\nls\n```\n": "says neither",
    "```sh no-run\nls\n```\n": "says neither",
    "```sh (why it is not run)\nls\n```\n": "says neither",
    "```sh no-run (no)\nls\n```\n": "says neither",
    "```sh sometimes\nls\n```\n": "says neither",
    "```c\nint i;\n```\n": "says neither",
    "words\n\n    ls\n": "indented",
    "- item\n\n      ls\n": "indented",
    "```text\nls\n```\n": "output of nothing",
    "```sh\nls\n```\n\nThis prints:\n\n```text\na\n```\n": "output of nothing",
}

h.expect(kinds.faults(GOOD) == [], f"nothing is wrong with these: {kinds.faults(GOOD)}")
for text, words in BAD.items():
    found = kinds.faults(text)
    h.expect(len(found) == 1 and words in found[0], f"{text!r}: {found}")
for page in pages.every():
    for fault in kinds.faults(page.read_text()):
        h.expect(False, f"{page.relative_to(h.SOURCE)}:{fault}")
h.finish()
