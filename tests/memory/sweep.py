# SPDX-License-Identifier: BSD-3-Clause
"""What a program meets when the library finds no memory: each of its allocations fails in turn, in a run of its own.
Then the program either goes on by another way and ends well, or it ends with a line that says what there was no memory
for: no signal, no hang, no silence.
Usage: sweep.py PRELOAD MOST PROGRAM ARGS..."""

import os
import re
import subprocess
import sys

preload, most, command = sys.argv[1], int(sys.argv[2]), sys.argv[3:]
FAILED = re.compile(r"\[this allocation fails, at (.*)\]\n")
failures = []
runs = ended = 0
for number in range(1, most + 1):
    env = os.environ | {"LD_PRELOAD": preload, "FAIL_AT": str(number)}
    try:
        done = subprocess.run(command, env=env, capture_output=True, text=True, timeout=30, check=False)
    except subprocess.TimeoutExpired as stop:
        failures.append(f"allocation {number}: the program hangs\n{stop.stderr}")
        continue
    said = done.stdout + done.stderr
    where = FAILED.search(said)
    if not where:
        if done.returncode or "no libmpt" in said:
            failures.append(f"without a failure: status {done.returncode}\n{said}")
        break
    runs += 1
    ended += done.returncode != 0
    said = FAILED.sub("", said)
    if done.returncode < 0:
        failures.append(f"allocation {number}, {where[1]}: signal {-done.returncode}\n{said}")
    elif done.returncode > 0 and not re.search(r"\bmemory\b|NO_MEM|Malloc failed", said):
        failures.append(
            f"allocation {number}, {where[1]}: status {done.returncode}, nothing of memory is said:\n{said}"
        )
print("\n".join(failures))
print(f"{runs} allocations failed, {ended} of the runs ended with a message, {len(failures)} were wrong")
if runs < 5:
    sys.exit("hardly anything was allocated: is the library loaded?")
sys.exit(1 if failures else 0)
