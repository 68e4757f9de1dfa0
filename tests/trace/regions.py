# SPDX-License-Identifier: BSD-3-Clause
"""Regions of programs in C++ and Fortran: their names, how they lie within each other, and which calls lie in them."""

import pathlib
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "launch"))
import records as r

import harness as h

HERE = pathlib.Path(__file__).resolve().parent


def look(language, wrapper, source, wanted):
    compiler = h.BUILD / "bin" / wrapper
    if not compiler.exists():
        print(f"{language}: no {wrapper}")
        return
    program, folder = h.SCRATCH / language, h.SCRATCH / f"trace-{language}"
    built = subprocess.run([compiler, "-g", HERE / source, "-o", program], capture_output=True, text=True, timeout=120)
    h.expect(built.returncode == 0, f"{source}: {built.stderr}")
    done = h.run([h.MPTRUN, "-n", 2, "--trace", folder, program], limit=60)
    h.expect(done.status == 0 and done.err == "", language, done)
    for pe in range(2):
        trace = r.read(folder / f"pe.{pe}.trace")
        own = [t for t in trace if t.kind == r.RECORDER]
        sound = len(own) == 1 and own[0].bytes > 0 and own[0].value > 0 and own[0].message > 0
        h.expect(sound, f"{language}: PE {pe}: what the recorder takes itself: {own}")
        h.expect(not [t for t in trace if t.kind == r.CALL and t.call == "recorder"], f"{language}: PE {pe}: its calls")
        regions = [t for t in trace if t.kind == r.REGION]
        h.expect([t.call for t in regions] == wanted, f"{language}: PE {pe}: {[t.call for t in regions]}")
        whole, *inner = sorted(regions, key=lambda t: t.begin)
        for a, b in zip([whole, *inner], inner, strict=False):
            h.expect(a.begin <= b.begin and b.end <= a.end, f"{language}: PE {pe}: {b} lies in {a}")
        barriers = [t for t in trace if t.call == "MPI_Barrier"]
        inside = [whole.begin <= t.begin and t.end <= whole.end for t in barriers]
        h.expect(inside == [True, False], f"{language}: PE {pe}: barriers in the region: {inside}")


look("C++", "mpicxx", "regions.cc", ["all", "work", "work", "work"])
look("Fortran", "mpifort", "regions.f90", ["all", "work", "work"])
h.finish()
