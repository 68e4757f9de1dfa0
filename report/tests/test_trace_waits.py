# SPDX-License-Identifier: BSD-3-Clause
"""What belongs together, wait states and the critical path, in traces whose answers are worked out by hand."""

import numpy as np
import pytest

from mpt_report.trace.analysis import load
from mpt_report.trace.format import NO_RECORD, Kind, Role
from mpt_report.trace.waitstates import KINDS
from mpt_report.trace.writer import Writer


class Job(Writer):
    """A trace to be, with the calls that the tests make often."""

    def __init__(self, folder, pes, **job):
        super().__init__(folder, pes, **job)
        self.sent = {}

    def send(self, source, target, begin, end, name="MPI_Send", size=8, **fields):
        number = self.sent[source, target] = self.sent.get((source, target), 0) + 1
        fields = {"role": Role.SENDS, "peer": target, "bytes": size, "message": number, "site": "send.c:1"} | fields
        return self.call(source, name, begin, end, **fields)

    def receive(self, target, source, begin, end, number=1, name="MPI_Recv", size=8, **fields):
        fields = {"role": Role.RECEIVES, "peer": source, "bytes": size, "message": number, "site": "recv.c:1"} | fields
        return self.call(target, name, begin, end, **fields)

    def together(self, name, begins, end, root=-1, number=1, **fields):
        for pe, begin in enumerate(begins):
            self.call(pe, name, begin, end, role=Role.COLLECTIVE, peer=root, message=number, **fields)


def states(folder):
    """(kind, PE that waited, PE that was late): cost."""
    found = load(folder)
    events, waits = found.events, found.states
    rows = zip(waits.kind, waits.row, waits.by, waits.cost, strict=True)
    told = {}
    for kind, row, by, cost in rows:
        key = (KINDS[kind], int(events.pe[row]), int(events.pe[by]))
        told[key] = told.get(key, 0.0) + float(cost)
    return told


def only(folder, key, cost):
    assert states(folder) == {key: pytest.approx(cost, abs=1e-6)}


def test_late_sender(tmp_path):
    with Job(tmp_path, 2) as out:
        out.receive(1, 0, 0.0, 3.1)
        out.send(0, 1, 3.0, 3.05)
    only(tmp_path, ("late sender", 1, 0), 3.0)


def test_a_wait_costs_no_more_than_its_call(tmp_path):
    """Clocks that are a little apart: the send seems to begin after the receive has ended."""
    with Job(tmp_path, 2) as out:
        out.receive(1, 0, 0.0, 2.9)
        out.send(0, 1, 3.0, 3.05)
    only(tmp_path, ("late sender", 1, 0), 2.9)


def test_a_probe_waits_for_what_is_received_then(tmp_path):
    with Job(tmp_path, 2) as out:
        out.call(1, "MPI_Probe", 0.0, 3.1, peer=-2)
        out.receive(1, 0, 3.2, 3.3)
        out.call(1, "MPI_Probe", 3.4, 3.5, peer=-2)
        out.send(0, 1, 3.0, 3.05)
    only(tmp_path, ("late sender", 1, 0), 3.0)


def test_late_receiver(tmp_path):
    with Job(tmp_path, 2) as out:
        out.send(0, 1, 1.0, 4.2, name="MPI_Ssend")
        out.receive(1, 0, 4.0, 4.2)
    only(tmp_path, ("late receiver", 0, 1), 3.0)


def test_a_send_that_did_not_wait_is_no_late_receiver(tmp_path):
    with Job(tmp_path, 2) as out:
        out.send(0, 1, 1.0, 1.2)
        out.receive(1, 0, 4.0, 4.2)
    assert states(tmp_path) == {}


def test_requests_wait_where_they_are_completed(tmp_path):
    """PE 0 waits for its send until PE 1 wants it, PE 1 in MPI_Waitall for the later of two messages."""
    with Job(tmp_path, 2) as out:
        out.send(0, 1, 0.0, 0.1, name="MPI_Isend", size=1 << 20, role=Role.SENDS | Role.BEGINS)
        out.call(0, "MPI_Wait", 0.2, 2.5)
        out.call(0, "", 2.5, 2.5, kind=Kind.SENT, peer=1, message=1)
        out.send(0, 1, 5.0, 5.1)
        first = out.call(1, "MPI_Irecv", 2.0, 2.1, role=Role.BEGINS)
        out.call(1, "MPI_Irecv", 2.2, 2.3, role=Role.BEGINS)
        out.call(1, "MPI_Waitall", 3.0, 5.2)
        out.receive(1, 0, 5.2, 5.2, 1, kind=Kind.RECEIVE, value=first)
        out.receive(1, 0, 5.2, 5.2, 2, kind=Kind.RECEIVE, value=NO_RECORD)
    found = states(tmp_path)
    assert found == {("late receiver", 0, 1): pytest.approx(1.8), ("late sender", 1, 0): pytest.approx(2.0)}


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("MPI_Barrier", "wait at barrier"),
        ("shmem_barrier_all", "wait at barrier"),
        ("pvm_barrier", "wait at barrier"),
        ("MPI_Allreduce", "wait at NxN"),
        ("MPI_Alltoallv", "wait at NxN"),
        ("shmem_int_sum_reduce", "wait at NxN"),
        ("MPI_Win_fence", "wait at fence"),
    ],
)
def test_all_wait_for_the_last(tmp_path, name, kind):
    with Job(tmp_path, 3) as out:
        out.together(name, (1.0, 4.0, 3.0), 4.5)
    assert states(tmp_path) == {(kind, 0, 1): pytest.approx(3.0), (kind, 2, 1): pytest.approx(1.0)}


def test_late_broadcast(tmp_path):
    with Job(tmp_path, 3) as out:
        out.together("MPI_Bcast", (1.0, 2.5, 3.0), 3.5, root=1)
    only(tmp_path, ("late broadcast", 0, 1), 1.5)


def test_early_reduce(tmp_path):
    with Job(tmp_path, 3) as out:
        out.together("MPI_Reduce", (1.0, 2.5, 3.0), 3.5, root=0)
    only(tmp_path, ("early reduce", 0, 2), 2.0)


def test_early_scan(tmp_path):
    """PE 1 waits for 0; PE 2 for the later one of 0 and 1; PE 0 for nobody."""
    with Job(tmp_path, 3) as out:
        out.together("MPI_Scan", (2.0, 1.0, 0.5), 2.5)
    assert states(tmp_path) == {("early scan", 1, 0): pytest.approx(1.0), ("early scan", 2, 0): pytest.approx(1.5)}


def test_who_left_before_the_last_came_did_not_wait(tmp_path):
    """An operation that needs less than all members: PE 0 was gone before PE 1 came, PE 2 was not."""
    with Job(tmp_path, 3) as out:
        for pe, (begin, end) in enumerate(((1.0, 2.0), (4.0, 4.5), (3.0, 4.5))):
            out.call(pe, "MPI_Allgatherv", begin, end, role=Role.COLLECTIVE, message=1)
    only(tmp_path, ("wait at NxN", 2, 1), 1.0)


def later(out, pe, name, begin, wait, end, number=1, waits="MPI_Wait", **fields):
    """A nonblocking collective call and the call that completes it."""
    known = {"group": fields.get("group", 0), "peer": fields.get("peer", -1), "message": number}
    begun = out.call(pe, name, begin, begin + 0.1, role=Role.COLLECTIVE | Role.BEGINS, **known)
    out.call(pe, waits, wait, end)
    out.call(pe, "", end, end, kind=Kind.DONE, role=Role.COLLECTIVE, value=begun, **known)


def test_nonblocking_calls_wait_where_they_are_completed(tmp_path):
    """PE 0 waits from 2.0 until PE 2 begins at 5.0; PE 1 only looks when all have begun; PE 2 is last."""
    with Job(tmp_path, 3) as out:
        later(out, 0, "MPI_Iallreduce", 1.0, 2.0, 5.5)
        later(out, 1, "MPI_Iallreduce", 1.5, 5.4, 5.6)
        later(out, 2, "MPI_Iallreduce", 5.0, 5.2, 5.4)
    only(tmp_path, ("wait at NxN", 0, 2), 3.0)


@pytest.mark.parametrize(
    ("name", "root", "told"),
    [
        ("MPI_Ibarrier", -1, {("wait at barrier", 0, 2): 3.0, ("wait at barrier", 1, 2): 2.0}),
        ("MPI_Ibcast", 2, {("late broadcast", 0, 2): 3.0, ("late broadcast", 1, 2): 2.0}),
        ("MPI_Ibcast", 0, {}),
        ("MPI_Ireduce", 0, {("early reduce", 0, 2): 3.0}),
        ("MPI_Iscan", -1, {}),
    ],
)
def test_nonblocking_calls_wait_for_whom_they_need(tmp_path, name, root, told):
    with Job(tmp_path, 3) as out:
        for pe, begin in enumerate((1.0, 2.0, 5.0)):
            later(out, pe, name, begin, begin + 1, 6.0, peer=root)
    assert states(tmp_path) == {key: pytest.approx(cost) for key, cost in told.items()}


def test_a_started_collective_is_told_by_its_own_name(tmp_path):
    """Two persistent ones, which members start in another order; of each start there is a record in the call."""
    with Job(tmp_path, 2) as out:
        for pe, order in enumerate(((1, 2), (2, 1))):
            for place, number in enumerate(order):
                begin = 4.0 * pe + place
                out.call(pe, "MPI_Start", begin, begin + 0.5, site="start.c:1")
                out.call(
                    pe,
                    ("", "barrier", "broadcast")[number],
                    begin,
                    begin,
                    kind=Kind.START,
                    role=Role.COLLECTIVE | Role.BEGINS,
                    peer=(-1, -1, 1)[number],
                    message=(1 << 63) + (number << 32) + 1,
                )
            for place, number in enumerate((1, 2)):
                begin = 2.0 + 4.0 * pe + 3.5 * place
                out.call(pe, "MPI_Wait", begin, begin + 3.4)
                out.call(
                    pe, "", begin + 3.4, begin + 3.4, kind=Kind.DONE, role=Role.COLLECTIVE,
                    message=(1 << 63) + (number << 32) + 1,
                )  # fmt: skip
    # the barrier's last start is at 5.0, that of the broadcast's root at 4.0, before PE 0 waits for it
    only(tmp_path, ("wait at barrier", 0, 1), 3.0)


def test_neighbours_wait_for_each_other_only(tmp_path):
    """A line of three: PE 0 needs nothing of PE 2, which is last."""
    with Job(tmp_path, 3) as out:
        for pe, (begin, end) in enumerate(((1.0, 3.0), (2.0, 5.1), (5.0, 5.1))):
            group = out.pes[pe].group(7, (0, 1, 2), "line")
            near = np.array([one for one in (pe - 1, pe + 1) if 0 <= one < 3], "<i4")
            out.pes[pe].define(Kind.DEF_SOURCES, near.tobytes(), group=group, value=len(near))
            out.call(pe, "MPI_Neighbor_alltoall", begin, end, role=Role.COLLECTIVE, group=group, message=1)
    assert states(tmp_path) == {
        ("late neighbour", 0, 1): pytest.approx(1.0),
        ("late neighbour", 1, 2): pytest.approx(3.0),
    }


def test_tests_in_vain_before_the_one_that_finds_it_wait_too(tmp_path):
    with Job(tmp_path, 2) as out:
        first = out.call(1, "MPI_Irecv", 0.0, 0.1, role=Role.BEGINS)
        out.call(1, "MPI_Test", 1.0, 3.05, site="test.c:1", value=900)
        out.call(1, "MPI_Test", 3.05001, 3.06, site="test.c:1")
        out.receive(1, 0, 3.06, 3.06, kind=Kind.RECEIVE, value=first)
        out.send(0, 1, 3.0, 3.05)
    only(tmp_path, ("late sender", 1, 0), 2.0)


def test_partitions_are_messages(tmp_path):
    """The receiver waits for the last one that is made ready; the sender, in the next round, for the start."""
    number = (1 << 63) + (1 << 43) + (1 << 19)
    with Job(tmp_path, 2) as out:
        for at, part in ((1.0, 0), (3.0, 1)):
            out.call(0, "MPI_Pready", at, at + 0.1, site="ready.c:1")
            out.send(0, 1, at, at, kind=Kind.SEND, message=number + part)
        start = out.call(1, "MPI_Start", 0.5, 0.6)
        out.call(1, "MPI_Wait", 2.0, 3.2)
        for part in (0, 1):
            out.receive(1, 0, 3.2, 3.2, number + part, kind=Kind.RECEIVE, value=start)
        out.call(0, "MPI_Pready", 4.0, 4.1)
        out.send(0, 1, 4.0, 4.0, kind=Kind.SEND, message=number + (1 << 19))
        out.call(0, "MPI_Wait", 4.2, 6.1)
        out.call(0, "", 6.1, 6.1, kind=Kind.SENT, peer=1, message=number + (1 << 19))
        start = out.call(1, "MPI_Start", 6.0, 6.05)
        out.call(1, "MPI_Wait", 6.05, 6.1)
        out.receive(1, 0, 6.1, 6.1, number + (1 << 19), kind=Kind.RECEIVE, value=start)
    assert states(tmp_path) == {
        ("late sender", 1, 0): pytest.approx(1.0),
        ("late receiver", 0, 1): pytest.approx(1.8),
    }


def test_collectives_of_different_groups_are_apart(tmp_path):
    """Two pairs have their first barrier each; local numbers of the groups differ, keys tell."""
    with Job(tmp_path, 4) as out:
        out.pes[1].group(99, (1,), "self")
        for pe, begin in enumerate((0.0, 1.0, 0.0, 2.0)):
            key = pe // 2
            group = out.pes[pe].group(10 + key, (2 * key, 2 * key + 1))
            out.call(pe, "MPI_Barrier", begin, 3.0, role=Role.COLLECTIVE, group=group, message=1)
    assert states(tmp_path) == {
        ("wait at barrier", 0, 1): pytest.approx(1.0),
        ("wait at barrier", 2, 3): pytest.approx(2.0),
    }
    found = load(tmp_path).collectives
    assert len(found) == 2 and found.whole.all()


def put(out, pe, target, begin, address, value, name="shmem_long_p", size=8):
    fields = {"role": Role.STORES, "peer": target, "message": address, "value": value, "bytes": size}
    out.call(pe, name, begin, begin + 0.1, **fields)


def until(out, pe, begin, end, address, value):
    out.call(pe, "shmem_long_wait_until", begin, end, role=Role.WAITS, message=address, value=value)


def test_late_put(tmp_path):
    """Of three stores to the word the one with the value that was found; a later one comes too late."""
    with Job(tmp_path, 3) as out:
        until(out, 0, 0.5, 3.2, 64, 7)
        put(out, 1, 0, 1.0, 64, 5)
        put(out, 2, 0, 3.0, 64, 7)
        put(out, 1, 0, 4.0, 64, 7)
        put(out, 1, 2, 2.0, 64, 7)
    only(tmp_path, ("late put", 0, 2), 2.5)
    waits = load(tmp_path).waits
    assert waits.exact.all() and not len(waits.alone)


def test_a_wait_may_end_by_an_addition_or_a_longer_store(tmp_path):
    with Job(tmp_path, 2) as out:
        until(out, 0, 0.0, 1.2, 64, 7)
        put(out, 1, 0, 1.0, 64, 1, "shmem_long_atomic_add")
        until(out, 0, 2.0, 4.2, 1000, 7)
        put(out, 1, 0, 4.0, 960, 0, "shmem_putmem", 64)
    assert states(tmp_path) == {("late put", 0, 1): pytest.approx(1.0 + 2.0)}
    assert not load(tmp_path).waits.exact.any()


def test_a_wait_without_a_store_is_said(tmp_path):
    with Job(tmp_path, 2) as out:
        until(out, 0, 0.0, 1.2, 64, 7)
        put(out, 1, 0, 1.5, 64, 7)
    assert len(load(tmp_path).waits.alone) == 1


def test_lock_contention(tmp_path):
    """PE 1 waits for the lock that PE 0 gives back at 3; that of another address has nothing to do with it."""
    with Job(tmp_path, 2) as out:
        out.call(0, "shmem_set_lock", 0.0, 0.1, message=8)
        out.call(1, "shmem_set_lock", 1.0, 3.2, message=8)
        out.call(0, "shmem_clear_lock", 2.9, 2.95, message=16)
        out.call(0, "shmem_clear_lock", 3.0, 3.1, message=8)
    only(tmp_path, ("lock contention", 1, 0), 2.0)


def test_late_post_and_late_complete(tmp_path):
    with Job(tmp_path, 2) as out:
        out.call(0, "MPI_Win_start", 1.0, 2.1)
        out.call(1, "MPI_Win_post", 2.0, 2.05)
        out.call(1, "MPI_Win_wait", 3.0, 5.1)
        out.call(0, "MPI_Win_complete", 5.0, 5.05)
    assert states(tmp_path) == {("late post", 0, 1): pytest.approx(1.0), ("late complete", 1, 0): pytest.approx(2.0)}


def test_wildcards_and_threads_are_matched_by_their_numbers(tmp_path):
    """Two threads of PE 1 receive the messages of PE 0 in another order; peers and tags are those of the messages."""
    with Job(tmp_path, 3) as out:
        for number in range(4):
            out.send(0, 1, 1.0 + number, 1.1 + number, tag=number)
        out.send(2, 1, 0.5, 0.6, tag=9)
        for place, number in enumerate((2, 1, 4, 3)):
            out.receive(1, 0, 6.0 + place // 2, 6.1 + place // 2, number, tag=number - 1, thread=place % 2)
        out.receive(1, 2, 8.0, 8.1, 1, tag=9)
    found = load(tmp_path)
    events, messages = found.events, found.messages
    assert len(messages.sent) == 5 and not len(messages.only_sent) and not len(messages.only_received)
    assert (events.tag[messages.sent] == events.tag[messages.received]).all()
    assert events.lanes == [(0, 0), (1, 0), (1, 1), (2, 0)]


def test_a_killed_pe_leaves_ends_without_the_other(tmp_path):
    with Job(tmp_path, 2, status=137) as out:
        out.send(0, 1, 1.0, 1.1)
        out.send(0, 1, 2.0, 2.1)
        out.receive(1, 0, 0.0, 1.2)
        out.pes[1].add(Kind.NONE, 1.5, 0.0, call=out.pes[1].name("MPI_Recv"), site=out.pes[1].place("recv.c:1"))
    out.pes[1].parts.append(bytes(64 * 1000))  # the file had grown
    out.write()
    found = load(tmp_path)
    assert found.trace.records == sum(one.count for one in out.pes) - 1
    assert (len(found.messages.sent), len(found.messages.only_sent)) == (1, 1)
    assert found.events.under_way == ["PE 1 ended within MPI_Recv at recv.c:1"]
    assert found.trace.job.status == 137


def test_critical_path(tmp_path):
    """PE 1 computes until 4, PE 0 waits for it from 1 on; then PE 0 computes until 6, and PE 1 waits for its message
    from 4.2 on. The path: PE 1 until it sends at 4, PE 0 from there until it sends at 6, PE 1 until the end."""
    with Job(tmp_path, 2) as out:
        out.call(0, "MPI_Init", 0.0, 0.0)
        out.call(1, "MPI_Init", 0.0, 0.0)
        out.receive(0, 1, 1.0, 4.3)
        out.send(1, 0, 4.0, 4.2)
        out.receive(1, 0, 4.2, 6.4)
        out.send(0, 1, 6.0, 6.2)
        out.call(1, "MPI_Finalize", 6.5, 6.7)
        out.call(0, "MPI_Finalize", 6.3, 6.6)
    found = load(tmp_path)
    pieces = list(zip(found.path.lane, found.path.begin, found.path.end, strict=True))
    assert pieces == [
        (1, 0.0, pytest.approx(4.0)),
        (0, pytest.approx(4.0), pytest.approx(6.0)),
        (1, pytest.approx(6.0), pytest.approx(6.7)),
    ]
    assert found.path.length == pytest.approx(6.7)
    per_call = {}
    events = found.events
    for row in range(len(events)):
        name = (int(events.pe[row]), events.names[events.call[row]])
        per_call[name] = per_call.get(name, 0.0) + float(found.on_path[row])
    # of PE 0's receive what followed the send of 4.0; nothing of the sends, behind whose begins the path went over
    assert per_call[0, "MPI_Recv"] == pytest.approx(0.3)
    assert per_call[1, "MPI_Recv"] == pytest.approx(0.4)
    assert per_call[1, "MPI_Send"] == pytest.approx(0.0)
    assert per_call[1, "MPI_Finalize"] == pytest.approx(0.2)


def test_hosts_are_brought_together(tmp_path):
    """PE 1's host is 5 s behind, and drifts by 1 ms in 10 s; the worse measurements are left out."""
    with Job(tmp_path, 2, hosts=["a", "b"]) as out:
        out.pes[1].epoch_ns -= 5_000_000_000
        for when, add, error in ((0.0, 5.000, 9e-6), (0.1, 5.5, 1e-3), (10.0, 5.001, 8e-6)):
            out.pes[1].add(Kind.CLOCK, when, value=round(add * 1e9), bytes=round(error * 1e9))
        out.call(0, "MPI_Barrier", 0.0, 1.0, role=Role.COLLECTIVE, message=1)
        out.call(1, "MPI_Barrier", 0.0, 1.0, role=Role.COLLECTIVE, message=1)
        out.call(0, "MPI_Barrier", 10.0, 11.0, role=Role.COLLECTIVE, message=2)
        out.call(1, "MPI_Barrier", 10.0, 11.0, role=Role.COLLECTIVE, message=2)
    events = load(tmp_path).events
    calls = events.begin[events.is_call]
    assert calls == pytest.approx([0.0, 10.0, 0.0, 10.001], abs=1e-6)
