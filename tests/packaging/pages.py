# SPDX-License-Identifier: BSD-3-Clause
"""The pages that tell how to install say the same: the ways of docs/packages.md, each with its recipe and its test."""

import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "launch"))
import harness as h

WAYS = {"pip": "wheel", "apt": "deb", "dnf": "rpm", "spack": "spack", "conda": "conda", "container": "container"}
IN_A_CLONE = ("make wheel", "make deb", "make install PREFIX=$HOME/mpt")


def text(name):
    return (h.SOURCE / name).read_text()


packages, start, readme, recipes = map(text, ("docs/packages.md", "docs/start.md", "README.md", "packaging/README.md"))
for name, page in (("docs/packages.md", packages), ("docs/start.md", start), ("README.md", readme)):
    for command in IN_A_CLONE:
        h.expect(command in page, f"{name} has {command}")
listed = set(re.findall(r"^\| \[[\w ]+\]\(#(\w+)\)", packages, re.M))
h.expect(listed == {*WAYS, "source"}, f"ways of docs/packages.md: {listed}")
folders = {p.name for p in (h.SOURCE / "packaging").iterdir() if p.is_dir() and not p.name.startswith("_")}
h.expect(folders == set(WAYS.values()), f"recipes: {folders}")
tests = text("tests/packaging/CMakeLists.txt")
for folder in folders:
    h.expect(f"| `{folder}/` |" in recipes and f"packaging.{folder}" in recipes, f"packaging/README.md has {folder}")
    h.expect(re.search(rf"\b{folder}\b", tests), f"{folder} has a test")
control = re.findall(r"^Package: (\S+)", text("packaging/deb/debian/control"), re.M)
spec = [f"mpt-{name}" for name in re.findall(r"^%package (\w+)", text("packaging/rpm/mpt.spec"), re.M)]
for name in [*control, *spec]:
    h.expect(f"`{name}`" in packages, f"docs/packages.md has the package {name}")
h.expect(bool(control) and bool(spec), "Debian's and RPM's packages are found")
h.finish()
