#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
#
# mpi4py's wheel from PyPI, which loads an MPI by name, with the installed library's folder in LD_LIBRARY_PATH: every
# rank must be one of N, also where the system's Open MPI offers a libmpi.so of its own.
# Usage: mpi4py_wheel.sh BUILD_FOLDER
set -euo pipefail

build=$(cd "${1:?build folder}" && pwd)
work=$build/external/mpi4py_wheel
mkdir -p "$work"
cd "$work"

if [ ! -x venv/bin/python ]; then
    python3 -m venv venv
    venv/bin/pip install --quiet --disable-pip-version-check --only-binary :all: mpi4py==4.1.2
fi
rm -rf prefix
cmake --install "$build" --prefix "$work/prefix" >/dev/null
export LD_LIBRARY_PATH=$(dirname "$(find "$work/prefix" -name libmpi.so)")

program='from mpi4py import MPI; c = MPI.COMM_WORLD; print(c.allreduce(c.rank), c.size, MPI.Get_library_version()[:3], flush=True)'
for n in 1 2 4; do
    wanted=$(for ((i = 0; i < n; i++)); do echo "$((n * (n - 1) / 2)) $n MPT"; done)
    said=$("$work/prefix/bin/mpiexec" -n "$n" venv/bin/python -c "$program")
    [ "$said" = "$wanted" ] || { echo "$n ranks say: $said"; exit 1; }
done
echo "mpi4py's wheel: 1, 2 and 4 ranks"
