# SPDX-License-Identifier: BSD-3-Clause
"""Processor counters between calls, of made records: hardware counters are on few machines that run tests."""

import json

import pytest

from mpt_report import cli
from mpt_report.predict.replay import processor_seconds
from mpt_report.trace import counters, selection
from mpt_report.trace.analysis import load
from mpt_report.trace.format import NO_RECORD, Kind, Role
from mpt_report.trace.writer import Writer


def counted(out, pe, begin, end, *values, software=False):
    """cycles, instructions, cache misses; or nanoseconds, turns, faults."""
    names = ("bytes", "message", "value")
    out.call(pe, "", begin, end, kind=Kind.COUNTERS, tag=int(software), **dict(zip(names, values, strict=True)))


@pytest.fixture
def hardware(tmp_path):
    """PE 0 computes for 3 s, twice; PE 1 once, and its machine does not count misses."""
    with Writer(tmp_path / "trace", pes=2) as out:
        for at in (0.0, 4.0, 8.0):
            out.call(0, "MPI_Barrier", at, at + 1, role=Role.COLLECTIVE, message=1 + int(at / 4), site="a.c:1")
        counted(out, 0, 1.0, 4.0, 6_000_000_000, 3_000_000_000, 6_000_000)
        counted(out, 0, 5.0, 8.0, 6_000_000_000, 9_000_000_000, 6_000_000)
        out.call(1, "MPI_Barrier", 0.0, 1.0, role=Role.COLLECTIVE, message=1, site="a.c:1")
        out.call(1, "MPI_Bcast", 2.0, 3.0, site="a.c:2")
        counted(out, 1, 1.0, 2.0, 1_000_000_000, 500_000_000, NO_RECORD)
    return tmp_path / "trace"


def test_instructions_per_cycle_and_misses_by_the_calls_around(hardware):
    found = load(hardware)
    rows = counters.between(found, selection.select(found, selection.Wanted()))
    assert [(one["after"], one["before"], one["count"]) for one in rows] == [
        ("MPI_Barrier at a.c:1", "MPI_Barrier at a.c:1", 2),
        ("MPI_Barrier at a.c:1", "MPI_Bcast at a.c:2", 1),
    ]
    assert rows[0]["seconds"] == pytest.approx(6.0) and rows[0]["cycles"] == 12_000_000_000
    assert rows[0]["per_cycle"] == pytest.approx(1.0) and rows[0]["misses_per_1000"] == pytest.approx(1.0)
    assert rows[1]["per_cycle"] == pytest.approx(0.5) and rows[1]["cache_misses"] is None
    pes = counters.by_pe(found, selection.select(found, selection.Wanted()))
    assert [(one["pe"], one["count"]) for one in pes] == [(0, 2), (1, 1)]


def test_a_part_has_its_own(hardware):
    found = load(hardware)
    rows = counters.between(found, selection.select(found, selection.Wanted(pes=frozenset({1}))))
    assert [one["before"] for one in rows] == ["MPI_Bcast at a.c:2"]
    rows = counters.between(found, selection.select(found, selection.Wanted(begin=4.5)))
    assert [(one["count"], one["per_cycle"]) for one in rows] == [(1, pytest.approx(1.5))]


def test_they_are_shown(hardware, capsys):
    assert cli.main(["trace", str(hardware)]) == 0
    told = capsys.readouterr().out
    assert "Processor counters between calls" in told and "per cycle" in told and "2.00" in told
    assert cli.main(["trace", str(hardware), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["counters"][0]["kind"] == "hardware"
    assert cli.main(["trace", str(hardware), "--html", str(hardware / "page.html")]) == 0
    assert "Processor counters" in (hardware / "page.html").read_text()


def test_without_them_there_is_no_table(tmp_path, capsys):
    with Writer(tmp_path / "trace", pes=1) as out:
        out.call(0, "MPI_Barrier", 0.0, 1.0)
    assert cli.main(["trace", str(tmp_path / "trace")]) == 0
    assert "Processor counters" not in capsys.readouterr().out


def test_the_systems_own_sums(tmp_path, capsys):
    """A second of which the PE had its core for half: what mpt predict takes for its computation."""
    with Writer(tmp_path / "trace", pes=1) as out:
        out.call(0, "MPI_Barrier", 0.0, 1.0, site="a.c:1")
        out.call(0, "MPI_Barrier", 2.0, 3.0, site="a.c:1")
        counted(out, 0, 1.0, 2.0, 500_000_000, 20, 7, software=True)
    found = load(tmp_path / "trace")
    (row,) = counters.between(found, selection.select(found, selection.Wanted()))
    assert row == {
        "after": "MPI_Barrier at a.c:1",
        "before": "MPI_Barrier at a.c:1",
        "kind": "software",
        "count": 1,
        "seconds": pytest.approx(1.0),
        "processor_seconds": pytest.approx(0.5),
        "turns": 20,
        "faults": 7,
    }
    assert list(processor_seconds(found.events).values()) == [pytest.approx(0.5)]
    assert cli.main(["trace", str(tmp_path / "trace")]) == 0
    assert "50.0 %" in capsys.readouterr().out
