#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Builds Debian's packages from a copy of the tree, which dpkg-buildpackage compiles as any Debian machine would.

Needs what debian/control lists under Build-Depends, and dpkg-dev; dpkg-buildpackage says what is missing. With
--lintian the packages are looked at, too: an error or a warning is a failure. Prints the packages' paths.
Usage: build.py [--build FOLDER] [--jobs N] [--lintian]
"""

import argparse
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

sys.dont_write_bytecode = True
HERE = Path(__file__).resolve().parent
SOURCE = HERE.parents[1]
sys.path.insert(0, str(SOURCE / "tools"))
from tree import files  # noqa: E402
from version import version  # noqa: E402

CHANGELOG = """mpt ({version}) unstable; urgency=medium

  * Version {version}; CHANGELOG.md of mpt-doc tells what is new.

 -- {maintainer}  {date}
"""
LINTIAN = ("lintian", "--fail-on", "error,warning", "--tag-display-limit", "0")


def copy_tree(to: Path) -> None:
    """All that git knows or would take, with debian/ where dpkg wants it."""
    shutil.rmtree(to, ignore_errors=True)
    for name in files():
        source, copy = SOURCE / name, to / name
        if source.is_symlink() or source.exists():
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(source, copy, follow_symlinks=False)
    shutil.copytree(HERE / "debian", to / "debian")
    control = (to / "debian/control").read_text()
    maintainer = control.partition("Maintainer: ")[2].partition("\n")[0]
    changed = int(os.environ.get("SOURCE_DATE_EPOCH", (SOURCE / "CHANGELOG.md").stat().st_mtime))
    date = time.strftime("%a, %d %b %Y %H:%M:%S +0000", time.gmtime(changed))
    text = CHANGELOG.format(version=version(), maintainer=maintainer, date=date)
    (to / "debian/changelog").write_text(text)


def main(words: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="Builds Debian's packages.")
    parser.add_argument("--build", type=Path, default=SOURCE / "build/deb", help="folder to build in")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="compilers at a time")
    parser.add_argument("--lintian", action="store_true", help="look at the packages, too")
    args = parser.parse_args(words)
    build = args.build.resolve()
    build.mkdir(parents=True, exist_ok=True)
    for old in (*build.glob("*.deb"), *build.glob("*.changes"), *build.glob("*.buildinfo")):
        old.unlink()
    tree = build / f"mpt-{version()}"
    copy_tree(tree)
    steps = [(["dpkg-buildpackage", "-b", "-us", "-uc", f"-j{args.jobs}"], tree)]
    if args.lintian:
        steps += [([*LINTIAN, "mpt.changes"], build)]
    for command, folder in steps:
        wanted = [str(next(build.glob("*.changes"))) if word == "mpt.changes" else word for word in command]
        env = {"DEB_BUILD_OPTIONS": "noautodbgsym", **os.environ}
        if subprocess.run(wanted, cwd=folder, env=env, stdout=sys.stderr, check=False).returncode:
            print(f"build.py: {' '.join(wanted)} failed", file=sys.stderr)
            return 1
    print(*sorted(build.glob("*.deb")), sep="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
