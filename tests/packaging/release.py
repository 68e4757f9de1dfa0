# SPDX-License-Identifier: BSD-3-Clause
"""`make release` in a clone: the same archive from another clone, checksums, a bill of materials that SPDX's own
library takes, an annotated tag; refusals; and the archive configures, and knows its version and commit, without git."""

import datetime
import json
import os
import re
import subprocess
import sys
import tarfile

import common

h = common.h


def release(clone, *words):
    return h.run([sys.executable, clone / "tools/release/release.py", *words], env=common.WHO, limit=120)


def refused(clone, what, *words):
    r = release(clone, *words)
    h.expect(r.status == 1 and what in r.err, f"release {' '.join(map(str, words))} says '{what}'", r)


def commit(clone, message):
    moment = {"GIT_AUTHOR_DATE": "2026-01-02T03:04:05Z", "GIT_COMMITTER_DATE": "2026-01-02T03:04:05Z"}
    common.git(clone, "commit", "-q", "-a", "--amend", "-m", message, **moment)


def version_of(clone):
    return re.search(r'MPT_VERSION "(.*)"', (clone / "include/mpt/version.h").read_text())[1]


def tagged(clone, now):
    """A release with its tag, and what is refused before and after."""
    refused(clone, "tools/version.py --set 99.0.0", "99.0.0")
    changes = clone / "CHANGELOG.md"
    heading = f"## {now} (unreleased)\n\n- A line more."
    text = re.sub(rf"(?m)^## {re.escape(now)}.*$", heading, changes.read_text())
    changes.write_text(text)
    refused(clone, "not clean", now)
    commit(clone, "a change")
    refused(clone, "has no date", now, "--tag")
    changes.write_text(text.replace("(unreleased)", f"({datetime.date(2026, 1, 2)})"))
    commit(clone, "a release")
    r = release(clone, now, "--out", h.SCRATCH / "one", "--tag")
    h.expect(r.status == 0, "a release", r)
    h.expect(common.git(clone, "cat-file", "-t", f"v{now}") == "tag", "the tag is annotated")
    h.expect(
        common.git(clone, "rev-parse", f"v{now}^{{commit}}") == common.git(clone, "rev-parse", "HEAD"), "of the commit"
    )
    refused(clone, f"a tag v{now} already", now, "--tag")
    mine = h.SCRATCH / "mine"
    mine.mkdir()
    (mine / "file").write_text("mine")
    refused(clone, "holds files that no release has made", now, "--out", mine)
    h.expect((mine / "file").exists(), "files of others stay")


def files(clone, now):
    """The artifacts; the archive is the same from another clone."""
    one, two = h.SCRATCH / "one", h.SCRATCH / "two"
    other = h.SCRATCH / "elsewhere/clone"
    subprocess.run(["git", "clone", "-q", "--shared", clone, other], check=True)
    os.umask(0o077)
    for _ in range(2):  # the second time over the first
        r = release(other, now, "--out", two)
        h.expect(r.status == 0, "a release of another clone", r)
    sums = [(folder / "SHA256SUMS").read_text() for folder in (one, two)]
    h.expect(sums[0] == sums[1], f"the same files from another clone:\n{sums[0]}{sums[1]}")
    h.expect(f"mpt-{now}.tar.gz" in sums[0], "the archive is there")
    done = subprocess.run(["sha256sum", "--quiet", "-c", "SHA256SUMS"], cwd=one, check=False)
    h.expect(done.returncode == 0, "checksums are right")
    return one


def bill(file, sums):
    held = json.loads(file.read_text())
    checksums = [c["checksumValue"] for p in held["packages"] for c in p.get("checksums", [])]
    h.expect(checksums and all(value in sums for value in checksums), "the bill has the checksums of the files")
    names = {p["name"] for p in held["packages"]}
    h.expect({"mpt", "glibc", "hwloc", "numpy"} <= names, f"the bill names {sorted(names)}")
    h.expect(len({p["SPDXID"] for p in held["packages"]}) == len(held["packages"]), "each has a name of its own")


def unpacked(file, now, cmake):
    folder = h.SCRATCH / "unpacked"
    with tarfile.open(file) as tar:
        tar.extractall(folder, filter="data")
    source = folder / f"mpt-{now}"
    r = h.run([cmake, "-S", source, "-B", folder / "b", "-G", "Ninja", "-DMPT_TESTS=OFF"], limit=300)
    h.expect(r.status == 0, "the archive configures without git", r)
    header = folder / "commit.h"
    subprocess.run([cmake, f"-DSOURCE={source}", f"-DHEADER={header}", "-P", source / "cmake/commit.cmake"], check=True)
    h.expect(re.search(r'MPT_COMMIT "[0-9a-f]{12}"', header.read_text()), f"its commit: {header.read_text()}")
    r = h.run([sys.executable, source / "tools/version.py"], limit=60)
    h.expect(r.status == 0 and now in r.out, "its version", r)


def main():
    clone = common.clone(h.SCRATCH / "clone")
    now = version_of(clone)
    tagged(clone, now)
    one = files(clone, now)
    bill(one / f"mpt-{now}.spdx.json", (one / "SHA256SUMS").read_text())
    unpacked(one / f"mpt-{now}.tar.gz", now, sys.argv[1])
    r = h.run([common.from_pypi("spdx", "spdx-tools==0.8.5") / "pyspdxtools", "-i", one / f"mpt-{now}.spdx.json"])
    h.expect(r.status == 0, "SPDX's library takes the bill", r)
    h.finish()


if __name__ == "__main__":
    main()
