# SPDX-License-Identifier: BSD-3-Clause
"""`mpt matrix DIR`: who moved how many bytes to whom, and what another placement of the PEs would save."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

from ..show import page_width
from ..tables.table import to_text
from . import options
from .command import guarded

INTERFACES = ("mpi", "openshmem", "pvm", "am", "split-c")


def add_options(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    command = commands.add_parser("matrix", help="who talks to whom in a job that mptrun --trace DIR has recorded")
    options.add(command)
    put = command.add_argument
    put("--interface", default="", choices=INTERFACES, help="only calls of this interface")
    put("--collectives", action="store_true", help="spread the bytes of collective calls over their members, too")
    put("--parts", type=options.rows, metavar="K", help="hosts, sockets or processes to place PEs on (default: as run)")
    put("--top", type=options.rows, default=10, metavar="N", help="rows of each table (default 10)")
    command.set_defaults(do=guarded(do_matrix))


def do_matrix(args: argparse.Namespace) -> int:
    from . import analysis, matrix, matrix_shown, selection

    found = analysis.load(Path(args.dir))
    chosen = selection.select(found, options.wanted(args))
    told = matrix.find(found, chosen, args.interface, args.collectives, args.parts)
    if args.html:
        from . import page

        page.write(Path(args.html), page.matrix(told))
        print(f"wrote {args.html}", file=sys.stderr if args.json else sys.stdout)
    if args.json:
        json.dump(told, sys.stdout)
        print()
    elif not args.html:
        width = args.width or page_width()
        print("\n".join(matrix_shown.head(told)) + "\n")
        print(matrix_shown.map_text(told, width) + "\n")
        print("\n".join(to_text(table, width) for table in matrix_shown.tables(told, args.top)))
    return 0
