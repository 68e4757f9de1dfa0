# SPDX-License-Identifier: BSD-3-Clause
"""The plate of heat.c does not depend on how many PEs share it: all numbers of PEs print the same as one."""

import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "tests" / "launch"))
import harness as h

PROGRAM = h.BUILD / "tests" / "t_examples_shmem_heat"


def numbers(npes):
    r = h.oshrun(npes, PROGRAM, limit=60)
    h.expect(r.status == 0, f"{npes} PEs: expected status 0", r)
    return [float(word) for word in re.findall(r"\d+(?:\.\d+)?", r.out)]


alone = numbers(1)
h.expect(len(alone) == 3 and alone[1] > 0, f"one PE prints steps, heat and change, not {alone}")
for npes in (2, 3, 4, 7):
    together = numbers(npes)
    same = len(together) == 3 and all(abs(a - b) <= 1e-9 * a + 1e-6 for a, b in zip(alone, together, strict=False))
    h.expect(same, f"{npes} PEs print {together}, one PE {alone}")
h.finish()
