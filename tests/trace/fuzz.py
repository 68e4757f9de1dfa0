# SPDX-License-Identifier: BSD-3-Clause
"""Both readers of traces on damaged files. Arguments: how many times the C reader (mpt/tracefile.h, with the checks of
AddressSanitizer and for undefined behaviour), and the Python reader with its whole analysis, get the trace of a real
program of which bytes were changed. They bear it: no crash, no endless loop, little memory, no error but TraceError."""

import json
import pathlib
import random
import resource
import shutil
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "launch"))
import records as r

import harness as h

HERE = pathlib.Path(__file__).resolve().parent
SEED = 20261128
TIMES, TIMES_PYTHON = (int(word) // 2 for word in sys.argv[1:3])  # of each program


def traced(name, *words):
    """A trace of two PEs."""
    program = h.build(HERE / f"{name}.c", wrapper=str(h.BUILD / "bin" / "mpicc"))
    folder = h.SCRATCH / f"trace_{name}"
    done = h.run([h.MPTRUN, "-n", 2, "--trace", folder, program, *words], limit=60)
    h.expect(done.status == 0, "a trace", done)
    return folder


def in_c(folder):
    flags = ("-Wall", "-Wextra", "-Werror", "-fsanitize=address,undefined", "-fno-sanitize-recover=all")
    include = ("-I", str(h.SOURCE / "include"))
    program = h.build(HERE / "fuzz.c", flags=(*flags, *include), wrapper="cc")
    path = folder / "pe.1.trace"
    done = h.run([program, path, TIMES, SEED], limit=30 + TIMES / 2000)
    h.expect(done.status == 0, f"{TIMES} damaged traces, in C", done)
    print(f"C: {TIMES} damaged traces in {done.seconds:.1f} s", flush=True)
    told = {line.rsplit(" ", 1)[0]: int(line.rsplit(" ", 1)[1]) for line in done.out.splitlines()}
    calls = [one.call for one in r.read(path) if one.kind == r.CALL]
    h.expect(told == {name: calls.count(name) for name in calls}, f"calls by C {told}, by Python {calls}")


def damage(raw, chance):
    """Some words changed, and now and then the end cut off."""
    for _ in range(chance.randrange(16)):
        n = chance.randrange(1, 9)
        at = chance.randrange(max(len(raw) - n, 1))
        word = chance.choice((0, 1, 0xFF, 2**31 - 1, 2**32 - 1, 2**63, 2**64 - 1, chance.randrange(2**64)))
        raw[at : at + n] = word.to_bytes(8, "little")[:n]
    if chance.randrange(4) == 0:
        del raw[chance.randrange(len(raw)) :]


def in_python(folder):
    sys.path.insert(0, str(h.SOURCE / "report"))
    try:
        from mpt_report.trace import analysis, facts, reader, selection
    except ImportError as missing:
        print(f"not asked: the Python reader, for lack of {missing.name}")
        return
    chance = random.Random(SEED)
    damaged = h.SCRATCH / "damaged"
    begun, longest = time.monotonic(), 0.0
    for _ in range(TIMES_PYTHON):
        shutil.copytree(folder, damaged)
        path = damaged / chance.choice(("pe.0.trace", "pe.1.trace", "pe.1.trace", "job.json"))
        raw = bytearray(path.read_bytes())
        damage(raw, chance)
        path.write_bytes(raw)
        at = time.monotonic()
        try:
            found = analysis.load(damaged)
            json.dumps(facts.facts(found, selection.select(found, selection.Wanted())))
        except reader.TraceError:
            pass
        longest = max(longest, time.monotonic() - at)
        shutil.rmtree(damaged)
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    print(
        f"Python: {TIMES_PYTHON} in {time.monotonic() - begun:.1f} s, the longest {longest:.2f} s, {most} MiB",
        flush=True,
    )
    h.expect(longest < 10 and most < 1000, f"{longest:.1f} s, {most} MiB")


# Messages, collective calls, windows and regions; and what ends in another call than it begins in.
for the_trace in (traced("mpi"), traced("later", 1, h.SCRATCH / "file")):
    in_c(the_trace)
    in_python(the_trace)
h.finish()
