# SPDX-License-Identifier: BSD-3-Clause
"""The page in a real browser, asked of its own boxes and colours: nothing is cut off, lies on something else or can't
be read, no plot is empty; on a desk, on a phone, in both schemes and on paper. A page with faults shows that they are
found.
"""

import re
import warnings

import plotly.graph_objects as go
import pytest

import browser
from conftest import (
    OURS,
    PEER,
    applications,
    collectives,
    environment,
    laboratory,
    make_folder,
    pairs_tests,
    record,
    transfers,
    write,
)
from mpt_report.page import charts, html
from mpt_report.show import load_study, write_page
from test_messages import messages

DESK, PHONE = 1280, 360
FAULTS = ("faint", "wide", "cut", "heaped", "empty")


def lines_of_all(name=OURS):
    """What every plot needs beside conftest's run."""
    stream = record("STREAM", {"function": "Triad", "n": 50_000_000}, "bandwidth", "MB/s", 10000, "none", "machine")
    return [*laboratory(), *applications(), *messages(name), stream]


@pytest.fixture(scope="module", autouse=True)
def installed():
    if browser.find() is None:
        warnings.warn(
            f"SKIPPED: none of {', '.join(browser.NAMES)} is installed, so nobody looked at the page", stacklevel=1
        )
        pytest.skip("no headless browser")


@pytest.fixture(scope="module")
def made_page(tmp_path_factory):
    folder = tmp_path_factory.mktemp("page")
    path = folder / "page.html"
    run = make_folder(folder / "run")
    start = environment(2)
    start["env"]["caches"] = [{"level": "3", "type": "Unified", "size": "32M"}]
    write(run / "mpt-zlab.jsonl", [start, *lines_of_all()])  # all tables of the papers, roofline, applications
    write(
        run / "openmpi-all.jsonl",
        [
            environment(4, implementation=PEER),
            *pairs_tests(PEER, 4.0),
            *transfers(PEER, 4.0),
            *collectives(PEER, 4.0),
            *messages(PEER, 2.0),
        ],
    )
    write_page(load_study([str(run)]), path)
    return path


def faults(found):
    return {name: found[name] for name in FAULTS if found[name]}


@pytest.mark.parametrize("theme, width", [("light", DESK), ("dark", PHONE)])
def test_everything_fits_and_can_be_read(made_page, theme, width):
    found = browser.look(made_page, theme, width)
    assert faults(found) == {}
    assert found["window"] == width and found["width"] <= width
    assert found["charts"] >= 18 and found["marks"] > 400
    assert found["texts"] > 1200
    assert found["nav"] == "sticky"
    if width == PHONE:  # each table that is wider than the window says that it goes on
        assert len(found["hints"]) > 5 and all("to the right" in hint for hint in found["hints"])


def test_on_paper_nothing_is_cut(made_page):
    found = browser.look(made_page, "dark", browser.A4, paper=True)
    assert faults(found) == {}
    assert found["width"] <= browser.A4 and found["paper"] == "rgb(255, 255, 255)"
    assert found["open"] > 20 and found["raw"] == 0 and found["texts"] > 3000
    assert len(found["plots"]) >= 18
    for name, alone, width in found["plots"]:
        assert 300 < width <= (700 if alone else 345), name  # of A4 between its margins, one or two columns


def plotted(name, **changes):
    """A plot with a fault."""
    figure = charts.blank("size", "rate")
    charts.line(figure, "curve", [1, 10], [1, 10], "#3b82f6")
    for what, value in changes.items():
        getattr(figure, what)(value)
    return html.plot(charts.Chart(name, name, figure))


def faulty(folder):
    """A page of limits alone with a fault of each kind at its end."""
    page = folder / "limits.html"
    write_page(load_study([str(make_folder(folder / "run") / "mpt-limits.jsonl")]), page)
    empty = html.plot(charts.Chart("nothing", "nothing", go.Figure(charts.blank("size", "rate"))))
    outside = plotted("outside", update_xaxes={"range": [3, 4]})
    pale = plotted("pale", update_traces={"marker": {"color": "#fdfdfd"}})
    note = {"text": "a note", "x": 0.5, "y": 0.5, "xref": "paper", "yref": "paper", "showarrow": False}
    heaped = plotted("crossed", update_layout={"annotations": [note, {**note, "text": "another note"}]})
    cut = plotted("beyond", update_layout={"annotations": [{**note, "x": 1.2}]})
    grid = "<tr>" + "".join(f"<td>{'x' * 20}</td>" for _ in range(12)) + "</tr>"
    parts = [
        f'<div class="pair">{"".join(f"<div>{one}</div>" for one in (empty, outside, pale, heaped, cut))}</div>',
        '<p style="color: #9a9a9a; background: #ffffff">a pale line</p>',
        '<p style="width: 3000px">a wide line</p>',
        '<h3 style="margin-bottom: -1.5em">a heading</h3><p class="note">its note</p>',
        '<section><details><summary>a wide table</summary><div class="scroll">'
        f"<table><tbody>{grid}</tbody></table></div></details></section>",
    ]
    text = page.read_text(encoding="utf-8")
    at = text.index("<footer")
    made = page.with_name("faulty.html")
    made.write_text(text[:at] + "".join(parts) + text[at:], encoding="utf-8")
    return made


def test_faults_are_found(tmp_path):
    page = faulty(tmp_path)
    found = browser.look(page, "light", DESK)
    assert found["empty"] == ["spec-nothing", "spec-outside"]
    assert [one.split(" 1.")[0] for one in found["faint"]] == [
        "P a pale line 2.81",
        "spec-pale: a mark",
        "spec-pale: a mark",
    ]
    assert found["wide"] == ["P a wide line"] and found["width"] > DESK
    assert found["heaped"] == ["spec-crossed: a note / another note", "page: a heading / its note"]
    assert found["cut"] == ["spec-beyond: a note"]
    paper = browser.look(page, "light", browser.A4, paper=True)
    assert "table a wide table" in " ".join(paper["cut"]) and paper["width"] > browser.A4


def brightness(colour):
    return sum(colour) / 3


def test_pictures_show_dark_on_light_and_light_on_dark(made_page):
    for theme in ("light", "dark"):
        rows = browser.pixels(browser.picture(made_page, theme, 700, 500))
        assert len(rows) == 500 and len(rows[0]) == 700
        paper = brightness(rows[2][2])
        ink = [brightness(colour) for row in rows for colour in row if abs(brightness(colour) - paper) > 120]
        assert (paper > 200) == (theme == "light")
        assert 2000 < len(ink) < len(rows) * len(rows[0]) / 3  # text, and not a page of one colour


def test_print_is_light_and_open(made_page):
    target = made_page.with_name("page.pdf")
    browser.call(
        made_page.parent,
        f"--print-to-pdf={target}",
        "--no-pdf-header-footer",
        browser.themed(made_page, "dark").as_uri(),
    )
    data = target.read_bytes()
    assert data.startswith(b"%PDF")
    pages = len(re.findall(rb"/Type\s*/Page\b", data))
    assert 3 <= pages <= 80
