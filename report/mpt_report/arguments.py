# SPDX-License-Identifier: BSD-3-Clause
"""A command line that is wrong is told in one line, with what was perhaps meant."""

from __future__ import annotations

import argparse
import difflib
import re
from collections.abc import Iterable, Sequence
from typing import Any, NoReturn

CHOICE = re.compile(r"argument (?P<what>[^:]+): invalid choice: '(?P<typed>[^']*)' \(choose from (?P<known>.*)\)")
REQUIRED = re.compile(r"the following arguments are required: (.*)")
UNKNOWN = re.compile(r"unrecognized arguments: (.*)")


def meant(typed: str, known: Iterable[str]) -> str:
    near = difflib.get_close_matches(typed, known, 1)
    return f"; did you mean {near[0]}?" if near else ""


class Parser(argparse.ArgumentParser):
    """As argparse's. Commands below it are of this class, too."""

    def error(self, message: str) -> NoReturn:
        self.exit(2, f"{self.prog}: {self.told(message)} ('{self.prog} --help' tells more)\n")

    def told(self, message: str) -> str:
        if m := CHOICE.fullmatch(message):
            known = re.findall(r"[\w-]+", m["known"])
            return f"no {m['what']} {m['typed']}{meant(m['typed'], known) or '; there are ' + ', '.join(known)}"
        if m := REQUIRED.fullmatch(message):
            known = [name for action in self._actions if action.dest == m[1] for name in action.choices or ()]
            return f"{m[1]} is missing{'; there are ' + ', '.join(known) if known else ''}"
        if m := UNKNOWN.fullmatch(message):
            first = m[1].split()[0]
            what = "option" if first.startswith("-") else "further argument"
            return f"there is no {what} {first}{meant(first.partition('=')[0], self._option_string_actions)}"
        return message

    def parse_known_args(  # type: ignore[override]
        self, args: Sequence[str] | None = None, namespace: Any = None
    ) -> tuple[Any, list[str]]:
        """A command knows its own options best; some take those of a program, too."""
        found, others = super().parse_known_args(args, namespace)
        if others and self._subparsers is None and not self.get_default("splits"):
            self.error(f"unrecognized arguments: {' '.join(others)}")
        return found, others
