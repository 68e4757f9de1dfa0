# SPDX-License-Identifier: BSD-3-Clause
"""`mpt timeline DIR`: a traced job over time, as a page, a file for ui.perfetto.dev, or an OTF2 archive."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from ..trace import options
from ..trace.command import USAGE, guarded

if TYPE_CHECKING:
    from ..trace.reader import Job
    from .select import Shown

DEFAULT = "timeline.html"


def add_options(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    command = commands.add_parser(
        "timeline", help="a page with the calls, messages and waits over time that mptrun --trace DIR has recorded"
    )
    add = command.add_argument
    add("dir", metavar="DIR", help="the folder that mptrun --trace DIR has made")
    add(
        "-o",
        "--output",
        metavar="FILE",
        help=f"the page (default: {DEFAULT} in DIR, unless --perfetto or --otf2 is given)",
    )
    add("--perfetto", metavar="FILE", help="write a file for ui.perfetto.dev and trace_processor")
    add("--otf2", metavar="FOLDER", help="write an OTF2 archive (for Vampir and others; needs PyPI's otf2)")
    add("--pe", type=options.pes, metavar="N,N-N,...", help="only these PEs")
    add("--from", dest="begin", type=options.moment, metavar="S", help="from so many seconds after the begin on")
    add("--to", dest="end", type=options.moment, metavar="S", help="until so many seconds after the begin")
    command.set_defaults(do=guarded(do_timeline))


def write_otf2(shown: Shown, job: Job, folder: Path) -> int:
    from . import otf2_archive

    try:
        left_out = otf2_archive.write(shown, job, folder)
    except ImportError:
        print("mpt timeline: --otf2 needs the library of OTF2: pip install otf2", file=sys.stderr)
        return USAGE
    except FileExistsError:
        print(f"mpt timeline: --otf2 {folder}: it is there already", file=sys.stderr)
        return USAGE
    print(f"wrote {folder}/traces.otf2" + (f" without {left_out} messages that lie in no call" if left_out else ""))
    return 0


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
    if args.otf2 and (status := write_otf2(shown, trace.job, Path(args.otf2))):
        return status
    if args.output or not (args.perfetto or args.otf2):
        output = Path(args.output) if args.output else Path(args.dir) / DEFAULT
        output.write_text(page.page(shown, trace.job), encoding="utf-8")
        print(f"wrote {output}")
    return 0
