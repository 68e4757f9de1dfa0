# SPDX-License-Identifier: BSD-3-Clause
"""Who waited for whom in operations that end in another call than they begin in, in traces of a real program whose late
PE is known; where MPT_BUILD names a build folder."""

import os
import subprocess
from pathlib import Path

import numpy as np
import pytest

from mpt_report import cli
from mpt_report.timeline.select import Choice, shown
from mpt_report.trace.analysis import load
from mpt_report.trace.format import Kind
from mpt_report.trace.waitstates import KINDS

BUILD = Path(os.environ.get("MPT_BUILD") or "/nowhere")
SOURCE = Path(__file__).resolve().parents[2] / "tests" / "trace" / "later.c"
LEAST = 1e-3  # of the 150 ms by which the PE is late; the others may come late, too, where cores are few

pytestmark = pytest.mark.skipif(not (BUILD / "bin/mpicc").exists(), reason="MPT_BUILD names no build with mpicc")


@pytest.fixture(scope="module")
def program(tmp_path_factory):
    made = tmp_path_factory.mktemp("later") / "later"
    done = subprocess.run(
        [BUILD / "bin/mpicc", "-g", SOURCE, "-o", made], capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 0, done.stderr
    return made


def expected(n, late):
    """By region: the kinds that may be told, and the PEs that wait for the late one."""
    others = {pe for pe in range(n) if pe != late}
    partner, ring = (late + 1) % n, {(late - 1) % n, (late + 1) % n}
    barrier, everyone, root = {"wait at barrier"}, {"wait at NxN"}, {"late broadcast"}
    return {
        "ibarrier": (barrier, others),
        "iallreduce": (everyone, others),
        "ibcast": (root, others),
        "ireduce": ({"early reduce"}, {partner}),
        "iscan": ({"early scan"}, {pe for pe in range(n) if pe > late}),
        "tested": (barrier, others),
        "allreduce_init": (everyone, others),
        "bcast_again": (root, others),
        "startall": (everyone | root, others),
        "neighbor": ({"late neighbour"}, ring),
        "ineighbor": ({"late neighbour"}, ring),
        "parts": ({"late sender"}, {partner}),
        "parts_back": ({"late receiver"}, {partner}),
        "file": (everyone, others),
    }


def states(found):
    """(region, kind, PE that waited, PE that was late, seconds)."""
    events, waits = found.events, found.states
    regions = np.flatnonzero(events.kind == Kind.REGION)
    for kind, row, by, cost in zip(waits.kind, waits.row, waits.by, waits.cost, strict=True):
        around = regions[(events.lane[regions] == events.lane[row]) & (events.begin[regions] <= events.begin[row])]
        around = around[events.end[around] >= events.begin[row]]
        if len(around):
            yield (
                events.names[events.call[around[0]]],
                KINDS[kind],
                int(events.pe[row]),
                int(events.pe[by]),
                float(cost),
            )


@pytest.mark.parametrize(("n", "late", "options"), [(2, 0, []), (3, 2, []), (4, 1, []), (4, 2, ["--tasks=2"])])
def test_waits_are_told_where_they_end(program, tmp_path, capsys, n, late, options):
    folder = tmp_path / "trace"
    command = [BUILD / "bin/mptrun", "-n", str(n), *options, "--trace", folder, program, str(late), tmp_path / "file"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr
    found = load(folder)
    told = list(states(found))
    for region, (kinds, pes) in expected(n, late).items():
        waited = {
            pe for one, kind, pe, by, cost in told if (one, by) == (region, late) and kind in kinds and cost > LEAST
        }
        if region == "tested":
            pes = set()  # who loses its core between two tests has not waited in one
        assert waited >= pes, (region, [one for one in told if one[0] == region])
        # messages put the PEs in order before each operation; nothing else is told but what is expected
        others = {kind for one, kind, _, _, _ in told if one == region} - kinds
        assert others <= {"late sender", "late receiver"}, (region, others)
    events = found.events
    assert (events.end[found.states.row] + 1e-9 >= events.begin[found.states.row] + found.states.cost).all()
    assert cli.main(["trace", str(folder), "--check"]) == 0, capsys.readouterr().out
    # the late PE has most of the path: what the others do meanwhile is waiting
    on_path = np.bincount(found.path.lane, found.path.end - found.path.begin, len(events.lanes))
    assert events.lanes[int(np.argmax(on_path))][0] == late


def test_timeline_leads_from_the_beginning_to_the_end(program, tmp_path):
    """A band of a nonblocking operation goes from the calls that began it to those that completed it; partitions are
    arrows."""
    folder = tmp_path / "trace"
    command = [BUILD / "bin/mptrun", "-n", "3", "--trace", folder, program, "1", tmp_path / "file"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr
    events = load(folder).events
    seen = shown(events, Choice())
    pairs = {
        (events.names[events.call[begin]], events.names[events.call[end]])
        for begin, end in zip(seen.band_rows.tolist(), seen.band_ends.tolist(), strict=True)
    }
    assert pairs >= {
        ("MPI_Ibarrier", "MPI_Wait"),
        ("MPI_Ibarrier", "MPI_Test"),
        ("MPI_Iallreduce", "MPI_Waitall"),
        ("MPI_Start", "MPI_Wait"),
        ("MPI_Startall", "MPI_Waitall"),
        ("MPI_Neighbor_alltoall", "MPI_Neighbor_alltoall"),
    }
    sent = events.names
    leads = {sent[events.call[events.owner[row]]] for row in seen.messages.source.tolist()}
    assert {"MPI_Pready", "MPI_Pready_range", "MPI_Pready_list"} <= leads
