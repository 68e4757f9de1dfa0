# SPDX-License-Identifier: BSD-3-Clause
"""Comparing runs: direction, significance and load."""

import pytest

from conftest import OURS, PEER, environment, record, write
from mpt_report import cli
from mpt_report.runs.records import load_run
from mpt_report.tables import compare


def run(path, value, unit="us", metric="latency", spread=0.01, contended=False, name=OURS):
    return load_run(
        write(
            path,
            [
                environment(contended=contended, implementation=name),
                record(
                    "t",
                    {"npes": 2},
                    metric,
                    unit,
                    value,
                    implementation=name,
                    ci_low=value * (1 - spread),
                    ci_high=value * (1 + spread),
                ),
            ],
        )
    )


@pytest.mark.parametrize(
    "unit, old, new, verdict",
    [
        ("us", 1.0, 0.5, compare.BETTER),
        ("us", 1.0, 2.0, compare.WORSE),
        ("MB/s", 100, 200, compare.BETTER),
        ("Mop/s", 100, 50, compare.WORSE),
        ("%", 1.0, 2.0, compare.WORSE),
        ("us", 1.0, 1.015, compare.SAME),
    ],
)
def test_direction_follows_the_unit(tmp_path, unit, old, new, verdict):
    (pair,) = compare.pairs(run(tmp_path / "a.jsonl", old, unit), run(tmp_path / "b.jsonl", new, unit))
    assert pair.verdict == verdict
    assert pair.ratio == pytest.approx(new / old)


def test_touching_intervals_are_no_difference(tmp_path):
    (pair,) = compare.pairs(run(tmp_path / "a.jsonl", 1.0, spread=0.2), run(tmp_path / "b.jsonl", 1.3, spread=0.2))
    assert pair.verdict == compare.SAME


def test_load_forbids_a_verdict(tmp_path):
    (pair,) = compare.pairs(run(tmp_path / "a.jsonl", 1.0), run(tmp_path / "b.jsonl", 5.0, contended=True))
    assert pair.verdict == compare.UNCLEAR


@pytest.mark.parametrize("more", [{"n": 1}, {"n": 5}, {"ci_low": None}])
def test_no_interval_forbids_a_verdict(tmp_path, more):
    lines = [[environment(), record("t", {}, "latency", "us", value, **more)] for value in (1.0, 3.0)]
    old, new = (load_run(write(tmp_path / f"{name}.jsonl", one)) for name, one in zip("ab", lines, strict=True))
    (pair,) = compare.pairs(old, new)
    assert pair.verdict == compare.UNCLEAR


def test_libraries_in_both_runs_meet_themselves(peer_folder):
    old = new = load_run(peer_folder)
    found = compare.pairs(old, new)
    assert {pair.old.implementation for pair in found} == {OURS, PEER, "limits"}
    assert all(pair.old.implementation == pair.new.implementation for pair in found)
    assert {pair.verdict for pair in found} == {compare.SAME}


def test_different_libraries_meet_each_other(tmp_path):
    (pair,) = compare.pairs(run(tmp_path / "a.jsonl", 1.0), run(tmp_path / "b.jsonl", 3.0, name=PEER))
    assert (pair.old.implementation, pair.new.implementation, pair.verdict) == (OURS, PEER, compare.WORSE)


def test_summary_has_the_geometric_mean(tmp_path):
    old = load_run(
        write(tmp_path / "a.jsonl", [environment()] + [record("t", {"npes": n}, "latency", "us", 1.0) for n in (2, 4)])
    )
    new = load_run(
        write(
            tmp_path / "b.jsonl",
            [environment()] + [record("t", {"npes": n}, "latency", "us", value) for n, value in ((2, 0.25), (4, 1.0))],
        )
    )
    assert compare.summary(old, new).rows == [["t", "2", "1", "0", "1", "0", "2.00 x"]]


def test_pairs_beyond_the_first_only_on_request(folder):
    old = new = load_run(folder)

    def pair_rows(every):
        return [row for row in compare.table(old, new, every).rows if "pair " in row[1]]

    assert all("pair 0-1" in row[1] for row in pair_rows(False))
    assert any("pair 2-3" in row[1] for row in pair_rows(True))


def test_only_what_changed_is_shown_unless_all_is_asked_for(tmp_path, capsys):
    paths = []
    for name, value in (("a", 1.0), ("b", 2.0)):
        paths.append(
            str(
                write(
                    tmp_path / f"{name}.jsonl",
                    [
                        environment(),
                        record("same", {}, "latency", "us", 1.0),
                        record("other", {}, "latency", "us", value),
                    ],
                )
            )
        )
    assert cli.main(["compare", *paths]) == 1
    short = capsys.readouterr().out
    assert "1 of 2 figures are the same or within 10%; --all shows them." in short
    assert cli.main(["compare", *paths, "--all"]) == 1
    whole = capsys.readouterr().out
    assert (short.count("latency"), whole.count("latency")) == (2, 3)  # also among those that got worse


def test_nothing_clean_is_said(tmp_path, capsys):
    paths = [
        str(write(tmp_path / f"{name}.jsonl", [environment(contended=True), record("t", {}, "latency", "us", 1.0)]))
        for name in "ab"
    ]
    assert cli.main(["compare", *paths]) == 0
    assert "nothing was judged: none of 1 common figures" in capsys.readouterr().out
