# SPDX-License-Identifier: BSD-3-Clause
"""The limit of each test: every test has one or says why not, and each is what its words say."""

import pytest

from conftest import environment, limits, record, write
from mpt_report.drive import programs
from mpt_report.limits import bounds, npb
from mpt_report.runs import published
from mpt_report.runs.records import load_run
from mpt_report.runs.study import study
from mpt_report.tables import summary

CACHES = [{"level": "3", "type": "Unified", "size": "32M"}]


def study_of(tmp_path, *lines):
    start = environment()
    start["env"]["caches"] = CACHES
    write(tmp_path / "mpt-a.jsonl", [start, *limits(), *lines])
    return study([load_run(tmp_path / "mpt-a.jsonl")])


def machine(name, params, metric, unit, value, library="none"):
    return record(name, params, metric, unit, value, library, "machine")


def ratio(tmp_path, line, *more):
    """How many times its limit a figure is: copies do 20 GB/s, a hand-over 100 ns, a change of process 700 ns."""
    found = study_of(tmp_path, line, *more)
    whole = bounds.machine_of(found)
    records = [one for one in found.runs[0].records if one.test == line["test"] and one.metric == line["metric"]]
    return bounds.ratios(whole, records[:1])


def test_every_program_of_the_laboratory_has_a_limit_or_a_reason():
    every = {test for one in programs.load() for test in one.tests} - set(summary.LEFT_OUT)
    assert len(every) > 50
    lacking = {test for test in every if not bounds.known(test) and test not in bounds.NONE}
    assert lacking == set()
    assert not {test for test in bounds.NONE if bounds.known(test)}


SGEMM = machine("BLAS asymptotic", {"routine": "SGEMM", "n": 2000}, "rate", "Mflop/s", 50000)
STREAM = machine("STREAM", {"function": "Triad", "n": 50_000_000}, "bandwidth", "MB/s", 10000)


@pytest.mark.parametrize(
    "line, more, expected",
    [
        (record("one-word global reduction", {"npes": 2, "operation": "GSUM"}, "time", "ms", 0.0004), (), 4.0),
        (
            record("one-word global reduction", {"npes": 8, "operation": "GSUM"}, "time", "ms", 0.0056),
            (),
            2.0,
        ),  # 8/2 x 700 ns
        (
            record("global vector sum", {"npes": 2, "elements": 100000}, "time", "ms", 0.0802),
            (),
            2.0,
        ),  # 100 ns + 800 kB/20 GB/s
        (record("barrier, one late", {"npes": 2}, "release_time", "us", 0.3), (), 3.0),
        (record("OCCOMM", {"npes": 2, "message_bytes": 65536}, "bandwidth", "MB/s", 5000), (), 4.0),
        (
            record("echo with strides", {"npes": 2, "message_bytes": 65536, "stride": 4}, "bandwidth", "MB/s", 2000),
            (),
            10.0,
        ),
        (record("COMMS2", {"npes": 2}, "bandwidth", "MB/s", 20000), (), 2.0),  # both cores copy
        (record("LogGP", {"npes": 2}, "G", "ns/byte", 0.1), (), 2.0),
        (record("pvm_pingpong", {"npes": 2, "message_bytes": 0}, "round_trip", "us", 0.4, "PVM"), (), 2.0),
        (record("lock", {"npes": 2, "contention": "all"}, "time", "us", 0.3), (), 3.0),
        (
            record(
                "mpi_collective",
                {"npes": 2, "call": "MPI_Bcast", "message_bytes": 1 << 20},
                "time",
                "us",
                0.1 + (1 << 20) / 20000 / 2,
                "MPI",
            ),
            (),
            1.0,
        ),
        (record("vector gather", {"npes": 1, "n": 100000, "ngath": 10}, "bandwidth", "MB/s", 10000), (), 4.0),
        (
            machine("local memory load/store", {"streams": 1, "words": 20_000_000}, "bandwidth", "MB/s", 5000),
            (STREAM,),
            2.0,
        ),
        (machine("LFK", {"kernel": 1, "span": 27}, "rate", "Mflop/s", 5000), (SGEMM,), 10.0),
        (machine("CCFFT", {"n": 64}, "rate", "Mflop/s", 5000), (SGEMM,), 10.0),
        (
            machine("BLAS asymptotic", {"routine": "SDOT", "n": 15_000_000}, "rate", "Mflop/s", 625),
            (SGEMM, STREAM),
            2.0,
        ),
        (record("blocked matrix multiply", {"npes": 4}, "rate", "Mflop/s", 25000), (SGEMM,), 4.0),  # two cores
        (machine("striped file I/O", {"mode": "direct"}, "bandwidth", "MB/s", 2000), (), 10.0),
        (record("regular partitioning", {"npes": 2, "n": 100}, "step_time", "ms", 3.2), (STREAM,), 2.0),
    ],
)
def test_limits(tmp_path, line, more, expected):
    assert ratio(tmp_path, line, *more) == [pytest.approx(expected)]


def test_linpack_stands_beside_its_own_peak(tmp_path):
    peak = record("LINPACK (HPC)", {"npes": 2}, "rpeak", "Gflop/s", 100)
    assert ratio(tmp_path, record("LINPACK (HPC)", {"npes": 2}, "rmax", "Gflop/s", 50), peak) == [pytest.approx(2.0)]
    assert ratio(tmp_path, machine("CCFFT", {"n": 64}, "rate", "Mflop/s", 5000), peak) == [
        pytest.approx(10.0)
    ]  # a core


@pytest.mark.parametrize(
    "line",
    [
        record("LFK", {"kernel": 1}, "rate", "Mflop/s", 5000, "none"),  # but itself no peak
        record("message time", {"npes": 2, "pattern": "COMMS3", "message_bytes": 8}, "latency", "us", 0.01),
        record("LogGP", {"npes": 2}, "L", "us", -0.1),
        record(
            "put_get", {"npes": 2, "message_bytes": 65536, "cache": "flushed"}, "bandwidth", "MB/s", 10
        ),  # copies are hot
        record("put_get", {"npes": 2, "message_bytes": 8}, "bandwidth", "MB/s", 10),  # 8 bytes weren't copied
    ],
)
def test_no_ratio_where_there_is_nothing_to_divide_by(tmp_path, line):
    assert ratio(tmp_path, line) in ([], [pytest.approx(1.0)])


def test_summary_says_what_is_missing(tmp_path):
    opened = next(fact for fact in published.load() if fact["test"] == "global file open")
    lines = [
        record(opened["test"], opened["params"], opened["metric"], opened["unit"], 1e-5),
        machine("STREAM", {"function": "Copy", "n": 2_000_000}, "bandwidth", "MB/s", 10000),
    ]
    write(tmp_path / "mpt-a.jsonl", [environment(), *lines])  # no limits
    table, meaning = summary.tables(study([load_run(tmp_path / "mpt-a.jsonl")]))
    assert {row.id for row in table.rows} == {"global file open", "STREAM"}
    assert table.cell("global file open", "limit") == bounds.NO_LIMIT
    assert table.cell("STREAM", "limit") == bounds.UNMEASURED
    words = {test: row[0] for row in meaning.rows for test in row[1].split("; ")}
    assert words["global file open"].startswith("none: ") and "best copy" in words["STREAM"]


def test_nas_benchmarks_have_a_model():
    assert all(bounds.known(test) for test in npb.MODELS)
