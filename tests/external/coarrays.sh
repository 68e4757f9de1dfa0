#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
#
# Builds OpenCoarrays (Fortran's coarrays for gfortran over MPI: windows, locks, events, teams) from Debian's source package
# with our mpicc and mpifort, found by CMake, and runs its own tests. The source comes by apt and is unpacked in the build
# folder; nothing is installed. Usage: coarrays.sh BUILD_FOLDER
set -euo pipefail

build=$(cd "${1:?build folder}" && pwd)
. "$(dirname "$0")/apt.sh"
work=$build/external/coarrays
mkdir -p "$work"
cd "$work"

# A mirror may have one release's archive only.
apt_lists "deb-src bookworm" "deb-src trixie"

if [ ! -d source ]; then
    apt-get -qq update
    for version in $(apt-cache showsrc open-coarrays | sed -n 's/^Version: //p'); do
        apt-get -qq source --download-only "open-coarrays=$version" 2>/dev/null || true
        archive=$(find . -maxdepth 1 -name 'open-coarrays_*.orig.tar.*' | head -n 1)
        [ -z "$archive" ] || break
    done
    mkdir source && tar xf "${archive:?the mirror has no source of open-coarrays}" -C source --strip-components=1
fi
export LD_LIBRARY_PATH=$build/lib
if [ ! -f made/CTestTestfile.cmake ]; then
    cmake -S source -B made -DMPI_C_COMPILER="$build/bin/mpicc" -DMPI_Fortran_COMPILER="$build/bin/mpifort" \
        -DMPIEXEC_EXECUTABLE="$build/bin/mpiexec" >configure.log 2>&1 || { tail -n 20 configure.log; exit 1; }
fi
cmake --build made >build.log 2>&1 || { tail -n 20 build.log; exit 1; }
cd made
ctest --timeout 120 >../test.log 2>&1 || { grep -A 40 'tests passed' ../test.log; exit 1; }
grep 'tests passed' ../test.log
