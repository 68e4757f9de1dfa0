# SPDX-License-Identifier: BSD-3-Clause
"""The paper's tables, the laboratory's own, and how figures are written."""

import pytest

from conftest import OURS, PEER, environment, record, write
from mpt_report.page import charts
from mpt_report.runs.records import load_run
from mpt_report.runs.study import study
from mpt_report.tables import lab, lfk_checksums, newsletter, paper
from mpt_report.tables.table import Row, Table, to_text, without_empty_columns
from mpt_report.words import figure, printed, times


@pytest.mark.parametrize(
    "value, text",
    [
        (None, "-"),
        (0, "0"),
        (123456, "123,456"),
        (9999.4, "9999"),
        (126.016816, "126.0"),
        (3.8532, "3.853"),
        (0.12345, "0.1235"),
        (0.0123, "0.0123"),
        (0.0005, "0.000500"),
    ],
)
def test_figures_have_four_digits_and_no_exponent(value, text):
    assert figure(value) == text


@pytest.mark.parametrize(
    "ratio, text",
    [
        (None, "-"),
        (1.049, "1.05 x"),
        (17.16, "17.2 x"),
        (400, "400 x"),
        (3750, "3,750 x"),
        (0.04, "0.040 x"),
        (0.004, "1/250 x"),
        (0, "0 x"),
    ],
)
def test_ratios(ratio, text):
    assert times(ratio) == text


def test_published_figures_keep_their_digits():
    assert [printed(value) for value in (230, 0.65, 126.016816)] == ["230", "0.65", "126.016816"]


def test_text_table_fits_its_width():
    table = Table(
        "t", "A title that is not folded into the narrow table below it", ["a", "b"], [["x", "1"], ["y", "22"]]
    )
    lines = to_text(table, 80).splitlines()
    assert lines[0] == table.title
    assert lines[-1].split() == ["y", "22"]
    assert max(map(len, lines)) <= 80


def test_columns_without_a_figure_are_dropped():
    table = Table(
        "t",
        "title",
        ["", "a", "b", "c"],
        [Row("first", ["x", "-", "1", ""], "met"), ["y", "-", "-", ""]],
        "note",
        "lrlr",
        columns=("what", "a", "b", "c"),
    )
    kept = without_empty_columns(table)
    assert kept.header == ["", "b"]
    assert kept.rows == [["x", "1"], ["y", "-"]]
    assert (kept.id, kept.title, kept.note, kept.align) == ("t", "title", "note", "ll")
    assert kept.cell("first", "b") == "1" and kept.row("first").mark == "met"
    with pytest.raises(KeyError, match="t has no row second"):
        kept.row("second")


def test_marks_show_in_the_column_of_verdicts_only():
    table = Table("t", "", ["a", "better"], [Row("r", ["better", "better"], "better")], verdict=-1)
    assert [table.mark(table.rows[0], column) for column in (0, 1)] == ["", "better"]
    assert table.mark(["better", "better"], 1) == ""


def by_id(tables, name):
    return next(table for table in tables if table.id == name)


def test_paper_table_1_compares_both_ways(one):
    rows = by_id(paper.tables(one), "003/table-1").rows
    assert rows[0] == ["CRAY T3D", "PVM", "230", "26", "-", "-"]  # PVM was not measured
    assert rows[1] == ["CRAY T3D", "SHMEM", "2", "130", "16.7 x", "100 x"]
    assert rows[4][:4] == [OURS, "SHMEM", "0.1200", "13,000"]
    assert rows[-1][:1] + rows[-1][2:4] == ["hardware limit", "0.1000", "20,000"]


def test_paper_table_2_has_all_machines_and_the_limit(both):
    rows = by_id(paper.tables(both), "003/table-2").rows
    assert ["CRAY J90", "", "8", "27", "0.037", "3.38 x", "", ""] in rows
    assert ["CRAY T3E-1200E (1999)", "SHMEM", "2", "1.07", "0.9346", "4.28 x", "", ""] in rows
    assert [OURS, "SHMEM", "2", "0.2500", "4.000", "-", "0.1000", "2.50 x"] in rows
    assert [PEER, "SHMEM", "8", "32.00", "0.0312", "4.00 x", "2.800", "11.4 x"] in rows


def test_barriers_by_algorithm_stand_apart_from_the_library_s_own(tmp_path):
    """However fast another algorithm is, what answers the papers is the library's barrier."""
    told = {"npes": 2, "call": "shmem_barrier_all"}
    queue = {"npes": 8, "call": "shmem_ptr", "algorithm": "barsync queue", "wait": "futex"}
    lines = [
        environment(),
        record("barrier", told, "barrier_time", "us", 0.5),
        record(paper.BY_ALGORITHM, queue, "barrier_time", "us", 5),
        record(paper.BY_ALGORITHM, told | {"algorithm": "library"}, "barrier_time", "us", 0.5),
        record(paper.BY_ALGORITHM, {"npes": 2, "algorithm": "tree", "wait": "spin"}, "barrier_time", "us", 0.1),
        record(paper.BY_ALGORITHM, {"npes": 8, "algorithm": "tree", "wait": "spin"}, "barrier_time", "us", 0.3),
    ]
    tables = paper.tables(study([load_run(write(tmp_path / "mpt-a.jsonl", lines))]))
    by_algorithm = by_id(tables, "003/table-2/algorithms")
    assert by_algorithm.header == ["System", "Algorithm", "Waiting", "2 PEs", "8 PEs"]
    assert by_algorithm.rows == [
        ["CRAY T3D", "hardware", "", "0.65", "0.72"],
        ["CRAY J90", "barsync queue", "", "7.6", "27"],
        ["CRAY T3E-1200E (1999)", "library", "", "1.07", "1.55"],
        [OURS, "barsync queue", "futex", "-", "5.000"],
        [OURS, "library", "", "0.5000", "-"],
        [OURS, "tree", "spin", "0.1000", "0.3000"],
    ]
    second = by_id(tables, "003/table-2").rows
    assert second[0][:6] == ["CRAY T3D", "", "2", "0.65", "1.538", "1.30 x"]


def test_the_least_exact_of_all_copies_stands_for_a_checksum(tmp_path):
    def sums(options, got, digits, span, weight=1):
        told = {"kernel": 3, "span": span, "weight": weight, "options": options, "language": "C"}
        return [
            record(lfk_checksums.TEST, told, metric, unit, value, "compiler", "gcc")
            for metric, unit, value in (
                ("checksum", "1", got),
                ("expected", "1", 0.25),
                ("precision", "decimal digits", digits),
            )
        ]

    lines = [
        environment(),
        *sums("gcc -O2", 0.25, 16.9, 27),
        *sums("gcc -Ofast", 0.2500000001, 14.2, 27),
        *sums("gcc -O2", 0.25, 16.9, 1001),
        *sums("gcc -O2", 0.25, 16.9, 1001, 2),
    ]
    table = lfk_checksums.table(study([load_run(write(tmp_path / "mpt-a.jsonl", lines))]))
    assert table.rows[0] == table.rows[1] and table.rows[1:] == [
        ["3", "1001", "2.5000000000000000e-01", "2.5000000000000000e-01", "16.90", "all"],
        ["3", "27", "2.5000000000000000e-01", "2.5000000010000001e-01", "14.20", "gcc -Ofast"],
    ]
    assert table.note.startswith("3 checksums by 2 copies")


MPICH = "MPICH 5.0.2"


@pytest.fixture
def interfaces(tmp_path):
    """SHMEM, MPI and PVM of ours, and MPICH, whose only interface is MPI."""
    lines = [environment()]
    for name, library, factor in ((OURS, "SHMEM", 1), (OURS, "MPI", 4), (OURS, "PVM", 8), (MPICH, "MPI", 20)):
        pvm, told = ("pvm ", {"group": "by name"}) if library == "PVM" else ("", {})
        by = library, name
        for metric, unit, value in (("latency", "us", 0.1 * factor), ("bandwidth", "MB/s", 8000 / factor)):
            lines.append(record(f"{pvm}point-to-point ping-pong", {"npes": 2}, metric, unit, value, *by))
        test = "pvm_barrier" if pvm else "barrier"
        lines.append(record(test, {"npes": 2, **told}, "barrier_time", "us", 0.2 * factor, *by))
        lines.append(record("single_pairs", {"npes": 2, "message_bytes": 8}, "bandwidth", "MB/s", 100 / factor, *by))
        for encoding, slower in (("Raw", 0.5), ("Default", 1)) if pvm else ((None, 1),):
            told = {"npes": 2, "algorithm": paper.BY_HAND} | ({"encoding": encoding} if encoding else {})
            lines += [
                record(paper.ONE_WORD, told | {"operation": operation}, "time", "us", factor * slower, *by)
                for operation in paper.OPERATIONS
            ]
            lines.append(
                record(paper.VECTOR_SUM, told | {"algorithm": paper.LOG2}, "time", "us", 100 * factor * slower, *by)
            )
    return study([load_run(write(tmp_path / "mpt-a.jsonl", lines))])


def test_tables_set_like_interfaces_beside_each_other(interfaces):
    tables = paper.tables(interfaces)
    first = by_id(tables, "003/table-1").rows
    assert [row[:2] for row in first[4:-1]] == [[OURS, "SHMEM"], [OURS, "MPI"], [OURS, "PVM"], [MPICH, "MPI"]]
    assert first[0] == ["CRAY T3D", "PVM", "230", "26", "288 x", "38.5 x"]  # against our PVM
    assert first[7] == [MPICH, "MPI", "2.000", "400.0", "5.00 x", "5.00 x"]  # against our MPI
    second = by_id(tables, "003/table-2").rows
    assert [row[:4] + row[5:] for row in second if row[0] in (OURS, MPICH)] == [
        [OURS, "SHMEM", "2", "0.2000", "-"],
        [OURS, "MPI", "2", "0.8000", "-"],
        [OURS, "PVM", "2", "1.600", "-"],
        [MPICH, "MPI", "2", "4.000", "5.00 x"],
    ]
    assert ["CRAY T3E-1200E (1999)", "MPI", "2", "4.8", "0.2083", "6.00 x"] in second
    third = by_id(tables, "003/table-3").rows
    assert [row[0] for row in third[8:]] == [OURS, f"{OURS}, MPI", f"{OURS}, PVM", f"{MPICH}, MPI"]
    assert third[10][2] == "0.00800"  # of the encodings, Default
    assert third[0][5] == "27.0 x"  # 0.027 ms against our SHMEM's 1 µs
    fourth = by_id(tables, "003/table-4")
    assert fourth.header[3:-2] == [f"{name} ms" for name in (OURS, f"{OURS}, MPI", f"{OURS}, PVM", f"{MPICH}, MPI")]
    assert fourth.rows[0][3:8] == ["0.1000", "0.4000", "0.8000", "2.000", "435 x"]


def test_plots_name_the_interface(interfaces):
    assert [trace.name for trace in charts.barrier(interfaces).figure.data][:4] == [
        OURS,
        f"{OURS}, MPI",
        f"{OURS}, PVM",
        f"{MPICH}, MPI",
    ]
    assert newsletter.headings(interfaces, "single_pairs")[-1] == f"{MPICH}, MPI"
    assert f"{MPICH}, MPI, single_pairs" in [trace.name for trace in charts.half_rate(interfaces).figure.data]


def test_peer_of_another_interface_alone_is_no_rival(tmp_path):
    """MPICH's MPI beside our SHMEM, where our MPI wasn't measured."""
    lines = [
        record("barrier", {"npes": 2}, "barrier_time", "us", value, library, name)
        for value, library, name in ((1.0, "SHMEM", OURS), (9.0, "MPI", MPICH))
    ]
    found = study([load_run(write(tmp_path / "mpt-a.jsonl", [environment(), *lines]))])
    assert by_id(paper.tables(found), "003/table-2").rows[-1][:6] == [MPICH, "MPI", "2", "9.000", "0.1111", "-"]


def test_paper_table_3_keeps_algorithms_apart(one):
    rows = by_id(paper.tables(one), "003/table-3").rows
    assert ["CRAY T3D", "2", "0.027", "0.012", "0.008", "33.8 x", "15.0 x", "10.0 x"] in rows
    assert [OURS, "4", "0.001600", "0.001600", "0.001600", "", "", ""] in [
        [*row[:2], *(f"{float(cell):.6f}" for cell in row[2:5]), *row[5:]] for row in rows if row[0] == OURS
    ]
    assert any(row[0] == f"{OURS}, library call" for row in rows)


def test_paper_table_4_lays_pe_counts_in_rows(one):
    table = by_id(paper.tables(one), "003/table-4")
    assert [row[0] for row in table.rows] == ["2", "4", "8", "16"]
    assert table.rows[0] == ["2", "43.53", "17.89", "0.2000", "218 x", "89.5 x"]  # no library call was measured
    assert table.rows[3][3] == "-"


def test_every_row_has_a_cell_for_each_column(both):
    for table in (*paper.tables(both), *lab.tables(both)):
        assert table.rows, table.title
        assert {len(row) for row in table.rows} == {len(table.header)}, table.title


def test_global_is_laid_against_heap(one):
    rows = by_id(lab.tables(one), "lab/targets").rows
    assert ["put_get", "npes 2, put, shmem_putmem, 4 MiB", "bandwidth", "MB/s", "19,499", "17,726", "0.91 x"] in rows


def test_limits_are_in_ns(one):
    table = by_id(lab.tables(one), "lab/limits")
    assert table.row("handover") == ["cache-line hand-over between two cores, one way, one line", "100.0"]
