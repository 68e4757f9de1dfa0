#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# Builds the same benchmarks with another library's compiler wrapper, so that both are
# measured by the same source: run_peer.sh OSHCC FOLDER [compiler flags...], and for
# MPI's benchmarks: run_peer.sh --mpi MPICC FOLDER [compiler flags...]
set -eu

interface=shmem
if [ "${1-}" = --mpi ]; then
    interface=mpi
    shift
fi
if [ $# -lt 2 ]; then
    echo "usage: $0 [--mpi] COMPILER FOLDER [compiler flags...]" >&2
    exit 2
fi
here=$(cd "$(dirname "$0")" && pwd)
oshcc=$1
folder=$2
shift 2
path=$(command -v "$oshcc") || { echo "$0: $oshcc: not found" >&2; exit 2; }
# Several libraries call their wrapper oshcc: say which one this is.
echo "$0: building with $path" >&2

flags="-std=gnu17 -O2 -g $*"
mkdir -p "$folder"
plain=$(find "$here/common" -name '*.c' ! -name 'job*.c')
if [ $interface = mpi ]; then
    for source in "$here"/mpi/mpi_*.c; do
        name=$(basename "$source" .c)
        # shellcheck disable=SC2086
        $oshcc $flags "-DBENCH_FLAGS=\"$flags\"" -o "$folder/$name" "$source" "$here/mpi/mpijob.c" $plain -lm
        echo "$folder/$name"
    done
    exit 0
fi
for source in "$here"/*.c; do
    name=$(basename "$source" .c)
    case $name in
    limits | launch) compiler=${CC:-cc} common=$plain ;; # no SHMEM in them
    *) compiler=$oshcc common=$(echo "$here"/common/*.c) ;;
    esac
    # Unquoted on purpose: lists of flags and files.
    # shellcheck disable=SC2086
    $compiler $flags "-DBENCH_FLAGS=\"$flags\"" -o "$folder/$name" "$source" $common -lm
    echo "$folder/$name"
done
