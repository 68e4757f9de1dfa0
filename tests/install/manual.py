# SPDX-License-Identifier: BSD-3-Clause
"""The manual pages that were built: all of them are rendered without a warning, links lead to pages, and a few pages are
found under the names that programs use and say what they should."""

import pathlib
import shutil
import subprocess
import sys

folder = pathlib.Path(sys.argv[1]) / "reference/man3"
pages = sorted(p for p in folder.iterdir() if not p.is_symlink())
links = [p for p in folder.iterdir() if p.is_symlink()]
bad = [f"{p.name} leads nowhere" for p in links if not p.exists()]
if not shutil.which("groff"):
    print("no groff")
    sys.exit(77)


def rendered(*files: pathlib.Path) -> tuple[str, str]:
    r = subprocess.run(
        ["groff", "-mdoc", "-ww", "-Tutf8", "-P-cbou", *files], capture_output=True, text=True, check=False, timeout=60
    )
    return " ".join(r.stdout.split()), r.stderr


for i in range(0, len(pages), 50):
    bad += rendered(*pages[i : i + 50])[1].splitlines()

SAYS = {
    "shmem_int_put": [
        "shmem_ctx_TYPE_put(shmem_ctx_t ctx, TYPE *dest",
        "double, longdouble (long double)",
        "section 9.6",
    ],
    "shmem_wait_until": ["SHMEM_CMP_GE", "woken by the PE"],
    "MPI_Send_c": ["MPI_Send_c(const void *buf, MPI_Count count", "MPI_ERR_RANK", "section 3.2.1"],
    "MPI_Comm_create_keyval": ["typedef int MPI_Comm_copy_attr_function(", "MPI_COMM_NULL_COPY_FN"],
    "pvm_pkint": ["pvm_pkint(int *p, int count, int stride)", "PvmNoBuf"],
    "am_request_1": ["am_word a", "am_poll"],
    "all_reduce_to_all_dadd": ["all_reduce_to_all_OP(TYPE value)", "processor 0"],
    "bl_transpose": ["b[j * ldb + i]"],
    "mptm_vexp": ["libmvec"],
}
for name, texts in SAYS.items():
    page = folder / f"{name}.3"
    text = rendered(page)[0] if page.exists() else ""
    bad += [f"{name}: does not say: {t}" for t in texts if t not in text]
for line in bad:
    print(line)
print(f"{len(pages)} pages, {len(links)} links, {len(bad)} faults")
sys.exit(bool(bad))
