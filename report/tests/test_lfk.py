# SPDX-License-Identifier: BSD-3-Clause
"""The Livermore kernels' block of statistics: in the seed's words and order, each option set beside its like."""

import pytest

from conftest import environment, record, write
from mpt_report import export, page
from mpt_report.runs import published
from mpt_report.runs.records import load_run
from mpt_report.runs.study import study
from mpt_report.tables import lfk

BASELINE = "f90 -O2"
HAND = next(
    fact["params"]["options"]
    for fact in published.load()
    if fact["test"] == "LFK" and str(fact["params"].get("options")).startswith("hand-optimised")
)


def block(options, factor, beside=None):
    """Ten times the paper's figures, or the numbers 8 to 1."""
    then = lfk.printed_by(beside)[1] if beside else {}
    params = {"options": options, "samples": 72, "language": "C"} | ({"beside": beside} if beside else {})
    return [
        record("LFK", params, metric, "Mflop/s", factor * then.get(metric, 8 - place), "compiler", "gcc 12")
        for place, metric in enumerate(lfk.METRICS)
    ]


@pytest.fixture
def found(tmp_path):
    kernel = record(
        "LFK", {"kernel": 1, "span": 1001, "weight": 1, "options": "gcc -O1"}, "rate", "Mflop/s", 1.0, "compiler"
    )
    lines = [
        *block("gcc -O1", 1.0),
        *block("gcc -O2", 10.0, BASELINE),
        *block("gcc, by hand", 20.0, HAND),
        kernel,
        *block("gcc -O3", 30.0, "f90 -dp -O3"),
    ]
    return study([load_run(write(tmp_path / "mpt-lfk.jsonl", [environment(), *lines]))])


def test_every_set_of_options_stands_beside_its_like(found):
    table = lfk.table(found)
    rows = {row.id: row[2:] for row in table.rows}
    assert table.header[2:] == [
        "maximum",
        "quartile Q3",
        "average",
        "geometric mean",
        "median Q2",
        "harmonic mean",
        "quartile Q1",
        "minimum",
    ]
    assert rows["gcc -O1/here"] == [f"{value:.3f}" for value in range(8, 0, -1)]
    assert rows["gcc -O2/then"][0] == "596.9183"
    assert rows["gcc -O2/better"] == ["10.0 x"] * 8
    assert rows["gcc, by hand/then"][3] == "157.3169"
    of_o3 = rows["gcc -O3/then"]
    assert of_o3[3] == "122" and set(of_o3[:3] + of_o3[4:]) == {"-"}  # the paper has that mean only
    assert len([row for row in table.rows if row[0] == "gcc -O1"]) == 1


def test_text_is_the_papers_own_block(found):
    text = export.as_1996(found)
    assert (
        " gcc -O2, beside T3E-1200E, f90 -O2\n\n         Maximum   Rate =   5969.1830 Mega-Flops/Sec.     596.9183\n"
        in text
    )
    assert "         GEOMETRIC MEAN =      5.0000 Mega-Flops/Sec.\n" in text
    lines = [line.split("=")[0].strip() for line in text.splitlines() if "Mega-Flops" in line]
    assert lines[:8] == [
        "Maximum   Rate",
        "Quartile  Q3",
        "Average   Rate",
        "GEOMETRIC MEAN",
        "Median    Q2",
        "Harmonic  Mean",
        "Quartile  Q1",
        "Minimum   Rate",
    ]


def test_page_has_the_block(found, monkeypatch):
    monkeypatch.setattr(page, "get_plotlyjs", lambda: "")
    assert "Livermore kernels: the block of statistics, Mflop/s" in page.build(found)


def test_nothing_without_statistics(one):
    assert lfk.table(one) is None and lfk.plain(one) == ""
