# SPDX-License-Identifier: BSD-3-Clause
"""The page: whole, self-contained, escaped, with the right plots and titles."""

import base64
import gzip
import json
import re
from html import unescape
from html.parser import HTMLParser

import pytest

from conftest import environment, make_folder, record, write
from mpt_report import page
from mpt_report.page import charts, headlines, html, memory_charts
from mpt_report.runs import published
from mpt_report.runs.records import load_run
from mpt_report.runs.study import study

VOID = {"meta", "br", "img", "link", "input", "hr"}


class Outline(HTMLParser):
    """Collects what a page refers to and checks that its tags are balanced."""

    def __init__(self):
        super().__init__()
        self.open, self.links, self.titles, self.specs, self.ids = [], [], [], {}, []
        self.spec = None

    def handle_starttag(self, tag, attrs):
        attrs = dict(attrs)
        self.links += [attrs[name] for name in ("src", "href") if name in attrs]
        if "id" in attrs:
            self.ids.append(attrs["id"])
        if tag == "script" and attrs.get("type") == "application/json":
            self.spec = attrs["id"]
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag
        if tag == "script":
            self.spec = None

    def handle_data(self, data):
        data = data.replace("\u00a0", " ")
        if self.open and self.open[-1] in ("h1", "h2", "h3"):
            self.titles.append(data)
        if self.spec:
            self.specs[self.spec] = json.loads(data)


@pytest.fixture
def read(monkeypatch):
    """Parses a page; the plot library, not ours, is left out for speed."""
    monkeypatch.setattr(page, "get_plotlyjs", lambda: "var Plotly = {};")

    def parse(found):
        outline = Outline()
        text = page.build(found)
        outline.feed(text)
        assert outline.open == []
        return text, outline

    return parse


def test_page_refers_to_nothing_outside(both, read):
    text, outline = read(both)
    assert all(link.startswith("#") and link[1:] in outline.ids for link in outline.links)
    assert not re.search(r"https?://|@import|url\(", text)


def test_plot_library_is_inside(one):
    text = page.build(one)
    (packed,) = re.findall(r'<script type="text/plain" id="plotly">([^<]+)</script>', text)
    assert "plotly.js v" in gzip.decompress(base64.b64decode(packed)).decode()
    assert len(text) < 3_000_000


def test_outside_text_is_escaped(one, read):
    text, _ = read(one)
    assert "Example CPU &lt;1&gt;" in text
    assert "Example CPU <1>" not in text


def test_names_from_outside_end_no_script_and_no_attribute(folder, tmp_path, read):
    """Of a run's folder and of a library, which stand in titles, attributes, tables and the data of plots."""
    evil = "</script><!--<script>\"'<i>"
    lines = [record("barrier", {"npes": npes}, "barrier_time", "us", 9.0, "MPI", evil) for npes in (2, 4)]
    write(folder / "openmpi-a.jsonl", [environment(implementation=evil), *lines])
    text, outline = read(study([load_run(folder, evil), load_run(make_folder(tmp_path / "later"))]))
    assert evil not in text and "<i>" not in text and "<!--" not in text
    assert any(evil in trace["name"] for trace in outline.specs["spec-barrier"]["data"])


def test_every_plot_has_its_data(both, read):
    text, outline = read(both)
    wanted = set(re.findall(r'data-spec="([^"]+)"', text))
    assert wanted == set(outline.specs)
    assert {
        "spec-latency",
        "spec-bandwidth",
        "spec-half",
        "spec-barrier",
        "spec-pairs0",
        "spec-pairs1",
        "spec-strides",
        "spec-launch",
    } == wanted
    assert len(outline.ids) == len(set(outline.ids))


def test_barrier_plot_has_ours_the_peer_the_limit_and_the_papers(both):
    names = [trace.name for trace in charts.barrier(both).figure.data]
    assert names[:3] == ["MPT 0.1.0", "Open MPI 4.1.4", "hardware limit"]
    assert any("T3D" in name for name in names) and any("J90" in name for name in names)
    limit = charts.barrier(both).figure.data[2]
    assert dict(zip(limit.x, limit.y, strict=True))[64] == pytest.approx(64 / 2 * 0.7)


def test_latency_limit_is_handover_plus_copy(one):
    limit = charts.latency(one).figure.data[-1]
    points = dict(zip(limit.x, limit.y, strict=True))
    assert points[8] == pytest.approx(0.1)
    assert points[4096] == pytest.approx(0.1 + 4096 / 20000)


def test_heat_map_is_filled_both_ways(one):
    (chart,) = charts.heat_maps(one)
    rows = chart.figure.data[0].z
    assert rows[0][3] == rows[3][0] == pytest.approx(0.13)
    assert rows[1][1] is None


def test_titles_say_what_one_sees(one, read):
    _, outline = read(one)
    assert "One word takes 100 ns one way, 1.00 x what the cores need to hand over a cache line" in outline.titles
    assert "Puts and gets reach 19.5 GB/s at 4 MiB, 97% of the best copy of that size" in outline.titles
    assert "A barrier of 2 PEs takes 250 ns, of 8 PEs 8 µs, on 2 cores" in outline.titles


def test_figures_stay_with_their_units(one, read):
    text, _ = read(one)
    assert "One word takes 100\u00a0ns one way, 1.00\u00a0x what" in text
    assert (
        html.kept("at 4 KiB, 2 systems, 3 x 5 MB/s < 8 B")
        == "at 4\u00a0KiB, 2 systems, 3\u00a0x 5\u00a0MB/s < 8\u00a0B"
    )
    assert page.lead(one).endswith(", 2025-01-02 03:04 UTC")


def test_two_runs_lie_side_by_side(folder, tmp_path, read):
    later = make_folder(tmp_path / "later", factor=0.5)
    text, outline = read(study([load_run(folder), load_run(later)]))
    assert outline.titles[0] == "now against later"
    assert "What changed from now to later" in outline.titles
    assert "MPT 0.1.0 (now)" in text and "MPT 0.1.0 (later)" in text


def test_wrong_data_and_load_are_said_on_the_page(tmp_path, read):
    path = write(
        tmp_path / "a.jsonl",
        [environment(contended=True), record("barrier", {"npes": 2}, "barrier_time", "us", 1.0, verified=False)],
    )
    text, _ = read(study([load_run(path)]))
    assert "Figures that come from transfers which delivered wrong data: 1." in text
    assert "other load was on the machine during 1 of 1 programs" in text


def test_limits_alone_make_a_page(tmp_path, read):
    path = make_folder(tmp_path / "all") / "mpt-limits.jsonl"
    text, _ = read(study([load_run(path)]))
    assert "cache-line hand-over" in text


@pytest.mark.parametrize("us, text", [(0.1234, "123 ns"), (1.5, "1.5 µs"), (2500, "2.5 ms"), (3e6, "3 s")])
def test_times_in_titles(us, text):
    assert headlines.time_text(us) == text


def test_roofline_rises_with_memory_and_ends_at_arithmetic(tmp_path):
    lines = [
        record("STREAM", {"function": name, "n": 2000000}, "bandwidth", "MB/s", rate, "none", "machine")
        for name, rate in (("Copy", 12000), ("Triad", 9000), ("Add", 9600))
    ]
    lines.append(record("BLAS asymptotic", {"routine": "SGEMM", "n": 2000}, "rate", "Gflop/s", 60, "none", "OpenBLAS"))
    found = study([load_run(write(tmp_path / "mpt-a.jsonl", [environment(), *lines]))])
    chart = memory_charts.roofline(found)
    assert chart.title == "One core moves up to 12 GB/s to and from memory and computes up to 60 Gflop/s"
    roof, ours, then = chart.figure.data
    assert roof.y[0] == pytest.approx(12000 / 32) and roof.y[-1] == 60000
    assert dict(zip(roof.x, roof.y, strict=True))[5.0] == 60000  # the knee: 60000 / 12000
    points = dict(zip(ours.text, zip(ours.x, ours.y, strict=True), strict=True))
    assert points["STREAM triad"] == pytest.approx((1 / 12, 750)) and points["SGEMM"] == pytest.approx((125, 60000))
    assert "STREAM triad" in then.text and len(then.text) == len(memory_charts.POINTS)


def test_roofs_are_of_one_core_and_of_cache_and_memory_apart(tmp_path):
    start = environment()
    start["env"]["caches"] = [
        {"level": "1", "type": "Data", "size": "48K"},
        {"level": "3", "type": "Unified", "size": "64M"},
    ]

    def stream(n, rate):
        return record("STREAM", {"function": "Triad", "n": n}, "bandwidth", "MB/s", rate, "none", "machine")

    lines = [
        stream(2000000, 30000),
        stream(4000000, 20000),
        stream(50000000, 10000),  # 48 MB, 96 MB, 1.2 GB
        record("block copy", {"npes": 2, "n": 50000000}, "bandwidth", "MB/s", 19000),
        record("local memory load/store", {"streams": 2, "words": 10000000}, "bandwidth", "MB/s", 11000, "none"),
        record("BLAS asymptotic", {"routine": "SGEMM", "n": 2000}, "rate", "Gflop/s", 60, "none", "OpenBLAS"),
        record("LINPACK (HPC)", {"npes": 2, "n": 8000}, "rate", "Gflop/s", 110),
        record("blocked matrix multiply", {"npes": 2}, "rate", "Mflop/s", 115000),
    ]
    chart = memory_charts.roofline(study([load_run(write(tmp_path / "mpt-a.jsonl", [start, *lines]))]))
    assert chart.title == (
        "One core moves up to 11 GB/s to and from memory and 30 GB/s within its cache and computes up to 60 Gflop/s"
    )
    memory, cache, ours, _ = chart.figure.data
    assert memory.y[0] == pytest.approx(11000 / 32) and cache.y[0] == pytest.approx(30000 / 32)
    assert memory.y[-1] == cache.y[-1] == 60000
    assert dict(zip(ours.text, ours.y, strict=True))["STREAM triad"] == pytest.approx(10000 / 12)  # of memory


def test_foot_names_every_source_and_the_exceptions(one, read):
    text, _ = read(one)
    foot = unescape(text[text.index("<footer") :])
    assert len(published.SOURCES) == len({fact["seed_file"] for fact in published.load()}) == 5
    assert {fact["seed_file"][:4] for fact in published.load()} == set(published.SEEDS.values())
    assert published.SEEDS.keys() == published.SOURCES.keys()
    assert all(words in foot for words in published.SOURCES.values())
    assert "never means" not in foot
    assert all(words in foot for words in ("rmax", "opening files", "latency_avg"))


def test_load_times_stand_beside_the_t3d(tmp_path):
    lines = [
        record("load time", {"path": path, "depth": depth}, "latency_ns", "ns", value)
        for path, depth, value in (("Cache", 1, 0.5), ("DRAM -> Cache(in page)", 1, 80), ("L2", 1, 5), ("L2", 4, 4))
    ]
    found = study([load_run(write(tmp_path / "mpt-a.jsonl", [environment(), *lines]))])
    then, ours = memory_charts.load_times(found).figure.data
    assert dict(zip(ours.y, ours.x, strict=True)) == {"Cache": 0.5, "DRAM -> Cache(in page)": 80, "L2": 4}
    assert dict(zip(then.y, then.x, strict=True))["Cache"] == pytest.approx(3 * 1000 / 150)
    assert memory_charts.load_times(study([load_run(write(tmp_path / "b.jsonl", [environment()]))])) is None


def test_half_rate_is_marked_on_our_curves(one):
    marks = {trace.name: (trace.x[0], trace.y[0]) for trace in charts.half_rate(one).figure.data if "N½" in trace.name}
    assert marks["MPT 0.1.0, N½ of single_pairs"] == (400, 6000)
    assert marks["T3D 1996, N½ of single_pairs"] == (176, pytest.approx(63.008408))
