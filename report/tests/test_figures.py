# SPDX-License-Identifier: BSD-3-Clause
"""Tables of whatever was measured: what varies names the rows, each maker has a column."""

from conftest import OURS, PEER, environment, record, write
from mpt_report.runs.records import load_run
from mpt_report.runs.study import study
from mpt_report.tables import figures


def of(tmp_path, *lines, start=None):
    return study([load_run(write(tmp_path / "a.jsonl", [start or environment(), *lines]))])


def test_rows_and_columns(tmp_path):
    found = of(
        tmp_path,
        *(
            record("COMMS1", {"npes": 2, "message_bytes": size, "kept": 1}, "latency", "us", size / 8, "MPI", name)
            for size in (8, 1 << 20)
            for name in (PEER, OURS)
        ),
    )
    (table,) = figures.tables(found)
    assert (table.title, table.header) == ("COMMS1", ["message", "figure", "unit", OURS, PEER])
    assert table.rows == [["8 B", "latency", "µs", "1.000", "1.000"], ["1 MiB", "latency", "µs", "131,072", "131,072"]]


def test_interfaces_and_states_are_told_apart(tmp_path):
    start = environment(contended=True)
    found = of(
        tmp_path,
        record("SYNCH1", {"npes": 2}, "barrier_time", "us", 1, "MPI"),
        record("SYNCH1", {"npes": 2}, "barrier_time", "us", 2, "PVM"),
        start=start,
    )
    (table,) = figures.tables(found)
    assert table.header == ["library", "figure", "unit", OURS, "state"]
    assert [row[0] for row in table.rows] == ["MPI", "PVM"] and {row[-1] for row in table.rows} == {"contended"}


def test_runs_have_columns_of_their_own(tmp_path):
    runs = []
    for name, value in (("a", 1), ("b", 2)):
        line = record("SYNCH1", {"npes": 2}, "barrier_time", "us", value)
        runs.append(load_run(write(tmp_path / f"{name}.jsonl", [environment(), line])))
    (table,) = figures.tables(study(runs))
    assert table.header[-2:] == [f"{OURS} (a)", f"{OURS} (b)"] and table.rows[0][-2:] == ["1.000", "2.000"]


def test_long_tables_are_cut_and_say_so(tmp_path, monkeypatch):
    monkeypatch.setattr(figures, "MOST_ROWS", 3)
    found = of(tmp_path, *(record("LFK", {"kernel": k}, "rate", "Mflop/s", 1.0, "compiler", "gcc") for k in range(5)))
    (table,) = figures.tables(found)
    assert len(table.rows) == 3 and table.note == "The first 3 of 5 figures."


def test_what_has_tables_of_its_own_is_left_out(one):
    assert not {table.id for table in figures.tables(one)} & {f"figures/{test}" for test in figures.ELSEWHERE}
