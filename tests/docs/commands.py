# SPDX-License-Identifier: BSD-3-Clause
"""The commands and listings of the pages work as they stand there, in a shell with an installation of their own.

kinds.py says what the blocks of a page may be. A page's commands run in a folder of its own, with `examples` and the
folders of the source that commands name, and `build` for a build folder. What a page takes for granted (a program, a
file, a command that this machine lacks) its script in standins/ makes there first.
A frame of frames/ is a program with a line LISTING in it, where the lines of the page go. It begins with comments
  // $ COMMANDS        what is done with it
  // status N          how these end, if not by 0
in Fortran with ! for //.
Usage: commands.py CMAKE [--nightly] [SHARE SHARES | PAGE...]; --nightly: pages with commands that take long, whole.
"""

import itertools
import pathlib
import re
import shutil
import sys
import textwrap

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "launch"))
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "tools/site"))
import kinds
import pages

import harness as h

HERE = pathlib.Path(__file__).resolve().parent
HOME = h.SCRATCH / "home"
INSTALL_S, BLOCK_S, NIGHTLY_S = 250, 250, 3600
FOLDERS = ("bench", "report", "tools", "packaging", "cmake", "tests")
PYTHON = h.BUILD / "venv/bin"
LISTING = re.compile(r"^([ \t]*)(?://|!) LISTING\n", re.M)
ADDRESS = re.compile(r"0x[0-9a-f]+")
FIGURE = re.compile(r"\d[\d.,]*(?: (?:[nµm]?s|[KMG]i?B|B))?(?![\w])")


def install(cmake):
    """As `make install PREFIX=$HOME/mpt` does. With a component named, CMake leaves others' manifest alone."""
    words = [cmake, "--install", h.BUILD, "--prefix", HOME / "mpt", "--component", "Unspecified"]
    done = h.run(words, limit=INSTALL_S)
    h.expect(done.status == 0, "an installation", done)
    (h.BUILD / "install_manifest_Unspecified.txt").unlink(missing_ok=True)


def missing(block):
    """A program that the block needs and that is not here. The laboratory needs Python's packages."""
    laboratory = ["mpt"] if re.search(r"\bmpt [a-z]", block.text) else []
    pkg_config = ["pkg-config"] if "pkg-config" in block.text else []
    path = f"{PYTHON}:/usr/local/bin:/usr/bin:/bin:/usr/sbin"
    return [name for name in [*block.needs, *laboratory, *pkg_config] if not shutil.which(name, path=path)]


def words(line, loose):
    """A line without what differs from run to run: addresses, measured figures, which of two PEs alike."""
    line = ADDRESS.sub("0x", line.strip())
    if "PEs" in loose:
        line = re.sub(r"\b(PE|rank) [01]\b", r"\1", line)
    if "measured" in loose:
        line = re.sub(r"[─ ]+", " ", FIGURE.sub("#", line))
    return line


def agrees(said, wanted, loose):
    """A line of output and one of the page, where ... stands for any end."""
    if wanted.endswith("..."):
        return words(said, loose).startswith(words(wanted[:-3], loose))
    return words(said, loose) == words(wanted, loose)


def shown(said, wanted, loose, part):
    """Does the output have these lines, and no others unless only a part is shown?"""
    left = said.splitlines()
    for line in wanted.splitlines():
        if line.strip() in ("...", ""):
            part = part or line.strip() == "..."
            continue
        match = next((s for s in left if agrees(s, line, loose)), None)
        if match is None:
            return f"no line {line!r}"
        left.remove(match)
    return "" if part or not any(s.strip() for s in left) else f"besides, {left}"


class Page:
    """A page, and the folder where its commands run."""

    def __init__(self, name, nightly):
        self.name, self.limit = name, NIGHTLY_S if nightly else BLOCK_S
        self.nightly = nightly
        self.codes = kinds.codes((h.SOURCE / name).read_text())
        self.folder = h.SCRATCH / name.replace("/", "-")

    def shell(self, text, limit=BLOCK_S):
        """What it exports holds for the next ones of the page."""
        script = f"set -e -o pipefail\n[ ! -f .env ] || . ./.env\n{text}\nexport -p > .env\n"
        env = {
            "HOME": HOME,
            "PATH": f"{self.folder}/stand-in:{HOME}/mpt/bin:{PYTHON}:/usr/local/bin:/usr/bin:/bin:/usr/sbin",
            "PKG_CONFIG_PATH": HOME / "mpt/lib/pkgconfig",
        }
        return h.run(["bash", "-c", script], env=env, limit=limit, cwd=self.folder)

    def prepare(self):
        self.folder.mkdir()
        for name in ("examples", "docs"):
            shutil.copytree(h.SOURCE / name, self.folder / name)
        for name in FOLDERS:
            (self.folder / name).symlink_to(h.SOURCE / name)
        (self.folder / "build").mkdir()
        for name in ("bin", "lib", "bench"):
            (self.folder / "build" / name).symlink_to(h.BUILD / name)
        for block in reversed(self.codes):
            if block.how == "title":
                (self.folder / block.name).write_text(block.text)
        script = HERE / "standins" / f"{self.name.removesuffix('.md').replace('/', '-')}.sh"
        if script.exists():
            r = self.shell(f". {script}", self.limit)
            h.expect(r.status == 0, f"{self.name}: what it takes for granted", r)

    def wrong(self, block, message, result=None):
        h.expect(False, f"{self.name}:{block.line}: {message}:\n{block.text}", result)

    def commands(self, block, text, output, status=0, part=False):
        """Runs commands and looks at what they print. A frame's findings are on the standard error."""
        r = self.shell(text, self.limit)
        if r.status != status:
            self.wrong(block, f"these commands end with {r.status}, not {status}", r)
        elif output:
            said = (r.out + (r.err if part else "")).replace(f"{self.folder}/", "")
            fault = shown(said, output.text, {output.how, "PEs"} if part else {output.how}, part)
            if fault:
                self.wrong(block, f"these commands do not print what stands below: {fault}", r)

    def framed(self, block, output):
        frame = (HERE / "frames" / block.name).read_text()
        text, lines = LISTING.subn(lambda m: textwrap.indent(block.text, m[1]), frame)
        h.expect(lines == 1, f"{block.name} has {lines} lines LISTING")
        (self.folder / block.name).write_text(text)
        commands = "\n".join(re.findall(r"^(?://|!|#) \$ (.*)$", frame, re.M))
        status = re.search(r"^(?://|!|#) status (\d+)", frame, re.M)
        self.commands(block, commands, output, int(status[1]) if status else 0, part=True)

    def look_at(self, block, after):
        output = after if after and after.is_output and kinds.behind(block, after) else None
        if block.how == "title":
            (self.folder / block.name).write_text(block.text)
        if block.how == "excerpt":
            found = block.text in (h.SOURCE / block.name).read_text()
            if not found:
                self.wrong(block, f"this is not in {block.name}")
        if not block.runs or (block.how == "nightly" and not self.nightly):
            return
        if lacks := missing(block):
            print(f"{self.name}:{block.line}: not run without {' '.join(lacks)}", flush=True)
        elif block.how == "within":
            self.framed(block, output)
        else:
            self.commands(block, block.run or block.text, output)

    def run(self):
        self.prepare()
        for block, after in itertools.pairwise([*self.codes, None]):
            self.look_at(block, after)
        shutil.rmtree(self.folder)


def chosen(nightly, words):
    """Names of pages: those given, or every so many of all that have something to run."""
    if words and not words[0].isdigit():
        return words
    names = []
    for page in pages.every():
        codes = kinds.codes(page.read_text())
        if any(c.how == "nightly" if nightly else c.runs or c.how == "excerpt" for c in codes):
            names.append(str(page.relative_to(h.SOURCE)))
    return names[int(words[0]) :: int(words[1])] if words else names


def main():
    nightly = "--nightly" in sys.argv
    HOME.mkdir()
    install(sys.argv[1])
    for name in chosen(nightly, [w for w in sys.argv[2:] if w != "--nightly"]):
        print(name, flush=True)
        Page(name, nightly).run()
    h.finish()


main()
