# SPDX-License-Identifier: BSD-3-Clause
"""Each export is read back with the means of whoever it is for."""

import csv
import io
import json
import xml.etree.ElementTree as ElementTree

import pytest

from conftest import OURS, environment, record, write
from mpt_report import cli, export, page
from mpt_report.page import notices
from mpt_report.runs import published
from mpt_report.runs.records import load_run
from mpt_report.runs.study import study
from mpt_report.tables import newsletter


def of(tmp_path, *lines):
    return study([load_run(write(tmp_path / "mpt-a.jsonl", [environment(16), *lines]))])


@pytest.fixture
def small(tmp_path):
    return of(
        tmp_path,
        record(
            "put_get",
            {"npes": 2, "message_bytes": 8, "op": 'put, "quoted" <&>'},
            "bandwidth",
            "MB/s",
            250.0,
            pair=(0, 1),
        ),
        record("barrier", {"npes": 2}, "barrier_time", "us", 0.5, verified=False, mean=0.625),
        record("LFK", {"kernel": 3}, "checksum", "1", 7.0, verified=None),
    )


def test_csv_has_a_row_for_each_record(small):
    rows = list(csv.DictReader(io.StringIO(export.as_csv(small))))
    assert [row["test"] for row in rows] == ["put_get", "barrier", "LFK"]
    assert rows[0]["params.op"] == 'put, "quoted" <&>' and rows[0]["pair"] == "0-1"
    assert float(rows[0]["value"]) == 250.0 and float(rows[0]["ci_high"]) == pytest.approx(252.5)
    assert rows[0]["mean"] == "" and rows[1]["mean"] == "0.625"  # one program wrote none
    assert rows[0]["samples"].split() == ["250"] * 4
    assert rows[1]["verified"] == "false" and rows[1]["params.op"] == "" and rows[1]["state"] == "clean"


def test_benchmark_json_is_smaller_is_better(small):
    rows = json.loads(export.as_benchmark_json(small))
    assert all(set(row) == {"name", "unit", "value", "range", "extra"} for row in rows)
    by_unit = {row["unit"]: row for row in rows}
    assert set(by_unit) == {"us", "1/(MB/s)"}  # a checksum is neither better nor worse
    assert by_unit["us"]["value"] == 0.5 and by_unit["us"]["range"] == "± 0.005"
    assert by_unit["1/(MB/s)"]["value"] == pytest.approx(1 / 250) and "250 MB/s" in by_unit["1/(MB/s)"]["extra"]
    assert len({row["name"] for row in rows}) == len(rows)


def test_junit_fails_where_data_was_wrong(small):
    suites = ElementTree.fromstring(export.as_junit(small))
    found = {suite.get("name"): suite for suite in suites}
    counts = {name: tuple(map(suite.get, ("tests", "failures", "skipped"))) for name, suite in found.items()}
    assert counts == {"put_get": ("1", "0", "0"), "barrier": ("1", "1", "0"), "LFK": ("1", "0", "1")}
    assert found["barrier"].find("testcase/failure") is not None
    assert '"quoted" <&>' in found["put_get"].find("testcase").get("name")


def test_failed_programs_are_told_everywhere(folder, capsys):
    steps = {
        "mpt-x": {"title": "x, 2 PEs", "status": "failed", "problem": "killed by <SIGSEGV>"},
        "mpt-y": {"title": "y", "status": "done", "problem": ""},
    }
    (folder / "run.json").write_text(json.dumps({"steps": steps}))
    found = study([load_run(folder)])
    assert found.runs[0].failures == {"x, 2 PEs": "killed by <SIGSEGV>"}
    suite = ElementTree.fromstring(export.as_junit(found))[0]
    assert (suite.get("name"), suite.get("errors")) == ("programs", "1")
    assert suite.find("testcase/error").get("message") == "killed by <SIGSEGV>"
    assert "now: x, 2 PEs failed: killed by <SIGSEGV>." in notices(found)
    assert "now: x, 2 PEs failed: killed by &lt;SIGSEGV&gt;." in page.build(found)
    cli.main(["text", str(folder)])
    assert "now: x, 2 PEs failed: killed by <SIGSEGV>" in capsys.readouterr().out


def as_records(seed):
    """What the papers printed, as if it had been measured here."""
    return [
        record(fact["test"], fact["params"], fact["metric"], fact["unit"], fact["value"], fact["library"], OURS)
        for fact in published.load()
        if fact["seed_file"].startswith(seed) and fact["library"] == "SHMEM"
    ]


def test_1996_gives_the_newsletters_own_lines(tmp_path):
    """The newsletter's figures through our layout must come out as it printed them, stray blank and all."""
    text = newsletter.plain(of(tmp_path, *as_records("000")))
    for line in (
        "BEGIN SINGLE PAIRS PING-PONG PUT LATENCY TEST WITH NPES=16",
        "* Max latency for paired PE one word ping-pong is 3.433507 microseconds",
        "* Average MB/s for paired PE one word ping-pong is 3.853237MB/s",
        "=" * 70,
        "=For all distances to neighbors with all PEs sending and receiving:",
        "= Ave latency for paired PE one word messages is 1.008117 microseconds",
        "* Rmax (Rinf) = 61.431111 MB/s",
        "* N 1/2 = 30.715556 MB/s at 10 words (80 bytes)",
        "* Max latency for paired PE one word messages is  2.635556 microseconds",
        "* N 1/2 = 63.008408 MB/s at 22 words (176 bytes)",
        "*" * 64,
    ):
        assert line in text.splitlines(), line


def test_1996_holds_the_tables_too(one):
    text = export.as_1996(one)
    assert "BEGIN MULTIPLE PAIRS PUT TEST" in text and "Table 2. Barrier Rates" in text
    assert "MPT on PVP, 1996. Table 4: global vector sum" in text


@pytest.mark.parametrize("form", sorted(export.FORMATS))
def test_command_writes_every_format(folder, tmp_path, form, capsys):
    assert cli.main(["export", str(folder), f"--{form}"]) == 0
    printed = capsys.readouterr().out
    assert cli.main(["export", str(folder), f"--{form}", "-o", str(tmp_path / "file")]) == 0
    assert (tmp_path / "file").read_text(encoding="utf-8") == printed != ""


def test_names_tell_all_figures_apart(tmp_path):
    base = {"npes": 2, "message_bytes": 8}
    found = of(
        tmp_path,
        *(record("echo", base | {"cache": cache}, "latency", "us", 1.0) for cache in ("hot", "flushed")),
        record("barrier", {"npes": 2}, "barrier_time", "us", 0.5),
        record("barrier", {"npes": 2}, "barrier_time", "us", 0.6, "MPI"),
        record("barrier", {"npes": 2}, "barrier_time", "us", 0.7, "MPI"),
    )
    names = [row["name"] for row in json.loads(export.as_benchmark_json(found))]
    assert len(set(names)) == len(names) == 5
    assert sum(name.endswith("#2") for name in names) == 1
    cases = ElementTree.fromstring(export.as_junit(found)).iter("testcase")
    assert sorted(one.get("name") for one in cases) == sorted(names)
