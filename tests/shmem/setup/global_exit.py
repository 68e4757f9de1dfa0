# SPDX-License-Identifier: BSD-3-Clause
"""shmem_global_exit: any PE ends the whole job, whatever the others wait for; its status becomes the launcher's, its
output is not lost, and it is quick."""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "launch"))
import harness as h

HERE = pathlib.Path(__file__).resolve().parent
modes = h.build(HERE / "modes.c")

for npes in (1, 2, 3, 8):
    for pe in sorted({0, npes // 2, npes - 1}):
        for status in (0, 1, 42, 255):
            r = h.oshrun(npes, modes, "leave", pe, status)
            what = f"{npes} PEs, PE {pe} calls shmem_global_exit({status})"
            h.expect(r.status == status, what, r)
            h.expect(r.out.count("leaving") == 1, f"{what}: what it printed arrives", r)
            h.expect("not reached" not in r.out, f"{what}: a barrier that cannot complete did", r)
            h.expect(r.seconds < 2, f"{what}: within 2 s", r)
h.expect(h.wait_for(lambda: not h.processes(), 2), f"processes left behind: {h.processes()}")
h.finish()
