#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# Brings what building, testing and the demo need. It looks for each thing, and
# installs the packages of those that are missing with apt-get, as root or by
# sudo. Where that isn't possible it prints the command (Fedora and its kin: dnf's)
# and fails. The libraries that only the laboratory measures, and libdw, which finds source
# lines for messages, are brought, too, but it goes on without them. Quiet and quick when nothing is missing.
set -eu

missing="" wanted=""         # Debian's packages
missing_dnf="" wanted_dnf="" # Fedora's

need() { # need DEBIAN-PACKAGE FEDORA-PACKAGE COMMAND...: the command tells whether the package's content is there
    debian=$1 fedora=$2
    shift 2
    "$@" >/dev/null 2>&1 && return
    missing="$missing $debian"
    missing_dnf="$missing_dnf $fedora"
}
want() { # the same of what is left out without it
    debian=$1 fedora=$2
    shift 2
    "$@" >/dev/null 2>&1 && return
    wanted="$wanted $debian"
    wanted_dnf="$wanted_dnf $fedora"
}
have() { command -v "$1"; }
header() { echo "#include <$1>" | cc -E -; }
library() { # by one of these names
    for name; do
        ls /usr/lib/*/"$name" || ls /usr/lib/"$name" || ls /usr/lib64/"$name" || continue
        return 0
    done
    return 1
}

need gcc gcc have cc
need g++ gcc-c++ have c++
need gfortran gcc-gfortran have gfortran
need cmake cmake have cmake
need ninja-build ninja-build have ninja
need pkg-config pkgconf-pkg-config have pkg-config
need python3 python3 have python3
need python3-venv python3-libs python3 -c 'import venv, ensurepip'
need libhwloc-dev hwloc-devel header hwloc.h
need libfabric-dev libfabric-devel header rdma/fabric.h
need libfabric-bin libfabric have fi_pingpong
need libpmix-dev pmix-devel sh -c 'pkg-config --exists pmix || ls /usr/include/pmix.h'
want libdw-dev elfutils-devel header elfutils/libdwfl.h
want libopenblas-dev openblas-devel library openblas-pthread/libopenblas.so libopenblas.so
want libblas-dev blas-devel library blas/libblas.so libblas.so
want liblapack-dev lapack-devel library lapack/liblapack.so liblapack.so
want libfftw3-dev fftw-devel header fftw3.h
want liburing-dev liburing-devel header liburing.h

[ -z "$missing$wanted" ] && exit 0

without() { echo "setup: going on without$wanted: what needs them (rows of the laboratory, source lines in messages) is left out" >&2; }
fail() { # only for what is needed
    [ -n "$missing" ] && exit 1
    without
    exit 0
}
if ! command -v apt-get >/dev/null 2>&1; then
    if command -v dnf >/dev/null 2>&1; then
        echo "setup: please run: sudo dnf install -y$missing_dnf$wanted_dnf" >&2
    else
        echo "setup: this system has neither apt-get nor dnf; please install the equivalents of Debian's$missing$wanted" >&2
    fi
    fail
fi
echo "setup: installing$missing$wanted"
if [ "$(id -u)" = 0 ]; then
    as_root=""
elif command -v sudo >/dev/null 2>&1 && sudo -n true 2>/dev/null; then
    as_root="sudo"
else
    echo "setup: please run: sudo apt-get update && sudo apt-get install -y$missing$wanted" >&2
    fail
fi
install() { DEBIAN_FRONTEND=noninteractive $as_root apt-get install -y -qq --no-install-recommends "$@" >/dev/null; }
$as_root apt-get update -qq || [ -z "$missing" ] || exit 1
[ -z "$missing" ] || install $missing
[ -z "$wanted" ] || install $wanted || without
