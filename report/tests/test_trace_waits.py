# SPDX-License-Identifier: BSD-3-Clause
"""What belongs together, wait states and the critical path, in traces whose answers are worked out by hand."""

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
