# SPDX-License-Identifier: BSD-3-Clause
import os

from spack_repo.builtin.build_systems.cmake import CMakePackage, generator

from spack.package import *


class MptToolkit(CMakePackage):
    """MPI-5.0 by the standard ABI and by that of MPICH, OpenSHMEM 1.6, PVM 3.4, Generic Active
    Messages and Split-C on one runtime, with a launcher, compiler wrappers, checkers, traces and
    a laboratory of benchmarks."""

    # Spack's own mpt is another library. The archive of a release lies where spack is called, or
    # in a mirror. Its checksum is in the release's SHA256SUMS; it cannot stand in the archive.
    manual_download = True

    executables = ["^mptrun$"]

    license("BSD-3-Clause")

    version("0.1.0")

    variant("fortran", default=True, description="Interfaces for Fortran")
    variant("hwloc", default=True, description="Distances between processor cores, by hwloc")
    variant("libfabric", default=True, description="Networks other than TCP, by libfabric")
    variant(
        "pmix",
        default=True,
        description="Start by srun, prterun and other launchers that speak PMIx",
    )
    variant("elfutils", default=True, description="Source lines in messages, by libdw")
    variant("bench", default=False, description="Benchmark programs of the laboratory")
    variant("lab", default=False, description="Python packages of the laboratory, the command mpt")

    depends_on("c", type="build")
    depends_on("cxx", type="build")
    depends_on("fortran", type="build", when="+fortran")
    depends_on("cmake@3.25:", type="build")
    depends_on("ninja", type="build")
    depends_on("pkgconfig", type="build")
    depends_on("python@3.11:", type="build")
    depends_on("hwloc@2:", when="+hwloc")
    depends_on("libfabric@1.11:", when="+libfabric")
    depends_on("pmix@4:", when="+pmix")
    depends_on("elfutils", when="+elfutils")
    with when("+lab"):
        depends_on("python@3.11:", type="run")
        depends_on("py-jinja2@3.1:", type="run")
        depends_on("py-numpy@1.24:", type="run")
        depends_on("py-plotly@5.20:", type="run")
        depends_on("py-rich@13:", type="run")

    conflicts("platform=darwin", msg="MPT is for Linux")
    conflicts("platform=windows", msg="MPT is for Linux")
    conflicts("%fortran=oneapi", when="+fortran", msg="The modules are for gfortran")

    provides("mpi@:5.0")

    generator("ninja")

    sanity_check_is_file = [
        "bin/mptrun",
        "bin/mpicc",
        "bin/oshcc",
        "include/mpi.h",
        "include/shmem.h",
    ]
    sanity_check_is_dir = ["lib/pkgconfig", "lib/cmake/mpt", "share/man/man3"]

    @classmethod
    def determine_version(cls, exe):
        output = Executable(exe)("--version", output=str, error=str)
        return output.split("(MPT) ")[-1].split()[0] if "(MPT) " in output else None

    def url_for_version(self, version):
        return f"file://{os.getcwd()}/mpt-{version}.tar.gz"

    def cmake_args(self):
        spec = self.spec
        args = [
            self.define("MPT_TESTS", False),
            self.define("CMAKE_INSTALL_LIBDIR", "lib"),
            self.define_from_variant("MPT_BENCH", "bench"),
            self.define_from_variant("MPT_FORTRAN", "fortran"),
        ]
        # What is loaded at run time is compiled in where its header is found, and is not looked
        # for when unwanted.
        for variant_name, variable in (
            ("hwloc", "MPT_HAVE_HWLOC"),
            ("libfabric", "MPT_OFI_INCLUDE"),
            ("pmix", "MPT_PMIX_INCLUDE"),
            ("elfutils", "MPT_DW_INCLUDE"),
        ):
            if spec.satisfies(f"~{variant_name}"):
                args.append(self.define(variable, False))
            elif variant_name != "hwloc":
                args.append(self.define(variable, spec[variant_name].prefix.include))
        # The wrappers call the compiler itself: Spack's wrapper is there during builds only.
        args.append(self.define("MPT_WRAPPER_CC", self["c"].cc))
        args.append(self.define("MPT_WRAPPER_CXX", self["cxx"].cxx))
        if spec.satisfies("+fortran"):
            args.append(self.define("MPT_WRAPPER_FC", self["fortran"].fortran))
        return args

    @property
    def libs(self):
        names = ["libmpi_abi", "libmpt"]
        if "fortran" in self.spec.last_query.extra_parameters:
            names.insert(0, "libmpifort_abi")
        return find_libraries(names, root=self.prefix.lib, shared=True, recursive=False)

    def setup_run_environment(self, env: EnvironmentModifications) -> None:
        env.set("MPICC", self.prefix.bin.mpicc)
        env.set("MPICXX", self.prefix.bin.mpicxx)
        if self.spec.satisfies("+fortran"):
            env.set("MPIF77", self.prefix.bin.mpif77)
            env.set("MPIF90", self.prefix.bin.mpif90)

    def setup_dependent_build_environment(
        self, env: EnvironmentModifications, dependent_spec: Spec
    ) -> None:
        """Builds of others by mpicc go through Spack's compilers."""
        module = dependent_spec.package.module
        for variable, attribute in (
            ("MPT_CC", "spack_cc"),
            ("MPT_CXX", "spack_cxx"),
            ("MPT_FC", "spack_fc"),
        ):
            if hasattr(module, attribute):
                env.set(variable, getattr(module, attribute))

    def setup_dependent_package(self, module, dependent_spec):
        self.spec.mpicc = self.prefix.bin.mpicc
        self.spec.mpicxx = self.prefix.bin.mpicxx
        if self.spec.satisfies("+fortran"):
            self.spec.mpifc = self.prefix.bin.mpifort
            self.spec.mpif77 = self.prefix.bin.mpif77

    def runs(self, wrapper, example, launcher):
        """Compiles an installed example, runs it as two processes and tells what they print."""
        source = join_path(self.prefix.share.doc.mpt.examples, *example)
        program = os.path.splitext(example[-1])[0]
        Executable(join_path(self.prefix.bin, wrapper))(source, "-o", program, "-lm")
        start = Executable(join_path(self.prefix.bin, launcher))
        return start("-n", "2", f"./{program}", output=str, error=str)

    def test_mpi(self):
        """an MPI program by mpicc and mpiexec"""
        assert self.runs("mpicc", ("mpi", "heat.c"), "mpiexec")

    def test_shmem(self):
        """an OpenSHMEM program by oshcc and oshrun"""
        out = self.runs("oshcc", ("shmem", "hello.c"), "oshrun")
        check_outputs(["hello from PE 0 of 2", "hello from PE 1 of 2"], out)

    def test_fortran(self):
        """a Fortran program by mpifort"""
        if self.spec.satisfies("~fortran"):
            raise SkipTest("built without Fortran")
        assert "solved in" in self.runs("mpifort", ("mpi", "cg.f90"), "mpiexec")
