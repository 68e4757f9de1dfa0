# SPDX-License-Identifier: BSD-3-Clause
"""Hosts whose clocks are apart and drift are brought together by records CLOCK."""

import numpy as np
import pytest

from mpt_report.trace import analysis, clocks, reader, shown
from mpt_report.trace.facts import facts
from mpt_report.trace.format import Kind, Role
from mpt_report.trace.selection import Wanted, select
from mpt_report.trace.writer import EPOCH_NS, Writer

APART, DRIFT = 2.5, 2e-4  # of host b: seconds at the begin, and seconds a second


def late(seconds):
    """What host b's clock says, in seconds since its header's moment, when so many have passed at host a."""
    return seconds * (1 + DRIFT)


def two_hosts(folder, measured, sends=40):
    """PE 1 answers each message of PE 0 after a microsecond. measured: (moment, error) of each comparison."""
    with Writer(folder, 2, hosts=["a", "b"]) as out:
        out.pes[1].epoch_ns = EPOCH_NS + round(APART * 1e9)
        for moment, error in measured:
            apart = moment - APART - late(moment)
            out.pes[1].add(
                Kind.CLOCK, late(moment), value=round((apart + 0.6 * error) * 1e9) % 2**64, bytes=round(error * 1e9)
            )
        for number in range(1, sends + 1):
            at = number / 4
            out.call(0, "MPI_Send", at, at + 1e-6, role=Role.SENDS, peer=1, bytes=8, message=number)
            out.call(
                1, "MPI_Recv", late(at - 0.1), late(at + 2e-6), role=Role.RECEIVES, peer=0, bytes=8, message=number
            )
    return folder


def told(folder):
    found = analysis.load(folder)
    return found, facts(found, select(found, Wanted()))


def test_clocks_that_drift_are_brought_together(tmp_path):
    found, said = told(two_hosts(tmp_path, [(0.0, 1e-6), (10.0, 1e-6)]))
    assert said["matched"]["messages"] == 40
    assert said["matched"]["before_sent"] == 0
    late_by = found.events.end[found.messages.received] - found.events.begin[found.messages.sent]
    assert np.abs(late_by - 2e-6).max() <= said["job"]["clock_error"] == pytest.approx(1e-6)
    assert "clocks of 2 hosts brought together: times are right to 1" in "\n".join(shown.head(said))


def test_a_bad_comparison_is_left_out_where_a_better_one_is_near(tmp_path):
    trace = reader.read(two_hosts(tmp_path, [(0.0, 1e-6), (5.0, 8e-3), (5.1, 1e-6), (10.0, 1e-6)]))
    assert len(clocks.clocks(trace)[1].moments) == 3
    trace = reader.read(two_hosts(tmp_path, [(0.0, 1e-6), (5.0, 1e-4), (10.0, 1e-6)]))
    assert len(clocks.clocks(trace)[1].moments) == 3  # they may have drifted by more until then


def test_beyond_the_last_comparison_the_drift_goes_on(tmp_path):
    _, said = told(two_hosts(tmp_path, [(0.0, 1e-7), (5.0, 1e-7)]))
    assert said["matched"]["before_sent"] == 0


def test_clocks_that_nobody_compared_are_said(tmp_path):
    _, said = told(two_hosts(tmp_path, []))
    notices = "\n".join(shown.notices(said))
    assert "clocks that were not compared with that of PE 0's host: b" in notices
    with Writer(tmp_path, 2, hosts=["a", "b"]) as out:
        out.call(0, "MPI_Send", 1.0, 1.5, role=Role.SENDS, peer=1, bytes=8, message=1)
        out.call(1, "MPI_Recv", 0.5, 0.6, role=Role.RECEIVES, peer=0, bytes=8, message=1)
    _, said = told(tmp_path)
    assert "messages that arrive before they were sent, by the clocks of their hosts: 1" in "\n".join(
        shown.notices(said)
    )


def test_hosts_that_read_one_clock_need_no_correction(tmp_path):
    with Writer(tmp_path, 2) as out:
        out.pes[1].add(Kind.CLOCK, 0.0, value=5000, bytes=9000)
        out.call(0, "MPI_Barrier", 1.0, 2.0)
        out.call(1, "MPI_Barrier", 1.0, 2.0)
    found, said = told(tmp_path)
    assert said["job"]["clock_error"] == 0
    assert found.events.begin.tolist() == [0.0, 0.0]
