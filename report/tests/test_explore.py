# SPDX-License-Identifier: BSD-3-Clause
"""mpt explore with a launcher of its own, which fails as the test wants."""

import sys
import time
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from mpt_report import cli
from mpt_report.explore import junit, plot, shrink, trial
from mpt_report.explore.plot import Plot
from test_drive import executable

ROOT = Path(__file__).resolve().parents[2]
# Fails with seeds from BAD on, if PE 1 may be late and so often as 5 times.
LAUNCHER = """#!{python}
import sys, time
words = sys.argv[1:]
adversary = words[words.index("--adversary") + 1] if "--adversary" in words else None
seed, kinds, limit, pes = ((adversary or "0") + ":::").split(":")[:4]
hit = adversary and int(seed) >= {bad} and (not kinds or "late" in kinds) and int(limit or 99) >= 5
hit = hit and (not pes or "1" in pes.split(","))
print("about", "this" if hit and {output} else "that")
print("in words:", *words[words.index("--"):])
if hit and not {output}:
    print("it failed", file=sys.stderr)
    time.sleep({sleep})
    sys.exit({status})
"""


@pytest.fixture
def launcher(tmp_path):
    def make(bad=3, status=1, output=False, sleep=0):
        text = LAUNCHER.format(python=sys.executable, bad=bad, status=status, output=output, sleep=sleep)
        return str(executable(tmp_path / "launcher", text))

    return make


def explore(launcher, *words, program=("./a.out", "7")):
    return cli.main(["explore", "--launcher", launcher, "-n", "6", "-j", "2", *words, "--", *program])


def test_kinds_are_those_of_the_library():
    assert plot.kinds_of(ROOT / "src/core/adversary/kinds.def") == plot.KINDS


def test_plots_are_written_as_the_library_reads_them():
    assert str(Plot(7)) == "7"
    assert str(Plot(7, ("late", "swap"))) == "7:late,swap"
    assert str(Plot(7, limit=3)) == "7::3"
    assert str(Plot(7, ("late",), 3, (0, 2))) == "7:late:3:0,2"


def test_first_failing_seed_is_shrunk_and_can_be_run_again(launcher, capsys):
    assert explore(launcher()) == 1
    out = capsys.readouterr().out
    assert "seed 3: exit status 1" in out and "it failed" in out
    assert "smallest:  3:late:5:1" in out
    assert "--adversary 3:late:5:1 -n 2 -- ./a.out 7" in out
    assert "gdb -q -batch -ex run -ex bt --args ./a.out 7" in out


def test_no_failure(launcher, capsys):
    assert explore(launcher(bad=99)) == 0
    assert "6 seeds from 1 on: none failed" in capsys.readouterr().out


def test_options_of_the_launcher_are_handed_on(launcher, capsys):
    assert explore(launcher(), "-np", "3", "--check", "--tasks=1", "-x", "A=1") == 1
    assert "-n 3 --check --tasks=1 -x A=1 -- ./a.out 7" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("status", "words"), [(86, "findings of --check"), (139, "signal SIGSEGV"), (124, "not ended")]
)
def test_how_it_failed_is_told(launcher, capsys, status, words):
    assert explore(launcher(status=status), "--shrink", "0") == 1
    assert words in capsys.readouterr().out


def test_hang_of_the_launcher_itself(launcher, monkeypatch, capsys):
    monkeypatch.setattr(trial, "GRACE_S", 0.0)
    assert explore(launcher(sleep=30), "--timeout", "1", "--shrink", "0") == 1
    assert "not ended after 1 s" in capsys.readouterr().out


def test_output_counts_when_asked_for(launcher, tmp_path, capsys):
    wrong = launcher(output=True)
    assert explore(wrong) == 0
    assert explore(wrong, "--same-output", "--shrink", "0") == 1
    expected = tmp_path / "expected"
    expected.write_text("in words: -- ./a.out 7\nabout that\n")
    assert explore(wrong, "--expect", str(expected), "--shrink", "0") == 1
    assert capsys.readouterr().out.count("seed 3: wrong output") == 2


def test_output_that_differs_anyway(tmp_path, capsys):
    text = f"#!{sys.executable}\nimport time\nprint(time.time_ns())\n"
    assert explore(str(executable(tmp_path / "launcher", text)), "--same-output") == 2
    assert "differs from run to run" in capsys.readouterr().err


def test_program_that_fails_anyway(tmp_path, capsys):
    assert explore(str(executable(tmp_path / "launcher", "#!/bin/sh\nexit 3\n"))) == 1
    assert "without the adversary, too: exit status 3" in capsys.readouterr().out


def test_junit(launcher, tmp_path):
    file = tmp_path / "found.xml"
    assert explore(launcher(), "-j", "1", "--junit", str(file)) == 1
    suite = ET.parse(file).getroot()
    assert (suite.get("tests"), suite.get("failures")) == ("3", "1")
    failure = suite.find("testcase[@name='seed 3']/failure")
    assert failure.get("message") == "exit status 1" and "3:late:5:1" in failure.text


def test_junit_of_any_bytes():
    text = ET.tostring(junit.document("a\x01b", [trial.Trial(Plot(1), "x", 0.5, "\x00")], "").getroot(), "unicode")
    assert ET.fromstring(text).get("name") == "a?b"


@pytest.mark.parametrize("words", [(), ("-np", "0"), ("-n", "0")])
def test_usage(words, capsys):
    program = ("./a.out",) if words else ()
    assert cli.main(["explore", "--launcher", "true", *words, "--", *program]) == 2
    assert "mpt explore: " in capsys.readouterr().err


def test_shrinking_ends_with_its_time():
    tried = []
    budget = shrink.Budget(1, time.monotonic() - 1)
    assert shrink.shrink(Plot(1), 2, lambda smaller: bool(tried.append(smaller)), budget) == Plot(1)
    assert not tried
