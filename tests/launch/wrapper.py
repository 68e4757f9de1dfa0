# SPDX-License-Identifier: BSD-3-Clause
"""oshcc, oshc++ and oshfort: -show and its relatives, compiling and linking in steps, flags of one's own, warnings
passed on, an exit status that is the compiler's, and programs that run without any path set."""

import pathlib
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import harness as h

MAIN = r"""#include <shmem.h>
#include <stdio.h>
int helper(void);
int main(void)
{
    shmem_init();
    printf("%d %s\n", helper(), NAME);
    shmem_finalize();
    return 0;
}
"""
HELPER = "int helper(void) { return 42; }\n"
for wrapper, suffix in (("oshcc", "c"), ("oshc++", "cc")):
    tool = str(h.BUILD / "bin" / wrapper)
    main, helper = h.SCRATCH / f"main.{suffix}", h.SCRATCH / f"helper.{suffix}"
    main.write_text(MAIN)
    helper.write_text(HELPER)
    objects = []
    for source in (main, helper):
        objects.append(source.with_suffix(".o"))
        r = h.run([tool, "-Wall", "-Werror", "-c", '-DNAME="a name"', source, "-o", objects[-1]])
        h.expect(r.status == 0, f"{wrapper} -c", r)
    r = h.run([tool, *objects, "-o", h.SCRATCH / "linked"])
    h.expect(r.status == 0, f"{wrapper} links objects", r)
    r = h.oshrun(2, h.SCRATCH / "linked", env={"LD_LIBRARY_PATH": None})
    h.expect(r.out == "42 a name\n" * 2, f"program of {wrapper}", r)

    for option in ("-show", "--show", "-showme", "--showme"):
        r = h.run([tool, option, main, "-o", "/nonexistent/out"])
        h.expect(r.status == 0 and str(main) in r.out and "-I" in r.out and "-lmpt" in r.out, f"{wrapper} {option}", r)
    r = h.run([tool, "-echo", "-c", helper, "-o", h.SCRATCH / "echoed.o"])
    h.expect(r.status == 0 and str(helper) in r.out and (h.SCRATCH / "echoed.o").exists(), f"{wrapper} -echo", r)
    for kind in ("cc", "CC", "cxx", "fc", "f90", "f77"):
        r = h.run([tool, f"-{kind}=another", "-show", main])
        h.expect(r.out.startswith("another ") and f"-{kind}" not in r.out, f"{wrapper} -{kind}=COMPILER", r)
    # Build systems read both halves from a wrapper that is asked without files, and only the first with -c.
    for asked, links in (([], True), (["-c"], False)):
        r = h.run([tool, "-show", *asked])
        told = "-L" in r.out and "-lmpt" in r.out
        h.expect(r.status == 0 and "-I" in r.out and told == links, f"{wrapper} -show {asked}", r)
    r = h.run([tool, "-show", '-DNAME="a b"', main, helper, "-o", h.SCRATCH / "shown"])
    done = subprocess.run(["/bin/sh", "-c", r.out], capture_output=True, text=True, env=h.environment())
    h.expect(done.returncode == 0, f"the command {wrapper} shows can be run: {done.stderr}", r)
    r = h.oshrun(1, h.SCRATCH / "shown")
    h.expect(r.out == "42 a b\n", f"what {wrapper} -show would build", r)
    compile_flags, link_flags = (h.run([tool, f"--showme:{part}"]).out.split() for part in ("compile", "link"))
    compiler = h.run([tool, "--showme:command"]).out.split()
    r = h.run([*compiler, *compile_flags, '-DNAME="c"', main, helper, "-o", h.SCRATCH / "by-hand", *link_flags])
    h.expect(r.status == 0, f"{wrapper} --showme:compile and :link", r)

    broken = h.SCRATCH / f"broken.{suffix}"
    broken.write_text("this is no program\n")
    r = h.run([tool, "-c", broken, "-o", h.SCRATCH / "broken.o"])
    h.expect(r.status not in (0, None) and "broken" in r.err, f"{wrapper}: the compiler's errors and status", r)
    r = h.run([tool, "--version"])
    h.expect(r.status == 0 and r.out, f"{wrapper} --version", r)

# Fortran: addresses of symmetric memory go into Cray pointers, as in programs of the T3E.
FORTRAN = """      program words
      include 'shmem.fh'
      integer my_pe, num_pes, err
      integer*8 box(1)
      pointer (address, box)
      call start_pes(0)
      call shpalloc(address, 2, err, 1)
      call shmem_put8(box, int(my_pe(), 8), 1, num_pes() - 1 - my_pe())
      call shmem_barrier_all()
      if (box(1) .ne. num_pes() - 1 - my_pe()) stop 1
      call shpdeallc(address, err, 1)
      end
"""
oshfort = h.BUILD / "bin" / "oshfort"
if oshfort.exists():
    source = h.SCRATCH / "words.f"
    source.write_text(FORTRAN)
    r = h.run([oshfort, source, "-o", h.SCRATCH / "words"])
    h.expect(r.status == 0, "oshfort takes Cray pointers", r)
    r = h.oshrun(2, h.SCRATCH / "words")
    h.expect(r.status == 0, "a program with Cray pointers", r)
h.finish()
