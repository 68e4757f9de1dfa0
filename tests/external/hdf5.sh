#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
#
# Builds HDF5 in parallel (over MPI-IO) from Debian's source package with our mpicc and runs its tests of parallel files
# (testpar), all of them at each call, at 6 ranks as it does by default, or at RANKS. Nothing is installed. Status 77 when
# the source cannot be had. Usage: hdf5.sh BUILD_FOLDER [RANKS]
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
{ make -C src && make -C test libh5test.la && make -C testpar tests; } >../build.log 2>&1 || fail "building" ../build.log

# Tests that passed leave marks (.chkexe, those of scripts too; the other names are other releases'), and make passes over
# these without failing: all of them anew. A program that fails does not keep the others from running (HDF5_Make_Ignore).
find testpar -maxdepth 1 \( -name '*.chkexe*' -o -name '*.chksh*' -o -name '*.chklog' \) -delete
export NPROCS=$ranks HDF5_Make_Ignore=yes
timeout 7200 make -C testpar check >../check.log 2>&1 || fail "make check in testpar, at $ranks ranks" ../check.log

# The marks tell what passed, now that none is older. 11 programs and a script, as many ranks as wanted, and the tests
# that these consist of.
wanted=$(sed -n 's/^TEST_\(PROG\|SCRIPT\)_PARA = *//p' testpar/Makefile)
[ "$(wc -w <<<"$wanted")" -ge 12 ] || fail "the Makefile of testpar names only: $wanted" ../check.log
missing=$(for test in $wanted; do [ -e "testpar/$test.chkexe" ] || echo "$test"; done | xargs)
[ -z "$missing" ] || fail "not passed at $ranks ranks: $missing" ../check.log
! grep 'No need to test' ../check.log || fail "tests were passed over" ../check.log
met=$(grep -oE '^MPI-process [0-9]+\.' testpar/testphdf5.chklog | sort -u | wc -l) || true
[ "$met" = "$ranks" ] || fail "testphdf5 ran at $met ranks, not $ranks" ../check.log
tests=$(cat testpar/*.chklog | grep -E '^Testing  --|PASSED' | sort -u | wc -l) || true
echo "testpar at $ranks ranks: $(wc -w <<<"$wanted") programs passed, $tests tests"
[ "$tests" -ge 80 ] || fail "less than 80 tests ran" ../check.log
