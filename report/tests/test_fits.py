# SPDX-License-Identifier: BSD-3-Clause
"""What the machine has no memory or no time for is left out, said, and not missed afterwards."""

import io
import json

import pytest
from rich.console import Console

from conftest import environment, record
from mpt_report.drive import fits, measure, plan, programs
from mpt_report.runs.records import load_run
from test_drive import LAUNCHER, executable, program

LARGE = """
[[program]]
name = "large"
file = "part/large"
pes = [2]
seconds = { quick = 0, full = 10 }
library = "SHMEM"
tests = ["NPB FT"]
memory = 7.5
heap = "4G"
after = "small"
longer = 5.7
"""


def of(seconds):
    return [environment(), record("NPB FT", {"npes": 2, "cls": "B"}, "time", "s", seconds)]


def meminfo(path, gb):
    path.write_text(f"MemTotal:       99999999 kB\nMemAvailable:   {int(gb * 1e9 / 1024)} kB\n", encoding="ascii")
    return path


def step(tmp_path, **more):
    path = program(tmp_path / "large")
    out = tmp_path / "out/mpt-large-002.jsonl"
    return plan.Step("large, 2 PEs", (str(path), "--out", str(out)), out, 10.0, {}, **more)


def test_row_says_what_a_large_problem_needs():
    (one,) = programs.parse(LARGE, "part")
    assert (one.memory, one.heap, one.after, one.longer) == (7.5, "4G", "small", 5.7)


@pytest.mark.parametrize(
    "old, new, words",
    [
        ("memory = 7.5", 'memory = "7"', "memory is '7', not a number"),
        ("longer = 5.7", "", "after and longer belong together"),
    ],
)
def test_wrong_needs_are_told(old, new, words):
    with pytest.raises(programs.TableError, match=words):
        programs.parse(LARGE.replace(old, new), "part")


def test_class_c_of_the_quick_kernels_is_part_of_full_runs_and_the_rest_is_asked_for():
    full, quick = (plan.Order(None, mode) for mode in ("full", "quick"))
    for kernel in ("ep", "is", "cg", "mg", "ft", "lu", "sp", "bt"):
        one = programs.named(f"npb-{kernel}-c")
        assert full.wants(one) == (kernel not in ("lu", "sp", "bt")) and not quick.wants(one)
        assert programs.named(one.after).file == one.file and one.longer > 1
        asked = plan.Order(None, "quick", only=(one.name,))
        assert asked.wants(one) and asked.seconds(one) > 10
        assert not plan.Order(None, "quick", only=("npb",)).wants(one)


def test_step_gets_the_heap_and_waits_for_nothing_when_asked_by_name(tmp_path):
    executable(tmp_path / "build/bin/oshrun", LAUNCHER)
    program(tmp_path / "build/bench/npb/mg")
    ours = plan.Library("mpt", tmp_path / "build/bench", (str(tmp_path / "build/bin/oshrun"),))
    for only, after in (("npb",), tmp_path / "mpt-npb-mg-b-002.jsonl"), (("npb-mg-c",), None):
        (one,) = [
            found for found in plan.make([ours], plan.Order(tmp_path, only=only))[0] if found.program == "npb-mg-c"
        ]
        assert one.environment["SHMEM_SYMMETRIC_SIZE"] == "4G" and one.memory > 3 and one.after == after


def test_memory_and_time_hinder(tmp_path, monkeypatch):
    smaller = tmp_path / "mpt-small-002.jsonl"
    one = step(tmp_path, memory=7.5, after=smaller, longer=5.7)
    monkeypatch.setattr(fits, "MEMINFO", meminfo(tmp_path / "meminfo", 8.0))
    assert fits.hindrance(one) == ""  # nothing is known of the smaller problem
    smaller.write_text("".join(json.dumps(line) + "\n" for line in of(3.0)))
    assert fits.hindrance(one) == ""  # 17 s of 20 s
    smaller.write_text("".join(json.dumps(line) + "\n" for line in of(4.0)))
    assert fits.hindrance(one) == "would take about 23 s, 5.7 times as long as mpt-small-002, and has 20 s"
    monkeypatch.setattr(fits, "MEMINFO", meminfo(tmp_path / "meminfo", 7.0))
    assert fits.hindrance(one) == "needs 7.5 GB of memory, 7.0 GB are free"
    monkeypatch.setattr(fits, "MEMINFO", tmp_path / "none")
    assert fits.hindrance(step(tmp_path, memory=7.5)) == ""


def test_what_does_not_fit_is_said_and_not_planned(tmp_path, monkeypatch):
    monkeypatch.setattr(fits, "MEMINFO", meminfo(tmp_path / "meminfo", 1.0))
    heard, out = io.StringIO(), tmp_path / "out"
    result = measure([step(tmp_path, memory=7.5)], out, Console(file=heard))
    assert result.left_out == ["large, 2 PEs: needs 7.5 GB of memory, 1.0 GB are free"]
    assert not result.problems and not result.files and "left out: needs 7.5 GB" in heard.getvalue()
    account = json.loads((out / "run.json").read_text(encoding="utf-8"))
    assert account["planned"] == [] and account["steps"] == {}
    monkeypatch.setattr(fits, "MEMINFO", meminfo(tmp_path / "meminfo", 9.0))
    result = measure([step(tmp_path, memory=7.5)], out, Console(file=heard), resume=True)
    assert not result.left_out and load_run(out / "mpt-large-002.jsonl").records
