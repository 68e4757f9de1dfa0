# SPDX-License-Identifier: BSD-3-Clause
#
# For arm64, from another machine, by Debian's cross compilers (docs/arm64.md; tools/arm64.sh does all of it):
#   cmake -S . -B build-arm64 --toolchain cmake/toolchains/aarch64-linux-gnu.cmake -DMPT_SYSROOT=folder
# MPT_SYSROOT has arm64's headers and libraries: its own C library and, as far as they are there, hwloc, PMIx, libfabric and
# libdw. Without it the compilers' C library serves, and CMake says what is left out.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(MPT_SYSROOT "" CACHE PATH "Folder with arm64's headers and libraries")
list(APPEND CMAKE_TRY_COMPILE_PLATFORM_VARIABLES MPT_SYSROOT)

set(CMAKE_C_COMPILER aarch64-linux-gnu-gcc)
set(CMAKE_CXX_COMPILER aarch64-linux-gnu-g++)
find_program(MPT_CROSS_FORTRAN aarch64-linux-gnu-gfortran)
if(MPT_CROSS_FORTRAN)
  set(CMAKE_Fortran_COMPILER ${MPT_CROSS_FORTRAN})
else()
  set(MPT_FORTRAN OFF CACHE BOOL "Build the Fortran interface (needs gfortran)") # that of this machine is another's
endif()

if(MPT_SYSROOT)
  set(CMAKE_SYSROOT ${MPT_SYSROOT})
  set(run_in ${MPT_SYSROOT})
else()
  set(CMAKE_FIND_ROOT_PATH /usr/aarch64-linux-gnu)
  set(run_in /usr/aarch64-linux-gnu)
endif()
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
set(ENV{PKG_CONFIG_SYSROOT_DIR} "${MPT_SYSROOT}")
set(ENV{PKG_CONFIG_LIBDIR} ${run_in}/usr/lib/aarch64-linux-gnu/pkgconfig:${run_in}/usr/share/pkgconfig)

# Single programs run by themselves. Those that start others need binfmt_misc; where that does it all, this is empty.
if(NOT DEFINED CMAKE_CROSSCOMPILING_EMULATOR)
  find_program(MPT_EMULATOR NAMES qemu-aarch64-static qemu-aarch64)
  if(MPT_EMULATOR)
    set(CMAKE_CROSSCOMPILING_EMULATOR ${MPT_EMULATOR} -L ${run_in})
  endif()
endif()
