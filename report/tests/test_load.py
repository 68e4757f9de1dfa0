# SPDX-License-Identifier: BSD-3-Clause
"""The verdict on a program's run: who else used the machine while it ran."""

import json

import pytest

from conftest import environment, record, write
from mpt_report.drive import load
from mpt_report.runs.records import load_run

STAT = """cpu  999 999 999 999 0 0 0 0 0 0
cpu0 100 20 30 5000 7 1 2 40 0 0
cpu1 200 0 0 5000 0 0 0 0 0 0
cpu2 900 0 0 5000 0 0 0 0 0 0
intr 1
"""


def at(when, busy, own=0.0):
    return load.Look(when, busy, own, 0.5)


def test_busy_time_counts_our_cores_and_what_was_stolen():
    assert load.busy_seconds(STAT, {0, 1}, 100.0) == pytest.approx(1.93 + 2.0)
    assert load.busy_seconds("nothing", {0}, 100.0) is None


def test_share_of_others():
    assert load.others_percent(at(0, 10.0, 1.0), at(10, 25.0, 11.0), 2) == pytest.approx(25.0)
    assert load.others_percent(at(0, 10.0), at(10, 9.0), 2) == 0.0
    assert load.others_percent(at(0, 10.0), at(0.1, 11.0), 2) is None  # too short to tell
    assert load.others_percent(at(0, None), at(10, 11.0), 2) is None


LOST = {"contended": True, "lost_percent": 7.0, "detour_percent": 60.0}
KEPT = {"contended": False, "lost_percent": 0.4, "detour_percent": 3.0, "involuntary_switches": 90000}


@pytest.mark.parametrize(
    "start, end, others, lost, word, reason",
    [
        ({}, {}, 1.0, 0.0, "clean", ""),
        ({}, {}, 40.0, 0.0, "contended", "others used 40 % of the cores"),
        ({}, LOST, 0.0, 0.0, "contended", "a PE lost 7.0 % of its time"),
        ({}, {**LOST, "lost_percent": None}, 0.0, 0.0, "contended", "busy loops of a PE lost 60.0 %"),
        ({"contended": True, "detour_percent": 12.0}, KEPT, 1.0, 30.0, "clean", ""),  # moments against all of the run
        ({}, {}, 0.0, 30.0, "contended", "a busy loop before it lost 30 %"),  # nobody else has looked
        ({"contended": True, "detour_percent": 12.0}, {}, 0.0, 0.0, "contended", "its PEs lost 12.0 %"),
        ({"oversubscribed": True}, KEPT, 2.0, 0.0, "oversubscribed", ""),
        (
            {"oversubscribed": True, "contended": True},
            LOST,
            2.0,
            30.0,
            "oversubscribed",
            "",
        ),  # they wait for each other
        ({"oversubscribed": True}, {}, 40.0, 0.0, "contended", "others used"),
        ({"burner": True}, {}, 0.0, 0.0, "burner", ""),  # the load was asked for
        ({"burner": True, "contended": True}, {}, 40.0, 30.0, "burner", "others used 40 % of the cores"),
        ({"burner": True, "oversubscribed": True}, {}, 0.0, 0.0, "burner", ""),
    ],
)
def test_verdict(start, end, others, lost, word, reason):
    state = load.judge(start, end, at(0, 0.0), at(10, others * 2 * 10 / 100), lost, 2)
    assert state.word == word
    assert bool(state.reasons) == (word == "contended" or bool(reason))
    assert any(reason in text for text in state.reasons) or not reason
    assert state.figures["lost_percent"] == end.get("lost_percent")


@pytest.mark.parametrize(
    "start, end, verdict, state",
    [
        (True, False, None, "clean"),
        (False, True, None, "contended"),
        (True, None, None, "contended"),
        (True, True, "clean", "clean"),
        (False, False, "contended", "contended"),
    ],
)
def test_the_end_knows_better_than_the_start_and_the_driver_best(tmp_path, start, end, verdict, state):
    lines = [environment(contended=start), record("barrier", {"npes": 2}, "barrier_time", "us", 1.0)]
    if end is not None:
        lines.append({"test": "environment_end", "env": {"contended": end}})
    if verdict:
        lines.append({"test": "state", "state": verdict})
    assert [one.state for one in load_run(write(tmp_path / "a.jsonl", lines)).records] == [state]


def test_verdict_stands_behind_the_records_and_marks_them(tmp_path):
    lines = [environment(), record("barrier", {"npes": 2}, "barrier_time", "us", 1.0)]
    path = write(tmp_path / "mpt-barrier.jsonl", lines)
    path.write_text(path.read_text()[:-20])  # as a killed program leaves it
    with path.open("a") as stream:
        stream.write("")
    watch = load.Watch()
    watch.lost = 100.0
    assert watch.end(path).word == "contended"
    assert json.loads(path.read_text().splitlines()[-1])["state"] == "contended"

    write(tmp_path / "mpt-whole.jsonl", [*lines, {"test": "state", "state": "contended", "env": {}}])
    run = load_run(tmp_path / "mpt-whole.jsonl")
    assert [one.state for one in run.records] == ["contended"] and run.contended == 1


def test_state_belongs_to_the_environment_before_it(tmp_path):
    one = record("barrier", {"npes": 2}, "barrier_time", "us", 1.0)
    path = write(
        tmp_path / "a.jsonl",
        [
            environment(),
            one,
            {"test": "state", "state": "clean"},
            environment(),
            one,
            {"test": "state", "state": "contended"},
        ],
    )
    assert [found.state for found in load_run(path).records] == ["clean", "contended"]
