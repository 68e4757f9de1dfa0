#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Each mistake ends the job at once with a message that names call or line, and the PE."""

import subprocess
import sys

EXPECTED = {
    "null": ["wrong.c:", "PE 1", "read", "NULL"],
    "processor": ["wrong.c:", "PE 1", "write", "processor 2", "there are 2"],
    "minus": ["wrong.c:", "store", "processor -1"],
    "tolocal": ["wrong.c:", "PE 1", "tolocal()", "processor 0"],
    "index": ["wrong.c:", "PE 1", "index 9 of A", "9 elements"],
    "outside": ["wrong.c:", "PE 1", "0x1234", "processor 0"],
    "lock_twice": ["splitc_lock", "PE 1", "holds"],
    "unlock": ["splitc_unlock", "PE 1", "free"],
    "not_a_lock": ["splitc_lock", "4711"],
    "unaligned": ["fetch_add", "PE 1", "not aligned"],
    "spread_free": ["spread_free", "PE 1", "twice"],
    "not_spread": ["spread_free", "PE 1", "not spread_malloc's"],
    "too_much": ["spread_malloc", "PE 1", "SHMEM_SYMMETRIC_SIZE"],
    "all_too_much": ["all_spread_malloc", "SHMEM_SYMMETRIC_SIZE"],
    "overflow": ["all_spread_malloc", "1048576"],
    "all_free_twice": ["all_spread_free", "twice"],
    "status": [],
}


def main() -> int:
    bad = 0
    for mistake, words in EXPECTED.items():
        run = subprocess.run([sys.argv[1], "-n", "2", sys.argv[2], mistake], capture_output=True, text=True, timeout=30)
        missing = [w for w in words if w not in run.stderr]
        if run.returncode not in (1, 9) or missing:
            print(f"{mistake}: status {run.returncode}, lacks {missing}: {run.stderr}")
            bad += 1
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
