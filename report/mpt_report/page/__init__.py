# SPDX-License-Identifier: BSD-3-Clause
"""The report as one HTML file that needs nothing else: no network, no fonts, no other file.

Plotly draws: readers zoom, switch curves off and read exact values, and its text keeps its size on
a phone, where a picture's would shrink. Its script is inside the file, packed: 5 MB become 2, and the text is there
before it is unpacked. All HTML is in templates/, which escape what they are given; `sections` says what stands on the
page.
"""

from __future__ import annotations

import base64
import gzip
import re
from functools import lru_cache
from importlib import resources

from markupsafe import Markup
from plotly.offline import get_plotlyjs

from ..runs import published
from ..runs.study import Study
from . import headlines, html, sections

MOST_WARNINGS = 20


def notices(whole: Study) -> list[str]:
    """What a reader must know before believing a figure, a line each."""
    out = []
    wrong = sum(record.verified is False for run in whole.runs for record in run.records)
    if wrong:
        out.append(f"Figures that come from transfers which delivered wrong data: {wrong}.")
    for run in whole.runs:
        if run.contended:
            out.append(
                f"{run.label}: other load was on the machine during {run.contended} of "
                f"{len(run.environments)} programs; the medians stand, the slowest samples don't."
            )
        out += [f"{run.label}: {title} failed: {problem}." for title, problem in run.failures.items()]
    out += whole.remarks
    out += whole.warnings[:MOST_WARNINGS]
    if len(whole.warnings) > MOST_WARNINGS:
        out.append(f"{len(whole.warnings) - MOST_WARNINGS} more lines could not be read.")
    return out


METHOD = (
    "Figures are medians of many batches after warm-up; the transfers' data is checked in an untimed pass. As in "
    "the papers, rmax of LINPACK is the best of all orders, the time of opening files the best of all samples, "
    "and latency_avg and bandwidth_avg_one_word of pairs are means over all pairs. A ratio to the hardware limit "
    "compares with the best a bare program does on the same machine."
)


def lead(whole: Study) -> str:
    env = whole.runs[0].environment
    words = [str(env[name]) for name in ("cpu",) if name in env]
    if "cores" in env:
        words.append(f"{env['cores']} cores")
    words.append(re.sub(r"^([\d-]{10})T(\d\d:\d\d):\d\dZ$", "\\1 \\2 UTC", str(env.get("date", ""))))
    return ", ".join(word for word in words if word)


def asset(name: str) -> str:
    return resources.files(__name__).joinpath(name).read_text(encoding="utf-8")


@lru_cache(maxsize=1)
def packed(script: str) -> Markup:
    """As the page's own script unpacks it."""
    return Markup(base64.b64encode(gzip.compress(script.encode(), mtime=0)).decode())


def build(whole: Study) -> str:
    """The page's text; `whole` has at least one run."""
    return html.page(
        title=headlines.page_title(whole),
        lead=lead(whole),
        style=Markup(asset("style.css")),
        cards=sections.cards(whole),
        notices=notices(whole),
        sections=sections.sections(whole),
        method=METHOD,
        sources=list(published.SOURCES.values()),
        packed=packed(get_plotlyjs()),
        scripts=[Markup(asset("page.js"))],
    )
