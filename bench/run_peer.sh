#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# Builds the same benchmarks with another library's compiler wrapper, so that both are
# measured by the same source: run_peer.sh OSHCC FOLDER [compiler flags...], and for the
# benchmarks of MPI and PVM: run_peer.sh --mpi|--pvm COMPILER FOLDER [compiler flags...].
# PVM has no wrapper: its COMPILER is a plain one, and -I and -L name the folders where PVM is.
set -eu

interface=shmem
case ${1-} in
--mpi | --pvm)
    interface=${1#--}
    shift
    ;;
esac
if [ $# -lt 2 ]; then
    echo "usage: $0 [--mpi | --pvm] COMPILER FOLDER [compiler flags...]" >&2
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
libraries=
[ $interface != pvm ] || libraries="-lgpvm3 -lpvm3"
if [ $interface != shmem ]; then
    for source in "$here/$interface/$interface"_*.c; do
        name=$(basename "$source" .c)
        # Unquoted on purpose: lists of flags and files.
        # shellcheck disable=SC2086
        $oshcc $flags "-DBENCH_FLAGS=\"$flags\"" -o "$folder/$name" "$source" \
            "$here/$interface/$interface"job*.c $plain $libraries -lm
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
