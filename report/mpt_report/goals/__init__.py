# SPDX-License-Identifier: BSD-3-Clause
"""What the library is meant to reach, each goal with its measured figure and its distance.

A goal compares a figure with what the machine or the network itself does, or with an absolute time. Rows whose
test was not run are left out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from ..runs.study import Study
from . import lab, mpi, network, pvm, shmem, splitc, tasks, written
from .goal import Goal

# What a goal is about, as its users call it, and what makes the goals of it.
PARTS: tuple[tuple[str, tuple[Callable[[Study], Iterator[Goal]], ...]], ...] = (
    ("OpenSHMEM", (*shmem.KINDS, *written.SHMEM)),
    ("MPI", (*mpi.KINDS, *written.MPI)),
    ("PVM", (*pvm.KINDS, *written.PVM)),
    ("Active Messages and Split-C", (*splitc.KINDS, *written.AM)),
    ("Laboratory", lab.KINDS),
)


def goals(study: Study) -> list[Goal]:
    """All goals of the leading library whose tests were run."""
    shared = (
        [replace(goal, part=part) for part, kinds in PARTS for kind in kinds for goal in kind(study)]
        if study.local
        else []
    )
    return [
        *shared,
        *(replace(goal, part="PEs as tasks") for goal in tasks.tasks(study)),
        *(replace(goal, part="Network") for goal in network.networks(study)),
    ]


def counts(found: list[Goal]) -> tuple[int, int]:
    """How many are met, of how many that are judged."""
    judged = [goal for goal in found if goal.judged]
    return sum(goal.met for goal in judged), len(judged)
