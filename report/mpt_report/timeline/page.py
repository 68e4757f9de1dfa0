# SPDX-License-Identifier: BSD-3-Clause
"""The timeline's page: one file that needs nothing else, put together from `parts`."""

from __future__ import annotations

from pathlib import Path

import jinja2
from markupsafe import Markup

from ..trace.reader import Job
from . import data
from .pack import embedded
from .select import Shown

PARTS = Path(__file__).resolve().parent / "parts"


def script() -> str:
    """The parts in the order of their numbers, as one script: they share names."""
    files = sorted(PARTS.glob("*.js"), key=lambda file: int(file.name.partition("-")[0]))
    return "\n".join(file.read_text(encoding="utf-8") for file in files)


def title(job: Job) -> str:
    command = " : ".join(" ".join(words) for words in job.command) or "trace"
    return f"{command if len(command) <= 80 else command[:77] + '...'}, {job.pes} PEs"


def page(shown: Shown, job: Job) -> str:
    about, columns = data.packed(shown, job)
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(PARTS), autoescape=True, undefined=jinja2.StrictUndefined, trim_blocks=True
    )
    return environment.get_template("page.html").render(
        title=title(job),
        style=Markup((PARTS / "style.css").read_text(encoding="utf-8")),
        notices=shown.events.problems[:5],
        about=Markup(embedded(about)),
        columns=Markup(columns),
        script=Markup(script()),
    )
