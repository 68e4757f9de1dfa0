# SPDX-License-Identifier: BSD-3-Clause
"""tools/setup.sh where it cannot install: it fails with one line that names this system's packages."""

import pathlib
import shutil
import subprocess

import harness as h

SETUP = h.SOURCE / "tools/setup.sh"


def setup(*installers):
    """Run it where only a shell, ls and these installers are found."""
    folder = pathlib.Path(h.SCRATCH) / ("bin-" + "-".join(installers))
    folder.mkdir()
    for name in ("sh", "ls"):
        (folder / name).symlink_to(shutil.which(name))
    for name in installers:
        (folder / name).symlink_to(shutil.which("false"))
    done = subprocess.run(
        [folder / "sh", SETUP], env={"PATH": str(folder)}, capture_output=True, text=True, timeout=30, check=False
    )
    h.expect(done.returncode == 1, f"{installers}: status {done.returncode}, expected 1\n{done.stderr}")
    return done.stderr


fedora = setup("dnf")
h.expect(fedora.startswith("setup: please run: sudo dnf install -y gcc gcc-c++ gcc-gfortran "), f"Fedora: {fedora}")
h.expect(fedora.count("\n") == 1 and "-dev " not in fedora, f"one line, with Fedora's names only: {fedora}")
neither = setup()
h.expect("neither apt-get nor dnf" in neither and " libhwloc-dev " in neither, f"no installer: {neither}")
h.finish()
