# SPDX-License-Identifier: BSD-3-Clause
"""Reading run files: whole, cut short, and wrong."""

import json

import pytest

from conftest import OURS, environment, record, write
from mpt_report.runs.records import UnitError, convert, load_run


def test_units_convert_within_a_kind():
    assert convert(1500, "ns", "us") == pytest.approx(1.5)
    assert convert(2, "GB/s", "MB/s") == pytest.approx(2000)
    with pytest.raises(UnitError):
        convert(1, "us", "MB/s")


def test_record_keeps_statistics_pair_and_params(tmp_path):
    path = write(
        tmp_path / "a.jsonl",
        [environment(), record("pingpong", {"npes": 2, "message_bytes": 8}, "latency", "us", 0.2, pair=(0, 1))],
    )
    run = load_run(path)
    (found,) = run.records
    assert found.pair == (0, 1)
    assert found.get("message_bytes") == 8
    assert found.in_unit("ns") == pytest.approx(200)
    assert found.in_unit("ns", "min") == pytest.approx(190)
    assert found.interval == pytest.approx((0.198, 0.202))
    assert run.environment["cores"] == 2
    assert not run.warnings


def test_line_cut_short_loses_only_itself(tmp_path):
    path = write(tmp_path / "a.jsonl", [environment(), record("barrier", {"npes": 2}, "barrier_time", "us", 1.0)])
    with path.open("a", encoding="utf-8") as stream:
        stream.write(json.dumps(record("barrier", {"npes": 4}, "barrier_time", "us", 2.0))[:40])
    run = load_run(path)
    assert len(run.records) == 1
    assert run.warnings == ["a.jsonl:3: cut short, skipped"]


@pytest.mark.parametrize(
    "line, why",
    [
        ("nonsense", "not JSON"),
        ("[1, 2]", "not an object"),
        ('{"test": "x", "metric": "m", "value": 1}', "no 'unit'"),
        ('{"test": "x", "metric": "m", "unit": "us", "value": null}', "'value' is not a number"),
        ('{"test": "x", "metric": "m", "unit": "us", "value": 1, "params": 3}', "'params' is not an object"),
    ],
)
def test_wrong_line_becomes_a_warning_with_its_place(tmp_path, line, why):
    path = tmp_path / "a.jsonl"
    path.write_text(line + "\n", encoding="utf-8")
    run = load_run(path)
    assert run.records == []
    assert run.warnings == [f"a.jsonl:1: {why}, skipped"]


def test_folder_is_one_run(folder):
    run = load_run(folder)
    assert run.label == "now"
    assert len(run.environments) == 4
    assert run.endings == [{"involuntary_switches": 3}]
    assert {"ping_pong", "barrier", "limits"} <= {found.test for found in run.records}


def test_load_met_marks_only_its_own_program(tmp_path):
    write(tmp_path / "a.jsonl", [environment(contended=True), record("a", {}, "latency", "us", 1.0)])
    write(tmp_path / "b.jsonl", [environment(), record("b", {}, "latency", "us", 1.0)])
    run = load_run(tmp_path)
    assert {found.test: found.contended for found in run.records} == {"a": True, "b": False}
    assert run.contended == 1


def test_wanted_load_is_not_contention(tmp_path):
    start = environment(contended=True)
    start["env"]["burner"] = True
    run = load_run(write(tmp_path / "a.jsonl", [start]))
    assert run.contended == 0


def test_what_ran_under_a_burner_is_marked_as_that(tmp_path):
    start = environment(contended=True)
    start["env"]["burner"] = True
    (found,) = load_run(write(tmp_path / "a.jsonl", [start, record("barrier", {}, "barrier_time", "us", 1.0)])).records
    assert (found.state, found.burning, found.contended) == ("burner", True, False)


def test_samples_are_read_but_for_what_is_no_number(tmp_path):
    lines = [record("t", {"i": i}, "time", "us", 1.0) for i in range(3)]
    lines[1]["samples"], lines[2]["samples"] = [1, None, 2.5], None
    run = load_run(write(tmp_path / "a.jsonl", lines))
    assert [list(one.samples) for one in run.records] == [[1.0] * 4, [1.0, 2.5], []] and not run.warnings


@pytest.mark.parametrize("samples, known", [(1, False), (5, False), (6, True)])
def test_few_samples_have_no_interval(tmp_path, samples, known):
    line = record("t", {}, "time", "us", 1.0, n=samples)
    (found,) = load_run(write(tmp_path / "a.jsonl", [environment(), line])).records
    assert (found.interval is not None) == known and ("ci_low" in found.stats) == known
    assert found.stats["n"] == samples and found.stats["median"] == 1.0


def test_mean_is_kept(tmp_path):
    line = record("t", {}, "time", "us", 1.0, mean=1.25)
    (found,) = load_run(write(tmp_path / "a.jsonl", [environment(), line])).records
    assert found.in_unit("ns", "mean") == pytest.approx(1250)


@pytest.mark.parametrize(
    "told, name",
    [
        ("MPICH Version:      5.0.2", "MPICH 5.0.2"),
        ("Open MPI v5.0.11",) * 2,
        (OURS,) * 2,
        ("PVM\n3.4.6 ", "PVM 3.4.6"),
    ],
)
def test_library_names_are_squeezed(tmp_path, told, name):
    run = load_run(
        write(
            tmp_path / "a.jsonl",
            [environment(implementation=told), record("t", {}, "time", "us", 1.0, implementation=told)],
        )
    )
    assert run.records[0].implementation == name == run.environment["implementation"]


def test_missing_run_says_which(tmp_path):
    with pytest.raises(FileNotFoundError, match="no such run"):
        load_run(tmp_path / "absent")
    with pytest.raises(FileNotFoundError, match=r"no \.jsonl file"):
        load_run(tmp_path)
