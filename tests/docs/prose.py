# SPDX-License-Identifier: BSD-3-Clause
"""What pages for users name in backticks is there (claims.py), and what is not is found."""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "launch"))
import claims

import harness as h

TRUE = (
    "mptrun --tasks -n 4 ./prog --no-such-option",
    "mpiexec -x NAME=value -n 2 prog : -n 1 other",
    "mpicc --check",
    "MPT_DEADLOCK",
    "MPI_Init",
    "shmem_malloc(8)",
    "am_request_M",
    "MPI_",
    "pvmfsend",
    "src/launch",
    "launch/options.c",
    "core/base/site.h",
    "make wheel",
    "mpt trace DIR",
    "--tag-output",
)
FALSE = (
    "mptrun --no-such-option ./prog",
    "mpirun -n 4 --no-such-option ./prog",
    "mptrun --tasks --no-such ./prog",
    "--no-such-option",
    "MPT_NO_SUCH",
    "MPI_Initiate",
    "shmem_mallocate(8)",
    "am_requested_M",
    "src/lunch",
    "launch/no_such.c",
    "make whale",
    "mpt trice DIR",
)
TROUBLE = (
    "| `PE 2 was killed by signal 6` | a | b |\n",
    "| `the moon is too far away` | a | b |\n",
)

for span in TRUE:
    h.expect(all(true for _, true in claims.claims(span)), f"{span!r}: {list(claims.claims(span))}")
    h.expect(list(claims.claims(span)), f"{span!r} claims something")
for span in FALSE:
    h.expect(not all(true for _, true in claims.claims(span)), f"{span!r}: {list(claims.claims(span))}")
found = [true for text in TROUBLE for _, _, true in claims.messages(text)]
h.expect(found == [True, False], f"messages: {found}")

told = dict.fromkeys(claims.told(), 0)
for page in [h.SOURCE / "README.md", *sorted((h.SOURCE / "docs").glob("*.md"))]:
    name = str(page.relative_to(h.SOURCE))
    for line, span, claim, true in claims.every(name, page.read_text()):
        if claim in told and not true:
            told[claim] += 1
        else:
            h.expect(true, f"{name}:{line}: `{span}`: there is no {claim} (or tests/docs/claims.tsv says whose it is)")
for claim, times in told.items():
    h.expect(times, f"claims.tsv: {claim}: no page says that, or the tree has it")
h.finish()
