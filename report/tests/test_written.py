# SPDX-License-Identifier: BSD-3-Clause
"""Messages that are written and read: apart from all others in every question and table, with goals of their own."""

from pathlib import Path

import pytest

from conftest import OURS, PEER, environment, limits, record, write
from mpt_report import goals, text
from mpt_report.drive import programs
from mpt_report.limits import bounds
from mpt_report.page import charts, message_charts
from mpt_report.runs import join
from mpt_report.runs.records import load_run
from mpt_report.runs.study import study
from mpt_report.tables import compare, figures, summary, written

K, M = 1 << 10, 1 << 20
FRESH = {"cache": "written", "time_of": "write, transfer and read"}
SECOND = "MPICH 5.0"


def bare(rates, processes=2):
    """The limits program's: each way, and the best of them."""
    return [
        record(
            "limits",
            {"operation": "written copy", "processes": processes, "method": method, "message_bytes": size} | FRESH,
            "bandwidth",
            "MB/s",
            rate * share,
            "hardware",
            "hardware",
        )
        for size, rate in rates.items()
        for method, share in (("memcpy", 0.5), ("best", 1.0))
    ]


def mpi(rates, name=OURS, hot=None):
    where = {"npes": 2, "call": "MPI_Send"}
    out = [
        record("mpi_bandwidth", where | FRESH | {"message_bytes": size}, "bandwidth", "MB/s", rate, "MPI", name)
        for size, rate in rates.items()
    ]
    return out + [
        record("mpi_bandwidth", where | {"message_bytes": size, "window": 8}, "bandwidth", "MB/s", rate, "MPI", name)
        for size, rate in (hot or {}).items()
    ]


def study_of(tmp_path, *lines, peers=(), bare_machine=()):
    write(
        tmp_path / "mpt-limits.jsonl",
        [environment(1, implementation="limits", library="hardware"), *limits(), *bare_machine],
    )
    write(tmp_path / "mpt-a.jsonl", [environment(), *lines])
    for index, theirs in enumerate(peers):
        write(tmp_path / f"openmpi-{index}.jsonl", [environment(), *theirs])
    return study([load_run(tmp_path)])


def goals_of(*args, **more):
    return {goal.id: goal for goal in goals.goals(study_of(*args, **more))}


def test_only_who_asks_gets_them(tmp_path):
    """Not even a size that nothing else was measured at is answered by a figure that has more in its time."""
    one = study_of(tmp_path, *mpi({4 * M: 3000, 16 * M: 2000}, hot={4 * M: 9000}))
    assert {size: each.value for size, each in one.first.by("message_bytes", "mpi_bandwidth", "bandwidth").items()} == {
        4 * M: 9000
    }
    assert one.first.one("mpi_bandwidth", "bandwidth", message_bytes=16 * M) is None
    asked = one.first.by("message_bytes", "mpi_bandwidth", "bandwidth", cache="written")
    assert {size: each.value for size, each in asked.items()} == {4 * M: 3000, 16 * M: 2000}
    fact = {"test": "mpi_bandwidth", "metric": "bandwidth", "unit": "MB/s", "library": "MPI", "params": {}}
    assert join.ours(one).one(fact, []).value == 9000


def test_means_against_limits_and_peers_are_without_them(tmp_path):
    one = study_of(tmp_path, *mpi({M: 100}, hot={M: 10000}), peers=[mpi({M: 900}, PEER, hot={M: 5000})])
    (row,) = [row for row in summary.table(one).rows if row.id == "mpi_bandwidth"]
    assert row[3] == "2.00 x" and row[4] == "2.00 x"  # a copy moves 20,000, the other library 5,000
    found = [each for each in one.first.records if each.test == "mpi_bandwidth"]
    assert bounds.ratios(bounds.machine_of(one), found) == [pytest.approx(2.0)]


def test_limit_is_of_two_processes_where_there_are(tmp_path):
    two = study_of(tmp_path, *mpi({M: 1}), bare_machine=[*bare({M: 9000}, 1), *bare({M: 7000}, 2)])
    assert two.limits.written == {M: 7000} and two.limits.copies[M] == 20000
    (tmp_path / "b").mkdir()
    assert study_of(tmp_path / "b", *mpi({M: 1}), bare_machine=bare({M: 9000}, 1)).limits.written == {M: 9000}


def test_mpi_beside_the_better_peer(tmp_path):
    found = goals_of(
        tmp_path,
        *mpi({4 * K: 100, 64 * K: 990, M: 1010, 4 * M: 1040, 16 * M: 1060}),
        peers=[
            mpi(dict.fromkeys((4 * K, 64 * K, M, 4 * M, 16 * M), 1000), PEER),
            mpi({4 * K: 50, 4 * M: 900, 16 * M: 900}, SECOND),
        ],
    )
    long = found[f"mpi/written/{4 * M}/peer"]
    assert (long.bar, long.met, long.part, long.basis) == (pytest.approx(1050), False, "MPI", "1.05 x the better peer")
    assert found[f"mpi/written/{16 * M}/peer"].met
    short = found["mpi/written/peer"]
    assert (short.what, short.bar, short.met) == (
        f"message bandwidth, 4 KiB, written and read, against {PEER}",
        1000,
        False,
    )
    assert short.basis == "the better peer; met by 1 of 3"


def test_hot_goals_are_not_met_by_written_figures(tmp_path):
    found = goals_of(tmp_path, *mpi({M: 99999}, hot={M: 100}), peers=[mpi({M: 1}, PEER, hot={M: 200})])
    assert not found["mpi/bandwidth/peer"].met
    assert found["mpi/written/peer"].met


def test_all_interfaces_against_the_bare_program(tmp_path):
    def rate(test, library, value, size=M, **where):
        return record(test, {"npes": 2, "message_bytes": size, **where} | FRESH, "bandwidth", "MB/s", value, library)

    found = goals_of(
        tmp_path,
        *mpi({M: 800}),
        rate("put_get", "SHMEM", 960, op="put"),
        rate("put_get", "SHMEM", 940, op="get"),
        rate("put_get", "SHMEM", 400, 16 * M, op="get"),
        rate("put_get", "SHMEM", 1, 4 * K, op="put"),
        rate("pvm_pingpong", "PVM", 810, method="clean", encoding="Raw"),
        rate("am", "AM", 900, call="am_store"),
        bare_machine=bare({4 * K: 1000, M: 1000, 16 * M: 800}),
    )
    assert found["shmem/put/written"].met  # 4 KiB are hand-overs, and not judged
    get = found["shmem/get/written"]
    assert get.what == "get bandwidth, 16 MiB, written and read"
    assert (get.bar, get.met, get.basis) == (pytest.approx(760), False, "0.95 x a bare program's; met by 0 of 2")
    assert not found["mpi/bandwidth/written"].met
    assert found["pvm/bandwidth/Raw/written"].met
    assert not found["am/am_store/written"].met
    assert get.part == "OpenSHMEM" and found["am/am_store/written"].part == "Active Messages and Split-C"


def collective(us, name=OURS, size=M, **more):
    return record(
        "mpi_collective", {"npes": 2, "call": "MPI_Bcast", "message_bytes": size, **more}, "time", "us", us, "MPI", name
    )


def test_collectives(tmp_path):
    one = study_of(
        tmp_path,
        collective(90, **FRESH),
        collective(10),
        collective(210, size=64 * K, **FRESH),
        peers=[[collective(100, PEER, **FRESH), collective(20, PEER), collective(200, PEER, size=64 * K, **FRESH)]],
    )
    found = {goal.id: goal for goal in goals.goals(one)}
    goal = found["mpi/written-collective/2/peer"]
    assert goal.what == f"MPI_Bcast, 64 KiB, 2 ranks, written and read, against {PEER}"
    assert (goal.bar, goal.met, goal.basis) == (200, False, "the better peer; met by 1 of 2")
    assert found["mpi/collective/2/peer"].value == 10
    (table,) = [made for made in written.tables(one) if made.id == "written-collectives"]
    assert [row[:5] for row in table.rows] == [
        ["2", "MPI_Bcast", "64 KiB", "210.0", "200.0"],
        ["2", "MPI_Bcast", "1 MiB", "90.00", "100.0"],
    ]


def sort(burners, seconds, name=OURS):
    return record("integer sort", {"npes": 2, "keys": 1 << 23, "burners": burners}, "time", "s", seconds, "MPI", name)


def test_sort_beside_burners_is_judged_where_it_is_worst(tmp_path):
    ours = [sort(0, 9.0), sort(1, 1.05), sort(2, 1.3), sort(4, 2.0)]
    one = study_of(
        tmp_path,
        *ours,
        peers=[
            [sort(0, 1.0, PEER), sort(1, 1.0, PEER), sort(2, 1.2, PEER), sort(4, 1.5, PEER)],
            [sort(4, 1.9, SECOND)],
        ],
    )
    (goal,) = [goal for goal in goals.goals(one) if goal.id == "mpi/sort/2/peer"]
    assert goal.what == f"integer sort, 2 ranks beside 4 burners, against {PEER}" and goal.part == "MPI"
    assert (goal.bar, goal.met, goal.basis) == (pytest.approx(1.65), False, "1.1 x the better peer; met by 2 of 3")
    (table,) = [made for made in written.tables(one) if made.id == "sort"]
    assert table.header[3:] == [OURS, SECOND, PEER]
    assert [row[2:] for row in table.rows][1::2] == [["1", "1050", "-", "1000"], ["4", "2000", "1900", "1500"]]


def test_tables_and_text_show_them_apart(tmp_path):
    one = study_of(
        tmp_path,
        *mpi({64 * K: 5000, 4 * M: 3000, 2 * M: 1}, hot={4 * M: 9000}),
        peers=[mpi({64 * K: 4000, 4 * M: 4500}, PEER)],
        bare_machine=bare({64 * K: 8000, 4 * M: 6000}),
    )
    (table,) = written.tables(one)
    assert table.header[2:4] == ["64 KiB", "4 MiB"]
    assert [row[1:] for row in table.rows] == [
        ["two processes, one copy between them", "8000", "6000", "-"],
        [OURS, "5000", "3000", "50%"],
        [PEER, "4000", "4500", "50%"],
    ]
    assert table.rows[1][0] == "MPI, mpi_bandwidth: MPI_Send"
    assert "Messages that are written and read" in text.report(one, 140)
    assert "time_of" not in figures.telling(one.first.records)
    assert compare.describe(mpi_record(one)) == "npes=2, MPI_Send, written, 64 KiB"


def mpi_record(one):
    return one.first.one("mpi_bandwidth", "bandwidth", cache="written", message_bytes=64 * K)


def test_plots_are_their_own_with_the_limit_of_the_mode(tmp_path):
    one = study_of(
        tmp_path,
        *mpi({64 * K: 5000, 4 * M: 3000}, hot={64 * K: 8000, 4 * M: 9000}),
        bare_machine=bare({64 * K: 8000, 4 * M: 6000}),
    )
    (chart,) = message_charts.charts(one, message_charts.WRITTEN_ONES)
    curves = {trace.name: list(trace.y) for trace in chart.figure.data}
    assert curves[OURS] == [5000, 3000] and curves["hardware limit"] == [8000, 6000]
    assert "62% of a bare program's" in chart.title
    hot = message_charts.charts(one, message_charts.MESSAGES)
    assert all(3000 not in list(trace.y) for plot in hot for trace in plot.figure.data)
    assert charts.bandwidth(one) is None


def test_comparison_meets_its_like(tmp_path):
    old = load_run(write(tmp_path / "old.jsonl", [environment(), *mpi({M: 1000}, hot={M: 9000})]))
    new = load_run(write(tmp_path / "new.jsonl", [environment(), *mpi({M: 2000}, hot={M: 9000})]))
    assert sorted(pair.ratio for pair in compare.pairs(old, new)) == [1.0, 2.0]


def test_programs_have_rows():
    sorting = programs.named("mpi_sort")
    assert sorting.library == "MPI" and set(sorting.peers) == {"openmpi", "mpich"} and sorting.seconds["quick"] > 0
    assert bounds.without("integer sort") == bounds.NO_LIMIT and "integer sort" in bounds.NONE


def test_sources_of_the_mode_know_no_library():
    """Other libraries build the same ones."""
    bench = Path(__file__).resolve().parents[2] / "bench"
    for name in ("mpi/mpi_pt2pt.c", "mpi/mpi_sort.c", "mpi/mpi_collectives.c", "common/fresh.c", "common/written.c"):
        source = (bench / name).read_text(encoding="utf-8")
        assert "MPT" not in source and "mpt_" not in source, name
