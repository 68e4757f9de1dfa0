# SPDX-License-Identifier: BSD-3-Clause
"""mpt matrix: who talks to whom in traces made by hand, and partitions compared with the best of all."""

from itertools import combinations

import numpy as np
import pytest

from mpt_report.trace import heat, partition
from mpt_report.trace.format import Role
from test_trace_command import facts, trace
from test_trace_waits import Job


@pytest.fixture
def pairs(tmp_path):
    """PE p and p + 4 send each other 1,000 bytes ten times; each sends 8 to its neighbour once; and a broadcast."""
    with Job(tmp_path, 8) as out:
        for pe in range(8):
            for turn in range(10):
                out.send(pe, (pe + 4) % 8, turn, turn + 0.1, size=1000)
            out.send(pe, (pe + 1) % 8, 20.0, 20.1, name="pvm_send", size=8)
            for turn in range(10):
                out.receive(pe, (pe + 4) % 8, turn + 0.2, turn + 0.3, turn + 1, size=1000)
            out.receive(pe, (pe - 1) % 8, 20.2, 20.3, 1, name="pvm_recv", size=8)
        out.together("MPI_Bcast", [30.0] * 8, 31.0, root=3, bytes=100)
    return tmp_path


def test_matrix(pairs, capsys):
    found = facts(capsys, pairs, command="matrix")
    assert found["bytes"][0] == [0, 8, 0, 0, 10_000, 0, 0, 0]
    assert found["messages"][7] == [1, 0, 0, 10, 0, 0, 0, 0]
    assert (found["summary"]["bytes"], found["summary"]["messages"]) == (80_064, 88)
    assert found["collectives"] == {"calls": 8, "bytes": 800, "spread": False}


def test_other_placements(pairs, capsys):
    """In order every pair is cut; dealt out in turn none is, but all neighbours; best are two pairs beside two."""
    found = facts(capsys, pairs, command="matrix")["mappings"]
    assert [one["bytes"] for one in found["ways"]] == [80_000 + 16, 64, 32]
    assert found["sizes"] == [4, 4]


def test_placement_on_hosts_is_the_one_that_was_run(tmp_path, capsys):
    with Job(tmp_path, 4, hosts=["a", "b", "b", "a"]) as out:
        out.send(0, 3, 0.0, 0.1, size=100)
        out.send(1, 2, 0.0, 0.1, size=100)
        out.send(0, 1, 0.0, 0.1, size=1)
    ways = facts(capsys, tmp_path, command="matrix")["mappings"]["ways"]
    assert [(one["mapping"], one["bytes"]) for one in ways] == [
        ("as run, on 2 hosts", 1),
        ("in order", 200),
        ("round-robin", 201),
        ("best found", 1),
    ]
    assert ways[0]["placed"] == ["0,3", "1-2"]


@pytest.mark.parametrize(
    ("words", "total"),
    [
        (("--interface", "pvm"), 64),
        (("--call", "MPI_Send"), 80_000),
        (("--from", "15"), 64),
        (("--pe", "0"), 10_008),
        (("--collectives",), 80_064 + 700),
    ],
)
def test_filters(pairs, capsys, words, total):
    assert facts(capsys, pairs, *words, command="matrix")["summary"]["bytes"] == pytest.approx(total)


def test_errors(pairs, capsys):
    status, _, err = trace(capsys, pairs, "--interface", "am", command="matrix")
    assert status == 2 and "mpt matrix: --interface am: no calls of it in the trace; there are MPI, PVM" in err
    status, _, err = trace(capsys, pairs, "--parts", "9", command="matrix")
    assert status == 2 and "--parts 9: 8 PEs make 2 to 8 parts" in err


def test_text_and_page(pairs, tmp_path, capsys):
    status, out, _ = trace(capsys, pairs, "--width", "100", command="matrix")
    assert status == 0 and "from 0" in out and "bytes across" in out and max(map(len, out.splitlines())) <= 120
    page = tmp_path / "matrix.html"
    assert trace(capsys, pairs, "--html", str(page), command="matrix")[0] == 0
    text = page.read_text(encoding="utf-8")
    assert text.count("<rect ") == 16 and "PE 0 to 4: 9.766 KiB in 10 messages" in text


def smallest_cut(weights, size):
    every = range(len(weights))
    cuts = []
    for chosen in combinations(every, size):
        parts = np.isin(np.arange(len(weights)), chosen).astype(np.int64)
        cuts.append(partition.cut(weights, parts))
    return min(cuts)


@pytest.mark.parametrize("seed", range(10))
def test_two_parts_are_as_good_as_can_be(seed):
    """Against all partitions of ten PEs."""
    chance = np.random.default_rng(seed)
    weights = chance.integers(0, 100, (10, 10)) * (chance.random((10, 10)) < 0.4).astype(float)
    starts = [partition.in_order([5, 5]), partition.round_robin([5, 5])]
    found = partition.best(weights, [5, 5], starts)
    assert np.bincount(found).tolist() == [5, 5]
    assert partition.cut(weights, found) <= 1.05 * smallest_cut(weights, 5)


def test_a_shuffled_grid_is_put_together_again():
    """16 x 16 PEs that talk to their neighbours, at random places: four parts, as good as squares or nearly so."""
    place = np.random.default_rng(1).permutation(256)
    weights = np.zeros((256, 256))
    for pe in range(256):
        x, y = divmod(pe, 16)
        for other in ((x + 1, y), (x, y + 1)):
            if max(other) < 16:
                one, two = place[pe], place[other[0] * 16 + other[1]]
                weights[one, two] = weights[two, one] = 1.0
    sizes = [64] * 4
    found = partition.best(weights, sizes, [partition.in_order(sizes)])
    assert np.bincount(found).tolist() == sizes
    assert partition.cut(weights, partition.in_order(sizes)) > 600
    assert partition.cut(weights, found) <= 1.3 * 64


def test_uneven_parts_and_heat():
    assert partition.sizes_of(7, 3) == [3, 2, 2]
    assert partition.round_robin([3, 1, 2]).tolist() == [0, 1, 2, 0, 2, 0]
    assert heat.heat(0, 10) == 0 and heat.heat(10, 10) == 1 and heat.heat(1e-9, 10) == 0.1
    sums, step = heat.binned(np.ones((10, 10)), 4)
    assert step == 3 and sums.sum() == 100 and sums[3, 3] == 1


def test_atomics_count_both_ways(tmp_path, capsys):
    with Job(tmp_path, 2) as out:
        both = Role.STORES | Role.LOADS
        out.call(0, "shmem_long_atomic_fetch_add", 0.0, 1.0, role=both, peer=1, bytes=8, message=64)
    assert facts(capsys, tmp_path, command="matrix")["bytes"] == [[0, 8], [8, 0]]
