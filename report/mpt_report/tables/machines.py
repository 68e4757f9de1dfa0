# SPDX-License-Identifier: BSD-3-Clause
"""What the papers say of their machines and file systems, beside what is known of this one: no figures of tests, but
what these are to be read with.
"""

from __future__ import annotations

from typing import Any

from ..runs import published
from ..runs.published import Fact
from ..runs.study import Study
from ..words import figure, name_text, printed, unit_text
from .seeds import PAPERS, short
from .table import Table

OF_THIS = (("processor", "cpu", ""), ("cores", "cores", ""), ("memory", "memory", ""), ("kernel", "kernel", ""))


def here(study: Study) -> list[list[str]]:
    """The environment block in the same rows."""
    env = study.runs[0].environment if study.runs else {}
    rows = [["this machine", words, f"{env[name]} {unit}".strip(), ""] for words, name, unit in OF_THIS if name in env]
    caches = env.get("caches")
    if isinstance(caches, list):
        rows += [
            [
                "this machine",
                f"cache, level {one.get('level')}, {one.get('type', '')}".rstrip(", "),
                str(one.get("size", "")),
                "",
            ]
            for one in caches
            if isinstance(one, dict)
        ]
    return rows


MANY = ("count",)  # units that say nothing


def with_unit(fact: Fact) -> str:
    return printed(fact["value"]) + ("" if fact["unit"] in MANY else f" {unit_text(fact['unit'])}")


def table(study: Study) -> Table:
    rows = [
        [short(fact["machine"]), name_text(fact["metric"]), with_unit(fact), PAPERS[fact["seed_file"][:3]]]
        for fact in published.load()
        if fact["test"] == "hardware"
    ]
    rows.sort(key=lambda row: row[0])
    return Table(
        "machines",
        "The machines of the papers and this one",
        ["Machine", "What", "figure", "from"],
        here(study) + rows,
        align="llrl",
        grouped=True,
    )


def then() -> list[list[str]]:
    """The partitions of the T3E's /tmp: their sizes in sectors, as printed."""
    found: dict[tuple[Any, ...], dict[str, str]] = {}
    for fact in published.load():
        if fact["test"] == "/tmp file system" or fact["test"] == "file system":
            where = fact["params"]
            key = (short(fact["machine"]), str(where.get("device", "all of /tmp")))
            found.setdefault(key, {})[fact["metric"]] = f"{printed(fact['value'])} {fact['unit']}"
    return [
        [
            machine,
            device,
            "",
            by.get("total") or by.get("total_sectors", "-"),
            by.get("free_percent") or by.get("free_sectors", "-"),
            by.get("allocation_unit", "-"),
        ]
        for (machine, device), by in found.items()
    ]


def file_systems(study: Study) -> Table | None:
    """Beside the paper's table of its /tmp those on which files were measured here."""
    rows: dict[tuple[Any, ...], dict[str, str]] = {}
    for record in study.runs[0].records if study.runs else ():
        if record.test == "file system":
            key = (str(record.get("directory")), str(record.get("device")), str(record.get("filesystem")))
            rows.setdefault(key, {}).setdefault(record.metric, f"{figure(record.value)} {unit_text(record.unit)}")
    if not rows:
        return None
    lines = [
        ["this machine", f"{directory} on {device}", kind, *(by.get(name, "-") for name in ("total", "free", "block"))]
        for (directory, device, kind), by in rows.items()
    ]
    return Table(
        "file-systems",
        f"{PAPERS['002']}. The file system (df -p) of tables 19 and 20",
        ["System", "where", "type", "size", "free", "block"],
        then() + lines,
        align="lllrrr",
    )
