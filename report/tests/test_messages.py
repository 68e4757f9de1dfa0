# SPDX-License-Identifier: BSD-3-Clause
"""Curves of messages against size: one function for all interfaces, N½ marked, and each interface its own curve."""

import pytest

from conftest import OURS, PEER, environment, limits, record, write
from mpt_report.page import charts, message_charts
from mpt_report.runs.records import load_run
from mpt_report.runs.study import study

SIZES = (64, 512, 4096, 32768, 262144)


def messages(name, slower=1.0):
    """MPI, PVM by two encodings, AM by two calls, and the patterns of COMMS over three interfaces."""
    out = []

    def both(test, params, library, rate, time_test=None):
        for size in SIZES:
            where = {"npes": 2} | params | {"message_bytes": size}
            speed = rate / slower * size / (size + 4096)  # half of the asymptote at 4096 bytes
            out.append(record(test, where, "bandwidth", "MB/s", speed, library, name))
            out.append(record(time_test or test, where, "latency", "us", size / speed, library, name))

    both("mpi_bandwidth", {}, "MPI", 10000, "mpi_latency")
    for encoding, rate in (("Default", 1000), ("Raw", 8000)):
        both("pvm_pingpong", {"method": "clean", "encoding": encoding}, "PVM", rate)
        both("pvm_pingpong", {"method": "as in 1996", "encoding": encoding}, "PVM", rate / 10)
    both("am", {"call": "am_store"}, "AM", 9000, "am_unused")
    both("echo test, contiguous", {"call": "am_store", "cache": "hot"}, "AM", 9000)
    for library, rate in (("SHMEM", 12000), ("MPI", 6000), ("AM", 3000)):
        for pattern in ("COMMS1", "COMMS2", "COMMS3"):
            both("message time", {"pattern": pattern}, library, rate)
    both("message time", {"pattern": "COMMS3", "npes": 8}, "SHMEM", 1)
    return out


@pytest.fixture
def ours(tmp_path):
    return study([load_run(write(tmp_path / "mpt-a.jsonl", [environment(), *limits(), *messages(OURS)]))])


@pytest.fixture
def beside(tmp_path):
    folder = tmp_path / "run"
    folder.mkdir()
    write(folder / "mpt-a.jsonl", [environment(), *limits(), *messages(OURS)])
    write(folder / "openmpi-a.jsonl", [environment(implementation=PEER), *messages(PEER, 2.0)])
    return study([load_run(folder)])


def by_name(found):
    return {chart.name: chart for chart in message_charts.charts(found)}


def test_every_interface_has_its_curves(ours):
    found = by_name(ours)
    assert list(found) == [plot.name for plot in message_charts.MESSAGES + message_charts.PATTERNS]
    for name, wanted in (
        ("mpi-bandwidth", [OURS]),
        ("pvm-bandwidth", [f"{OURS}, Default", f"{OURS}, Raw"]),
        ("am-latency", [f"{OURS}, am_store"]),
        ("comms2", [f"{OURS}, SHMEM", f"{OURS}, MPI", f"{OURS}, AM"]),
    ):
        curves = [trace for trace in found[name].figure.data if "N½" not in trace.name]
        assert [trace.name for trace in curves] == [*wanted, "hardware limit"]
        assert len({(trace.line.color, trace.line.dash) for trace in curves}) == len(curves)
    # Of one library alone each interface has a colour on the whole page.
    mpi, pvm = (found[name].figure.data[0].line.color for name in ("mpi-latency", "pvm-latency"))
    assert [trace.line.color for trace in found["comms2"].figure.data[:3:2]] == [charts.SERIES_COLOURS[0], mpi]
    assert mpi != pvm == found["pvm-bandwidth"].figure.data[-2].line.color


def test_half_of_the_best_rate_is_marked_on_each_curve_of_bandwidth(ours):
    for name, chart in by_name(ours).items():
        curves = [trace for trace in chart.figure.data if "N½" not in trace.name and trace.name != "hardware limit"]
        marks = {trace.name: trace for trace in chart.figure.data if "N½" in trace.name}
        bandwidth = name not in ("mpi-latency", "pvm-latency", "am-latency", "comms1-time")
        assert set(marks) == ({f"{trace.name}: N½" for trace in curves} if bandwidth else set()), name
        for mark in marks.values():
            assert 3000 < mark.x[0] < 5000
        assert ("N½" in chart.note) == bandwidth


def test_clean_pvm_and_hot_buffers_are_meant(ours):
    found = by_name(ours)
    raw = next(trace for trace in found["pvm-bandwidth"].figure.data if trace.name.endswith("Raw"))
    assert raw.y[-1] == pytest.approx(8000 * 262144 / 266240)
    assert found["pvm-bandwidth"].title == "PVM messages: up to 7.88 GB/s at 256 KiB"
    assert found["comms1"].title == "COMMS1, to and fro: up to 11.8 GB/s at 256 KiB, through SHMEM"
    assert found["comms3"].figure.data[0].y[-1] < 1 < found["comms2"].figure.data[0].y[-1]  # of the most PEs
    assert found["am-latency"].title.startswith("Active messages: 64 B take ")


def test_libraries_keep_their_colours_and_interfaces_get_dashes(beside):
    curves = [trace for trace in by_name(beside)["comms1"].figure.data if "N½" not in trace.name][:-1]
    assert len(curves) == 6 and len({trace.line.color for trace in curves}) == 2
    assert len({trace.line.dash for trace in curves}) == 3


def test_barriers_and_maps_of_pairs_of_every_interface(tmp_path):
    def one(library, factor):
        out = [record("barrier", {"npes": npes}, "barrier_time", "us", factor * npes, library) for npes in (2, 4)]
        return out + [
            record("pingpong", {"npes": 4, "message_bytes": 8}, "latency", "us", factor * (a + b), library, pair=(a, b))
            for a in range(4)
            for b in range(a + 1, 4)
        ]

    lines = [
        line for library, factor in (("SHMEM", 1), ("MPI", 2), ("PVM", 3), ("AM", 4)) for line in one(library, factor)
    ]
    found = study([load_run(write(tmp_path / "mpt-a.jsonl", [environment(4), *lines]))])
    names = {trace.name: trace for trace in charts.barrier(found).figure.data}
    assert {OURS, f"{OURS}, MPI", f"{OURS}, PVM", f"{OURS}, AM"} <= names.keys()
    assert list(names[f"{OURS}, AM"].y) == [8, 16]
    maps = charts.heat_maps(found)
    assert [chart.name for chart in maps] == ["pairs0", "pairs0-mpi", "pairs0-pvm", "pairs0-am"]
    assert maps[3].figure.data[0].z[2][3] == pytest.approx(20)
    assert maps[1].title.startswith(f"{OURS}, MPI: ")
