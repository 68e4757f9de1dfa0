# SPDX-License-Identifier: BSD-3-Clause
"""Debian's packages: built where nothing but their Build-Depends is, looked at by lintian, and used on a system with
Open MPI, MPICH and PVM. They change no default, work under their own names and as alternatives, and leave nothing.
Status 77 without root, debootstrap or Debian's mirror. Argument: a folder with packages, which then are not built."""

import os
import pathlib
import re
import shutil
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "packaging/deb"))
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "launch"))
import build
import debian_root as debian

import harness as h

WORK = h.BUILD / "external/deb"
PACKAGES = ("libmpt0", "libmpt-dev", "mpt-tools", "mpt-lab", "mpt-doc")
OTHERS = "openmpi-bin libopenmpi-dev mpich libmpich-dev pvm pvm-dev"
TOOLS = "gcc g++ gfortran make cmake pkg-config man-db dpkg-dev"
# What the packages depend on is there before, so that what they leave can be told.
NEEDED = "python3-jinja2 python3-numpy python3-plotly python3-rich libopenblas0 liburing2"
APT = "apt-get -q -y -o Acquire::Retries=3 -o Dpkg::Options::=--force-unsafe-io -o APT::Install-Recommends=false"
T = "x86_64-linux-gnu"
HOME = f"/usr/lib/{T}/mpt"
RING = "/source/tests/packaging/ring.c"
RING_SAYS = ["0 got 3", "1 got 0", "2 got 1", "3 got 2"]
NOBODY = "nobody"
# Where packages leave what they are not asked to take away.
VOLATILE = re.compile(
    r"\./(var/(cache|log)|var/lib/(apt|dpkg|systemd)|etc/ld\.so\.cache|root|tmp|debs|source|run)(/|$)"
)


class System(debian.Root):
    def does(self, script, user="root", limit=120):
        r = h.run(self.command(script, user), limit=limit)
        h.expect(r.status == 0, script, r)
        return r.out

    def is_alternative(self, group, path):
        shown = self.does(f"update-alternatives --query {group}")
        h.expect(f"\nValue: {path}\n" in shown, f"{group} is {path}: {shown[:400]}")

    def files(self):
        listed = self.does("cd / && find . -xdev \\( -path ./proc -o -path ./sys -o -path ./dev \\) -prune -o -print")
        alternatives = self.does("cd /var/lib/dpkg/alternatives && grep -H . *")
        return {name for name in listed.splitlines() if not VOLATILE.match(name)} | set(alternatives.splitlines())


def built(base):
    """A folder with the packages, which were built where nothing but what they ask for is."""
    debs = WORK / "debs"
    shutil.rmtree(debs, ignore_errors=True)
    build.copy_tree(debs / "mpt")
    system = System(WORK / "build", [base], {"/debs": debs})
    system.does(f"{APT} update && {APT} install build-essential && {APT} build-dep /debs/mpt", limit=1200)
    system.does(
        f"cd /debs/mpt && DEB_BUILD_OPTIONS=noautodbgsym dpkg-buildpackage -b -us -uc -j{os.cpu_count()}",
        limit=2700,
    )
    for package in debs.glob("*.deb"):
        needs = system.does(f"dpkg-deb -f /debs/{package.name} Depends Pre-Depends")
        exact = re.findall(r"libc6 \((?!>=)[^)]*\)", needs)
        h.expect(not exact, f"{package.name} depends on one release of glibc: {exact}")
    system.does(f"{APT} install lintian", limit=600)
    system.does(f"cd /debs && {' '.join(build.LINTIAN)} --allow-root *.changes", limit=600)
    return debs


def repository(system):
    system.does("cd /debs && dpkg-scanpackages -m . > Packages")


def installed(system):
    """Open MPI, MPICH and PVM stay what they were; every package comes from a repository, as a user's would."""
    system.does(f"{APT} update && {APT} install {OTHERS} {TOOLS} {NEEDED}", limit=1200)
    repository(system)
    before = system.files()
    system.does("echo 'deb [trusted=yes] file:/debs ./' > /etc/apt/sources.list.d/mpt.list")
    system.does(f"{APT} update && {APT} install {' '.join(PACKAGES)}", limit=300)
    for group, path in (("mpi", "/usr/bin/mpicc.openmpi"), ("mpirun", "/usr/bin/mpirun.openmpi")):
        system.is_alternative(group, path)
    system.is_alternative(f"libmpi_abi.so.1-{T}", f"{HOME}/lib/libmpi_abi.so.1")
    return before


def says_ring(system, compiler, launch, flags=""):
    script = f"cd /tmp && rm -f ring && {compiler} {RING} -o ring {flags} && {launch} ./ring"
    out = system.does(script, NOBODY)
    h.expect(sorted(out.splitlines()) == RING_SAYS, f"{script}: {out!r}")


def by_own_names(system):
    says_ring(system, "mpicc.mpt", "mpirun.mpt -np 4")
    says_ring(system, "mpicc.mpt", "mptrun -n 4", "-static")
    says_ring(system, "mpicc.mpt", "mptrun --tasks -n 4")
    for compiler, source, launch, words in (
        ("oshcc.mpt", "shmem/hello.c", "oshrun.mpt -np 3", "hello from PE 2 of 3"),
        ("oshfort.mpt", "shmem/pi.f90", "oshrun.mpt -np 2", "3.14"),
        ("mpicxx.mpt", "mpi/farm.cc", "mpiexec.mpt -n 3", ""),
        ("mpifort.mpt", "mpi/cg.f90", "mpiexec.mpt -n 2", "solved in"),
        ("scc.mpt", "splitc/histogram.sc", "mptrun -n 2", "0 buckets are wrong"),
        ("cc", "pvm/primes.c", "env", "78498"),
    ):
        flags = f"$(PKG_CONFIG_PATH={HOME}/lib/pkgconfig pkg-config --cflags --libs pvm3)" if compiler == "cc" else ""
        out = system.does(f"cd /tmp && {compiler} /source/examples/{source} -o a {flags} && {launch} ./a", NOBODY)
        h.expect(words in out, f"{source}: {out!r}")
    out = system.does("cd /tmp && printf 'conf\\nhalt\\n' | pvm.mpt", NOBODY)
    h.expect("1 host, 1 data format" in out, f"PVM's console: {out!r}")


def by_build_systems(system):
    hello = "/source/examples/shmem/hello.c"
    out = system.does(f"cd /tmp && cc {hello} -o a $(pkg-config --cflags --libs mpt) && NPES=2 ./a", NOBODY)
    h.expect("hello from PE 1 of 2" in out, f"pkg-config mpt: {out!r}")
    (system.upper / "tmp/c").mkdir(parents=True)
    (system.upper / "tmp/c/CMakeLists.txt").write_text(
        "cmake_minimum_required(VERSION 3.16)\nproject(ring C)\nfind_package(mpt REQUIRED)\n"
        f"add_executable(ring {RING})\ntarget_link_libraries(ring mpt::mpi_abi)\n"
    )
    system.does("cd /tmp/c && cmake -B b && cmake --build b")
    out = system.does("mptrun -n 4 /tmp/c/b/ring", NOBODY)
    h.expect(sorted(out.splitlines()) == RING_SAYS, f"a ring by CMake: {out!r}")


def as_alternatives(system):
    """As a user chooses it; also programs that name no library of ours, and those of MPICH's wrapper."""
    choose = "update-alternatives --set mpi /usr/bin/mpicc.{0} && update-alternatives --set mpirun /usr/bin/mpirun.{0}"
    system.does(f"{choose.format('mpt')} && update-alternatives --set mpi-{T} {HOME}/include")
    for name in "mpicc", "mpic++", "mpicxx", "mpiCC", "mpif77", "mpif90", "mpifort":
        h.expect("(MPT)" in system.does(f"{name} --showme:version"), f"{name} is ours")
    says_ring(system, "mpicc", "mpirun -np 4")
    says_ring(system, f"cc -I/usr/include/{T}/mpi", "mpiexec -n 4", "-lmpi")
    says_ring(system, "cc", "mpiexec -n 4", "$(pkg-config --cflags --libs mpi)")
    says_ring(system, "mpicc.mpich", f"env LD_LIBRARY_PATH={HOME}/lib mptrun -n 4")
    h.expect("mpicc.mpt.1" in system.does("readlink -f /usr/share/man/man1/mpicc.1.gz"), "and its page")
    system.does(f"{choose.format('openmpi')} && update-alternatives --auto mpi-{T}")
    h.expect("Open MPI" in system.does("mpicc --showme:version"), "Open MPI's again")
    system.does(choose.format("mpt"))


def laboratory(system):
    h.expect("predict" in system.does("mpt --help", NOBODY), "mpt --help")
    system.does("mpt predict --case barrier --machine t3d", NOBODY)
    h.expect("pingpong" in system.does("mpt bench --list", NOBODY), "the laboratory has its programs")
    system.does(
        f"cd /tmp && mptrun --trace t -n 2 {HOME}/libexec/mpt/bench/mpi_hello && mpt trace t && rm -r t", NOBODY
    )
    for page in "1 mptrun", "1 oshcc.mpt", "3mpt MPI_Send", "3mpt shmem_int_put", "3mpt pvm_spawn", "7mpt shmem":
        h.expect("mpt" in system.does(f"man -w {page}", NOBODY), f"man {page}")


def taken_away(system, before):
    """The same version again, as an upgrade; then all of it goes."""
    system.does(f"{APT} install --reinstall {' '.join(PACKAGES)} && dpkg --install /debs/*.deb", limit=300)
    system.is_alternative("mpi", "/usr/bin/mpicc.mpt")
    says_ring(system, "mpicc", "mpirun -np 4")
    system.does(f"{APT} remove {' '.join(PACKAGES)}", limit=300)
    system.is_alternative("mpi", "/usr/bin/mpicc.openmpi")
    system.does(f"{APT} purge {' '.join(PACKAGES)}", limit=300)
    system.does("rm /etc/apt/sources.list.d/mpt.list")
    h.expect("mpt" not in re.findall(r"\w+", system.does("dpkg-query -W -f '${Package}\\n'")), "no package is left")
    after = system.files()
    h.expect(after == before, f"left: {sorted(after - before)[:20]}; gone: {sorted(before - after)[:20]}")


def main():
    if h.platform.machine() != "x86_64":
        debian.skip("tried on x86-64 only")
    WORK.mkdir(parents=True, exist_ok=True)
    base = debian.base(WORK)
    debs = pathlib.Path(sys.argv[1]).resolve() if len(sys.argv) > 1 else built(base)
    if h.failures:
        h.finish()
    system = System(WORK / "use", [base], {"/source": h.SOURCE, "/debs": debs})
    before = installed(system)
    for step in by_own_names, by_build_systems, as_alternatives, laboratory:
        step(system)
    taken_away(system, before)
    h.finish()


if __name__ == "__main__":
    main()
