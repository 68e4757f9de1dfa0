# SPDX-License-Identifier: BSD-3-Clause
"""mptrun --stats: counts, bytes, waiting and who sent to whom, as a table and as JSON; of a job that was killed; what
cannot be; and nothing is left behind."""

import json
import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import harness as h

program = h.build(
    pathlib.Path(__file__).resolve().parent / "stats.c", flags=("-lmpi_abi",), wrapper=str(h.BUILD / "bin" / "oshcc")
)
N = 3


def folders():
    return set(pathlib.Path("/tmp").glob("mpt-stats-*"))


def look(how, *options, env=None):
    file = h.SCRATCH / f"{how}.json"
    done = h.run([h.MPTRUN, "-n", N, f"--stats={file}", *options, program], env, limit=60)
    h.expect(done.status == 0 and done.err == "", how, done)
    stats = json.loads(file.read_text())
    calls = {c["name"]: c for c in stats["calls"]}
    wanted = {  # calls, bytes
        "MPI_Send": (8, 701),
        "MPI_Recv": (8, 701),
        "shmem_long_p": (5 * N, 40 * N),
        "MPI_Barrier": (N, 0),
    }
    for name, numbers in wanted.items():
        c = calls.get(name, {})
        h.expect((c.get("calls"), c.get("bytes")) == numbers, f"{how}: {name}: {c}, not {numbers}")
    sent = [[40 * (to == (pe + 1) % N) for to in range(N)] for pe in range(N)]
    sent[0][1] += 700
    sent[1][0] += 1
    h.expect(stats["bytes_sent"] == sent, f"{how}: sent {stats['bytes_sent']}, not {sent}")
    waited, took = (calls["MPI_Recv"][what][0] for what in ("waiting", "seconds"))
    h.expect(0.3 < waited <= took < stats["seconds"], f"{how}: PE 0 waited {waited} s of {took} in MPI_Recv")
    h.expect(calls["MPI_Recv"]["seconds"][2] == 0, f"{how}: PE 2 receives nothing")


before = folders()
look("processes")
look("network", env={"MPT_TRANSPORT": "tcp", "MPT_IFACE": "lo"})
if h.can_be_tasks():
    look("tasks", "--tasks=2")

for option, env in ((["--stats"], None), ([], {"MPT_STATS": "1"})):
    done = h.run([h.MPTRUN, "-n", N, *option, program], env, limit=60)
    h.expect(done.status == 0 and re.search(r"^MPI_Send +8 +701 B ", done.err, re.M), "the table", done)
    h.expect(re.search(r"^statistics of 3 PEs, \d", done.err), "its head", done)
    h.expect("bytes sent and stored" in done.err, "the matrix", done)
done = h.run([h.MPTRUN, "-n", N, program], {"MPT_STATS": "0"}, limit=60)
h.expect(done.status == 0 and done.err == "", "0: none", done)
for value, status, text in (("yes", 0, "statistics of 3 PEs"), ("off", 0, ""), ("2", 2, "the name of a file")):
    done = h.run([h.MPTRUN, "-n", N, program], {"MPT_STATS": value}, limit=60)
    h.expect(done.status == status and text in done.err and (text or not done.err), f"MPT_STATS={value}", done)

done = h.run([h.MPTRUN, "-n", N, "--stats", program, "killed"], limit=60)
h.expect(done.status == 137 and re.search(r"^MPI_Recv +\d+ +700 B", done.err, re.M), "a PE was killed", done)

done = h.run([h.MPTRUN, "-n", 2, "--stats", "--trace", h.SCRATCH / "trace", program], limit=60)
h.expect(done.status == 1 and "--stats and --trace" in done.err, "not both", done)
done = h.run([h.MPTRUN, "-n", N, "--stats=/nonexistent/file", program], limit=60)
h.expect("--stats /nonexistent/file: cannot write" in done.err, "a file that cannot be", done)
done = h.run([h.MPTRUN, "-n", 2, "--stats", "sleep", "0.1"], limit=60)
h.expect(done.status == 0 and "2 of them did not start the library" in done.err, "no PEs at all", done)
done = h.run([program], {"NPES": N, "MPT_STATS": "1"}, limit=60)
h.expect(done.err.count("only jobs that mptrun starts") == 1, "without a launcher", done)
h.expect(folders() <= before, f"left behind: {folders() - before}")
h.finish()
