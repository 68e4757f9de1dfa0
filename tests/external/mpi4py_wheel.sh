#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
#
# mpi4py's wheel from PyPI, a binary for MPICH's ABI that loads an MPI by name: libmpi.so, then libmpi.so.12. By
# LD_LIBRARY_PATH it finds the build's and the installed one, also where the system has another MPI's libmpi.so. The ranks
# must be 0 to N-1 of one job (those of a library that the launcher does not know are each 0 of 1) and do what
# mpi4py_wheel.py says. Status 77 when PyPI cannot be reached. Usage: mpi4py_wheel.sh BUILD_FOLDER
set -euo pipefail

program=$(cd "$(dirname "$0")" && pwd)/mpi4py_wheel.py
build=$(cd "${1:?build folder}" && pwd)
work=$build/external/mpi4py_wheel
mkdir -p "$work"
cd "$work"

# A fetch that broke off is made again from the start.
if [ ! -f venv/ready ]; then
    rm -rf venv
    python3 -m venv venv
    if ! venv/bin/pip install --quiet --disable-pip-version-check --retries 1 --timeout 20 --only-binary :all: \
        mpi4py==4.1.2 numpy >pip.log 2>&1; then
        if grep -qE 'Retrying|Could not fetch URL' pip.log; then
            echo "skipped: PyPI cannot be reached: $(grep -m 1 -oE "connection broken by .*|Could not fetch URL.*" pip.log)"
            exit 77
        fi
        cat pip.log
        exit 1
    fi
    touch venv/ready
fi
rm -rf prefix
cmake --install "$build" --prefix "$work/prefix" >/dev/null

try() { # try PREFIX RANKS
    local wanted said
    wanted=$(for ((i = 0; i < $2; i++)); do echo "$i of $2"; done)
    if ! said=$(LD_LIBRARY_PATH=$1/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH} timeout 120 \
        "$1/bin/mpirun" -n "$2" venv/bin/python "$program" "$2" "$1/lib" 2>&1) || [ "$(sort -n <<<"$said")" != "$wanted" ]; then
        echo "failed: $2 ranks with the library in $1/lib say:"
        echo "$said"
        exit 1
    fi
}
for prefix in "$build" "$work/prefix"; do
    for n in 1 2 4; do
        try "$prefix" $n
    done
done
others=$(/sbin/ldconfig -p 2>/dev/null | grep -oE '/[^ ]*/libmpi\.so(\.[0-9]+)?$' | xargs) || true
echo "mpi4py's wheel: 1, 2 and 4 ranks; the system's own libraries: ${others:-none}"
