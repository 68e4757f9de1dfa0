# SPDX-License-Identifier: BSD-3-Clause
"""The table of where a run was measured."""

from conftest import environment, record, write
from mpt_report.runs.records import load_run
from mpt_report.runs.study import study
from mpt_report.tables import where


def rows(tmp_path, *programs):
    """The table of a run of these programs: what their environments say at the start and at the end."""
    for i, (start, end) in enumerate(programs):
        one = environment()
        one["env"].update(start)
        write(
            tmp_path / f"{i}.jsonl",
            [one, record("barrier", {"i": i}, "barrier_time", "us", 1.0), {"test": "environment_end", "env": end}],
        )
    return {row.id: row[1] for row in where.table(study([load_run(tmp_path)])).rows}


def test_what_programs_say_differently_stands_together(tmp_path):
    found = rows(
        tmp_path,
        (
            {
                "governor": "none",
                "commit": "abc",
                "transport": "shared memory",
                "pe_may_use": ["0", "1"],
                "variables": {},
            },
            {"lost_percent": 0.25, "contended": False},
        ),
        (
            {
                "governor": "none",
                "commit": "abc",
                "transport": "none",
                "pe_may_use": ["0-1"],
                "variables": {"OPENBLAS_NUM_THREADS": "1"},
            },
            {"lost_percent": 0.75, "contended": False},
        ),
        (
            {
                "transport": "tcp, 1 host",
                "pe_may_use": ["0-1"] * 4,
                "variables": {"MPT_BIND": "0"},
                "oversubscribed": True,
            },
            {"lost_percent": 70.0, "contended": False},
        ),
        ({}, {"lost_percent": 11.0, "contended": True}),
    )
    assert found["governor"] == "none"
    assert found["commit"] == "abc"
    assert found["transports"] == "shared memory, tcp, 1 host"
    assert found["bindings"] == "2 PEs: 0 | 1; 4 PEs: each 0-1"
    assert found["variables"] == "MPT_BIND=0, OPENBLAS_NUM_THREADS=1"
    assert found["lost"] == "median 0.75, worst 11"
    assert found["contended"] == "1 of 4"


def test_many_pes_are_counted_and_tasks_are_told(tmp_path):
    found = rows(
        tmp_path,
        ({"npes": 64, "processes": 2, "pe_may_use": ["0"] * 32 + ["1"] * 32}, {}),
        ({"npes": 2, "processes": 2, "pe_may_use": ["0", "1"]}, {}),
    )
    assert found["bindings"] == "2 PEs: 0 | 1; 64 PEs: 0 (32 of them) | 1 (32 of them)"
    assert found["tasks"] == "64 of 2"


def test_what_nobody_says(tmp_path):
    found = rows(tmp_path, ({}, {}))
    for name in ("variables", "transports", "bindings", "commit"):
        assert found[name] == "-"
    (tmp_path / "more").mkdir()
    assert rows(tmp_path / "more", ({"variables": {}}, {}))["variables"] == "none"
