# SPDX-License-Identifier: BSD-3-Clause
"""The joins against what the programs really write: a trimmed run of theirs, and, when MPT_BUILD names a
build folder, the programs themselves.
"""

import os
import platform
import subprocess
import sys
from pathlib import Path

import pytest

from mpt_report import goals
from mpt_report.goals import shmem
from mpt_report.page import charts, task_charts
from mpt_report.runs.records import load_run
from mpt_report.runs.study import study
from mpt_report.tables import lab, newsletter, paper

PACKAGE = Path(__file__).resolve().parents[1]
BUILD = os.environ.get("MPT_BUILD")


@pytest.fixture(scope="module")
def real():
    return study([load_run(PACKAGE / "tests/data/real-run.jsonl")])


def test_every_line_is_understood(real):
    assert real.warnings == []
    assert [series.name for series in real.series] == ["MPT 0.1.0", "Open MPI 4.1.4"]
    assert real.limits.cores == 2


def test_every_line_of_the_newsletter_has_its_figures(real):
    text = newsletter.to_text(real, 140)
    assert "not measured" not in text
    for test in newsletter.TESTS:
        for block in test.blocks:
            for line in block.lines:
                found = newsletter.values(real, test.name, line, real.limits)
                assert None not in (found.here, found.then, found.limit), (test.name, line.metric)


def test_all_tables_are_there_and_filled(real):
    found = {table.id for table in (*paper.tables(real), *lab.tables(real))}
    assert found >= {f"003/table-{number}" for number in range(1, 5)}
    names = ("word", "put", "get", "strides", "lock", "targets", "idle", "start", "limits", "copies")
    assert found >= {f"lab/{name}" for name in names}
    assert "lab/atomics/MPT 0.1.0" in found


def test_all_limits_were_found(real):
    for name, _, operations, where in lab.LIMIT_ROWS:
        assert real.limits.time(*operations, **where), name
    assert real.limits.handover < real.limits.put_handover
    assert min(real.limits.copies) == 4096 and max(real.limits.copies) == 64 << 20


def test_every_kind_of_goal_was_judged(real):
    found = {goal.id for goal in goals.goals(real)}
    assert found >= {row.id for row in shmem.ROWS}
    assert found >= {
        "shmem/put/heap",
        "shmem/get/heap",
        "shmem/crowded/8",
        "shmem/crowded/32/Open MPI 4.1.4",
        "shmem/idle/barrier",
        "shmem/idle/wait_until",
        "shmem/p/global",
    }


def test_every_plot_was_drawn(real):
    for draw in (charts.latency, charts.bandwidth, charts.half_rate, charts.barrier, charts.strides, charts.launch):
        assert draw(real) is not None, draw.__name__
    assert charts.heat_maps(real) == []  # of two PEs


@pytest.mark.skipif(not BUILD, reason="MPT_BUILD names no build folder")
def test_programs_of_a_build_are_driven_and_understood(tmp_path):
    done = subprocess.run(
        [
            sys.executable,
            "-m",
            "mpt_report",
            "run",
            "--build",
            BUILD,
            "--out",
            str(tmp_path),
            "--quick",
            "--scale",
            "2",
            "--only",
            "limits,ping_pong,single_pairs,multiple_pairs,barrier",
            "--",
            "--max-seconds",
            "2",
        ],
        text=True,
        capture_output=True,
        timeout=300,
        env={**os.environ, "PYTHONPATH": str(PACKAGE)},
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "skipped" not in done.stderr
    found = study([load_run(tmp_path)])
    assert newsletter.to_text(found).count("BEGIN") == 3
    assert found.limits.handover and found.limits.put_handover
    assert found.first.one("barrier", "barrier_time", npes=2)
    assert (tmp_path / "report.html").stat().st_size > 1_000_000


@pytest.mark.skipif(not BUILD, reason="MPT_BUILD names no build folder")
@pytest.mark.skipif(platform.machine() != "x86_64", reason="PEs can be tasks on x86-64 only")
def test_programs_of_a_build_run_as_tasks_and_say_so(tmp_path):
    words = ["bench", "--build", BUILD, "--out", str(tmp_path), "--tasks", "--scale", "2,8"]
    done = subprocess.run(
        [sys.executable, "-m", "mpt_report", *words, "--only", "scaling", "mpi_scaling", "handover", "pvm_spawn"],
        text=True,
        capture_output=True,
        timeout=300,
        env={**os.environ, "PYTHONPATH": str(PACKAGE)},
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "not as tasks: pvm_spawn (starts its PEs itself, by PVM's virtual machine)" in done.stderr
    found = study([load_run(tmp_path)])
    own = found.own_tasks
    assert own and own.one("scaling", "time", npes=8, call="shmem_barrier_all").get("processes") < 8
    assert own.one("mpi_scaling", "rate", npes=8) and found.first.one("mpi_scaling", "rate", npes=8)
    assert own.one("handover", "switch_time").get("processes") == 1
    assert not any(record.tasks for record in found.first.records)
    assert task_charts.charts(found)
