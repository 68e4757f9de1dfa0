# SPDX-License-Identifier: BSD-3-Clause
"""Applications, the NAS benchmarks against what bounds them, LINPACK, partitioning and file systems."""

import pytest

from conftest import OURS, environment, limits, record, write
from mpt_report.limits import npb
from mpt_report.page import app_charts
from mpt_report.runs.records import load_run
from mpt_report.runs.study import study
from mpt_report.tables import apps, linpack, machines, partition, seeds
from mpt_report.tables import npb as npb_table


def of(tmp_path, *lines):
    write(tmp_path / "mpt-limits.jsonl", [environment(1, implementation="limits", library="hardware"), *limits()])
    write(tmp_path / "mpt-a.jsonl", [environment(), *lines])
    return study([load_run(tmp_path)])


def app(library, time, local, npes=2, test="sample sort", variant="bulk transfers"):
    params = {"npes": npes, "variant": variant, "keys_per_pe": 65536}
    return [
        record(test, params, "time", "s", time, library),
        record(test, params, "local_time", "s", local, library),
        record(test, params, "communication_time", "s", time - local, library),
        record(test, params, "local_share", "%", 100 * local / time, library),
    ]


def test_languages_stand_beside_each_other(tmp_path):
    found = of(
        tmp_path,
        *app("Split-C", 0.010, 0.004),
        *app("SHMEM", 0.008, 0.004),
        *app("MPI", 0.016, 0.004),
        *app("Split-C", 0.020, 0.002, variant="small messages, signalling"),
    )
    table = apps.table(found)
    cells = dict(zip(table.columns, table.row("sample sort/bulk transfers/2"), strict=True))
    assert [cells[f"time/{name}"] for name in ("Split-C", "SHMEM", "MPI")] == ["10.00", "8.000", "16.00"]
    assert (cells["ratio"], cells["local/Split-C"], cells["local/MPI"]) == ("1.25 x", "40 %", "25 %")
    assert cells["application"] == "sample sort, bulk transfers" and cells["size"] == "keys per pe 65,536"
    chart = app_charts.shares(found)
    local, other = chart.figure.data
    assert list(local.y) == ["sample bulk, Split-C", "sample bulk, SHMEM", "sample bulk, MPI"]  # no signalling
    assert [a + b for a, b in zip(local.x, other.x, strict=True)] == pytest.approx([1.25, 1, 2])
    assert local.x[2] == pytest.approx(0.5)


def speeds():
    return [
        record("STREAM", {"function": "Triad", "size": "rule"}, "bandwidth", "MB/s", 10000, "none", "machine"),
        record("STREAM", {"function": "Triad", "size": "seed"}, "bandwidth", "MB/s", 30000, "none", "machine"),
        record("BLAS asymptotic", {"routine": "SGEMM", "n": 2000}, "rate", "Gflop/s", 20, "libraries", "OpenBLAS"),
    ]


def kernel(name, cls, npes, seconds, operations):
    where = {"npes": npes, "cls": cls}
    return [
        record(f"NPB {name}", where, "time", "s", seconds),
        record(f"NPB {name}", where, "npb3_rate_per_pe", "Mop/s", operations / seconds / npes / 1e6),
    ]


def test_nas_kernels_against_the_longer_of_two_times(tmp_path):
    found = of(tmp_path, *speeds(), *kernel("MG", "A", 2, 1.0, 4 * 58 * 256**3), *kernel("EP", "A", 4, 2.0, 2.0**29))
    known = npb.speeds(found)
    memory = npb.bound("NPB MG", "A", 4 * 58 * 256**3, 2, known)
    assert memory.by == "memory" and memory.seconds == pytest.approx(4 * 256**3 * 96 * 8 / 7 / 20e9)
    arithmetic = npb.bound("NPB EP", "A", 2.0**29, 4, known)  # four PEs share two cores
    assert arithmetic.by == "arithmetic" and arithmetic.seconds == pytest.approx(26.68e9 / 40e9)
    table = npb_table.table(found)
    assert [table.cell("NPB MG/A/2", column) for column in ("kernel", "by", "share")] == ["MG", "memory", "37%"]
    assert npb.ratios(found, "NPB EP") == [pytest.approx(2.0 / (26.68e9 / 40e9))]


def test_nas_without_their_limits_say_so(tmp_path):
    table = npb_table.table(of(tmp_path, *kernel("CG", "S", 2, 1.0, 1e9)))
    assert table.cell("NPB CG/S/2", "by") == "-"
    assert "Not measured in this run: STREAM and libs" in table.note


def test_sizes_of_the_nas_benchmarks_agree_with_their_operations(tmp_path):
    """Formulas of NPB 3 against the counts of NPB 1, which differ little for these."""
    steps, points = npb.MG["A"]
    assert steps * points * 58 == pytest.approx(3.905e9, rel=0.01)
    steps, nonzeros = npb.CG["A"]
    assert steps * 26 * nonzeros * 2 == pytest.approx(1.508e9, rel=0.07)
    steps, cells = npb.BT["A"]
    n = round(cells ** (1 / 3))
    assert steps * (3478.8 * n**3 - 17655.7 * n**2 + 28023.7 * n) == pytest.approx(181.3e9, rel=0.1)


def test_linpack_stands_beside_hpl(tmp_path):
    where = {"npes": 2, "n": 2000}
    found = of(
        tmp_path,
        record("LINPACK (HPC)", where | {"nb": 64}, "rate", "Gflop/s", 40),
        record("LINPACK (HPC)", where | {"nb": 128}, "rate", "Gflop/s", 50),
        record("LINPACK (HPC)", {"npes": 2}, "rpeak", "Gflop/s", 100),
        record("LINPACK (HPC)", where | {"by": "HPL"}, "rate", "Gflop/s", 40, "none", "HPL"),
    )
    assert linpack.table(found).rows == [["2", "2,000", "50.00", "40.00", "1.25 x", "50%"]]
    assert [series.name for series in found.series] == [OURS]  # HPL is no library of messages


def test_divisions_of_the_cube_go_across(tmp_path):
    def step(decomposition, ms):
        params = {"npes": 8, "n": 256, "method": "strided put", "decomposition": decomposition, "dims": "2x2x2"}
        return record("regular partitioning", params, "step_time", "ms", ms)

    table = partition.table(
        of(tmp_path, *(step(*one) for one in (("x", 10), ("y", 12), ("z", 20), ("2-D", 8), ("3-D", 9))))
    )
    assert table.rows == [
        [
            OURS,
            "8",
            "256³",
            "SHMEM",
            "strided put",
            "step",
            "10.00",
            "12.00",
            "20.00",
            "8.000",
            "9.000",
            "2.00 x",
            "1.25 x",
        ]
    ]


def test_file_systems_are_named(tmp_path):
    where = {
        "assign": "No assign (1 partition)",
        "partitions": 1,
        "direction": "write",
        "mode": "direct",
        "engine": "io_uring",
        "filesystem": "xfs",
    }
    place = {"directory": "/scratch", "filesystem": "xfs", "device": "/dev/sdb1"}
    found = of(
        tmp_path,
        record("striped file I/O", where, "bandwidth", "MB/s", 500, "system", "Linux"),
        record("file system", place, "total", "MB", 1000, "system", "Linux"),
    )
    table = next(one for one in seeds.tables(found, only_measured=True) if one.id == "002/table-19")
    assert table.rows[0][table.columns.index("by")] == "xfs, direct, io_uring"
    assert machines.file_systems(found).rows[-1][:3] == ["this machine", "/scratch on /dev/sdb1", "xfs"]
    assert any(row[0] == "T3E-1200E" and row[1] == "tmp1" for row in machines.file_systems(found).rows)


def test_machines_of_the_papers_are_listed(one):
    names = {row[0] for row in machines.table(one).rows}
    assert {"this machine", "T3E-1200E", "T3E-900", "Origin 2000", "J90"} <= names
