# SPDX-License-Identifier: BSD-3-Clause
"""`mpt predict --from`: recorded jobs carried out on machines of round numbers, by hand-computed times."""

import json

import pytest

from mpt_report import cli
from mpt_report.predict import here
from mpt_report.predict import machine as machines
from mpt_report.predict.between import predicted_regions
from mpt_report.predict.machine import Machine, MachineError
from mpt_report.predict.program import Op, Program
from mpt_report.predict.replay import ReplayError, replay
from mpt_report.predict.rounds import partners
from mpt_report.predict.simulate import SimulationError, find, run
from mpt_report.trace import reader
from mpt_report.trace.events import events_of
from mpt_report.trace.format import Kind, Role
from mpt_report.trace.writer import Writer


@pytest.fixture(scope="module", autouse=True)
def simulator():
    try:
        return find(None)
    except SimulationError as error:
        pytest.skip(str(error))


def machine(**interface) -> Machine:
    """A crossbar: 1 s to send, 2 s under way, 1000 B/s, 4 s to receive."""
    own = {"send": "1 s", "latency": "2 s", "receive": "4 s", "rates": [["1 B", "1000 B/s"]], **interface}
    data = {"network": {"topology": "crossbar"}, "processor": {}, "interface": {"mpi": own, "shmem": own}}
    machines.check(data, "test")
    return Machine("test", "test", "", data)


def clocks(folder, made: Machine, factor: float = 1.0) -> list[float]:
    events = events_of(reader.read(folder))
    found = replay(events, made, factor)
    return run(made, found.interface, events.pes, found.program.array()).clocks


def message(out: Writer, number: int = 1, n_bytes: int = 1000) -> None:
    """PE 0 computes from 1 s to 4 s and sends; PE 1 receives, long since ready."""
    for pe in (0, 1):
        out.call(pe, "MPI_Init", 0, 1)
    out.call(0, "MPI_Send", 4, 9, role=Role.SENDS, peer=1, bytes=n_bytes, message=number)
    out.call(1, "MPI_Recv", 1.5, 9, role=Role.RECEIVES, peer=0, bytes=n_bytes, message=number)


def test_computation_is_kept_and_calls_are_simulated(tmp_path):
    """3 s of computation, 1 to send, 2 + 1 under way, 4 to receive; how long the calls took does not matter."""
    with Writer(tmp_path, pes=2) as out:
        message(out)
    assert clocks(tmp_path, machine()) == pytest.approx([4, 11])
    assert clocks(tmp_path, machine(), 2.0) == pytest.approx([7, 14])


def test_what_the_recorder_takes_is_not_computation(tmp_path):
    """It takes 0.25 s between calls. What is less than that is owed by the next times, but for four calls at most."""
    with Writer(tmp_path, pes=2) as out:
        for pe in (0, 1):
            out.pes[pe].add(Kind.RECORDER, 0, bytes=4, value=out.pes[pe].ticks_per_second, message=0)
            out.call(pe, "MPI_Init", 0, 1)
        for begin in (1.125, 1.25, 2.0):  # gaps of 0.125, 0.125 and 0.75 s: 0.25 s of computation in all
            out.call(0, "MPI_Wtime", begin, begin)
        for number in range(100):
            out.call(1, "MPI_Wtime", 1, 1, value=number)
        out.call(1, "MPI_Wtime", 5, 5)  # 4 s, of which 1.25 are the recorder's
    assert clocks(tmp_path, machine()) == pytest.approx([0.25, 2.75])


def test_regions_have_their_time_on_the_machine(tmp_path, capsys):
    """Of 3 s of computation before the message, PE 0 has the last one in the region, and then 1 s to send. Its
    partner waits in the region from the begin."""
    folder, named = tmp_path / "trace", tmp_path / "made.toml"
    with Writer(folder, pes=2) as out:
        message(out)
        out.call(0, "solve", 3, 9.5, kind=Kind.REGION)
        out.call(1, "solve", 1, 9.5, kind=Kind.REGION)
        for pe in (0, 1):
            out.call(pe, "MPI_Finalize", 10, 10)
    events = events_of(reader.read(folder))
    made = replay(events, machine(), 2.0)
    found = run(machine(), made.interface, 2, made.program.array())
    there = predicted_regions(made.regions.names, 2, found.marks)
    assert made.regions.times == {"solve": [[6.5], [8.5]]}
    # 2 s of computation and 1 to send, 1 more at the end; 1 + 6 + 1 + 2 + 1 until the message is there, 4 to receive
    assert there.times["solve"][0] == pytest.approx([2 + 1 + 1])
    assert there.times["solve"][1] == pytest.approx([14 + 1])
    assert there.each("solve") == pytest.approx([15]) and there.whole("solve") == pytest.approx(15)
    named.write_text(
        '[network]\ntopology = "crossbar"\n[processor]\n[interface.mpi]\nsend = "1 s"\nlatency = "2 s"\n'
        'receive = "4 s"\nrates = [["1 B", "1000 B/s"]]\n',
        encoding="utf-8",
    )
    words = ["predict", "--machine", str(named), "--from", str(folder), "--cpu", "0.5"]
    assert cli.main([*words, "--json"]) == 0
    told = json.loads(capsys.readouterr().out)["regions"]["solve"]
    assert told["recorded"] == pytest.approx(8.5) and told["seconds"] == pytest.approx(15)
    assert cli.main(words) == 0
    assert "solve" in capsys.readouterr().out


def test_what_is_made_once_is_not_the_start_and_is_carried_out_when_started(tmp_path):
    """PE 0 computes for 3 s before a persistent send is made and 2 s after; a persistent barrier costs like another."""
    together = Role.COLLECTIVE | Role.BEGINS
    for name, made, started in (
        ("one", ("MPI_Barrier", Role.COLLECTIVE), None),
        ("two", ("MPI_Barrier_init", together), ("barrier", Kind.START)),
    ):
        with Writer(tmp_path / name, pes=2) as out:
            for pe in (0, 1):
                out.call(pe, "MPI_Init", 0, 1)
                out.call(pe, "MPI_Send_init", 4, 4, role=Role.BEGINS, peer=1 - pe, bytes=8)
                out.call(pe, made[0], 6, 6, role=made[1], message=1)
                if started:
                    out.call(pe, "MPI_Start", 6, 6)
                    out.call(pe, started[0], 6, 6, kind=started[1], role=together, message=(1 << 63) + (1 << 32) + 1)
                out.call(pe, "MPI_Wait", 6, 7)
    one, two = (clocks(tmp_path / name, machine()) for name in ("one", "two"))
    assert two == pytest.approx(one) and min(one) > 5


def test_the_same_trace_has_one_answer(tmp_path):
    with Writer(tmp_path, pes=2) as out:
        message(out)
    assert len({tuple(clocks(tmp_path, machines.load("t3e-900"))) for _ in range(3)}) == 1


def test_requests_are_waited_for_one_by_one(tmp_path):
    """PE 1 begins two receives and waits for the second message first: its computation after that goes on meanwhile."""
    with Writer(tmp_path, pes=3) as out:
        for pe in range(3):
            out.call(pe, "MPI_Init", 0, 1)
        for pe, begin in ((0, 21), (2, 1)):
            out.call(pe, "MPI_Send", begin, begin + 1, role=Role.SENDS, peer=1, bytes=0, message=1)
        late = out.call(1, "MPI_Irecv", 1, 1, role=Role.RECEIVES | Role.BEGINS, peer=0)
        soon = out.call(1, "MPI_Irecv", 1, 1, role=Role.RECEIVES | Role.BEGINS, peer=2)
        for peer, begun, begin, end in ((2, soon, 1, 8), (0, late, 18, 28)):
            out.call(1, "MPI_Wait", begin, end)
            out.call(1, "MPI_Wait", end, end, kind=Kind.RECEIVE, role=Role.RECEIVES, peer=peer, message=1, value=begun)
    assert clocks(tmp_path, machine(receive="0 s", rates=[])) == pytest.approx([21, 23, 1])


def test_stores_end_waits_and_barriers_complete_stores(tmp_path):
    with Writer(tmp_path, pes=2) as out:
        for pe in (0, 1):
            out.call(pe, "shmem_init", 0, 1)
        out.call(0, "shmem_long_p", 2, 2.1, role=Role.STORES, peer=1, bytes=8, message=64, value=7)
        out.call(1, "shmem_long_wait_until", 1, 2.2, role=Role.WAITS, peer=-1, message=64, value=7)
        for pe in (0, 1):
            out.call(pe, "shmem_barrier_all", 2.5, 3, role=Role.COLLECTIVE, message=1)
        out.call(0, "shmem_putmem_nbi", 3, 3, role=Role.STORES, peer=1, bytes=5000, message=128)
        out.call(0, "shmem_quiet", 3, 4, role=Role.SYNC)
    made = machine(receive="0 s", barrier=["10 s", "0 s"])
    # PE 0: 1 + 1 + 0.4 before the barrier; PE 1 has the word at 4.008 and 0.3 s of computation.
    assert clocks(tmp_path, made) == pytest.approx([4.308 + 10 + 1 + 2 + 5, 4.308 + 10])


@pytest.mark.parametrize(("order", "end"), [(None, 4.008), ("shmem_fence", 11.008), ("shmem_quiet", 11.008)])
def test_a_flag_does_not_overtake_what_was_put_before_the_fence(tmp_path, order, end):
    """The word leaves when the 5000 bytes are there, if it waits for them."""
    with Writer(tmp_path, pes=2) as out:
        for pe in (0, 1):
            out.call(pe, "shmem_init", 0, 1)
        out.call(0, "shmem_putmem_nbi", 1, 1, role=Role.STORES, peer=1, bytes=5000, message=128)
        if order:
            out.call(0, order, 1, 1, role=Role.SYNC)
        out.call(0, "shmem_long_p", 1, 1, role=Role.STORES, peer=1, bytes=8, message=64, value=7)
        out.call(1, "shmem_long_wait_until", 1, 2, role=Role.WAITS, peer=-1, message=64, value=7)
    assert clocks(tmp_path, machine(receive="0 s"))[1] == pytest.approx(end)


def test_memory_that_is_allocated_is_a_barrier(tmp_path):
    """However much it is."""
    with Writer(tmp_path, pes=2) as out:
        for pe in (0, 1):
            out.call(pe, "shmem_init", 0, 1)
            out.call(pe, "shmem_malloc", 1 + pe, 3, role=Role.COLLECTIVE, bytes=10**6, message=1)
    assert clocks(tmp_path, machine(barrier=["10 s", "0 s"])) == pytest.approx([11, 11])


def test_nonblocking_collectives_block_nobody(tmp_path):
    """PE 0 sends behind the begin of a barrier what PE 1 receives before it; PE 1 has the message at 2 + 2
    + 4, begins the barrier and computes for 8 s; PE 0, which computes for 9 s, still waits for its word then."""
    begins = Role.COLLECTIVE | Role.BEGINS
    with Writer(tmp_path, pes=2) as out:
        for pe in (0, 1):
            out.call(pe, "MPI_Init", 0, 1)
        out.call(0, "MPI_Ibarrier", 1, 1, role=begins, message=1)
        out.call(0, "MPI_Send", 1, 1, role=Role.SENDS, peer=1, bytes=0, message=1)
        out.call(1, "MPI_Recv", 1, 2, role=Role.RECEIVES, peer=0, bytes=0, message=1)
        out.call(1, "MPI_Ibarrier", 2, 2, role=begins, message=1)
        for pe in (0, 1):
            out.call(pe, "MPI_Wait", 10, 10)
            out.call(pe, "MPI_Ibarrier", 10, 10, kind=Kind.DONE, role=Role.COLLECTIVE, message=1)
    assert clocks(tmp_path, machine()) == pytest.approx([1 + 8 + 2 + 4, 1 + 7 + 1 + 8])


@pytest.mark.parametrize("n", [1, 2, 3, 8, 13])
def test_partners_agree(n):
    """Who sends to me is who thinks so; a tree reaches all from its root."""
    for op in (Op.BARRIER, Op.ALLTOALL, Op.BROADCAST, Op.REDUCE):
        pairs = [partners(op, n, me, n // 2) for me in range(n)]
        sent = sorted((me, to) for me in range(n) for to in pairs[me][0])
        assert sent == sorted((source, me) for me in range(n) for source in pairs[me][1])
        assert len(sent) == len(set(sent)) and (op in (Op.BARRIER, Op.ALLTOALL) or len(sent) == n - 1)


def test_collectives_of_some_pes(tmp_path):
    """PEs 0 and 2 of three reduce; the other does not wait for them."""
    with Writer(tmp_path, pes=3) as out:
        for pe in range(3):
            out.call(pe, "MPI_Init", 0, 1)
        for pe in (0, 2):
            group = out.pes[pe].group(77, [0, 2], "half")
            out.call(pe, "MPI_Allreduce", 1, 2, role=Role.COLLECTIVE, message=1, bytes=1000, group=group)
    assert clocks(tmp_path, machine()) == pytest.approx([8, 0, 8])


def test_what_cannot_be_carried_out_is_refused(tmp_path):
    with Writer(tmp_path / "am", pes=1) as out:
        out.call(0, "handler", 1, 2, kind=Kind.HANDLER)
    with Writer(tmp_path / "threads", pes=1) as out:
        for thread in (0, 1):
            out.call(0, "MPI_Test", 1, 2, thread=thread)
    for name, what in (("am", "active messages"), ("threads", "several threads")):
        with pytest.raises(ReplayError, match=what):
            replay(events_of(reader.read(tmp_path / name)), machine())


def test_messages_without_another_end_are_counted(tmp_path):
    with Writer(tmp_path, pes=2) as out:
        out.call(0, "MPI_Send", 4, 9, role=Role.SENDS, peer=1, bytes=8, message=1)
        out.call(1, "MPI_Recv", 1, 9, role=Role.RECEIVES, peer=0, bytes=8, message=2)
    found = replay(events_of(reader.read(tmp_path)), machine())
    assert found.left_out == 2


def test_quiet_waits_for_puts_and_not_for_messages():
    program = Program(2)
    program.add(0, Op.IRECEIVE, 1, 0, tag=5)
    program.add(0, Op.IPUT, 1, 3000)
    program.add(0, Op.QUIET)
    program.add(0, Op.MARK, tag=1)
    program.add(0, Op.WAIT, tag=5)
    program.add(1, Op.COMPUTE, seconds=50)
    program.add(1, Op.SEND, 0, 0, tag=5)
    found = run(machine(receive="0 s"), "mpi", 2, program.array())
    assert found.marks[0, 1] == [pytest.approx(1 + 2 + 3)]
    assert found.clocks[0] == pytest.approx(53)


def test_the_command(tmp_path, capsys):
    with Writer(tmp_path, pes=2) as out:
        message(out)
    assert cli.main(["predict", "--machine", "t3e-1200e", "--from", str(tmp_path), "--cpu", "3", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["interface"] == "mpi"
    assert told["computed"] == pytest.approx(3)
    assert told["seconds"] == pytest.approx(1 + 14e-6 + 1000 / 315e6, rel=1e-3)
    for wrong in (["--from", "/nowhere"], ["--from", str(tmp_path), "--cpu", "0"], ["--case", "echo", "--from", "x"]):
        assert cli.main(["predict", "--machine", "t3e-1200e", *wrong]) == 2
        assert capsys.readouterr().err.startswith("mpt predict: ")


def test_long_transfers_of_a_pe_leave_one_after_the_other():
    """Of two puts of 5 s both cost 1 s to begin, and the second is there 5 s after the first; words do not wait."""
    made = machine(receive="0 s")
    program = Program(3)
    for peer, n_bytes in ((1, 5000), (2, 5000), (1, 8)):
        program.add(0, Op.IPUT, peer, n_bytes)
    program.add(0, Op.QUIET)
    assert run(made, "mpi", 3, program.array()).clocks == pytest.approx([1 + 2 + 10, 0, 0])


def test_puts_may_cost_the_processor_less_than_sends():
    """Three puts of 0.25 s each, of which the last is there 2 + 1 s later."""
    program = Program(2)
    for _ in range(3):
        program.add(0, Op.IPUT, 1, 1000)
    program.add(0, Op.QUIET)
    times = run(machine(onesided="0.25 s"), "shmem", 2, program.array()).clocks
    assert times[0] == pytest.approx(0.75 + 2 + 1)
    assert run(machine(), "shmem", 2, program.array()).clocks[0] == pytest.approx(3 + 2 + 1)


def test_timed_runs_are_found_by_their_names():
    rows = [
        {"test": "environment", "env": {}},
        {"test": "NPB CG", "metric": "time", "params": {"npes": 2}, "value": 0.5},
        {"test": "sort", "metric": "time", "params": {"variant": "bulk"}, "value": 0.25},
        {"test": "sort", "metric": "rate", "params": {"variant": "bulk"}, "value": 9},
    ]
    assert here.timed("\n".join(json.dumps(row) for row in rows)) == {"NPB CG": 0.5, "sort, bulk": 0.25}
    assert here.middle([9, 1, 2, 3]) == 2 and here.middle([4, 2]) == 3
    first, second = {"a": (3.0, 5.0, 2.0)}, {"a": (2.0, 6.0, 3.0)}
    (one,) = here.least("cg", "class S", [first, second])
    assert one == here.Own("cg, class S", 2.0, 5.0, 2.0) and one.error == 0
    (two,) = here.least("mpi_mm", "", [{"mm, large blocks": (1.0, 1.0, 2.0)}])
    assert two.program == "mpi_mm, large blocks" and two.error == 1


def test_benchmarks_that_are_missing_are_named(tmp_path):
    with pytest.raises(MachineError, match="build the benchmarks"):
        here.fit(str(tmp_path))
