# SPDX-License-Identifier: BSD-3-Clause
"""What makes `mpt compare` fail, and what never does."""

import pytest

from conftest import OURS, environment, record, write
from mpt_report import cli
from mpt_report.runs.records import load_run
from mpt_report.tables import compare


def run(
    path,
    value,
    unit="us",
    spread=0.01,
    contended=False,
    crowded=False,
    name=OURS,
    library="SHMEM",
    burner=False,
    **more,
):
    start = environment(contended=contended, implementation=name)
    start["env"] |= {"oversubscribed": crowded, "burner": burner}
    line = record(
        "t",
        {"npes": 2},
        "latency",
        unit,
        value,
        library,
        name,
        ci_low=value * (1 - spread),
        ci_high=value * (1 + spread),
        **more,
    )
    return write(path, [start, line])


def status(tmp_path, old, new, *words):
    paths = run(tmp_path / "a.jsonl", **old), run(tmp_path / "b.jsonl", **new)
    return cli.main(["compare", *map(str, paths), *words])


@pytest.mark.parametrize(
    "old, new, words, expected",
    [
        ({"value": 1.0}, {"value": 1.3}, [], 1),  # slower
        ({"value": 1.3}, {"value": 1.0}, [], 0),  # faster
        ({"value": 1.3, "unit": "MB/s"}, {"value": 1.0, "unit": "MB/s"}, [], 1),  # less
        ({"value": 1.0}, {"value": 1.05}, [], 0),  # within the bound
        ({"value": 1.0}, {"value": 1.05}, ["--fail-over", "3%"], 1),
        ({"value": 1.0}, {"value": 1.3}, ["--fail-over", "0.5"], 0),
        ({"value": 1.0, "spread": 0.2}, {"value": 1.3, "spread": 0.2}, [], 0),  # intervals touch
        ({"value": 1.0}, {"value": 9.0, "contended": True}, [], 0),
        ({"value": 1.0, "contended": True}, {"value": 9.0}, [], 0),
        ({"value": 1.0}, {"value": 9.0, "crowded": True}, [], 0),
        ({"value": 1000.0, "unit": "ns"}, {"value": 1.3, "unit": "us"}, [], 0),  # another unit is another figure
        ({"value": 10.0, "unit": "64-bit words"}, {"value": 90.0, "unit": "64-bit words"}, [], 0),  # a search's size
        ({"value": 1.0, "library": "hardware"}, {"value": 9.0, "library": "hardware"}, [], 0),  # not ours
    ],
)
def test_exit_status(tmp_path, old, new, words, expected, capsys):
    if old.get("unit", "us") != new.get("unit", "us"):
        expected = 2  # and nothing is in common
    assert status(tmp_path, old, new, *words) == expected
    capsys.readouterr()


def test_contended_run_never_fails_and_says_why(tmp_path, capsys):
    assert status(tmp_path, {"value": 1.0}, {"value": 9.0, "contended": True}) == 0
    out = capsys.readouterr().out
    assert "b: contended, other load was on the machine during 1 of 1 programs" in out
    assert "1 figures are worse by more than 10% but prove nothing" in out


def test_single_values_and_few_samples_never_fail(tmp_path, capsys):
    """The programs write a derived value as one sample whose interval is itself."""
    for samples in (1, 2, 5):
        alike = {"spread": 0.0, "n": samples}
        assert status(tmp_path, {"value": 1.0} | alike, {"value": 2.0} | alike) == 0
        out = capsys.readouterr().out
        assert "1 figures are worse by more than 10% but prove nothing" in out and "nothing was judged" in out
    assert status(tmp_path, {"value": 1.0, "n": 6}, {"value": 2.0, "n": 6}) == 1


def test_burner_never_fails(tmp_path, capsys):
    assert status(tmp_path, {"value": 1.0, "burner": True}, {"value": 9.0, "burner": True}) == 0
    assert "nothing was judged" in capsys.readouterr().out


def test_failure_names_the_figures(tmp_path, capsys):
    assert status(tmp_path, {"value": 1.0}, {"value": 2.0}) == 1
    assert "1 figures are worse by more than 10%, their confidence intervals apart" in capsys.readouterr().out


def test_another_librarys_loss_is_not_ours(tmp_path):
    for folder, value in (("old", 1.0), ("new", 5.0)):
        (tmp_path / folder).mkdir()
        run(tmp_path / folder / "mpt-t.jsonl", 1.0)
        run(tmp_path / folder / "openmpi-t.jsonl", value, name="Open MPI 5.0")
    assert cli.main(["compare", str(tmp_path / "old"), str(tmp_path / "new")]) == 0


def test_figure_without_interval_proves_nothing(tmp_path):
    lines = [
        [environment(), record("t", {}, "latency", "us", value, ci_low=None, ci_high=None)] for value in (1.0, 9.0)
    ]
    old, new = (load_run(write(tmp_path / f"{name}.jsonl", one)) for name, one in zip("ab", lines, strict=True))
    found = compare.judge(old, new, 0.1)
    assert found.worse == [] and len(found.excused) == 1


@pytest.mark.parametrize("text, value", [("10%", 0.1), ("0.1", 0.1), ("250%", 2.5), ("0", 0.0)])
def test_bounds(text, value):
    assert cli.fraction(text) == pytest.approx(value)


@pytest.mark.parametrize("text", ["10", "x", "-5%", "%"])
def test_wrong_bounds(text, tmp_path, capsys):
    with pytest.raises(SystemExit):
        cli.main(["compare", "a", "b", f"--fail-over={text}"])
    assert "neither a percentage" in capsys.readouterr().err
