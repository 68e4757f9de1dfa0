# SPDX-License-Identifier: BSD-3-Clause
"""The command line: its four commands and its errors."""

import pytest

from conftest import OURS, PEER, environment, make_folder, record, write
from mpt_report import cli


def test_text_prints_blocks_tables_and_goals(peer_folder, capsys):
    assert cli.main(["text", str(peer_folder)]) == 0
    out = capsys.readouterr().out
    for words in (
        f"this machine: {OURS}",
        f"beside it: {PEER}",
        "BEGIN SINGLE PAIRS PING-PONG",
        "Table 4. Global",
        "goals met",
        "Put by size",
    ):
        assert words in out


def test_width_is_kept(folder, capsys):
    cli.main(["text", str(folder), "--width", "100"])
    assert max(map(len, capsys.readouterr().out.splitlines())) <= 100


def test_html_writes_the_file(folder, tmp_path, capsys):
    target = tmp_path / "deep" / "page.html"
    assert cli.main(["html", str(folder), "-o", str(target)]) == 0
    assert target.read_text(encoding="utf-8").startswith("<!DOCTYPE html>")
    assert str(target) in capsys.readouterr().out


def test_report_writes_into_the_last_folder(folder, tmp_path, capsys):
    later = make_folder(tmp_path / "later", factor=0.5)
    assert cli.main(["report", str(folder), str(later)]) == 0
    text = (later / "report.html").read_text(encoding="utf-8")
    assert "What changed from now to later" in text and "Every test against the hardware" in text
    assert str(later / "report.html") in capsys.readouterr().out


def test_compare_prints_ratios(folder, tmp_path, capsys):
    later = make_folder(tmp_path / "later", factor=0.5)
    assert cli.main(["compare", str(folder), str(later)]) == 0
    out = capsys.readouterr().out
    (line,) = [line for line in out.splitlines() if line.startswith(" launch") and "npes=8" in line]
    assert line.split()[-6:] == ["ms", "16.00", "8.000", "0.50", "x", "better"]


def test_runs_of_the_same_name_are_numbered(folder, capsys):
    assert cli.main(["compare", str(folder), str(folder)]) == 0
    assert "now #1 against now #2" in capsys.readouterr().out


def test_nothing_in_common_is_an_error(tmp_path, capsys):
    for name in ("a", "b"):
        write(tmp_path / f"{name}.jsonl", [environment(), record(name, {}, "time", "us", 1.0)])
    assert cli.main(["compare", str(tmp_path / "a.jsonl"), str(tmp_path / "b.jsonl")]) == 2
    assert "a (a, ...) and b (b, ...) have no measurement of the same test" in capsys.readouterr().err


def test_missing_file_is_named(tmp_path, capsys):
    assert cli.main(["text", str(tmp_path / "absent")]) == 2
    assert "absent" in capsys.readouterr().err


def test_warnings_go_to_stderr(tmp_path, capsys):
    path = tmp_path / "a.jsonl"
    write(path, [environment(), record("t", {}, "time", "us", 1.0)])
    path.write_text(path.read_text(encoding="utf-8") + "nonsense\n", encoding="utf-8")
    assert cli.main(["text", str(path)]) == 0
    assert "a.jsonl:3: not JSON, skipped" in capsys.readouterr().err


@pytest.mark.parametrize(
    "args, words",
    [
        ([], "needs --build, --peer or both"),
        (["--peer", "openmpi"], "--peer needs --peer-bench"),
        (["--build", "b", "--pes", "2,0"], "a PE count is at least 1"),
        (["--build", "b", "--only", "nothing"], "no program nothing"),
        (["--build", "b", "--scale", "2,x"], "not a list of numbers"),
        (["--build", "b", "--quick", "--demo"], "not allowed with"),
    ],
)
def test_wrong_run_options_are_explained(tmp_path, capsys, args, words):
    with pytest.raises(SystemExit) as stopped:
        cli.main(["run", "--out", str(tmp_path), *args])
    assert stopped.value.code == 2
    assert words in capsys.readouterr().err


def test_empty_build_folder_is_an_error(tmp_path, capsys):
    assert cli.main(["run", "--build", str(tmp_path), "--out", str(tmp_path / "out")]) == 1
    assert "no program for limits (mpt)" in capsys.readouterr().err
