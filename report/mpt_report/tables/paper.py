# SPDX-License-Identifier: BSD-3-Clause
"""Tables 1 to 4 of the 1996 paper on the Message Passing Toolkit, with this machine's rows.

The published rows come first, as printed; the last columns say how many times faster this machine is, through the same
interface where the papers name one. Table 5 of the T3E report joins the barrier table, and
below it stand barriers by algorithm, which the papers have none of.
"""

from __future__ import annotations

from typing import Any

from ..runs import published
from ..runs.records import Record
from ..runs.study import Series, Study
from ..words import divide, figure, pes, printed, times
from .table import Table, without_empty_columns

SYSTEMS = (("CRAY T3D", "T3D"), ("CRAY J90", "J90"))
PES = (2, 4, 8, 16)
PING_PONG = "point-to-point ping-pong"
ONE_WORD = "one-word global reduction"
VECTOR_SUM = "global vector sum"
BY_HAND = "all-put, all-get from PE 0"
LOG2 = "log2 reduction"
OPERATIONS = ("GSUM", "GMAX", "GLAND")
PING_PONGS = (PING_PONG, f"pvm {PING_PONG}")  # PVM's programs name their tests so
BARRIERS = ("barrier", "pvm_barrier")
BY_ALGORITHM = "barrier algorithms"
ALGORITHMS_THEN = (
    ("mpt", "barrier", "CRAY T3D", "T3D", "", "hardware"),
    ("mpt", "barrier", "CRAY J90", "J90", "", "barsync queue"),
    ("t3e", "SYNCH1", "CRAY T3E-1200E (1999)", "T3E-1200E", "SHMEM", "library"),
)
UNNAMED = "SHMEM where no other interface is named."


def spoken(study: Study, test: str | tuple[str, ...]) -> list[Series]:
    """Each series once for every interface that it has the test in."""
    return [series.through(face) for series in study.series for face in series.faces(test)]


def of_table_1(series: Series, face: str) -> tuple[float | None, float | None]:
    """Latency, us, and bandwidth, MB/s."""
    latency, bandwidth = (series.through(face).one(PING_PONGS, metric) for metric in ("latency", "bandwidth"))
    return latency.value if latency else None, bandwidth.value if bandwidth else None


def point_to_point(study: Study) -> Table | None:
    """Table 1."""
    ours = {face: of_table_1(study.first, face) for face in study.first.faces(PING_PONGS)}
    if not ours:
        return None
    nothing, rows = (None, None), []
    for name, machine in SYSTEMS:
        for library in ("PVM", "SHMEM"):
            latency = published.value("mpt", PING_PONG, "latency", machine, library)
            bandwidth = published.value("mpt", PING_PONG, "bandwidth", machine, library)
            here = ours.get(library, nothing)
            rows.append(
                [
                    name,
                    library,
                    printed(latency),
                    printed(bandwidth),
                    times(divide(latency, here[0])),
                    times(divide(here[1], bandwidth)),
                ]
            )
    for series in study.series:
        for face in series.faces(PING_PONGS):
            (latency, bandwidth), here = of_table_1(series, face), ours.get(face, nothing)
            faster = (divide(latency, here[0]), divide(here[1], bandwidth)) if series is not study.first else nothing
            rows.append([series.name, face, figure(latency), figure(bandwidth), *map(times, faster)])
    limits, here = study.limits, next(iter(ours.values()))
    rows.append(
        [
            "hardware limit",
            "",
            figure(limits.put_handover),
            figure(limits.copy_peak),
            times(divide(limits.put_handover, here[0])),
            times(divide(here[1], limits.copy_peak)),
        ]
    )
    return Table(
        "003/table-1",
        "Table 1. Latency and Bandwidth Rates",
        ["System", "Library", "Latency (µs)", "Bandwidth (MB/s)", "times better: latency", "bandwidth"],
        rows,
        align="llrrrr",
        note=f"Times better: {study.first.name} on this machine, through the same interface, against the row's system; "
        f"the limit against {next(iter(ours))}.",
    )


def barrier_times(series: Series, face: str) -> dict[int, Record]:
    return series.through(face).by("npes", BARRIERS, "barrier_time")


def barrier_rows(study: Study, series: Series, face: str) -> list[list[str]]:
    rows = []
    ours = barrier_times(study.first, face)
    for npes, record in barrier_times(series, face).items():
        limit = study.limits.barrier(npes)
        ratio = divide(record.value, ours[npes].value) if series is not study.first and npes in ours else None
        rows.append(
            [
                series.name,
                face,
                str(npes),
                figure(record.value),
                figure(1.0 / record.value),
                times(ratio),
                figure(limit),
                times(divide(record.value, limit)),
            ]
        )
    return rows


def published_barriers(study: Study) -> list[list[str]]:
    rows = []
    sources = [("mpt", "barrier", name, machine, "") for name, machine in SYSTEMS]
    sources += [("t3e", "SYNCH1", "CRAY T3E-1200E (1999)", "T3E-1200E", face) for face in ("SHMEM", "MPI", "PVM")]
    for seed, test, name, machine, library in sources:
        ours = barrier_times(study.first, library or "SHMEM")
        for fact in published.find(seed, test, "barrier_time", machine, library):
            npes, time = fact["params"]["npes"], fact["value"]
            ratio = divide(time, ours[npes].value) if npes in ours else None
            rate = published.value(seed, test, "barrier_rate", machine, npes=npes) if seed == "mpt" else None
            rate_text = printed(rate) if rate else figure(1.0 / time)
            rows.append([name, library, str(npes), printed(time), rate_text, times(ratio), "", ""])
    return rows


def barriers(study: Study) -> Table | None:
    """Table 2, with the T3E's."""
    own = [
        row for series in study.series for face in series.faces(BARRIERS) for row in barrier_rows(study, series, face)
    ]
    if not study.first.faces(BARRIERS):
        return None
    return Table(
        "003/table-2",
        "Table 2. Barrier Rates",
        [
            "System",
            "Library",
            "No. PE's",
            "Barrier Time (µs)",
            "Barrier Rate (Mbarr/s)",
            f"{study.first.name} faster",
            "hardware limit (µs)",
            "of the limit",
        ],
        published_barriers(study) + own,
        align="llrrrrrr",
        note="Faster: through the same interface; the paper's own systems, which name none, against SHMEM. Limit: "
        "log2(P) hand-overs of a cache line while every PE has a core; P/C hand-overs between processes when P "
        "PEs share C cores.",
    )


def algorithms(study: Study) -> Table | None:
    """Table 2's test by algorithm, beside the papers' own."""
    own: dict[tuple[Any, ...], dict[int, float]] = {}
    for series in study.series:
        for record in series.records:  # in the order that they were measured in
            if record.test != BY_ALGORITHM or record.get("burner"):
                continue
            key = (series.name, record.get("algorithm"), record.get("wait") or "")
            own.setdefault(key, {}).setdefault(record.get("npes"), record.in_unit("us"))
    if not own:
        return None
    counts = sorted({npes for by_npes in own.values() for npes in by_npes})
    rows = []
    for seed, test, name, machine, library, how in ALGORITHMS_THEN:
        facts = published.find(seed, test, "barrier_time", machine, library)
        then = {fact["params"]["npes"]: fact["value"] for fact in facts}
        rows.append([name, how, "", *(printed(then.get(npes)) for npes in counts)])
    rows += [[*key, *(figure(by_npes.get(npes)) for npes in counts)] for key, by_npes in own.items()]
    return Table(
        "003/table-2/algorithms",
        "Table 2 by algorithm. Barrier Times (µs)",
        ["System", "Algorithm", "Waiting", *map(pes, counts)],
        rows,
        align="lll" + "r" * len(counts),
        note="Written with SHMEM's calls, each completing the puts before it as shmem_barrier_all does, beside the "
        "library's own. Waiting: by shmem_long_wait_until; by looking again and again, giving the processor away "
        "between (yield) or keeping it (spin); asleep in the kernel (futex).",
    )


def reduction(series: Series, npes: int, operation: str, algorithm: str) -> float | None:
    record = series.one(ONE_WORD, "time", npes=npes, operation=operation, algorithm=algorithm)
    return record.in_unit("ms") if record else None


def global_communications(study: Study) -> Table | None:
    """Table 3."""
    if not study.first.by("npes", ONE_WORD, "time"):
        return None
    ours, rows = study.first.through("SHMEM"), []
    for name, machine in SYSTEMS:
        for npes in PES:
            then = [
                published.value("mpt", ONE_WORD, "time", machine, npes=npes, operation=operation)
                for operation in OPERATIONS
            ]
            here = [reduction(ours, npes, operation, BY_HAND) for operation in OPERATIONS]
            gains = [times(divide(*pair)) for pair in zip(then, here, strict=True)]
            rows.append([name, str(npes), *map(printed, then), *gains])
    for series in spoken(study, ONE_WORD):
        for algorithm, label in ((BY_HAND, ""), ("library", ", library call")):
            for npes in series.by("npes", ONE_WORD, "time", algorithm=algorithm):
                found = [reduction(series, npes, operation, algorithm) for operation in OPERATIONS]
                rows.append([series.name + label, str(npes), *map(figure, found), "", "", ""])
    return Table(
        "003/table-3",
        "Table 3. Global Communications Rates",
        ["System", "PE's", "GSUM (ms)", "GMAX (ms)", "GLAND (ms)", "faster: GSUM", "GMAX", "GLAND"],
        rows,
        note="One word from each PE: all put to PE 0, all get from it, in PVM and AM by messages; the library's own "
        "reduction below. " + UNNAMED,
    )


def vector_time(series: Series, npes: int, algorithm: str) -> float | None:
    record = series.one(VECTOR_SUM, "time", npes=npes, algorithm=algorithm)
    return record.in_unit("ms") if record else None


def vector_sum(study: Study) -> Table | None:
    """Table 4."""
    if not study.first.by("npes", VECTOR_SUM, "time"):
        return None
    header = ["PE's", "CRAY T3D ms", "CRAY J90 ms"]
    columns, ours = spoken(study, VECTOR_SUM), study.first.through("SHMEM")
    for series in columns:
        header += [f"{series.name} ms", "its library call ms"]
    header += ["faster than T3D", "than J90"]
    counts = sorted({npes for series in columns for npes in series.by("npes", VECTOR_SUM, "time")} | set(PES))
    rows = []
    for npes in counts:
        then = [published.value("mpt", VECTOR_SUM, "time", machine, npes=npes) for _, machine in SYSTEMS]
        cells = [vector_time(series, npes, algorithm) for series in columns for algorithm in (LOG2, "library")]
        here = vector_time(ours, npes, LOG2)
        rows.append([str(npes), *map(printed, then), *map(figure, cells), *(times(divide(old, here)) for old in then)])
    return Table(
        "003/table-4",
        "Table 4. Global Vector Sum",
        header,
        rows,
        align="r" * len(header),
        note=f"100,000 words from each PE, log2 reduction by puts, in MPI and PVM by messages, in AM "
        f"by stores. {UNNAMED}",
    )


def tables(study: Study) -> list[Table]:
    """Tables 1 to 4, those whose tests were run."""
    if not study.local:
        return []
    made = (build(study) for build in (point_to_point, barriers, algorithms, global_communications, vector_sum))
    return [without_empty_columns(table) for table in made if table is not None]
