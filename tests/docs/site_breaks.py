# SPDX-License-Identifier: BSD-3-Clause
"""The checks of pages find what is broken: links, anchors, and what a page of the site loads from other hosts."""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "launch"))
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "tools/site"))
import build
import pages

import harness as h
import links

PAGE = """# A page: `code` and [more](x.md)

[good](docs/mpi.md#when-processes-die) and [over
two lines](README.md), `[code](no.md)`, [self](#a-page-code-and-more)

    [indented](code.md)

- item

  [in an item](tools/nothing.md)

```c title="a.c"
[fenced](code.md)
```
"""
targets = [target for _, target in pages.links(PAGE)]
wanted = ["x.md", "docs/mpi.md#when-processes-die", "README.md", "#a-page-code-and-more", "tools/nothing.md"]
h.expect(targets == wanted, f"the links of a page: {targets}")
h.expect(pages.anchors(PAGE) == {"a-page-code-and-more"}, f"its anchors: {pages.anchors(PAGE)}")
h.expect([b[:2] for b in pages.blocks(PAGE)] == [('c title="a.c"', "[fenced](code.md)\n")], "its blocks of code")

here = h.SOURCE / "README.md"
for target, why in {
    "docs/mpi.md#when-processes-die": None,
    "docs/mpi.md#no-such-heading": "has an anchor that no heading has",
    "docs/no-such-page.md": "leads to nothing",
    "../elsewhere.md": "leads out of the tree",
}.items():
    h.expect(links.wrong(here, target) == why, f"{target}: {links.wrong(here, target)}")

site = h.SCRATCH / "site"
site.mkdir()
(site / "good.html").write_text(
    '<a href="https://a.org">a</a><link rel="canonical" href="https://a.org/good.html"><img src="b.png">'
)
h.expect(list(build.strangers(site)) == [], f"links are no loads: {list(build.strangers(site))}")
for name, text in {
    "script.html": '<script src="https://a.org/x.js"></script>',
    "sheet.html": '<link rel="stylesheet" href="//a.org/x.css">',
    "image.html": '<p><img alt="" src="http://a.org/x.png"></p>',
    "style.css": "@font-face { src: url(https://a.org/x.woff2) }",
    "import.css": '@import "https://a.org/x.css";',
}.items():
    (site / name).write_text(text)
    found = list(build.strangers(site))
    h.expect(len(found) == 1 and found[0].startswith(f"{name} loads "), f"{name}: {found}")
    (site / name).unlink()
h.finish()
