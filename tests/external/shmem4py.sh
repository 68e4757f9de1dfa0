#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
#
# Builds shmem4py (Python bindings for OpenSHMEM, from PyPI) against our oshcc
# and runs its own test suite at 1, 2 and 4 PEs.
# Usage: shmem4py.sh BUILD_FOLDER
set -euo pipefail

build=$(cd "${1:?build folder}" && pwd)
work=$build/external/shmem4py
mkdir -p "$work"
cd "$work"

if [ ! -x venv/bin/python ]; then
    python3 -m venv venv
    venv/bin/pip install --quiet --disable-pip-version-check setuptools wheel 'cffi>=1.13' 'numpy<2' # the suite is older than numpy 2
fi
if [ ! -d shmem4py-1.0.0 ]; then
    venv/bin/pip download --quiet --disable-pip-version-check --no-deps --no-build-isolation --no-binary :all: shmem4py==1.0.0
    tar xf shmem4py-1.0.0.tar.gz
fi
OSHCC=$build/bin/oshcc PATH=$build/bin:$PATH \
    venv/bin/pip install --quiet --disable-pip-version-check --no-build-isolation --no-deps --force-reinstall ./shmem4py-1.0.0

status=0
for n in 1 2 4; do
    echo "shmem4py at $n PEs"
    timeout 300 "$build/bin/oshrun" -np "$n" venv/bin/python -m unittest discover -s shmem4py-1.0.0/test >"log.$n" 2>&1 || status=1
    # Every PE prints its own summary.
    good=$(grep -c '^OK' "log.$n" || true)
    grep -E '^Ran ' "log.$n" | sort | uniq -c
    if [ "$good" != "$n" ]; then
        echo "failed at $n PEs: $good of $n say OK; the end of the log:"
        tail -n 40 "log.$n"
        status=1
    fi
done
exit $status
