# SPDX-License-Identifier: BSD-3-Clause
"""The runs as JUnit XML, which CI systems show."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from pathlib import Path

from .trial import Trial

UNPRINTABLE = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")  # XML 1.0 knows no others


def clean(text: str) -> str:
    return UNPRINTABLE.sub("?", text)


def document(name: str, trials: list[Trial], advice: str) -> ET.ElementTree[ET.Element]:
    """One case for each seed; `advice` belongs to the failure."""
    suite = ET.Element(
        "testsuite",
        name=clean(name),
        tests=str(len(trials)),
        failures=str(sum(1 for trial in trials if trial.problem)),
        time=f"{sum(trial.seconds for trial in trials):.3f}",
    )
    for trial in trials:
        title = f"seed {trial.plot.seed}" if trial.plot else "without the adversary"
        case = ET.SubElement(suite, "testcase", classname=clean(name), name=title, time=f"{trial.seconds:.3f}")
        if trial.problem:
            failure = ET.SubElement(case, "failure", message=clean(trial.problem))
            failure.text = clean(advice)
            ET.SubElement(case, "system-out").text = clean(trial.out)
            ET.SubElement(case, "system-err").text = clean(trial.err)
    return ET.ElementTree(suite)


def write(path: Path, name: str, trials: list[Trial], advice: str) -> None:
    document(name, trials, advice).write(path, encoding="utf-8", xml_declaration=True)
