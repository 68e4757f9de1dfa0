# SPDX-License-Identifier: BSD-3-Clause
"""The pages of `mpt trace` and `mpt matrix`: one file each that needs nothing else, in the looks of the report's."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import numpy as np
from markupsafe import Markup

from ..page import asset, html
from ..tables.table import Table
from . import heat, matrix_shown, shown
from .profile import Facts

MOST = 50  # rows of a table

SECTIONS = (
    ("profile", "Where the time went", ("calls", "lines", "regions", "pes")),
    (
        "counters",
        "Processor counters",
        ("counters-hardware", "counters-pes-hardware", "counters-software", "counters-pes-software"),
    ),
    ("waiting", "Who waited for whom", ("waits", "causes")),
    ("path", "Critical path", ("critical", "gaps")),
    ("messages", "Messages", ("by-bytes", "by-count")),
)
TRACE_METHOD = (
    "Times are those of all PEs together, unless a table says otherwise. The cost of a wait is the time from the "
    "call's begin to the begin of what it needed on another PE, and no more than the call took. The critical path goes "
    "backward from the end of the job, over to the PE that was late wherever one had waited."
)
MATRIX_METHOD = (
    "A message counts where it was sent; stores into other PEs' memory count from the PE that stores, loads from the "
    "PE whose memory it is. Shades follow the logarithm of the bytes."
)


def write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def whole(title: str, lead: str, method: str, sections: Iterable[html.Section | None], **more: object) -> str:
    values: dict[str, object] = {"cards": Markup(), "notices": []} | more
    return html.page(
        title=title,
        lead=lead,
        style=Markup(asset("style.css")),
        sections=[one for one in sections if one],
        method=method,
        sources=[],
        packed="",
        scripts=[Markup(asset("page.js"))],
        **values,
    )


def cards(facts: Facts) -> Markup:
    total = facts["totals"]["seconds"] or 1.0
    worst = facts["causes"][0] if facts["causes"] else None
    items = [
        ("time of the job", shown.seconds(facts["job"]["seconds"]), f"{facts['job']['pes']} PEs"),
        ("outside calls", shown.share(facts["totals"]["outside"] / total), "of the time of all PEs"),
        ("waiting for others", shown.share(facts["totals"]["waited"] / total), "of the time of all PEs"),
        (
            "imbalance",
            f"{facts['imbalance']['ratio']:.2f} x",
            f"PE {facts['imbalance']['pe']} outside calls, to the mean",
        ),
    ]
    if worst:
        items.append((f"longest wait: {worst['kind']}", shown.share(worst["share"]), worst["waiting"]))
    return html.cards(items)


def trace(facts: Facts) -> str:
    found: dict[str, Table] = {one.id: one for one in shown.tables(facts, MOST)}
    sections = [
        html.section("suggestions", "Suggestions", html.part("list", shown.suggestions(facts))),
        *(
            html.section(name, title, html.titled(*(found.get(one) for one in tables)))
            for name, title, tables in SECTIONS
        ),
    ]
    lead, *_ = shown.head(facts)
    return whole("Where the time went", lead, TRACE_METHOD, sections, cards=cards(facts), notices=shown.notices(facts))


def matrix(told: Facts) -> str:
    values, counts = np.array(told["bytes"], np.float64), np.array(told["messages"], np.float64)
    side = len(heat.binned(values, heat.MOST_CELLS)[0])
    lead, *rest = matrix_shown.head(told)
    title = "From whom (downwards) to whom (to the right)"
    tables = {one.id: one for one in matrix_shown.tables(told, MOST)}
    sections = (
        html.section("summary", "In sum", html.part("list", rest)),
        html.section(
            "map", "Who talks to whom", html.heading(title), html.part("heat", heat.cells(values, counts), side, title)
        ),
        html.section("figures", "Figures", html.titled(tables.get("matrix"), tables.get("lines"))),
        html.section("placement", "Other placements", html.titled(tables.get("mappings"))),
    )
    return whole("Who talks to whom", lead, MATRIX_METHOD, sections)
