# SPDX-License-Identifier: BSD-3-Clause
"""Cases of one interface: functions of one generated program (many.py)."""

from dataclasses import dataclass


@dataclass
class Case:
    """A function's body; lines with a mark (@) are those of the defect."""

    name: str
    kinds: set[str]
    body: str


class Suite:
    """All of an interface: its compiler with options, and what stands around the cases."""

    def __init__(self, compiler: str, options: list[str]) -> None:
        self.compiler, self.options = compiler, options
        self.head = self.main = ""
        self.cases: list[Case] = []

    def case(self, name: str, kinds: str, body: str) -> None:
        """Add one. In a body, V(x, y) is x in the wrong program, y in the right one."""
        self.cases.append(Case(name, set(kinds.split()), body))

    def program(self) -> tuple[str, dict[str, set[int]]]:
        """The source, and each case's lines."""
        lines = self.head.splitlines()
        marked: dict[str, set[int]] = {}
        for i, one in enumerate(self.cases):
            lines += [f"static void case_{i}(void) /* {one.name} */", "{"]
            marked[one.name] = set()
            for line in one.body.splitlines():
                if "@" in line:
                    marked[one.name].add(len(lines) + 1)
                lines.append("    " + line.replace("@", ""))
            lines.append("}")
        table = ", ".join(f"case_{i}" for i in range(len(self.cases)))
        lines.append("static void (*const cases[])(void) = {" + table + "};")
        return "\n".join([*lines, *self.main.splitlines()]) + "\n", marked
