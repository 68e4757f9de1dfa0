# SPDX-License-Identifier: BSD-3-Clause
"""What rpmlint and hadolint say of the recipes: nothing. Status 77 where neither is."""

import shutil

import common

h = common.h
PACKAGING = h.SOURCE / "packaging"
RPM, CONTAINER = PACKAGING / "rpm", PACKAGING / "container/Containerfile"


def tool(name):
    """On the path, or where a test of the night has put it."""
    own = common.WORK / f"{name}/bin/{name}"
    return shutil.which(name) or (own if own.exists() else None)


def main():
    asked = 0
    if rpmlint := tool("rpmlint"):
        r = h.run([rpmlint, "-c", RPM / "rpmlint.toml", RPM / "mpt.spec"], limit=60)
        h.expect("0 errors, 0 warnings" in r.out, "rpmlint", r)
        asked += 1
    if hadolint := tool("hadolint"):
        r = h.run([hadolint, CONTAINER], limit=60)
        h.expect(r.status == 0 and not r.out, "hadolint", r)
        asked += 1
    if not asked:
        common.skip("neither rpmlint nor hadolint is here")
    h.finish()


if __name__ == "__main__":
    main()
