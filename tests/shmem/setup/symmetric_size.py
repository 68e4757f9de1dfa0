# SPDX-License-Identifier: BSD-3-Clause
"""SHMEM_SYMMETRIC_SIZE as the standard has it: whole and decimal numbers, one optional suffix, at least the ceiling of
the product; anything else is an error that names variable and value and ends with a nonzero status."""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "launch"))
import harness as h

HERE = pathlib.Path(__file__).resolve().parent
modes = h.build(HERE / "modes.c")

GOOD = [  # value, a block that must fit, one that must not
    ("3.1M", 3_000_000, 1 << 26),
    ("3.1m", 3_000_000, 1 << 26),
    (".5m", 500_000, 1 << 26),
    ("0.5M", 500_000, 1 << 26),
    ("20k", 16_000, 1 << 26),
    ("20kk", 16_000, 1 << 26),
    ("20971520", 20_900_000, 1 << 26),
    ("1500000.5", 1_490_000, 1 << 26),
    ("2.", 1, 1 << 26),
    ("0", None, 1 << 26),
    ("1.5G", 1_500_000_000, 1 << 34),
    ("64g", 60 << 30, 1 << 41),
]
BAD = ["banana", "-1", "-5M", "1x", "", "m", ".", "1..2", "0x100", "nan", "inf", "12 parsecs"]


def fits(env, bytes_, npes):
    r = h.oshrun(npes, modes, "fits", bytes_, env=env)
    h.expect(r.status == 0, f"{env}: shmem_malloc({bytes_}) on {npes} PEs", r)
    return r.out.split("\n")[:-1] == ["fits"] * npes


for value, small, large in GOOD:
    env = {"SHMEM_SYMMETRIC_SIZE": value}
    if small is not None:
        h.expect(fits(env, small, 2), f"{value}: {small} bytes do not fit")
    h.expect(not fits(env, large, 2), f"{value}: {large} bytes fit")

old_and_new = {"SMA_SYMMETRIC_SIZE": "1M", "SHMEM_SYMMETRIC_SIZE": "300M"}
h.expect(fits(old_and_new, 200 << 20, 1), "SMA_SYMMETRIC_SIZE won over SHMEM_SYMMETRIC_SIZE")
h.expect(not fits({"SMA_SYMMETRIC_SIZE": "1M"}, 200 << 20, 1), "SMA_SYMMETRIC_SIZE has no effect")

for value in BAD:
    for name in ("SHMEM_SYMMETRIC_SIZE", "SMA_SYMMETRIC_SIZE"):
        for mode in ("plain", "thread"):
            for command in ([h.OSHRUN, "-np", "2", modes, mode], [modes, mode]):
                r = h.run(command, {name: value})
                h.expect(r.status not in (0, None), f"{name}={value!r} was accepted by {command[0]} {mode}", r)
                h.expect(name in r.err and value in r.err, f"{name}={value!r}: the message names both", r)

# a number with an exponent is not in the standard's list: refused, or taken for what it says
r = h.oshrun(1, modes, "fits", 900_000, env={"SHMEM_SYMMETRIC_SIZE": "1e6"})
h.expect((r.status != 0 and "1e6" in r.err) or r.out == "fits\n", "1e6: neither refused nor a million bytes", r)
h.finish()
