# SPDX-License-Identifier: BSD-3-Clause
"""The site is built, strictly, has the pages and the reference, and loads nothing from other hosts. Skipped where
MkDocs is not installed (`make site` does it) and cannot be had."""

import json
import pathlib
import re
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "launch"))
import harness as h

mkdocs = h.BUILD / "site-venv/bin/mkdocs"
if not mkdocs.exists():
    venv = h.SCRATCH / "venv"
    mkdocs = venv / "bin/mkdocs"
    wanted = h.SOURCE / "tools/site-requirements.txt"
    for command in ([sys.executable, "-m", "venv", venv], [venv / "bin/pip", "install", "--quiet", "-r", wanted]):
        if subprocess.run(command, timeout=400, check=False).returncode != 0:
            print("MkDocs cannot be installed")
            sys.exit(77)

# A folder of its own, so that nothing is in the way of `make site`.
(h.SCRATCH / "reference").symlink_to(h.BUILD / "reference")
r = h.run([sys.executable, h.SOURCE / "tools/site/build.py", h.SCRATCH, mkdocs], limit=600)
h.expect(r.status == 0, "the site is built without a warning, and loads nothing from elsewhere", r)
site = h.SCRATCH / "site"
for page in ("index.html", "docs/start.html", "docs/adr/index.html", "reference/mpi/point-to-point.html"):
    h.expect((site / page).exists(), f"{page} is there")
raw = re.compile(r"<p>(?:(?!</p>).)*\n(?:- |\d\. |\| )", re.S)
for page in site.rglob("*.html"):
    h.expect(not raw.search(page.read_text()), f"{page.relative_to(site)} has a list or a table that is none")
index = site / "search/search_index.json"
found = [e["location"] for e in json.loads(index.read_text())["docs"] if e["title"].startswith("MPI_Bcast")]
h.expect(
    any(place.startswith("reference/mpi/collectives.html") for place in found), f"a search finds MPI_Bcast: {found}"
)
h.finish()
