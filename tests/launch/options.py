# SPDX-License-Identifier: BSD-3-Clause
"""The launcher's command line: counts of PEs, variables for them, arguments passed through unharmed, help, version and
parameters, and everything that is wrong said at once, with the shell's exit statuses for missing programs."""

import os
import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import harness as h

probe = h.build(pathlib.Path(__file__).resolve().parent / "probe.c")


def identities(r):
    return sorted(re.findall(r"^PE (\d+) of (\d+)$", r.out, re.M))


for launcher in (h.OSHRUN, h.MPTRUN):
    for option in ("-np", "-n"):
        for n in (1, 2, 5):
            r = h.run([launcher, option, n, probe, "identity"])
            h.expect(
                r.status == 0 and identities(r) == sorted((str(i), str(n)) for i in range(n)),
                f"{launcher} {option} {n}",
                r,
            )
r = h.run([h.OSHRUN, probe, "identity"])
h.expect(r.status == 0 and len(identities(r)) >= 1, "without a number: as many PEs as the launcher sees fit", r)

odd = ["", "two words", "-np", "--help", "*", "a=b", "'\"\\", "$HOME", "ä", "-", "--"]
r = h.oshrun(2, probe, "arguments", *odd)
for pe in range(2):
    for i, text in enumerate(odd):
        h.expect(f"PE {pe} argument {i} [{text}]\n" in r.out, f"argument {text!r} on PE {pe}", r)

for npes in (1, 3):
    r = h.oshrun(
        npes,
        probe,
        "variable",
        "ALPHA",
        "BETA",
        "GAMMA",
        "DELTA",
        env={"BETA": "outside", "GAMMA": "outside"},
        options=["-x", "ALPHA=one two", "-x", "BETA", "-x", "GAMMA=in=side"],
    )
    for pe in range(npes):
        for line in ("ALPHA=[one two]", "BETA=[outside]", "GAMMA=[in=side]", "DELTA=[unset]"):
            h.expect(f"PE {pe} {line}\n" in r.out, f"-x: {line} on PE {pe}", r)
r = h.oshrun(2, probe, "variable", "SHMEM_SYMMETRIC_SIZE", options=["-x", "SHMEM_SYMMETRIC_SIZE=banana"])
h.expect(r.status != 0 and "banana" in r.err, "-x with a bad value of a library variable", r)

for option, wanted in (
    ("--help", r"-np?\b"),
    ("-h", r"--tag-output"),
    ("--version", r"\d+\.\d+"),
    ("--params", r"SHMEM_SYMMETRIC_SIZE"),
):
    r = h.run([h.OSHRUN, option])
    h.expect(r.status == 0 and re.search(wanted, r.out) and r.err == "", f"{option} prints to stdout, status 0", r)
for option in ("--help", "--version", "--params"):
    r = h.run(["sh", "-c", f"{h.MPTRUN} {option} > /dev/full"])
    h.expect(r.status == 1 and "cannot write to stdout" in r.err, f"{option} that cannot be written", r)
r = h.run([h.MPTRUN, "-n", 3, "sh", "-c", "echo $MPT_PE of $MPT_NPES"], env={"MPT_PE": "7", "MPT_NPES": "9"})
h.expect(sorted(r.out.splitlines()) == ["0 of 3", "1 of 3", "2 of 3"], "scripts learn which PE they stand for", r)
params = h.run([h.OSHRUN, "--params"]).out
for name in ("SHMEM_INFO", "SHMEM_VERSION", "SHMEM_DEBUG", "NPES", "SMA_SYMMETRIC_SIZE"):
    h.expect(name in params, f"--params tells of {name}")

# The manual page has all options that --help has.
page = (pathlib.Path(__file__).resolve().parents[2] / "man" / "mptrun.1").read_text()
told = h.run([h.MPTRUN, "--help"]).out
options = {
    o for words in re.findall(r"^ +(-[^ ]*(?:, -[^ ]*)*)", told, re.M) for o in re.findall(r"-?-([\w-]+)", words)
}
h.expect(len(options) > 30, f"options of --help: {sorted(options)}")
for option in sorted(options):
    h.expect(re.search(rf"Fl -?{re.escape(option)}\b", page), f"mptrun.1 tells of -{option}")

(h.SCRATCH / "plain.txt").write_text("not a program\n")
WRONG = [  # arguments, exit status or None for any error, what the message says
    (["-np", "2", "/nonexistent/program"], 127, "/nonexistent/program"),
    (["-np", "2", "no-such-program-anywhere"], 127, "no-such-program-anywhere"),
    (["-np", "2", str(h.SCRATCH / "plain.txt")], 126, "plain.txt"),
    (["-np", "2", str(h.SCRATCH)], 126, str(h.SCRATCH)),
    (["-np", "0", probe], None, "0"),
    (["-np", "-3", probe], None, "-3"),
    (["-np", "many", probe], None, "many"),
    (["-np", "2x", probe], None, "2x"),
    (["-np"], None, "-np"),
    ([], None, "program"),
    (["-np", "2"], None, "program"),
    (["--no-such-option", probe], None, "--no-such-option"),
    (["-x"], None, "-x"),
]
for args, status, text in WRONG:
    r = h.run([h.OSHRUN, *args])
    h.expect(r.status == status if status else r.status is not None and 0 < r.status < 126, f"oshrun {args}: status", r)
    h.expect(text in r.err and r.err.count("\n") <= 4, f"oshrun {args}: a short message that says {text!r}", r)

# found by PATH, relative, and from another folder
(h.SCRATCH / "probe-by-path").symlink_to(probe)
r = h.run([h.OSHRUN, "-np", "2", "probe-by-path", "identity"], {"PATH": f"{h.SCRATCH}:{os.environ['PATH']}"}, cwd="/")
h.expect(len(identities(r)) == 2, "a program found on PATH", r)
r = h.run([h.OSHRUN, "-np", "2", "./probe-by-path", "identity"], cwd=h.SCRATCH)
h.expect(len(identities(r)) == 2, "a program by relative path", r)
h.finish()
