# SPDX-License-Identifier: BSD-3-Clause
"""Goals: what is reckoned, which way is good, and what is left out."""

import pytest

from conftest import OURS, PEER, environment, limits, record, write
from mpt_report import goals
from mpt_report.goals import shmem
from mpt_report.runs.records import load_run
from mpt_report.runs.study import study
from mpt_report.tables import goals as goals_table


def by_id(found):
    return {goal.id: goal for goal in goals.goals(found)}


def test_figures_and_bars_of_a_run(one):
    found = by_id(one)
    word = found["shmem/pingpong"]
    assert (word.value, word.bar, word.met) == (pytest.approx(110), pytest.approx(115), True)
    streamed = found["shmem/p"]
    assert (streamed.value, streamed.bar, streamed.met) == (pytest.approx(2.5), 3.0, True)
    crowded = found["shmem/crowded/8"]
    assert (crowded.value, crowded.bar, crowded.met) == (8.0, pytest.approx(2 * 4 * 0.7), False)
    launch = found["shmem/start/2"]
    assert (launch.value, launch.met) == (4.0, True)


def test_bandwidth_is_judged_at_its_worst_size_and_upwards(one):
    put = by_id(one)["shmem/put/heap"]
    assert put.what == "put bandwidth, worst size (4 KiB)"
    assert put.higher and put.bar == pytest.approx(19000)
    assert put.value == pytest.approx(19500 * 4096 / 4296)
    assert not put.met


def test_global_has_the_same_bar_as_the_heap(one):
    found = by_id(one)["shmem/pingpong/global"]
    assert (found.value, found.bar) == (pytest.approx(121), pytest.approx(110 * shmem.SAME_FACTOR))


def test_peer_of_the_same_run_sets_a_bar(both):
    found = by_id(both)[f"shmem/crowded/8/{PEER}"]
    assert (found.value, found.bar, found.met) == (8.0, pytest.approx(3.2), False)


def test_load_is_judged_against_calm(tmp_path):
    lines = [environment(), *limits()]
    for burner, us in ((False, 0.25), (True, 1.0)):
        params = {"npes": 2, "call": "shmem_barrier_all"} | ({"burner": True} if burner else {})
        lines.append(record("barrier", params, "barrier_time", "us", us))
    found = by_id(study([load_run(write(tmp_path / "a.jsonl", lines))]))
    loaded = found["shmem/barrier/2/burner"]
    assert (loaded.value, loaded.bar, loaded.met) == (1000.0, pytest.approx(750), False)
    assert found["shmem/barrier/2"].value == pytest.approx(250)


def test_nothing_measured_means_no_goal(tmp_path):
    path = write(tmp_path / "a.jsonl", [environment(), record("other", {}, "time", "us", 1.0, implementation=OURS)])
    found = study([load_run(path)])
    assert goals.goals(found) == []
    assert goals_table.table(found) is None


def test_ids_are_told_apart(both):
    found = goals.goals(both)
    assert len({goal.id for goal in found}) == len(found) > 15


def test_table_counts_and_marks(one):
    table = goals_table.table(one)
    assert [row.id for row in table.rows] == [goal.id for goal in goals.goals(one)]
    marks = [row[-1] for row in table.rows]
    assert table.title == f"{marks.count('met')} of {len(marks)} goals met"
    assert set(marks) == {"met", "missed"}
