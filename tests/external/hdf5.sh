#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
#
# Builds HDF5 in parallel (over MPI-IO) from Debian's source package with our mpicc and runs its tests of parallel files
# (testpar), at 6 ranks as it does by default, or at RANKS. Nothing is installed. Status 77 when the source cannot be had.
# Usage: hdf5.sh BUILD_FOLDER [RANKS]
set -euo pipefail

build=$(cd "${1:?build folder}" && pwd)
ranks=${2-6}
. "$(dirname "$0")/apt.sh"
work=$build/external/hdf5
mkdir -p "$work"
cd "$work"
apt_source hdf5
export LD_LIBRARY_PATH=$build/lib PATH=$build/bin:$PATH

fail() { # fail WHAT LOG
    echo "failed: $1"
    grep -hE '\*FAILED\*|\*\*\*FAILED|Error [0-9]' "$2" | head -n 20
    tail -n 30 "$2"
    exit 1
}
mkdir -p made
cd made
if [ ! -f config.status ]; then
    CC=mpicc CFLAGS="-O1 -w" ../source/configure --enable-parallel --disable-shared --disable-hl --disable-fortran --disable-cxx \
        --disable-tools --disable-dependency-tracking RUNPARALLEL="mpiexec -n \$\${NPROCS:=$ranks}" >../configure.log 2>&1 ||
        fail configure ../configure.log
fi
{ make -C src && make -C test libh5test.la; } >../build.log 2>&1 || fail "building" ../build.log

# All of them anew; -k: whichever fails.
rm -f testpar/*.chkexe_ testpar/*.chksh_
export NPROCS=$ranks
timeout 7200 make -k -C testpar check >../check.log 2>&1 || fail "make check in testpar, at $ranks ranks" ../check.log
echo "testpar at $ranks ranks: $(grep -c '^Finished testing' ../check.log) programs passed"
