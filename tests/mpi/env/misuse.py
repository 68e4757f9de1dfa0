# SPDX-License-Identifier: BSD-3-Clause
"""Wrong arguments under MPI_ERRORS_ARE_FATAL, calls before MPI_Init and after MPI_Finalize, MPI_Abort, and programs
that end without MPI_Finalize: the job ends at once with a nonzero status and one message that names the process, the
call, the argument with its value, the class and the object; never a crash, a hang or silence."""

import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "launch"))
import harness as h

PROGRAM = h.BUILD / "tests" / "t_mpi_env_victim"
cases = [line.split(maxsplit=2) for line in h.run([PROGRAM]).out.splitlines()]
h.expect(len(cases) > 30, f"only {len(cases)} cases")


def words(says):
    """Patterns of a case: words, or texts in quotes; an underscore between lower-case words stands for a blank."""
    for word in re.findall(r'\w+: \w+ is -?\d+|"[^"]+"|\S+', says):
        word = word.strip('"')
        yield word.replace("_", " ") if re.fullmatch(r"[a-z0-9_]+", word) else word


def ended(what, result, statuses=None):
    h.expect(
        result.status is not None and 0 < result.status < 128,
        f"{what}: expected an exit status that is an error",
        result,
    )
    h.expect(not statuses or result.status in statuses, f"{what}: status {result.status}, expected {statuses}", result)
    h.expect("returned" not in result.out, f"{what}: the call returned", result)
    h.expect(result.seconds < 3, f"{what}: took {result.seconds:.1f} s")


def message(what, result, says, pe):
    line = next((line for line in result.err.splitlines() if re.search(r"\bMPI_\w+: ", line)), "")
    h.expect(line.startswith("mpt: "), f"{what}: no message", result)
    h.expect(not line or pe is None or f"PE {pe}:" in line, f"{what}: the message does not name PE {pe}: {line}")
    for word in words(says):
        h.expect(not line or word in line, f"{what}: the message does not say {word!r}: {line}")
    h.expect(result.err.count(": MPI_") == 1, f"{what}: not one message", result)


for when, name, *says in cases:
    what = f"{when} {name}"
    if not says or says == [""]:  # allowed at any time: it only must not crash
        r = h.run([PROGRAM, when, name, "0"], limit=5)
        h.expect(r.status is not None and r.status >= 0, f"{what}: crashed", r)
        continue
    statuses = {"abort_7": {7}, "abort": {3}}.get(name)
    if when == "run":
        r = h.run([h.MPTRUN, "-n", "2", PROGRAM, when, name, "1"], limit=10)
    else:
        r = h.run([PROGRAM, when, name, "0"], limit=10)
    ended(what, r, statuses)
    message(what, r, says[0], 1 if when == "run" else None)

# All ranks at once: one of them speaks.
r = h.run([h.MPTRUN, "-n", "1", PROGRAM, "run", "send_rank", "0"], limit=10)
ended("one process", r)
message("one process", r, "MPI_Send: dest is 99", 0)

# The launcher's initial error handler.
r = h.run(
    [h.MPTRUN, "-n", "2", PROGRAM, "run", "send_rank", "1"],
    limit=10,
    env={"MPT_INITIAL_ERRHANDLER": "mpi_errors_return"},
)
h.expect(r.status == 0 and "returned" in r.out, "mpi_errors_return from the environment: the call did not return", r)
r = h.run([PROGRAM, "early", "comm_rank", "0"], limit=10, env={"MPT_INITIAL_ERRHANDLER": "mpi_errors_return"})
h.expect(r.status == 0 and "returned" in r.out, "mpi_errors_return before MPI_Init: the call did not return", r)
r = h.run(
    [h.MPTRUN, "-n", "2", PROGRAM, "run", "send_rank", "1"],
    limit=10,
    env={"MPT_INITIAL_ERRHANDLER": "mpi_errors_abort"},
)
ended("mpi_errors_abort", r)

# Ends without MPI_Finalize, while the other process waits.
r = h.run([h.MPTRUN, "-n", "2", PROGRAM, "end", "exit_5", "1"], limit=10)
ended("exit(5)", r, {5})
r = h.run([h.MPTRUN, "-n", "2", PROGRAM, "end", "return_0", "0"], limit=20)
h.expect(
    r.status not in (None, 0), "return 0 without MPI_Finalize, the peer waits: the job did not end with an error", r
)
r = h.run([h.MPTRUN, "-n", "1", PROGRAM, "end", "exit_5", "0"], limit=10)
ended("exit(5) alone", r, {5})
h.finish()
