# SPDX-License-Identifier: BSD-3-Clause
"""`mpt predict`: the simulator by cases computed by hand, machine files, and the comparison with the papers."""

import json
import subprocess

import pytest

from mpt_report import cli
from mpt_report.predict import here
from mpt_report.predict import machine as machines
from mpt_report.predict.cases import Asked, echo, fetch, gather_at_zero, loaded_echo, put
from mpt_report.predict.linpack import Linpack
from mpt_report.predict.machine import Machine, MachineError, changed, load, near_cube
from mpt_report.predict.npb import PATTERNS, Benchmark
from mpt_report.predict.partition import Cube
from mpt_report.predict.pattern import STEPS, Pattern
from mpt_report.predict.program import Op, Program
from mpt_report.predict.simulate import SimulationError, find, run
from mpt_report.predict.units import QuantityError, quantity
from mpt_report.predict.validate import BARS, Validation, for_report, summaries
from mpt_report.runs import published


@pytest.fixture(scope="module", autouse=True)
def simulator():
    try:
        return find(None)
    except SimulationError as error:
        pytest.skip(str(error))


def machine(topology="crossbar", interface=None, **network) -> Machine:
    """Of round numbers: 1 kB/s, and nothing else costs anything."""
    net = {"topology": topology, "link": "1000 B/s", "port": "1000 B/s", **network}
    data = {"network": net, "processor": {"clock": "1 MHz"}, "interface": {"x": interface or {}}}
    machines.check(data, "test")
    return Machine("test", "test", "", data)


def seconds(made: Machine, program: Program) -> list[float]:
    return run(made, "x", program.pes, program.array()).clocks


# ------------------------------------------------------------------------------- quantities, files


@pytest.mark.parametrize(
    ("text", "value"),
    [("126 MB/s", 126e6), ("0.3 us", 3e-7), ("16 KiB", 16384.0), ("2 cycles", 2e-6), ("7", 7.0), ("1 GHz", 1e9)],
)
def test_quantities(text, value):
    assert quantity(text, clock=1e6) == pytest.approx(value)


@pytest.mark.parametrize("text", ["", "fast", "3 parsecs", "2 cycles"])
def test_wrong_quantities_are_named(text):
    with pytest.raises(QuantityError, match=repr(text).replace("(", r"\(")):
        quantity(text)


@pytest.mark.parametrize("name", machines.names())
def test_shipped_machines_are_sound_and_run(name):
    found = load(name)
    for interface in found.interfaces:
        assert echo(Asked(found, interface, 8, 1000)) > 0
    known = Validation().figures
    assert found.fitted <= set(known), "fitted figures are published ones"


def test_the_nearest_torus():
    assert [near_cube(n) for n in (1, 8, 40, 64, 512)] == [(1, 1, 1), (2, 2, 2), (5, 4, 2), (4, 4, 4), (8, 8, 8)]


def test_settings_change_a_machine():
    twice = changed(load("t3d"), ["network.link=2x", "interface.shmem.latency=5 us"])
    assert quantity(twice.data["network"]["link"]) == 300e6
    assert twice.data["interface"]["shmem"]["latency"] == "5 us"
    for wrong in ("link=2x", "network.link", "network.nothing=1", "a.b.c=1", "network.topology=star"):
        with pytest.raises(MachineError):
            changed(load("t3d"), [wrong])


# ---------------------------------------------------------------------------------- the simulator


def test_remote_fetch_of_the_t3d_is_the_formula_of_the_paper():
    """101 + 2 x changes of dimension (at most 2) + 1 x hops cycles, hops beyond the neighbour, on 4 x 4 x 4 routers."""
    t3d = load("t3d")
    for node in (1, 2, 3, 4, 5, 21, 42):
        x, y, z = node % 4, node // 4 % 4, node // 16
        hops = [min(d, 4 - d) for d in (x, y, z)]
        turns = max(0, sum(h > 0 for h in hops) - 1)
        cycles = t3d.cycles(fetch(Asked(t3d, "shmem", 128, peer=2 * node)))
        assert cycles == pytest.approx(101 + 2 * turns + sum(hops)), node


def test_a_message_costs_what_its_parts_cost():
    """1 s to send, 2 s of latency, 500 bytes at 250 B/s, 4 s to receive."""
    made = machine(interface={"send": "1 s", "latency": "2 s", "receive": "4 s", "rates": [["1 B", "250 B/s"]]})
    program = Program(2)
    program.add(0, Op.SEND, 1, 500)
    program.add(1, Op.RECEIVE, 0, 500)
    assert seconds(made, program) == pytest.approx([1, 1 + 2 + 2 + 4])


def test_rates_are_interpolated_by_time():
    """100 bytes take 1 s and 300 bytes 2 s: 200 bytes take 1.5 s; beyond, the last rate stays."""
    made = machine(port="0", interface={"rates": [["100 B", "100 B/s"], ["300 B", "150 B/s"]]})
    for n_bytes, expected in ((50, 0.5), (200, 1.5), (600, 4.0)):
        assert put(Asked(made, "x", 2, n_bytes)) == pytest.approx(expected)


def test_long_messages_wait_for_their_receiver():
    made = machine(interface={"eager": "100 B"})
    for n_bytes, ends in ((100, [0, 7]), (2000, [9, 9])):
        program = Program(2)
        program.add(0, Op.SEND, 1, n_bytes)
        program.add(1, Op.COMPUTE, seconds=7)
        program.add(1, Op.RECEIVE, 0, n_bytes)
        assert seconds(made, program) == pytest.approx(ends)


def test_messages_match_by_source_and_tag_in_order():
    program = Program(3)
    program.add(0, Op.SEND, 2, 0, tag=7)
    program.add(1, Op.COMPUTE, seconds=5)
    program.add(1, Op.SEND, 2, 0, tag=8)
    program.add(2, Op.RECEIVE, 1, 0, tag=8)
    program.add(2, Op.MARK, tag=1)
    program.add(2, Op.RECEIVE, 0, 0, tag=7)
    found = run(machine(), "x", 3, program.array())
    assert found.marks[2, 1] == [pytest.approx(5)]


def test_a_port_is_shared_and_what_is_left_is_used():
    """PEs 0 and 1 send 3000 and 6000 bytes to PE 2, whose port takes 1000 a second: 500 each until the first is done
    after 6 s, then the other's last 3000 take 3 s."""
    program = Program(3)
    for pe, n_bytes in ((0, 3000), (1, 6000)):
        program.add(pe, Op.PUT, 2, n_bytes)
    assert seconds(machine(), program) == pytest.approx([6, 9, 0])


def test_sharing_is_max_min_fair():
    """On a ring of eight routers, a message from 0 to 2 and one from 0 to 1 share the link 0-1."""
    made = machine("torus", routers=[8, 1, 1], port="0", interface={"rates": [["1 B", "1 MB/s"]]})
    program = Program(8)
    program.add(0, Op.PUT, 2, 5000)  # links 0-1, 1-2
    program.add(3, Op.COMPUTE, seconds=100)
    alone = seconds(made, program)
    assert alone[0] == pytest.approx(5)
    both = Program(8)
    both.add(0, Op.ISEND, 2, 5000)
    both.add(0, Op.ISEND, 1, 5000)
    both.add(2, Op.RECEIVE, 0, 5000)
    both.add(1, Op.RECEIVE, 0, 5000)
    both.add(1, Op.MARK, tag=1)
    found = run(made, "x", 8, both.array())
    assert (found.clocks[2], found.clocks[1]) == pytest.approx((10, 10)), "each has half of link 0-1"


def test_a_bus_is_one_link_for_all():
    program = Program(4)
    program.add(0, Op.PUT, 1, 2000)
    program.add(2, Op.PUT, 3, 2000)
    assert seconds(machine("bus", port="0"), program) == pytest.approx([4, 0, 4, 0])


@pytest.mark.parametrize(
    ("topology", "net", "peer", "hops"),
    [
        ("torus", {"routers": [4, 4, 1]}, 15, 2),  # (3, 3): one step back in each
        ("hypercube", {}, 15, 4),
        ("fattree", {"leaf": 4}, 1, 1),
        ("fattree", {"leaf": 4}, 15, 3),
        ("dragonfly", {"group": 4}, 5, 3),  # to router 1, which has the link to group 1; over it to router 4; to 5
        ("crossbar", {}, 15, 0),
    ],
)
def test_distances(topology, net, peer, hops):
    made = machine(topology, hop="1 s", port="0", interface={"get": "0 s"}, **net)
    assert put(Asked(made, "x", 16, 0, peer)) == pytest.approx(hops)


@pytest.mark.parametrize("pes", [1, 2, 3, 5, 8, 13])
@pytest.mark.parametrize("op", [Op.BARRIER, Op.BROADCAST, Op.REDUCE, Op.ALLREDUCE, Op.ALLTOALL])
def test_collectives_end_at_any_number_of_pes(op, pes):
    program = Program(pes)
    program.all(op, 100, peer=pes - 1 if op in (Op.BROADCAST, Op.REDUCE) else -1)
    program.all(op, 100, peer=0 if op in (Op.BROADCAST, Op.REDUCE) else -1)
    assert len(seconds(machine(interface={"eager": "10 B", "latency": "1 s"}), program)) == pes


def test_a_broadcast_takes_as_many_steps_as_the_tree_is_deep():
    """Where sending costs nothing: as many as the largest rank's number of bits that are 1."""
    made = machine(interface={"latency": "1 s"})
    for pes, depth in ((2, 1), (4, 2), (5, 2), (8, 3)):
        program = Program(pes)
        program.all(Op.BROADCAST, 0, peer=0)
        assert max(seconds(made, program)) == pytest.approx(depth)


def test_hardware_barriers_wait_for_the_last():
    made = machine(interface={"barrier": ["1 s", "0.5 s"]})
    program = Program(4)
    program.add(2, Op.COMPUTE, seconds=10)
    program.all(Op.BARRIER)
    assert seconds(made, program) == pytest.approx([12, 12, 12, 12])


def test_the_same_program_has_one_answer():
    program = Program(16)
    program.all(Op.ALLTOALL, 5000)
    t3e = load("t3e-900")
    first, second = (run(t3e, "mpi", 16, program.array()) for _ in range(2))
    assert first == second


def test_wrong_programs_are_refused_or_named():
    program = Program(2)
    program.add(0, Op.RECEIVE, 1)
    with pytest.raises(SimulationError, match="nobody sends"):
        seconds(machine(), program)
    steps = program.array()
    steps["peer"] = 9
    with pytest.raises(SimulationError, match=r"step 0 .* peer 9"):
        run(machine(), "x", 2, steps)
    done = subprocess.run([find(None), "/nowhere", "/nowhere"], capture_output=True, text=True)
    assert done.returncode == 1
    assert "/nowhere" in done.stderr


# ------------------------------------------------------------------------------------- validation


QUICK = ("fetches", "barriers", "reductions", "partitions")


def test_validation_leaves_fitted_figures_out():
    rows = Validation().rows(only=QUICK)
    groups = {summary.group: summary for summary in summaries(rows)}
    assert set(groups) <= set(BARS)
    for group in groups:
        assert groups[group].figures == sum(row.group == group and not row.fitted for row in rows)
    assert groups["puts"].met
    assert groups["ping-pong"].median < 0.25
    assert groups["barriers"].met
    assert groups["reductions"].met
    for row in rows:
        if row.fitted and row.machine == "t3e-1200e":
            assert abs(row.error) < 0.01, f"a fitted figure comes out again: {row}"


@pytest.mark.parametrize(
    ("name", "pes", "peer", "order", "slower"),
    [("t3e-900", 40, 7, "pairs", 1.17), ("t3e-900", 40, 7, "row", 1.17), ("origin-2000", 32, 28, "once", 1.95)],
)
def test_no_order_of_an_alltoall_slows_an_echo_as_measured(name, pes, peer, order, slower):
    """What docs/predict.md says of the bar that is missed; published are 2 and 4."""
    asked = Asked(load(name), "mpi", pes, 1 << 21, peer)
    assert loaded_echo(asked, 1 << 20, order) / echo(asked) == pytest.approx(slower, rel=0.01)


def test_the_report_shows_what_is_predicted_now():
    """data/predicted.json comes from --write: a change of models or machines must write it again."""
    shown = published.predicted()
    now = for_report(Validation().rows(only=QUICK))
    assert now == {figure: shown[figure] for figure in now}
    fitted = {
        row["id"] for row in Validation().figures.values() if row["params"].get("npes") == 32 and "NPB" in row["test"]
    }
    assert not fitted & set(shown)


def test_several_cores_make_the_rows_of_one():
    one, two = (Validation(cores=cores) for cores in (1, 2))
    assert one.rows(only=("partitions", "fetches")) == two.rows(only=("partitions", "fetches"))
    assert two.pool is None
    assert two.each(abs, [-1, -3, -2], weight=abs) == [1, 3, 2], "the heaviest first, results in the order of the cases"
    two.close()
    lost = Validation(home="/nowhere", cores=2)
    with pytest.raises(SimulationError, match="no simulator"):
        lost.rows(only=("partitions",))
    assert lost.pool is None


def test_partitionings_are_in_the_order_that_was_measured():
    """2-D, then 3-D, then 1-D (seed 004, 5), on both machines."""
    for name, interface in (("t3e-900", "mpi-buffered"), ("t3e-900", "mpi"), ("origin-2000", "mpi")):
        one, two, three = (Cube(load(name), interface, 256).best(32, d) for d in (1, 2, 3))
        assert two < three < one, name


def test_reductions_of_a_word_wait_for_the_memory_of_pe_0():
    """Each further PE adds a load, and an access for its put and one for its get."""
    interface = {"get": "1 s", "serve": "10 s"}
    made = machine(interface=interface | {"barrier": ["0 s", "0 s"]}, port="0")
    made.data["processor"]["load"] = "100 s"
    two, three, four = (gather_at_zero(Asked(made, "x", pes), 5.0) for pes in (2, 3, 4))
    assert three - two == pytest.approx(120)
    assert four - three == pytest.approx(120)


# ------------------------------------------------------------------------------- whole programs


@pytest.mark.parametrize("name", sorted(PATTERNS))
def test_patterns_of_the_nas_benchmarks_end_and_scale(name):
    """All messages find their partners; the time that was calibrated comes out again; more PEs are faster."""
    made = Benchmark(name, "A", load("t3e-1200e"))
    work = made.work(8, 100.0)
    assert made.seconds(8, work) == pytest.approx(100, rel=1e-3)
    assert made.seconds(16, work) > 49.9
    assert made.seconds(16, work) < 100


def test_the_nas_benchmarks_with_most_messages_are_predicted():
    """CG of class A loses more than half of its rate up to 512 PEs; from 32 PEs alone it is known within the bar."""
    figures = {
        n: found for (test, cls, n), found in Validation().find("Table 16", "rate_per_pe").items() if test == "NPB CG"
    }
    made = Validation(cores=1).benchmarks({("NPB CG", "A"): figures})
    rows = [row for row in made if not row.fitted and "1024" not in row.what]
    errors = sorted(abs(row.error) for row in rows)
    assert len(errors) == 4
    assert errors[2] < 0.16
    assert max(errors) < max(abs(row.simple / row.published - 1) for row in rows) / 4


def test_a_long_transpose_by_some_of_its_steps():
    """Bytes that leave a PE are those of all steps, within one for each message."""
    t3e = load("t3e-1200e")
    made = Pattern(t3e, "shmem", 128)
    for pe in range(128):
        made.transpose(pe, list(range(128)), 128 * 4096)
    steps = made.program.array()
    sent = steps[(steps["op"] == Op.ISEND) & (steps["pe"] == 5)]
    assert len(sent) == STEPS
    assert len(set(sent["peer"].tolist())) == STEPS
    assert sent["bytes"].sum() == pytest.approx(127 * 4096, abs=STEPS)


def test_linpack_of_one_pe_is_its_products():
    made = Linpack(load("t3e-1200e"), 4)
    multiply = made.multiply(4096, 2e9)
    assert made.rate(4096, multiply) == pytest.approx(2e9)
    half = made.half(4096, multiply)
    assert made.rate(half, multiply) == pytest.approx(1e9, rel=0.05)


# ---------------------------------------------------------------------------------------- command


def test_the_command(capsys):
    assert cli.main(["predict", "--machine", "t3e-1200e", "--case", "barrier", "--pes", "4,8", "--json"]) == 0
    made = json.loads(capsys.readouterr().out)
    assert [row["seconds"] for row in made["predicted"]] == pytest.approx([9.6e-6, 14.4e-6])
    assert cli.main(["predict", "--list"]) == 0
    assert "t3e-1200e" in capsys.readouterr().out
    for wrong in (
        ["--machine", "abacus", "--case", "echo"],
        ["--machine", "t3d"],
        ["--validate", "--only", "everything"],
        ["--machine", "t3d", "--case", "echo", "--pes", "0"],
        ["--machine", "t3d", "--case", "echo", "--interface", "smoke"],
        ["--machine", "t3d", "--case", "echo", "--pes", "4", "--peer", "4"],
        ["--machine", "t3d", "--case", "echo", "--set", "network.link=fast"],
    ):
        assert cli.main(["predict", *wrong]) == 2
        assert capsys.readouterr().err.startswith("mpt predict: ")


def test_this_machine_is_measured_by_the_programs_of_a_build_folder_and_of_a_prefix(tmp_path):
    for folder, below in (("build", "bench"), ("prefix", "libexec/mpt/bench")):
        program, launcher = tmp_path / folder / below / "hello", tmp_path / folder / "bin/mptrun"
        for file, text in ((program, "echo hello"), (launcher, 'shift 2; exec "$@"')):
            file.parent.mkdir(parents=True)
            file.write_text(f"#!/bin/sh\n{text}\n")
            file.chmod(0o755)
        assert here.start(tmp_path / folder, ["hello"]) == "hello\n"
    with pytest.raises(MachineError, match="no-such is not there"):
        here.start(tmp_path / "prefix", ["no-such"])
