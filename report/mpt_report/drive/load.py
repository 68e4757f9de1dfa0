# SPDX-License-Identifier: BSD-3-Clause
"""Whether a program had the machine to itself: looked at from outside, before and after it runs.

What counts is what the program's PEs lost of their time, each by its own account at the end of the records, and the
CPU time that neither the program's processes nor this driver used, the hypervisor's steal with it.
"""

from __future__ import annotations

import json
import os
import resource
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

CLEAN, CONTENDED, OVERSUBSCRIBED, BURNING = "clean", "contended", "oversubscribed", "burner"
WORDS = (CLEAN, OVERSUBSCRIBED, BURNING, CONTENDED)
DETOUR_S = 0.02
DETOUR_PERCENT = 5.0  # of a busy loop that short, for programs that don't look at what their PEs lose
OTHERS_PERCENT = 5.0  # of the cores' time, by others or stolen
SHORTEST_S = 0.5  # less tells nothing about shares of time: clock ticks are 10 ms


def busy_seconds(stat: str, cores: set[int], tick: float) -> float | None:
    """Time that these cores were not idle, stolen time included, by the lines of /proc/stat."""
    total, found = 0.0, False
    for line in stat.splitlines():
        words = line.split()
        if words and words[0].startswith("cpu") and words[0][3:].isdigit() and int(words[0][3:]) in cores:
            user, nice, system, _idle, _wait, irq, soft, steal = (int(word) for word in words[1:9])
            total += (user + nice + system + irq + soft + steal) / tick
            found = True
    return total if found else None


def own_seconds() -> float:
    """What this process and those it has waited for have used."""
    used = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(one.ru_utime + one.ru_stime for one in used)


def detour(core: int, seconds: float = DETOUR_S) -> float:
    """Percentage of a core that others took from this thread, just now."""
    allowed = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {core})
    try:
        wall, own = time.monotonic(), time.thread_time()
        while time.monotonic() - wall < seconds:
            pass
        return 100.0 * max(0.0, 1.0 - (time.thread_time() - own) / (time.monotonic() - wall))
    finally:
        os.sched_setaffinity(0, allowed)


@dataclass(frozen=True)
class Look:
    """The machine at one moment."""

    when: float
    busy: float | None
    own: float
    load: float


def look() -> Look:
    try:
        stat = Path("/proc/stat").read_text(encoding="ascii")
        busy = busy_seconds(stat, os.sched_getaffinity(0), os.sysconf("SC_CLK_TCK"))
    except (OSError, ValueError):
        busy = None
    return Look(time.monotonic(), busy, own_seconds(), os.getloadavg()[0])


def others_percent(before: Look, after: Look, cores: int) -> float | None:
    """The share of the cores' time that was not ours; None when too short or not to be known."""
    wall = after.when - before.when
    if before.busy is None or after.busy is None or wall < SHORTEST_S:
        return None
    return max(0.0, 100.0 * (after.busy - before.busy - (after.own - before.own)) / (wall * cores))


@dataclass
class State:
    """The verdict on one program's run and what it is made of."""

    word: str
    reasons: list[str] = field(default_factory=list)
    figures: dict[str, Any] = field(default_factory=dict)

    @property
    def line(self) -> str:
        return json.dumps({"test": "state", "state": self.word, "reasons": self.reasons, "env": self.figures})


def blocks(path: Path) -> tuple[dict[str, Any], dict[str, Any]]:
    """The environment that a program's file begins and ends with; empty where there is none."""
    start: dict[str, Any] = {}
    end: dict[str, Any] = {}
    try:
        lines = path.read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return start, end
    for line in (lines[0], lines[-1]) if lines else ():
        try:
            item = json.loads(line)
        except json.JSONDecodeError:
            continue
        if item.get("test") == "environment":
            start = item.get("env") or {}
        elif item.get("test") == "environment_end":
            end = item.get("env") or {}
    return start, end


def lost(start: dict[str, Any], end: dict[str, Any], before: float) -> str:
    """What the program's PEs lost to others, in words; empty where it was nothing to speak of. Their account at the end
    is of all of the run; a program that didn't come to its end, or keeps none, is judged by moments before it."""
    if "contended" in end:
        if not end["contended"]:
            return ""
        share = end.get("lost_percent")
        if share is not None:
            return f"a PE lost {share:.1f} % of its time"
        return f"busy loops of a PE lost {end.get('detour_percent') or 0.0:.1f} % of their time"
    if start.get("contended"):
        return f"its PEs lost {start.get('detour_percent') or 0.0:.1f} % of their time at the start"
    return f"a busy loop before it lost {before:.0f} % of its time" if before > DETOUR_PERCENT else ""


def judge(start: dict[str, Any], end: dict[str, Any], before: Look, after: Look, detours: float, cores: int) -> State:
    """One word for the run of a program. One that burned a core as it was told says so, with what else was going on: it
    is no contention, but nothing to judge a change by either. PEs that share cores lose time to each other, so only
    that of others counts."""
    crowded = bool(start.get("oversubscribed"))
    others = others_percent(before, after, cores)
    figures = {
        "load_before": before.load,
        "load_after": after.load,
        "detour_percent": detours,
        "others_percent": others,
        "lost_percent": end.get("lost_percent"),
        "seconds": max(after.when - before.when, 1e-9),
    }
    reasons = []
    if not crowded and (words := lost(start, end, detours)):
        reasons.append(words)
    if others is not None and others > OTHERS_PERCENT:
        reasons.append(f"others used {others:.0f} % of the cores")
    if start.get("burner"):
        return State(BURNING, reasons, figures)
    word = CONTENDED if reasons else OVERSUBSCRIBED if crowded else CLEAN
    return State(word, reasons, figures)


class Watch:
    """Looks before a program and after it, and writes the verdict behind its records."""

    def __init__(self) -> None:
        self.cores = sorted(os.sched_getaffinity(0))
        self.lost = max(map(detour, self.cores[:2]))
        self.before = look()

    def end(self, path: Path) -> State:
        start, end = blocks(path)
        state = judge(start, end, self.before, look(), self.lost, len(self.cores))
        if path.exists():
            cut = not path.read_bytes().endswith(b"\n")  # by whatever ended the program
            with path.open("a", encoding="utf-8") as stream:
                print("\n" if cut else "", state.line, sep="", file=stream)
        return state
