# SPDX-License-Identifier: BSD-3-Clause
"""Goals: what is reckoned, which way is good, and what is left out."""

import pytest
from conftest import OURS, PEER, environment, limits, record, write

from mpt_report import goals
from mpt_report.records import load_run
from mpt_report.study import study


def by_name(found):
    return {goal.what: goal for goal in goals.goals(found)}


def test_figures_and_bars_of_a_run(one):
    found = by_name(one)
    word = found["one-word put ping-pong, one way"]
    assert (word.value, word.bar, word.met) == (pytest.approx(110), pytest.approx(115), True)
    streamed = found["streamed shmem_long_p"]
    assert (streamed.value, streamed.bar, streamed.met) == (pytest.approx(2.5), 3.0, True)
    crowded = found["barrier, 8 PEs on 2 cores"]
    assert (crowded.value, crowded.bar, crowded.met) == (8.0, pytest.approx(2 * 4 * 0.7), False)
    launch = found["start and stop of 2 PEs"]
    assert (launch.value, launch.met) == (4.0, True)


def test_bandwidth_is_judged_at_its_worst_size_and_upwards(one):
    put = by_name(one)["put bandwidth, worst size (4 KiB)"]
    assert put.higher and put.bar == pytest.approx(19000)
    assert put.value == pytest.approx(19500 * 4096 / 4296)
    assert not put.met


def test_global_has_the_same_bar_as_the_heap(one):
    found = by_name(one)["one-word put ping-pong, one way, on a global"]
    assert (found.value, found.bar) == (pytest.approx(121), pytest.approx(110 * goals.SAME_FACTOR))


def test_peer_of_the_same_run_sets_a_bar(both):
    found = by_name(both)[f"barrier, 8 PEs, against {PEER}"]
    assert (found.value, found.bar, found.met) == (8.0, pytest.approx(3.2), False)


def test_load_is_judged_against_calm(tmp_path):
    lines = [environment(), *limits()]
    for burner, us in ((False, 0.25), (True, 1.0)):
        params = {"npes": 2, "call": "shmem_barrier_all"} | ({"burner": True} if burner else {})
        lines.append(record("barrier", params, "barrier_time", "us", us))
    found = by_name(study([load_run(write(tmp_path / "a.jsonl", lines))]))
    loaded = found["barrier, 2 PEs, one core burning"]
    assert (loaded.value, loaded.bar, loaded.met) == (1000.0, pytest.approx(750), False)
    assert found["barrier, 2 PEs"].value == pytest.approx(250)


def test_nothing_measured_means_no_goal(tmp_path):
    path = write(tmp_path / "a.jsonl", [environment(), record("other", {}, "time", "us", 1.0, implementation=OURS)])
    found = study([load_run(path)])
    assert goals.goals(found) == []
    assert goals.table(found) is None


def test_table_counts_and_marks(one):
    table = goals.table(one)
    marks = [row[-1] for row in table.rows]
    assert table.title == f"{marks.count('met')} of {len(marks)} goals met"
    assert set(marks) == {"met", "missed"}
