#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Makes what a release consists of, from the commit that is checked out: `make release VERSION=X.Y.Z`.

Looks first whether the tree is clean, the version the one that is asked for and the same everywhere, and described in
CHANGELOG.md. Then writes into a folder: the source archive (made twice, and the same both times), with --wheel and
--site those two, a bill of materials (SPDX 2.3), the section of the changelog, and SHA256SUMS. With --tag an annotated
tag is made, which needs a dated section; without, nothing but the folder changes. Nothing is sent anywhere.
Usage: release.py VERSION [--out FOLDER] [--wheel] [--site BUILD] [--tag]
"""

import argparse
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

sys.dont_write_bytecode = True
HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path[:0] = [str(HERE), str(HERE.parent)]
import archive  # noqa: E402
import sbom  # noqa: E402

from version import version as version_of_tree  # noqa: E402


def git(*words: str) -> str:
    done = subprocess.run(["git", "-C", ROOT, *words], capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"release: git {' '.join(words)}: {done.stderr.strip()}")
    return done.stdout.strip()


def section(version: str) -> tuple[str, str]:
    """The heading of the version in the changelog, and what stands below it."""
    text = (ROOT / "CHANGELOG.md").read_text()
    found = re.search(rf"(?ms)^(## {re.escape(version)}\b[^\n]*)\n(.*?)(?=^## |\Z)", text)
    return (found[1], found[2].strip()) if found else ("", "")


def objections(version: str, tag: bool) -> Iterator[str]:
    if changed := git("status", "--porcelain"):
        yield f"the tree is not clean:\n{changed}"
    if version_of_tree() != version:
        yield f"include/mpt/version.h says {version_of_tree()}: tools/version.py --set {version}"
    same = subprocess.run([sys.executable, HERE.parent / "version.py"], capture_output=True, text=True, check=False)
    if same.returncode:
        yield same.stdout.strip()
    heading, body = section(version)
    if not body:
        yield f"CHANGELOG.md has no section {version}, or an empty one"
    elif tag and not re.search(r"\(\d{4}-\d\d-\d\d\)$", heading):
        yield f"CHANGELOG.md: '{heading}' has no date, as in (2026-01-31)"
    yield from sbom.missing()
    if tag and git("tag", "--list", f"v{version}"):
        yield f"there is a tag v{version} already"


def emptied(out: Path) -> Path:
    """The folder, without what an earlier run has made; nothing else is removed."""
    sums = out / "SHA256SUMS"
    if sums.exists():
        for line in sums.read_text().splitlines():
            (out / line.split()[1]).unlink(missing_ok=True)
        sums.unlink()
    if out.exists() and any(out.iterdir()):
        sys.exit(f"release: {out} holds files that no release has made")
    out.mkdir(parents=True, exist_ok=True)
    return out


def source(version: str, out: Path) -> Path:
    """The source archive, after a second one has turned out the same."""
    file = out / f"mpt-{version}.tar.gz"
    archive.of_commit(ROOT, "HEAD", f"mpt-{version}", file)
    with tempfile.TemporaryDirectory() as folder:
        again = Path(folder) / file.name
        archive.of_commit(ROOT, "HEAD", f"mpt-{version}", again)
        if archive.sha256(again) != archive.sha256(file):
            sys.exit("release: the source archive differs each time it is made")
    return file


def wheel(out: Path) -> Path:
    done = subprocess.run(
        [sys.executable, ROOT / "packaging/wheel/build.py"], check=False, stdout=subprocess.PIPE, text=True
    )
    if done.returncode:
        sys.exit("release: the wheel is not built")
    return Path(shutil.copy(done.stdout.split()[-1], out))


def site(version: str, build: Path, time: int, out: Path) -> Path:
    if subprocess.run(["make", "-C", ROOT, "site", f"BUILD={build.resolve()}"], check=False).returncode:
        sys.exit("release: the site is not built")
    file = out / f"mpt-{version}-docs.tar.gz"
    archive.of_folder(build / "site", f"mpt-{version}-docs", time, file)
    return file


def main() -> int:
    parser = argparse.ArgumentParser(description="Makes what a release consists of, and with --tag its tag.")
    parser.add_argument("version")
    parser.add_argument("--out", type=Path, help="folder for the files (build-release)", default=ROOT / "build-release")
    parser.add_argument("--wheel", action="store_true", help="build the wheel, too")
    parser.add_argument("--site", type=Path, metavar="BUILD", help="build the documentation in this build folder, too")
    parser.add_argument("--tag", action="store_true", help="make the annotated tag; without: a dry run")
    args = parser.parse_args()
    if bad := list(objections(args.version, args.tag)):
        print("\n".join(f"release: {line}" for line in bad), file=sys.stderr)
        return 1
    out, time = emptied(args.out.resolve()), int(git("log", "-1", "--format=%ct"))
    made = [source(args.version, out)]
    if args.wheel:
        made.append(wheel(out))
    if args.site:
        made.append(site(args.version, args.site, time, out))
    bill, notes = out / f"mpt-{args.version}.spdx.json", out / f"mpt-{args.version}-changes.md"
    created = datetime.fromtimestamp(time, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    bill.write_text(sbom.bill(args.version, created, [sbom.Artifact(file.name, archive.sha256(file)) for file in made]))
    notes.write_text("\n\n".join(section(args.version)) + "\n")
    made += [bill, notes]
    (out / "SHA256SUMS").write_text("".join(f"{archive.sha256(file)}  {file.name}\n" for file in sorted(made)))
    print((out / "SHA256SUMS").read_text(), end="")
    if args.tag:
        git("tag", "--annotate", f"v{args.version}", "--message", f"MPT {args.version}\n\n{section(args.version)[1]}")
        print(f"tagged v{args.version}; push it with: git push origin v{args.version}")
    else:
        print(f"a dry run: no tag. Files in {out}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
