# SPDX-License-Identifier: BSD-3-Clause
"""Figure 4 of the paper on Split-C: each application's time in three languages, split into computation and
communication.
"""

from __future__ import annotations

import plotly.graph_objects as go

from ..runs import apps
from ..runs.study import Study
from ..words import divide
from .charts import SERIES_COLOURS, Chart, blank

LOCAL, COMMUNICATION = SERIES_COLOURS[0], SERIES_COLOURS[1]
SHORT = {"matrix multiply": "mm", "sample sort": "sample", "radix sort": "radix"}
WAYS = {
    "large blocks": "large",
    "small blocks": "small",
    "small messages": "small",
    "bulk transfers": "bulk",
    "small transfers": "small",
    "large transfers": "large",
}


def short(case: apps.Case) -> str:
    name = apps.TESTS[case.test]
    return " ".join(word for word in (SHORT.get(name, name), WAYS.get(case.variant.removeprefix("mm "), "")) if word)


def chosen(study: Study) -> tuple[int, dict[apps.Key, dict[str, apps.Measured]]]:
    """Those on the largest PE count with a core for each, that all have in common; else on the smallest."""
    found = {key: by for key, by in apps.figures(study).items() if apps.PLAIN not in key.case.variant and "SHMEM" in by}
    counts = sorted({key.npes for key in found})
    fitting = [npes for npes in counts if npes <= (study.limits.cores or 0)] or counts[:1]
    npes = fitting[-1] if fitting else 0
    return npes, {key: by for key, by in found.items() if key.npes == npes}


def title_of(npes: int, found: dict[apps.Key, dict[str, apps.Measured]]) -> str:
    ratios = [divide(by["Split-C"].time, by["SHMEM"].time) for by in found.values() if "Split-C" in by]
    fast = sum(ratio is not None and ratio <= 1.1 for ratio in ratios)
    return (
        f"On {npes} PEs {fast} of {len(ratios)} applications in Split-C take at most 1.1 of SHMEM's time"
        if ratios
        else f"Applications on {npes} PEs, by language"
    )


def shares(study: Study) -> Chart | None:
    """Bars as long as the time relative to SHMEM's version."""
    npes, found = chosen(study)
    if not found:
        return None
    names, local, other, texts = [], [], [], []
    for key, by in found.items():
        for language in apps.LANGUAGES:
            one = by.get(language)
            if one is None or one.local is None or one.communication is None:
                continue
            whole = one.local + one.communication
            scale = (divide(one.time, by["SHMEM"].time) or 0.0) / whole if whole else 0.0
            names.append(f"{short(key.case)}, {language}")
            local.append(scale * one.local)
            other.append(scale * one.communication)
            texts.append(f"{1000 * one.time:.4g} ms")
    if not names:
        return None
    figure = blank("time, SHMEM = 1", "", log_y=False)
    for name, values, colour in (("local computation", local, LOCAL), ("communication", other, COMMUNICATION)):
        figure.add_trace(
            go.Bar(
                x=values,
                y=names,
                name=name,
                orientation="h",
                marker={"color": colour},
                customdata=texts,
                hovertemplate=f"%{{y}}: %{{x:.3f}} of %{{customdata}}<extra>{name}</extra>",
            )
        )
    figure.update_xaxes(type="linear", rangemode="tozero")
    figure.update_yaxes(type="category", autorange="reversed", dtick=1)
    height = 120 + 19 * len(names)
    figure.update_layout(barmode="stack", height=height, legend={"y": -60 / height})
    return Chart(
        "apps",
        title_of(npes, found),
        figure,
        "Each bar is a version's time, split as its clock split it; the length of SHMEM's is 1.",
    )
