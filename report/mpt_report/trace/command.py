# SPDX-License-Identifier: BSD-3-Clause
"""`mpt trace DIR`: where the time of a traced job went, who waited for whom, and what to do about it."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable
from pathlib import Path
from textwrap import fill

from ..show import page_width
from ..tables.table import to_text
from . import options

WHOLE, NOT_WHOLE, USAGE = 0, 1, 2


def add_options(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    command = commands.add_parser("trace", help="where the time of a job went that mptrun --trace DIR has recorded")
    options.add(command)
    command.add_argument("--top", type=options.rows, default=10, metavar="N", help="rows of each table (default 10)")
    how = command.add_mutually_exclusive_group()
    how.add_argument("--dump", action="store_true", help="print the records, a line each")
    how.add_argument("--check", action="store_true", help="say whether the trace is whole; exit 1 if it isn't")
    command.set_defaults(do=guarded(do_trace))


def guarded(do: Callable[[argparse.Namespace], int]) -> Callable[[argparse.Namespace], int]:
    """The command with its errors as one line each."""

    def run(args: argparse.Namespace) -> int:
        from .reader import TraceError  # numpy loads slowly and only these commands need it

        try:
            return do(args)
        except TraceError as error:
            print(f"mpt {args.command}: {error}", file=sys.stderr)
            return USAGE

    return run


def do_trace(args: argparse.Namespace) -> int:
    from . import analysis, dump, facts, selection, shown

    found = analysis.load(Path(args.dir))
    chosen = selection.select(found, options.wanted(args))
    if args.dump:
        for text in dump.lines(found, chosen):
            print(text)
        return WHOLE
    told = facts.facts(found, chosen)
    if args.check:
        return check(shown.notices(told), shown.head(told)[0])
    if args.html:
        from . import page

        page.write(Path(args.html), page.trace(told))
        print(f"wrote {args.html}", file=sys.stderr if args.json else sys.stdout)
    if args.json:
        json.dump(told, sys.stdout, indent=1)
        print()
    elif not args.html:
        width = args.width or page_width()
        print("\n".join(shown.head(told)) + "\n")
        print("\n".join(to_text(table, width) for table in shown.tables(told, args.top)))
        items = (fill(one, width, initial_indent="- ", subsequent_indent="  ") for one in shown.suggestions(told))
        print("Suggestions\n\n" + "\n".join(items))
    return WHOLE


def check(missing: list[str], head: str) -> int:
    """Whether anything is missing, and what."""
    print(head)
    for one in missing:
        print(one)
    print("not whole" if missing else "whole: every message, collective call and wait has its other side")
    return NOT_WHOLE if missing else WHOLE
