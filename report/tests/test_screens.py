# SPDX-License-Identifier: BSD-3-Clause
"""The page in a real browser: nothing wider than the window, all text legible in both schemes, plots drawn, print."""

import re
import warnings

import browser
import pytest
from conftest import applications, environment, laboratory, make_folder, write

from mpt_report.show import load_study, write_page

SMALL = 500          # the narrowest window that a headless browser makes


@pytest.fixture(scope="module")
def made_page(tmp_path_factory):
    if browser.find() is None:
        warnings.warn(f"SKIPPED: none of {', '.join(browser.NAMES)} is installed, so nobody looked at the page",
                      stacklevel=1)
        pytest.skip("no headless browser")
    folder = tmp_path_factory.mktemp("page")
    path = folder / "page.html"
    run = make_folder(folder / "run")
    write(run / "mpt-zlab.jsonl", [environment(2), *laboratory(), *applications()])    # all tables of the papers, roofline, applications
    write_page(load_study([str(run)]), path)
    return path


@pytest.mark.parametrize("theme, width", [("light", 1280), ("dark", SMALL)])
def test_everything_fits_and_can_be_read(made_page, theme, width):
    found = browser.look(made_page, theme, width)
    assert found["window"] == width
    assert found["width"] <= width
    assert found["wide"] == []
    assert found["faint"] == []
    assert found["spilled"] == []
    assert found["charts"] == found["drawn"] >= 8
    assert found["texts"] > 3000


def brightness(colour):
    return sum(colour) / 3


def test_pictures_show_dark_on_light_and_light_on_dark(made_page):
    for theme in ("light", "dark"):
        rows = browser.pixels(browser.picture(made_page, theme, 700, 500))
        assert len(rows) == 500 and len(rows[0]) == 700
        paper = brightness(rows[2][2])
        ink = [brightness(colour) for row in rows for colour in row if abs(brightness(colour) - paper) > 120]
        assert (paper > 200) == (theme == "light")
        assert 2000 < len(ink) < len(rows) * len(rows[0]) / 3       # text, and not a page of one colour


def test_print_is_light_and_open(made_page):
    target = made_page.with_name("page.pdf")
    browser.call(made_page.parent, f"--print-to-pdf={target}", "--no-pdf-header-footer",
                 browser.themed(made_page, "dark", False).as_uri())
    data = target.read_bytes()
    assert data.startswith(b"%PDF")
    pages = len(re.findall(rb"/Type\s*/Page\b", data))
    assert 3 <= pages <= 60


def test_plots_fit_their_columns_on_paper(made_page):
    found = browser.printed(made_page)
    assert len(found["plots"]) >= 8
    for name, alone, width in found["plots"]:
        assert 300 < width <= (700 if alone else 345), name          # of A4 between its margins, one or two columns
    assert found["open"] > 20 and found["raw"] == 0
