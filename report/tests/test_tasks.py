# SPDX-License-Identifier: BSD-3-Clause
"""PEs as tasks: `mpt bench --tasks`, and reports, comparisons and exports that keep them apart from processes."""

import csv
import io
import json

import pytest
from rich.console import Console

from conftest import OURS, PEER, environment, limits, record, write
from mpt_report import cli, export, goals, page, text
from mpt_report.drive import measure, plan, programs
from mpt_report.page import task_charts
from mpt_report.runs import join, scaling
from mpt_report.runs.records import load_run
from mpt_report.runs.study import study
from mpt_report.tables import compare
from mpt_report.tables import tasks as tables
from test_drive import executable, program, step

MPICH = "MPICH 5.0.2"
# Takes options before -np, and says hello as so many PEs as there are to be.
LAUNCHER = """#!/bin/sh
case $1 in --tasks*) shift;; esac
[ "$1" = -np ] || exit 9
n=$2
shift 2
case $1 in
*/hello) for pe in 0 1; do echo "hello from PE $pe of $n"; done ;;
*) exec "$@" ;;
esac
"""


@pytest.fixture
def build(tmp_path):
    executable(tmp_path / "build/bin/oshrun", LAUNCHER)
    for name in ("hello", "barrier", "handover", "pvm_spawn", "apps/em3d"):
        program(tmp_path / "build/bench" / name)
    return tmp_path / "build"


@pytest.fixture(autouse=True)
def no_page(monkeypatch):
    monkeypatch.setattr("mpt_report.measuring.write_page", lambda *_: None)


def libraries(build, *more):
    ours = plan.Library("mpt", build / "bench", ("oshrun",))
    return [ours, plan.Library(plan.TASKS, build / "bench", ("oshrun", "--tasks")), *more]


def commands(tested, order):
    return {one.out.name: " ".join(one.command) for one in plan.make(tested, order)[0]}


def test_processes_and_tasks_take_turns_and_the_records_are_told(build, tmp_path):
    order = plan.Order(tmp_path / "out", "quick", only=("barrier", "handover"), scale=(4,))
    steps = plan.make(libraries(build), order)[0]
    assert [one.out.name for one in steps] == [
        "mpt-barrier-004.jsonl",
        "tasks-barrier-004.jsonl",
        "tasks-handover-004.jsonl",
    ]
    found = commands(libraries(build), order)
    assert found["mpt-barrier-004.jsonl"].startswith("oshrun -np 4 ")
    assert "--as-tasks" not in found["mpt-barrier-004.jsonl"]
    assert found["tasks-barrier-004.jsonl"].startswith("oshrun --tasks -np 4 ")
    assert "--as-tasks" in found["tasks-barrier-004.jsonl"]
    # What needs one process gets it, whatever others were told.
    assert found["tasks-handover-004.jsonl"].startswith("oshrun --tasks=1 -np 4 ")


def test_what_cannot_be_tasks_is_left_out_with_its_reason(build, tmp_path):
    order = plan.Order(tmp_path / "out", "quick", only=("splitc_em3d", "pvm_spawn", "limits"))
    told = plan.left_out(libraries(build), order)
    assert any("pvm_spawn (starts its PEs itself, by PVM's virtual machine)" in words for words in told)
    assert any("(Split-C's variables lie at one address in all PEs)" in words for words in told)
    assert not any("limits" in words for words in told)
    assert not any(name.startswith("tasks-") for name in commands(libraries(build), order))
    assert plan.left_out(libraries(build)[:1], order) == []
    alone = plan.Order(tmp_path / "out", "quick", only=("handover",))
    assert plan.left_out(libraries(build)[:1], alone) == ["not without --tasks: handover (run only so)"]
    assert plan.make(libraries(build)[:1], alone) == ([], [])


def test_launching_programs_start_tasks(build, tmp_path):
    program(build / "bench/launch")
    order = plan.Order(tmp_path / "out", "full", only=("launch_many",))
    words = commands(libraries(build), order)["tasks-launch_many.jsonl"]
    assert "--launcher oshrun --tasks -np {n}" in words and "--as-tasks" in words and "--counts 64,1000" in words


def test_other_libraries_stop_at_their_own_number_of_pes(build, tmp_path):
    (build / "bench/mpi_scaling").write_text("#!/bin/sh\n", encoding="utf-8")
    (build / "bench/mpi_scaling").chmod(0o755)
    other = plan.Library("mpich", build / "bench", ("mpiexec",), interfaces=("MPI",))
    order = plan.Order(tmp_path / "out", "full", only=("mpi_scaling",))
    found = commands(libraries(build, other), order)
    assert "mpt-mpi_scaling-1024.jsonl" in found and "tasks-mpi_scaling-1024.jsonl" in found
    assert "mpich-mpi_scaling-128.jsonl" in found and "mpich-mpi_scaling-256.jsonl" not in found
    assert "mpich on no more than 128 PEs: mpi_scaling" in plan.left_out(libraries(build, other), order)


@pytest.mark.parametrize("key, value", [("processes", "0"), ("peers_most", '"many"')])
def test_wrong_numbers_in_a_table_are_told(key, value):
    row = '[[program]]\nname="x"\nfile="x"\npes=0\nseconds={quick=1,full=1}\nlibrary="MPI"\ntests=["t"]\n'
    with pytest.raises(programs.TableError, match=f"{key} is"):
        programs.parse(f"{row}{key}={value}\n", "p")


def bench(build, out, *more):
    return cli.main(["bench", "--build", str(build), "--out", str(out), "--only", "barrier", "--pes", "2", *more])


def test_bench_runs_both_kinds(build, tmp_path, capsys):
    assert bench(build, tmp_path / "out", "--tasks") == 0
    assert sorted(file.name for file in (tmp_path / "out").glob("*.jsonl")) == [
        "mpt-barrier-002.jsonl",
        "tasks-barrier-002.jsonl",
    ]
    assert bench(build, tmp_path / "two", "--tasks=3") == 0
    assert "oshrun --tasks=3 -np 2" in (tmp_path / "two/programs.log").read_text()
    assert bench(build, tmp_path / "no") == 0
    assert not list((tmp_path / "no").glob("tasks-*"))
    capsys.readouterr()
    with pytest.raises(SystemExit):
        bench(build, tmp_path / "out", "--tasks=none")
    assert "is not a number of processes" in capsys.readouterr().err


def test_launcher_that_has_no_tasks_is_told_and_processes_are_measured(build, tmp_path, capsys):
    executable(build / "bin/oshrun", LAUNCHER.replace("shift;;", "echo 'no tasks on this processor' >&2; exit 1;;", 1))
    assert bench(build, tmp_path / "out", "--tasks") == 1
    assert "PEs as tasks: no tasks on this processor" in capsys.readouterr().err
    assert [file.name for file in (tmp_path / "out").glob("*.jsonl")] == ["mpt-barrier-002.jsonl"]


def growing(tmp_path, name, body, smaller=None):
    made = step(program(tmp_path / name, body=body), tmp_path / f"out/{name}.jsonl")
    made = plan.replace(made, title=name, grows=True, smaller=smaller)
    return made


def test_no_more_pes_are_tried_once_a_number_was_too_many(tmp_path, monkeypatch):
    """It is no failure, what was measured stands, and the same run does not try again."""
    monkeypatch.setattr(plan.Step, "hard_limit", property(lambda _: 5.0))
    out = tmp_path / "out"
    few = growing(tmp_path, "few", "pass")
    many = growing(tmp_path, "many", "time.sleep(60)", few.out)
    more = growing(tmp_path, "more", "pass", many.out)
    most = growing(tmp_path, "most", "pass", more.out)
    steps = [few, many, more, most]
    result = measure(steps, out, Console(file=io.StringIO()))
    assert result.problems == []
    assert result.left_out == [
        "many: stopped after its limit of 5 s; what it measured until then stands",
        "more: fewer PEs did not end in time",
        "most: fewer PEs did not end in time",
    ]
    assert [file.name for file in result.files] == ["few.jsonl", "many.jsonl"]
    assert load_run(out).failures == {} and not load_run(out).unfinished
    again = measure(steps, out, Console(file=io.StringIO()), resume=True)
    assert again.kept == 2 and again.left_out == result.left_out[1:]


def test_failure_with_few_pes_is_a_failure_and_spares_more(tmp_path):
    few = growing(tmp_path, "few", "sys.exit(1)")
    more = growing(tmp_path, "more", "pass", few.out)
    result = measure([few, more], tmp_path / "out", Console(file=io.StringIO()))
    assert result.problems == ["few: exit status 1"]
    assert result.left_out == ["more: fewer PEs did not end in time"]


def as_tasks(params, processes=2):
    return {**params, "pes": "tasks", "processes": processes}


def figures(name, factor, tasks=False, counts=(2, 8, 64)):
    """Times and rates against PEs."""
    out = []
    for npes in counts:
        params = {"npes": npes}
        params = as_tasks(params) if tasks else params
        for test, call, size, us in (
            ("scaling", "shmem_barrier_all", 0, 0.5),
            ("scaling", "shmem_long_sum_reduce", 8, 0.6),
            ("mpi_scaling", "MPI_Barrier", 0, 1.0),
            ("mpi_scaling", "MPI_Allreduce", 8, 1.5),
            ("mpi_scaling", "MPI_Bcast", 65536, 10.0),
            ("mpi_scaling", "MPI_Allreduce", 65536, 40.0),
            ("mpi_scaling", "MPI_Alltoall", 1024, 10.0),
        ):
            library = "SHMEM" if test == "scaling" else "MPI"
            if library == "SHMEM" and name != OURS:
                continue
            where = {**params, "call": call, "message_bytes": size}
            out.append(record(test, where, "time", "us", us * npes * factor, library, name))
        where = {**params, "call": "MPI_Isend", "message_bytes": 8}
        out.append(record("mpi_scaling", where, "rate", "Mop/s", 20 / factor, "MPI", name))
    return out


@pytest.fixture
def whole(tmp_path):
    """A run of ours as processes and as tasks, ten times faster, beside two others, which come less far."""
    folder = tmp_path / "run"
    folder.mkdir()
    write(folder / "mpt-limits.jsonl", [environment(1, implementation="limits", library="hardware"), *limits()])
    crowded = environment()
    crowded["env"]["oversubscribed"] = True
    write(folder / "mpt-scaling.jsonl", [crowded, *figures(OURS, 10.0)])
    write(folder / "tasks-scaling.jsonl", [crowded, *figures(OURS, 1.0, tasks=True)])
    for file, name, factor in (("openmpi", PEER, 30.0), ("mpich", MPICH, 500.0)):
        lines = figures(name, factor, counts=(2, 8))
        write(folder / f"{file}-scaling.jsonl", [environment(implementation=name), *lines])
    return folder


def read(folder):
    return study([load_run(folder)])


def test_tasks_are_a_series_of_their_own_and_no_other_library(whole):
    found = read(whole)
    assert [one.name for one in found.series] == [OURS, MPICH, PEER]
    assert [one.name for one in found.tasks] == [f"{OURS}, tasks"]
    assert found.own_tasks is found.tasks[0]
    assert not any(one.tasks for one in found.first.records)
    assert all(one.tasks for one in found.own_tasks.records)


def test_tasks_do_not_stand_for_ours_beside_the_papers(tmp_path):
    write(
        tmp_path / "a.jsonl",
        [
            environment(),
            record("barrier", as_tasks({"npes": 64}), "barrier_time", "us", 3.0),
            record("barrier", {"npes": 64}, "barrier_time", "us", 90.0),
        ],
    )
    here = join.ours(read(tmp_path))
    assert [one.value for one in here.index["barrier", "barrier_time"]] == [90.0]


def test_run_of_tasks_alone_has_a_report(tmp_path):
    write(tmp_path / "tasks-a.jsonl", [environment(), *figures(OURS, 1.0, tasks=True)])
    found = read(tmp_path)
    assert not found.local and found.leading is found.tasks[0]
    assert "against the number of PEs" in text.report(found, 120)
    assert 'id="tasks"' in page.build(found)
    assert {goal.id for goal in goals.goals(found)} >= {"tasks/barrier/8", "tasks/MPI_Barrier/64"}


def test_comparison_keeps_them_apart(whole):
    run = load_run(whole)
    assert all(pair.old.tasks == pair.new.tasks for pair in compare.pairs(run, run))
    assert len(compare.pairs(run, run)) == len(run.records)


def test_comparison_of_tasks_alone_with_processes_alone_finds_nothing(tmp_path):
    old = load_run(write(tmp_path / "old.jsonl", [environment(), *figures(OURS, 10.0)]))
    new = load_run(write(tmp_path / "new.jsonl", [environment(), *figures(OURS, 1.0, tasks=True)]))
    assert compare.pairs(old, new) == []


def test_exports_keep_them_apart(whole):
    found = read(whole)
    rows = list(csv.DictReader(io.StringIO(export.as_csv(found))))
    assert {row["params.pes"] for row in rows} == {"", "tasks"}
    names = [row["name"] for row in json.loads(export.as_benchmark_json(found))]
    assert len(set(names)) == len(names) and not any("#" in name for name in names)
    assert sum("tasks" in name for name in names) == len(found.tasks[0].records)


def test_table_shows_how_far_each_came(whole):
    found = read(whole)
    table = tables.against_pes(found)
    row = table.row("barrier/MPI/8")
    assert row == ["barrier, MPI, µs", "8", "80.00", "8.000", "4000", "240.0"]
    assert table.row("barrier/MPI/64")[-2:] == ["-", "-"]
    assert table.row("barrier/SHMEM/64") == ["barrier, SHMEM, µs", "64", "320.0", "32.00", "-", "-"]
    assert table.row("messages/MPI/8")[2:4] == ["2.000", "20.00"]


def test_table_marks_what_met_other_load(tmp_path):
    write(tmp_path / "mpt-a.jsonl", [environment(contended=True), *figures(OURS, 1.0)])
    assert tables.against_pes(read(tmp_path)).row("barrier/MPI/8")[2] == "(8.000)"


def test_every_test_of_both_kinds_is_set_beside(whole):
    table = tables.beside_processes(read(whole))
    row = table.row("mpi_scaling")  # two PEs of two processes have a core each
    assert (row[1], row[3]) == ("6", "12") and row[2].startswith("10.0") and row[4].startswith("10.0")
    assert tables.beside_processes(study([load_run(whole / "mpt-scaling.jsonl")])) is None


def test_two_tasks_of_one_process_are_not_set_beside_pes_with_a_core_each(tmp_path):
    plain = record("mpi_latency", {"npes": 2, "message_bytes": 8}, "latency", "us", 0.1, "MPI")
    within = record("mpi_latency", as_tasks({"npes": 2, "message_bytes": 8}, 1), "latency", "us", 0.4, "MPI")
    write(tmp_path / "a.jsonl", [environment(), plain, within])
    assert tables.beside_processes(read(tmp_path)) is None


def test_plots_have_all_kinds_on_each(whole):
    made = {chart.name: chart for chart in task_charts.charts(read(whole))}
    assert set(made) == {f"tasks-{one.id}" for one in scaling.OPERATIONS}
    barrier = made["tasks-barrier"]
    names = [trace.name for trace in barrier.figure.data]
    tasks = f"{OURS}, tasks"
    assert names == [
        f"{OURS}, SHMEM",
        f"{OURS}, MPI",
        f"{tasks}, SHMEM",
        f"{tasks}, MPI",
        f"{MPICH}, MPI",
        f"{PEER}, MPI",
        "limit of processes",
    ]
    assert len({trace.line.color for trace in barrier.figure.data}) == 5
    assert barrier.title == "Barrier, 64 PEs: 32 µs as tasks, 320 µs as processes"
    assert [list(trace.x) for trace in barrier.figure.data[4:6]] == [[2, 8], [2, 8]]
    assert [trace.name for trace in made["tasks-bcast"].figure.data] == [OURS, tasks, MPICH, PEER]
    assert "20 Mop/s as tasks, 2 as processes" in made["tasks-messages"].title


def test_page_has_plots_tables_and_goals(whole):
    made = page.build(read(whole))
    assert 'id="tasks"' in made and "How many times better tests are with PEs as tasks" in made
    assert "PEs as tasks" in made and "tasks-alltoall" in made


def test_marks_of_the_axis_do_not_lie_on_each_other():
    assert task_charts.axis({2, 4, 512, 1000, 1024})["tickvals"] == [2, 4, 512, 1000]


def bar(folder, *lines, plain=(), theirs=()):
    folder.mkdir(exist_ok=True)
    write(folder / "mpt-a.jsonl", [environment(), record("none", {}, "time", "us", 1.0), *plain])
    write(folder / "tasks-a.jsonl", [environment(), *lines])
    if theirs:
        write(folder / "openmpi-a.jsonl", [environment(implementation=PEER), *theirs])
    return {one.id: one for one in goals.goals(read(folder)) if one.part == "PEs as tasks"}


def test_bars_of_absolute_times(tmp_path):
    found = bar(
        tmp_path / "run",
        record("handover", as_tasks({"npes": 2}, 1), "switch_time", "ns", 45.0),
        record("handover", as_tasks({"npes": 2, "how": "sched_yield"}, 1), "handover_time", "ns", 40.0),
        *(
            record(
                "scaling", as_tasks({"npes": npes, "call": "shmem_barrier_all", "message_bytes": 0}), "time", "us", us
            )
            for npes, us in ((8, 0.5), (32, 1.6), (1000, 199.0))
        ),
        record(
            "mpi_scaling", as_tasks({"npes": 8, "call": "MPI_Barrier", "message_bytes": 0}), "time", "us", 1.1, "MPI"
        ),
        record(
            "mpi_scaling", as_tasks({"npes": 64, "call": "MPI_Allreduce", "message_bytes": 8}), "time", "us", 7, "MPI"
        ),
        record("mpi_latency", as_tasks({"npes": 2, "message_bytes": 8}, 1), "latency", "us", 0.11, "MPI"),
        record("launch", {"npes": 64, "pes": "tasks"}, "time", "ms", 30.0),
        record("launch", {"npes": 1000, "pes": "tasks"}, "time", "ms", 700.0),
        record("footprint", as_tasks({"npes": 1000}), "memory", "bytes", 200 * 1024),
        record("footprint", as_tasks({"npes": 1000}), "page_tables", "bytes", 30 * 1024),
        record("footprint", as_tasks({"npes": 1000}), "memory", "bytes", 300 * 1024, "MPI"),
        record("footprint", as_tasks({"npes": 1000}), "page_tables", "bytes", 90 * 1024, "MPI"),
        record("wake", as_tasks({"npes": 1000, "wait": "barrier"}), "cpu_share", "% of one core", 1.5),
    )
    assert {name: one.met for name, one in found.items()} == {
        "tasks/switch": True,
        "tasks/yield": True,
        "tasks/barrier/8": True,
        "tasks/barrier/32": False,
        "tasks/barrier/1000": True,
        "tasks/MPI_Barrier/8": True,
        "tasks/MPI_Allreduce/64": False,
        "tasks/latency/1": True,
        "tasks/start/64": True,
        "tasks/start/1000": False,
        "tasks/memory/SHMEM": True,
        "tasks/memory/MPI": False,
        "tasks/idle/barrier": True,
    }
    assert [name for name, one in found.items() if not one.judged] == ["tasks/yield"]
    assert found["tasks/memory/MPI"].value == pytest.approx(390) and found["tasks/memory/MPI"].unit == "KiB"


def test_bars_beside_other_libraries(whole):
    found = {one.id: one for one in goals.goals(read(whole)) if one.part == "PEs as tasks"}
    word = found["tasks/MPI_Allreduce/peer"]
    assert (word.value, word.bar, word.met) == (12.0, pytest.approx(360.0 / 20), True)
    for call in ("MPI_Allreduce", "MPI_Bcast", "MPI_Alltoall"):  # of Open MPI, the better one
        assert found[f"tasks/{call}/8/peer"].bar == pytest.approx(0.2 * 30 * found[f"tasks/{call}/8/peer"].value)
        assert f"tasks/{call}/32/peer" not in found


def test_bars_beside_processes(tmp_path):
    def word(us, **more):
        return record("mpi_latency", {"npes": 2, "message_bytes": 8, **more}, "latency", "us", us, "MPI")

    def nas(test, npes, s, **more):
        return record(test, {"npes": npes, "cls": "A", **more}, "time", "s", s)

    found = bar(
        tmp_path / "run",
        word(0.105, pes="tasks", processes=2),
        nas("NPB EP", 64, 1.1, pes="tasks", processes=2),
        nas("NPB CG", 64, 1.2, pes="tasks", processes=2),
        plain=[word(0.1), nas("NPB EP", 2, 1.0), nas("NPB CG", 2, 1.0), nas("NPB CG", 64, 9.0)],
    )
    assert {name: one.met for name, one in found.items()} == {
        "tasks/latency/2": False,
        "tasks/NPB EP": True,
        "tasks/NPB CG": False,
        "tasks/no-worse": False,  # the latency, a twentieth more
    }
    assert found["tasks/no-worse"].value == pytest.approx(1.05)
