# SPDX-License-Identifier: BSD-3-Clause
"""SimGrid's SMPI beside the simulator: the platform it is given, and that both agree where nothing is shared."""

import re
from dataclasses import replace

import pytest

from mpt_report.predict import machine as machines
from mpt_report.predict import smpi
from mpt_report.predict.cases import Asked, echo, fetch, loaded_echo
from mpt_report.predict.validate import Validation

needs_smpi = pytest.mark.skipif(not smpi.there(), reason="no smpicc and smpirun (Debian: libsimgrid-dev)")


def route(text: str, a: int, b: int) -> list[str]:
    found = re.search(rf'<route src="pe{a}" dst="pe{b}"[^>]*>(.*)</route>', text)
    assert found
    return re.findall(r'link_ctn id="([^"]*)"', found[1])


def test_a_torus_is_crossed_dimension_by_dimension_the_shorter_way_round():
    machine = machines.changed(machines.load("t3e-900"), [])
    machine.data["network"]["routers"] = [4, 3, 1]
    text = smpi.platform(machine, "mpi", 12)
    assert route(text, 0, 0) == ["own0"]
    assert route(text, 0, 7) == ["own0", "out0", "r0.0-", "r3.1+", "in7"]
    assert route(text, 7, 0) == ["own7", "out7", "r7.0+", "r4.1-", "in0"]
    assert '<link id="out0" bandwidth="480000000.0Bps" latency="0.0s" sharing_policy="SHARED"/>' in text
    assert '<link id="own0" bandwidth="300000000.0Bps"' in text


def test_a_hypercube_is_crossed_bit_by_bit_and_a_node_not_at_all():
    text = smpi.platform(machines.load("origin-2000"), "mpi", 32)
    assert route(text, 0, 1) == ["own0"]  # two processors of a node
    assert route(text, 0, 2) == ["own0", "out0", "in1"]  # two nodes of a router
    assert route(text, 0, 28) == ["own0", "out0", "r0.0", "r1.1", "r3.2", "in14"]


def test_what_smpi_cannot_do_is_told(monkeypatch):
    machine = machines.load("t3e-900")
    with pytest.raises(smpi.NoSmpi, match="129 PEs; at most 128"):
        smpi.platform(machine, "mpi", 129)
    with pytest.raises(smpi.NoSmpi, match="no bus; there are torus, hypercube, crossbar"):
        smpi.platform(machines.changed(machine, ["network.topology=bus"]), "mpi", 4)
    monkeypatch.setenv("PATH", "/nowhere")
    with pytest.raises(smpi.NoSmpi, match="no smpicc and smpirun here"):
        echo(Asked(machine, "mpi", 2, simulator=smpi.run))


@needs_smpi
@pytest.mark.parametrize("n_bytes", [8, 1 << 21])
def test_both_say_the_same_of_an_echo_alone(n_bytes):
    ours = Asked(machines.load("t3e-900"), "mpi", 40, n_bytes, 7)
    assert echo(replace(ours, simulator=smpi.run)) == pytest.approx(echo(ours), rel=0.02)


@needs_smpi
def test_both_say_about_the_same_of_one_under_load():
    ours = Asked(machines.load("t3e-900"), "mpi", 40, 1 << 21, 7)
    theirs = loaded_echo(replace(ours, simulator=smpi.run), 1 << 20)
    assert theirs == pytest.approx(loaded_echo(ours, 1 << 20), rel=0.2)
    with pytest.raises(smpi.NoSmpi, match="operation 7 is one-sided"):
        fetch(replace(ours, simulator=smpi.run))


@needs_smpi
def test_rows_have_its_answer_beside_ours():
    rows = Validation(smpi=True, cores=1).rows(only=("loads",))
    assert all(row.smpi and 1 <= row.smpi < 2 for row in rows)
    assert all(row.smpi is None for row in Validation(cores=1).rows(only=("loads",)))
