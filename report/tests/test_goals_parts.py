# SPDX-License-Identifier: BSD-3-Clause
"""Goals of MPI, Active Messages, Split-C and the laboratory: each bar reckoned from the figures beside it."""

import pytest

from conftest import OURS, PEER, environment, limits, record, write
from mpt_report import goals
from mpt_report.page import headlines
from mpt_report.runs.records import load_run
from mpt_report.runs.study import study
from mpt_report.tables import goals as goals_table


def study_of(tmp_path, *lines, theirs=()):
    write(tmp_path / "mpt-limits.jsonl", [environment(1, implementation="limits", library="hardware"), *limits()])
    write(tmp_path / "mpt-a.jsonl", [environment(), *lines])
    if theirs:
        write(tmp_path / "openmpi-a.jsonl", [environment(implementation=PEER), *theirs])
    return study([load_run(tmp_path)])


def of(tmp_path, *lines, theirs=()):
    return {goal.id: goal for goal in goals.goals(study_of(tmp_path, *lines, theirs=theirs))}


def mpi(test, where, metric, unit, value, name=OURS):
    return record(test, {"npes": 2, **where}, metric, unit, value, "MPI", name)


def test_mpi_against_the_hardware_and_the_better_peer(tmp_path):
    def lines(name, us, rates):
        out = [
            mpi("mpi_latency", {"message_bytes": 8}, "latency", "us", us, name),
            mpi("mpi_rate", {"message_bytes": 8, "window": 64}, "rate", "Mmsg/s", 1 / us, name),
        ]
        return out + [
            mpi("mpi_bandwidth", {"message_bytes": size}, "bandwidth", "MB/s", rate, name)
            for size, rate in rates.items()
        ]

    found = of(
        tmp_path,
        *lines(OURS, 0.2, {1024: 3000, 65536: 15000, 1 << 20: 19000}),
        theirs=lines(PEER, 0.4, {1024: 4000, 65536: 5000, 1 << 20: 6000}),
    )
    word = found["mpi/latency"]
    assert (word.value, word.bar, word.met, word.part) == (0.2, pytest.approx(0.15), False, "MPI")
    beside = found["mpi/latency/peer"]
    assert (beside.bar, beside.met) == (pytest.approx(0.28), True)
    rate = found["mpi/rate/peer"]
    assert (rate.value, rate.bar, rate.met) == (pytest.approx(5), pytest.approx(3.75), True)
    worst = found["mpi/bandwidth/peer"]
    assert worst.what == f"message bandwidth, 1 KiB, against {PEER}"
    assert not worst.met and worst.basis.endswith("met by 2 of 3")
    share = found["mpi/bandwidth"]  # 0.9 of 20,000 at both sizes
    assert (share.bar, share.met) == (pytest.approx(18000), False) and share.basis.endswith("met by 1 of 2")


def test_mpi_vectors_collectives_and_puts(tmp_path):
    def lines(name, vector, by_hand, two, eight):
        where = {"stride": 4, "message_bytes": 262144}
        out = [
            mpi("mpi_vector", where | {"method": "MPI_Type_vector"}, "bandwidth", "MB/s", vector, name),
            mpi("mpi_vector", where | {"method": "copy by hand"}, "bandwidth", "MB/s", by_hand, name),
        ]
        return out + [
            mpi("mpi_collective", {"npes": npes, "call": "MPI_Bcast", "message_bytes": 8}, "time", "us", us, name)
            for npes, us in ((2, two), (8, eight))
        ]

    put = [
        mpi("mpi_put", {"message_bytes": 8}, "latency", "us", 0.014),
        record("put_get", {"npes": 2, "op": "put", "message_bytes": 8}, "latency", "us", 0.010),
    ]
    put += [mpi("mpi_launch", {"npes": 2, "launcher": "mptrun -n {n}"}, "time", "ms", 2.6)]
    found = of(tmp_path, *lines(OURS, 900, 1000, 0.5, 3.0), *put, theirs=lines(PEER, 800, 700, 1.0, 10.0))
    assert found["mpi/vector"].bar == pytest.approx(800)  # of our own copy by hand
    assert found["mpi/vector/peer"].met
    assert found["mpi/collective/2/peer"].met  # 0.5 of 0.8 allowed
    crowded = found["mpi/collective/8/peer"]
    assert (crowded.bar, crowded.met) == (pytest.approx(2.0), False)
    one_sided = found["mpi/put"]
    assert (one_sided.value, one_sided.bar, one_sided.met) == (pytest.approx(14), pytest.approx(12), False)
    assert found["mpi/start"].met


def test_active_messages_and_split_c(tmp_path):
    def app(library, npes, ms):
        return record(
            "radix sort",
            {"npes": npes, "variant": "large transfers", "keys_per_pe": 65536},
            "time",
            "s",
            ms / 1000,
            library,
        )

    lines = [
        record("am", {"npes": 2, "call": "am_request_1 and am_reply_1"}, "round trip", "us", 0.5, "AM"),
        record("am", {"npes": 2, "call": "am_request_4"}, "rate", "million/s", 21, "AM"),
        record("am", {"npes": 2, "call": "am_store", "message_bytes": 1 << 20}, "bandwidth", "MB/s", 19500, "AM"),
        app("Split-C", 2, 10),
        app("SHMEM", 2, 10),
        app("Split-C", 8, 30),
        app("SHMEM", 8, 20),
        *(
            record(
                "local multiply", {"npes": 1, "compiler": name, "block_side": 128}, "rate", "Mflop/s", rate, "Split-C"
            )
            for name, rate in (("scc", 790), ("cc", 1000))
        ),
    ]
    found = of(tmp_path, *lines)
    assert (found["am/round-trip"].bar, found["am/round-trip"].met) == (pytest.approx(0.52), True)
    assert found["am/requests"].met
    assert found["am/store"].bar == pytest.approx(19000)
    radix = found["splitc/radix sort/large transfers"]
    assert (radix.value, radix.bar, radix.met) == (pytest.approx(30), pytest.approx(22), False)
    assert radix.what.endswith(", 8 PEs") and radix.basis.endswith("met by 1 of 2")
    assert (found["splitc/multiply"].bar, found["splitc/multiply"].met) == (800, False)


def test_laboratory(tmp_path):
    def moved(test, method, rate, **where):
        return record(test, {"npes": 1, "method": method, **where}, "bandwidth", "MB/s", rate, "SHMEM")

    hpl = {"npes": 2, "n": 4000, "nb": 192, "by": "HPL"}
    found = of(
        tmp_path,
        moved("block copy", "bl_copy", 1000, size="seed"),
        moved("block copy", "memcpy", 1100, size="seed"),
        record("STREAM", {"function": "Copy", "size": "seed"}, "bandwidth", "MB/s", 900, "none", "machine"),
        moved("matrix transpose", "bl_transpose", 690),
        moved("vector gather", "bl_gather", 300, ngath=10),
        moved("vector gather", "Fortran", 200, ngath=10),
        moved("vector gather", "bl_gather", 90, ngath=100),
        moved("vector gather", "Fortran", 100, ngath=100),
        record("LINPACK (HPC)", {"npes": 2, "n": 4000, "nb": 128}, "rate", "Gflop/s", 60),
        record("LINPACK (HPC)", hpl, "rate", "Gflop/s", 62, "none", "HPL"),
        record(
            "LFK", {"options": "gcc -O3", "language": "C"}, "precision_min", "decimal digits", 15.9, "compiler", "gcc"
        ),
    )
    copy = found["lab/block copy/seed"]
    assert (copy.bar, copy.met, copy.part) == (pytest.approx(1045), False, "Laboratory") and "memcpy" in copy.basis
    assert (found["lab/matrix transpose"].bar, found["lab/matrix transpose"].met) == (
        700,
        False,
    )
    gather = found["lab/gather"]
    assert gather.what == "gather of 100 words by bl_gather"
    assert not gather.met and gather.basis.endswith("met by 1 of 2")
    solver = found["lab/linpack/2"]
    assert (solver.value, solver.bar, solver.met) == (60, pytest.approx(55.8), True)
    assert found["lab/checksums"].met


def nas(cls, npes, seconds, rate, library="SHMEM", name=OURS):
    where = {"cls": cls, "npes": npes}
    return [
        record("NPB EP", where, "time", "s", seconds, library, name),
        record("NPB EP", where, "npb3_rate_per_pe", "Mop/s", rate, library, name),
    ]


PRODUCT = record("BLAS asymptotic", {"routine": "SGEMM", "n": 2000}, "rate", "Mflop/s", 50000, "libraries", "OpenBLAS")


def test_nas_benchmarks_stand_beside_their_limits(tmp_path):
    """EP's operations are 26.68e9 flops for 2^29 random numbers, at 50 Gflop/s a core."""
    found = study_of(tmp_path, PRODUCT, *nas("S", 2, 0.1, 50.0), *nas("W", 2, 1.0, 100.0), *nas("W", 8, 1.0, 30.0))
    (goal,) = [one for one in goals.goals(found) if one.id == "lab/NPB EP"]
    assert goal.what == "NPB EP, class W, 2 PEs, each" and goal.value == 100.0
    limit = 50000 / (26.68e9 / 2**29)
    assert goal.bar == pytest.approx(limit) and goal.basis == f"bound by arithmetic: {100 / limit:.0%} of it"
    assert (goal.judged, goal.verdict, goal.part) == (False, "beside its limit", "Laboratory")
    table = goals_table.table(found)
    row = table.row(goal.id)
    assert row[3] == "limit 1006 Mop/s" and row[-1] == "beside its limit"
    assert table.title == "Figures beside their limits" and headlines.goal_counts(found) == (0, 0)


def test_nas_benchmarks_are_judged_by_a_peer(tmp_path):
    found = of(tmp_path, PRODUCT, *nas("W", 2, 1.0, 100.0), theirs=nas("W", 2, 0.5, 120.0, name=PEER))
    goal = found["lab/NPB EP/peer"]
    assert (goal.bar, goal.met, goal.judged) == (120.0, False, True) and PEER in goal.what
