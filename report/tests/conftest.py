# SPDX-License-Identifier: BSD-3-Clause
"""A small made-up run in the programs' own format: round figures, so that tests can reckon them."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from mpt_report.runs import join, published
from mpt_report.runs.records import direction, load_run
from mpt_report.runs.study import study

OURS = "MPT 0.1.0"
PEER = "Open MPI 4.1.4"
SIZES = (8, 64, 4096, 65536, 1 << 20, 4 << 20)


def record(test, params, metric, unit, value, library="SHMEM", implementation=OURS, pair=None, **more):
    """One record whose statistics lie close around its value."""
    item = {
        "test": test,
        "library": library,
        "implementation": implementation,
        "params": params,
        "metric": metric,
        "unit": unit,
        "value": value,
        "n": 100,
        "min": value * 0.95,
        "p25": value * 0.98,
        "median": value,
        "p75": value * 1.02,
        "p95": value * 1.1,
        "max": value * 3,
        "ci_low": value * 0.99,
        "ci_high": value * 1.01,
        "verified": True,
        "stop": "ci",
        "samples": [value] * 4,
    }
    if pair is not None:
        item["pair"] = list(pair)
    return item | more


def environment(npes=2, contended=False, implementation=OURS, library="SHMEM"):
    return {
        "test": "environment",
        "env": {
            "date": "2025-01-02T03:04:05Z",
            "cpu": "Example CPU <1>",
            "cores": 2,
            "kernel": "Linux 6.1",
            "caches": [{"level": "1", "type": "Data", "size": "48K"}],
            "library": library,
            "implementation": implementation,
            "npes": npes,
            "contended": contended,
            "burner": False,
        },
    }


def limits():
    def one(params, metric, unit, value, **more):
        return record("limits", params, metric, unit, value, "hardware", "limits", **more)

    out = [
        one({"operation": "cacheline_handover", "method": "plain"}, "latency", "ns", 110, pair=(0, 1)),
        one({"operation": "cacheline_handover", "method": "best"}, "latency", "ns", 100, pair=(0, 1)),
        one({"operation": "futex_handover"}, "latency", "ns", 1200),
        one({"operation": "yield_handover"}, "latency", "ns", 700),
        one({"operation": "fetch_add"}, "time", "ns", 10),
        one({"operation": "store"}, "time", "ns", 0.5),
    ]
    for size in SIZES[2:]:
        out.append(one({"operation": "copy", "message_bytes": size, "method": "memcpy"}, "bandwidth", "MB/s", 10000))
        out.append(one({"operation": "copy", "message_bytes": size, "method": "best"}, "bandwidth", "MB/s", 20000))
    return out


def pairs_tests(name, factor):
    """ping_pong, single_pairs and multiple_pairs on 4 PEs."""
    base = {"npes": 4, "target": "heap", "op": "put"}
    word = base | {"message_words": 1, "message_bytes": 8}
    out = []
    for test in ("ping_pong", "single_pairs", "multiple_pairs"):
        for metric, value in (("latency_max", 0.2), ("latency_min", 0.1), ("latency_avg", 0.125)):
            out.append(record(test, word, metric, "us", value * factor, implementation=name))
        out.append(record(test, word, "bandwidth_avg_one_word", "MB/s", 64 / factor, implementation=name))
    for test in ("single_pairs", "multiple_pairs"):
        for metric, unit, value in (
            ("r_inf", "MB/s", 12000),
            ("rate_at_n_half", "MB/s", 6000),
            ("n_half_words", "64-bit words", 50),
            ("n_half_bytes", "bytes", 400),
        ):
            out.append(record(test, base, metric, unit, value, implementation=name))
        for size in SIZES:
            out.append(
                record(
                    test,
                    base | {"message_bytes": size},
                    "bandwidth",
                    "MB/s",
                    12000 * size / (size + 400),
                    implementation=name,
                )
            )
    for a in range(4):
        for b in range(a + 1, 4):
            out.append(
                record(
                    "pingpong",
                    word | {"call": "shmem_long_p"},
                    "latency",
                    "us",
                    0.1 * factor * (1 + (b - a) / 10),
                    implementation=name,
                    pair=(a, b),
                )
            )
    return out


def of(name, rows, **more):
    """Records of one implementation from rows (benchmark, parameters, metric, unit, value)."""
    return [record(*row, implementation=name, **more) for row in rows]


def transfers_to(name, factor, base):
    ping = [
        ("pingpong", base | {"message_bytes": 8, "op": "put", "call": "shmem_long_p"}, "latency", "us", 0.11 * factor)
    ]
    for size in SIZES:
        call = base | {"message_bytes": size, "op": "put", "call": "shmem_putmem"}
        ping.append(("pingpong", call, "latency", "us", (0.11 + size / 20000) * factor))
    flow = []
    for op in ("put", "get"):
        for size in SIZES:
            rate = 19500 / factor * size / (size + 200)
            call = base | {"op": op, "call": f"shmem_{op}mem", "message_bytes": size}
            flow.append(("put_get", call, "bandwidth", "MB/s", rate))
            flow.append(("put_get", call, "rate", "Mop/s", rate / size))
    one = base | {"op": "p", "call": "shmem_long_p", "message_bytes": 8}
    flow.append(("put_get", one, "rate", "Mop/s", 400 / factor))
    for stride in (1, 2, 8, 32):
        strided = base | {"op": "iput", "stride": stride, "elements": 1000}
        flow.append(("put_get", strided, "bandwidth", "MB/s", 8000 / min(stride, 8)))
    return of(name, ping, pair=(0, 1)) + of(name, flow)


def transfers(name, factor):
    out = []
    for target, more in (("heap", 1.0), ("global", 1.1)):
        out += transfers_to(name, factor * more, {"npes": 2, "target": target, "cache": "hot"})
    return out


def collectives_of(npes, factor):
    time = 0.25 if npes == 2 else npes
    vector = {"npes": npes, "elements": 100000, "algorithm": "log2 reduction"}
    rows = [
        ("barrier", {"npes": npes, "call": "shmem_barrier_all"}, "barrier_time", "us", time * factor),
        ("barrier", {"npes": npes, "call": "shmem_sync_all"}, "barrier_time", "us", time * factor / 2),
        ("global vector sum", vector, "time", "ms", 0.1 * npes * factor),
        ("launch", {"npes": npes, "launcher": "oshrun"}, "time", "ms", 2.0 * npes * factor),
    ]
    for algorithm in ("all-put, all-get from PE 0", "library"):
        for operation in ("GSUM", "GMAX", "GLAND"):
            call = {"npes": npes, "operation": operation, "algorithm": algorithm}
            rows.append(("one-word global reduction", call, "time", "ms", 0.0004 * npes * factor))
    return rows


def collectives(name, factor):
    put = {"npes": 2, "target": "heap", "call": "shmem_putmem"}
    add = {"npes": 2, "target": "heap", "op": "fetch_add", "type": "long", "contention": "none"}
    rows = [row for npes in (2, 4, 8) for row in collectives_of(npes, factor)]
    rows += [
        ("point-to-point ping-pong", put, "latency", "us", 0.12 * factor),
        ("point-to-point ping-pong", put, "bandwidth", "MB/s", 13000 / factor),
        ("atomics", add, "latency", "us", 0.012 * factor),
        ("lock", {"npes": 8, "target": "heap", "contention": "all"}, "time", "us", 15 * factor),
        ("wake", {"npes": 8, "wait": "barrier", "sleep_seconds": 5}, "cpu_share", "%", 0.5 * factor),
    ]
    return of(name, rows)


def laboratory(factor=7.0):
    """Every figure of the papers as if measured here, so many times better, with the paper's own parameters."""
    out = []
    for fact in published.load():
        if not join.shown(fact) or not fact["value"]:
            continue
        better = direction(fact["metric"], fact["unit"])
        value = fact["value"] * (factor if better > 0 else 1.0 / factor if better < 0 else 1.0)
        library = fact["library"] if fact["library"] in join.LIBRARIES else "none"
        out.append(
            record(
                fact["test"],
                fact["params"],
                fact["metric"],
                fact["unit"],
                value,
                library,
                OURS if library != "none" else "this machine",
            )
        )
    return out


def applications():
    """Two applications in three languages."""
    out = []
    for test, variant in (("radix sort", "small transfers"), ("stencil", "bulk transfers")):
        for index, library in enumerate(("Split-C", "SHMEM", "MPI"), 1):
            params = {"npes": 2, "variant": variant}
            out += [
                record(test, params, metric, "s", 0.01 * index * share, library)
                for metric, share in (("time", 1.0), ("local_time", 0.4), ("communication_time", 0.6))
            ]
    return out


def write(path: Path, lines) -> Path:
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    return path


def make_folder(folder: Path, name=OURS, factor=1.0, with_limits=True, contended=False) -> Path:
    """A run folder as `mpt-report run` leaves it."""
    folder.mkdir(parents=True, exist_ok=True)
    if with_limits:
        write(folder / "mpt-limits.jsonl", [environment(1, implementation="limits", library="hardware"), *limits()])
    start = environment(4, contended, name)
    write(folder / "mpt-pairs.jsonl", [start, *pairs_tests(name, factor)])
    write(folder / "mpt-transfers.jsonl", [start, *transfers(name, factor)])
    write(
        folder / "mpt-collectives.jsonl",
        [start, *collectives(name, factor), {"test": "environment_end", "env": {"involuntary_switches": 3}}],
    )
    return folder


@pytest.fixture
def folder(tmp_path):
    return make_folder(tmp_path / "now")


@pytest.fixture
def peer_folder(tmp_path):
    """Our run with a peer's records beside it, four times slower."""
    path = make_folder(tmp_path / "both")
    write(
        path / "openmpi-all.jsonl",
        [environment(4, implementation=PEER), *pairs_tests(PEER, 4.0), *transfers(PEER, 4.0), *collectives(PEER, 4.0)],
    )
    return path


@pytest.fixture
def one(folder):
    return study([load_run(folder)])


@pytest.fixture
def both(peer_folder):
    return study([load_run(peer_folder)])
