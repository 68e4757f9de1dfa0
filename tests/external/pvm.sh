#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
#
# Compares our PVM with PVM 3.4.6: compiles its examples and the programs of tests/pvm/programs against both, runs them
# under both, and runs Debian's binaries (examples, tablix2, NetPIPE) on our libraries. Debian's packages are fetched
# by apt and unpacked in the build folder, nothing is installed. Status 77 when they cannot be had.
# Usage: pvm.sh BUILD_FOLDER [RECIPE ...]
set -euo pipefail

source=$(cd "$(dirname "$0")/../.." && pwd)
build=$(cd "${1:?build folder}" && pwd)
shift
work=$build/external/pvm
root=$work/root
mkdir -p "$work/packages"

skip() {
    echo "skipped: $1"
    exit 77
}

if [ ! -e "$root/usr/bin/pvmd" ]; then
    command -v apt-get >/dev/null || skip "no apt-get to fetch Debian's pvm with"
    (cd "$work/packages" && apt-get download -qq pvm libpvm3 pvm-dev pvm-examples tablix2 tablix2-doc netpipe-pvm) ||
        skip "Debian's pvm cannot be fetched"
    for package in "$work"/packages/*.deb; do
        dpkg -x "$package" "$root"
    done
fi
command -v gfortran >/dev/null || skip "no gfortran for the Fortran examples"
LD_LIBRARY_PATH=$root/usr/lib/x86_64-linux-gnu ldd "$root/usr/bin/pvmd" "$root/usr/bin/hello.pvm" | grep 'not found' &&
    skip "libraries that PVM 3.4.6 needs are missing (apt-get install libtirpc3)"

if [ ! -d "$work/examples" ]; then
    mkdir "$work/examples"
    for archive in examples gexamples; do
        tar -xzf "$root/usr/share/doc/pvm-examples/$archive.tar.gz" -C "$work/examples"
    done
fi
timeout 1800 python3 "$source/tests/pvm/harness/compare.py" "$build" "$root" "$work/examples" "$work/run" "$@"
