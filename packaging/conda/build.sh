#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
#
# Library and tools, without the laboratory. The wrappers call the environment's compilers, which CC and its kin name.
set -eu
# shellcheck disable=SC2016,SC2086,SC2154 # variables of who runs the wrappers; several words; and rattler-build's
cmake ${CMAKE_ARGS:-} -S . -B build -G Ninja -DCMAKE_BUILD_TYPE=Release -DMPT_TESTS=OFF -DMPT_BENCH=OFF \
    -DCMAKE_INSTALL_PREFIX="$PREFIX" -DCMAKE_INSTALL_LIBDIR=lib -DMPT_PCH=OFF \
    '-DMPT_WRAPPER_CC=${CC:-cc}' '-DMPT_WRAPPER_CXX=${CXX:-c++}' '-DMPT_WRAPPER_FC=${FC:-gfortran}'
cmake --build build -j "${CPU_COUNT:-2}" --target toolkit
cmake --install build
rm -r "$PREFIX/bin/mpt" "$PREFIX/share/man/man1/mpt.1" "$PREFIX/share/mpt" "$PREFIX/libexec/mpt"
rm -r "$PREFIX/share/modulefiles" "$PREFIX/share/gdb" # the environment is the module
