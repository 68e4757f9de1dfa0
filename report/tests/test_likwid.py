# SPDX-License-Identifier: BSD-3-Clause
"""The script that runs likwid-bench as a benchmark program, with a stand-in for it: sizes, kernels, the goals."""

import json
import subprocess
from pathlib import Path

import pytest

from conftest import environment, record
from mpt_report.goals import lab as goals_lab
from mpt_report.runs.records import load_run
from mpt_report.runs.study import study

SCRIPT = Path(__file__).resolve().parents[2] / "bench/memory/likwid_bench.sh"
pytestmark = pytest.mark.skipif(not SCRIPT.exists(), reason="the programs' sources are not beside the report")
# Lists two kernels of a width that all processors are taken to have, and one that is not asked for.
LIKWID = """#!/bin/sh
case $1 in
    -a) printf 'copy_neon - copy\\nstore_neon - store\\nload_neon - load\\n' ;;
    -t) echo "$*" >>{calls}; printf 'Time:\\t0.1 sec\\nMByte/s:\\t\\t{rate}\\n' ;;
esac
"""


def run(tmp_path, monkeypatch, rate, *words):
    tools, out = tmp_path / "tools", tmp_path / "run"
    tools.mkdir()
    (tools / "likwid-bench").write_text(LIKWID.format(calls=tmp_path / "calls", rate=rate), encoding="utf-8")
    (tools / "likwid-bench").chmod(0o755)
    monkeypatch.setenv("PATH", str(tools), prepend=":")
    done = subprocess.run(
        ["sh", str(SCRIPT), "--out", str(out / "mpt-likwid.jsonl"), *words],
        timeout=30,
        text=True,
        capture_output=True,
        check=False,
    )
    calls = (tmp_path / "calls").read_text(encoding="utf-8").splitlines() if (tmp_path / "calls").exists() else []
    return done, calls


def ours(tmp_path):
    out = tmp_path / "run"
    out.mkdir()
    sizes = (("seed", 1000), ("rule", 50000))
    rows = [
        record("block copy", {"npes": 1, "method": "bl_copy", "n": n, "size": size}, "bandwidth", "MB/s", 90.0)
        for size, n in sizes
    ]
    (out / "mpt-transfers-001.jsonl").write_text(
        "".join(json.dumps(line, separators=(",", ":")) + "\n" for line in [environment(), *rows]), encoding="utf-8"
    )
    return out


def test_kernels_stand_among_the_methods(tmp_path, monkeypatch):
    out = ours(tmp_path)
    done, calls = run(tmp_path, monkeypatch, "100.0", "--max-seconds", "20", "--quick", "--progress")
    assert done.returncode == 0, done.stderr
    assert [call.split()[:4] for call in calls] == [
        ["-t", "copy_neon", "-w", "S0:16000B:1"],
        ["-t", "store_neon", "-w", "S0:8000B:1"],
        ["-t", "copy_neon", "-w", "S0:800000B:1"],
        ["-t", "store_neon", "-w", "S0:400000B:1"],
    ]
    found = study([load_run(out)])
    assert found.warnings == []
    (seed, rule) = goals_lab.moving(found)
    assert "likwid-bench copy_neon" in seed.basis and seed.bar == pytest.approx(95.0) and "size rule" in rule.what


def test_without_ours_the_seeds_size(tmp_path, monkeypatch):
    (tmp_path / "run").mkdir()
    done, calls = run(tmp_path, monkeypatch, "100.0", "--max-seconds", "20")
    assert done.returncode == 0 and "S0:32000000B:1" in calls[0]


def test_no_time_no_kernels(tmp_path, monkeypatch):
    ours(tmp_path)
    done, calls = run(tmp_path, monkeypatch, "100.0", "--max-seconds", "0")
    assert done.returncode == 0 and calls == []


def test_no_rate_is_an_error(tmp_path, monkeypatch):
    ours(tmp_path)
    done, _ = run(tmp_path, monkeypatch, "", "--max-seconds", "20")
    assert done.returncode == 1 and "copy_neon told no rate" in done.stderr
