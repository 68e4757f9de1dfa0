# SPDX-License-Identifier: BSD-3-Clause
"""The three tests of the 1996 newsletter, printed in its layout.

Each line says this machine's figure in the newsletter's words; beside it stand the T3D's figure,
how many times better this machine is, the hardware's limit and how far from it we are. The same
rows feed the page.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from ..runs import published
from ..runs.study import Limits, Series, Study
from ..words import ABSENT, divide, figure, pes, printed, times
from .table import Table, without_empty_columns

LOWER, HIGHER = "lower", "higher"


@dataclass(frozen=True)
class Line:
    """One printed line: its wording, its metric and what the hardware allows for it."""

    text: str  # the newsletter's words around the figure
    metric: str
    better: str
    limit: str = ""  # a name in LIMITS
    short: str = ""  # the words of the page


# Half a round trip is one hand-over of a cache line, each way through a line of its own; a one-way
# put that nobody waits for is one store; a long message is one copy.
LIMITS: dict[str, Callable[[Limits], float | None]] = {
    "handover": lambda limits: limits.put_handover,
    "handover_rate": lambda limits: divide(8.0, limits.put_handover),
    "store": lambda limits: limits.time("store"),
    "store_rate": lambda limits: divide(8.0, limits.time("store")),
    "copy": lambda limits: limits.copy_peak,
    "copy_half": lambda limits: divide(limits.copy_peak, 2.0),
}


def latency_lines(subject: str, limit: str, space: str = "") -> tuple[Line, ...]:
    """The four lines of a latency block; the newsletter has a stray blank in one of them."""
    return (
        Line(
            f"Max latency for paired PE one word {subject} is {space}{{:.6f}} microseconds",
            "latency_max",
            LOWER,
            limit,
            "longest one-word latency, µs",
        ),
        Line(
            f"Min latency for paired PE one word {subject} is {space}{{:.6f}} microseconds",
            "latency_min",
            LOWER,
            limit,
            "shortest one-word latency, µs",
        ),
        Line(
            f"Ave latency for paired PE one word {subject} is {{:.6f}} microseconds",
            "latency_avg",
            LOWER,
            limit,
            "average one-word latency, µs",
        ),
        Line(
            f"Average MB/s for paired PE one word {subject} is {{:.6f}}MB/s",
            "bandwidth_avg_one_word",
            HIGHER,
            limit + "_rate",
            "one-word rate, MB/s",
        ),
    )


BANDWIDTH = (Line("Rmax (Rinf) = {:.6f} MB/s", "r_inf", HIGHER, "copy", "Rmax of long messages, MB/s"),)
HALF = (
    Line(
        "N 1/2 = {:.6f} MB/s at {words:.0f} words ({bytes:.0f} bytes)",
        "rate_at_n_half",
        HIGHER,
        "copy_half",
        "half of Rmax, MB/s",
    ),
)
HALF_WORDS = Line("", "n_half_words", LOWER, "", "reached at N 1/2, words")


@dataclass(frozen=True)
class Block:
    """A heading and its framed lines."""

    heading: str
    lines: tuple[Line, ...]
    frame: str = "*"
    frames: int = 1
    intro: str = ""


@dataclass(frozen=True)
class Test:
    name: str
    title: str
    blocks: tuple[Block, ...]


SEARCH = Block("  Search for N one-half", HALF)

TESTS = (
    Test(
        "ping_pong",
        "BEGIN SINGLE PAIRS PING-PONG PUT LATENCY TEST WITH NPES={}",
        (
            Block(
                "Begin single pairs of each PE to all other PEs ping-pong latency test",
                latency_lines("ping-pong", "handover"),
            ),
        ),
    ),
    Test(
        "multiple_pairs",
        "BEGIN MULTIPLE PAIRS PUT TEST WITH NPES={}",
        (
            Block(
                "Begin all pairs of each PE to all other PEs send latency test",
                latency_lines("messages", "store"),
                frame="=",
                frames=2,
                intro="For all distances to neighbors with all PEs sending and receiving:",
            ),
            Block("Begin all pairs of each PE to all other PEs send bandwidth test", BANDWIDTH),
            SEARCH,
        ),
    ),
    Test(
        "single_pairs",
        "BEGIN SINGLE PAIRS PUT TEST WITH NPES={}",
        (
            Block(
                "Begin single pairs of each PE to all other PEs send latency test",
                latency_lines("messages", "store", " "),
            ),
            Block("Begin single pairs of each PE to all other PEs send bandwidth test", BANDWIDTH),
            SEARCH,
        ),
    ),
)

RULE = 64
WIDE_RULE = 70
WIDTH = 74
COLUMN = 12
NAME = 20


@dataclass(frozen=True)
class Values:
    """A line's figure here, in 1996, of the hardware and of the other series."""

    here: float | None
    then: float | None
    limit: float | None
    others: tuple[float | None, ...]
    better: str

    @property
    def gain(self) -> float | None:
        """How many times better than the T3D."""
        pair = (self.then, self.here) if self.better == LOWER else (self.here, self.then)
        return divide(*pair)

    @property
    def of_limit(self) -> float | None:
        return divide(self.here, self.limit)

    def cells(self, write: Callable[[float | None], str] = figure) -> list[str]:
        """The figures beside a line; a figure of 1996 keeps the digits it was printed with."""
        return [
            printed(self.then),
            times(self.gain),
            figure(self.limit),
            times(self.of_limit),
            *map(write, self.others),
        ]


def measured(series: Series, test: str, metric: str) -> float | None:
    """The figure at the largest PE count of the run."""
    record = series.one(test, metric, npes=series.npes(test))
    return record.value if record else None


def values(study: Study, test: str, line: Line, limits: Limits) -> Values:
    limit = LIMITS[line.limit](limits) if line.limit else None
    return Values(
        here=measured(study.first, test, line.metric),
        then=published.value("newsletter", test, line.metric, machine="T3D"),
        limit=limit,
        others=tuple(measured(other, test, line.metric) for other in study.others),
        better=line.better,
    )


def names_of_others(study: Study, test: str) -> list[str]:
    """The other libraries, with the interface of their figures where that isn't SHMEM."""
    return [series.through(next(iter(series.faces(test)), "SHMEM")).name for series in study.others]


def headings(study: Study, test: str) -> list[str]:
    return ["T3D 1996", "better", "limit", "of limit", *names_of_others(study, test)]


def beside(text: str, cells: list[str], names: list[str], width: int, mark: str = "*") -> list[str]:
    """The line with its cells in columns, or under it when the page is too narrow."""
    widths = [max(COLUMN, len(name) + 2) for name in names]
    if WIDTH + sum(widths) <= width:
        return [(text.ljust(WIDTH) + "".join(map(str.rjust, cells, widths))).rstrip()]
    pairs = [f"{name} {cell}" for name, cell in zip(names, cells, strict=True) if cell != ABSENT]
    return [text, f"{mark}     " + ", ".join(pairs)] if pairs else [text]


def sentence(study: Study, test: str, line: Line, here: float | None) -> str:
    if here is None:
        return line.text[: line.text.index("{")].rstrip() + " not measured"
    words = measured(study.first, test, "n_half_words") or 0.0
    size = measured(study.first, test, "n_half_bytes") or 8.0 * words
    return line.text.format(here, words=words, bytes=size)


def block_text(study: Study, test: str, block: Block, width: int) -> list[str]:
    names = [name[:NAME] for name in headings(study, test)]
    out = [block.heading, beside(block.frame * RULE, names, names, width)[0]]
    out += [block.frame * RULE] * (block.frames - 1)
    if block.intro:
        out += [f"{block.frame}{block.intro}", block.frame]
    for line in block.lines:
        found = values(study, test, line, study.limits)
        text = f"{block.frame} {sentence(study, test, line, found.here)}"
        out += beside(text, found.cells() if found.here is not None else [], names, width, block.frame)
    return [*out, *[block.frame * RULE] * block.frames, ""]


def has(study: Study, test: Test) -> bool:
    metrics = [line.metric for block in test.blocks for line in block.lines]
    return any(measured(study.first, test.name, metric) is not None for metric in metrics)


def to_text(study: Study, width: int = 140) -> str:
    """All three tests, those that were run."""
    out: list[str] = []
    for test in TESTS:
        if not study.local or not has(study, test):
            continue
        out += [test.title.format(study.first.npes(test.name)), ""]
        for block in test.blocks:
            out += block_text(study, test.name, block, width)
    return "\n".join(out)


def plain(study: Study) -> str:
    """The lines alone, as the newsletter printed them, for laying one beside the other."""
    out: list[str] = []
    for test in TESTS:
        if not study.local or not has(study, test):
            continue
        out += [test.title.format(study.first.npes(test.name)), ""]
        for block in test.blocks:
            rule = [block.frame * (WIDE_RULE if block.frame == "=" else RULE)] * block.frames
            out += [block.heading, *rule]
            out += [f"{block.frame}{block.intro}", block.frame] if block.intro else []
            out += [
                f"{block.frame} {sentence(study, test.name, line, measured(study.first, test.name, line.metric))}"
                for line in block.lines
            ]
            out += [*rule, ""]
    return "\n".join(out)


def rows(study: Study, test: Test) -> list[list[str]]:
    lines = [line for block in test.blocks for line in block.lines]
    if any(line.metric == "rate_at_n_half" for line in lines):
        lines.append(HALF_WORDS)
    out = []
    for line in lines:
        found = values(study, test.name, line, study.limits)
        write = printed if line is HALF_WORDS else figure
        out.append([line.short, write(found.here), *found.cells(write)])
    return out


# What is timed, and what of the machine it is held against.
NOTES = {
    "ping_pong": "Half a round trip of a word, every pair alone. Limit: a cache line handed over, each side writing "
    "its own. Of the limit: times as long, of rates the share.",
    "multiple_pairs": "All PEs put at once, at every distance. Limit: a store for a word, the best copy for long "
    "messages.",
    "single_pairs": "One pair puts, the others idle. Limit: a store for a word, the best copy for long messages.",
}


def tables(study: Study) -> list[Table]:
    """The same figures as plain tables."""
    if not study.local:
        return []
    header = ["", study.first.name, "T3D 1996", "times better", "hardware limit", "of the limit"]
    return [
        without_empty_columns(
            Table(
                f"newsletter/{test.name}",
                f"{test.name} on {pes(study.first.npes(test.name))}",
                [*header, *names_of_others(study, test.name)],
                rows(study, test),
                NOTES[test.name],
            )
        )
        for test in TESTS
        if has(study, test)
    ]
