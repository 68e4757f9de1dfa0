# SPDX-License-Identifier: BSD-3-Clause
"""All prototypes of OpenSHMEM written out, with their contracts as comments: for people, Doxygen and ctags, which do
not see what shmem.h makes by macros. It is not for inclusion."""

from __future__ import annotations

import textwrap

from contracts import Interface, Page

TOP = """\
/* SPDX-License-Identifier: BSD-3-Clause */
/** @file shmem_prototypes.h
 * Every function of shmem.h as a plain prototype, made by tools/reference/listing.py. To read and to feed to Doxygen or
 * ctags; programs include shmem.h.
 */
#error "this is a listing: include <shmem.h>"
"""


def comment(page: Page, key: str) -> list[str]:
    line = page.functions[key] if len(page.functions) > 1 else page.purpose + "."
    text = line + " " + page.table.get("text", "")
    lines = textwrap.wrap(" ".join(text.replace("`", "").split()), 112, break_long_words=False)
    for a in page.arguments:
        listed = {x.name for f in page.interface.families[key].shown for x in f.arguments}
        if a.name in listed:
            lines += textwrap.wrap(
                f"@param {a.name} {' '.join((page.meaning(a) or '').split())}", 112, subsequent_indent="  "
            )
    if page.table.get("section"):
        lines.append(f"@see {page.interface.shared['standard']}, section {page.table['section']}")
    return ["/**", *(f" * {x}" for x in lines), " */"]


def write(shmem: Interface) -> str:
    lines = [TOP]
    for c in shmem.chapters:
        lines += [f"/** @defgroup {c.name.replace('-', '_')} {c.title}", " * @{ */", ""]
        for page in c.pages:
            for key in page.functions:
                described = comment(page, key)
                for i, f in enumerate(shmem.families[key].functions):
                    lines += (described if i == 0 else [f"/** @copydoc {shmem.families[key].functions[0].name} */"]) + [
                        f.text + ";"
                    ]
                lines.append("")
        lines += ["/** @} */", ""]
    return "\n".join(lines)
