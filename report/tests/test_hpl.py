# SPDX-License-Identifier: BSD-3-Clause
"""The script that runs HPL as a benchmark program, with a stand-in for hpcc: which order it takes, what it writes."""

import json
import shutil
import subprocess
from pathlib import Path

import pytest

from conftest import environment, record, write
from mpt_report.runs import linpack
from mpt_report.runs.records import load_run
from mpt_report.runs.study import study

SCRIPT = Path(__file__).resolve().parents[2] / "bench/linpack/hpl_bench.sh"
pytestmark = pytest.mark.skipif(not SCRIPT.exists(), reason="the programs' sources are not beside the report")
ANSWER = """#!/bin/sh
echo "WR11C2R4        $2    $3     1     $1               0.50              8.000e+00"
echo "||Ax-b||_oo/(eps*(||A||_oo*||x||_oo+||b||_oo)*N)=        0.0040 ...... {}"
"""


def run(tmp_path, answer, *words):
    tools, out = tmp_path / "tools", tmp_path / "run"
    tools.mkdir()
    out.mkdir()
    shutil.copy(SCRIPT, tools / "hpl")
    (tools / "hpl.sh").write_text(answer, encoding="utf-8")
    rates = [
        record("LINPACK (HPC)", {"npes": 2, "n": n, "nb": n // 16}, "rate", "Gflop/s", 10.0) for n in (256, 1024, 20000)
    ]
    (out / "mpt-linpack-002.jsonl").write_text(
        "".join(json.dumps(line, separators=(",", ":")) + "\n" for line in [environment(), *rates]), encoding="utf-8"
    )
    done = subprocess.run(
        ["sh", str(tools / "hpl"), "--out", str(out / "mpt-hpl.jsonl"), *words],
        timeout=30,
        text=True,
        capture_output=True,
        check=False,
    )
    return out, done


def test_largest_order_that_fits_the_time(tmp_path):
    out, done = run(tmp_path, ANSWER.format("PASSED"), "--max-seconds", "6", "--quick", "--progress")
    assert done.returncode == 0, done.stderr
    found = study([load_run(out)])
    assert found.warnings == []
    assert linpack.beside_hpl(found) == {2: linpack.Pair(1024, 10.0, 8.0)}  # 20,000 would take minutes
    (rate,) = [one for one in found.runs[0].records if one.get("by") == "HPL" and one.metric == "rate"]
    assert rate.params == {"npes": 2, "n": 1024, "nb": 64, "by": "HPL"} and rate.verified is True


def test_large_residual_fails(tmp_path):
    out, done = run(tmp_path, ANSWER.format("FAILED"), "--max-seconds", "6")
    assert done.returncode == 1 and "residual is too large" in done.stderr
    assert all(one.verified is False for one in load_run(out).records if one.get("by") == "HPL")


def test_hpcc_that_fails_is_named(tmp_path):
    _, done = run(tmp_path, "exit 3\n", "--max-seconds", "6")
    assert done.returncode == 1 and "hpcc failed at order 1024 on 2 processes (status 3)" in done.stderr


def test_needs_our_own_rates(tmp_path):
    done = subprocess.run(
        ["sh", str(SCRIPT), "--out", str(tmp_path / "mpt-hpl.jsonl")], text=True, capture_output=True, check=False
    )
    write(tmp_path / "mpt-linpack-002.jsonl", [environment()])
    empty = subprocess.run(
        ["sh", str(SCRIPT), "--out", str(tmp_path / "mpt-hpl.jsonl")], text=True, capture_output=True, check=False
    )
    assert (done.returncode, empty.returncode) == (1, 1)
    assert "must run before" in done.stderr and "no rate in" in empty.stderr
