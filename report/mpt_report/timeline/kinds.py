# SPDX-License-Identifier: BSD-3-Clause
"""The eight kinds of call that the timeline's colours tell apart."""

from __future__ import annotations

import re
from enum import IntEnum

import numpy as np
from numpy.typing import NDArray

from ..trace.events import Events
from ..trace.format import Role


class CallKind(IntEnum):
    """In the order of the legend, and from the bottom up where a column of pixels shows shares."""

    SEND = 0
    RECEIVE = 1
    WAIT = 2
    COLLECTIVE = 3
    PUT = 4
    GET = 5
    SYNC = 6
    OTHER = 7


NAMES = ("send", "receive", "wait", "collective", "put, atomic", "get", "synchronise", "other call")

# The first that fits counts: a call that has one of the roles, or else whose name has one of the words.
BY_ROLE = (
    (Role.COLLECTIVE, CallKind.COLLECTIVE),
    (Role.WAITS, CallKind.WAIT),
    (Role.STORES, CallKind.PUT),
    (Role.LOADS, CallKind.GET),
    (Role.SYNC, CallKind.SYNC),
)
BY_NAME = (
    (re.compile(r"wait|test|probe", re.I), CallKind.WAIT),
    (re.compile(r"lock|fence|quiet|flush|_sync|post|complete", re.I), CallKind.SYNC),
    (re.compile(r"barrier|bcast|broadcast|reduce|gather|scatter|alltoall|collect|scan", re.I), CallKind.COLLECTIVE),
    (re.compile(r"recv|receive|poll", re.I), CallKind.RECEIVE),
    (re.compile(r"send|mcast|request|reply|start|psend", re.I), CallKind.SEND),
    (re.compile(r"put|atomic|accumulate|store", re.I), CallKind.PUT),
    (re.compile(r"get|fetch", re.I), CallKind.GET),
)


def of_name(name: str) -> CallKind:
    return next((kind for words, kind in BY_NAME if words.search(name)), CallKind.OTHER)


def kinds_of(events: Events) -> NDArray[np.uint8]:
    """The kind of each row, as a number of CallKind. Waiting by name goes before the role of what is completed."""
    by_name = np.array([of_name(name) for name in events.names] or [CallKind.OTHER], np.uint8)
    found: NDArray[np.uint8] = by_name[events.call]
    waits = found == CallKind.WAIT
    for roles, kind in reversed(BY_ROLE):
        found[events.has(roles)] = kind
    messages = events.has(Role.SENDS | Role.RECEIVES) & ~events.has(Role.COLLECTIVE)
    found[messages & events.has(Role.RECEIVES)] = CallKind.RECEIVE
    found[messages & events.has(Role.SENDS)] = CallKind.SEND
    found[waits & ~events.has(Role.COLLECTIVE)] = CallKind.WAIT
    return found
