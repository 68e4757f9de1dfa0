# SPDX-License-Identifier: BSD-3-Clause
"""The comparison of MPI libraries between two hosts: what is read from records, and the table made of it."""

from __future__ import annotations

import argparse
import json
import shutil
from pathlib import Path

import pytest

from mpt_report.drive import mpi_hosts


def record(test: str, median: float, **params) -> str:
    return json.dumps({"test": test, "median": median, "params": {"npes": 2, **params}})


def test_written_data_have_rows_of_their_own(tmp_path: Path) -> None:
    file = tmp_path / "records.jsonl"
    file.write_text(
        "\n".join(
            [
                json.dumps({"test": "environment"}),
                record("mpi_latency", 7.0, message_bytes=4096),
                record("mpi_latency", 12.0, message_bytes=4096, cache="written"),
                record("mpi_collective", 9.0, call="MPI_Bcast", message_bytes=8),
            ]
        )
    )
    assert mpi_hosts.medians(file) == {
        ("latency", 2, 4096): 7.0,
        ("latency, written", 2, 4096): 12.0,
        ("bcast", 2, 8): 9.0,
    }


def test_wrong_data_end_the_comparison(tmp_path: Path) -> None:
    file = tmp_path / "records.jsonl"
    file.write_text(json.dumps({"test": "mpi_rate", "median": 1, "verified": False, "params": {"npes": 2}}))
    with pytest.raises(SystemExit, match="wrong data"):
        mpi_hosts.medians(file)


def test_better_is_less_time_and_more_of_the_rest() -> None:
    assert mpi_hosts.better("latency, written", 3, 2) == 2
    assert mpi_hosts.better("bandwidth, written", 3, 2) == 3
    assert mpi_hosts.better("alltoall", 3, None) == 3


def test_a_column_for_each_peer() -> None:
    lines = mpi_hosts.table(
        {
            "mpt": {("bcast", 4, 8192): 10.0, ("rate", 2, 8): 2.0},
            "openmpi": {("bcast", 4, 8192): 20.0},
            "mpich": {("rate", 2, 8): 1.0},
        }
    )
    assert lines[0] == "| what | ranks | size | MPT | Open MPI, tcp | ratio | MPICH | ratio |"
    assert lines[2:] == [
        "| rate | 2 | 8 B | 2 M/s | - | - | 1 M/s | 2.00 |",
        "| bcast | 4 | 8 KiB | 10 µs | 20 µs | 0.50 | - | - |",
    ]


def test_peers_that_are_named_must_be_there(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture) -> None:
    monkeypatch.setattr(shutil, "which", lambda name: name if name == "here" else None)
    assert mpi_hosts.peers_of(["mpich=here"]) == {"mpich": "here"}
    assert mpi_hosts.peers_of(None) == {} and "left out" in capsys.readouterr().err
    with pytest.raises(SystemExit, match="no such program"):
        mpi_hosts.peers_of(["openmpi=elsewhere"])
    with pytest.raises(SystemExit, match="expected one of"):
        mpi_hosts.peers_of(["another"])


def test_launchers_tell_what_each_library_needs() -> None:
    args = argparse.Namespace(build=Path("/b"), peers={"mpich": "/m/bin/mpicc"})
    words = mpi_hosts.command(args, Path("/s"), "mpich", Path("/p"), 4, ["--quick"])
    assert "/m/bin/mpiexec.hydra" in words and words[-4:] == ["4", "{own}", "/p", "--quick"]
    assert words[words.index("FI_TCP_IFACE") - 1] == "-genv" and "--per-host" in words
