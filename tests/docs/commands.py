# SPDX-License-Identifier: BSD-3-Clause
"""The commands of the pages work as they stand there, in a shell with an installation of their own.

Of a page's fenced blocks,
  ```c title="ring.c"        is a file, which the commands find
  ```c excerpt="FILE"        stands so in that file of the tree
  ```sh                      is run, in the order of the page, all in one folder
  ```text, right behind it   is what these commands print, but for the order of lines
  ```sh no-run (why)         is not run, for the reason that it gives
Usage: commands.py CMAKE [PAGE...]
"""

import pathlib
import re
import shutil
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "launch"))
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "tools/site"))
import pages

import harness as h

# Page: least number of blocks that are run.
COVERED = {
    "README.md": 1,
    "docs/start.md": 6,
    "docs/tutorial-mpi.md": 2,
    "docs/tutorial-shmem.md": 2,
    "docs/tutorial-pvm.md": 1,
    "docs/tutorial-am.md": 2,
    "docs/tutorial-split-c.md": 2,
    "docs/tuning.md": 1,
    "docs/faq.md": 1,
}
NO_RUN = re.compile(r"sh no-run \(\S.*\)")
SHELLS = ("sh", "bash", "shell", "console")
HOME = h.SCRATCH / "home"
LIMIT = 100


def install(cmake):
    """As `make install PREFIX=$HOME/mpt` does. With a component named, CMake leaves others' manifest alone."""
    done = h.run([cmake, "--install", h.BUILD, "--prefix", HOME / "mpt", "--component", "Unspecified"], limit=LIMIT)
    h.expect(done.status == 0, "an installation", done)
    (h.BUILD / "install_manifest_Unspecified.txt").unlink(missing_ok=True)


def excerpt(page, block, name):
    found = f"\n{block.text}" in (h.SOURCE / name).read_text()
    h.expect(found, f"{page}:{block.line}: this is not in {name}:\n{block.text}")


def commands(page, block, output, folder):
    """Runs a block. What it exports holds for the next ones of the page."""
    script = f"set -e\n[ ! -f .env ] || . ./.env\n{block.text}export -p > .env\n"
    env = {
        "HOME": HOME,
        "PATH": f"{HOME}/mpt/bin:/usr/local/bin:/usr/bin:/bin",
        "PKG_CONFIG_PATH": HOME / "mpt/lib/pkgconfig",
    }
    r = h.run(["bash", "-c", script], env=env, limit=LIMIT, cwd=folder)
    ok = h.expect(r.status == 0, f"{page}:{block.line}: these commands fail:\n{block.text}", r)
    if ok and output is not None:
        same = sorted(r.out.splitlines()) == sorted(output.splitlines())
        h.expect(same, f"{page}:{block.line}: these commands do not print what stands below:\n{block.text}", r)


def look_at(page):
    folder = h.SCRATCH / page.replace("/", "-")
    folder.mkdir()
    shutil.copytree(h.SOURCE / "examples", folder / "examples")
    blocks, ran = list(pages.blocks((h.SOURCE / page).read_text())), 0
    for block, after in zip(blocks, [*blocks[1:], None], strict=True):
        if m := re.search(r'title="([^"]+)"', block.info):
            (folder / m[1]).write_text(block.text)
        if m := re.search(r'excerpt="([^"]+)"', block.info):
            excerpt(page, block, m[1])
        if block.info.split(" ")[0] not in SHELLS or NO_RUN.fullmatch(block.info):
            continue
        if not h.expect(block.info == "sh", f"{page}:{block.line}: ```{block.info} is neither sh nor sh no-run (why)"):
            continue
        ran += 1
        if "pkg-config" in block.text and not shutil.which("pkg-config"):
            continue
        behind = block.line + block.text.count("\n") + 3
        commands(page, block, after.text if after and after.info == "text" and after.line == behind else None, folder)
    h.expect(ran >= COVERED[page], f"{page}: {ran} blocks of commands, not {COVERED[page]} or more")


on_disk = {f"docs/{p.name}" for p in (h.SOURCE / "docs").glob("tutorial-*.md")}
h.expect(on_disk <= set(COVERED), f"pages without a row in COVERED: {sorted(on_disk - set(COVERED))}")
HOME.mkdir()
install(sys.argv[1])
for page in sys.argv[2:] or COVERED:
    look_at(page)
h.finish()
