# SPDX-License-Identifier: BSD-3-Clause
"""From an installation (`cmake --install`) to the folder that `wheel pack` makes a wheel of.

A wheel holds no symbolic links. A shared library has its file under the name that programs ask for (libmpi.so.12) and a
copy under the one that linkers ask for (libmpi.so), which has the same name inside: what is linked with it, or finds it
loaded, cannot tell. The launcher is copied under each of its names. A manual page's other names are files that
name it (`.so`).
"""

import re
import shutil
import tomllib
from pathlib import Path

NAME = "mpt-toolkit"
PYTHON = ">=3.8"
LABORATORY_PYTHON = "3.11"
# What the wheel does without: `mpt` is an entry point, its package in site-packages; gdb looks beside libraries, too.
LEFT_OUT = ("bin/mpt", "share/mpt/report", "share/gdb", "lib/libmpi_abi_fort.so", "lib/libmpi_abi_fort.so.1")
METADATA = """Metadata-Version: 2.4
Name: {name}
Version: {version}
Summary: MPI, OpenSHMEM, PVM and Split-C on one runtime: launcher, compiler wrappers and libraries
License-Expression: BSD-3-Clause
License-File: LICENSE
Requires-Python: {python}
Keywords: mpi,openshmem,pvm,split-c,message passing,parallel
Classifier: Operating System :: POSIX :: Linux
Classifier: Programming Language :: C
Classifier: Topic :: System :: Distributed Computing
Description-Content-Type: text/markdown
{requires}
{description}"""


def without_links(prefix: Path) -> None:
    """Each library under two names at most, and no links."""
    renamed = {}
    for link in sorted((prefix / "lib").glob("lib*.so.*")):
        real = link.resolve()
        if link.is_symlink() and real.exists():
            link.unlink()
            real.rename(link)
            renamed[real.name] = link.name
    for link in sorted(path for path in prefix.rglob("*") if path.is_symlink()):
        to = link.readlink().name
        link.unlink()
        if link.parent.parent.name == "man":
            link.write_text(f".so {link.parent.name}/{to}\n")
        else:
            shutil.copy2(link.parent / renamed.get(to, to), link)
    for old, new in renamed.items():
        for file in (prefix / "lib/cmake/mpt").glob("mptTargets-*.cmake"):
            file.write_text(file.read_text().replace(f"/{old}", f"/{new}"))
        script = prefix / "lib" / f"{old}-gdb.py"
        if script.exists():
            script.rename(prefix / "lib" / f"{new}-gdb.py")


def left_out(prefix: Path) -> None:
    for name in LEFT_OUT:
        path = prefix / name
        if path.is_dir():
            shutil.rmtree(path)
        else:
            path.unlink(missing_ok=True)


def metadata(source: Path, version: str) -> str:
    project = tomllib.loads((source / "report/pyproject.toml").read_text())["project"]
    marker = f'python_version >= "{LABORATORY_PYTHON}"'
    requires = "".join(f"Requires-Dist: {one}; {marker}\n" for one in project["dependencies"])
    text = (source / "packaging/wheel/README.md").read_text()
    text = re.sub(r"<!--.*?-->\n", "", text, flags=re.S)
    return METADATA.format(name=NAME, version=version, python=PYTHON, requires=requires, description=text)


def lay_out(prefix: Path, source: Path, root: Path, version: str, tag: str) -> None:
    """Moves the installation in `prefix` into the wheel's folder `root`."""
    stem = f"{NAME.replace('-', '_')}-{version}"
    shutil.rmtree(root, ignore_errors=True)
    shutil.copytree(prefix / "share/mpt/report/mpt_report", root / "mpt_report")
    shutil.copy(source / "packaging/wheel/mpt_toolkit.py", root)
    left_out(prefix)
    without_links(prefix)
    data = root / f"{stem}.data"
    data.mkdir()
    shutil.move(prefix, data / "data")
    info = root / f"{stem}.dist-info"
    (info / "licenses").mkdir(parents=True)
    shutil.copy(source / "LICENSE", info / "licenses")
    (info / "METADATA").write_text(metadata(source, version))
    (info / "entry_points.txt").write_text("[console_scripts]\nmpt = mpt_toolkit:mpt\n")
    (info / "WHEEL").write_text(f"Wheel-Version: 1.0\nGenerator: {NAME}\nRoot-Is-Purelib: false\nTag: py3-none-{tag}\n")
