# SPDX-License-Identifier: BSD-3-Clause
"""The RPM packages: built here without asking for Fedora's packages,
laid into a folder, each holds what it should, and a program compiles and runs from there."""

import os
import pathlib
import shutil
import subprocess

import common

h = common.h
WORK = common.WORK / "rpm"
SPEC = h.SOURCE / "packaging/rpm/mpt.spec"
# What each package has, below the module's folder or elsewhere; and what it has not.
HOLDS = {
    "libs": (["lib/libmpi_abi.so.1", "lib/libmpi.so.12", "lib/libmpt.so.0"], ["bin/mptrun", "include", "lib/libmpt.a"]),
    "tools": (["bin/mpiexec", "bin/pvm", "share/man/man1/mptrun.1"], ["bin/mpicc", "bin/mpt"]),
    "devel": (["bin/mpicc", "include/mpi.h", "lib/libmpt.so", "share/man/man3"], ["bin/mptrun", "lib/libmpt.so.0"]),
    "lab": (["bin/mpt", "share/mpt/report", "libexec/mpt/mptsim"], ["bin/mpicc"]),
}


def said(*words, **more):
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True, check=False, **more)
    if done.returncode:
        raise SystemExit(f"failed: {words[0]}: {done.stdout[-3000:]}{done.stderr[-3000:]}")
    return done.stdout


def built():
    """The packages by their last names."""
    (WORK / "SOURCES").mkdir(parents=True, exist_ok=True)
    source, _ = common.archive(WORK)
    shutil.copy(source, WORK / "SOURCES")
    shutil.rmtree(WORK / "RPMS", ignore_errors=True)
    settings = {"_topdir": WORK, "debug_package": "%{nil}", "_smp_mflags": f"-j{os.cpu_count()}"}
    words = [word for name, value in settings.items() for word in ("--define", f"{name} {value}")]
    said("rpmbuild", "-ba", "--nodeps", "--without", "bench", *words, SPEC)
    return {path.name.split("-")[1]: path for path in (WORK / "RPMS").rglob("*.rpm")}


def laid_out(packages):
    root = h.SCRATCH / "root"
    root.mkdir()
    said("rpm", "--root", root, "--initdb")
    said("rpm", "--root", root, "--nodeps", "--noscripts", "-i", *packages.values())
    return root


def contents(packages):
    h.expect(set(packages) == set(HOLDS), f"packages: {sorted(packages)}")
    for name, (there, missing) in HOLDS.items():
        files = said("rpm", "-qlp", packages[name]).split()
        for one in there:
            h.expect(any(f"/mpt/{one}" in path for path in files), f"{name} holds {one}")
        for one in missing:
            h.expect(not any(path.endswith(f"/mpt/{one}") for path in files), f"{name} does not hold {one}")
        provided = said("rpm", "-qp", "--provides", packages[name])
        h.expect("libmpi.so" not in provided, f"{name} offers nobody libraries by name: {provided}")
    twice = [path for package in packages.values() for path in said("rpm", "-qlp", package).split()]
    files = {path for path in twice if twice.count(path) > 1 and not path.endswith(("/mpt", "/.build-id"))}
    h.expect(not files, f"in two packages: {sorted(files)[:5]}")


def used(root):
    (home,) = root.glob("usr/lib*/mpt")
    (module,) = root.glob("usr/share/modulefiles/mpi/mpt-*")
    h.expect(f"prepend-path PATH /{home.relative_to(root)}/bin" in module.read_text(), "the module names the folder")
    h.expect((root / "usr/share/doc/mpt/README.md").exists(), "pages are there")
    (h.SCRATCH / "ring.c").write_text(common.RING)
    said(home / "bin/mpicc", h.SCRATCH / "ring.c", "-o", h.SCRATCH / "ring")
    r = h.run([home / "bin/mpiexec", "-n", 4, h.SCRATCH / "ring"])
    h.expect(sorted(r.out.splitlines()) == common.RING_SAYS, "a ring", r)
    lmod = pathlib.Path("/usr/share/lmod/lmod/libexec/lmod")
    if lmod.exists():  # it reads modules of both kinds
        env = {**os.environ, "MODULEPATH": str(module.parents[1])}
        text = said(lmod, "bash", "--ignore_cache", "load", f"mpi/{module.name}", env=env)
        h.expect("MPI_HOME" in text, "Lmod loads the module")


def main():
    common.need("rpm", "rpmbuild")
    packages = built()
    contents(packages)
    used(laid_out(packages))
    h.finish()


if __name__ == "__main__":
    main()
