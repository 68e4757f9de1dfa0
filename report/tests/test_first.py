# SPDX-License-Identifier: BSD-3-Clause
"""What the page begins with, and what holds for all its plots: MPI beside other libraries, one statistic a figure, one
colour a library, units at the axes as in the titles, legends that can be read.
"""

import json
import re
from html import unescape

import pytest

from conftest import OURS, PEER, environment, limits, record, write
from mpt_report import page
from mpt_report.page import charts, first, headlines
from mpt_report.runs.records import load_run
from mpt_report.runs.study import study
from mpt_report.tables import summary, where
from test_messages import messages

MPICH = "MPICH 5.0.2"
CALLS = (
    ("MPI_Barrier", 0),
    ("MPI_Allreduce", 8),
    ("MPI_Bcast", 65536),
    ("MPI_Allreduce", 65536),
    ("MPI_Alltoall", 1024),
)


def collectives(name, slower):
    out = []
    for npes in (2, 8, 32):
        for place, (call, size) in enumerate(CALLS):
            where_ = {"npes": npes, "call": call, "message_bytes": size}
            out.append(record("mpi_scaling", where_, "time", "us", slower * npes * (1 + place), "MPI", name))
    return out


@pytest.fixture(scope="module")
def beside(tmp_path_factory):
    folder = tmp_path_factory.mktemp("run")
    word = record("pingpong", {"npes": 2, "message_bytes": 8}, "latency", "us", 0.1, pair=(0, 1))
    start = [environment(), *limits(), word]
    write(folder / "mpt-a.jsonl", [*start, *messages(OURS), *collectives(OURS, 1.0)])
    for file, name, slower in (("openmpi-a", PEER, 3.0), ("mpich-a", MPICH, 5.0)):
        lines = [environment(implementation=name), *messages(name, slower), *collectives(name, slower)]
        write(folder / f"{file}.jsonl", lines)
    return study([load_run(folder)])


def specs(text):
    found = re.findall(r'<script type="application/json" id="spec-([^"]+)">(.*?)</script>', text, re.S)
    return {name: json.loads(spec) for name, spec in found}


@pytest.fixture(scope="module")
def text(beside):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(page, "get_plotlyjs", lambda: "")
        return page.build(beside)


def test_first_cards_have_the_figures_of_all(beside):
    cards = {label: (figure, words) for label, figure, words in first.cards(beside)}
    assert list(cards) == [
        "MPI bandwidth, median of the best size",
        "MPI sum of 8 B, 2 processes, median",
        "MPI barrier, 32 processes on 2 cores, median",
    ]
    assert cards["MPI barrier, 32 processes on 2 cores, median"] == ("32 µs", f"{MPICH}: 160 µs\n{PEER}: 96 µs")
    assert all("x" not in words.replace("MPICH", "") for _, words in cards.values())  # no ratio
    others = [label for label, _, _ in headlines.cards(beside)]
    assert others[0] == "SHMEM, one word, one way, median"


def test_page_begins_with_mpi_and_more_processes_than_cores(text):
    names = list(specs(text))
    assert names[:4] == ["mpi-latency", "mpi-bandwidth", "first-collectives", "first-barrier"]
    assert len(names) == len(set(names))
    assert text.index('id="first"') < text.index('id="tests"') < text.index('id="goals"')


def test_collectives_are_of_processes_with_a_core_each(beside):
    chart = first.collectives(beside, first.few(beside))
    assert chart.title == "Collectives of 2 processes on 2 cores: Alltoall, 1 KiB takes 10 µs"
    assert [trace.name for trace in chart.figure.data] == [OURS, MPICH, PEER]
    assert list(chart.figure.data[0].y) == [
        "Barrier",
        "Allreduce, 8 B",
        "Bcast, 64 KiB",
        "Allreduce, 64 KiB",
        "Alltoall, 1 KiB",
    ]
    assert first.crowd(beside) == 32


def test_libraries_have_one_colour_and_legends_at_most_eight(text):
    colours = {}
    for name, spec in specs(text).items():
        named = [trace for trace in spec["data"] if trace.get("name") and trace.get("showlegend") is not False]
        assert len(named) <= charts.MOST_IN_LEGEND, name
        for trace in named:
            for library in (OURS, PEER, MPICH):
                if trace["name"].startswith(library):
                    colours.setdefault(library, set()).add(trace["marker"]["color"])
    assert [len(found) for found in colours.values()] == [1, 1, 1]
    assert len(set.union(*colours.values())) == 3


def test_axes_have_the_units_of_titles(text):
    found = specs(text)
    for name, unit in (("mpi-latency", "s"), ("mpi-bandwidth", "B/s"), ("first-barrier", "s")):
        assert all(tick.endswith(unit) for tick in found[name]["layout"]["yaxis"]["ticktext"]), name
    assert "µs" in "".join(found["first-collectives"]["layout"]["xaxis"]["ticktext"])


def test_curves_have_quartiles(beside):
    (chart,) = [one for one in first.charts(beside) if one.name == "first-barrier"]
    trace, got = chart.figure.data[0], beside.first.one("mpi_scaling", "time", npes=2, call="MPI_Barrier")
    assert trace.error_y.array[0] == pytest.approx(got.stats["p75"] - got.value, rel=0.01)
    assert trace.error_y.arrayminus[0] == pytest.approx(got.value - got.stats["p25"], rel=0.01)


def test_curves_beyond_the_legend_are_told():
    figure = charts.blank("x", "y")
    for place in range(11):
        charts.line(figure, f"curve {place}", [1, 10], [1, 10], "#3b82f6")
    charts.mark_crossing(figure, "curve 10", {1: 1.0, 2: 10.0}, "#3b82f6")
    charts.line(figure, "hardware limit", [1, 10], [1, 10], "#3b82f6")
    chart = charts.Chart("many", "many", charts.finish(figure), "A note.")
    assert [trace.name for trace in chart.figure.data] == [*(f"curve {n}" for n in range(7)), "hardware limit"]
    assert chart.note == "A note. Curves that stand in the tables only: 4."


def test_a_rate_beyond_the_best_copy_is_no_share(tmp_path):
    lines = [environment(), *limits()]
    for size in (65536, 4 << 20):
        params = {"npes": 2, "op": "put", "call": "shmem_putmem", "message_bytes": size}
        lines.append(record("put_get", params, "bandwidth", "MB/s", 37000))
    found = study([load_run(write(tmp_path / "mpt-a.jsonl", lines))])
    assert headlines.bandwidth(found).startswith("Puts and gets reach 37 GB/s") and "%" not in headlines.bandwidth(
        found
    )


def test_two_pes_are_no_map(beside):
    assert charts.heat_maps(beside) == []


def test_each_interface_has_a_line_of_its_own(beside):
    table = summary.table(beside)
    rows = [row for row in table.rows if row.id.startswith("message time")]
    assert [row[0] for row in rows] == ["message time, SHMEM", "message time, MPI", "message time, AM"]
    assert table.cell("message time/MPI", f"peer/{PEER}") == "3.00 x"
    assert all(name.endswith(", mean") for name in table.header[3:])


def test_what_was_set_for_others_is_told(beside, text):
    (table,) = where.settings(beside)
    assert {row[0] for row in table.rows} == {"openmpi", "mpich"}
    assert any("THROTTLE" in row[1] for row in table.rows) and table.title in unescape(text)


def test_contents_and_search_are_there(text):
    nav = text[text.index("<nav") : text.index("</nav>")]
    assert 'id="search"' in nav and nav.count("<li><a") == text.count("<section id=")
    assert text.index("<nav") < text.index("<header>")
