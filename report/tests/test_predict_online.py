# SPDX-License-Identifier: BSD-3-Clause
"""`mpt predict -- PROGRAM`: a program run as tasks, predicted; where MPT_BUILD names a build folder with examples."""

import contextlib
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from mpt_report import cli
from mpt_report.predict import online
from mpt_report.predict.recorded import Prediction
from mpt_report.predict.told import scaling, seconds

BUILD = os.environ.get("MPT_BUILD")
PROGRAM = Path(BUILD or "") / "tests/t_examples_mpi_stencil"
FOLDER = "mpt-predict-"
PREDICT = ("predict", "--machine", "t3e-1200e")
LIMIT_S = 120

real = pytest.mark.skipif(not BUILD or not PROGRAM.exists(), reason="MPT_BUILD names no build with examples")


def left(folder: Path) -> list[Path]:
    return list(folder.glob(FOLDER + "*"))


@pytest.fixture
def temporary(tmp_path, monkeypatch):
    """Where the command has its folders."""
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    return tmp_path


def run(capfd, *words: str) -> tuple[int, str, str]:
    status = cli.main([*PREDICT, *words])
    captured = capfd.readouterr()
    return status, captured.out, captured.err


@real
def test_more_pes_than_cores(temporary, capfd):
    status, out, err = run(capfd, "--pes", "2,16", "--cpu", "0.5", "--json", "--clocks", "--", str(PROGRAM))
    assert status == 0, err
    told = json.loads(out)  # what the program prints is not among it
    assert told["machine"] == "t3e-1200e" and told["interface"] == "mpi" and told["tasks"]
    two, many = told["predicted"]
    assert (two["pes"], many["pes"]) == (2, 16) and len(many["clocks"]) == 16
    assert two["speedup"] == two["efficiency"] == 1
    assert many["efficiency"] == pytest.approx(two["seconds"] / many["seconds"] / 8)
    for one in (two, many):
        assert 0 < one["computed_mean"] <= one["computed"] <= one["recorded"]
        assert one["seconds"] == max(one["clocks"]) >= 2 * one["computed"]
        assert 0 <= one["communication"] < 1 and one["left_out"] == 0
    assert not left(temporary)


@real
def test_a_table_and_processes(temporary, capfd):
    status, out, _ = run(capfd, "--pes", "3", "--processes", "--", str(PROGRAM))
    assert status == 0 and "efficiency" in out and "…" not in out
    assert [line.split()[0] for line in out.splitlines()[2:]] == ["3"]


@real
@pytest.mark.parametrize(
    ("words", "status", "said"),
    [
        (("/bin/sh", "-c", "exit 7"), 7, "/bin/sh with 2 PEs ended with status 7"),
        (("/nowhere/at/all",), 127, "/nowhere/at/all with 2 PEs ended with status 127"),
        (("/bin/true",), 1, "recorded nothing"),
    ],
)
def test_programs_that_fail(temporary, capfd, words, status, said):
    found, out, err = run(capfd, "--", *words)
    assert (found, out) == (status, "") and f"mpt predict: {words[0]}" in err and said in err
    assert not left(temporary)


@real
def test_what_cannot_be_replayed_is_said(temporary, capfd):
    status, out, err = run(capfd, "--pes", "2", "--", f"{BUILD}/tests/t_examples_am_counter")
    assert (status, out) == (2, "") and "active messages" in err
    assert not left(temporary)


@real
def test_the_folder_goes_when_it_is_interrupted(tmp_path):
    command = [sys.executable, "-m", "mpt_report", *PREDICT, "--pes", "2", "--", "/bin/sleep", "60"]
    environment = {**os.environ, "TMPDIR": str(tmp_path)}
    with subprocess.Popen(command, env=environment, stderr=subprocess.DEVNULL) as process:
        end = time.monotonic() + LIMIT_S
        while not list(tmp_path.glob(FOLDER + "*/*/job.json")) and time.monotonic() < end:
            time.sleep(0.05)
        process.send_signal(signal.SIGTERM)
        assert process.wait(LIMIT_S) == 130
    assert not left(tmp_path)


def test_the_least_disturbed_run_counts(monkeypatch):
    means = iter([3.0, 1.0, 2.0, 5.0])
    made = lambda _, pes: Prediction(pes, "mpi", 1.0, 1.0, [next(means)] * pes, [1.0] * pes, 1.0, 0)  # noqa: E731
    monkeypatch.setattr(online, "once", made)
    asked = online.Asked(None, None, ["x"], True, 2, 1.0, None)
    assert [(one.pes, one.mean) for one in online.each(asked, [2, 4])] == [(2, 1.0), (4, 2.0)]


def test_what_the_command_does_not_take(capfd):
    for words in (
        ("--runs", "0", "--", "x"),
        ("--pse", "8", "--", "x"),
        ("--case", "echo", "--", "x"),
        ("--cpu", "0", "--", "x"),
    ):
        status, out, err = run(capfd, *words)
        assert (status, out) == (2, "") and err.startswith("mpt predict:"), words


def test_each_run_reads_the_whole_input(tmp_path):
    file = tmp_path / "input"
    file.write_text("words", encoding="ascii")
    kept = os.dup(0)
    try:
        for path, is_read in ((file, True), (Path(os.devnull), False)):
            with path.open(encoding="ascii") as stream:
                os.dup2(stream.fileno(), 0)
            for _ in range(2):
                assert (online.rewound() == 0) == is_read
                if is_read:
                    assert os.read(0, 100) == b"words"
    finally:
        with contextlib.suppress(OSError):
            os.dup2(kept, 0)
        os.close(kept)


def test_figures():
    first, second = (
        Prediction(pes, "mpi", 1.0, time, [0.5] * pes, [time] * pes, 2.0, 0) for pes, time in ((2, 4.0), (8, 1.25))
    )
    assert scaling(first, second) == pytest.approx({"speedup": 3.2, "efficiency": 0.8})
    assert second.communication == pytest.approx(0.2) and first.communication == pytest.approx(0.75)
    assert [seconds(time) for time in (2.5, 0.0125, 3e-6, 0.0)] == ["2.5 s", "12.5 ms", "3 us", "0 us"]
