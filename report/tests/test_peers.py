# SPDX-License-Identifier: BSD-3-Clause
"""Other libraries: told apart by their launchers, started as their users would, with compilers of their own."""

import os
from pathlib import Path

import pytest

from mpt_report.drive import peers, plan, programs
from test_drive import executable

BENCH = Path(__file__).resolve().parents[2] / "bench"


def install(prefix, says):
    executable(prefix / "bin/mpiexec", f"#!/bin/sh\necho '{says}'\n")
    executable(
        prefix / "bin/mpicc", '#!/bin/sh\nwhile [ "$1" != -o ]; do shift; done\necho "#!/bin/sh" >"$2"; chmod +x "$2"\n'
    )
    return prefix


def test_launcher_says_whose_it_is(tmp_path):
    mpich, openmpi = install(tmp_path / "a", "HYDRA build details:"), install(tmp_path / "b", "mpiexec (Open MPI) 5.0")
    kinds = {kind.name: kind for kind in peers.KINDS}
    both = os.pathsep.join(str(one / "bin") for one in (mpich, openmpi))
    assert peers.launcher_of(kinds["openmpi"], both) == str(openmpi / "bin/mpiexec")
    assert peers.launcher_of(kinds["mpich"], both) == str(mpich / "bin/mpiexec")
    assert peers.compilers_of(kinds["mpich"], str(mpich / "bin/mpiexec")) == {"MPI": str(mpich / "bin/mpicc")}
    with pytest.raises(peers.PeerError, match="mpich: none of"):
        peers.mpi_library(kinds["mpich"], openmpi)


def test_jobs_are_bound_while_there_are_cores(tmp_path, monkeypatch):
    monkeypatch.setattr(plan, "cores", lambda: 2)
    kind = next(kind for kind in peers.KINDS if kind.name == "openmpi")
    library, _ = peers.mpi_library(kind, install(tmp_path, "Open MPI"))
    assert library.start(2, Path("/p"))[1:] == ("--allow-run-as-root", "--bind-to", "core", "-n", "2", "/p")
    assert library.start(3, Path("/p"))[1:] == (
        "--allow-run-as-root",
        "--map-by",
        ":OVERSUBSCRIBE",
        "--bind-to",
        "none",
        "-n",
        "3",
        "/p",
    )


def test_programs_are_built_once_and_anew_after_a_change(tmp_path):
    wanted = [program for program in programs.load() if program.name == "mpi_put"]
    prefix, folder = install(tmp_path / "mpich", "HYDRA"), tmp_path / "out"
    library, problems = peers.prepare("mpich", prefix, BENCH, folder, wanted)
    assert problems == [] and library.program("mpi_put") == folder / "mpi_put"
    assert library.speaks(wanted[0]) and not library.speaks(programs.named("barrier"))
    (folder / "mpi_put").write_text("as built", encoding="utf-8")
    peers.prepare("mpich", prefix, BENCH, folder, wanted)
    assert (folder / "mpi_put").read_text() == "as built"  # nothing changed
    (folder / ".built-MPI").unlink()
    peers.prepare("mpich", prefix, BENCH, folder, wanted)
    assert (folder / "mpi_put").read_text() != "as built"


def test_programs_that_an_earlier_run_did_not_want_are_built(tmp_path):
    prefix, folder = install(tmp_path / "mpich", "HYDRA"), tmp_path / "out"
    first, more = (programs.named(name) for name in ("mpi_put", "mpi_launch_many"))
    peers.prepare("mpich", prefix, BENCH, folder, [first])
    assert not (folder / "launch").exists()
    peers.prepare("mpich", prefix, BENCH, folder, [first, more])
    assert (folder / "launch").exists()


def test_compiler_that_fails_is_told_and_leaves_no_stamp(tmp_path):
    prefix = install(tmp_path / "mpich", "HYDRA")
    executable(prefix / "bin/mpicc", "#!/bin/sh\necho broken >&2; exit 1\n")
    wanted = [program for program in programs.load() if program.name == "mpi_put"]
    _, problems = peers.prepare("mpich", prefix, BENCH, tmp_path / "out", wanted)
    assert len(problems) == 1 and "the compiler failed" in problems[0]
    assert "broken" in (tmp_path / "out/build.log").read_text()
    assert not (tmp_path / "out/.built-MPI").exists()


def test_row_with_sources_is_built_with_the_common_ones(tmp_path):
    row = programs.parse(
        '[[program]]\nname="x"\nfile="part/x_mpi"\npes=0\nseconds={quick=1,full=1}\nlibrary="MPI"\n'
        'tests=["t"]\nsources=["part/x_mpi.c", "part/grid.c"]\n',
        "part",
    )[0]
    words = peers.extra_words(BENCH, row, "/cc", tmp_path, ["-Lfolder"])
    assert words[words.index("-o") + 1] == str(tmp_path / "x_mpi")
    assert {str(BENCH / "part/x_mpi.c"), str(BENCH / "part/grid.c"), str(BENCH / "common/sampler.c")} <= set(words)
    assert str(BENCH / "common/job.c") not in words


def test_pvm_needs_its_daemon_and_headers(tmp_path):
    with pytest.raises(peers.PeerError, match=r"no pvmd with pvm3\.h"):
        peers.pvm_library(tmp_path)
    executable(tmp_path / "usr/bin/pvmd", "#!/bin/sh\nsleep 60\n")
    (tmp_path / "usr/include").mkdir(parents=True)
    (tmp_path / "usr/include/pvm3.h").write_text("")
    library, compilers, flags = peers.pvm_library(tmp_path)
    assert library.start(4, Path("/p")) == ("/p", "--tasks", "4")
    assert library.environment["PVM_ROOT"] == str(tmp_path / "usr/lib/pvm3")
    assert f"-I{tmp_path / 'usr/include'}" in flags and set(compilers) == {"PVM"}


def test_daemon_of_its_own_ends_with_the_run(tmp_path):
    path = executable(tmp_path / "pvmd", '#!/bin/sh\ntouch "$PVM_TMP/pvmd.0"; exec sleep 60\n')
    library = plan.Library("pvm", tmp_path, (), {"PVM_DAEMON": str(path)})
    with peers.daemon(library) as told:
        scratch = Path(told.environment["HOME"])
        assert (scratch / "pvmd.0").exists()
    assert not scratch.exists()
    dead = executable(tmp_path / "dead", "#!/bin/sh\nexit 3\n")
    fails = peers.daemon(plan.Library("pvm", tmp_path, (), {"PVM_DAEMON": str(dead)}))
    with pytest.raises(peers.PeerError, match="ended with status 3"), fails:
        pass
