# SPDX-License-Identifier: BSD-3-Clause
"""What the prose of a page names in backticks, and whether the tree has it: options, also of the command that they
stand behind; variables, functions and other names with our beginnings; targets of make, parts of mpt; files; and the
messages that pages explain.

claims.tsv has what the tree does not have and pages name for a reason: things of others, files that are made.
"""

import re
import sys
from collections.abc import Iterator
from fnmatch import fnmatch
from functools import cache
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tools/site"))
import pages

from tree import ROOT, files

SOURCES = (
    "src",
    "include",
    "cmake",
    "CMakeLists.txt",
    "*/CMakeLists.txt",
    "Makefile",
    "tools",
    "report",
    "packaging",
    "bench",
)
LAUNCHERS = ("mptrun", "mpiexec", "mpirun", "oshrun")
WRAPPERS = ("mpicc", "mpicxx", "mpic++", "mpifort", "mpif77", "mpif90", "oshcc", "oshc++", "oshfort")
# Where a command's options stand in quotes, or as cases.
TABLES = {
    **dict.fromkeys(LAUNCHERS, ("src/launch/options.c",)),
    **dict.fromkeys(WRAPPERS, ("tools/wrapper/wrapper.sh.in",)),
    "scc": ("src/splitc/scc/options.c",),
    "mpt": ("report/mpt_report/*.py",),
}
OTHER_TABLES = ("bench/*.c", "bench/*.h", "tools/*.py", "tools/*.sh", "tests/external/*.sh")
OPTION = re.compile(r"(?<![\w/<-])--?[A-Za-z][\w-]*")
COMPILERS = re.compile(r"-(?:[fWODl]|g$|c$|E|static|pie|no-pie|arch$)")
DEFINED = re.compile(r"(?:[\"' |]|^ *)(--?[A-Za-z][\w-]*)(?=[\"' |:)=]|$)", re.M)
NAME = re.compile(
    r"(?<![\w./$-])(?:P?MPIX?_|mpii?_|MPT_|mpt_|SHMEM_|SMA_|p?shmemx?_|PVM_|pvmf?_|pvmf|Pvm|g?am_|AM_|core_|coll_|bl_|mptm_"
    r"|splitc_|all_|spread_)\w*"
)
SEVERAL = re.compile(r"_(?:[XM]|Xxx|OP)$|_$")  # am_request_M and MPI_ stand for many names
FILE = re.compile(r"(?!\./|~)(?:[\w.*-]+/)+[\w.*-]*|[\w*-]+\.(?:c|h|py|md|sh|tsv|def|toml|rs|ld|svg|cc|sc|F90|fh|cff)")
MESSAGES = ("docs/faq.md", "docs/cluster.md")
MESSAGE = re.compile(r"^\| (`[^|]*) \|.*\|.*\|$", re.M)


def text_of(*patterns: str) -> str:
    return "\n".join((ROOT / name).read_text(errors="replace") for name in files(*patterns))


@cache
def names() -> set[str]:
    """Also as Fortran writes them: in capitals, and without the underscore that its compiler adds."""
    found = set(re.findall(r"\w+", text_of(*SOURCES, ":!*.md")))
    return found | {n.upper() for n in found} | {n[:-1] for n in found if n.endswith("_")}


@cache
def options(command: str) -> set[str]:
    """Of a command of ours; of all and of the programs that pages name without their command, for ""."""
    tables = TABLES[command] if command else tuple({t for one in TABLES.values() for t in one}) + OTHER_TABLES
    return set(DEFINED.findall(text_of(*tables)))


@cache
def tree() -> list[str]:
    every = files()
    return every + sorted({str(p) for name in every for p in Path(name).parents if str(p) != "."})


@cache
def told() -> dict[str, str]:
    rows = (Path(__file__).parent / "claims.tsv").read_text().splitlines()
    return dict(row.split("\t") for row in rows if row and not row.startswith("#"))


@cache
def printed() -> str:
    """What stands between quotes in C, neighbours joined; what is filled in, as three dots."""
    found = []
    for name in files("src/*.c", "src/*.h", "src/*.def", "include/*.h"):
        joined = re.sub(r'"\s*(?:PRI\w+\s*)?"', "", (ROOT / name).read_text())
        found += re.findall(r'"((?:[^"\\\n]|\\.)*)"', joined)
    return filled("\n".join(found)).replace('\\"', '"')


def filled(text: str) -> str:
    """With three dots for what printf fills in, and for numbers."""
    return re.sub(r"%[-0-9.*]*[hlz]*[a-zA-Z]|\b\d+\b", "...", text)


def spans(text: str) -> Iterator[tuple[int, str]]:
    plain = pages.prose(text)
    for m in pages.CODE.finditer(plain):
        yield plain.count("\n", 0, m.start()) + 1, " ".join(m[0].strip("`").split())


def takes(option: str) -> bool:
    """Does the launcher's option take the next word?"""
    row = re.search(rf'\{{"[^"]*(?<![\w-])-?{option}\b[^"]*", (NULL|"\[)', text_of(*TABLES["mptrun"]))
    return not row


def known(option: str, command: str) -> bool:
    """One dash does for two. Compilers' options are passed on to them."""
    bare = option.lstrip("-")
    return bool(COMPILERS.match(option)) or any(o.lstrip("-") == bare for o in options(command))


def of_command(words: list[str]) -> Iterator[tuple[str, bool]]:
    """The options of `COMMAND OPTIONS... PROGRAM...`, up to the program."""
    command, value = words[0], False
    for word in words[1:]:
        if option := OPTION.match(word):
            yield f"{command} {option[0]}", known(option[0], command)
            value = "=" not in word and takes(option[0])
        elif command in LAUNCHERS and not value:
            return
        else:
            value = False


def claims(span: str) -> Iterator[tuple[str, bool]]:
    """What a span says is there, and whether it is."""
    words = span.split()
    if words[0] in TABLES:
        yield from of_command(words)
    elif words[0].startswith("-"):
        yield from ((o, known(o, "")) for o in OPTION.findall(span))
    for word in NAME.findall(span):
        stem = SEVERAL.sub("", word)
        yield word, word in names() or (stem != word and any(n.startswith(f"{stem}_") for n in names()))
    if FILE.fullmatch(span):
        path = span.rstrip("/").removeprefix("../")
        yield span, any(fnmatch(name, path) or fnmatch(name, f"*/{path}") for name in tree())
    if words[0] == "make" and len(words) > 1:
        yield span, f"\n{words[1]}:" in text_of("Makefile")
    if words[0] == "mpt" and len(words) > 1:
        yield span, f'"{words[1]}"' in text_of("report/mpt_report/*.py", "tools/debug/*.py")


def messages(text: str) -> Iterator[tuple[int, str, bool]]:
    """Those that a table for trouble begins its rows with, and whether we print them; one word is none."""
    for row in MESSAGE.finditer(text):
        line = text.count("\n", 0, row.start()) + 1
        for _, span in spans(row[1]):
            parts = [part.strip() for part in filled(span).split("...")]
            if " " in span:
                yield line, span, all(part in printed() for part in parts)


def every(page: str, text: str) -> Iterator[tuple[int, str, str, bool]]:
    """Line, span, claim, and whether it is so."""
    for line, span in spans(text):
        for claim, true in claims(span):
            yield line, span, claim, true
    for line, span, true in messages(text) if page in MESSAGES else ():
        yield line, span, span, true
