# SPDX-License-Identifier: BSD-3-Clause
"""The picture of the first screen: its figures, its drawing, its table in a page, and its turns."""

import itertools
import os
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest

from conftest import OURS, record
from mpt_report import cli
from mpt_report.drive import plan
from mpt_report.picture import data, draw, measure, page
from test_drive import executable

ROOT = Path(__file__).resolve().parents[2]
MPICH = "MPICH 5.0.2"


def points(metric, values):
    at = data.AT[metric]
    return [record("mpi_glance", {"npes": 2} | {at: x}, metric, "us", us, "MPI") for x, us in values]


def parsed(lines):
    return [
        data.Record(one["test"], "MPI", "", one["params"], one["metric"], "us", one["value"], True) for one in lines
    ]


@pytest.fixture
def picture():
    made = []
    for name, slower in ((OURS, 1.0), (MPICH, 7.0)):
        lines = points(data.LATENCY, [(8, 0.1 * slower), (8192, slower)])
        lines += points(data.BARRIER, [(2, 0.3 * slower), (32, 40.0 * slower)])
        made.append(data.library_of(name, parsed(lines)))
    return data.Picture("Example CPU <1>", 2, "2025-01-02", 5, 20, 0, made)


def test_points_are_of_all_rounds():
    point = data.point_of(8, parsed(points(data.LATENCY, [(8, us) for us in (5.0, 1.0, 3.0, 2.0, 4.0)])))
    assert (point.value, point.low, point.high, point.rounds) == (3.0, 2.0, 4.0, 5)


def test_figures_are_kept_as_they_are(picture, tmp_path):
    data.save(picture, tmp_path / "a.json")
    assert data.load(tmp_path / "a.json") == picture
    (tmp_path / "b.json").write_text('{"libraries": [{}]}')
    with pytest.raises(ValueError, match="no figures of mpt picture"):
        data.load(tmp_path / "b.json")


def test_drawing_is_whole_and_escaped(picture):
    root = ElementTree.fromstring(draw.svg(picture))
    words = ["".join(node.itertext()) for node in root.iter("{http://www.w3.org/2000/svg}text")]
    for wanted in (OURS, MPICH, "MPI message, one way", "280 µs", "100 ns", "8 KiB"):
        assert wanted in words
    assert any("Example CPU <1>, 2 cores, 2025-01-02" in one for one in words)
    assert "prefers-color-scheme: dark" in draw.svg(picture) and "http" not in draw.svg(picture).replace(
        "http://www.w3", ""
    )
    for node in root.iter():
        for name in ("x", "y", "cx", "cy"):
            limit = draw.HEIGHT if name.endswith("y") else draw.WIDTH
            assert 0 <= float(node.get(name, 0)) <= limit


def test_labels_do_not_lie_on_each_other(picture):
    picture.libraries.append(picture.libraries[0])
    panel = draw.panel_of(picture, data.BARRIER, "", "", 0, 100)
    lines = list(draw.ends(panel, picture.libraries, 32, 0))
    ys = [float(line.split('y="')[1].split('"')[0]) for line in lines]
    assert len(ys) == 3 and all(b - a >= draw.APART for a, b in itertools.pairwise(ys))


def test_page_is_filled_between_its_marks(picture):
    text = page.filled(f"a\n{page.BEGIN}\nold\n{page.END}\nb", picture)
    assert f"| measured | MPT | {MPICH} |" in text and "old" not in text and text.endswith("\nb")
    assert "| MPI barrier, 32 processes on 2 cores | 40 µs | 280 µs |" in text
    assert page.filled(text, picture) == text
    with pytest.raises(ValueError, match="no <!--"):
        page.filled("nothing", picture)


def test_readme_has_the_figures_and_the_drawing_of_the_committed_data():
    picture = data.load(ROOT / "docs/picture/first-screen.json")
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    assert page.filled(text, picture) == text
    assert (ROOT / "docs/picture/first-screen.svg").read_text(encoding="utf-8") == draw.svg(picture)
    assert {library.name.split()[0] for library in picture.libraries} == {"MPT", "Open", "MPICH"}


def fake(folder, name):
    """A library with the program, which nobody starts."""
    executable(folder / measure.PROGRAM, "#!/bin/sh\n")
    return plan.Library(name, folder, ("/launcher",), interfaces=("MPI",))


def test_libraries_take_turns(tmp_path, monkeypatch):
    order = []
    monkeypatch.setattr(measure.child, "run_step", lambda step, *_: order.append(step.title) or fails(step))

    def fails(step):
        broken = step.title.startswith("b, 8")
        return measure.child.Outcome(0.0, "stopped" if broken else "")

    libraries = [fake(tmp_path / name, name) for name in ("a", "b")]
    said = []
    measure.rounds(libraries, (2, 8), 2, tmp_path / "out", said.append)
    rounds = ["a, 2 ranks, round 1", "b, 2 ranks, round 1", "a, 8 ranks, round 1", "b, 8 ranks, round 1"]
    assert order == [*rounds, "b, 2 ranks, round 2", "a, 2 ranks, round 2", "a, 8 ranks, round 2"]
    assert "b, 8 ranks, round 1: stopped" in said


def test_command_draws_again(picture, tmp_path, capsys):
    data.save(picture, tmp_path / "x.json")
    (tmp_path / "page.md").write_text(f"{page.BEGIN}{page.END}")
    assert cli.main(["picture", "--draw", str(tmp_path / "x.json"), "--page", str(tmp_path / "page.md")]) == 0
    assert (tmp_path / "x.svg").read_text(encoding="utf-8") == draw.svg(picture)
    assert "280 µs" in (tmp_path / "page.md").read_text(encoding="utf-8")
    assert cli.main(["picture", "--rounds", "0"]) == 2


def test_crowded_mpich_sleeps(monkeypatch):
    monkeypatch.setattr(plan, "cores", lambda: 2)
    library = plan.Library("mpich", Path(), (), {"A": "1"}, crowded_environment={"B": "2"})
    assert library.variables(2) == {"A": "1"} and library.variables(3) == {"A": "1", "B": "2"}
    assert os.environ.get("B") is None
