# SPDX-License-Identifier: BSD-3-Clause
"""The examples of docs/shmem.md compile without warnings, by the wrappers, and print what stands below them."""

import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "launch"))
import harness as h

WRAPPERS = {"c": "oshcc", "cpp": "oshc++", "fortran": "oshfort"}
EXAMPLE = re.compile(r"```(\w+)\n((?:/\*|!) ([\w.]+), (\d+) PEs.*?)```\n```text\n(.*?)```", re.S)

page = (h.SOURCE / "docs" / "shmem.md").read_text()
examples = EXAMPLE.findall(page)
h.expect(len(examples) == page.count("```text"), f"{len(examples)} examples, {page.count('```text')} outputs")
h.expect({e[0] for e in examples} == set(WRAPPERS), "an example in each language")
for language, text, name, pes, expected in examples:
    wrapper = h.BUILD / "bin" / WRAPPERS[language]
    if language == "fortran" and not wrapper.exists():
        continue
    source = h.SCRATCH / name
    source.write_text(text)
    program = source.with_suffix("")
    r = h.run([wrapper, "-O2", "-Wall", "-Werror", source, "-o", program], limit=60)
    if h.expect(r.status == 0, f"{name} compiles", r):
        r = h.oshrun(int(pes), program)
        h.expect(r.status == 0 and r.out == expected, f"{name} prints {expected!r}", r)
h.finish()
