# SPDX-License-Identifier: BSD-3-Clause
"""The tables of `mpt matrix`, made of its facts; for a terminal and for the page."""

from __future__ import annotations

import numpy as np

from ..tables.table import Row, Table
from ..words import pes
from . import heat
from .profile import Facts
from .shown import BYTES, SHARE, Column, count, more, share, size, table, word

FIGURES = 10  # PEs up to which the matrix is also a table of figures
MOST_PLACES = 60  # characters of a list of PEs


def head(told: Facts) -> list[str]:
    job, total, together = told["job"], told["summary"], told["collectives"]
    out = [
        f"{job['command'] or job['folder']}: {pes(job['pes'])}",
        f"{size(total['bytes'])} in {total['messages']:,} messages and transfers between {total['pairs']:,} pairs of "
        "PEs",
    ]
    if told["wanted"]:
        out.append(f"only {told['wanted']}")
    if total["pairs"]:
        out.append(
            f"PE {total['most_sent']['pe']} sends most, {size(total['most_sent']['bytes'])}; PE "
            f"{total['most_received']['pe']} is sent most, {size(total['most_received']['bytes'])}"
        )
    if total["to_itself"]:
        out.append(f"of it {size(total['to_itself'])} from PEs to themselves")
    if together["calls"] and not together["spread"]:
        out.append(
            f"not in it: {together['calls']:,} calls of collectives, {size(together['bytes'])} (--collectives spreads "
            "them)"
        )
    if together["spread"]:
        out.append("with collective calls, spread over their members as if each byte went straight to who needs it")
    return out


def figures(told: Facts) -> Table | None:
    """Small matrices as figures."""
    if len(told["bytes"]) > FIGURES:
        return None
    rows = [
        Row(str(pe), [f"from {pe}", *(size(one) if one else "-" for one in line)])
        for pe, line in enumerate(told["bytes"])
    ]
    header = ["bytes", *(f"to {pe}" for pe in range(len(rows)))]
    return Table(id="matrix", title="From whom to whom", header=header, rows=rows)


def map_text(told: Facts, width: int) -> str:
    values = np.array(told["bytes"], np.float64)
    return heat.text(values, width) if values.any() else "no bytes from one PE to another"


def placed(one: Facts) -> str:
    words = " | ".join(one["placed"])
    return words if len(words) <= MOST_PLACES else words[: MOST_PLACES - 4] + " ..."


def mappings(told: Facts) -> Table | None:
    found = told["mappings"]
    if not found:
        return None
    columns = (
        word("mapping", "placement"),
        Column("bytes across", lambda one: size(one["bytes"])),
        SHARE,
        count("messages", "messages across"),
        Column("PEs of each part", placed, "l"),
    )
    now, best = found["ways"][0], found["ways"][-1]
    saved = now["bytes"] - best["bytes"]
    note = (
        f'So placed, {size(saved)} fewer pass between them than "{now["mapping"]}": {share(saved / now["bytes"])}.'
        if saved > 0
        else f'Nothing better than "{now["mapping"]}" was found.'
    )
    title = f"What passes between {found['parts']} hosts, sockets or processes of tasks"
    return table("mappings", title, found["ways"], columns, note)


def tables(told: Facts, most: int) -> list[Table]:
    lines = told["lines"]
    by_line = table(
        "lines",
        "By call",
        lines[:most],
        (word("where", "by"), count("count", "messages"), BYTES),
        more(lines, most, "lines"),
    )
    return [one for one in (figures(told), by_line, mappings(told)) if one and one.rows]
