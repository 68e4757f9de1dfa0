# SPDX-License-Identifier: BSD-3-Clause
"""What the recorder really writes, read; where MPT_BUILD names a build folder with the examples."""

import os
import subprocess
from pathlib import Path

import pytest

from mpt_report import cli
from mpt_report.trace.analysis import load

BUILD = os.environ.get("MPT_BUILD")
PROGRAM = Path(BUILD or "") / "tests/t_examples_mpi_stencil"
STEPS = 40

pytestmark = pytest.mark.skipif(not BUILD or not PROGRAM.exists(), reason="MPT_BUILD names no build with examples")


@pytest.mark.parametrize("words", [(), ("even", "all")])
def test_every_message_of_the_stencil_has_both_ends(tmp_path, capsys, words):
    """Three PEs send 2 rows between neighbours in each step; barrier and reduction are matched; lines are known."""
    command = [f"{BUILD}/bin/mptrun", "-n", "3", "--trace", str(tmp_path / "traced"), str(PROGRAM), *words]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr
    found = load(tmp_path / "traced")
    events, messages = found.events, found.messages
    assert len(messages.sent) == 4 * STEPS
    assert not len(messages.only_sent) and not len(messages.only_received) and not messages.twice
    assert (events.bytes[messages.sent] == events.bytes[messages.received]).all()
    assert found.collectives.whole.all()
    # an end lies behind its send, on one host with one clock
    assert (events.end[events.owner[messages.received]] >= events.begin[messages.sent]).all()
    assert cli.main(["trace", str(tmp_path / "traced")]) == 0
    assert "MPI_Barrier" in capsys.readouterr().out
