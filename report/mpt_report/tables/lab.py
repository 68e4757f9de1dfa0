# SPDX-License-Identifier: BSD-3-Clause
"""Tables of what the papers did not measure: the machine's limits, transfers by size and stride,
atomics and locks, idling, start-up. One column for each series, the limit beside them.
"""

from __future__ import annotations

from typing import Any

from ..runs.records import Record
from ..runs.study import Series, Study
from ..words import bytes_text, divide, figure, times, unit_text
from .table import Row, Table, without_empty_columns

ONE_LINE = {"layout": ("one_word", None)}
TWO_LINES = {"layout": "two_lines"}

# Of each row its id, its words, and what of the limits it shows.
LIMIT_ROWS: tuple[tuple[str, str, tuple[str, ...], dict[str, Any]], ...] = (
    ("handover", "cache-line hand-over between two cores, one way, one line", ("cacheline_handover",), ONE_LINE),
    ("handover/two-lines", "the same, each side writing a line of its own", ("cacheline_handover",), TWO_LINES),
    ("futex-handover", "hand-over to a process on the same core, futex", ("futex_handover",), {}),
    ("yield-handover", "hand-over to a process on the same core, yield", ("yield_handover",), {}),
    ("futex-wake", "futex wake on another core", ("futex_wake",), {}),
    ("fetch-add", "locked fetch-and-add on shared memory", ("fetch_add",), {}),
    ("store", "store to shared memory", ("store",), {}),
    ("timer", "reading the clock", ("timer",), {}),
)


def limits(study: Study) -> Table | None:
    """Times of the bare machine."""
    if not study.all_limits:
        return None
    several = len(study.all_limits) > 1
    rows = []
    for name, words, operations, where in LIMIT_ROWS:
        found = [one.time(*operations, **where) for one in study.all_limits]
        if any(value is not None for value in found):
            rows.append(Row(name, [words, *(figure(None if value is None else value * 1000.0) for value in found)]))
    header = ["What", *(one.label if several else "ns" for one in study.all_limits)]
    return (
        Table("lab/limits", "What the machine itself takes" + (", ns" if several else ""), header, rows)
        if rows
        else None
    )


def copies(study: Study) -> Table | None:
    """Every copy method of the machine by size."""
    methods: dict[str, dict[int, float]] = {}
    for record in study.limits.records:
        size = record.get("message_bytes")
        if record.get("operation") == "copy" and isinstance(size, int):
            methods.setdefault(str(record.get("method")), {})[size] = record.in_unit("MB/s")
    if not methods:
        return None
    sizes = sorted({size for by_size in methods.values() for size in by_size})
    rows = [
        Row(str(size), [bytes_text(size), *(figure(by_size.get(size)) for by_size in methods.values())])
        for size in sizes
    ]
    return Table("lab/copies", "Copy bandwidth of the machine by method, MB/s", ["Size", *methods], rows)


def transfers(study: Study, op: str) -> Table | None:
    """Latency and bandwidth of put or get by size, with the best copy."""
    bandwidth = [series.by("message_bytes", "put_get", "bandwidth", op=op) for series in study.series]
    latency = [series.by("message_bytes", "put_get", "latency", op=op) for series in study.series]
    sizes = sorted({size for by_size in (*bandwidth, *latency) for size in by_size})
    if not sizes or not (bandwidth[0] or latency[0]):
        return None
    header = ["Size"]
    for series in study.series:
        header += [f"{series.name}: latency, µs", "bandwidth, MB/s"]
    header += ["best copy, MB/s", "of the limit"]
    rows = []
    for size in sizes:
        row = Row(str(size), [bytes_text(size)])
        for times_by_size, rates_by_size in zip(latency, bandwidth, strict=True):
            row += [value(times_by_size.get(size), "us"), value(rates_by_size.get(size), "MB/s")]
        limit = study.limits.copy(size)
        first = bandwidth[0].get(size)
        row += [figure(limit), times(divide(first.in_unit("MB/s") if first else None, limit))]
        rows.append(row)
    return Table(f"lab/{op}", f"{op.capitalize()} by size", header, rows)


def value(record: Record | None, unit: str) -> str:
    return figure(record.in_unit(unit)) if record else figure(None)


def by_label(study: Study, name: str, title: str, records: dict[str, list[Record | None]]) -> Table | None:
    """One row for each label, which names it, too; one column for each series; rows nobody measured are dropped."""
    rows = []
    for label, found in records.items():
        unit = next((record.unit for record in found if record), None)
        if unit is not None:
            rows.append(Row(label, [label, unit_text(unit), *(value(record, unit) for record in found)]))
    header = ["", "unit", *(series.name for series in study.series)]
    return Table(f"lab/{name}", title, header, rows, align="ll") if rows else None


def small_operations(study: Study) -> Table | None:
    """Streamed rate and latency of one word."""
    rows = {}
    for op, size in (("p", 8), ("g", 8), ("put", 8), ("get", 8), ("put_nbi", 8), ("get_nbi", 8)):
        for metric, word in (("rate", "streamed"), ("latency", "each completed")):
            rows[f"{op}, one word, {word}"] = [
                series.one("put_get", metric, op=op, message_bytes=(size, None)) for series in study.series
            ]
    for test in ("single_pairs", "multiple_pairs"):
        for completion, word in (("batch", "streamed"), ("each", "each completed")):
            rows[f"{test}, average, {word}"] = [
                series.one(test, "latency_avg", completion=completion) for series in study.series
            ]
    return by_label(study, "word", "One word at a time", rows)


def strides(study: Study) -> Table | None:
    """Strided and indexed transfers, payload rate."""
    rows = {}
    for op in ("iput", "iget"):
        found = sorted(
            {record.get("stride") for series in study.series for record in series.find("put_get", "bandwidth", op=op)}
            - {None}
        )
        for stride in found:
            rows[f"{op}, stride {stride}"] = [
                series.one("put_get", "bandwidth", op=op, stride=stride) for series in study.series
            ]
    for op in ("ixput", "ixget"):
        for index in ("sequential", "random"):
            rows[f"{op}, {index} index"] = [
                series.one("put_get", "bandwidth", op=op, index=index) for series in study.series
            ]
    return by_label(study, "strides", "Strided and indexed transfers", rows)


def atomics(series: Series) -> Table | None:
    """A row for each operation: alone, and with all PEs on one word."""
    kinds: dict[tuple[Any, ...], None] = {}
    crowds: dict[int, None] = {}
    for record in series.find("atomics", ("latency", "rate")):
        kinds.setdefault((record.get("op"), record.get("type")))
        if record.get("contention") == "all":
            crowds.setdefault(record.get("npes"))
    rows = []
    for op, kind in kinds:
        alone, streamed = (
            series.one("atomics", metric, op=op, type=kind, contention="none") for metric in ("latency", "rate")
        )
        crowd = [
            series.one("atomics", "rate", op=op, type=kind, contention="all", npes=npes) for npes in sorted(crowds)
        ]
        rows.append(
            [
                str(op),
                str(kind),
                value(alone, "ns"),
                *(figure(one.value if one else None) for one in (streamed, *crowd)),
            ]
        )
    header = ["Operation", "type", "alone, ns", "streamed, Mop/s", *(f"{npes} PEs, Mop/s" for npes in sorted(crowds))]
    note = "Alone: one PE on another's word. PEs: all at once on one word, all of them together."
    return (
        Table(f"lab/atomics/{series.name}", f"Atomic operations, {series.name}", header, rows, note, align="ll")
        if rows
        else None
    )


def locks(study: Study) -> Table | None:
    """A critical section, taken by one PE and by all."""
    rows = {}
    for npes in sorted({record.get("npes") for record in study.first.find("lock", "time")} - {None}):
        for contention, word in (("none", "one PE"), ("all", "all contending")):
            rows[f"{npes} PEs, {word}"] = [
                series.one("lock", "time", npes=npes, contention=contention) for series in study.series
            ]
    return by_label(study, "lock", "Lock and unlock", rows)


def idling(study: Study) -> Table | None:
    """What waiting costs while nothing happens."""
    rows = {}
    for wait in ("barrier", "wait_until"):
        for metric, word in (("cpu_share", "CPU time of all PEs"), ("wake_latency", "until the last is awake")):
            rows[f"PEs waiting in {wait}: {word}"] = [series.one("wake", metric, wait=wait) for series in study.series]
    return by_label(study, "idle", "What waiting costs", rows)


def starts(study: Study) -> Table | None:
    """Start and stop of a job."""
    rows = {}
    for test, of in (("launch", "PE"), ("mpi_launch", "rank of MPI")):
        for npes in sorted({npes for series in study.series for npes in series.by("npes", test, "time")}):
            several = of.replace("PE", "PEs").replace("rank", "ranks")
            label = f"{npes} {several}" if npes > 1 else f"1 {of}, without launcher"
            rows[label] = [series.one(test, "time", npes=npes) for series in study.series]
    return by_label(study, "start", "Start and stop of a job that does nothing", rows)


TWO_TARGETS = ("pingpong", "put_get", "atomics", "lock")
TWO_TARGETS_SIZES = {"latency": (8,), "rate": (8,), "time": (8,), "bandwidth": (65536, 4 << 20)}


def targets(study: Study) -> Table | None:
    """Heap against global for every transfer that has both."""
    rows = []
    fewest = min((one.get("npes", 2) for one in study.first.find(TWO_TARGETS, tuple(TWO_TARGETS_SIZES))), default=2)
    for record in study.first.find(TWO_TARGETS, tuple(TWO_TARGETS_SIZES), target="heap"):
        if record.pair not in (None, (0, 1)) or record.get("message_bytes", 8) not in TWO_TARGETS_SIZES[record.metric]:
            continue
        if record.test == "atomics" and (record.get("type") != "long" or record.get("contention") != "none"):
            continue
        if record.get("npes", fewest) != fewest:
            continue
        where = {name: item for name, item in record.params.items() if name not in ("target", "burner")}
        found = study.first.find(record.test, record.metric, target="global", **where)
        other = next((one for one in found if one.pair == record.pair), None)
        if other is not None:
            rows.append(
                [
                    record.test,
                    describe(where),
                    record.metric,
                    unit_text(record.unit),
                    figure(record.value),
                    figure(other.value),
                    times(divide(other.value, record.value)),
                ]
            )
    return (
        Table(
            "lab/targets",
            "A global as target, against the heap",
            ["Test", "", "Metric", "unit", "heap", "global", "ratio"],
            rows,
            align="llllrrr",
        )
        if rows
        else None
    )


def describe(where: dict[str, Any]) -> str:
    words = []
    for name, item in where.items():
        if name == "message_bytes":
            words.append(bytes_text(item))
        elif name in ("op", "call", "type", "contention", "stride", "npes", "index"):
            words.append(f"{item}" if name in ("op", "call", "type") else f"{name} {item}")
    return ", ".join(words)


def tables(study: Study) -> list[Table]:
    """Every table there are records for."""
    if not study.local:
        made = [limits(study), copies(study)]
    else:
        made = [
            small_operations(study),
            transfers(study, "put"),
            transfers(study, "get"),
            strides(study),
            *(atomics(series) for series in study.series),
            locks(study),
            targets(study),
            idling(study),
            starts(study),
            limits(study),
            copies(study),
        ]
    return [without_empty_columns(table) for table in made if table is not None]
