# SPDX-License-Identifier: BSD-3-Clause
"""The pages of mpt trace and mpt matrix in a real browser: whole on a desk and on a phone, light and dark."""

import pytest

import browser
from mpt_report import cli
from test_trace_command import uneven  # noqa: F401

pytestmark = pytest.mark.skipif(browser.find() is None, reason="no headless browser")
FAULTS = ("faint", "wide", "cut", "heaped")


@pytest.fixture
def pages(uneven, tmp_path):  # noqa: F811
    for command in ("trace", "matrix"):
        assert cli.main([command, str(uneven), "--html", str(tmp_path / f"{command}.html")]) == 0
    return tmp_path


@pytest.mark.parametrize("command", ["trace", "matrix"])
@pytest.mark.parametrize(("theme", "width"), [("light", 1280), ("dark", 360)])
def test_nothing_is_cut_off_or_faint(pages, command, theme, width):
    found = browser.look(pages / f"{command}.html", theme, width)
    assert {fault: found[fault] for fault in FAULTS} == {fault: [] for fault in FAULTS}
    assert found["width"] <= width
