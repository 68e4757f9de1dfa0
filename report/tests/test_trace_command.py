# SPDX-License-Identifier: BSD-3-Clause
"""mpt trace as it is called: profiles and suggestions of a job whose figures are worked out by hand, filters, pages."""

import json
import random

import pytest

from mpt_report import cli
from mpt_report.trace.format import Role
from mpt_report.trace.writer import Writer
from test_trace_waits import Job


@pytest.fixture
def uneven(tmp_path):
    """Three steps of 4 PEs, in each of which PE 2 computes for 2 s and the others for 1 s before a barrier of 0.1 s."""
    folder = tmp_path / "traced"
    with Job(folder, 4) as out:
        for pe in range(4):
            out.call(pe, "MPI_Init", 0.0, 0.0)
            out.region(pe, "all", 0.0, 6.3)
        for step in range(3):
            begin = 2.1 * step
            begins = [begin + (2.0 if pe == 2 else 1.0) for pe in range(4)]
            out.together("MPI_Barrier", begins, begin + 2.1, number=step + 1, site="step.c:7 in step")
            for pe in range(4):
                out.region(pe, "step", begin, begin + 2.1)
        out.send(0, 1, 6.3, 6.3, size=1000)
        out.receive(1, 0, 6.3, 6.3, size=1000)
    return folder


def trace(capsys, folder, *words, command="trace"):
    status = cli.main([command, str(folder), *words])
    told = capsys.readouterr()
    return status, told.out, told.err


def facts(capsys, folder, *words, command="trace"):
    status, out, err = trace(capsys, folder, "--json", *words, command=command)
    assert status == 0, err
    return json.loads(out)


def test_profile(uneven, capsys):
    found = facts(capsys, uneven)
    assert found["totals"]["seconds"] == pytest.approx(4 * 6.3)
    assert found["totals"]["outside"] == pytest.approx(3 * (2.0 + 3 * 1.0))
    assert found["totals"]["waited"] == pytest.approx(3 * 3 * 1.0)
    barrier = found["calls"][0]
    assert (barrier["call"], barrier["count"]) == ("MPI_Barrier", 12)
    assert barrier["seconds"] == pytest.approx(3 * (3 * 1.1 + 0.1))
    assert barrier["mean"] == pytest.approx(barrier["seconds"] / 12) and barrier["max"] == pytest.approx(1.1)
    assert barrier["critical"] == pytest.approx(3 * 0.1)
    assert found["lines"][0]["line"] == "step.c:7 in step"
    assert found["critical"]["seconds"] == pytest.approx(6.3)
    assert found["critical"]["outside"] == pytest.approx(6.0)


def test_imbalance(uneven, capsys):
    found = facts(capsys, uneven)["imbalance"]
    assert (found["pe"], found["ratio"]) == (2, pytest.approx(6.0 / 3.75))
    assert found["percent"] == pytest.approx((6.0 - 3.75) / 6.0 * 4 / 3 * 100)


def test_regions(uneven, capsys):
    step = next(one for one in facts(capsys, uneven)["regions"] if one["region"] == "step")
    assert (step["count"], step["imbalance"]["pe"]) == (12, 2)
    assert step["seconds"] == pytest.approx(4 * 6.3) and step["waited"] == pytest.approx(9.0)


def test_who_waited_for_whom(uneven, capsys):
    found = facts(capsys, uneven)
    assert [(one["kind"], one["count"]) for one in found["waits"]] == [("wait at barrier", 9)]
    cause = found["causes"][0]
    assert cause["waiting"] == cause["late"] == "MPI_Barrier at step.c:7 in step"
    assert (cause["late_pe"], cause["late_pe_share"]) == (2, 1.0)


def test_suggestions_name_their_figures(uneven, capsys):
    found = facts(capsys, uneven)["suggestions"]
    assert [one["rule"] for one in found] == ["imbalance"]
    assert "PE 2 is outside calls for 1.60 x the mean" in found[0]["figure"]
    assert found[0]["share"] == pytest.approx(9.0 / 25.2)


def test_a_chain_of_receives_is_seen(tmp_path, capsys):
    """Each PE receives from the one before it first, and sends then: the waits are handed on."""
    with Job(tmp_path, 4) as out:
        for pe in range(4):
            out.call(pe, "MPI_Init", 0.0, 0.0)
            if pe:
                out.receive(pe, pe - 1, 0.1, 1.0 * pe + 0.1)
            if pe < 3:
                out.send(pe, pe + 1, 1.0 * (pe + 1), 1.0 * (pe + 1) + 0.05)
    found = facts(capsys, tmp_path)["suggestions"]
    assert "chain" not in [one["rule"] for one in found]  # a second of its own lies before each send
    with Job(tmp_path, 4) as out:
        for pe in range(4):
            out.call(pe, "MPI_Init", 0.0, 0.0)
            if pe:
                out.receive(pe, pe - 1, 0.1, 2.0 + 0.1 * pe)
            if pe < 3:
                out.send(pe, pe + 1, 2.0 + 0.1 * pe, 2.05 + 0.1 * pe)
    found = facts(capsys, tmp_path)["suggestions"]
    assert "chain" in [one["rule"] for one in found]


def test_nothing_is_suggested_where_nothing_costs(tmp_path, capsys):
    with Job(tmp_path, 2) as out:
        for pe in range(2):
            out.call(pe, "MPI_Init", 0.0, 0.0)
        out.together("MPI_Barrier", (9.9, 9.9), 10.0)
    assert facts(capsys, tmp_path)["suggestions"] == []
    assert "None that the figures carry" in trace(capsys, tmp_path)[1]


@pytest.mark.parametrize(
    ("words", "total", "barriers"),
    [
        (("--pe", "2"), 6.3, 3),
        (("--pe", "0-1,3"), 18.9, 9),
        (("--from", "2.1", "--to", "4.2"), 8.4, 8),  # the barriers that end at 2.1 touch it
        (("--region", "step"), 25.2, 12),
        (("--call", "barr"), 25.2, 12),
        (("--call", "MPI_B*"), 25.2, 12),
    ],
)
def test_filters(uneven, capsys, words, total, barriers):
    found = facts(capsys, uneven, *words)
    assert found["totals"]["seconds"] == pytest.approx(total)
    assert next(one["count"] for one in found["calls"] if one["call"] == "MPI_Barrier") == barriers


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--pe", "4"), "--pe 4: no records of this PE; the job has PEs 0 to 3"),
        (("--call", "put"), "--call put: no call of that name in the trace; there are MPI_Init, "),
        (("--region", "solve"), "--region solve: no such region in the trace; there are: all, step"),
        (("--from", "2", "--to", "1"), "--from 2 --to 1: nothing lies between them"),
    ],
)
def test_what_is_not_there_is_an_error(uneven, capsys, words, message):
    status, _, err = trace(capsys, uneven, *words)
    assert status == 2 and f"mpt trace: {message}" in err


def test_no_trace_is_an_error(tmp_path, capsys):
    status, _, err = trace(capsys, tmp_path / "none")
    assert status == 2 and "no folder with a trace (mptrun --trace DIR makes one)" in err


@pytest.mark.parametrize("width", [60, 80, 140])
def test_text_fits_the_terminal(uneven, capsys, width):
    status, out, _ = trace(capsys, uneven, "--width", str(width))
    assert status == 0
    tables = out[out.index("By call") : out.index("Suggestions")]
    assert max(len(line) for line in tables.splitlines()) <= width


def test_dump_has_a_line_for_each_record(uneven, capsys):
    status, out, _ = trace(capsys, uneven, "--dump")
    lines = out.splitlines()
    assert status == 0 and len(lines) == 4 * (1 + 1 + 3 + 3) + 2
    begins = [float(line.split()[0]) for line in lines]
    assert begins == sorted(begins)
    assert sum("waited 1.0000" in line for line in lines) == 9
    assert any("MPI_Send  at send.c:1  sends  peer 1  bytes 1000  message 1" in line for line in lines)


def test_check_says_whether_it_is_whole(uneven, capsys):
    status, out, _ = trace(capsys, uneven, "--check")
    assert status == 0 and "whole: every message" in out
    path = uneven / "pe.1.trace"
    path.write_bytes(path.read_bytes()[:-70])
    status, out, _ = trace(capsys, uneven, "--check")
    assert status == 1
    assert "pe.1.trace: ends within a record" in out
    assert "not matched: 1 messages whose receipt is not in the trace" in out and out.endswith("not whole\n")


def test_dropped_records_are_said(uneven, capsys):
    with Writer(uneven, 1) as out:
        out.call(0, "MPI_Barrier", 0.0, 1.0)
        out.pes[0].dropped = 12345
    assert "dropped: 12,345 records" in trace(capsys, uneven)[1]


def test_page(uneven, tmp_path, capsys):
    page = tmp_path / "page.html"
    status, out, _ = trace(capsys, uneven, "--html", str(page))
    text = page.read_text(encoding="utf-8")
    assert status == 0 and "wrote" in out
    assert "Critical path" in text and "step.c:7 in step" in text and "wait at barrier" in text
    assert "http" not in text.replace("http://www.w3.org/2000/svg", "")


@pytest.mark.parametrize("seed", range(30))
def test_damage_is_borne(uneven, capsys, seed):
    """Whatever bytes are changed, the command ends with figures or with one line."""
    chance = random.Random(seed)
    path = uneven / f"pe.{chance.randrange(4)}.trace"
    raw = bytearray(path.read_bytes())
    for _ in range(chance.choice((1, 10, 300))):
        raw[chance.randrange(len(raw))] = chance.randrange(256)
    path.write_bytes(raw)
    for words in ((), ("--dump",)):
        status, out, err = trace(capsys, uneven, *words)
        assert status in (0, 2) and (out or err.startswith("mpt trace: "))
    assert trace(capsys, uneven, command="matrix")[0] == 0


def test_empty_traces_are_shown(tmp_path, capsys):
    with Writer(tmp_path, 2):
        pass
    for command in ("trace", "matrix"):
        status, out, err = trace(capsys, tmp_path, command=command)
        assert status == 0 and "2 PEs" in out, err


def test_stores_count_as_transfers(tmp_path, capsys):
    with Writer(tmp_path, 2) as out:
        out.call(0, "shmem_putmem", 0.0, 1.0, role=Role.STORES, peer=1, bytes=100, message=64)
        out.call(1, "shmem_getmem", 0.0, 1.0, role=Role.LOADS, peer=0, bytes=50, message=64)
    found = facts(capsys, tmp_path)["messages_by_bytes"]
    assert [(one["source"], one["target"], one["bytes"]) for one in found] == [(0, 1, 100), (0, 1, 50)]


def test_a_region_has_its_part_of_the_critical_path(tmp_path, capsys):
    with Job(tmp_path, 2) as out:
        for pe in range(2):
            out.call(pe, "MPI_Init", 0.0, 0.0)
            out.region(pe, "first", 1.0, 3.0)
            out.region(pe, "second", 3.0, 4.0)
        out.together("MPI_Barrier", (1.5, 2.5), 2.6)
        out.together("MPI_Barrier", (4.0, 4.0), 4.0, number=2)
    found = facts(capsys, tmp_path, "--region", "first")
    # PE 1 until it comes to the barrier, and one of both from there to the region's end
    assert found["critical"]["seconds"] == pytest.approx(2.0)
    assert found["critical"]["outside"] == pytest.approx(1.9)
    assert facts(capsys, tmp_path)["critical"]["seconds"] == pytest.approx(4.0)


def test_other_threads_do_not_count_as_pes(tmp_path, capsys):
    with Job(tmp_path, 2) as out:
        for pe in range(2):
            out.call(pe, "MPI_Init", 0.0, 0.0)
            out.call(pe, "MPI_Iprobe", 5.0, 6.0, thread=1)
        out.together("MPI_Barrier", (3.0, 3.0), 10.0)
    found = facts(capsys, tmp_path)
    assert [(one["pe"], one["thread"]) for one in found["pes"]] == [(0, 0), (0, 1), (1, 0), (1, 1)]
    assert found["imbalance"]["ratio"] == pytest.approx(1.0)
