#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# Builds for arm64 in FOLDER and runs the suite by day by the emulator, but what the emulator cannot do (emulator.tsv).
# Two cores take some 40 minutes.
# Usage: suite.sh FOLDER
set -eu
source=$(cd "$(dirname "$0")/../.." && pwd)
command -v aarch64-linux-gnu-gcc >/dev/null || {
    echo "no cross compilers for arm64 (apt-get install gcc-aarch64-linux-gnu g++-aarch64-linux-gnu gfortran-aarch64-linux-gnu)"
    exit 77
}
unshare --user --map-root-user --mount true || {
    echo "user namespaces are not allowed here"
    exit 77
}
mkdir -p "$1"
export MPT_ARM64="$1"
"$source/tools/arm64.sh" build
"$source/tools/arm64.sh" test --output-on-failure --timeout 300 -j "$(nproc)" -LE 'nightly|external|bench'
