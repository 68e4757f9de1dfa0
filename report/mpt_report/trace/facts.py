# SPDX-License-Identifier: BSD-3-Clause
"""All that `mpt trace` shows, as one dictionary: what --json prints, and what the tables are made of."""

from __future__ import annotations

import shlex

from . import causes, counters, profile, suggest
from .analysis import Analysis
from .profile import Facts
from .selection import Selection


def job(analysis: Analysis) -> Facts:
    trace, events = analysis.trace, analysis.events
    return {
        "folder": str(trace.folder),
        "command": " : ".join(shlex.join(words) for words in trace.job.command),
        "pes": trace.job.pes,
        "hosts": sorted(set(trace.job.hosts)),
        "bound": any(one is not None for one in trace.job.cores),
        "tasks": trace.job.tasks,
        "began": trace.job.began,
        "status": trace.job.status,
        "records": trace.records,
        "dropped": trace.dropped,
        "seconds": float(events.end.max(initial=0.0)),
        "clock_error": events.clock_error,
        "under_way": events.under_way,
        "problems": events.problems,
    }


def before_sent(analysis: Analysis) -> int:
    """Messages that ended before they began: the hosts' clocks aren't known well enough."""
    events, found = analysis.events, analysis.messages
    return int((events.end[found.received] < events.begin[found.sent]).sum())


def matched(analysis: Analysis) -> Facts:
    """How much of what belongs together was found."""
    messages, collectives, waits = analysis.messages, analysis.collectives, analysis.waits
    return {
        "messages": len(messages.sent),
        "only_sent": len(messages.only_sent),
        "only_received": len(messages.only_received),
        "twice": messages.twice,
        "before_sent": before_sent(analysis),
        "collectives": len(collectives),
        "collectives_partly": int((~collectives.whole).sum()),
        "waits": len(waits.wait),
        "waits_by_address": int((~waits.exact).sum()),
        "waits_alone": len(waits.alone),
    }


def totals(pes: list[Facts], chosen: Selection) -> Facts:
    """Seconds of all PEs together."""
    return {name: sum(float(one[name]) for one in pes) for name in ("inside", "outside", "waited")} | {
        "seconds": float(chosen.spans.sum())
    }


def critical(analysis: Analysis, chosen: Selection, pes: list[Facts]) -> Facts:
    """`outside` is between calls; all in seconds of the path within what is chosen."""
    length = sum(float(one["critical"]) for one in pes)
    return {
        "seconds": length,
        "outside": sum(float(one["critical_outside"]) for one in pes),
        "changes": analysis.path.changes,
        "gaps": causes.gaps(analysis, chosen),
    }


def uneven(pes: list[Facts]) -> Facts:
    """How unevenly the first threads of PEs are loaded with what they do outside calls."""
    first = [one for one in pes if one["thread"] == 0]
    found = profile.imbalance([float(one["outside"]) for one in first])
    return found | {"pe": first[found["at"]]["pe"] if first else -1}


def facts(analysis: Analysis, chosen: Selection) -> Facts:
    pes = profile.by_pe(analysis, chosen)
    found: Facts = {
        "job": job(analysis),
        "wanted": chosen.wanted.words(),
        "matched": matched(analysis),
        "totals": totals(pes, chosen),
        "calls": profile.by_call(analysis, chosen),
        "lines": profile.by_line(analysis, chosen),
        "pes": pes,
        "regions": profile.by_region(analysis, chosen),
        "imbalance": uneven(pes),
        "waits": causes.by_kind(analysis, chosen),
        "causes": causes.by_lines(analysis, chosen),
        "counters": counters.between(analysis, chosen),
        "counters_pes": counters.by_pe(analysis, chosen),
        "critical": critical(analysis, chosen, pes),
        "messages_by_bytes": causes.messages(analysis, chosen, "bytes"),
        "messages_by_count": causes.messages(analysis, chosen, "count"),
    }
    return found | {"suggestions": suggest.suggestions(analysis, chosen, found)}
