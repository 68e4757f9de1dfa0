# SPDX-License-Identifier: BSD-3-Clause
"""An exhausted heap: NULL on every PE, the job goes on, and a message says how much was asked for and which variable
to raise. A heap that cannot be made at all: an error that names the variable and its value. Unknown
hints and alignments that are refused: the job goes on after one line."""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "launch"))
import harness as h

HERE = pathlib.Path(__file__).resolve().parent

PROGRAM = r"""
#include <shmem.h>
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv)
{
    shmem_init();
    size_t bytes = strtoull(argc > 1 ? argv[1] : "0", NULL, 0);
    printf("%s\n", shmem_malloc(bytes) ? "got it" : "NULL");
    printf("%s\n", shmem_malloc(1000) ? "got it" : "NULL");
    shmem_barrier_all();
    shmem_finalize();
    return 0;
}
"""
prog = h.build(PROGRAM, "heap")
for npes in (1, 3):
    r = h.oshrun(npes, prog, 5 << 20, env={"SHMEM_SYMMETRIC_SIZE": "1M"})
    h.expect(r.status == 0, f"{npes} PEs: the job goes on", r)
    h.expect(
        sorted(r.out.split("\n")[:-1]) == ["NULL"] * npes + ["got it"] * npes,
        f"{npes} PEs: NULL, then a block, on each",
        r,
    )
    h.expect("SHMEM_SYMMETRIC_SIZE" in r.err, f"{npes} PEs: the message names SHMEM_SYMMETRIC_SIZE", r)
    h.expect(str(5 << 20) in r.err or "5M" in r.err, f"{npes} PEs: the message says how much was asked for", r)
    h.expect(r.err.count("SHMEM_SYMMETRIC_SIZE") <= npes, f"{npes} PEs: said once", r)

ADVICE = r"""
#include <shmem.h>
int main(void)
{
    shmem_init();
    for (int i = 0; i < 3; i++) {
        void *p = shmem_malloc_with_hints(100, 0x1230);
        if (!p || shmem_align(48, 100) || shmem_align((size_t)1 << 50, 100))
            shmem_global_exit(1);
        shmem_free(p);
    }
    shmem_finalize();
    return 0;
}
"""
prog2 = h.build(ADVICE, "advice")
for npes in (1, 3):
    r = h.oshrun(npes, prog2)
    h.expect(r.status == 0, f"{npes} PEs: unknown hints are ignored, odd alignments give NULL", r)
    h.expect(r.err.count("hints=0x1230") == 1, f"{npes} PEs: the unknown hints are named once", r)
    h.expect(r.err.count("alignment=") == 1 and "alignment=48" in r.err, f"{npes} PEs: the alignment is named once", r)

r = h.oshrun(2, prog, 100, env={"SHMEM_SYMMETRIC_SIZE": "4000000T"})
h.expect(r.status not in (0, None) and "SHMEM_SYMMETRIC_SIZE" in r.err, "a heap larger than any address space", r)
r = h.oshrun(2, prog, 100, env={"SHMEM_SYMMETRIC_SIZE": "99999999999999999999999999"})
h.expect(r.status not in (0, None) and "SHMEM_SYMMETRIC_SIZE" in r.err, "a heap whose size no integer holds", r)
h.finish()
