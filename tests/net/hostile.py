# SPDX-License-Identifier: BSD-3-Clause
"""Strangers on the network: whatever a client says that does not belong to the job, another user's on the same host
even, the job reads and writes nothing for it and goes on to its right end. Arguments: seconds for each way, then the
ways (default: all)."""

import os
import pathlib
import re
import signal
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "launch"))
import contextlib

import harness as h

WAYS = {
    "ofi": ["keys", "messages", "heads", "answers", "leaves", "freezes", "rubbish", "silence"],
    "tcp": ["greetings", "crowd", "rubbish", "silence"],
}
SAYS_SO = {"ofi": {"messages", "heads", "answers"}, "tcp": {"greetings"}}  # what comes as far as this library for sure
PES = 3
TESTS = h.BUILD / "tests"


def ports(pid):
    """On which a process listens."""
    inodes = set()
    for fd in pathlib.Path(f"/proc/{pid}/fd").iterdir():
        with contextlib.suppress(FileNotFoundError):
            inodes.update(re.findall(r"^socket:\[(\d+)\]$", str(fd.readlink())))
    found = []
    for table in "tcp", "tcp6":
        path = pathlib.Path(f"/proc/{pid}/net/{table}")
        for line in path.read_text().splitlines()[1:] if path.exists() else []:
            word = line.split()
            if word[3] == "0A" and word[9] in inodes:
                found.append(int(word[1].rsplit(":", 1)[1], 16))
    return found


def attack(fabric, way, seconds, seed):
    says_so = way in SAYS_SO[fabric]
    stop = h.SCRATCH / f"stop-{fabric}-{way}"
    job = h.start(
        [h.MPTRUN, "-n", PES, TESTS / "t_net_target", stop],
        {"MPT_TRANSPORT": fabric, "MPT_PROGRESS_THREAD": "1", "SHMEM_DEBUG": "1"},
    )
    pids = []
    while len(pids) < PES and (line := job.stdout.readline()):
        pids += re.findall(r"process (\d+)", line)
    where = [port for pid in pids for port in ports(pid)]
    if len(where) < PES:
        h.expect(False, f"{way}: the PEs listen nowhere ({pids}, {where})", h.collect(job, 5))
        return
    stranger = h.collect(h.start([TESTS / "t_net_hostile", way, seconds, seed, *where]), seconds + 30)
    if stranger.status == 77:
        print(f"skipped: {stranger.err.strip()}")
        os.killpg(job.pid, signal.SIGTERM)
        h.collect(job)
        sys.exit(77)
    h.expect(stranger.status == 0 and not stranger.out, f"{way} (seed {seed}): what the stranger got", stranger)
    stop.touch()
    r = h.collect(job, 40)
    h.expect(r.status == 0 and "right end" in r.out, f"{way} (seed {seed}): the job's end", r)
    said = [len(re.findall(rf"PE {pe}: dropped what came", r.err)) for pe in range(PES)]
    h.expect(
        all(n == says_so for n in said) or (not says_so and max(said) <= 1),
        f"{way}: each PE says once that it drops something, not {said} times",
        r,
    )
    dropped = sum(map(int, re.findall(r"network: (\d+) things dropped", r.err)))
    h.expect(not says_so or dropped > 20, f"{way}: {dropped} messages came", r)
    print(f"{fabric} {way}: {dropped} dropped, {r.out.strip().splitlines()[-1] if r.out.strip() else '?'}", flush=True)


limit = float(sys.argv[1])
begun = time.monotonic()
pairs = [(fabric, way) for fabric, ways in WAYS.items() for way in ways if not sys.argv[2:] or way in sys.argv[2:]]
for number, (the_fabric, the_way) in enumerate(pairs):
    attack(the_fabric, the_way, limit, int(begun) + number)
h.finish()
