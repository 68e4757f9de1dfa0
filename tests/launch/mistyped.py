# SPDX-License-Identifier: BSD-3-Clause
"""What users mistype: each command says in a line or two what is wrong, with the word as it was typed and the one that
was perhaps meant, and ends with an error. It does not begin a job, hang or crash."""

import os
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import harness as h

probe = h.build(pathlib.Path(__file__).resolve().parent / "probe.c")
BIN = h.BUILD / "bin"
SPLITC = (BIN / "scc").exists()
LABORATORY = h.run([BIN / "mpt", "--version"]).status == 0


def script(name, text, mode=0o755):
    (h.SCRATCH / name).write_text(text)
    (h.SCRATCH / name).chmod(mode)


script("plain", "echo started\n", 0o644)
script("strange", "#!/no/such/interpreter\n")
script("unmarked", "echo $MPT_PE of $MPT_NPES\n")
(h.SCRATCH / "folder").mkdir()

# Command and arguments, status, what the message has.
WRONG = [
    ("mptrun -np4 PROBE", 2, "-np4", "-np 4"),
    ("mptrun -n4 PROBE", 2, "-n4", "-n 4"),
    ("mptrun -n", 2, "-n", "N"),
    ("mptrun -n PROBE", 2, "-n PROBE", "number of PEs"),
    ("mptrun -n --tasks PROBE", 2, "-n", "--tasks"),
    ("mptrun -N", 2, "-N"),
    ("mptrun -N x PROBE", 2, "-N x", "number"),
    ("mptrun --tsks PROBE", 2, "--tsks", "--tasks"),
    ("mptrun --task=2 PROBE", 2, "--task", "--tasks"),
    ("mptrun --mapby core PROBE", 2, "--mapby", "--map-by"),
    ("mptrun --oversubscibe PROBE", 2, "--oversubscibe", "--oversubscribe"),
    ("mptrun --verison", 2, "--verison", "--version"),
    ("mptrun --out x PROBE", 2, "--out", "--output"),
    ("mptrun --zebra PROBE", 2, "--zebra", "--help"),
    ("mptrun -9 PROBE", 2, "-9", "--help"),
    ("mptrun - PROBE", 2, "-", "--help"),
    ("mptrun --check=yes PROBE", 2, "--check=yes", "no argument"),
    ("mptrun --trace -n 1 PROBE", 2, "--trace", "DIR", "-n"),
    ("mptrun --tasks=x PROBE", 2, "--tasks=x", "number"),
    ("mptrun --tasks 2 -n 4 PROBE", 127, "'2'", "--tasks=N"),
    ("mptrun 4 PROBE", 127, "'4'", "-n N"),
    ("mptrun --bind-to cores PROBE", 2, "cores", "core,"),
    ("mptrun -hostfile no-such-file PROBE", 2, "-hostfile no-such-file", "No such file"),
    ("mptrun -x", 2, "-x", "VAR"),
    ("mptrun -x =value PROBE", 2, "-x =value", "VARIABLE"),
    ("mptrun --debug PROBE", 2, "--debug", "totalview mptrun -a"),
    ("mptrun -tv PROBE", 2, "-tv", "totalview mptrun -a"),
    ("mptrun --stats=no-such-folder/x PROBE identity", 1, "no-such-folder/x"),
    ("mptrun --trace /proc/x PROBE identity", 1, "/proc/x"),
    ("mptrun -n 2", 2, "no program", "-n N"),
    ("mptrun -n 2 PROBE identity :", 2, "no program"),
    ("mptrun", 2, "no program"),
    ("mptrun -n 2 ./no-such-program", 127, "./no-such-program"),
    ("mptrun -n 2 no-such-program", 127, "no-such-program", "PATH"),
    ("mptrun -n 2 ./plain", 126, "'./plain'", "chmod +x"),
    ("mptrun -n 2 plain", 126, "'plain'", "chmod +x"),
    ("mptrun -n 2 ./folder", 126, "'./folder'", "directory"),
    ("mptrun -n 2 folder", 126, "'folder'", "directory"),
    ("mptrun -n 2 ./strange", 127, "'./strange'", "interpreter"),
    ("mpicc", 1, "no input files"),
    ("mpicc --showme:lnk a.c", 2, "-showme:lnk", "-showme"),
    ("mpicc -showm a.c", 2, "-showm", "-showme"),
    ("mpicc -compile-nfo", 2, "-compile-nfo", "-compile_info"),
    ("mpicc -cc clang a.c", 2, "-cc", "-cc=COMPILER"),
    ("mpicc -cc=no-such-compiler a.c", 127, "'no-such-compiler'", "-cc=COMPILER", "MPT_CC"),
    ("oshcc no-such-file.c", 1, "no-such-file.c"),
    ("pvm --hlp", 2, "--hlp", "--help"),
    ("pvm hosts", 1, "hosts", "launcher"),
]
if SPLITC:
    WRONG += [
        ("scc", 2, "no input files", "--help"),
        ("scc no-such-file.sc", 1, "no-such-file.sc"),
        ("scc -o", 2, "'-o'"),
    ]
if LABORATORY:
    WRONG += [
        ("mpt", 2, "command", "trace"),
        ("mpt trase folder", 2, "trase", "did you mean trace"),
        ("mpt zebra", 2, "zebra", "trace"),
        ("mpt trace", 2, "DIR"),
        ("mpt trace folder", 2, "folder", "mptrun --trace"),
        ("mpt trace no-such-folder", 2, "no-such-folder", "mptrun --trace"),
        ("mpt trace --toop 3 folder", 2, "--toop", "--top"),
        ("mpt trace folder folder", 2, "folder"),
        ("mpt compare folder", 2, "new"),
        ("mpt bench --build no-such-folder", 2, "no-such-folder"),
        ("mpt bench --only pingpon", 2, "pingpon", "ping_pong", "--list"),
        ("mpt export folder", 2, "--csv"),
        ("mpt export folder --csv", 2, "folder", "mpt bench"),
        ("mpt explore", 2, "-- PROGRAM"),
    ]
for line, status, *parts in WRONG:
    words = [w.replace("PROBE", probe) for w in line.split()]
    r = h.run([BIN / words[0], *words[1:]], limit=60)
    h.expect(r.status == status, f"{line}: status {status}", r)
    h.expect(all(part.replace("PROBE", probe) in r.err for part in parts), f"{line}: a message with {parts}", r)
    h.expect(r.err.count("\n") in (1, 2) and r.out == "", f"{line}: a line or two, no more", r)

# What is right, or may be, begins a job, with a word where it was perhaps meant otherwise.
RIGHT = [
    ("mptrun --n 2 PROBE identity", {}, ""),
    ("mptrun -N 2 PROBE identity", {}, ""),
    ("mptrun --oversubscribe -np=2 PROBE identity", {}, ""),
    ("mptrun -n 2 PROBE identity -n 3", {}, ""),
    ("mptrun -n 2 ./unmarked", {}, ""),
    ("mptrun -x TEST_NAME= -n 2 PROBE identity", {"MPT_SPIN_US": "10", "MPT_SOURCE": "x", "MPT_FC": "f"}, ""),
    ("mptrun ./unmarked -n 3", {}, "-n 3 stands behind"),
    ("mptrun -q ./unmarked -n 3", {}, ""),
    ("mptrun -n 2 -x MPT_TRANSPROT=tcp PROBE identity", {}, "did you mean MPT_TRANSPORT?"),
    ("mptrun -n 2 PROBE identity", {"SHMEM_SYMMETRIC_HEAP_SIZE": "1G"}, "did you mean SHMEM_SYMMETRIC_SIZE?"),
    ("mptrun -q -n 2 PROBE identity", {"MPT_DEADLOK": "1"}, ""),
    ("mptrun -n 1 -env MPT_DEADLOK 1 PROBE identity : -n 1 PROBE identity", {}, "did you mean MPT_DEADLOCK?"),
]
for line, env, part in RIGHT:
    words = [w.replace("PROBE", probe) for w in line.split()]
    r = h.run([BIN / words[0], *words[1:]], env)
    h.expect(r.status == 0 and ("of 2" in r.out or "./unmarked -n" in line), f"{line}: runs", r)
    h.expect(part in r.err if part else r.err == "", f"{line}: says {part!r}", r)

# PVM's console answers as PVM's does, and adds what helps.
r = h.run(
    [BIN / "pvm"], {"XDG_RUNTIME_DIR": os.fspath(h.SCRATCH)}, text="spawm x\nspawn\nexit\nhelp hlp\nzebra\nquit\n"
)
for part in (
    "spawm: not found\nDid you mean spawn?\n",
    "spawn: wrong #args\nSyntax:  spawn [ options ] program",
    "exit: not found\nDid you mean quit?\n",
    "hlp: no such command\nDid you mean help?\n",
    "zebra: not found\npvm>",
):
    h.expect(part in r.out, f"the console: {part!r}", r)
h.finish()
