# SPDX-License-Identifier: BSD-3-Clause
"""The tables and goals of PVM's figures, beside the papers and another PVM."""

import pytest

from conftest import OURS, environment, limits, record, write
from mpt_report import goals
from mpt_report.drive import plan
from mpt_report.page import sections
from mpt_report.runs.records import load_run
from mpt_report.runs.study import study
from mpt_report.tables import pvm
from mpt_report.text import report

REAL = "PVM 3.4.6"


def pvm_records(name, factor, mode):
    def one(test, params, metric, unit, value):
        return record(test, {"npes": 2, "mode": mode} | params, metric, unit, value * factor, "PVM", name)

    out = []
    for method, encoding, slower in (("as in 1996", "Default", 2), ("clean", "Default", 1.5), ("clean", "Raw", 1)):
        base = {"call": "pvm_send", "method": method, "encoding": encoding}
        out.append(one("pvm point-to-point ping-pong", base, "latency", "us", 0.5 * slower))
        out.append(
            record(
                "pvm point-to-point ping-pong",
                {"npes": 2, "mode": mode} | base,
                "bandwidth",
                "MB/s",
                6000 / slower / factor,
                "PVM",
                name,
            )
        )
        for size, time in ((0, 0.8), (65536, 20), (1 << 20, 100)):
            sized = base | {"message_bytes": size}
            out.append(one("pvm_pingpong", sized, "round_trip", "us", time * slower))
            if size:
                out.append(
                    record(
                        "pvm_pingpong",
                        {"npes": 2, "mode": mode} | sized,
                        "bandwidth",
                        "MB/s",
                        2 * size / time / slower / factor,
                        "PVM",
                        name,
                    )
                )
    for fit, start in (("plain", -3), ("relative", 0.5)):
        where = {"encoding": "Raw", "fit": fit, "method": "clean"}
        out += [
            one("COMMS1", where, "startup_zero_length", "us", start),
            one("COMMS1", where, "bandwidth", "MB/s", 5000),
            one("COMMS1", where, "n_half_bytes", "bytes", 5000 * start),
        ]
    for npes in (2, 8):
        for group, time in (("by name", 0.4), ("null", 0.3)):
            where = {"npes": npes, "call": "pvm_barrier", "group": group}
            out += [
                one("SYNCH1", where, "barrier_time", "us", time),
                one("pvm_barrier", where, "barrier_time", "us", time * npes),
            ]
    out += [
        one("pvm_group", {"contention": "none", "other_members": "none"}, "join_leave", "us", 1.5),
        one("pvm_spawn", {"npes": 1, "tasks": 1}, "time", "ms", 6),
    ]
    return out


@pytest.fixture
def run(tmp_path):
    folder = tmp_path / "run"
    folder.mkdir()
    write(folder / "mpt-limits.jsonl", [environment(1, implementation="limits", library="hardware"), *limits()])
    write(
        folder / "mpt-pvm.jsonl",
        [
            environment(2, library="PVM"),
            *pvm_records(OURS, 1, "stand-alone"),
            record("barrier", {"npes": 8}, "barrier_time", "us", 2.0),
        ],
    )
    write(
        folder / "pvm-pvm.jsonl",
        [environment(2, implementation=REAL, library="PVM"), *pvm_records(REAL, 10, "network")],
    )
    return study([load_run(folder)])


def by_id(found, name):
    return next(table for table in found if table.id == name)


def test_table_1_sets_the_method_of_1996_beside_its_figures(run):
    rows = by_id(pvm.tables(run), "pvm-packed").rows
    assert rows[0] == ["CRAY T3D", "", "230", "26", "230 x", "115 x"]
    assert rows[1] == ["CRAY J90", "", "450", "340", "450 x", "8.82 x"]
    assert [OURS, "clean, Raw", "0.5000", "6000", "0.50 x", "0.50 x"] in rows
    assert [REAL, "as in 1996, Default", "10.00", "300.0", "10.0 x", "10.0 x"] in rows


def test_comms1_names_the_fit_and_keeps_its_sign(run):
    rows = by_id(pvm.tables(run), "pvm-comms1").rows
    assert rows[1] == [pvm.T3E, "PVM", "", "11", "154", ""]
    assert [row[2] for row in rows if row[0] == OURS] == ["fit", "fit, relative weights"]
    assert next(row for row in rows if row[0] == OURS)[3].startswith("-")


def test_synch1_has_the_published_column_and_prefers_named_groups(run):
    rows = by_id(pvm.tables(run), "pvm-synch1").rows
    assert rows[0] == ["2", "3.2", "0.4000", "4.000", "8.00 x"]
    assert next(row for row in rows if row[0] == "64") == ["64", "17.5", "-", "-", "-"]


def test_groups_and_spawning_stand_beside_the_other_pvm(run):
    table = by_id(pvm.tables(run), "pvm-groups")
    assert table.row("join/none/none")[1:] == ["µs", "1.500", "15.00"]
    assert table.row("spawn/1") == ["spawn 1, to the last one's first message", "ms", "6.000", "60.00"]


def test_runs_without_pvm_have_no_such_tables(one):
    assert pvm.tables(one) == []


def test_goals(run):
    found = {goal.id: goal for goal in goals.goals(run)}
    assert found["pvm/round-trip"].met
    xdr = found["pvm/xdr"]
    assert xdr.what == "PVM, round trip of 64 KiB of doubles in XDR"
    assert (xdr.value, xdr.bar, xdr.met) == (30, 40, True)
    rate = found["pvm/bandwidth/Raw"]
    assert rate.higher and (rate.value, rate.bar) == (pytest.approx(20971.52), 16000)
    assert not found["pvm/spawn"].met
    assert not found["pvm/barrier/by name"].met and found["pvm/barrier/null"].met


def test_text_and_page_have_them(run):
    assert "T3E report, table 5. PVM barrier" in report(run, 140)
    assert "pvm" in {section.id for section in sections.sections(run)}


def test_only_our_build_is_asked_for_pvm(tmp_path):
    libraries = [plan.Library(name, tmp_path, ("oshrun",)) for name in ("mpt", "openmpi")]
    _, missing = plan.make(libraries, plan.Order(tmp_path, "full"))
    assert "pvm_spawn (mpt)" in missing and not any("pvm" in name and "openmpi" in name for name in missing)
