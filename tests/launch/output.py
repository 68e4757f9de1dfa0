# SPDX-License-Identifier: BSD-3-Clause
"""What the PEs print: lines of several PEs never mix, whatever their length; nothing is lost, reordered within a PE or
changed; stdout and stderr stay apart; tags; last lines without an end; stdin goes to PE 0."""

import pathlib
import re
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import harness as h

probe = h.build(pathlib.Path(__file__).resolve().parent / "probe.c")


def check_lines(npes, count, length, options=()):
    r = h.oshrun(npes, probe, "lines", count, length, options=options, limit=60)
    what = f"{npes} PEs x {count} lines of {length}"
    h.expect(r.status == 0, f"{what}: status", r if r.status is None else None)
    good = {"out": 0, "err": 0}
    last = {}
    for stream, text in (("out", r.out), ("err", r.err)):
        for line in text.splitlines():
            parts = line.split(":", 2)
            try:
                pe, i = int(parts[0]), int(parts[1])
            except (ValueError, IndexError):
                pe, i = -1, -1
            whole = len(parts) == 3 and parts[2] == chr(ord("a") + pe % 26) * length
            if not h.expect(
                whole and (i % 4 == 3) == (stream == "err"),
                f"{what}: mixed or foreign line on {stream}: {line[:100]!r}",
            ):
                return
            if not h.expect(last.get((pe, stream), -1) < i, f"{what}: line {i} of PE {pe} out of order"):
                return
            last[pe, stream] = i
            good[stream] += 1
    wanted = {"out": npes * sum(i % 4 != 3 for i in range(count)), "err": npes * sum(i % 4 == 3 for i in range(count))}
    h.expect(good == wanted, f"{what}: {good} lines arrived, expected {wanted}")


check_lines(8, 1000, 2000)
check_lines(4, 300, 10)
check_lines(3, 20, 300_000)
check_lines(1, 100, 5000)

# tags: every line says whose it is
r = h.oshrun(3, probe, "identity", options=["--tag-output"])
lines = sorted(r.out.splitlines())
h.expect(len(lines) == 3, "--tag-output: one line of each", r)
for pe, line in enumerate(lines):
    tag, _, rest = line.partition(f"PE {pe} of 3")
    h.expect(str(pe) in tag and rest == "", f"--tag-output: PE {pe}'s line is {line!r}")

for npes in (1, 3):
    r = h.oshrun(npes, probe, "partial")
    for pe in range(npes):
        h.expect(f"whole {pe}\n" in r.out and f"half {pe}" in r.out, f"a last line without end of PE {pe} of {npes}", r)
        h.expect(f"error {pe}" in r.err, f"a message without end of PE {pe} of {npes}", r)

# stdin: to PE 0, all of it, the others see its end
text = "".join(f"line {i} with some words in it\n" for i in range(20000))
for npes in (1, 4):
    r = h.oshrun(npes, probe, "echo", text=text)
    said = [line for line in r.out.splitlines() if line.startswith("PE ")]
    echoed = "".join(line + "\n" for line in r.out.splitlines() if not line.startswith("PE "))
    h.expect(
        r.status == 0 and echoed == text, f"stdin of {npes} PEs: {len(echoed)} of {len(text)} characters came back"
    )
    h.expect(sorted(said) == [f"PE {pe} read 0 bytes" for pe in range(1, npes)], f"stdin of the others: {said}")
r = h.oshrun(2, probe, "echo", text="no end of line")
h.expect("no end of line" in r.out, "stdin without an end of line", r)

# a file for each PE's output, and the terminal; only the file; both streams in one; the time
both = ["bash", "-c", "echo to the output; echo to the error >&2"]
folder = h.SCRATCH / "files"
for suffix, shown in (("", True), (":nocopy", False)):
    r = h.run([h.MPTRUN, "-n", 11, "--output-filename", f"{folder}{suffix}", *both])
    for pe in range(11):
        for name, text in (("stdout", "to the output\n"), ("stderr", "to the error\n")):
            file = folder / "1" / f"rank.{pe:02}" / name
            h.expect(file.exists() and file.read_text() == text, f"{file} of --output-filename{suffix}", r)
    h.expect(r.out == shown * 11 * "to the output\n" and r.err == shown * 11 * "to the error\n", f"shown: {shown}", r)
r = h.run([h.MPTRUN, "-n", 1, "-outfile-pattern", h.SCRATCH / "a%%b.%r", *both])
h.expect((h.SCRATCH / "a%b.0").read_text() == "to the output\n" and r.out == "", "-outfile-pattern", r)
h.expect(r.err == "to the error\n", "-outfile-pattern leaves the errors where they are", r)
r = h.run([h.MPTRUN, "-n", 2, "--output-filename", "/dev/null", *both])
h.expect(r.status == 1 and "cannot write the output of PE 0" in r.err, "a folder that cannot be made", r)
r = h.run([h.MPTRUN, "-n", 2, "--merge-stderr-to-stdout", *both])
h.expect(r.err == "" and sorted(r.out.splitlines()) == 2 * ["to the error"] + 2 * ["to the output"], "merged", r)
r = h.run([h.MPTRUN, "-n", 2, "--timestamp-output", "-l", *both])
told = re.findall(r"^\d\d:\d\d:\d\d\.\d{3} \[[01]\] to the output$", r.out, re.M)
h.expect(len(told) == 2, "the time and the PE of each line", r)

# a reader that goes away ends the job, quietly
child = subprocess.Popen(
    [h.OSHRUN, "-np", "2", probe, "lines", "100000", "200"],
    stdout=subprocess.PIPE,
    stdin=subprocess.DEVNULL,
    stderr=subprocess.DEVNULL,
    env=h.environment(),
    start_new_session=True,
)
child.stdout.readline()
child.stdout.close()
ended = h.wait_for(lambda: child.poll() is not None, 10)
h.expect(ended, "the job goes on although nobody reads its output")
h.end(h.processes())
child.wait()
h.finish()
