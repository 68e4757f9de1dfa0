# SPDX-License-Identifier: BSD-3-Clause
"""`mpt timeline DIR`: a traced job over time, as a page, or as a file for ui.perfetto.dev."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from ..trace import options
from ..trace.command import USAGE, guarded

DEFAULT = "timeline.html"


def add_options(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    command = commands.add_parser(
        "timeline", help="a page with the calls, messages and waits over time that mptrun --trace DIR has recorded"
    )
    add = command.add_argument
    add("dir", metavar="DIR", help="the folder that mptrun --trace DIR has made")
    add("-o", "--output", metavar="FILE", help=f"the page (default: {DEFAULT} in DIR, unless --perfetto is given)")
    add("--perfetto", metavar="FILE", help="write a file for ui.perfetto.dev and trace_processor")
    add("--pe", type=options.pes, metavar="N,N-N,...", help="only these PEs")
    add("--from", dest="begin", type=options.moment, metavar="S", help="from so many seconds after the begin on")
    add("--to", dest="end", type=options.moment, metavar="S", help="until so many seconds after the begin")
    command.set_defaults(do=guarded(do_timeline))


def do_timeline(args: argparse.Namespace) -> int:
    from ..trace.events import events_of
    from ..trace.reader import read
    from . import page, perfetto, select

    trace = read(Path(args.dir))
    events = events_of(trace)
    choice = select.Choice(args.begin, args.end, args.pe)
    try:
        shown = select.shown(events, choice)
    except ValueError as error:
        print(f"mpt timeline: {error}", file=sys.stderr)
        return USAGE
    if args.perfetto:
        with Path(args.perfetto).open("wb") as to:
            perfetto.write(shown, trace.job, to)
        print(f"wrote {args.perfetto}: open it at ui.perfetto.dev")
    if args.output or not args.perfetto:
        output = Path(args.output) if args.output else Path(args.dir) / DEFAULT
        output.write_text(page.page(shown, trace.job), encoding="utf-8")
        print(f"wrote {output}")
    return 0
