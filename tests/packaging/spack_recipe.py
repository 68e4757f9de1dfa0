# SPDX-License-Identifier: BSD-3-Clause
"""Spack's recipe: read and carried out with a stub of Spack's interface (spack_stub.py), and looked at by Spack itself
where `spack` is on the path. Its directives name what it uses, its settings are ones that CMake's files know, and with
an installation as its prefix its own tests pass. Usage: spack_recipe.py [CMAKE]; with CMAKE they run."""

import os
import pathlib
import re
import shutil
import subprocess
import sys

import common
import spack_stub

h = common.h
REPOSITORY = h.SOURCE / "packaging/spack/spack_repo/mpt"
RECIPE = REPOSITORY / "packages/mpt_toolkit/package.py"
TO_CMAKE = {"hwloc": "MPT_HAVE_HWLOC", "libfabric": "MPT_OFI_INCLUDE", "pmix": "MPT_PMIX_INCLUDE"}
TO_CMAKE |= {"elfutils": "MPT_DW_INCLUDE", "fortran": "MPT_FORTRAN", "bench": "MPT_BENCH"}


def known_to_cmake():
    files = [h.SOURCE / "CMakeLists.txt", h.SOURCE / "tools/wrapper/CMakeLists.txt"]
    return set(re.findall(r"\b(?:MPT|CMAKE)_\w+", "".join(file.read_text() for file in files)))


def directives():
    of = {}
    for name, words, more in spack_stub.said:
        of.setdefault(name, []).append((words, more))
    variants = {words[0] for words, _ in of["variant"]}
    h.expect(variants == {*TO_CMAKE, "lab"}, f"variants: {variants}")
    h.expect(all(more.get("description") for _, more in of["variant"]), "each variant is described")
    conditions = {word for held in of.values() for _, more in held for word in re.findall(r"[+~](\w+)", more["when"])}
    h.expect(conditions <= variants, f"conditions name variants: {conditions}")
    h.expect(("mpi@:5.0",) in [words for words, _ in of["provides"]], "it provides MPI")
    now = re.search(r'MPT_VERSION "(.*)"', (h.SOURCE / "include/mpt/version.h").read_text())[1]
    h.expect([words[0] for words, _ in of["version"]] == [now], "the version is ours")
    asked = {words[0].partition("@")[0] for words, more in of["depends_on"] if more["when"] == "+lab"}
    wanted = re.search(r"\ndependencies = \[(.*)\]", (h.SOURCE / "report/pyproject.toml").read_text())[1]
    names = {f"py-{name}" for name in re.findall(r'"([\w-]+)', wanted)}
    h.expect(names <= asked, f"the laboratory's packages: {names - asked} missing")


def settings(package):
    known = known_to_cmake()
    for variant, variable in TO_CMAKE.items():
        for chosen in True, False:
            args = dict(re.findall(r"-D(\w+):\w+=(.*)", "\n".join(package(**{variant: chosen}).cmake_args())))
            h.expect(set(args) <= known, f"CMake's files know no {set(args) - known}")
            off = args.get(variable) == "OFF"
            h.expect(off != chosen, f"{variant} {chosen}: {variable} is {args.get(variable)}")
    h.expect(args["MPT_WRAPPER_CC"] == "/usr/bin/gcc", "the wrappers call the compiler itself")


def environments(package):
    env = spack_stub.EnvironmentModifications()
    package("/p").setup_run_environment(env)
    h.expect(env.values["MPICC"] == "/p/bin/mpicc" and env.values["MPIF90"] == "/p/bin/mpif90", f"{env.values}")
    env = spack_stub.EnvironmentModifications()
    package("/p", fortran=False).setup_run_environment(env)
    h.expect("MPIF90" not in env.values, "no Fortran, no wrapper of it")
    module = type(sys)("dependent")
    module.spack_cc, module.spack_cxx = "/spack/cc", "/spack/c++"
    spec = type("Spec", (), {"package": type("Package", (), {"module": module})})
    package("/p").setup_dependent_build_environment(env, spec)
    h.expect(
        env.values["MPT_CC"] == "/spack/cc" and "MPT_FC" not in env.values, "others are built by Spack's compilers"
    )


def installed(package, cmake):
    """The recipe's own tests, with an installation of this build."""
    prefix = h.SCRATCH / "prefix"
    manifest = h.BUILD / "install_manifest.txt"
    before = manifest.read_text() if manifest.exists() else None
    done = h.run([cmake, "--install", h.BUILD, "--prefix", prefix], limit=120)
    h.expect(done.status == 0, "an installation", done)
    if before is None:
        manifest.unlink(missing_ok=True)
    else:
        manifest.write_text(before)
    for name in package.sanity_check_is_file:
        h.expect((prefix / name).is_file(), f"{name} is a file")
    for name in package.sanity_check_is_dir:
        h.expect((prefix / name).is_dir(), f"{name} is a folder")
    h.expect(package.determine_version(str(prefix / "bin/mptrun")), "an installed one tells its version")
    fortran = (prefix / "bin/mpifort").exists()
    one = package(prefix, ("fortran",), fortran=fortran)
    h.expect(len(one.libs) == 2 + fortran, f"its libraries: {one.libs}")
    os.chdir(h.SCRATCH)
    for name in sorted(word for word in dir(one) if word.startswith("test_")):
        try:
            getattr(one, name)()
        except spack_stub.SkipTest as why:
            print(f"{name}: left out: {why}")
        except (AssertionError, RuntimeError, subprocess.CalledProcessError) as wrong:
            h.expect(False, f"{name}: {wrong}")


def by_spack():
    """What Spack has to say, if it is here."""
    if not shutil.which("spack"):
        print("no spack here: the recipe was looked at by the stub only")
        return
    env = {"SPACK_USER_CONFIG_PATH": str(h.SCRATCH / "spack"), "SPACK_DISABLE_LOCAL_CONFIG": None}
    for words in (["repo", "add", REPOSITORY], ["audit", "packages", "mpt-toolkit"], ["spec", "mpt-toolkit"]):
        r = h.run(["spack", *words], env=env, limit=600)
        h.expect(r.status == 0, f"spack {words[0]}", r)


def main():
    package = spack_stub.load(RECIPE).MptToolkit
    h.expect(pathlib.Path(RECIPE).parent.name == "mpt_toolkit" and package.__doc__, "named as Spack wants")
    directives()
    settings(package)
    environments(package)
    if len(sys.argv) > 1:
        installed(package, sys.argv[1])
        by_spack()
    h.finish()


if __name__ == "__main__":
    main()
