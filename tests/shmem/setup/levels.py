# SPDX-License-Identifier: BSD-3-Clause
"""Thread levels: each of the four can be asked for and is provided, and shmem_query_thread says the same. All levels
up to MULTIPLE are promised, so less than asked for is a failure."""

import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "launch"))
import harness as h

HERE = pathlib.Path(__file__).resolve().parent
modes = h.build(HERE / "modes.c")

for level in ("single", "funneled", "serialized", "multiple"):
    for npes in (1, 2, 3):
        r = h.oshrun(npes, modes, "level", level)
        h.expect(r.status == 0, f"level {level} with {npes} PEs", r)
        lines = re.findall(r"^status (-?\d+) requested (-?\d+) provided (-?\d+) queried (-?\d+)$", r.out, re.M)
        h.expect(len(lines) == npes, f"level {level}: {len(lines)} answers from {npes} PEs", r)
        for status, requested, provided, queried in (map(int, line) for line in lines):
            h.expect(status == 0, f"shmem_init_thread({level}) returned {status}")
            h.expect(provided >= requested, f"asked for {requested} ({level}), provided {provided}")
            h.expect(queried == provided, f"provided {provided}, shmem_query_thread says {queried}")
h.finish()
