# SPDX-License-Identifier: BSD-3-Clause
"""Messages of MPI against size, beside other libraries and the hardware."""

from __future__ import annotations

from ..goal import bytes_text
from ..study import Study
from ..table import divide
from . import headlines
from .charts import LIMIT_COLOUR, Chart, blank, by_size, byte_ticks, colour, finish


def title_of(study: Study, metric: str) -> str:
    if metric == "latency":
        word = study.first.one("mpi_latency", "latency", message_bytes=8)
        return f"An MPI message of 8 bytes takes {headlines.time_text(word.in_unit('us'))} one way" if word else \
            "MPI messages, one way, against size"
    found = study.first.by("message_bytes", "mpi_bandwidth", "bandwidth")
    if not found:
        return "MPI bandwidth against message size"
    size, best = max(found.items(), key=lambda item: item[1].in_unit("MB/s"))
    share = divide(best.in_unit("MB/s"), study.limits.copy(size))
    tail = f", {share:.0%} of the best copy" if share else ""
    return f"MPI messages reach {headlines.rate_text(best.in_unit('MB/s'))} at {bytes_text(size)}{tail}"


def chart(study: Study, test: str, metric: str, unit: str, words: str, note: str) -> Chart | None:
    found = [(series, series.by("message_bytes", test, metric)) for series in study.series]
    sizes = sorted({size for _, records in found for size in records})
    if len(sizes) < 2:
        return None
    figure = blank("message size, bytes", words, byte_ticks(sizes))
    shown = "µs" if unit == "us" else unit
    for series, records in found:
        if records:
            by_size(figure, series.name, {size: one.in_unit(unit) for size, one in records.items()},
                    colour(study, series), "solid", shown)
    limit = {size: rate for size, rate in study.limits.copies.items() if sizes[0] <= size <= sizes[-1]}
    if metric == "bandwidth" and limit:
        by_size(figure, "hardware limit", limit, LIMIT_COLOUR, "dash", "MB/s")
    elif metric == "latency" and study.limits.handover:
        by_size(figure, "hardware limit: a cache line handed over", {sizes[0]: study.limits.handover}, LIMIT_COLOUR,
                "dash", "µs")
    return Chart(f"mpi-{metric}", title_of(study, metric), finish(figure), note)


def charts(study: Study) -> list[Chart | None]:
    return [chart(study, "mpi_latency", "latency", "us", "one way, µs", "Half the round trip of MPI_Send and MPI_Recv."),
            chart(study, "mpi_bandwidth", "bandwidth", "MB/s", "MB/s",
                  "Windows of MPI_Isend and MPI_Irecv, malloc'd buffers. Limit: the fastest of all copy methods.")]
