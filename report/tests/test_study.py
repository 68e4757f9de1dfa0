# SPDX-License-Identifier: BSD-3-Clause
"""Ordering series, choosing records and reckoning the limits."""

import pytest

from conftest import OURS, PEER, environment, make_folder, record, write
from mpt_report.runs import published
from mpt_report.runs.records import load_run
from mpt_report.runs.study import study


def test_ours_leads_and_the_peer_stands_beside(both):
    assert [series.name for series in both.series] == [OURS, PEER]
    assert both.first.implementation == OURS


def test_two_runs_are_told_apart_by_label(folder, tmp_path):
    later = make_folder(tmp_path / "later", factor=0.5)
    found = study([load_run(folder), load_run(later)])
    assert [series.name for series in found.series] == [f"{OURS} (now)", f"{OURS} (later)"]
    assert found.limits.run.label == "now"


def test_heap_and_barrier_all_are_preferred(one):
    assert one.first.one("barrier", "barrier_time", npes=2).get("call") == "shmem_barrier_all"
    sizes = one.first.by("message_bytes", "put_get", "bandwidth", op="put")
    assert list(sizes) == sorted(sizes)
    assert {found.get("target") for found in sizes.values()} == {"heap"}


def test_loaded_figures_are_not_mixed_with_calm_ones(tmp_path):
    path = write(
        tmp_path / "a.jsonl",
        [
            environment(),
            record("barrier", {"npes": 2, "burner": True}, "barrier_time", "us", 9.0),
            record("barrier", {"npes": 2}, "barrier_time", "us", 1.0),
        ],
    )
    first = study([load_run(path)]).first
    assert first.one("barrier", "barrier_time").value == 1.0
    assert first.one("barrier", "barrier_time", burner=True).value == 9.0


def test_limits_in_us_and_best_of_methods(one):
    assert one.limits.handover == pytest.approx(0.1)
    assert one.limits.process_handover == pytest.approx(0.7)
    assert one.limits.copy(4096) == 20000
    assert one.limits.copy(5000) is None
    assert one.limits.cores == 2


def test_put_handover_is_through_two_lines_when_measured(tmp_path):
    def one(layout, ns):
        return record(
            "limits",
            {"operation": "cacheline_handover", "method": "best", "layout": layout},
            "latency",
            "ns",
            ns,
            "hardware",
            "hardware",
        )

    path = write(tmp_path / "a.jsonl", [environment(), one("one_word", 70), one("two_lines", 180)])
    limits = study([load_run(path)]).limits
    assert limits.handover == pytest.approx(0.07)
    assert limits.put_handover == pytest.approx(0.18)


@pytest.mark.parametrize("npes, us", [(2, 0.1), (8, 8 / 2 * 0.7), (64, 64 / 2 * 0.7)])
def test_barrier_limit_counts_handovers(one, npes, us):
    assert one.limits.barrier(npes) == pytest.approx(us)


def test_run_without_limits_has_no_ratio(tmp_path):
    found = study([load_run(make_folder(tmp_path / "bare", with_limits=False))])
    assert found.limits.handover is None
    assert found.limits.barrier(2) is None


def test_published_figures_are_found_by_what_they_measure():
    assert published.value("newsletter", "ping_pong", "latency_min") == 1.629012
    assert published.value("mpt", "barrier", "barrier_time", "J90", npes=16) == 46.6
    assert published.value("t3e", "SYNCH1", "barrier_time", library="SHMEM", npes=64) == 2.02
    assert published.value("mpt", "no such test", "time") is None
    with pytest.raises(LookupError):
        published.value("mpt", "barrier", "barrier_time")


def test_interfaces_that_share_a_test_are_not_mixed(tmp_path):
    path = write(
        tmp_path / "mpt-a.jsonl",
        [
            environment(),
            *(
                record("barrier", {"npes": npes}, "barrier_time", "us", value, library)
                for library, npes, value in (("MPI", 2, 5), ("MPI", 4, 6), ("SHMEM", 2, 1))
            ),
        ],
    )
    found = study([load_run(path)])
    assert {npes: one.value for npes, one in found.first.by("npes", "barrier", "barrier_time").items()} == {2: 1}
