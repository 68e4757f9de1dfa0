#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# Brings what building, testing and the demo need: looks for each thing and
# installs the packages of those that are missing with apt-get, as root or by
# sudo. Where that isn't possible it prints the command and fails. Quiet and
# quick when nothing is missing.
set -eu

missing=""
need() { # need PACKAGE COMMAND...: the command tells whether the package's content is there
    package=$1
    shift
    "$@" >/dev/null 2>&1 || missing="$missing $package"
}
have() { command -v "$1"; }
header() { echo "#include <$1>" | cc -E -; }

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

[ -z "$missing" ] && exit 0

echo "setup: installing$missing"
if ! command -v apt-get >/dev/null 2>&1; then
    echo "setup: this system has no apt-get; please install the equivalents of:$missing" >&2
    exit 1
fi
if [ "$(id -u)" = 0 ]; then
    as_root=""
elif command -v sudo >/dev/null 2>&1 && sudo -n true 2>/dev/null; then
    as_root="sudo"
else
    echo "setup: please run: sudo apt-get update && sudo apt-get install -y$missing" >&2
    exit 1
fi
# shellcheck disable=SC2086 # lists of words
{
    $as_root apt-get update -qq
    DEBIAN_FRONTEND=noninteractive $as_root apt-get install -y -qq --no-install-recommends $missing >/dev/null
}
