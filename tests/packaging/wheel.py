# SPDX-License-Identifier: BSD-3-Clause
"""The wheel: built by packaging/wheel/build.py, small enough, for old C libraries; and in a clean virtual environment
each of its commands works, and so does mpi4py's wheel with no variable set. Status 77 where PyPI cannot be reached."""

import os
import pathlib
import shutil
import subprocess
import sys
import time
import zipfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "launch"))
import harness as h

WORK = h.BUILD / "external/wheel"
LIMIT_MIB, LIMIT_S = 25, 60
COMMANDS = (
    "mpiexec mpirun mptrun oshrun mpicc mpicxx mpic++ mpicc_abi mpicxx_abi oshcc oshc++ scc pvm mpt"
    + " mpifort mpif90 mpif77 oshfort" * (shutil.which("gfortran") is not None)
).split()
NO_NETWORK = ("Could not fetch URL", "No matching distribution", "Retrying (", "connection broken")
RING = h.SOURCE / "tests/packaging/ring.c"
RING_SAYS = ["0 got 3", "1 got 0", "2 got 1", "3 got 2"]


def build_wheel():
    """Its path."""
    done = subprocess.run(
        [sys.executable, h.SOURCE / "packaging/wheel/build.py", "--build", WORK / "build"],
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        if any(words in done.stderr for words in NO_NETWORK):
            print("skipped: PyPI cannot be reached")
            sys.exit(77)
        sys.exit(f"failed: the wheel is not built\n{done.stdout[-2000:]}{done.stderr[-4000:]}")
    return pathlib.Path(done.stdout.split()[-1])


def looked_at(wheel):
    size = wheel.stat().st_size / 2**20
    h.expect(size <= LIMIT_MIB, f"the wheel has {size:.1f} MiB, more than {LIMIT_MIB}")
    with zipfile.ZipFile(wheel) as held:
        names = held.namelist()
    h.expect(wheel.name.endswith("-manylinux_2_28_x86_64.whl") or os.uname().machine != "x86_64", wheel.name)
    h.expect(not [name for name in names if "__pycache__" in name], "no compiled Python goes along")
    words = [WORK / "build/tools/bin/python", h.SOURCE / "packaging/wheel/elf_check.py", WORK / "build/wheel"]
    h.expect(h.run([*words, "2.28"], limit=120).status == 0, "glibc 2.28 is enough")
    r = h.run([*words, "2.4"], limit=120)
    h.expect(r.status == 1 and "later than 2.4" in r.out, "the check finds versions that are too young", r)
    return size


class Environment:
    """A virtual environment, whose commands run as in a shell that activated it, with nothing else of ours."""

    def __init__(self, folder):
        shutil.rmtree(folder, ignore_errors=True)
        self.bin = folder / "bin"
        subprocess.run([sys.executable, "-m", "venv", folder], check=True)
        self.variables = {
            "PATH": f"{self.bin}:{os.environ['PATH']}",
            "LD_LIBRARY_PATH": None,
            "PYTHONPATH": None,
        }

    def run(self, *words, limit=120):
        return h.run([self.bin / words[0], *words[1:]], env=self.variables, limit=limit)

    def says(self, *words, limit=120):
        r = self.run(*words, limit=limit)
        h.expect(r.status == 0, f"{' '.join(map(str, words))}", r)
        return r.out

    def pip(self, *words):
        """Did it install?"""
        r = self.run("python", "-m", "pip", "--quiet", "--disable-pip-version-check", "install", *words, limit=600)
        return h.expect(r.status == 0 or any(text in r.err for text in NO_NETWORK), "pip install", r) and not r.status


def programs(env):
    """Without the network: what a user compiles."""
    program = h.SCRATCH / "program"
    env.says("oshcc", h.SOURCE / "examples/shmem/hello.c", "-o", program)
    out = env.says("oshrun", "-np", "3", program)
    h.expect(sorted(out.splitlines()) == [f"hello from PE {i} of 3" for i in range(3)], f"OpenSHMEM says {out!r}")
    env.says("scc", h.SOURCE / "examples/splitc/histogram.sc", "-o", program)
    h.expect("0 buckets are wrong" in env.says("mptrun", "-n", "2", program), "Split-C counts")
    env.says("mpicc", "-static", RING, "-o", program)
    h.expect(sorted(env.says("mpirun", "-n", "4", program).splitlines()) == RING_SAYS, "a static ring")
    if shutil.which("gfortran"):
        env.says("mpifort", h.SOURCE / "examples/mpi/cg.f90", "-o", program)
        h.expect("solved in" in env.says("mpiexec", "-n", "2", program), "Fortran's modules are there")
    if h.platform.machine() == "x86_64":
        env.says("mpicc", RING, "-o", program)
        r = env.run("mptrun", "--tasks", "-n", "4", program)
        h.expect(r.status == 1 and "has no tasks" in r.err, "tasks are refused, with the reason", r)
    if shutil.which("cmake"):
        built_by_cmake(env)


def built_by_cmake(env):
    folder = h.SCRATCH / "cmake"
    folder.mkdir()
    (folder / "CMakeLists.txt").write_text(
        "cmake_minimum_required(VERSION 3.16)\nproject(ring C)\nfind_package(mpt REQUIRED)\n"
        f"add_executable(ring {RING})\ntarget_link_libraries(ring mpt::mpi_abi)\n"
    )
    cmake, where = shutil.which("cmake"), f"-DCMAKE_PREFIX_PATH={env.bin.parent}"
    for words in (["-S", folder, "-B", folder / "b", where], ["--build", folder / "b"]):
        r = h.run([cmake, *words], env=env.variables, limit=120)
        h.expect(r.status == 0, "the CMake package", r)
    h.expect(sorted(env.says("mpiexec", "-n", "4", folder / "b/ring").splitlines()) == RING_SAYS, "a ring by CMake")


def main():
    WORK.mkdir(parents=True, exist_ok=True)
    wheel = build_wheel()
    size = looked_at(wheel)

    # Alone, from the file: nothing else is needed, but by the laboratory.
    began = time.monotonic()
    env = Environment(WORK / "alone")
    if not h.expect(env.pip("--no-index", "--no-deps", wheel), "the wheel installs"):
        h.finish()
    env.says("mpicc", RING, "-o", h.SCRATCH / "ring")
    out = env.says("mpiexec", "-n", "4", h.SCRATCH / "ring")
    seconds = time.monotonic() - began
    h.expect(sorted(out.splitlines()) == RING_SAYS, f"the ring says {out!r}")
    h.expect(seconds <= LIMIT_S, f"from nothing to the ring: {seconds:.0f} s, more than {LIMIT_S}")
    for name in COMMANDS:
        h.expect(os.access(env.bin / name, os.X_OK), f"{name} is there and can be run")
    h.expect((env.bin.parent / "share/man/man1/mptrun.1").exists(), "manual pages are there")
    programs(env)
    print(f"the wheel has {size:.1f} MiB; from nothing to a ring {seconds:.1f} s")

    # With what it asks for, and mpi4py's wheel, which finds the library by itself.
    began = time.monotonic()
    env = Environment(WORK / "all")
    if env.pip("--only-binary", ":all:", wheel, "mpi4py==4.1.2"):
        print(f"with the laboratory's packages, numpy and mpi4py {time.monotonic() - began:.1f} s")
        h.expect("laboratory" in env.says("mpt", "--help"), "mpt --help")
        env.says("mpt", "predict", "--case", "barrier", "--machine", "t3d")
        program = h.SOURCE / "tests/external/mpi4py_wheel.py"
        for n in 1, 2, 4:
            out = env.says("mpiexec", "-n", str(n), "python", program, str(n), env.bin.parent / "lib")
            h.expect(sorted(out.splitlines()) == [f"{i} of {n}" for i in range(n)], f"mpi4py says {out!r}")
    else:
        print("left out: mpt and mpi4py, as PyPI cannot be reached")
    h.finish()


if __name__ == "__main__":
    main()
