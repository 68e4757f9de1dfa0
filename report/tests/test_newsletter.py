# SPDX-License-Identifier: BSD-3-Clause
"""The newsletter's layout: fed with the T3D's own figures, the blocks must come out as printed in 1996."""

import pytest

from conftest import environment, record, write
from mpt_report.runs import published
from mpt_report.runs.records import load_run
from mpt_report.runs.study import study
from mpt_report.tables import newsletter

PRINTED = {
    "ping_pong": """\
BEGIN SINGLE PAIRS PING-PONG PUT LATENCY TEST WITH NPES=16

Begin single pairs of each PE to all other PEs ping-pong latency test
****************************************************************
* Max latency for paired PE one word ping-pong is 3.433507 microseconds
* Min latency for paired PE one word ping-pong is 1.629012 microseconds
* Ave latency for paired PE one word ping-pong is 2.076176 microseconds
* Average MB/s for paired PE one word ping-pong is 3.853237MB/s
****************************************************************
""",
    "multiple_pairs": """\
BEGIN MULTIPLE PAIRS PUT TEST WITH NPES=16

Begin all pairs of each PE to all other PEs send latency test
================================================================
================================================================
=For all distances to neighbors with all PEs sending and receiving:
=
= Max latency for paired PE one word messages is 3.065986 microseconds
= Min latency for paired PE one word messages is 0.874104 microseconds
= Ave latency for paired PE one word messages is 1.008117 microseconds
= Average MB/s for paired PE one word messages is 7.935589MB/s
================================================================
================================================================

Begin all pairs of each PE to all other PEs send bandwidth test
****************************************************************
* Rmax (Rinf) = 61.431111 MB/s
****************************************************************

  Search for N one-half
****************************************************************
* N 1/2 = 30.715556 MB/s at 10 words (80 bytes)
****************************************************************
""",
    "single_pairs": """\
BEGIN SINGLE PAIRS PUT TEST WITH NPES=16

Begin single pairs of each PE to all other PEs send latency test
****************************************************************
* Max latency for paired PE one word messages is  2.635556 microseconds
* Min latency for paired PE one word messages is  1.066142 microseconds
* Ave latency for paired PE one word messages is 1.096107 microseconds
* Average MB/s for paired PE one word messages is 7.298560MB/s
****************************************************************

Begin single pairs of each PE to all other PEs send bandwidth test
****************************************************************
* Rmax (Rinf) = 126.016816 MB/s
****************************************************************

  Search for N one-half
****************************************************************
* N 1/2 = 63.008408 MB/s at 22 words (176 bytes)
****************************************************************
""",
}


def t3d_run(path):
    """The published records, as if measured here."""
    facts = [fact for fact in published.load() if fact["seed_file"].startswith("000_") and fact["test"] in PRINTED]
    return study(
        [
            load_run(
                write(
                    path,
                    [environment(16)]
                    + [
                        record(fact["test"], fact["params"], fact["metric"], fact["unit"], fact["value"])
                        for fact in facts
                    ],
                )
            )
        ]
    )


def left_part(text):
    """The newsletter's own columns, without what stands beside them."""
    return "\n".join(line[: newsletter.WIDTH].rstrip() for line in text.splitlines()) + "\n"


@pytest.mark.parametrize("test", PRINTED)
def test_t3d_figures_come_out_as_printed(tmp_path, test):
    found = t3d_run(tmp_path / "t3d.jsonl")
    assert PRINTED[test] in left_part(newsletter.to_text(found, 140))


def test_each_line_has_t3d_ratio_and_limit_beside_it(one):
    text = newsletter.to_text(one, 140)
    (line,) = [line for line in text.splitlines() if "Min latency for paired PE one word ping-pong" in line]
    assert line[newsletter.WIDTH :].split() == ["1.629012", "16.3", "x", "0.1000", "1.00", "x"]


def test_bandwidth_ratio_has_the_larger_as_better(one):
    text = newsletter.to_text(one, 140)
    line = [line for line in text.splitlines() if "Rmax" in line][-1]
    assert line[newsletter.WIDTH :].split() == ["126.016816", "95.2", "x", "20,000", "0.60", "x"]


def test_narrow_page_puts_the_cells_under_the_line(one):
    lines = newsletter.to_text(one, 100).splitlines()
    assert max(map(len, lines)) <= 100
    place = next(i for i, line in enumerate(lines) if "Max latency" in line)
    assert lines[place + 1].startswith("*     T3D 1996 3.433507, better 17.2 x, limit 0.1000")


def test_peer_has_a_column(both):
    text = newsletter.to_text(both, 160)
    (line,) = [line for line in text.splitlines() if "Min latency for paired PE one word ping-pong" in line]
    assert line.split()[-1] == "0.4000"


def test_tests_that_were_not_run_are_left_out(tmp_path):
    found = study(
        [
            load_run(
                write(tmp_path / "a.jsonl", [environment(), record("ping_pong", {"npes": 2}, "latency_max", "us", 0.5)])
            )
        ]
    )
    text = newsletter.to_text(found)
    assert "PING-PONG" in text and "MULTIPLE" not in text
    assert "Min latency for paired PE one word ping-pong is not measured" in text
