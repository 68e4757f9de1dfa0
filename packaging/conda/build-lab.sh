#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
#
# The command mpt, its package and the simulator.
set -eu
# shellcheck disable=SC2086,SC2154 # several words; rattler-build's variables
cmake ${CMAKE_ARGS:-} -S . -B build -G Ninja -DCMAKE_BUILD_TYPE=Release -DMPT_TESTS=OFF -DMPT_BENCH=OFF -DMPT_FORTRAN=OFF
cmake --build build -j "${CPU_COUNT:-2}" --target mptsim
install -D report/mpt "$PREFIX/bin/mpt"
install -D build/bin/mptsim "$PREFIX/libexec/mpt/mptsim"
install -D -m 644 man/mpt.1 "$PREFIX/share/man/man1/mpt.1"
mkdir -p "$PREFIX/share/mpt/report"
cp -r report/mpt_report "$PREFIX/share/mpt/report/"
