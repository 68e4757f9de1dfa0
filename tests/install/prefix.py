# SPDX-License-Identifier: BSD-3-Clause
"""An installation in a folder of its own: wrappers, launcher, pkg-config's files and man pages work from there, also
when the folder has been moved; shells complete options; and uninstalling leaves nothing."""

import os
import pathlib
import shutil
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "launch"))
import harness as h

ROOT = pathlib.Path(__file__).resolve().parents[2]
prefix, moved = h.SCRATCH / "prefix", h.SCRATCH / "moved"
RING, PARTS = ROOT / "tests/packaging/ring.c", ROOT / "packaging/deb/parts.py"


def told(*words, env=None):
    r = h.run(list(words), env=env, limit=120)
    h.expect(r.status == 0, f"{words}", r)
    return r.out


# The manifest of a real installation is another's: this one's is put aside.
manifest = h.BUILD / "install_manifest.txt"
before = manifest.read_text() if manifest.exists() else None
told(sys.argv[1], "--install", h.BUILD, "--prefix", prefix)
shutil.copy(manifest, h.SCRATCH / "manifest")
if before is not None:
    manifest.write_text(before)
else:
    manifest.unlink()
told(sys.executable, PARTS, h.SCRATCH / "manifest", prefix)  # Debian's packages: each file in one of them
(h.SCRATCH / "more").write_text(f"{prefix}/bin/mptrun\n{prefix}/bin/new\n{prefix}/share/doc/mpt/new.md\n")
r = h.run([sys.executable, PARTS, h.SCRATCH / "more", prefix])
h.expect(r.status == 1 and "/bin/new: in no package" in r.out and "new.md" not in r.out, "a file in no package", r)

commands = sorted(c.name for c in (prefix / "bin").iterdir())
h.expect({"mptrun", "mpt", "pvm", "scc", "oshcc", "mpicc"} <= set(commands), f"commands: {commands}")
for name in commands:
    h.expect((prefix / f"share/man/man1/{name}.1").exists(), f"the command {name} has a manual page")

shutil.move(prefix, moved)
told(moved / "bin/mpicc", RING, "-o", h.SCRATCH / "ring")
r = h.run([moved / "bin/mpiexec", "-n", 3, h.SCRATCH / "ring"])
h.expect(sorted(r.out.splitlines()) == ["0 got 2", "1 got 0", "2 got 1"], "a ring from the moved folder", r)
if shutil.which("pkg-config"):
    where = {"PKG_CONFIG_PATH": str(moved / "lib/pkgconfig")}
    for name, library in (
        ("mpi", "-lmpi_abi"),
        ("ompi-c", "-lmpi_abi"),
        ("mpi-fort", "-lmpifort_abi"),
        ("shmem", "-lmpt"),
    ):
        h.expect(library in told("pkg-config", "--cflags", "--libs", name, env=where), f"pkg-config's {name}")
for variable, wrapper in (("OMPI_CC", "mpicc"), ("MPICH_CXX", "mpicxx"), ("MPT_CC", "oshcc"), ("MPICC_CC", "mpicc")):
    shown = told(moved / "bin" / wrapper, "-show", "a.c", env={variable: "some-compiler"})
    h.expect(shown.startswith("some-compiler "), f"{wrapper} takes the compiler of {variable}: {shown}")
shown = told(moved / "bin/mpicc", "-show", "a.c", env={"MPICC_CC": "ours", "OMPI_CC": "theirs"})
h.expect(shown.startswith("ours "), f"our own variable counts first: {shown}")
flags = {"OMPI_CPPFLAGS": "-DA", "OMPI_CFLAGS": "-O2 -DB=1", "OMPI_CXXFLAGS": "-DC", "OMPI_LDFLAGS": "-Wl,-z,now"}
shown = told(moved / "bin/mpicc", "-show", "a.c", env=flags)
h.expect("include -DA -O2 -DB=1 " in shown and "-DC" not in shown and "-z,now -lmpi_abi" in shown, f"flags: {shown}")
shown = told(moved / "bin/mpicxx", "-showme:compile", env=flags)
h.expect(shown.endswith(" -DA -DC\n"), f"flags of another language are not C++'s: {shown}")

complete = (
    f"source {moved}/share/bash-completion/completions/mptrun; COMP_WORDS=({moved}/bin/mptrun --check-r); "
    'COMP_CWORD=1; _mptrun; echo "${COMPREPLY[@]}"'
)
h.expect(told("bash", "-c", complete) == "--check-report\n", "bash completes an option")
# Options that take values, and both names of one.
path = {"PATH": f"{moved}/bin:{os.environ['PATH']}"}
if shutil.which("fish"):
    data = {**path, "XDG_DATA_DIRS": f"{moved}/share"}
    for name in ("mptrun", "mpiexec", "mpirun", "oshrun"):
        found = [line.split("\t")[0] for line in told("fish", "-c", f"complete -C '{name} -'", env=data).splitlines()]
        h.expect({"--tasks", "-np", "-n", "--quiet", "-env"} <= set(found), f"fish completes {name}'s options: {found}")
if shutil.which("zsh"):
    script = f"_describe() {{ print -rl -- $options }}; . {moved}/share/zsh/site-functions/_mptrun"
    script = f"f() {{ words=(mptrun -); CURRENT=2; {script} }}; f"
    found = [line.split(":")[0] for line in told("zsh", "-fc", script, env=path).splitlines()]
    h.expect({"--tasks", "-np", "-n", "--quiet", "-env"} <= set(found), f"zsh completes options: {found}")
lmod = pathlib.Path("/usr/share/lmod/lmod/libexec/lmod")
if lmod.exists():
    env = {"MODULEPATH": str(moved / "share/modulefiles"), "MANPATH": None}
    text = told(lmod, "bash", "--ignore_cache", "load", "mpt", env=env)
    h.expect(f"MPT_HOME={moved};" in text, "the module finds its folder")
    h.expect(f"MANPATH={moved}/share/man::;" in text, "and leaves the system's pages")
if shutil.which("meson"):
    (h.SCRATCH / "meson.build").write_text(
        "project('ring', 'c')\nexecutable('ring', 'ring.c', dependencies: dependency('mpi', language: 'c'))\n"
    )
    shutil.copy(RING, h.SCRATCH / "ring.c")
    env = {**path, "PKG_CONFIG_PATH": str(moved / "lib/pkgconfig")}
    text = told("meson", "setup", h.SCRATCH / "meson", h.SCRATCH, env=env)
    h.expect("Run-time dependency MPI for c found: YES" in text, f"Meson finds MPI: {text}")
    told("meson", "compile", "-C", h.SCRATCH / "meson")
    r = h.run([moved / "bin/mpiexec", "-n", 2, h.SCRATCH / "meson/ring"])
    h.expect(sorted(r.out.splitlines()) == ["0 got 1", "1 got 0"], "a ring that Meson built runs with this one", r)
for page in (
    *("man/man1/mptrun.1", "man/man1/mpicc.1", "man/man3/MPI_Send.3", "man/man3/shmem_int_put.3"),
    *("doc/mpt/mpi.md", "doc/mpt/reference/mpi/point-to-point.md", "doc/mpt/shmem_prototypes.h"),
    *("doc/mpt/examples", "modulefiles/mpt"),
):
    h.expect((moved / "share" / page).exists(), f"{page} is there")

shutil.move(moved, prefix)
subprocess.run([ROOT / "tools/uninstall.sh", h.SCRATCH / "manifest"], check=True, stdout=subprocess.DEVNULL)
h.expect(not prefix.exists(), f"left behind: {[str(p) for p in list(prefix.rglob('*'))[:5]]}")
h.expect(h.SCRATCH.is_dir(), "folders that hold other files stay")
h.finish()
