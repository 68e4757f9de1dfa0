#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Each broken rule ends the job at once with a message that names call, handler and PE."""

import subprocess
import sys

EXPECTED = {
    "outside": ["am_reply_0", "finished", "outside"],
    "twice": ["am_reply_0", "handler twice", "second reply", "PE 1"],
    "elsewhere": ["am_reply_0", "elsewhere", "request of PE 0"],
    "asks": ["am_request_0", "handler asks", "PE 0"],
    "waits": ["am_wait_for", "handler waits", "must not wait"],
    "unknown": ["number 9", "PE 1", "came back"],
}


def main() -> int:
    bad = 0
    for rule, words in EXPECTED.items():
        run = subprocess.run([sys.argv[1], "-n", "2", sys.argv[2], rule], capture_output=True, text=True, timeout=30)
        missing = [w for w in words if w not in run.stderr]
        if run.returncode == 0 or missing:
            print(f"{rule}: status {run.returncode}, lacks {missing}: {run.stderr}")
            bad += 1
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
