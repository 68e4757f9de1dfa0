#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Run a benchmark and check its records.

Usage: records.py [--caches=A,B... | --spoilt] COMMAND.... The program must exit 0 (it verifies what it transfers), and
each line must be a record as bench/README.md describes it, with statistics in order and no record twice. With --caches
some transfer must have been measured with buffers that were hot, rotating, flushed or written as listed, and say over
how much they rotated, and what their time is of. With --spoilt the program's transfers are now and then wrong: it must
exit 1 and say so of all records of short messages that were written and read.
"""

import json
import subprocess
import sys

KEYS = {
    "test",
    "library",
    "implementation",
    "params",
    "metric",
    "unit",
    "value",
    "verified",
    "samples",
    "n",
    "min",
    "p25",
    "median",
    "p75",
    "p95",
    "max",
    "mean",
    "ci_low",
    "ci_high",
}
KEPT, LEAST = 1024, 6  # samples in a record; fewer make no interval
ORDER = ("min", "p25", "median", "p75", "p95", "max")
ENVIRONMENT = {
    "date",
    "cpu",
    "cores",
    "kernel",
    "load_average",
    "implementation",
    "compiler",
    "flags",
    "oversubscribed",
    "contended",
    "npes",
    "governor",
    "clocksource",
    "thp",
    "thp_shared",
    "transport",
    "variables",
}
OF_EACH_PE = ("pe_cpus", "pe_may_use", "pe_detour_percent")
END = {
    "load_average",
    "steal_seconds",
    "contended",
    "detour_percent",
    "pe_detour_percent",
    "lost_percent",
    "pe_lost_percent",
    "lost_percent_sum",
    "involuntary_switches",
    "involuntary_switches_worst",
    "voluntary_switches",
}


def signed(record: dict) -> bool:
    """A wake latency may be negative, as two PEs read the clock, and so may the start-up of a fitted line (other load
    makes short messages long), and what is left of a latency (L); the best setting may be 0; a
    checksum is any number; a gain of one decomposition over another may be a loss; nothing else may be."""
    metric = record["metric"]
    return (
        metric in ("wake_latency", "cpu_share", "L", "optimal_setting", "checksum", "expected")
        or metric.startswith("gain_")
        or record["params"].get("fit") in ("plain", "pieces", "relative")
    )


def faults_of(record: dict) -> list[str]:
    missing = KEYS - record.keys()
    if missing:
        return [f"lacks {sorted(missing)}"]
    found = []
    values = [record[key] for key in ORDER]
    if any(v is None for v in values) or values != sorted(values):
        found.append(f"statistics out of order: {values}")
    elif not record["ci_low"] <= record["median"] <= record["ci_high"]:
        found.append("the median lies outside its interval")
    if not signed(record) and not found and not record["min"] * 0.999999 <= record["mean"] <= record["max"] * 1.000001:
        found.append(f"the mean {record['mean']} lies outside the range")
    if not isinstance(record["value"], (int, float)):
        found.append(f"value is {record['value']}")
    if not signed(record) and not record["value"] > 0:
        found.append(f"value is {record['value']}")
    if len(record["samples"]) != min(record["n"], KEPT) or record.get("samples_of", record["n"]) != record["n"]:
        found.append(f"{len(record['samples'])} samples of {record['n']}")
    elif record["n"] > KEPT and "samples_of" not in record:
        found.append("doesn't say that samples were left out")
    if record.get("stop") == "ci" and record["n"] < LEAST:
        found.append(f"an interval of {record['n']} samples")
    if record["verified"] is not True:
        found.append("not verified")
    return found


def faults_of_environment(start: dict, end: dict) -> list[str]:
    missing = (ENVIRONMENT - start.keys()) | (END - end.keys())
    if missing:
        return [f"the environment lacks {sorted(missing)}"]
    pes = start["npes"] if "standard" in start else 1
    told = [len(start[key]) for key in OF_EACH_PE] + [len(end[key]) for key in ("pe_detour_percent", "pe_lost_percent")]
    found = [] if told == [pes] * len(told) else [f"of {pes} PEs {told} say how they fared"]
    known = [one for one in end["pe_lost_percent"] if one is not None]
    if known and not (
        end["lost_percent"] == max(known) >= 0 and end["involuntary_switches_worst"] <= end["involuntary_switches"]
    ):
        found.append(f"{end}: the worst PE isn't the worst")
    return found


def check(lines: list[str]) -> list[str]:
    records = [json.loads(line) for line in lines]
    if len(records) < 3 or records[0]["test"] != "environment" or records[-1]["test"] != "environment_end":
        return [f"{len(records)} lines, not an environment, records and an environment_end"]
    found = faults_of_environment(records[0]["env"], records[-1]["env"])
    seen = set()
    for record in records[1:-1]:
        name = json.dumps([record.get(k) for k in ("test", "params", "metric", "pair")], sort_keys=True)
        # The searches may ask about one size twice.
        if name in seen and record.get("metric") != "bandwidth":
            found.append(f"{name}: twice")
        seen.add(name)
        found += [f"{name}: {fault}" for fault in faults_of(record)]
    return found


def without_cache(record: dict) -> str:
    params = {
        key: value for key, value in record["params"].items() if key not in ("cache", "rotates_over_bytes", "time_of")
    }
    return json.dumps([record["test"], record["metric"], record.get("pair"), params], sort_keys=True)


def check_caches(lines: list[str], wanted: set[str]) -> list[str]:
    found: dict[str, set] = {}
    faults = []
    for record in map(json.loads, lines[1:-1]):
        params = record["params"]
        found.setdefault(without_cache(record), set()).add(params.get("cache", "hot"))
        over = params.get("rotates_over_bytes")
        if (params.get("cache") == "rotating") != (over is not None) or over == 0:
            faults.append(f"cache {params.get('cache')} rotates over {over}")
        if (params.get("cache") == "written") != ("time_of" in params):
            faults.append(f"cache {params.get('cache')} is the time of {params.get('time_of')}")
    if wanted not in found.values():
        faults.append(f"no transfer with {sorted(wanted)} buffers, and no others")
    return faults


SHORT = 65536  # bytes: so many messages of these are measured, unless the machine is busy, that some are spoilt
EVERY = 40  # is spoilt (spoil.h)


def check_spoilt(run: subprocess.CompletedProcess) -> list[str]:
    records = [json.loads(line) for line in run.stdout.splitlines()]
    short = [
        one
        for one in records
        if one.get("params", {}).get("cache") == "written"
        and one["params"].get("message_bytes", SHORT + 1) <= SHORT
        and one["params"].get("op", "put") == "put"
        and one["n"] > EVERY
    ]
    found = [] if run.returncode == 1 else [f"exit status {run.returncode}, though data were wrong"]
    found += [] if short else ["no record of short messages that were written and read"]
    return found + [f"{one['test']} {one['params']}: wrong data not found" for one in short if one["verified"]]


def main() -> int:
    caches, spoilt = sys.argv[1].partition("--caches=")[2], sys.argv[1] == "--spoilt"
    command = sys.argv[2 if caches or spoilt else 1 :]
    run = subprocess.run(command, stdout=subprocess.PIPE, text=True, timeout=100)
    if spoilt:
        found = check_spoilt(run)
        print("\n".join(found) or "wrong data were found")
        return 1 if found else 0
    if run.returncode != 0:
        print(f"exit status {run.returncode}")
        return 1
    found = check(run.stdout.splitlines())
    if caches and not found:
        found = check_caches(run.stdout.splitlines(), set(caches.split(",")))
    print("\n".join(found) or f"{len(run.stdout.splitlines())} lines, all well formed")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
