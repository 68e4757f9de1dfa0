# SPDX-License-Identifier: BSD-3-Clause
"""Driving programs: the plan, progress, failures, time limits and Ctrl-C, with programs of our own making."""

import io
import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from rich.console import Console

from conftest import environment, record
from mpt_report.drive import measure, plan, programs
from mpt_report.drive.child import run_step
from mpt_report.drive.display import Estimate, clock

PACKAGE = Path(__file__).resolve().parents[1]

PROGRAM = """#!{python}
import json, sys, time
args = sys.argv[1:]
out = args[args.index("--out") + 1]
with open(out, "w") as stream:
    for line in {lines!r}:
        print(json.dumps(line), file=stream, flush=True)
    print("progress 1/2 half way", file=sys.stderr, flush=True)
    {body}
"""

LAUNCHER = """#!/bin/sh
# started as: launcher -np N program options
[ "$1" = -np ] || exit 9
shift 2
exec "$@"
"""


def executable(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    path.chmod(0o755)
    return path


def program(path, body="pass", lines=None):
    lines = lines or [environment(), record("barrier", {"npes": 2}, "barrier_time", "us", 0.5)]
    return executable(path, PROGRAM.format(python=sys.executable, lines=lines, body=body))


@pytest.fixture
def build(tmp_path):
    """A build folder with a launcher and one good program."""
    executable(tmp_path / "build/bin/oshrun", LAUNCHER)
    program(tmp_path / "build/bench/barrier")
    return tmp_path / "build"


def library(build, name="mpt"):
    return plan.Library(name, build / "bench", (str(build / "bin/oshrun"),))


def step(path, out, seconds=1.0):
    return plan.Step("a step", (str(path), "--out", str(out)), out, seconds, {})


def test_demo_covers_the_newsletter_within_two_minutes(build, tmp_path):
    for name in ("limits", "pingpong", "single_pairs", "multiple_pairs", "put_get"):
        program(build / "bench" / name)
    steps, missing = plan.make([library(build)], plan.Order(tmp_path, "demo", pes=(2,)))
    assert [step.title for step in steps] == [
        "limits",
        "ping_pong, 2 PEs",
        "single_pairs, 2 PEs",
        "multiple_pairs, 2 PEs",
        "barrier, 2 PEs",
        "barrier, 4 PEs",
        "barrier, 8 PEs",
        "barrier, 16 PEs",
    ]
    assert missing == []
    assert sum(step.seconds for step in steps) < 100


def test_full_plan_says_what_is_missing(build, tmp_path):
    steps, missing = plan.make([library(build)], plan.Order(tmp_path))
    assert [step.title for step in steps] == [f"barrier, {n} PEs" for n in (2, 4, 8, 16, 32, 64)]
    assert "limits (mpt)" in missing and "barrier (mpt)" not in missing


def test_commands_carry_the_common_options(build, tmp_path):
    order = plan.Order(tmp_path, "quick", only=("barrier",), scale=(3,), extra=("--target", "heap"))
    (step,), _ = plan.make([library(build)], order)
    assert step.command == (
        str(build / "bin/oshrun"),
        "-np",
        "3",
        str(build / "bench/barrier"),
        "--out",
        str(tmp_path / "mpt-barrier-003.jsonl"),
        "--progress",
        "--max-seconds",
        "1",
        "--quick",
        "--target",
        "heap",
    )


def test_peer_takes_turns_and_skips_the_machine_limits(build, tmp_path):
    program(build / "bench/limits")
    order = plan.Order(tmp_path, "quick", only=("limits", "barrier"), scale=(2, 4))
    steps, _ = plan.make([library(build), library(build, "openmpi")], order)
    assert [step.out.name for step in steps] == [
        "mpt-limits.jsonl",
        "mpt-barrier-002.jsonl",
        "openmpi-barrier-002.jsonl",
        "mpt-barrier-004.jsonl",
        "openmpi-barrier-004.jsonl",
    ]


def test_burner_repeats_what_waits_in_files_of_its_own(build, tmp_path):
    program(build / "bench/limits")
    order = plan.Order(tmp_path, "quick", only=("limits", "barrier"), scale=(2,), burner=True)
    steps, _ = plan.make([library(build)], order)
    assert [step.out.name for step in steps] == [
        "mpt-limits.jsonl",
        "mpt-barrier-002.jsonl",
        "mpt-barrier-002-burner.jsonl",
    ]
    assert "--burner" in steps[-1].command and "--burner" not in steps[-2].command


def test_launch_goes_by_the_name_the_library_gave_itself(build, tmp_path):
    launch = program(build / "bench/launch", body="open(out + '.args', 'w').write(' '.join(args))")
    out = tmp_path / "out"
    steps, _ = plan.make([library(build)], plan.Order(out, "quick", only=("barrier", "launch"), scale=(2,)))
    measure(steps, out, Console(file=io.StringIO()))
    args = (out / "mpt-launch.jsonl.args").read_text()
    assert args.endswith("--implementation MPT 0.1.0")
    assert f"--launcher {build / 'bin/oshrun'} -np {{n}}" in args
    assert steps[-1].command[0] == str(launch)


def test_step_reports_progress_and_keeps_records(tmp_path):
    seen = []
    path = program(tmp_path / "p", body="print('a word', file=sys.stderr)")
    outcome = run_step(step(path, tmp_path / "o.jsonl"), lambda *args: seen.append(args), tmp_path / "log")
    assert outcome.problem == ""
    assert seen == [(1, 2, "half way")]
    assert [json.loads(line)["test"] for line in (tmp_path / "o.jsonl").read_text().splitlines()] == [
        "environment",
        "barrier",
        "state",
    ]
    assert "a word" in (tmp_path / "log").read_text()
    assert "half way" not in (tmp_path / "log").read_text()


@pytest.mark.parametrize(
    "body, problem",
    [
        ("sys.stderr.write('it broke\\n'); sys.exit(3)", "exit status 3"),
        ("import os; os.kill(os.getpid(), 11)", "killed by SIGSEGV"),
    ],
)
def test_failure_is_described(tmp_path, body, problem):
    path = program(tmp_path / "p", body=body)
    outcome = run_step(step(path, tmp_path / "o.jsonl"), lambda *_: None, tmp_path / "log")
    assert outcome.problem == problem
    if "broke" in body:
        assert outcome.last_words == ("it broke",)


def test_program_that_cannot_start_and_one_that_writes_nothing(tmp_path):
    outcome = run_step(step(tmp_path / "absent", tmp_path / "o.jsonl"), lambda *_: None, tmp_path / "log")
    assert outcome.problem.startswith("cannot start")
    silent = executable(tmp_path / "silent", "#!/bin/sh\nexit 0\n")
    outcome = run_step(step(silent, tmp_path / "o.jsonl"), lambda *_: None, tmp_path / "log")
    assert outcome.problem == "wrote no records"


def test_hanging_program_and_its_children_are_ended(tmp_path, monkeypatch):
    monkeypatch.setattr(plan.Step, "hard_limit", property(lambda _: 0.8))
    pid_file = tmp_path / "child.pid"
    path = program(
        tmp_path / "p",
        body="import subprocess; child = subprocess.Popen(['sleep', '60']); "
        f"open({str(pid_file)!r}, 'w').write(str(child.pid)); time.sleep(60)",
    )
    started = time.monotonic()
    outcome = run_step(step(path, tmp_path / "o.jsonl"), lambda *_: None, tmp_path / "log")
    assert outcome.problem == "stopped after its limit of 1 s"
    assert time.monotonic() - started < 10
    assert (tmp_path / "o.jsonl").exists()
    assert gone(int(pid_file.read_text()))


@pytest.mark.parametrize("new", ["os.setpgid(0, 0)", "os.setsid()"])
def test_processes_that_a_launcher_gave_groups_of_their_own_are_ended(tmp_path, monkeypatch, new):
    """Also when the launcher itself does not heed the request, so that nobody else ends them."""
    monkeypatch.setattr(plan.Step, "hard_limit", property(lambda _: 4.0))
    monkeypatch.setattr("mpt_report.drive.child.GRACE_S", 0.2)
    pid_file = tmp_path / "child.pid"
    path = program(
        tmp_path / "p",
        body="import os, signal, subprocess; signal.signal(signal.SIGTERM, signal.SIG_IGN); "
        f"child = subprocess.Popen(['sleep', '60'], preexec_fn=lambda: {new}); "
        f"open({str(pid_file)!r}, 'w').write(str(child.pid)); time.sleep(60)",
    )
    started = time.monotonic()
    outcome = run_step(step(path, tmp_path / "o.jsonl"), lambda *_: None, tmp_path / "log")
    assert outcome.timed_out
    assert time.monotonic() - started < 40  # one that is left holds the pipe that its words come by
    assert gone(int(pid_file.read_text()))


def gone(pid, wait_s=5.0):
    """True once the process is dead; an unreaped one counts as dead."""
    until = time.monotonic() + wait_s
    while time.monotonic() < until:
        try:
            state = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0]
        except FileNotFoundError:
            return True
        if state == "Z":
            return True
        time.sleep(0.05)
    return False


def test_failed_step_does_not_end_the_run(tmp_path):
    bad = program(tmp_path / "bad", body="sys.exit(1)")
    good = program(tmp_path / "good")
    steps = [step(bad, tmp_path / "out/bad.jsonl"), step(good, tmp_path / "out/good.jsonl")]
    stream = io.StringIO()
    result = measure(steps, tmp_path / "out", Console(file=stream, width=100))
    assert result.problems == ["a step: exit status 1"]
    assert [file.name for file in result.files] == ["bad.jsonl", "good.jsonl"]
    assert "[1/2] a step, about 0:02 left" in stream.getvalue()
    assert "\x1b" not in stream.getvalue()


def test_terminal_gets_a_bar(tmp_path):
    steps = [step(program(tmp_path / "good", body="time.sleep(0.3)"), tmp_path / "out/good.jsonl")]
    stream = io.StringIO()
    measure(steps, tmp_path / "out", Console(file=stream, width=100, force_terminal=True))
    assert "a step: half way" in stream.getvalue()
    assert re.search(r"0:0\d left", stream.getvalue())


def test_time_left_shrinks_to_nothing():
    steps = [plan.Step(str(n), (), Path("x"), 10.0, {}) for n in range(3)]
    estimate = Estimate(steps)
    estimate.begin(0)
    first = estimate.left()
    estimate.advance(1, 2)
    assert estimate.done == pytest.approx(5)
    estimate.finish(5.0)
    assert estimate.left() < first / 2  # the first step took half of what it was allowed
    for _ in (1, 2):
        estimate.finish(5.0)
    assert estimate.left() == 0
    assert estimate.done == estimate.total
    assert clock(65) == "1:05"


def heed_interrupts():
    """A shell lets its background jobs ignore SIGINT, and that is inherited."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def run_command(*args, **more):
    return subprocess.Popen(
        [sys.executable, "-m", "mpt_report", "run", *map(str, args)],
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": str(PACKAGE)},
        preexec_fn=heed_interrupts,
        **more,
    )


def test_run_command_measures_prints_and_writes_the_page(build, tmp_path):
    out = tmp_path / "out"
    process = run_command("--build", build, "--out", out, "--quick", "--only", "barrier", "--scale", "2")
    text, errors = process.communicate(timeout=60)
    assert process.returncode == 0, errors
    assert "Table 2. Barrier Rates" in text
    assert "[1/1] barrier, 2 PEs" in errors
    assert (out / "report.html").stat().st_size > 1_000_000
    assert [json.loads(line)["test"] for line in (out / "mpt-barrier-002.jsonl").read_text().splitlines()] == [
        "environment",
        "barrier",
        "state",
    ]


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_interrupt_keeps_what_was_measured(build, tmp_path, number):
    program(build / "bench/reduce", body="time.sleep(60)")
    out = tmp_path / "out"
    process = run_command("--build", build, "--out", out, "--quick", "--only", "barrier,reduce", "--scale", "2")
    until = time.monotonic() + 30
    while not (out / "mpt-reduce-002.jsonl").exists() and time.monotonic() < until:
        time.sleep(0.05)
    time.sleep(0.3)
    process.send_signal(number)
    text, errors = process.communicate(timeout=30)
    assert process.returncode == 130, errors
    assert "interrupted; what was measured until then is kept" in errors
    assert "Table 2. Barrier Rates" in text
    assert (out / "report.html").exists()


def test_new_run_replaces_old_records_of_the_same_library_only(build, tmp_path):
    out = tmp_path / "out"
    out.mkdir()
    for name in ("mpt-old.jsonl", "openmpi-old.jsonl"):
        (out / name).write_text(json.dumps(environment()) + "\n", encoding="utf-8")
    process = run_command("--build", build, "--out", out, "--quick", "--scale", "2")
    process.communicate(timeout=60)
    assert process.returncode == 1  # programs are missing, and it says so
    assert not (out / "mpt-old.jsonl").exists()
    assert (out / "openmpi-old.jsonl").exists()


def test_program_that_starts_jobs_starts_those_of_more_pes_than_cores_too(build, tmp_path):
    peer = plan.Library(
        "openmpi", build / "bench", ("mpirun", "--bind-to", "core"), crowded=("mpirun", "--oversubscribe")
    )
    row = next(program for program in programs.load() if program.launcher)
    words = plan.options_of(peer, row, tmp_path / "one.jsonl", plan.Order(out=tmp_path), burner=False)
    assert words[words.index("--launcher") + 1] == "mpirun --oversubscribe -np {n}"
