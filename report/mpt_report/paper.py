# SPDX-License-Identifier: BSD-3-Clause
"""Tables 1 to 4 of the 1996 paper on the Message Passing Toolkit, with this machine's rows.

The published rows come first, as printed; the last column says how many times faster this machine
is. Table 5 of the T3E report joins the barrier table.
"""

from __future__ import annotations

from . import published
from .study import Study
from .table import Table, divide, figure, printed, times, without_empty_columns

SYSTEMS = (("CRAY T3D", "T3D"), ("CRAY J90", "J90"))
PES = (2, 4, 8, 16)
PING_PONG = "point-to-point ping-pong"
ONE_WORD = "one-word global reduction"
VECTOR_SUM = "global vector sum"
BY_HAND = "all-put, all-get from PE 0"
LOG2 = "log2 reduction"
OPERATIONS = ("GSUM", "GMAX", "GLAND")


def point_to_point(study: Study) -> Table | None:
    """Table 1."""
    def of(series, metric):
        record = series.one(PING_PONG, metric)
        return record.value if record else None

    here = of(study.first, "latency"), of(study.first, "bandwidth")
    if here == (None, None):
        return None
    rows = []
    for name, machine in SYSTEMS:
        for library in ("PVM", "SHMEM"):
            latency = published.value("mpt", PING_PONG, "latency", machine, library)
            bandwidth = published.value("mpt", PING_PONG, "bandwidth", machine, library)
            rows.append([name, library, printed(latency), printed(bandwidth),
                         times(divide(latency, here[0])), times(divide(here[1], bandwidth))])
    for series in study.series:
        latency, bandwidth = of(series, "latency"), of(series, "bandwidth")
        if (latency, bandwidth) == (None, None):
            continue
        faster = (divide(latency, here[0]), divide(here[1], bandwidth)) if series is not study.first else (None, None)
        rows.append([series.name, "SHMEM", figure(latency), figure(bandwidth), *map(times, faster)])
    limits = study.limits
    rows.append(["hardware limit", "", figure(limits.put_handover), figure(limits.copy_peak),
                 times(divide(limits.put_handover, here[0])), times(divide(here[1], limits.copy_peak))])
    return Table(
        "Table 1. Latency and Bandwidth Rates",
        ["System", "Library", "Latency (µs)", "Bandwidth (MB/s)", "times better: latency", "bandwidth"],
        rows, align="llrrrr",
        note=f"Times better: {study.first.name} on this machine against the row's system.")


def barrier_rows(study: Study, series) -> list[list[str]]:
    rows = []
    ours = study.first.by("npes", "barrier", "barrier_time")
    for npes, record in series.by("npes", "barrier", "barrier_time").items():
        limit = study.limits.barrier(npes)
        ratio = divide(record.value, ours[npes].value) if series is not study.first and npes in ours else None
        rows.append([series.name, str(npes), figure(record.value), figure(1.0 / record.value),
                     times(ratio), figure(limit), times(divide(record.value, limit))])
    return rows


def published_barriers(study: Study) -> list[list[str]]:
    rows = []
    ours = study.first.by("npes", "barrier", "barrier_time")
    sources = [("mpt", "barrier", name, machine, "") for name, machine in SYSTEMS]
    sources.append(("t3e", "SYNCH1", "CRAY T3E-1200E (1999)", "T3E-1200E", "SHMEM"))
    for seed, test, name, machine, library in sources:
        for fact in published.find(seed, test, "barrier_time", machine, library):
            npes, time = fact["params"]["npes"], fact["value"]
            ratio = divide(time, ours[npes].value) if npes in ours else None
            rate = published.value(seed, test, "barrier_rate", machine, npes=npes) if seed == "mpt" else None
            rate_text = printed(rate) if rate else figure(1.0 / time)
            rows.append([name, str(npes), printed(time), rate_text, times(ratio), "", ""])
    return rows


def barriers(study: Study) -> Table | None:
    """Table 2, with the T3E's."""
    own = [row for series in study.series for row in barrier_rows(study, series)]
    if not study.first.by("npes", "barrier", "barrier_time"):
        return None
    return Table(
        "Table 2. Barrier Rates",
        ["System", "No. PE's", "Barrier Time (µs)", "Barrier Rate (Mbarr/s)", f"{study.first.name} faster",
         "hardware limit (µs)", "of the limit"],
        published_barriers(study) + own,
        note="Limit: log2(P) hand-overs of a cache line while every PE has a core; P/C hand-overs between "
             "processes when P PEs share C cores.")


def reduction(series, npes: int, operation: str, algorithm: str) -> float | None:
    record = series.one(ONE_WORD, "time", npes=npes, operation=operation, algorithm=algorithm)
    return record.in_unit("ms") if record else None


def global_communications(study: Study) -> Table | None:
    """Table 3."""
    counts = study.first.by("npes", ONE_WORD, "time")
    if not counts:
        return None
    rows = []
    for name, machine in SYSTEMS:
        for npes in PES:
            then = [published.value("mpt", ONE_WORD, "time", machine, npes=npes, operation=operation)
                    for operation in OPERATIONS]
            here = [reduction(study.first, npes, operation, BY_HAND) for operation in OPERATIONS]
            gains = [times(divide(*pair)) for pair in zip(then, here)]
            rows.append([name, str(npes), *map(printed, then), *gains])
    for series in study.series:
        for algorithm, label in ((BY_HAND, ""), ("library", ", library call")):
            for npes in series.by("npes", ONE_WORD, "time", algorithm=algorithm):
                found = [reduction(series, npes, operation, algorithm) for operation in OPERATIONS]
                rows.append([series.name + label, str(npes), *map(figure, found), "", "", ""])
    return Table(
        "Table 3. Global Communications Rates",
        ["System", "PE's", "GSUM (ms)", "GMAX (ms)", "GLAND (ms)", "faster: GSUM", "GMAX", "GLAND"], rows,
        note="One word from each PE: all put to PE 0, all get from it; the library's own reduction below.")


def vector_sum(study: Study) -> Table | None:
    """Table 4."""
    found = study.first.by("npes", VECTOR_SUM, "time")
    if not found:
        return None
    header = ["PE's", "CRAY T3D ms", "CRAY J90 ms"]
    for series in study.series:
        header += [f"{series.name} ms", "its library call ms"]
    header += ["faster than T3D", "than J90"]
    counts = sorted({npes for series in study.series for npes in series.by("npes", VECTOR_SUM, "time")} | set(PES))
    rows = []
    for npes in counts:
        then = [published.value("mpt", VECTOR_SUM, "time", machine, npes=npes) for _, machine in SYSTEMS]
        cells: list[float | None] = []
        for series in study.series:
            for algorithm in (LOG2, "library"):
                record = series.one(VECTOR_SUM, "time", npes=npes, algorithm=algorithm)
                cells.append(record.in_unit("ms") if record else None)
        rows.append([str(npes), *map(printed, then), *map(figure, cells),
                     *(times(divide(old, cells[0])) for old in then)])
    return Table("Table 4. Global Vector Sum", header, rows, align="r" * len(header),
                 note="100,000 words from each PE, log2 reduction by puts.")


def tables(study: Study) -> list[Table]:
    """Tables 1 to 4, those whose tests were run."""
    if study.first is None:
        return []
    made = (build(study) for build in (point_to_point, barriers, global_communications, vector_sum))
    return [without_empty_columns(table) for table in made if table is not None]
