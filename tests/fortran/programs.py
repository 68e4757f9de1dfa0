# SPDX-License-Identifier: BSD-3-Clause
"""Programs as users compile them, with oshfort alone: both source forms, the include file by both its names and the
module, calls of one procedure with several types in one unit, with no warnings; and what is said of wrong arguments."""

import pathlib
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "launch"))
import harness as h

OSHFORT = str(h.BUILD / "bin" / "oshfort")
STRICT = ["-Wall", "-Werror", "-O2"]

BODY = """      INTEGER I, J(4)
      REAL X
      DOUBLE PRECISION D(2, 2)
      CHARACTER*8 TEXT
      SAVE I, J, X, D, TEXT
      CALL SHMEM_INIT
      CALL SHMEM_PUT4(I, 5, 1, 0)
      CALL SHMEM_PUT4(X, 2.5, 1, 0)
      CALL SHMEM_PUT8(D, (/ 1D0, 2D0, 3D0, 4D0 /), 4, 0)
      CALL SHMEM_PUT4(J(2), I, 1, 0)
      CALL SHMEM_PUTMEM(TEXT, 'abcdefgh', 8, 0)
      CALL SHMEM_QUIET
      PRINT *, I, J(2), NINT(2*X), NINT(SUM(D)), TEXT, SHMEM_N_PES()
      CALL SHMEM_FINALIZE
      END
"""
EXPECTED = ["5", "5", "5", "10", "abcdefgh", "1"]


def compile_program(name, text, flags=()):
    path = h.SCRATCH / name
    path.write_text(text)
    program = path.with_suffix("")
    command = [OSHFORT, *STRICT, *flags, str(path), "-o", str(program)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, env=h.environment(), cwd=h.SCRATCH)
    h.expect(done.returncode == 0, f"{name} does not compile:\n{done.stdout}{done.stderr}")
    return program if done.returncode == 0 else None


def include(file):
    return f"      PROGRAM P\n      IMPLICIT NONE\n      INCLUDE '{file}'\n      INTEGER SHMEM_N_PES\n{BODY}"


for name, text in {
    "fixed.f": include("shmem.fh"),
    "free.f90": include("shmem.fh"),
    "cray.f": include("mpp/shmem.fh"),
    "module.f90": f"      PROGRAM P\n      USE SHMEM\n      IMPLICIT NONE\n{BODY}",
}.items():
    program = compile_program(name, text)
    if program:
        r = h.oshrun(1, program)
        h.expect(r.status == 0 and r.out.split() == EXPECTED, f"{name} prints something else", r)

SUM = "program sums\nuse shmem\ncall shmem_init\nprint '(i0)', shmem_n_pes()\ncall shmem_finalize\nend\n"
flags = subprocess.run([OSHFORT, "-showme:compile"], capture_output=True, text=True, check=True).stdout
# Sanitizers have no static runtime.
program = None if "-fsanitize" in flags else compile_program("static.f90", SUM, ["-static"])
if program:
    r = h.oshrun(2, program)
    h.expect(r.status == 0 and r.out == "2\n2\n", "a static program runs", r)

for call, message in {
    "call shmem_put8(x, x, -1, 0)": "shmem_put8: nelems=-1: expected 0 or more",
    "call shmem_real16_sum_to_all(x, x, -2, 0, 0, 1, x, s)": "shmem_real16_sum_to_all: nreduce=-2: expected 0 or more",
    "call shmem_put8(x, x, 1, 3)": "pe=3",
    "call shmem_clear_lock(i)": "this PE does not hold it",
    "call shmem_set_lock(i); call shmem_set_lock(i)": "this PE holds it already",
    "call shpalloc(p, 0, i, 1)": "shpalloc: addr=(nil), length=0: the length is not greater than 0",
}.items():
    lines = [
        "program wrong",
        "use shmem",
        "integer(8), save :: x(100), p",
        "integer, save :: i",
        "integer, save :: s(SHMEM_REDUCE_SYNC_SIZE) = SHMEM_SYNC_VALUE",
        "i = 0",
        "x = 0",
        "p = 0",
        "s = s",
        "call shmem_init",
        call,
        "end",
    ]
    program = compile_program("wrong.f90", "\n".join(lines) + "\n", ["-Wno-unused-variable"])
    if program:
        r = h.oshrun(1, program)
        h.expect(r.status == 1 and message in r.err, f"{call}: expected status 1 and '{message}'", r)
h.finish()
