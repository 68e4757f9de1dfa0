# SPDX-License-Identifier: BSD-3-Clause
"""The command mpt as a shell knows it: from the tree, through a link, and where Python lacks what it needs."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from test_drive import executable

COMMAND = Path(__file__).resolve().parents[1] / "mpt"


def call(path, *words, first=None):
    folder = first or Path(sys.executable).parent
    env = {**os.environ, "PATH": f"{folder}{os.pathsep}{os.environ['PATH']}"}
    env.pop("PYTHONPATH", None)
    return subprocess.run([str(path), *words], capture_output=True, text=True, timeout=60, env=env, check=False)


@pytest.fixture
def python3(tmp_path):
    """The interpreter of the tests under the name that the command looks for."""
    return executable(tmp_path / "bin/python3", f'#!/bin/sh\nexec {sys.executable} "$@"\n').parent


def test_command_runs_from_anywhere(tmp_path, python3):
    link = tmp_path / "elsewhere"
    link.symlink_to(COMMAND)
    done = call(link, "--version", first=python3)
    assert done.returncode == 0 and done.stdout.startswith("mpt-report "), done.stderr


def test_python_without_the_packages_is_told(tmp_path):
    executable(tmp_path / "bin/python3", "#!/bin/sh\nexit 1\n")
    done = call(COMMAND, "--version", first=tmp_path / "bin")
    assert done.returncode == 2
    assert "needs Python's packages jinja2, numpy, plotly and rich" in done.stderr
    assert "'mpt setup' brings the packages" in done.stderr


def test_setup_says_that_nothing_is_missing(python3):
    done = call(COMMAND, "setup", first=python3)
    assert done.returncode == 0 and "nothing is missing" in done.stdout


def test_setup_makes_an_environment_that_is_found_then(tmp_path, monkeypatch):
    """A python3 without the packages, whose environments are said to get them."""
    has = f'#!/bin/sh\nexec {sys.executable} "$@"\n'
    python = executable(
        tmp_path / "has", f'#!/bin/sh\n[ "$2" = pip ] && {{ echo "$@" > {tmp_path}/asked; exit; }}\n{has}'
    )
    make = f'[ "$2" = venv ] && mkdir -p "$3/bin" && cp {python} "$3/bin/python"'
    executable(
        tmp_path / "bin/python3", f"#!/bin/sh\ncase $* in *jinja2*) exit 1 ;; *version*) exit 0 ;; esac\n{make}\n"
    )
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    done = call(COMMAND, "setup", first=tmp_path / "bin")
    assert done.returncode == 0 and str(tmp_path / "data/mpt/venv") in done.stdout, done.stderr
    wanted = (COMMAND.parent / "pyproject.toml").read_text().split("dependencies = [", 1)[1].split("]", 1)[0]
    assert (tmp_path / "asked").read_text().split()[-4:] == [w.strip(' "') for w in wanted.split(",")]
    done = call(COMMAND, "--version", first=tmp_path / "bin")
    assert done.returncode == 0 and done.stdout.startswith("mpt-report "), done.stderr
