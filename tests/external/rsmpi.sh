#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
#
# Builds the examples of rsmpi, MPI for Rust (crate `mpi`), with our mpicc's flags and runs each at 1, 2, 3, 5 and 8 ranks:
# they assert what they receive. Needs cargo and the crate registry; libclang comes by apt, unpacked in the build folder, where
# the system has none. Usage: rsmpi.sh BUILD_FOLDER
set -euo pipefail

. "$(dirname "$0")/apt.sh"
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
version=
if [ -z "${LIBCLANG_PATH-}" ]; then
    clang=$(find /usr/lib -name 'libclang.so*' -o -name 'libclang-[0-9]*.so.[0-9]*' 2>/dev/null | head -n 1)
    if [ -n "$clang" ]; then
        mkdir -p clang && ln -sf "$clang" clang/libclang.so
        export LIBCLANG_PATH=$work/clang
    else
        version=$(apt-cache depends libclang-dev 2>/dev/null | sed -n 's/.*Depends: libclang-\([0-9]*\)-dev$/\1/p') || true
        if [ ! -d llvm ]; then
            apt-get -qq download "libclang1-$version" "libclang-common-$version-dev" "libllvm$version" 2>/dev/null ||
                skip "no libclang (apt-get install libclang-dev)"
            for package in *.deb; do dpkg -x "$package" unpacked; done
            mv unpacked llvm
        fi
        # It finds the compiler's own headers from where it lies.
        export LIBCLANG_PATH=$work/llvm/usr/lib/llvm-$version/lib
        ln -sf libclang.so.1 "$LIBCLANG_PATH/libclang.so"
    fi
fi
export MPICC=$build/bin/mpicc PATH=$build/bin:$PATH CARGO_TARGET_DIR=$work/target
export LD_LIBRARY_PATH=$build/lib${version:+:$work/llvm/usr/lib/x86_64-linux-gnu}
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
for program in "mpi-$release"/examples/*.rs; do
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
