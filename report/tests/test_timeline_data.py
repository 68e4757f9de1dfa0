# SPDX-License-Identifier: BSD-3-Clause
"""What the timeline's page is given: columns that say what the trace says, and shares of time in bins."""

import base64
import zlib

import numpy as np
import pytest

from mpt_report.timeline import data, kinds, levels, select
from mpt_report.timeline.kinds import CallKind
from mpt_report.trace.events import events_of
from mpt_report.trace.format import Role
from mpt_report.trace.reader import read
from mpt_report.trace.writer import Writer


def small(folder):
    """A region, a message and a barrier of two PEs; 2.5 s."""
    with Writer(folder, 2) as out:
        out.region(0, "step", 0.0, 2.0)
        out.call(0, "MPI_Send", 1.0, 1.5, "a.c:7 in main", role=Role.SENDS, peer=1, tag=3, bytes=8, message=1)
        out.call(1, "MPI_Recv", 0.5, 1.6, "a.c:9 in main", role=Role.RECEIVES, peer=0, tag=3, bytes=8, message=1)
        for pe in range(2):
            group = out.pes[pe].group(77, range(2), "MPI_COMM_WORLD")
            out.call(pe, "MPI_Barrier", 2.0, 2.5, role=Role.COLLECTIVE, group=group, message=1)
    return read(folder)


def column(about, raw, name):
    """A column as the page unpacks it: planes of bytes, the first bytes of all numbers first."""
    one = next(one for one in about["columns"] if one["name"] == name)
    width = np.dtype(one["type"]).itemsize
    planes = np.frombuffer(raw, np.uint8, one["length"] * width, one["at"]).reshape(width, -1)
    return np.ascontiguousarray(planes.T).view(f"<{one['type']}").reshape(-1).tolist()


def test_columns_say_what_the_trace_says(tmp_path):
    trace = small(tmp_path)
    about, text = data.packed(select.shown(events_of(trace), select.Choice()), trace.job)
    raw = zlib.decompress(base64.b64decode(text))
    found = {one["name"]: column(about, raw, one["name"]) for one in about["columns"]}
    assert len(raw) == about["size"]
    assert found["counts"] == [2, 2]
    assert found["gap"] == [10**9, 10**9, 5 * 10**8, 15 * 10**8]
    assert found["time"] == [5 * 10**8, 5 * 10**8, 11 * 10**8, 5 * 10**8]
    assert found["kind"] == [CallKind.SEND, CallKind.COLLECTIVE, CallKind.RECEIVE, CallKind.COLLECTIVE]
    assert (found["message.from"], found["message.to"], found["message.time"]) == ([0], [2], [6 * 10**8])
    assert (found["band.call"], found["band.first"]) == ([1, 3], [0, 2])
    assert (found["span.time"], found["span.kind"]) == ([2 * 10**9], [1])
    whole = found["levels"][(2 * found["bins"][0] - 2) * len(CallKind) :][: len(CallKind)]
    assert whole == [51, 0, 0, 51, 0, 0, 0, 0]  # 0.5 s of 2.5 s each, of 255


def test_shares_divide_a_call_among_the_bins_that_it_touches():
    begin, end = np.array([0.5, 2.0]), np.array([1.5, 2.25])
    found = levels.shares(begin, end, np.array([0, 3], np.uint8), 4.0, 4)
    assert found[:, 0].tolist() == pytest.approx([0.5, 0.5, 0.0, 0.0])
    assert found[:, 3].tolist() == pytest.approx([0.0, 0.0, 0.25, 0.0])


def test_only_the_stretch_and_the_pes_that_were_asked_for(tmp_path):
    events = events_of(small(tmp_path))
    late = select.shown(events, select.Choice(first=1.9))
    assert [events.names[events.call[row]] for row in late.calls] == ["MPI_Barrier"] * 2
    one = select.shown(events, select.Choice(pes=frozenset({1})))
    assert (len(one.calls), len(one.messages.source), len(one.band_rows)) == (2, 0, 0)
    with pytest.raises(ValueError, match="nothing of the trace is left"):
        select.shown(events, select.Choice(pes=frozenset({7})))


@pytest.mark.parametrize(
    "name, kind",
    [
        ("MPI_Waitall", CallKind.WAIT),
        ("shmem_quiet", CallKind.SYNC),
        ("pvm_nrecv", CallKind.RECEIVE),
        ("x", CallKind.OTHER),
    ],
)
def test_calls_without_roles_go_by_their_names(name, kind):
    assert kinds.of_name(name) == kind
