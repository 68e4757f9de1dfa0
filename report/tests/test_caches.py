# SPDX-License-Identifier: BSD-3-Clause
"""Figures of hot, rotating and flushed buffers stand apart: in questions, joins, comparisons and on the plots."""

import pytest

from conftest import environment, record, write
from mpt_report.limits import bounds
from mpt_report.page import charts
from mpt_report.runs import join
from mpt_report.runs.records import load_run
from mpt_report.runs.study import study
from mpt_report.tables import compare, summary

CACHES = (("hot", 1.0), ("rotating", 8.0), ("flushed", 10.0))
SIZES = (4096, 32768, 262144)
ROTATED = 800 << 20


def params(cache, over=ROTATED, **more):
    return {"npes": 2, **more, "cache": cache} | ({"rotates_over_bytes": over} if cache == "rotating" else {})


def transfers(sizes=SIZES, caches=CACHES):
    """Slower the farther away, the preferred ones last."""
    return [
        record("put_get", params(cache, op="put", target="heap", message_bytes=size), "bandwidth", "MB/s", 8000 / times)
        for cache, times in reversed(caches)
        for size in sizes
    ]


def studied(tmp_path, *records, name="a"):
    return study([load_run(write(tmp_path / f"{name}.jsonl", [environment(), *records]))])


def test_hot_is_meant_and_never_mixed(tmp_path):
    """A size that only rotating buffers were measured with must not complete the curve of the hot ones."""
    one = studied(tmp_path, *transfers(), *transfers((2 << 20,), CACHES[1:]))
    found = one.first.by("message_bytes", "put_get", "bandwidth", op="put")
    assert list(found) == list(SIZES) and {each.cache for each in found.values()} == {"hot"}
    rotating = one.first.by("message_bytes", "put_get", "bandwidth", op="put", cache="rotating")
    assert list(rotating) == [*SIZES, 2 << 20] and {each.value for each in rotating.values()} == {1000}


def test_what_says_nothing_is_hot(tmp_path):
    word = {"npes": 2, "message_bytes": 8}
    one = studied(
        tmp_path,
        record("pingpong", word | {"call": "shmem_put64"}, "latency", "us", 0.1),
        record("pingpong", word | {"call": "shmem_putmem", "cache": "hot"}, "latency", "us", 0.2),
    )
    assert [each.value for each in one.first.find("pingpong", "latency")] == [0.2, 0.1]


def test_plots_have_a_second_curve_for_rotating_buffers(tmp_path):
    names = [trace.name for trace in charts.bandwidth(studied(tmp_path, *transfers())).figure.data]
    ours = [name for name in names if "put" in name and "N½" not in name]
    assert [name.endswith("put, out of cache") for name in ours] == [False, True]
    hot = charts.bandwidth(studied(tmp_path, *transfers(caches=CACHES[:1]), name="b")).figure.data
    assert not any("out of cache" in trace.name for trace in hot)


def test_echo_of_the_t3e_study_is_answered_by_flushed_buffers(tmp_path):
    """It emptied the caches before each echo; other tests are answered by hot ones."""
    fact = {
        "test": "echo test, contiguous",
        "metric": "bandwidth_asymptotic",
        "unit": "MB/s",
        "library": "MPI",
        "params": {"npes": 2},
    }
    for test, answer in ((fact["test"], 800), ("COMMS1", 8000)):
        found = studied(
            tmp_path,
            *(record(test, params(cache), fact["metric"], "MB/s", 8000 / times, "MPI") for cache, times in CACHES),
            name=test[:4],
        )
        assert join.ours(found).one(fact | {"test": test}, []).value == answer


def test_only_hot_buffers_are_held_against_the_limit(tmp_path):
    copies = [
        record(
            "limits",
            {"operation": "copy", "method": "best", "message_bytes": size},
            "bandwidth",
            "MB/s",
            10000,
            "hardware",
        )
        for size in SIZES
    ]
    one = studied(tmp_path, *copies, *transfers())
    found = [each for each in one.first.records if each.test == "put_get"]
    assert summary.against_limit(one, bounds.machine_of(one), "put_get", found) == pytest.approx(1.25)


def test_comparison_meets_its_like_whatever_memory_was_free(tmp_path):
    """Rotating buffers answer rotating ones, however far they went; records of before had nothing but hot ones."""
    old = record("COMMS1", {"npes": 2}, "bandwidth", "MB/s", 1000)
    before = load_run(write(tmp_path / "old.jsonl", [environment(), old, *transfers()]))
    after = load_run(
        write(
            tmp_path / "new.jsonl",
            [
                environment(),
                record("COMMS1", params("hot"), "bandwidth", "MB/s", 1000),
                *(
                    record(
                        "put_get",
                        params(cache, 100 << 20, op="put", target="heap", message_bytes=size),
                        "bandwidth",
                        "MB/s",
                        8000 / times,
                    )
                    for cache, times in CACHES
                    for size in SIZES
                ),
            ],
        )
    )
    found = compare.pairs(before, after)
    assert len(found) == 1 + len(CACHES) * len(SIZES)
    assert all(each.ratio == 1 for each in found)
    words = {compare.describe(each.new) for each in found if each.new.get("message_bytes") == 4096}
    assert len(words) == 3 and not any("hot" in word or "rotates" in word for word in words)
