# SPDX-License-Identifier: BSD-3-Clause
"""What a user does wrong: each time one sentence that says what, and status 2."""

import json

import pytest

from conftest import environment, make_folder, record, write
from mpt_report import cli, page
from mpt_report.drive.ledger import Ledger
from mpt_report.runs.records import load_run
from mpt_report.runs.study import study


def said(capsys, *words):
    assert cli.main([str(word) for word in words]) == 2
    text = capsys.readouterr().err
    assert text.startswith("mpt: ") and text.count("\n") == 1
    return text


def test_no_such_run(tmp_path, capsys):
    assert f"no such run: {tmp_path / 'x'} is neither a folder nor a file" in said(capsys, "report", tmp_path / "x")


def test_folder_without_records(tmp_path, capsys):
    assert "no .jsonl file in" in said(capsys, "export", tmp_path, "--csv")


@pytest.mark.parametrize("command", [["report"], ["text"], ["export", "--junit"]])
def test_run_without_a_measurement(tmp_path, capsys, command):
    write(tmp_path / "mpt-a.jsonl", [environment()])
    assert "wrote nothing, see programs.log there" in said(capsys, command[0], tmp_path, *command[1:])
    assert not (tmp_path / "report.html").exists()


def test_file_that_holds_something_else(tmp_path, capsys):
    path = tmp_path / "a.txt"
    path.write_text("one\ntwo\nthree\n", encoding="utf-8")
    text = said(capsys, "report", path)
    assert "a.txt:1: not JSON, skipped (and 2 more such lines); are these records of mpt bench?" in text


def test_page_that_cannot_be_written(folder, tmp_path, capsys):
    (tmp_path / "file").write_text("", encoding="utf-8")
    assert str(tmp_path / "file") in said(capsys, "report", folder, "-o", tmp_path / "file" / "page.html")


def account(folder, planned, **steps):
    entries = {name: {"title": name, "status": status, "problem": ""} for name, status in steps.items()}
    (folder / "run.json").write_text(json.dumps({"planned": planned, "steps": entries}), encoding="utf-8")


def test_stopped_run_says_how_much_is_there(tmp_path, capsys):
    write(tmp_path / "a.jsonl", [environment(), record("barrier", {"npes": 2}, "barrier_time", "us", 1.0)])
    account(tmp_path, ["a", "b", "c"], a="done", b="started")
    run = load_run(tmp_path)
    assert run.unfinished.startswith("stopped before its end: 1 of 3 programs were measured")
    assert any("1 of 3 programs were measured" in line for line in page.notices(study([run])))
    assert cli.main(["text", str(tmp_path)]) == 0
    assert "1 of 3 programs were measured" in capsys.readouterr().err
    account(tmp_path, ["a"], a="done")
    assert load_run(tmp_path).unfinished == ""


def test_stopped_before_the_first_measurement(tmp_path, capsys):
    write(tmp_path / "a.jsonl", [environment()])
    account(tmp_path, ["a", "b"], a="started")
    assert "the run was stopped before its end: 0 of 2" in said(capsys, "report", tmp_path)


def test_account_of_an_older_run_is_understood(tmp_path):
    write(tmp_path / "a.jsonl", [environment(), record("t", {}, "latency", "us", 1.0)])
    (tmp_path / "run.json").write_text(
        json.dumps({"steps": {"a": {"title": "a, 2 PEs", "status": "failed", "problem": "ended by signal 9"}}}),
        encoding="utf-8",
    )
    run = load_run(tmp_path)
    assert run.failures == {"a, 2 PEs": "ended by signal 9"} and run.unfinished == ""
    assert Ledger(tmp_path).planned == []


def test_runs_of_different_machines_are_told_apart(tmp_path):
    old, new = make_folder(tmp_path / "old"), make_folder(tmp_path / "new")
    assert study([load_run(old), load_run(new)]).remarks == []
    for path in new.glob("*.jsonl"):
        path.write_text(path.read_text(encoding="utf-8").replace("Example CPU <1>", "Another CPU"), encoding="utf-8")
    (remark,) = study([load_run(old), load_run(new)]).remarks
    assert "old and new were measured on different machines (processor Example CPU <1> and Another CPU)" in remark
