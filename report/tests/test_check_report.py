# SPDX-License-Identifier: BSD-3-Clause
"""Reports of mptrun --check, as tools read them: SARIF 2.1.0 and JSON, complete whatever becomes of the job."""

import json
import os
import subprocess
from pathlib import Path

import jsonschema
import pytest

SCHEMA = json.loads((Path(__file__).parent / "data/sarif.schema.json").read_text())
BUILD = Path(os.environ.get("MPT_BUILD") or Path(__file__).resolve().parents[2] / "build").resolve()
FINDING_STATUS = 86

# Rank 0 sends to a rank that is not there; its function has a name, its file one with a blank.
WRONG = """#include <mpi.h>
#include <stddef.h>
static void lost(void) { int x = 1; MPI_Send(&x, 1, MPI_INT, 7, 0, MPI_COMM_WORLD); }
int main(void) { MPI_Init(NULL, NULL); lost(); MPI_Finalize(); return 0; }
"""
RIGHT = WRONG.replace(" lost();", "")

pytestmark = pytest.mark.skipif(not (BUILD / "bin/mptrun").exists(), reason="MPT is not built (MPT_BUILD)")


def start(folder: Path, source: str, report: str, *options: str) -> subprocess.CompletedProcess:
    """Compile and run a program of two PEs with a report."""
    path = folder / "a program.c"
    path.write_text(source)
    program = str(folder / "a.out")
    subprocess.run([str(BUILD / "bin/mpicc"), "-g", "-Wno-unused-function", str(path), "-o", program], check=True)
    command = [str(BUILD / "bin/mptrun"), "--check-report", report, "-n", "2", *options, program]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=60, check=False)


def sarif_of(path: Path) -> dict:
    """A valid report."""
    log = json.loads(path.read_text())
    jsonschema.validate(log, SCHEMA)
    rules = [rule["id"] for rule in log["runs"][0]["tool"]["driver"]["rules"]]
    assert len(set(rules)) == len(rules)
    for result in log["runs"][0]["results"]:
        assert rules[result["ruleIndex"]] == result["ruleId"]
    return log


def test_a_finding_is_a_result_with_its_line(tmp_path):
    done = start(tmp_path, WRONG, "found.sarif")
    assert done.returncode == FINDING_STATUS
    (result,) = sarif_of(tmp_path / "found.sarif")["runs"][0]["results"]
    place = result["locations"][0]
    assert result["ruleId"] == "argument"
    assert place["physicalLocation"]["artifactLocation"]["uri"].endswith("a%20program.c")
    assert place["physicalLocation"]["region"]["startLine"] == 3
    assert place["logicalLocations"] == [{"name": "lost"}]
    assert "MPI_Send" in result["message"]["text"]


def test_the_same_as_json(tmp_path):
    done = start(tmp_path, WRONG, "found.json")
    (finding,) = json.loads((tmp_path / "found.json").read_text())["findings"]
    assert finding["kind"] == "argument"
    assert (finding["places"][0]["line"], finding["places"][0]["function"]) == (3, "lost")
    assert "argument: MPI_Send" in done.stderr


def test_without_findings_the_report_is_empty_and_the_status_0(tmp_path):
    (tmp_path / "found.sarif").write_text("something old")
    done = start(tmp_path, RIGHT, "found.sarif")
    assert (done.returncode, done.stderr) == (0, "")
    assert sarif_of(tmp_path / "found.sarif")["runs"][0]["results"] == []


def test_a_report_that_cannot_be_written_stops_the_job_before_it_begins(tmp_path):
    done = start(tmp_path, RIGHT, "no/such/folder/found.sarif")
    assert done.returncode == 1
    assert "cannot write the report" in done.stderr
