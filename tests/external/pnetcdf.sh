#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
#
# Builds PnetCDF (parallel netCDF files over MPI-IO) from Debian's source package with our compilers and runs all of its
# tests, in C, C++ and Fortran: `make check` with one process for each program, `make ptest` with 4 and more. Nothing is
# installed. Status 77 when the source or what builds it cannot be had. Usage: pnetcdf.sh BUILD_FOLDER
set -euo pipefail

build=$(cd "${1:?build folder}" && pwd)
. "$(dirname "$0")/apt.sh"
work=$build/external/pnetcdf
mkdir -p "$work"
cd "$work"

for tool in autoreconf automake m4; do
    command -v $tool >/dev/null || skip "no $tool (apt-get install autoconf automake m4)"
done
if ! command -v libtoolize >/dev/null; then
    if [ ! -d libtool ]; then
        apt-get -qq download libtool 2>/dev/null || skip "no libtoolize (apt-get install libtool)"
        dpkg -x libtool_*.deb libtool
        sed -i "s|=\"/usr/share|=\"$work/libtool/usr/share|" libtool/usr/bin/libtoolize
    fi
    export ACLOCAL_PATH=$work/libtool/usr/share/aclocal LIBTOOLIZE=$work/libtool/usr/bin/libtoolize
fi
apt_source pnetcdf
export LD_LIBRARY_PATH=$build/lib PATH=$build/bin:$PATH

fail() { # fail WHAT LOG
    echo "failed: $1"
    grep -hE '^(FAIL|XPASS|ERROR):|^# [A-Z]+:|\*\*\*' "$2" | sort -u | head -n 30
    tail -n 20 "$2"
    exit 1
}
cd source
if [ ! -f config.status ]; then
    { autoreconf -if && ./configure --disable-dependency-tracking MPICC=mpicc MPICXX=mpicxx MPIF77=mpif77 MPIF90=mpif90 \
        CFLAGS=-O1 CXXFLAGS=-O1 FFLAGS=-O1 FCFLAGS=-O1; } >../configure.log 2>&1 || fail configure ../configure.log
fi
{ make && make tests; } >../build.log 2>&1 || fail "make" ../build.log

# Nothing of an earlier run may be taken for this one's: automake keeps a verdict (.trs) and a log of each test.
find src test examples benchmarks \( -name '*.trs' -o -name '*.log' \) -delete
timeout 3000 make -k check >../check.log 2>&1 || fail "make check" ../check.log
sum() { { find src test examples benchmarks -name '*.trs' -exec cat {} + | grep -c "^:test-result: $1"; } || true; } # sum VERDICT
passed=$(sum PASS) expected=$(sum XFAIL)
echo "make check: $passed tests passed, $expected failed as expected"
if [ "$passed" -lt 93 ] || [ "$expected" -lt 2 ]; then
    fail "make check ran less than 93 tests that pass and 2 that are to fail" ../check.log
fi
timeout 3000 make ptest >../ptest.log 2>&1 || fail "make ptest" ../ptest.log
checks=$(grep -cE '^\*\*\* TESTING .*pass' ../ptest.log) || true # what tests say of themselves
runs=$(grep -cE '^PASS: .* parallel run' ../ptest.log) || true    # examples and benchmarks
echo "make ptest: $checks tests passed, $runs examples and benchmarks"
if [ "$checks" -lt 79 ] || [ "$runs" -lt 85 ]; then
    fail "make ptest ran less than 79 tests, 85 examples and benchmarks" ../ptest.log
fi
