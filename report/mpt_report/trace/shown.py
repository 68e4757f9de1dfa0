# SPDX-License-Identifier: BSD-3-Clause
"""The tables of `mpt trace`, made of its facts; for a terminal and for the page."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from ..tables.table import Row, Table
from ..words import bytes_text, figure, pes, quantity
from .profile import Facts

Cell = Callable[[Facts], str]


@dataclass(frozen=True)
class Column:
    title: str
    cell: Cell
    align: str = "r"


def seconds(value: float) -> str:
    """A time as one reads it."""
    return quantity(value, "s") if value else "0"


def share(value: float) -> str:
    return f"{value * 100:.1f} %"


def size(value: float) -> str:
    """Bytes in powers of two, with at most four digits."""
    for unit, scale in (("TiB", 1 << 40), ("GiB", 1 << 30), ("MiB", 1 << 20), ("KiB", 1 << 10)):
        if value >= scale:
            return f"{figure(value / scale)} {unit}"
    return bytes_text(int(value))


def word(key: str, title: str, align: str = "l") -> Column:
    return Column(title, lambda one: str(one[key]), align)


def count(key: str = "count", title: str = "calls") -> Column:
    return Column(title, lambda one: f"{one[key]:,}")


def time(key: str, title: str) -> Column:
    return Column(title, lambda one: seconds(one[key]))


SHARE = Column("share", lambda one: share(one["share"]))
BYTES = Column("bytes", lambda one: size(one["bytes"]) if one["bytes"] else "-")
PROFILE = (
    count(),
    time("seconds", "time"),
    SHARE,
    time("waited", "of it waits"),
    time("critical", "on critical path"),
    BYTES,
    time("mean", "mean"),
    time("max", "max"),
)
LATE = Column("late, PE", lambda one: f"{one['late']}, PE {one['late_pe']}", "l")


def table(name: str, title: str, rows: Sequence[Facts], columns: Sequence[Column], note: str = "") -> Table:
    return Table(
        id=name,
        title=title,
        header=[one.title for one in columns],
        rows=[Row(str(number), [one.cell(row) for one in columns]) for number, row in enumerate(rows)],
        note=note,
        align="".join(one.align for one in columns),
    )


def more(rows: Sequence[object], most: int, what: str) -> str:
    return f"{len(rows) - most} more {what}: --top, --json or --html." if len(rows) > most else ""


def by_pe(facts: Facts, most: int) -> Table:
    rows = facts["pes"]
    kept = rows if len(rows) <= most else sorted(rows, key=lambda one: -float(one["outside"]))[:most]
    columns = (
        Column("PE", lambda one: f"{one['pe']}" + (f" thread {one['thread']}" if one["thread"] else ""), "l"),
        count(),
        time("seconds", "time"),
        time("outside", "outside calls"),
        Column("share", lambda one: share(one["outside"] / one["seconds"] if one["seconds"] else 0.0)),
        time("inside", "in calls"),
        time("waited", "of it waits"),
        time("critical", "on critical path"),
        BYTES,
    )
    uneven = facts["imbalance"]
    note = (
        f"Outside calls PE {uneven['pe']} is longest: {seconds(uneven['max'])}, {uneven['ratio']:.2f} x the mean; "
        f"imbalance {uneven['percent']:.1f} %."
        if len(rows) > 1
        else ""
    )
    if len(rows) > most:
        note += f" The {most} that are longest outside calls; " + more(rows, most, "PEs")
    return table("pes", "By PE", kept, columns, note.strip())


def by_region(facts: Facts, most: int) -> Table:
    columns = (
        word("region", "region"),
        count("count", "visits"),
        time("seconds", "time"),
        SHARE,
        time("outside", "outside calls"),
        time("waited", "waits"),
        BYTES,
        Column("imbalance", lambda one: f"{one['imbalance']['ratio']:.2f} x, PE {one['imbalance']['pe']}"),
    )
    rows = facts["regions"]
    note = "Imbalance: the longest time outside calls against the mean, and whose it is. Inner regions count, too."
    return table("regions", "By region", rows[:most], columns, note)


def hidden(value: float | None, form: str) -> str:
    return "-" if value is None else format(value, form)


HARDWARE = (
    count("count", "times"),
    time("seconds", "time"),
    Column("GHz", lambda one: f"{one['cycles'] / one['seconds'] * 1e-9:.2f}" if one["seconds"] else "-"),
    Column("instructions", lambda one: figure(one["instructions"])),
    Column("per cycle", lambda one: hidden(one["per_cycle"], ".2f")),
    Column("cache misses", lambda one: hidden(one["cache_misses"], ",d")),
    Column("per 1000 instr.", lambda one: hidden(one["misses_per_1000"], ".3g")),
)
SOFTWARE = (
    count("count", "times"),
    time("seconds", "time"),
    time("processor_seconds", "processor time"),
    Column("share", lambda one: share(one["processor_seconds"] / one["seconds"] if one["seconds"] else 0.0)),
    count("turns", "turns of others"),
    Column("page faults", lambda one: hidden(one["faults"], ",d")),
)
COUNTER_NOTE = {
    "hardware": "Of times between calls of 10 us or more; without what the system does.",
    "software": "As the system counts (MPT_TRACE_COUNTERS=software), of times between calls of 10 us or more.",
}


def counted(facts: Facts, most: int) -> list[Table]:
    """Processor counters between calls, of hardware and of the system apart."""
    found = []
    places = (word("after", "after"), word("before", "before"))
    pe = (Column("PE", lambda one: f"{one['pe']}" + (f" thread {one['thread']}" if one["thread"] else ""), "l"),)
    for kind, columns in (("hardware", HARDWARE), ("software", SOFTWARE)):
        for name, title, rows, first in (
            ("counters", "Processor counters between calls", facts["counters"], places),
            ("counters-pes", "Processor counters by PE", facts["counters_pes"], pe),
        ):
            mine = [one for one in rows if one["kind"] == kind]
            found.append(table(f"{name}-{kind}", title, mine[:most], (*first, *columns), COUNTER_NOTE[kind]))
    return found


def waits(facts: Facts, most: int) -> list[Table]:
    kinds = (word("kind", "kind"), count(), time("seconds", "cost"), SHARE, time("mean", "mean"), time("max", "max"))
    causes = (
        word("kind", "kind"),
        time("seconds", "cost"),
        SHARE,
        count(),
        Column("waited", lambda one: one["waiting"], "l"),
        LATE,
    )
    rows = facts["causes"]
    total = sum(float(one["seconds"]) for one in facts["waits"])
    note = f"Together {seconds(total)}, {share(total / (facts['totals']['seconds'] or 1.0))} of the time of all PEs."
    return [
        table("waits", "Wait states", facts["waits"], kinds, note),
        table("causes", "Who waited where, for whom", rows[:most], causes, more(rows, most, "pairs")),
    ]


def critical(facts: Facts, most: int) -> list[Table]:
    """Calls, lines and PEs by what they have on the path, and what the PEs on it did between calls."""
    path = facts["critical"]
    length = path["seconds"] or 1.0
    of_path = Column("of path", lambda one: share(one["critical"] / length))
    lines = [one for one in facts["lines"] if one["critical"] > 0]
    outside = {"call": "outside calls", "line": "-", "critical": path["outside"]}
    rows = sorted([outside, *lines], key=lambda one: -float(one["critical"]))
    note = f"{seconds(path['seconds'])} long; goes {path['changes']:,} times from one PE to another."
    columns = (word("call", "call"), word("line", "line"), time("critical", "on path"), of_path)
    steps = [{**one, "critical": one["seconds"]} for one in path["gaps"]]
    between = (
        time("seconds", "on path"),
        of_path,
        count("count", "times"),
        word("after", "after"),
        word("before", "before"),
    )
    made = [table("critical", "Critical path", rows[:most], columns, note)]
    if steps:
        made.append(table("gaps", "Between calls on the critical path", steps[:most], between))
    return made


def messages(facts: Facts, most: int) -> list[Table]:
    columns = (
        Column("from, to", lambda one: f"{one['source']} -> {one['target']}", "l"),
        count("count", "messages"),
        BYTES,
        Column("mean", lambda one: size(one["mean"])),
        Column("largest", lambda one: size(one["max"])),
        word("where", "by"),
    )
    by_bytes, by_count = facts["messages_by_bytes"], facts["messages_by_count"]
    found = [table("by-bytes", "Messages and transfers, most bytes first", by_bytes[:most], columns)]
    if by_count[:most] != by_bytes[:most]:
        found.append(table("by-count", "Messages and transfers, most of them first", by_count[:most], columns))
    return found


def tables(facts: Facts, most: int) -> list[Table]:
    """All tables that have rows, each with the first `most` of them."""
    lines, calls = facts["lines"], facts["calls"]
    found = [
        table("calls", "By call", calls[:most], (word("call", "call"), *PROFILE), more(calls, most, "calls")),
        by_pe(facts, max(most, 16)),
        table(
            "lines",
            "By source line",
            lines[:most],
            (word("line", "line"), word("call", "call"), *PROFILE[:4], BYTES),
            more(lines, most, "lines"),
        ),
        by_region(facts, most),
        *counted(facts, most),
        *waits(facts, most),
        *critical(facts, most),
        *messages(facts, most),
    ]
    return [one for one in found if one.rows]


def head(facts: Facts) -> list[str]:
    """What was traced, and how far it is to be trusted."""
    job, found, total = facts["job"], facts["matched"], facts["totals"]
    status = "its end is unknown" if job["status"] is None else f"status {job['status']}"
    out = [
        f"{job['command'] or job['folder']}: {pes(job['pes'])}, {seconds(job['seconds'])}, "
        f"{job['records']:,} records; {status}"
    ]
    if facts["wanted"]:
        out.append(f"only {facts['wanted']}")
    everything = total["seconds"] or 1.0
    out.append(
        f"outside calls {share(total['outside'] / everything)}, in calls {share(total['inside'] / everything)}, of "
        f"that waiting for others {share(total['waited'] / everything)} of the time of all PEs"
    )
    out.append(
        f"matched: {found['messages']:,} messages, {found['collectives']:,} collective calls, {found['waits']:,} waits "
        "for stores"
    )
    if job["clock_error"]:
        out.append(
            f"clocks of {len(job['hosts'])} hosts brought together: times are right to {seconds(job['clock_error'])}"
        )
    if job["pes"] > 1 and not job["bound"]:
        out.append("PEs had no cores of their own: waits include the turns of others on the same core")
    return out + notices(facts)


UNMATCHED = (
    ("only_sent", "messages whose receipt is not in the trace"),
    ("only_received", "messages whose sending is not in the trace"),
    ("twice", "messages that are in the trace twice"),
    ("collectives_partly", "collective calls without some of their members"),
    ("waits_by_address", "waits ended by a store to the address whose value isn't the one found"),
    ("waits_alone", "waits for memory without a store in the trace"),
)


def notices(facts: Facts) -> list[str]:
    """What is not whole."""
    job, found = facts["job"], facts["matched"]
    out = [f"not matched: {found[key]:,} {words}" for key, words in UNMATCHED if found[key]]
    if found["before_sent"]:
        out.append(
            f"messages that arrive before they were sent, by the clocks of their hosts: {found['before_sent']:,}"
        )
    if job["dropped"]:
        out.append(f"dropped: {job['dropped']:,} records, since files had reached their limit (MPT_TRACE_SIZE)")
    return [*out, *job["under_way"], *job["problems"]]


def suggestions(facts: Facts) -> list[str]:
    found = facts["suggestions"]
    return [f"{one['figure']}: {one['text']}." for one in found] or ["None that the figures carry."]
