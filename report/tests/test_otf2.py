# SPDX-License-Identifier: BSD-3-Clause
"""`mpt timeline --otf2`: what the library of the Open Trace Format reads back is what was recorded."""

import sys
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from mpt_report import cli
from mpt_report.timeline import otf2_archive, select
from mpt_report.trace.events import events_of
from mpt_report.trace.format import Kind, Role
from mpt_report.trace.reader import read
from mpt_report.trace.writer import Writer
from test_trace_command import uneven  # noqa: F401


@pytest.fixture
def otf2():
    return pytest.importorskip("otf2")


def archive(trace: Path, folder: Path) -> Path:
    assert cli.main(["timeline", str(trace), "--otf2", str(folder)]) == 0
    return folder / "traces.otf2"


def read_back(otf2, path: Path) -> tuple[list, object]:
    import otf2.reader as reader

    with reader.open(str(path)) as opened:
        return [(location, event) for location, event in opened.events], opened.definitions


def test_calls_nest_and_time_goes_on(otf2, uneven, tmp_path, capsys):  # noqa: F811
    found, definitions = read_back(otf2, archive(uneven, tmp_path / "a"))
    assert "traces.otf2" in capsys.readouterr().out
    shown = select.shown(events_of(read(Path(uneven))), select.Choice())
    kinds = Counter(type(event).__name__ for _, event in found)
    assert kinds["Enter"] == kinds["Leave"] == len(shown.calls) + len(shown.regions)
    within: dict[str, list] = {}
    last: dict[str, int] = {}
    for location, event in found:
        assert event.time >= last.get(location.name, 0)
        last[location.name] = event.time
        if isinstance(event, otf2.events.Enter):
            within.setdefault(location.name, []).append(event.region)
        elif isinstance(event, otf2.events.Leave):
            assert within[location.name].pop() is event.region
    assert not any(within.values())
    names = {shown.events.names[call] for call in shown.events.call[shown.calls].tolist()}
    assert names <= {region.name for region in definitions.regions}


def test_a_message_has_both_ends_and_its_line(otf2, tmp_path):
    trace = tmp_path / "trace"
    with Writer(trace, 2) as writer:
        sent = {"peer": 1, "tag": 7, "message": 1, "role": Role.SENDS, "bytes": 24}
        writer.call(0, "MPI_Send", 0.1, 0.2, "ring.c:7 in main", **sent)
        writer.call(1, "MPI_Recv", 0.05, 0.3, "ring.c:9 in main", **(sent | {"peer": 0, "role": Role.RECEIVES}))
    found, _ = read_back(otf2, archive(trace, tmp_path / "a"))
    events = {type(event).__name__: (location, event) for location, event in found if "Mpi" in type(event).__name__}
    sender, send = events["MpiSend"]
    receiver, receive = events["MpiRecv"]
    assert (sender.group.name, receiver.group.name) == ("PE 0", "PE 1")
    assert (send.receiver, send.msg_tag, send.msg_length) == (1, 7, 24)
    assert (receive.sender, receive.msg_tag, receive.msg_length) == (0, 7, 24)
    assert receive.time > send.time
    lines = [list(event.attributes.values()) for _, event in found if isinstance(event, otf2.events.Enter)]
    assert sorted(lines) == [["ring.c:7 in main"], ["ring.c:9 in main"]]


def test_stores_and_collective_calls(otf2, tmp_path):
    trace = tmp_path / "trace"
    with Writer(trace, 2) as writer:
        for pe in range(2):
            writer.call(pe, "shmem_long_p", 0.1, 0.2, "", peer=1 - pe, role=Role.STORES, bytes=8)
            writer.call(pe, "shmem_long_g", 0.2, 0.3, "", peer=1 - pe, role=Role.LOADS, bytes=8)
            writer.call(pe, "MPI_Bcast", 0.4, 0.5, "", peer=1, role=Role.COLLECTIVE, bytes=16, message=1)
    found, _ = read_back(otf2, archive(trace, tmp_path / "a"))
    kinds = Counter(type(event).__name__ for _, event in found)
    assert kinds["RmaPut"] == kinds["RmaGet"] == kinds["MpiCollectiveBegin"] == kinds["MpiCollectiveEnd"] == 2
    assert kinds["RmaOpCompleteBlocking"] == 4
    ends = [event for _, event in found if isinstance(event, otf2.events.MpiCollectiveEnd)]
    assert {(end.collective_op, end.root, end.size_sent) for end in ends} == {(otf2.CollectiveOp.BCAST, 1, 16)}


def test_a_nonblocking_collective_call_ends_in_its_wait(otf2, tmp_path):
    trace = tmp_path / "trace"
    with Writer(trace, 2) as writer:
        for pe in range(2):
            known = {"peer": 1, "bytes": 16, "message": 1}
            begun = writer.call(pe, "MPI_Ibcast", 0.1, 0.2, role=Role.COLLECTIVE | Role.BEGINS, **known)
            writer.call(pe, "MPI_Wait", 0.4, 0.5)
            writer.call(pe, "", 0.5, 0.5, kind=Kind.DONE, role=Role.COLLECTIVE, value=begun, **known)
    found, _ = read_back(otf2, archive(trace, tmp_path / "a"))
    kinds = Counter(type(event).__name__ for _, event in found)
    assert kinds["MpiCollectiveBegin"] == kinds["MpiCollectiveEnd"] == 0
    for pe in range(2):
        here = [event for location, event in found if location.group.name == f"PE {pe}"]
        names = [type(event).__name__ for event in here]
        begin, end = names.index("NonBlockingCollectiveRequest"), names.index("NonBlockingCollectiveComplete")
        assert here[begin - 1].region.name == "MPI_Ibcast" and here[end + 1].region.name == "MPI_Wait"
        assert here[begin].request_id == here[end].request_id
        assert (here[end].collective_op, here[end].root) == (otf2.CollectiveOp.BCAST, 1)


def test_calls_of_one_moment_and_beyond_their_caller(tmp_path):
    trace = tmp_path / "trace"
    with Writer(trace, 1) as writer:
        for begin, end in ((0.0, 1.0), (0.5, 0.5), (0.5, 0.5), (0.9, 1.2), (2.0, 2.0)):
            writer.call(0, "MPI_Barrier", begin, end, "")
    shown = select.shown(events_of(read(trace)), select.Choice())
    turns = list(otf2_archive.in_turn(shown, 0, shown.calls))
    assert sorted(row for enters, row, _ in turns if enters) == sorted(row for enters, row, _ in turns if not enters)
    assert [time for _, _, time in turns] == sorted(time for _, _, time in turns)
    depth = np.cumsum([1 if enters else -1 for enters, _, _ in turns])
    assert depth.min() == 0
    assert depth[-1] == 0
    assert depth.max() == 2


@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("MPI_Reduce_scatter_block", "REDUCE_SCATTER_BLOCK"),
        ("MPI_Iallreduce", "ALLREDUCE"),
        ("MPI_Reduce_init", "REDUCE"),
        ("shmem_int_sum_reduce", "ALLREDUCE"),
        ("shmem_long_max_to_all", "ALLREDUCE"),
        ("shmem_fcollectmem", "ALLGATHER"),
        ("shmem_double_collect", "ALLGATHERV"),
        ("shmem_team_sync", "BARRIER"),
        ("MPI_Comm_split", None),
    ],
)
def test_operations(name, found):
    assert otf2_archive.operation(name) == found


def test_without_the_library_it_says_what_to_install(uneven, tmp_path, monkeypatch, capsys):  # noqa: F811
    monkeypatch.setitem(sys.modules, "otf2", None)
    assert cli.main(["timeline", str(uneven), "--otf2", str(tmp_path / "a")]) != 0
    assert "pip install otf2" in capsys.readouterr().err
    assert not (tmp_path / "a").exists()


def test_nothing_is_overwritten(otf2, uneven, tmp_path, capsys):  # noqa: F811
    (tmp_path / "a").mkdir()
    assert cli.main(["timeline", str(uneven), "--otf2", str(tmp_path / "a")]) != 0
    assert "is there already" in capsys.readouterr().err
