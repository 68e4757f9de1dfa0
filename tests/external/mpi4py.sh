#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
#
# Builds mpi4py 4.1.2 (from PyPI's source distribution) with our mpicc and runs its own tests: a representative part
# at 2 ranks, or with `all` every module at 1, 2, 3 and 4 ranks. Fault tolerance (ULFM) is not part of MPI-5.
# Usage: mpi4py.sh BUILD_FOLDER [all]
set -euo pipefail

build=$(cd "${1:?build folder}" && pwd)
work=$build/external/mpi4py
release=mpi4py-4.1.2
mkdir -p "$work"
cd "$work"

if [ ! -x venv/bin/python ]; then
    python3 -m venv venv
    venv/bin/pip install --quiet --disable-pip-version-check setuptools wheel 'cython>=3' numpy
fi
if [ ! -d $release ]; then
    venv/bin/pip download --quiet --disable-pip-version-check --no-deps --no-build-isolation --no-binary :all: mpi4py==4.1.2
    tar xf $release.tar.gz
fi
# Python's wrapper code is large; compiling it without optimization saves minutes.
if [ ! -d site/mpi4py ]; then
    CFLAGS=-O0 MPICC=$build/bin/mpicc PATH=$build/bin:$PATH \
        venv/bin/pip install --quiet --disable-pip-version-check --no-build-isolation --no-deps --target site ./$release
fi
export PYTHONPATH=$work/site PATH=$build/bin:$PATH LD_LIBRARY_PATH=$build/lib

run() { # run RANKS PATTERN NAME
    local log=log.$3.$1
    if timeout 900 "$build/bin/mpiexec" -n "$1" venv/bin/python $release/test/main.py -f -i "$2" -e test_ulfm >"$log" 2>&1; then
        grep -E '^Ran ' "$log" | sort | uniq -c | sed "s/^/$3 at $1 ranks: /"
    else
        echo "failed: $3 at $1 ranks; the end of the log:"
        tail -n 40 "$log"
        status=1
    fi
}

status=0
if [ "${2-}" = all ]; then
    for n in 1 2 3 4; do
        for file in "$release"/test/test_*.py; do
            name=$(basename "$file" .py)
            [ "$name" = test_ulfm ] || run $n "^$name\\.py\$" "$name"
        done
    done
else
    run 2 '^test_(p2p_buf|p2p_buf_matched|p2p_buf_part|p2p_obj|cco_buf|cco_nb_vec|cco_obj_inter|cco_ngh_buf|comm|comm_inter|comm_topo)\.py$' messages
    run 2 '^test_(attributes|datatype|errhandler|file|group|grequest|info|io|op|request|rma|session|spawn|win)\.py$' objects
fi
exit $status
