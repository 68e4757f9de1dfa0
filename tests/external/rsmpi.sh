#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
#
# Builds the examples of rsmpi, MPI for Rust (crate `mpi`), with our mpicc's flags and runs each at 1, 2, 3, 5 and 8 ranks:
# they assert what they receive. Needs cargo, libclang and the crate registry. Usage: rsmpi.sh BUILD_FOLDER
set -euo pipefail

build=$(cd "${1:?build folder}" && pwd)
work=$build/external/rsmpi
release=0.8.2
mkdir -p "$work"
cd "$work"

# The registry's client fetches the crate as a dependency of an empty one; its examples are built from a copy.
if [ ! -d mpi-$release ]; then
    rm -rf fetch && cargo init --quiet --vcs none --name fetch fetch
    (cd fetch && cargo add --quiet "mpi@=$release" && cargo fetch --quiet)
    cp -r "${CARGO_HOME:-$HOME/.cargo}"/registry/src/*/mpi-$release .
fi
# bindgen looks for libclang.so, which only development packages have.
if [ -z "${LIBCLANG_PATH-}" ]; then
    clang=$(find /usr/lib -name 'libclang.so*' -o -name 'libclang-[0-9]*.so.[0-9]*' 2>/dev/null | head -n 1)
    mkdir -p clang && ln -sf "${clang:?no libclang}" clang/libclang.so
    export LIBCLANG_PATH=$work/clang
fi
export MPICC=$build/bin/mpicc PATH=$build/bin:$PATH LD_LIBRARY_PATH=$build/lib CARGO_TARGET_DIR=$work/target
(cd mpi-$release && cargo build --quiet --examples --features user-operations,derive,complex) >build.log 2>&1 ||
    { tail -n 20 build.log; exit 1; }

# What the programs themselves ask for.
wanted() { # wanted PROGRAM: the least number of ranks
    case $1 in
    all_gather_bool | immediate_multiple_requests) echo 2 ;;
    cartesian_map) echo 4 ;; # a grid of 2 by size/4
    *) echo 1 ;;
    esac
}
status=0 passed=0
for program in mpi-$release/examples/*.rs; do
    name=$(basename "$program" .rs)
    for n in 1 2 3 5 8; do
        [ "$n" -ge "$(wanted "$name")" ] || continue
        if timeout 60 mpiexec -n "$n" "target/debug/examples/$name" >log 2>&1; then
            passed=$((passed + 1))
        else
            echo "failed: $name at $n ranks; the end of the log:"
            tail -n 10 log
            status=1
        fi
    done
done
echo "rsmpi: $passed runs passed"
exit $status
