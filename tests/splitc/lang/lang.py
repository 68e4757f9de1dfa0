# SPDX-License-Identifier: BSD-3-Clause
#
# The language's tests: programs that must run on several processors, with and
# without -fcheck, and texts that must be refused with the message they name.
# Usage: lang.py SCC MPTRUN FOLDER-OF-BUILD [name ...]
import os
import pathlib
import re
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
NETWORK = bool(os.environ.get("MPT_TRANSPORT"))
PES = (2,) if NETWORK else (1, 2, 3, 4)
FLAGS = os.environ.get("SCC_FLAGS", "").split()


def run(command, seconds=60, **more):
    return subprocess.run(
        [str(word) for word in command],
        timeout=seconds,
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        check=False,
        **more,
    )


def program(scc, mptrun, build, source):
    failures = 0
    for flags in (["-O0", "-g", "-fcheck"], ["-O2"])[NETWORK:]:
        binary = build / (source.stem + flags[0])
        made = run([scc, *flags, *FLAGS, "-I", HERE, source, "-o", binary])
        if made.returncode:
            print(f"FAIL {source.name} {flags}: not compiled\n{made.stdout}")
            failures += 1
            continue
        for n in PES:
            ran = run([mptrun, "-n", n, binary])
            if ran.returncode:
                print(f"FAIL {source.name} {flags} on {n}: status {ran.returncode}\n{ran.stdout}")
                failures += 1
        binary.unlink()
    return failures


def refused(scc, build):
    """bad.txt: a text, then '=> ' and what the message must say."""
    failures = 0
    text = []
    for line in (HERE / "bad.txt").read_text().splitlines():
        if not line.startswith("=> "):
            text.append(line)
            continue
        source = build / "bad.sc"
        source.write_text("\n".join(text) + "\n")
        answer = run([scc, "-c", source, "-o", build / "bad.o"])
        wanted = line[3:]
        where = re.search(r"bad\.sc:\d+:\d+: error: ", answer.stdout)
        if answer.returncode != 1 or wanted not in answer.stdout or not where:
            print(f"FAIL bad.txt: {' '.join(text)}\n  wanted: {wanted}\n  status {answer.returncode}: {answer.stdout}")
            failures += 1
        text = []
    return failures


def faults(scc, mptrun, build):
    """faults.txt: programs that -fcheck must end, naming the line."""
    failures = 0
    for case in re.findall(r"(.*?)^=> (.*?)$\n", (HERE / "faults.txt").read_text(), re.S | re.M):
        source = build / "faults.sc"
        source.write_text(case[0])
        made = run([scc, "-g", "-fcheck", *FLAGS, source, "-o", build / "faults"], cwd=build)
        ran = made if made.returncode else run([mptrun, "-n", 2, build / "faults"])
        told = all(part in ran.stdout for part in case[1].split(" ... "))
        if made.returncode or ran.returncode == 0 or not told:
            print(f"FAIL faults.txt: {case[0]}  wanted: {case[1]}\n  status {ran.returncode}: {ran.stdout}")
            failures += 1
    return failures


def main():
    scc, mptrun, build, *names = sys.argv[1:]
    build = pathlib.Path(build)
    build.mkdir(parents=True, exist_ok=True)
    failures = 0
    for source in sorted(HERE.glob("*.sc")):
        if not names or source.stem in names:
            failures += program(scc, mptrun, build, source)
    if not names or "bad" in names:
        failures += refused(scc, build)
    if not names or "faults" in names:
        failures += faults(scc, mptrun, build)
    print(f"{failures} failures")
    return failures != 0


if __name__ == "__main__":
    sys.exit(main())
