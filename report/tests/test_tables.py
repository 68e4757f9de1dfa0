# SPDX-License-Identifier: BSD-3-Clause
"""The paper's tables, the laboratory's own, and how figures are written."""

import pytest
from conftest import OURS, PEER

from mpt_report import lab, paper
from mpt_report.table import Table, figure, printed, times, to_text, without_empty_columns


@pytest.mark.parametrize("value, text", [
    (None, "-"), (0, "0"), (123456, "123,456"), (9999.4, "9999"), (126.016816, "126.0"), (3.8532, "3.853"),
    (0.12345, "0.1235"), (0.0123, "0.0123"), (0.0005, "0.000500"),
])
def test_figures_have_four_digits_and_no_exponent(value, text):
    assert figure(value) == text


@pytest.mark.parametrize("ratio, text", [(None, "-"), (1.049, "1.05 x"), (17.16, "17.2 x"), (400, "400 x"),
                                         (3750, "3,750 x"), (0.04, "0.040 x"), (0.004, "1/250 x"), (0, "0 x")])
def test_ratios(ratio, text):
    assert times(ratio) == text


def test_published_figures_keep_their_digits():
    assert [printed(value) for value in (230, 0.65, 126.016816)] == ["230", "0.65", "126.016816"]


def test_text_table_fits_its_width():
    table = Table("A title that is not folded into the narrow table below it", ["a", "b"], [["x", "1"], ["y", "22"]])
    lines = to_text(table, 80).splitlines()
    assert lines[0] == table.title
    assert lines[-1].split() == ["y", "22"]
    assert max(map(len, lines)) <= 80


def test_columns_without_a_figure_are_dropped():
    table = Table("t", ["", "a", "b", "c"], [["x", "-", "1", ""], ["y", "-", "-", ""]], "note", "lrlr")
    kept = without_empty_columns(table)
    assert kept.header == ["", "b"]
    assert kept.rows == [["x", "1"], ["y", "-"]]
    assert (kept.note, kept.align) == ("note", "ll")


def by_title(tables, start):
    return next(table for table in tables if table.title.startswith(start))


def test_paper_table_1_compares_both_ways(one):
    rows = by_title(paper.tables(one), "Table 1").rows
    assert rows[1] == ["CRAY T3D", "SHMEM", "2", "130", "16.7 x", "100 x"]
    assert rows[4][:4] == [OURS, "SHMEM", "0.1200", "13,000"]
    assert rows[-1][:1] + rows[-1][2:4] == ["hardware limit", "0.1000", "20,000"]


def test_paper_table_2_has_all_machines_and_the_limit(both):
    rows = by_title(paper.tables(both), "Table 2").rows
    assert ["CRAY J90", "8", "27", "0.037", "3.38 x", "", ""] in rows
    assert ["CRAY T3E-1200E (1999)", "2", "1.07", "0.9346", "4.28 x", "", ""] in rows
    assert [OURS, "2", "0.2500", "4.000", "-", "0.1000", "2.50 x"] in rows
    assert [PEER, "8", "32.00", "0.0312", "4.00 x", "2.800", "11.4 x"] in rows


def test_paper_table_3_keeps_algorithms_apart(one):
    rows = by_title(paper.tables(one), "Table 3").rows
    assert ["CRAY T3D", "2", "0.027", "0.012", "0.008", "33.8 x", "15.0 x", "10.0 x"] in rows
    assert [OURS, "4", "0.001600", "0.001600", "0.001600", "", "", ""] in [
        [*row[:2], *(f"{float(cell):.6f}" for cell in row[2:5]), *row[5:]] for row in rows if row[0] == OURS]
    assert any(row[0] == f"{OURS}, library call" for row in rows)


def test_paper_table_4_lays_pe_counts_in_rows(one):
    table = by_title(paper.tables(one), "Table 4")
    assert [row[0] for row in table.rows] == ["2", "4", "8", "16"]
    assert table.rows[0] == ["2", "43.53", "17.89", "0.2000", "218 x", "89.5 x"]     # no library call was measured
    assert table.rows[3][3] == "-"


def test_every_row_has_a_cell_for_each_column(both):
    for table in (*paper.tables(both), *lab.tables(both)):
        assert table.rows, table.title
        assert {len(row) for row in table.rows} == {len(table.header)}, table.title


def test_global_is_laid_against_heap(one):
    rows = by_title(lab.tables(one), "A global as target").rows
    assert ["put_get", "npes 2, put, shmem_putmem, 4 MiB", "bandwidth", "MB/s", "19,499", "17,726", "0.91 x"] in rows


def test_limits_are_in_ns(one):
    rows = by_title(lab.tables(one), "What the machine itself takes").rows
    assert ["cache-line hand-over between two cores, one way, one line", "100.0"] in rows
