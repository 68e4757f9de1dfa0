# SPDX-License-Identifier: BSD-3-Clause
"""The tables of programs: all rows are right, and a wrong one is told exactly."""

import re
from pathlib import Path

import pytest

from mpt_report.drive import plan, programs
from mpt_report.runs.published import load as published

GOOD = """
[[program]]
name = "one"
file = "part/one"
pes = [2, 4]
seconds = { quick = 1, full = 10 }
library = "MPI"
peers = ["mpich"]
tests = ["COMMS1"]
"""


def test_every_row_of_the_package_is_right():
    found = programs.load()
    assert len(found) >= 19 and len({program.name for program in found}) == len(found)
    assert {"limits", "ping_pong", "single_pairs", "multiple_pairs", "barrier"} <= {program.name for program in found}
    for program in found:
        assert program.tests, program.name
        for seed in program.seeds:
            assert re.match(r"00[0-4] \S", seed), (program.name, seed)


def test_numbered_tables_that_rows_name_exist():
    """Passages may be named in words; a table's number must be one that there is."""
    known = {
        (fact["seed_file"][:3], found[0].lower())
        for fact in published()
        if (found := re.match(r"Table \d+", fact["table"]))
    }
    for program in programs.load():
        for seed in program.seeds:
            number, _, words = seed.partition(" ")
            assert not words.startswith("table") or (number, words) in known, (program.name, seed)


def test_short_runs_of_everything_fit_into_five_minutes_when_shared_out():
    order = plan.Order(None, "quick")
    every = [
        order.seconds(program)
        for program in programs.load()
        for _ in program.counts("quick", (2,))
        if order.wants(program)
    ]
    assert sum(every) < 600  # the driver shrinks what is more than 280 s, but not beyond all measure


def test_row_is_read():
    (one,) = programs.parse(GOOD, "part")
    assert (one.name, one.part, one.file, one.launched) == ("one", "part", "part/one", True)
    assert one.counts("quick", (3,)) == (2, 4)
    assert one.counts("quick", (3,), (8,)) == (8,)
    assert one.called() == (("one", "part/one", "one"), ("part",), ("COMMS1",))
    assert one.runs_with("mpt", True) and one.runs_with("mpich", False) and not one.runs_with("openmpi", False)


@pytest.mark.parametrize("pes, asked, counts", [('"pes"', (2, 4), (2, 4)), ("0", (2, 4), (1,)), ("[8]", (2, 4), (8,))])
def test_counts(pes, asked, counts):
    (one,) = programs.parse(GOOD.replace("[2, 4]", pes), "part")
    assert one.counts("full", asked) == counts


@pytest.mark.parametrize(
    "old, new, words",
    [
        ('file = "part/one"', "", "part.toml: program one: no key 'file'"),
        ("tests", "test", "no such key as 'test'"),
        ('"MPI"', '"mpi"', "library is 'mpi', none of SHMEM"),
        ('["mpich"]', '["lam"]', "of which only openmpi"),
        ("[2, 4]", "[0]", "not a list of PE counts"),
        ("quick = 1, ", "", "not numbers for quick and full"),
        ("[2, 4]", "[2, 4", "part.toml: "),
        ("[2, 4]", "[2, 4]\nleast = 4", "part.toml: program one: 2 PEs are not between least, 4, and most, any"),
        ("[2, 4]", "[2, 4]\nleast = 0", "least is 0, not a PE count"),
        ("[2, 4]", '[2, 4]\nmost = "8"', "most is '8', not a PE count"),
    ],
)
def test_wrong_rows_are_told(old, new, words):
    with pytest.raises(programs.TableError, match=re.escape(words)):
        programs.parse(GOOD.replace(old, new), "part")


@pytest.mark.parametrize(
    "pes, more, asked, counts, impossible",
    [
        ("[4, 8]", "least = 4", (2, 4, 8), (4, 8), (2,)),
        ('"pes"', "least = 2\nmost = 4", (1, 2, 8), (2,), (1, 8)),
        ("[4]", "least = 4", (2,), (4,), ()),  # it fixes its PEs
    ],
)
def test_pe_counts_beyond_a_programs_bounds_are_left_out(pes, more, asked, counts, impossible):
    (one,) = programs.parse(GOOD.replace("[2, 4]", f"{pes}\n{more}"), "part")
    assert one.counts("quick", asked, asked) == counts
    assert one.impossible("quick", asked, asked) == impossible


BENCH = Path(__file__).resolve().parents[2] / "bench"
FACES = ("shmem_", "mpi_", "pvm_", "am_")


def source_of(program):
    """The C file that says how many PEs a program needs; those of several interfaces share one."""
    folder, name = Path(program.file).parent, Path(program.file).name
    shared = next((name.removeprefix(face) for face in FACES if name.startswith(face)), name)
    others = [Path(part) / f"{name}.c" for part in ("mpi", "pvm", "am")]
    places = [folder / f"{name}.c", *others, folder / f"{shared}.c"]
    return next((BENCH / place for place in places if (BENCH / place).exists()), None)


def needed_by(source):
    """The first number behind the name and the purpose in the program's description."""
    text = source.read_text(encoding="utf-8")
    found = re.search(r"(?:bench|mpijob|pvmjob|face)_program program = \{(.*?)\};|\.program = \{(.*?)\}", text, re.S)
    words = re.sub(r'"[^"]*"', "", found[1] or found[2]) if found else ""
    number = re.search(r"\b\d+\b", words)
    return int(number[0]) if number else None


def test_rows_know_the_least_pes_of_their_programs():
    known = {
        program.name: least
        for program in programs.load()
        if program.launched and (source := source_of(program)) and (least := needed_by(source))
    }
    assert len(known) > 45 and known["mpi_load"] == known["am_load"] == 4 and known["comms"] == known["occomm_am"] == 2
    assert {name: programs.named(name).least for name in known} == known


def test_own_name_goes_before_part_and_test():
    assert programs.meant(("barrier",)) == {"barrier"}  # though others write a test of that name
    assert {"limits", "atomics"} <= programs.meant(("system",)) and "barrier" not in programs.meant(("system",))
    assert {"barrier", "pvm_barrier"} <= programs.meant(("SYNCH1",))
    assert programs.meant(("pingpong", "limits")) == {"ping_pong", "limits"}
    assert programs.meant(("nothing",)) == frozenset()


def test_unknown_words_of_only():
    assert programs.unknown(("barrier", "pt2pt", "SYNCH1", "nothing")) == ["nothing"]
