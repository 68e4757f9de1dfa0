# SPDX-License-Identifier: BSD-3-Clause
"""Sentences made of the figures: the page's titles say what the reader is about to see."""

from __future__ import annotations

from .. import goals
from ..runs import published
from ..runs.records import Record
from ..runs.study import Series, Study
from ..tables import newsletter
from ..words import bytes_text, divide, times

JOBS = tuple(range(2, 4097))  # PE counts that need a launcher


def one_word(series: Series) -> Record | None:
    """A one-word hand-over through the library: the shortest of all pairs, or the median of the first."""
    return series.one("ping_pong", "latency_min") or series.one("pingpong", "latency", message_bytes=8)


def peak(series: Series) -> tuple[float, int] | None:
    """The best transfer rate and its size."""
    found = [
        (record.in_unit("MB/s"), record.get("message_bytes"))
        for record in series.find("put_get", "bandwidth", op=("put", "get"))
        if isinstance(record.get("message_bytes"), int)
    ]
    return max(found, default=None)


def best_rate(series: Series) -> float | None:
    found = peak(series)
    if found:
        return found[0]
    return newsletter.measured(series, "single_pairs", "r_inf")


def brief(value: float) -> str:
    """Three significant digits are enough for a title."""
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


def time_text(us: float | None) -> str:
    """A time in the unit that reads best."""
    if us is None:
        return "-"
    for limit, scale, unit in ((1.0, 1e-3, "ns"), (1e3, 1.0, "µs"), (1e6, 1e3, "ms")):
        if us < limit:
            return f"{brief(us / scale)} {unit}"
    return f"{brief(us / 1e6)} s"


def rate_text(mb_s: float | None) -> str:
    if mb_s is None:
        return "-"
    return f"{brief(mb_s / 1000)} GB/s" if mb_s >= 1000 else f"{brief(mb_s)} MB/s"


def page_title(study: Study) -> str:
    if not study.local:
        over = dict.fromkeys(series.name for series in study.networks)
        return " beside ".join(over) or "What this machine can do"
    if len(study.runs) > 1:
        return " against ".join(run.label for run in study.runs)
    peers = [series.name for series in study.others]
    return study.first.name + (f" beside {', '.join(peers)}" if peers else "") + ", against the hardware and 1996"


def latency(study: Study) -> str:
    word, limit = one_word(study.first), study.limits.put_handover
    if word is None:
        return "Latency against message size"
    here = word.in_unit("us")
    tail = f", {times(divide(here, limit))} what the cores need to hand over a cache line" if limit else ""
    return f"One word takes {time_text(here)} one way{tail}"


def bandwidth(study: Study) -> str:
    found = peak(study.first)
    if not found:
        return "Bandwidth against message size"
    limit = study.limits.copy(found[1])
    within = limit and found[0] <= limit  # a copy from a nearer cache bounds nothing
    tail = f", {divide(found[0], limit):.0%} of the best copy of that size" if within else ""
    return f"Puts and gets reach {rate_text(found[0])} at {bytes_text(found[1])}{tail}"


def barrier(study: Study) -> str:
    found = study.first.by("npes", "barrier", "barrier_time")
    if not found:
        return "Barrier against PEs"
    (low, first), (high, last) = next(iter(found.items())), list(found.items())[-1]
    text = f"A barrier of {low} PEs takes {time_text(first.in_unit('us'))}"
    if high != low:
        text += f", of {high} PEs {time_text(last.in_unit('us'))}"
    cores = study.limits.cores
    return text + (f", on {cores} cores" if cores else "")


def pairs(study: Study, latencies: dict[tuple[int, int], float]) -> str:
    low, high = min(latencies.values()), max(latencies.values())
    if high <= 1.1 * low:
        return f"Every pair of PEs is equally near: {time_text(low)}"
    return f"Between the nearest PEs {time_text(low)}, between the farthest {time_text(high)}"


def launch(study: Study) -> str:
    found = study.first.by("npes", "launch", "time", npes=JOBS)
    if not found:
        return "Start-up time"
    ends = list(found.items())[:: max(1, len(found) - 1)]
    return "Start and stop: " + ", ".join(f"{npes} PEs {time_text(record.in_unit('us'))}" for npes, record in ends)


def half(study: Study) -> str:
    words = newsletter.measured(study.first, "single_pairs", "n_half_words")
    rmax = newsletter.measured(study.first, "single_pairs", "r_inf")
    if words is None or rmax is None:
        return "Rate against message size, one pair and all pairs at once"
    then = published.value("newsletter", "single_pairs", "n_half_words")
    return f"A message of {words:.0f} words already runs at half of {rate_text(rmax)} (T3D: {then:.0f} words, 126 MB/s)"


def strides(study: Study) -> str:
    found = study.first.by("stride", "put_get", "bandwidth", op="iput")
    if len(found) < 2:
        return "Payload rate against stride"
    (_, near), (far_stride, far) = next(iter(found.items())), list(found.items())[-1]
    return f"With a stride of {far_stride} words a strided put keeps {divide(far.value, near.value):.0%} of its rate"


def goal_counts(study: Study) -> tuple[int, int]:
    return goals.counts(goals.goals(study))


def cards(study: Study) -> list[tuple[str, str, str]]:
    """Key figures for the top of the page: label with the statistic, figure, what it is compared with."""
    first, limits = study.first, study.limits
    out = []
    word = one_word(first)
    if word:
        here, best = word.in_unit("us"), word.metric == "latency_min"
        then = published.value("newsletter", "ping_pong", "latency_min")
        label = f"{word.library}, one word, one way, {'best pair' if best else 'median'}"
        out.append((label, time_text(here), against(here, limits.put_handover, divide(then, here))))
    rate = best_rate(first)
    if rate is not None:
        then = published.value("newsletter", "single_pairs", "r_inf")
        limit = limits.copy_peak if limits.copy_peak and rate <= limits.copy_peak else None
        label = "puts and gets, best size" if peak(first) else "messages, asymptotic rate"
        out.append((label, rate_text(rate), against(rate, limit, divide(rate, then))))
    for npes, record in list(first.by("npes", "barrier", "barrier_time").items())[:1]:
        then = published.value("mpt", "barrier", "barrier_time", "T3D", npes=npes)
        us = record.in_unit("us")
        label = f"{record.library}, barrier of {npes} PEs, median"
        out.append((label, time_text(us), against(us, limits.barrier(npes), divide(then, us))))
    idle = first.one("wake", "cpu_share")
    if idle:
        out.append(("idle waiting costs", f"{brief(idle.value)} %", f"of one core, {idle.get('npes')} PEs together"))
    met, total = goal_counts(study)
    if total:
        out.append(("goals met", f"{met} of {total}", "see the table of goals"))
    return out


def against(value: float, limit: float | None, gain: float | None) -> str:
    words = []
    if limit:
        words.append(f"{times(divide(value, limit))} the hardware's limit")
    if gain:
        words.append(f"{times(gain)} better than the T3D" if gain >= 1 else f"{times(1 / gain)} slower than the T3D")
    return ", ".join(words)
