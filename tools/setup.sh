#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# Brings what building, testing and the demo need: looks for each thing and
# installs the packages of those that are missing with apt-get, as root or by
# sudo. Where that isn't possible it prints the command and fails. The libraries
# that only the laboratory measures are brought, too, but it goes on without them.
# Quiet and quick when nothing is missing.
set -eu

missing=""
wanted=""
need() { # need PACKAGE COMMAND...: the command tells whether the package's content is there
    package=$1
    shift
    "$@" >/dev/null 2>&1 || missing="$missing $package"
}
want() { # the same of what only the laboratory uses
    package=$1
    shift
    "$@" >/dev/null 2>&1 || wanted="$wanted $package"
}
have() { command -v "$1"; }
header() { echo "#include <$1>" | cc -E -; }
library() { ls /usr/lib/*/"$1" || ls /usr/lib/"$1"; }

need gcc have cc
need g++ have c++
need gfortran have gfortran
need cmake have cmake
need ninja-build have ninja
need pkg-config have pkg-config
need python3 have python3
need python3-venv python3 -c 'import venv, ensurepip'
need libhwloc-dev header hwloc.h
need libfabric-dev header rdma/fabric.h
need libfabric-bin have fi_pingpong
need libpmix-dev sh -c 'pkg-config --exists pmix || ls /usr/include/pmix.h'
want libopenblas-dev library openblas-pthread/libopenblas.so
want libblas-dev library blas/libblas.so
want liblapack-dev library lapack/liblapack.so
want libfftw3-dev header fftw3.h
want liburing-dev header liburing.h

[ -z "$missing$wanted" ] && exit 0

echo "setup: installing$missing$wanted"
fail() { # only for what is needed
    [ -n "$missing" ] && exit 1
    echo "setup: going on without$wanted: the laboratory leaves out what needs them" >&2
    exit 0
}
if ! command -v apt-get >/dev/null 2>&1; then
    echo "setup: this system has no apt-get; please install the equivalents of:$missing$wanted" >&2
    fail
fi
if [ "$(id -u)" = 0 ]; then
    as_root=""
elif command -v sudo >/dev/null 2>&1 && sudo -n true 2>/dev/null; then
    as_root="sudo"
else
    echo "setup: please run: sudo apt-get update && sudo apt-get install -y$missing$wanted" >&2
    fail
fi
# shellcheck disable=SC2086 # lists of words
install() { DEBIAN_FRONTEND=noninteractive $as_root apt-get install -y -qq --no-install-recommends "$@" >/dev/null; }
$as_root apt-get update -qq || [ -z "$missing" ] || exit 1
# shellcheck disable=SC2086
[ -z "$missing" ] || install $missing
# shellcheck disable=SC2086
[ -z "$wanted" ] || install $wanted || echo "setup: going on without$wanted: the laboratory leaves out what needs them" >&2
