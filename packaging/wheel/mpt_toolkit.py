# SPDX-License-Identifier: BSD-3-Clause
"""The command mpt of the wheel: tells the laboratory where this installation is."""

import sys
from pathlib import Path


def mpt() -> int:
    if sys.version_info < (3, 11):  # noqa: UP036 -- all else in the wheel runs with older ones
        print(f"mpt: needs Python 3.11 or later, and this is {sys.version.split()[0]}", file=sys.stderr)
        return 2
    from mpt_report.cli import main

    home = Path(sys.argv[0]).resolve().parent.parent
    return main(["--home", str(home), *sys.argv[1:]])
