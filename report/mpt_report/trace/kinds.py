# SPDX-License-Identifier: BSD-3-Clause
"""What calls wait for, by their names: the forms of collective calls, locks, and epochs of one-sided communication."""

from __future__ import annotations

import re

import numpy as np
from numpy.typing import NDArray

from .events import Events

# The first row that fits names the form. Roots: a call of the names below that has none, as an allreduce by the name of
# a reduction, is "all".
FORMS = (
    ("fence", r"win_fence"),
    ("neighbours", r"neighbor"),
    ("barrier", r"barrier|sync_all|team_sync|shmem_sync\b|_sync$"),
    ("all", r"all_?reduce|all_?gather|all_?to_?all|reduce_scatter|to_all|f?collect|alltoalls?"),
    ("scan", r"scan"),
    ("from root", r"bcast|broadcast|scatter"),
    ("to root", r"reduce|gather"),
)
EVERY = (("lock", r"set_lock|win_lock"), ("unlock", r"clear_lock|win_unlock"))
EPOCHS = tuple((name, rf"win_{name}$") for name in ("post", "start", "complete", "wait"))
NONE = ""


def form_of(name: str) -> str:
    """A collective call's: who waits for whom in it."""
    return next((form for form, pattern in FORMS if re.search(pattern, name, re.IGNORECASE)), "all")


def only_made(events: Events) -> NDArray[np.bool_]:
    """Which rows are calls that make persistent operations, and start none."""
    fits = np.array([bool(re.match(r"MPI_(?!Session_).+_init$", name)) for name in events.names], np.bool_)
    found: NDArray[np.bool_] = fits[events.call] & events.is_call if len(fits) else events.is_call
    return found


def by_name(events: Events, form: str) -> NDArray[np.bool_]:
    """Which rows are calls of a name of this form of EVERY or EPOCHS."""
    pattern = dict((*EVERY, *EPOCHS))[form]
    fits = np.array([bool(re.search(pattern, name, re.IGNORECASE)) for name in events.names], np.bool_)
    found: NDArray[np.bool_] = fits[events.call] & events.is_call if len(fits) else events.is_call
    return found
