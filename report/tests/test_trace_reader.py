# SPDX-License-Identifier: BSD-3-Clause
"""The reader of traces gives back what the writer wrote, and bears whatever lies in the folder."""

import json
import random
import struct
import time

import numpy as np
import pytest

from mpt_report.trace.format import RECORD, SIZE, TAIL_AT, Kind, Role
from mpt_report.trace.reader import TraceError, read
from mpt_report.trace.writer import PeWriter, Writer


def small(folder, pes=2):
    """A message, a barrier, a group and a region."""
    with Writer(folder, pes) as out:
        out.region(0, "step", 0.0, 2.0)
        out.call(0, "MPI_Send", 1.0, 1.5, "a.c:7 in main", role=Role.SENDS, peer=1, tag=3, bytes=8, message=1)
        out.call(1, "MPI_Recv", 0.5, 1.6, "a.c:9 in main", role=Role.RECEIVES, peer=0, tag=3, bytes=8, message=1)
        for pe in range(pes):
            group = out.pes[pe].group(77, range(pes), "MPI_COMM_WORLD")
            out.call(pe, "MPI_Barrier", 2.0, 2.5, role=Role.COLLECTIVE, group=group, message=1)
    return folder


def test_what_was_written_is_read(tmp_path):
    found = read(small(tmp_path))
    assert not found.problems
    assert (found.job.pes, found.job.status, found.job.host(1)) == (2, 0, "here")
    assert [one.pe for one in found.pes] == [0, 1]
    first = found.pes[0]
    call = first.records[first.records["kind"] == Kind.CALL][0]
    assert first.calls[int(call["call"])] == "MPI_Send"
    assert (call["peer"], call["tag"], call["bytes"], call["message"]) == (1, 3, 8, 1)
    assert (int(call["begin"]) - first.ticks) / first.ticks_per_second == 1.0
    assert first.known.lines[int(call["site"])] == "a.c:7 in main"
    assert first.known.sites[int(call["site"])].path == "/program"
    group = first.known.groups[1]
    assert (group.key, group.members, group.name) == (77, (0, 1), "MPI_COMM_WORLD")


def test_long_definitions_take_as_many_records_as_they_need(tmp_path):
    names = ["x" * length for length in (1, 62, 63, 64, 126, 127, 1000)]
    with Writer(tmp_path, 1) as out:
        for name in names:
            out.call(0, name, 0.0, 1.0)
        out.pes[0].group(5, range(500), "many")
    found = read(tmp_path).pes[0]
    assert list(found.calls.values()) == names
    assert found.known.groups[1].members == tuple(range(500))
    assert found.known.groups[1].name == "many"


def test_no_folder_no_files_and_no_trace_are_told_apart(tmp_path):
    with pytest.raises(TraceError, match="no folder with a trace"):
        read(tmp_path / "nothing")
    with pytest.raises(TraceError, match=r"no files pe\.N\.trace"):
        read(tmp_path)
    (tmp_path / "pe.0.trace").write_bytes(b"x" * 640)
    with pytest.raises(TraceError, match="no trace: it begins with b'xxxxxxxx'"):
        read(tmp_path)


def test_another_version_of_job_json_is_refused(tmp_path):
    path = small(tmp_path) / "job.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | {"version": 2}))
    with pytest.raises(TraceError, match="version 2 of the format; this reader knows 1"):
        read(tmp_path)


def test_another_version_of_a_file_is_refused(tmp_path):
    with Writer(tmp_path, 1) as out:
        out.call(0, "MPI_Barrier", 0.0, 1.0)
    path = tmp_path / "pe.0.trace"
    raw = bytearray(path.read_bytes())
    raw[8:12] = struct.pack("<I", 2)
    path.write_bytes(raw)
    with pytest.raises(TraceError, match="version 2 of the format; this reader knows 1"):
        read(tmp_path)


def test_a_job_without_an_end_and_a_missing_pe_are_said(tmp_path):
    small(tmp_path, 4)
    (tmp_path / "pe.2.trace").unlink()
    (tmp_path / "job.json").write_text('{"version": 1, "pes": 4, "hosts": ["a", 7]')
    found = read(tmp_path)
    assert [one.pe for one in found.pes] == [0, 1, 3]
    assert any("no trace of 1 of 4 PEs: 2" in problem for problem in found.problems)
    assert any("job.json is damaged" in problem for problem in found.problems)


def test_a_file_may_end_anywhere(tmp_path):
    small(tmp_path)
    path = tmp_path / "pe.1.trace"
    whole = path.read_bytes()
    for size in range(len(whole)):
        path.write_bytes(whole[:size])
        found = read(tmp_path)
        assert len(found.pes) == (2 if size >= SIZE else 1)
        assert bool(found.problems) == (size < SIZE or size % SIZE != 0 or size in cut_definitions(whole))


def cut_definitions(whole):
    """Sizes of the file at which the body of a definition is missing."""
    kinds = [whole[at] for at in range(SIZE, len(whole), SIZE)]
    return {SIZE * (index + 1) for index, kind in enumerate(kinds) if kind == Kind.MORE}


@pytest.mark.parametrize("seed", range(40))
def test_damage_is_an_error_or_a_part(tmp_path, seed):
    """Bytes are changed anywhere: nothing but TraceError comes out, and the other PE is read."""
    chance = random.Random(seed)
    small(tmp_path)
    path = tmp_path / chance.choice(("pe.1.trace", "pe.1.trace", "job.json"))
    raw = bytearray(path.read_bytes())
    for _ in range(chance.choice((1, 8, 200))):
        raw[chance.randrange(len(raw))] = chance.randrange(256)
    path.write_bytes(raw[: chance.randrange(len(raw) + 1)])
    try:
        found = read(tmp_path)
    except TraceError as error:
        assert str(error)
        return
    assert found.pes[0].pe == 0
    assert len(found.pes[0].records) == len(read(small(tmp_path / "again")).pes[0].records)


def many(count):
    """Records of as many calls, as an array."""
    records = np.zeros(count, RECORD)
    records["kind"], records["peer"], records["call"] = Kind.CALL, -1, 1
    records["begin"] = np.arange(count) * 10 + 1_000_000
    records["end"] = records["begin"] + 5
    return records


def test_a_million_records_take_about_a_second(tmp_path):
    one = PeWriter(0, 1)
    one.name("MPI_Barrier")
    one.add_many(many(1_000_000))
    (tmp_path / "pe.0.trace").write_bytes(one.bytes())
    begun = time.process_time()
    found = read(tmp_path)
    taken = time.process_time() - begun
    assert (found.pes[0].records["kind"] == Kind.CALL).sum() == 1_000_000
    assert taken < 2.0


def tail_of(whole, written, room, ring_n=16):
    """The ring of a PE that was killed: the slots of a file from `written` to `room`; slot 0 is the header."""
    ring = bytearray(b"\xaa" * (ring_n * SIZE))
    for slot in range(written, room):
        at = slot % ring_n * SIZE
        ring[at : at + SIZE] = whole[slot * SIZE : (slot + 1) * SIZE].ljust(SIZE, b"\0")
    return struct.pack("<8sQQQ", b"MPTTAIL\0", ring_n, written, room).ljust(TAIL_AT, b"\0") + bytes(ring)


@pytest.mark.parametrize("written", [1, 5, 17, 30])
def test_the_tail_of_a_pe_that_was_killed_is_read(tmp_path, written):
    one = PeWriter(0, 1)
    one.name("MPI_Barrier")
    one.add_many(many(30))
    whole = one.bytes()
    slots = len(whole) // SIZE
    (tmp_path / "pe.0.trace").write_bytes(whole[: (written + 1) * SIZE])  # one that `written` doesn't count yet
    (tmp_path / "pe.0.tail").write_bytes(tail_of(whole, written, min(slots, written + 16)))
    found = read(tmp_path)
    assert found.problems == ["job.json is missing: command, hosts and the end of the job are unknown"]
    records = found.pes[0].records
    there = np.frombuffer(whole[SIZE : min(slots, written + 16) * SIZE], RECORD)
    assert (records == there).all()


def test_a_damaged_tail_is_said(tmp_path):
    small(tmp_path)
    whole = (tmp_path / "pe.0.trace").read_bytes()
    for bad in (b"", b"MPTTAIL\0", tail_of(whole, 99, 100), tail_of(whole, 1, 40), tail_of(whole, 1, 3)[:-1]):
        (tmp_path / "pe.0.tail").write_bytes(bad)
        found = read(tmp_path)
        assert "pe.0.tail is damaged: the last records of this PE are missing" in found.problems
        assert len(found.pes[0].records) == len(whole) // SIZE - 1
