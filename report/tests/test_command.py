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
