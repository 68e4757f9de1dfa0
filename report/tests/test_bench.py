# SPDX-License-Identifier: BSD-3-Clause
"""`mpt bench`: going on where a run was stopped, measuring anew when something changed, the time of the whole."""

import io
import os
import time

import pytest
from rich.console import Console

from mpt_report import cli, measuring, places
from mpt_report.drive import Purse, measure, plan, programs
from mpt_report.drive.ledger import Ledger
from test_drive import LAUNCHER, executable, program

COUNTING = "open(out + '.runs', 'a').write('x')"


@pytest.fixture
def build(tmp_path):
    executable(tmp_path / "build/bin/oshrun", LAUNCHER)
    for name in ("barrier", "reduce"):
        program(tmp_path / "build/bench" / name, body=COUNTING)
    return tmp_path / "build"


def bench(build, out, *more):
    words = ["--build", str(build), "--out", str(out), "--only", "barrier", "reduce", "--pes", "2"]
    return cli.main(["bench", *words, *more])


def runs(out, name):
    return len((out / f"mpt-{name}-002.jsonl.runs").read_text())


@pytest.fixture(autouse=True)
def no_page(monkeypatch):
    """The page has tests of its own and takes long."""
    monkeypatch.setattr("mpt_report.measuring.write_page", lambda *_: None)


def test_second_run_measures_nothing_and_again_measures_all(build, tmp_path, capsys):
    out = tmp_path / "out"
    assert bench(build, out) == 0
    assert (runs(out, "barrier"), runs(out, "reduce")) == (1, 1)
    assert bench(build, out) == 0
    assert (runs(out, "barrier"), runs(out, "reduce")) == (1, 1)
    assert "2 of 2 programs were measured before and stand" in capsys.readouterr().err
    assert bench(build, out, "--again") == 0
    assert (runs(out, "barrier"), runs(out, "reduce")) == (2, 2)


def test_what_is_missing_changed_or_failed_is_measured(build, tmp_path):
    out = tmp_path / "out"
    bench(build, out)
    (out / "mpt-reduce-002.jsonl").unlink()
    bench(build, out)
    assert (runs(out, "barrier"), runs(out, "reduce")) == (1, 2)
    later = time.time() + 10
    os.utime(build / "bench/barrier", (later, later))  # built anew
    bench(build, out)
    assert (runs(out, "barrier"), runs(out, "reduce")) == (2, 2)
    bench(build, out, "--full")  # another mode
    assert (runs(out, "barrier"), runs(out, "reduce")) == (3, 3)
    program(build / "bench/reduce", body=COUNTING + "; sys.exit(1)")
    assert bench(build, out, "--full") == 1
    assert bench(build, out, "--full") == 1  # a failure is tried again
    assert (runs(out, "barrier"), runs(out, "reduce")) == (3, 5)


def test_interrupted_step_is_not_taken_for_done(build, tmp_path, monkeypatch):
    out = tmp_path / "out"
    steps, _ = plan.make(
        [plan.Library("mpt", build / "bench", (str(build / "bin/oshrun"),))],
        plan.Order(out, "quick", only=("barrier", "reduce"), scale=(2,)),
    )
    console = Console(file=io.StringIO())
    measure(steps, out, console)
    real = measure.__globals__["run_step"]

    def stopped(step, *rest):
        if "reduce" in step.title:
            raise KeyboardInterrupt
        return real(step, *rest)

    monkeypatch.setitem(measure.__globals__, "run_step", stopped)
    result = measure(steps, out, console)
    assert result.interrupted and not Ledger(out).done(steps[1]) and Ledger(out).done(steps[0])
    monkeypatch.setitem(measure.__globals__, "run_step", real)
    assert measure(steps, out, console, resume=True).kept == 1
    assert Ledger(out).done(steps[1])


def test_spoilt_ledger_means_nothing_is_done(build, tmp_path):
    (tmp_path / "run.json").write_text("{not json")
    assert Ledger(tmp_path).steps == {}


def step(seconds):
    return plan.Step("s", ("p", plan.SECONDS, str(seconds)), None, seconds, {})


def test_purse_shares_out_what_there_is():
    steps = [step(100.0), step(100.0)]
    half = Purse(steps, 100.0).take(steps[0])
    assert 45 < half.seconds < 51 and float(half.command[-1]) == pytest.approx(half.seconds, rel=0.01)
    assert Purse(steps, 300.0).take(steps[0]) is steps[0]
    assert Purse(steps, None).take(steps[0]) is steps[0]
    assert Purse(steps, 0.0).take(steps[0]).seconds == plan.LEAST_S


def test_missing_program_fails_only_who_asked_for_it(build, tmp_path, capsys):
    assert cli.main(["bench", "--build", str(build), "--out", str(tmp_path / "out"), "--pes", "2"]) == 0
    assert "no program for limits (mpt)" in capsys.readouterr().err
    assert cli.main(["bench", "--build", str(build), "--out", str(tmp_path / "out"), "--only", "limits,barrier"]) == 1


def test_pe_counts_that_a_program_cannot_run_on_are_told_and_no_error(build, tmp_path, capsys):
    for name in ("mpi_load", "pt2pt/am_load"):
        (build / "bench" / name).parent.mkdir(exist_ok=True)
        program(build / "bench" / name, body="sys.exit(args[0] == 'never')")
    words = ["--build", str(build), "--out", str(tmp_path / "out"), "--only", "mpi_load", "am_load", "barrier"]
    assert cli.main(["bench", *words, "--pes", "2,4,8"]) == 0
    assert "not on 2 PEs: mpi_load, am_load (at least 4)" in capsys.readouterr().err
    assert sorted(file.name for file in (tmp_path / "out").glob("*.jsonl")) == [
        *(f"mpt-am_load-{n:03d}.jsonl" for n in (4, 8)),
        *(f"mpt-barrier-{n:03d}.jsonl" for n in (2, 4, 8)),
        *(f"mpt-mpi_load-{n:03d}.jsonl" for n in (4, 8)),
    ]


def test_missing_program_says_what_the_build_lacked(build, tmp_path):
    row = programs.parse(
        '[[program]]\nname="x"\nfile="p/x"\npes=0\nseconds={quick=1,full=1}\nlibrary="none"\n'
        'tests=["t"]\nneeds="OpenBLAS (libopenblas-dev)"\n',
        "p",
    )[0]
    words = plan.missing_text(row, plan.Library("mpt", build / "bench", ()))
    assert words == "x (mpt): the build needs OpenBLAS (libopenblas-dev)"


def test_list_and_missing_build(tmp_path, monkeypatch, capsys):
    assert cli.main(["bench", "--list"]) == 0
    listed = capsys.readouterr().out
    assert all(one.name in listed for one in programs.load())
    monkeypatch.setattr("mpt_report.measuring.found_build", lambda given, home: given)
    assert cli.main(["bench"]) == 2
    assert "--build DIR" in capsys.readouterr().err


def test_wrong_options_are_explained(capsys):
    for words, said in (
        (["--vs", "lam"], "no library lam"),
        (["--peer-prefix", "mpich"], "is not NAME=DIR"),
        (["--quick", "--full"], "not allowed with"),
        (["--only", "limits", "--quick", "barrier"], "'barrier' is no option"),
        (["--only", "no"], "no program no"),
    ):
        with pytest.raises(SystemExit) as stopped:
            cli.main(["bench", *words])
        assert stopped.value.code == 2
        assert said in capsys.readouterr().err


def test_library_that_is_not_there_is_told(build, tmp_path, capsys):
    empty = tmp_path / "empty"
    empty.mkdir()
    assert bench(build, tmp_path / "out", "--vs", "mpich", "--peer-prefix", f"mpich={empty}") == 1
    assert "mpich: none of mpiexec.mpich, mpiexec.hydra, mpiexec in" in capsys.readouterr().err


def test_programs_are_found_in_a_build_folder_and_in_a_prefix_but_not_among_sources(tmp_path):
    installed = tmp_path / "prefix/libexec/mpt/bench"
    installed.mkdir(parents=True)
    assert measuring.found_build(None, str(tmp_path / "prefix")) == str(tmp_path / "prefix")
    assert measuring.own_library(tmp_path / "prefix", None).folder == installed
    built = tmp_path / "build/bench"
    built.mkdir(parents=True)
    assert measuring.own_library(tmp_path / "build", None).folder == built
    (built / "CMakeLists.txt").write_text("")  # a source tree, whose bench/ has no programs
    assert places.programs_of(tmp_path / "build") is None
