# SPDX-License-Identifier: BSD-3-Clause
"""The manual pages: all of them are rendered without a warning, links lead to pages, a few are found under the names
that programs use and say what they should, each command has a page with all of its commands, and the prototypes of
OpenSHMEM are written out as they are."""

import pathlib
import re
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
build = pathlib.Path(sys.argv[1])
functions, commands = build / "reference/man3", ROOT / "man"

SAYS = {
    "shmem_int_put": ["shmem_ctx_TYPE_put(shmem_ctx_t ctx, TYPE *dest", "longdouble (long double)", "section 9.6"],
    "shmem_integer_put": [
        "call NAME(dest, source, nelems, pe)",
        "shmem_character_put, ",
        "16: elements of so many bytes",
    ],
    "shmem_int4_finc": ["integer(4) function shmem_int4_finc(source, pe)", "use shmem"],
    "shpalloc": ["shpclmove", "Cray pointer", "-2: no room"],
    "shmemx_int_sum_inscan": ["shmem_TYPE_sum_inscan", "<shmemx.h>"],
    "shmem_wait_until": ["SHMEM_CMP_EQ", "woken by the PE"],
    "MPI_Send_c": ["MPI_Send_c(const void *buf, MPI_Count count", "MPI_ERR_RANK", "sections 3.2.1, 3.4"],
    "MPI_Comm_create_keyval": ["typedef int MPI_Comm_copy_attr_function(", "MPI_COMM_NULL_COPY_FN"],
    "MPI_Comm_f2c": ["MPI_Comm MPI_Comm_f2c(MPI_Fint i)"],
    "pvm_pkint": ["pvm_pkint(int *p, int count, int stride)", "PvmNoBuf"],
    "pvmfsend": ["pvm_send(int tid, int tag)"],
    "am_request4": ["am_request_4(vnn_t dest, handler_4_t handler, am_word a", "am_poll"],
    "all_reduce_to_all_dadd": ["all_reduce_to_all_OP(TYPE value)", "processor 0"],
    "bl_transpose": ["b[j * ldb + i]"],
    "mptm_vexp": ["libmvec"],
    "mpt_region_begin": ["mptrun --trace"],
}


def rendered(*files: pathlib.Path) -> tuple[str, str]:
    r = subprocess.run(
        ["groff", "-mdoc", "-ww", "-Tascii", "-P-cbou", "-rLL=200n", *files],
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    return " ".join(r.stdout.split()), r.stderr


def function_faults(pages: list[pathlib.Path]) -> list[str]:
    bad = [f"{p.name} leads nowhere" for p in functions.iterdir() if not p.exists()]
    for i in range(0, len(pages), 50):
        bad += rendered(*pages[i : i + 50])[1].splitlines()
    for name, texts in SAYS.items():
        page = functions / f"{name}.3"
        text = rendered(page)[0] if page.exists() else ""
        bad += [f"{name}: does not say: {t}" for t in texts if t not in text]
    return bad


def fortran_faults() -> list[str]:
    """Each name of Fortran's interface, by the list of another test, leads to a page."""

    def words(text: str) -> list[str]:
        choice = re.search(r"\{([^{}]*)\}", text)
        if not choice:
            return [text]
        return [w for part in choice[1].split(",") for w in words(text[: choice.start()] + part + text[choice.end() :])]

    lines = (ROOT / "tests/fortran/names.txt").read_text().splitlines()
    names = [name for line in lines if line[:1] != "#" for word in line.split() for name in words(word)]
    few = [f"only {len(names)} names of Fortran"] if len(names) < 200 else []
    return few + [f"{n} (Fortran) has no page" for n in names if not (functions / f"{n}.3").exists()]


def command_faults() -> list[str]:
    pages = [p for p in commands.glob("*.1") if not p.read_text().startswith(".so")]
    bad = rendered(*pages)[1].splitlines()
    bad += [f"{c.name} has no page" for c in (build / "bin").iterdir() if not (commands / f"{c.name}.1").exists()]
    laboratory = "".join(p.read_text() for p in (ROOT / "report/mpt_report").rglob("*.py"))
    for page, words in (
        ("mpt", re.findall(r'add_parser\(\s*"(\w+)"', laboratory)),
        ("pvm", re.findall(r'^    \{"(\w+)", "', (ROOT / "src/pvm/console/commands.c").read_text(), re.M)),
    ):
        text = (commands / f"{page}.1").read_text()
        bad += [f"{page}.1 lacks {w}" for w in words if not re.search(rf"\bIc {w}\b", text)]
        if not words:
            bad.append(f"no commands of {page} found")
    return [b for b in bad if not b.startswith("mptsim ")]  # mpt's own


def listing_faults(cc: str) -> list[str]:
    """The prototypes that are written out are those of shmem.h: a compiler accepts both."""
    text = (build / "reference/shmem_prototypes.h").read_text().replace("#error", "// ")
    r = subprocess.run(
        [
            cc,
            "-fsyntax-only",
            "-Werror",
            "-x",
            "c",
            f"-I{ROOT / 'include'}",
            "-DSHMEM_NO_GENERICS",
            "-DSHMEM_NO_INLINE",
            "-",
        ],
        input=f"#include <shmem.h>\n{text}",
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    prototypes = len(re.findall(r"^[\w ]+[ *]\w+\(.*\);$", text, re.M))
    few = [f"only {prototypes} prototypes in the listing"] if prototypes < 1781 else []
    return r.stderr.splitlines() + few


if not shutil.which("groff"):
    print("no groff")
    sys.exit(77)
pages = sorted(p for p in functions.iterdir() if not p.is_symlink())
faults = function_faults(pages) + fortran_faults() + command_faults() + listing_faults(sys.argv[2])
for line in faults:
    print(line)
print(f"{len(pages)} pages, {len(faults)} faults")
sys.exit(bool(faults))
