# SPDX-License-Identifier: BSD-3-Clause
"""Two virtual machines that programs can be run in: PVM 3.4.6's, with its daemon on loopback, and ours.

Both give a recipe the same: an environment, folders of programs and libraries, a start and an end. All output is
capped, all waiting has a limit, nothing is left behind.
"""

import os
import re
import shutil
import signal
import subprocess
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path

TIMED_OUT = 124
CAP = 200_000  # bytes of output of a program that are looked at


@dataclass
class Step:
    """One program of a recipe: its words, what it reads, and whether the next step begins before it ends."""

    words: str
    stdin: str | None = None  # None: /dev/null
    back: bool = (
        False  # in the background: the next step begins after `after` seconds, and it must end by the last step
    )
    after: float = 0.4
    quiet: bool = False  # its output is not compared
    limit: float = 20.0


@dataclass
class Outcome:
    text: str
    status: int


@dataclass
class Machine:
    name: str
    programs: Path  # folder of the programs, and where pvm_spawn looks
    environment: dict[str, str] = field(default_factory=dict)
    more: list[Path] = field(default_factory=list)  # folders where pvm_spawn looks besides

    def start(self, shared: bool, kept: bool = True) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix=f"mpt-pvm-{self.name}-"))
        self.environment |= {
            "PVM_PATH": ":".join(map(str, [self.programs, *self.more])),
            "PVM_TMP": str(self.folder),
            "PVM_VMID": self.folder.name,
        }
        self.open(shared, kept)

    def open(self, shared: bool, kept: bool) -> None: ...

    def close(self) -> None: ...

    def stop(self) -> None:
        self.close()
        shutil.rmtree(self.folder, ignore_errors=True)

    def launch(self, step: Step) -> tuple[subprocess.Popen, Path]:
        words = step.words.split()
        program = self.programs / words[0]
        path = Path(tempfile.mkstemp(dir=self.folder)[1])
        with path.open("wb") as out:
            process = subprocess.Popen(
                [program, *words[1:]],
                stdin=subprocess.DEVNULL if step.stdin is None else subprocess.PIPE,
                stdout=out,
                stderr=subprocess.STDOUT,
                env=os.environ | self.environment,
                cwd=self.folder,
                start_new_session=True,
            )
        if step.stdin is not None and process.stdin:
            process.stdin.write(step.stdin.encode())
            process.stdin.close()
        return process, path

    def run(self, steps: list[Step]) -> list[Outcome]:
        started = []
        for step in steps:
            process, path = self.launch(step)
            started.append((step, process, path))
            if step.back:
                time.sleep(step.after)
            else:
                finish(process, step.limit)
        outcomes = []
        for step, process, path in started:
            status = finish(process, step.limit)
            with path.open("rb") as out:
                text = out.read(CAP).decode(errors="replace")
            outcomes.append(Outcome("" if step.quiet else text, status))
        return outcomes


def finish(process: subprocess.Popen, limit: float) -> int:
    """Wait for its end; TIMED_OUT when it had to be killed, with all of its session."""
    try:
        return process.wait(limit)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        return TIMED_OUT


class Real(Machine):
    """The daemon of PVM 3.4.6, from a folder that Debian's packages were unpacked in."""

    def __init__(self, programs: Path, root: Path):
        super().__init__("real", programs)
        self.root = root / "usr/lib/pvm3"
        self.more = [self.root / "lib"]  # the group server
        self.environment |= {
            "PVM_ROOT": str(self.root),
            "PVM_ARCH": "LINUX64",
            "PVM_ALLOW_ROOT": "1",
            "PVM_RSH": "/bin/false",
            "LD_LIBRARY_PATH": str(root / "usr/lib/x86_64-linux-gnu"),
        }

    def open(self, shared: bool, kept: bool) -> None:
        del shared, kept  # a daemon is there for all
        with (self.folder / "daemon").open("wb") as out:
            self.daemon = subprocess.Popen(
                [self.root / "lib/pvmd", "-nlocalhost"],
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=subprocess.STDOUT,
                env=os.environ | self.environment,
                cwd=self.folder,
                start_new_session=True,
            )
        for _ in range(100):
            if list(self.folder.glob("pvmd.*")):
                return
            time.sleep(0.05)
        raise RuntimeError("pvmd did not start: " + (self.folder / "daemon").read_text(errors="replace"))

    def close(self) -> None:
        subprocess.run(
            [self.root / "lib/pvm"],
            input=b"halt\n",
            capture_output=True,
            timeout=20,
            check=False,
            env=os.environ | self.environment,
        )
        finish(self.daemon, 10)


class Ours(Machine):
    """Programs bring their machine with them; a recipe of several needs one task that stays."""

    def __init__(self, programs: Path, build: Path, keeper: Path, root: Path | None = None):
        super().__init__("ours", programs)
        self.keeper_program = keeper
        self.keeper: subprocess.Popen | None = None
        self.environment |= {"LD_LIBRARY_PATH": str(build / "lib")}
        if root:  # for libraries that Debian's programs need besides PVM
            self.environment["LD_LIBRARY_PATH"] += f":{root}/extra"

    def open(self, shared: bool, kept: bool) -> None:
        self.keeper = None
        if not shared:
            self.environment.pop("PVM_VMID", None)
        if not shared or not kept:
            return
        self.keeper = subprocess.Popen(
            [self.keeper_program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=os.environ | self.environment
        )
        if self.keeper.stdout and not self.keeper.stdout.readline():
            raise RuntimeError("the task that keeps the machine did not start")

    def close(self) -> None:
        if self.keeper:
            if self.keeper.stdin:
                self.keeper.stdin.close()  # it ends at the end of its input
            finish(self.keeper, 10)
            if self.keeper.stdout:
                self.keeper.stdout.close()


def normal(text: str, host: str, programs: Path, numbers: bool, order: bool, drop: str | None) -> list[str]:
    """Lines with tids, contexts and host names by the order they appear in; times as #; sorted unless order counts. Of
    the library's own messages only what PVM 3.4.6 says counts, not the detail that ours add."""
    names: dict[str, str] = {}

    def tid(match: re.Match[str]) -> str:
        return match[1] + names.setdefault(match[0], f"<{len(names)}>" if order else "<id>")

    text = text.replace(f"{programs}/", "").replace("\0", "")
    text = re.sub(rf"\b({re.escape(host)}|localhost)\b", "<host>", text)
    text = re.sub(r"(?m)^(\[.*?\] )?(libpvm \[.*?\]: \w+\(\): [^:\n]*):.*$", r"\1\2", text)
    text = re.sub(r"\b(t|0x)([48][0-9a-f]{4})", tid, text)
    if numbers:
        text = re.sub(r"[-+]?\b\d+(\.\d+)?(e[-+]?\d+)?|\binf\b|-?nan", "#", text)
    else:
        text = re.sub(r"()\b(26[0-9]{4}|4[0-9a-f]{4})\b", tid, text)
    # A call that another one makes reports first in PVM 3.4.6; of what an end is waiting for only that one tells.
    text = re.sub(r"(?m)^libpvm \[.*\]: \w+\(\): ([\w ]+)\n(?=libpvm \[.*\]: \w+\(\): \1$)", "", text)
    lines = [
        re.sub(r"\s+", " ", line).strip()
        for line in text.splitlines()
        if "still running. waiting..." not in " ".join(line.split())
    ]
    lines = [line for line in lines if line and not (drop and re.search(drop, line))]
    return lines if order else sorted(lines)
