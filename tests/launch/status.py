# SPDX-License-Identifier: BSD-3-Clause
"""Exit statuses: 0 only when all PEs returned 0; otherwise that of the PE that failed first, also after
shmem_finalize, with a message that names it."""

import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import harness as h

probe = h.build(pathlib.Path(__file__).resolve().parent / "probe.c")

for npes in (1, 2, 3, 8):
    r = h.oshrun(npes, probe, "status")
    h.expect(r.status == 0 and r.err == "", f"{npes} PEs that return 0", r)
    for pe in sorted({0, npes // 2, npes - 1}):
        for status in (1, 7, 77, 255):
            r = h.oshrun(npes, probe, "status", *[status if i == pe else 0 for i in range(npes)])
            h.expect(r.status == status, f"{npes} PEs, PE {pe} returns {status}", r)
            h.expect(
                npes == 1 or re.search(rf"PE {pe}\b.*\b{status}\b", r.err),
                f"{npes} PEs, PE {pe} returns {status}: said so",
                r,
            )
r = h.oshrun(3, probe, "status", 0, 5, 6)
h.expect(r.status in (5, 6), "two PEs fail: the status of one of them", r)
for npes in (2, 4):
    r = h.oshrun(npes, probe, "status", *[9] * npes)
    h.expect(r.status == 9, f"all {npes} PEs return 9", r)

# programs that never call the library run too: the launcher is no judge of that
r = h.run([h.OSHRUN, "-np", "3", "/bin/sh", "-c", "exit 6"])
h.expect(r.status == 6, "a program that is no PE exits with 6", r)
r = h.run([h.OSHRUN, "-np", "2", "/bin/echo", "hello"])
h.expect(r.status == 0 and r.out == "hello\nhello\n", "a program that is no PE prints", r)
h.finish()
