# SPDX-License-Identifier: BSD-3-Clause
"""What the launcher makes of deaths: only with --ft does a job of MPI go on, and its status is that of those who
live."""

import os
import subprocess
import sys

BUILD = os.environ["MPT_BUILD"]
PROGRAM = f"{BUILD}/tests/t_mpi_ft_ends"
failures = 0


def run(
    what: str, *options: str, program: str = PROGRAM, n: int = 3, env: dict[str, str] | None = None
) -> tuple[int, str]:
    command = [f"{BUILD}/bin/mptrun", "--timeout", "30", *options, "-n", str(n), program, what]
    environment = {k: v for k, v in os.environ.items() if k != "MPT_FT"} | (env or {})
    done = subprocess.run(
        command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=60, check=False
    )
    return done.returncode, done.stdout


def expect(condition: bool, what: str, result: tuple[int, str]) -> None:
    global failures
    if not condition:
        failures += 1
        print(f"FAIL {what}: status {result[0]}\n{result[1]}")


def main() -> int:
    for options, env in (
        (("--ft",), None),
        (("-disable-auto-cleanup",), None),
        (("--with-ft", "ulfm"), None),
        (("--enable-recovery",), None),
        ((), {"MPT_FT": "1"}),
    ):
        for what in ("kill", "exit0", "exit3"):
            r = run(what, *options, env=env)
            expect(r[0] == 0 and "2 go on without it" in r[1] and r[1].count("survived") == 2, f"{what} {options}", r)
    for options in ((), ("--with-ft", "none")):
        r = run("kill", *options)
        expect(r[0] == 137 and "ending the other 2 PEs" in r[1], f"kill {options}", r)
    r = run("fatal", "--ft")
    expect(r[0] == 1 and "MPIX_ERR_PROC_FAILED" in r[1], "errors are fatal", r)
    r = run("all", "--ft")
    expect(r[0] == 137, "all die", r)
    r = run("abort", "--ft")
    expect(r[0] == 7 and "survived" not in r[1], "abort", r)
    r = run("status", "--ft")
    expect(r[0] == 5, "a survivor's status", r)
    r = run("late", "--ft")
    expect(r[0] == 0 and "it has gone on" in r[1], "one dies after MPI_Finalize", r)
    r = run("outside", "--ft")
    expect(r[0] == 137 and "ending the other" in r[1], "one dies while others are not in MPI", r)
    for options, env in ((("--ft",), {"MPT_TRANSPORT": "tcp"}), ((), {"MPT_FT": "1", "MPT_TRANSPORT": "tcp"})):
        r = run("kill", *options, env=env)
        expect(
            r[0] != 0
            and r[1].count("(--ft) has no effect") == 1
            and "PE 0: MPT_FT=1" in r[1]
            and "survived" not in r[1],
            f"over a network {env}",
            r,
        )
    r = run("kill", env={"MPT_TRANSPORT": "tcp"})
    expect(r[0] != 0 and "no effect" not in r[1], "over a network, and nobody asked for more", r)
    r = run("kill", "--with-ft", "maybe")
    expect(r[0] != 0 and "expected ulfm" in r[1], "a wrong value", r)
    r = run("kill", "--with-ft")
    expect(r[0] != 0 and "needs an argument: ulfm" in r[1], "no value", r)
    return failures != 0


if __name__ == "__main__":
    sys.exit(main())
