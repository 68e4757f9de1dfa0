# SPDX-License-Identifier: BSD-3-Clause
"""What the tests of packages share: a clone with the working tree as its commit, tools from PyPI, a ring."""

import os
import pathlib
import shutil
import subprocess
import sys
import venv

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "launch"))
import harness as h

WORK = h.BUILD / "external"
RING = """#include <mpi.h>
#include <stdio.h>
int main(int argc, char **argv)
{
    int me, n, from;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &n);
    MPI_Sendrecv(&me, 1, MPI_INT, (me + 1) % n, 0, &from, 1, MPI_INT, (me + n - 1) % n, 0, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    printf("%d got %d\\n", me, from);
    return MPI_Finalize();
}
"""
RING_SAYS = ["0 got 3", "1 got 0", "2 got 1", "3 got 2"]
WHO = {"GIT_AUTHOR_NAME": "test", "GIT_AUTHOR_EMAIL": "test@localhost"}
WHO |= {name.replace("AUTHOR", "COMMITTER"): value for name, value in WHO.items()}


def skip(why):
    print(f"skipped: {why}")
    sys.exit(77)


def need(*programs):
    for name in programs:
        if not shutil.which(name):
            skip(f"no {name}")


def git(folder, *words, **more):
    done = subprocess.run(
        ["git", "-C", folder, *words], env={**os.environ, **WHO, **more}, capture_output=True, text=True, check=True
    )
    return done.stdout.strip()


def clone(folder):
    """A clone whose one branch ends in what lies in the working tree, committed or not."""
    need("git")
    if not (h.SOURCE / ".git").exists():
        skip("the sources are not a git checkout")
    shutil.rmtree(folder, ignore_errors=True)
    subprocess.run(["git", "clone", "-q", "--shared", "--no-checkout", h.SOURCE, folder], check=True)
    git(folder, "add", "-A", ".", GIT_WORK_TREE=str(h.SOURCE), GIT_DIR=f"{folder}/.git")
    git(folder, "commit", "-q", "--allow-empty", "-m", "the working tree")
    git(folder, "checkout", "-q", "-f", "HEAD")
    return folder


def archive(folder):
    """The source archive of the working tree, as a release has it: its path, and the version."""
    source = clone(h.SCRATCH / "clone")
    now = subprocess.run(
        [sys.executable, "-c", "import version; print(version.version())"],
        env={**os.environ, "PYTHONPATH": str(source / "tools"), "PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True,
        text=True,
        check=True,
    ).stdout.strip()
    folder.mkdir(parents=True, exist_ok=True)
    r = h.run([sys.executable, source / "tools/release/release.py", now, "--out", folder / "release"], limit=120)
    if r.status:
        sys.exit(f"failed: no source archive\n{r}")
    return folder / f"release/mpt-{now}.tar.gz", now


def from_pypi(name, *packages):
    """The bin folder of a virtual environment with these packages; ends the test where they cannot be had."""
    folder = WORK / name
    ready = folder / "ready"
    if not ready.exists() or ready.read_text() != repr(packages):
        venv.create(folder, clear=True, with_pip=True)
        words = [folder / "bin/python", "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *packages]
        if subprocess.run(words, check=False).returncode:
            skip(f"PyPI has no {' '.join(packages)} for us")
        ready.write_text(repr(packages))
    return folder / "bin"
