# SPDX-License-Identifier: BSD-3-Clause
"""Values of environment variables that make no sense: the program says which variable, what it holds and what was
expected, and ends with a nonzero status; launched, self-started and alone."""

import os
import pathlib
import shutil
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "launch"))
import harness as h

HERE = pathlib.Path(__file__).resolve().parent

PROGRAM = r"""
#include <shmem.h>
int main(void)
{
    shmem_init();
    shmem_barrier_all();
    shmem_finalize();
    return 0;
}
"""
prog = h.build(PROGRAM, "environment")
BAD = {
    "SHMEM_SYMMETRIC_SIZE": ["banana", "-1"],
    "SMA_SYMMETRIC_SIZE": ["banana"],
    "MPT_SPIN_US": ["fast", "-1", "1.5", "99999999999999"],
    "MPT_YIELDS": ["many"],
    "MPT_BIND": ["maybe", "2"],
    "MPT_GLOBALS_MAX": ["x4G"],
    "MPT_CHECK": ["perhaps"],
    "MPT_SHARE_GLOBALS": ["-"],
}
# More than there is: the variable that asks for it comes first.
LARGE = {"MPT_GLOBALS_MAX": "SHMEM_SYMMETRIC_SIZE", "SHMEM_SYMMETRIC_SIZE": "MPT_GLOBALS_MAX"}
for name, other in LARGE.items():
    for what, command, more in (
        ("launched", [h.OSHRUN, "-np", "2", prog], {}),
        ("self-started", [prog], {"NPES": "2"}),
        ("alone", [prog], {}),
    ):
        r = h.run(command, {name: "1024t", **more})
        at = r.err.find(f"{name}=1024T")
        h.expect(
            r.status not in (0, None) and 0 <= at < (r.err + other).find(other),
            f"{name}=1024t {what}: it is named first",
            r,
        )
        h.expect("address space" in r.err, f"{name}=1024t {what}: why", r)

# No /dev/null, as in a bare container.
bare = ["unshare", "--map-root-user", "--mount", "sh", "-c", 'mount -t tmpfs tmpfs /dev && exec "$@"', "sh"]
if h.run([*bare, "true"]).status == 0:
    for what, command, more in (
        ("launched", [h.OSHRUN, "-np", "3", prog], {}),
        ("self-started", [prog], {"NPES": "3"}),
    ):
        r = h.run([*bare, *command], more)
        h.expect(r.status == 0 and r.err == "", f"without /dev/null, {what}", r)
else:
    print("not tried without /dev/null: no mounts here")

# A program with more rights than who starts it believes no variable.
NOBODY = 65534
AS_NOBODY = ["setpriv", f"--reuid={NOBODY}", "--clear-groups", "--"]


def why_no_set_user_id(folder):
    """Why a program in this folder cannot be tried with more rights than its caller's; None: it can."""
    if os.geteuid() != 0:
        return "not root"
    if not shutil.which("setpriv"):
        return "no setpriv"
    for place in (folder, h.BUILD / "lib", h.BUILD / "bin"):
        for at in (place, *place.resolve().parents):
            if not at.stat().st_mode & 1:
                return f"nobody cannot enter {at}"
    return "the file system is mounted nosuid" if os.statvfs(folder).f_flag & os.ST_NOSUID else None


def try_set_user_id(folder):
    owned = folder / "owned"
    shutil.copy(prog, owned)
    owned.chmod(0o4755)
    r = h.run([*AS_NOBODY, owned], {"NPES": "3", "MPT_SPIN_US": "fast"})
    h.expect(r.status == 0 and r.err == "", "set-user-ID: no variable is read", r)
    r = h.run([*AS_NOBODY, prog], {"MPT_SPIN_US": "fast"})
    h.expect(r.status != 0 and "MPT_SPIN_US" in r.err, "the same caller, without set-user-ID: it is read", r)
    r = h.run([*AS_NOBODY, h.OSHRUN, "-np", "2", owned])
    h.expect(r.status not in (0, None) and "more rights" in r.err, "set-user-ID: refused in a job, told why", r)


h.SCRATCH.chmod(0o711)
folder = pathlib.Path(tempfile.mkdtemp(dir=h.SCRATCH))
folder.chmod(0o711)
why = why_no_set_user_id(folder)
if why:
    print(f"not tried with set-user-ID: {why}", flush=True)
else:
    try_set_user_id(folder)

for name, values in BAD.items():
    for value in values:
        for what, command, more in (
            ("launched", [h.OSHRUN, "-np", "3", prog], {}),
            ("self-started", [prog], {"NPES": "2"}),
            ("alone", [prog], {}),
        ):
            r = h.run(command, {name: value, **more})
            h.expect(r.status is not None and 0 < r.status < 128, f"{name}={value} {what}: expected an error status", r)
            h.expect(name in r.err and value in r.err, f"{name}={value} {what}: the message names both", r)
            h.expect(r.err.count(name) <= 3 and r.seconds < 2, f"{name}={value} {what}: said once, at once", r)

GOOD = {
    "MPT_SPIN_US": ["0", "1000"],
    "MPT_YIELDS": ["0"],
    "MPT_BIND": ["no", "1", "off"],
    "MPT_CHECK": ["1", "yes"],
    "SHMEM_SYMMETRIC_SIZE": ["64M"],
}
for name, values in GOOD.items():
    for value in values:
        r = h.oshrun(2, prog, env={name: value})
        h.expect(r.status == 0 and r.err == "", f"{name}={value} works, without a word", r)
h.finish()
