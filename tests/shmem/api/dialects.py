# SPDX-License-Identifier: BSD-3-Clause
"""The header by itself, warnings being errors, for every compiler found here and every dialect from C99 and C++11 on,
some of them also without optimization and by each of its four names; and a small program in each of C and C++."""

import pathlib
import shutil
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "launch"))
import harness as h

C_PROGRAM = """#include <{header}>
static long target;
int main(void)
{{
    shmem_init();
    shmem_long_p(&target, 5, 0);
    shmem_quiet();
    long seen = shmem_long_g(&target, 0);
    shmem_finalize();
    return seen == 5 ? 0 : 1;
}}
"""
C_DIALECTS = ["c99", "gnu99", "c11", "gnu11", "c17", "gnu17", "gnu2x"]
CXX_DIALECTS = ["c++11", "gnu++11", "c++14", "c++17", "gnu++17", "c++20"]
HEADERS = ["shmem.h", "shmemx.h", "mpp/shmem.h", "mpp/shmemx.h"]
THOROUGHLY = ("c99", "gnu17", "c++17")  # also unoptimized, and by every name of the header
STRICT = ["-Wall", "-Wextra", "-Wshadow", "-Werror", "-pedantic"]


def compiles(compiler, suffix, dialect, header, optimize):
    source = h.SCRATCH / f"dialect{suffix}"
    source.write_text(C_PROGRAM.format(header=header))
    include = next(
        (p for p in (h.BUILD / "include", h.SOURCE / "include") if (p / "shmem.h").exists()), h.SOURCE / "include"
    )
    r = h.run(
        [compiler, f"-std={dialect}", optimize, *STRICT, "-I", include, "-c", source, "-o", h.SCRATCH / "dialect.o"]
    )
    h.expect(r.status == 0, f"{compiler} -std={dialect} {optimize}: <{header}>", r)


for compilers, suffix, dialects in ((("gcc", "clang"), ".c", C_DIALECTS), (("g++", "clang++"), ".cc", CXX_DIALECTS)):
    for compiler in filter(shutil.which, compilers):
        for dialect in dialects:
            compiles(compiler, suffix, dialect, HEADERS[0], "-O2")
        for dialect in filter(dialects.__contains__, THOROUGHLY):
            for header in HEADERS:
                compiles(compiler, suffix, dialect, header, "-O0")

for wrapper, suffix, dialects in (("oshcc", ".c", C_DIALECTS), ("oshc++", ".cc", CXX_DIALECTS)):
    for dialect in dialects:
        source = h.SCRATCH / f"program{suffix}"
        program = h.SCRATCH / "program"
        source.write_text(C_PROGRAM.format(header="shmem.h"))
        r = h.run([h.BUILD / "bin" / wrapper, f"-std={dialect}", *STRICT, source, "-o", program])
        if h.expect(r.status == 0, f"{wrapper} -std={dialect}", r):
            r = h.oshrun(2, program)
            h.expect(r.status == 0, f"program of {wrapper} -std={dialect}", r)
h.finish()
