#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# MPT for arm64 on a machine that is not: built by Debian's cross compilers, and run by qemu-user (docs/arm64.md).
#
#   tools/arm64.sh fetch                   arm64's libraries into FOLDER/sysroot, and a newer emulator into FOLDER/emulator
#                                          where this machine's is too old: nothing is installed
#   tools/arm64.sh build [NINJA'S WORDS]   configure, once, and build in FOLDER
#   tools/arm64.sh test [CTEST'S WORDS]    the tests but those that the emulator cannot do (tests/arm64/emulator.tsv)
#   tools/arm64.sh run COMMAND...          what you like, where programs of arm64 run like others
#
# FOLDER is build-arm64, or MPT_ARM64. Programs start each other, so the kernel must know what to do with arm64's: by
# binfmt_misc, in a user namespace of ours. There arm64's libraries lie beside this machine's in /usr/lib, and cc is the
# cross compiler. Nothing of that is seen outside, nor is left behind; root is not needed (Linux 6.7).
set -eu
source=$(cd "$(dirname "$0")/.." && pwd)
folder=${MPT_ARM64:-$source/build-arm64}
mkdir -p "$folder"
folder=$(cd "$folder" && pwd)
sysroot=$folder/sysroot
# Version 7 and before keep a note of each page of a mapping, also of those that nobody touches: a job takes minutes to begin.
oldest=8 newer_release=trixie

fail() {
    echo "arm64.sh: $*" >&2
    exit 1
}

# What is loaded at run time has its library here and, to be compiled for, its headers.
packages="libc6-dev libstdc++6 libgfortran5 libgomp1 libhwloc-dev libpmix-dev libfabric-dev libdw-dev"

check() {
    for name in aarch64-linux-gnu-gcc aarch64-linux-gnu-g++ aarch64-linux-gnu-gfortran unshare; do
        command -v "$name" >/dev/null || missing="${missing:-} $name"
    done
    [ -z "${missing:-}" ] || fail "missing:$missing (apt-get install gcc-aarch64-linux-gnu g++-aarch64-linux-gnu \
gfortran-aarch64-linux-gnu)"
    command -v apt-get >/dev/null || [ -e "$sysroot/ready" ] ||
        fail "no apt-get to fetch arm64's libraries with: unpack them to $sysroot, and touch $sysroot/ready"
}

# apt_in STATE ARCHITECTURE WORDS: apt-get with a state of its own, so that this machine's knows of no other architecture
# or release. Sources are the machine's, or those in STATE/sources.
apt_in() {
    state=$1 architecture=$2
    shift 2
    mkdir -p "$state/lists/partial" "$state/cache/archives/partial"
    : >"$state/status"
    [ ! -e "$state/only.sources" ] || set -- -o "Dir::Etc::sourcelist=$state/only.sources" -o Dir::Etc::sourceparts=- "$@"
    apt-get -qq -o "Dir::State=$state" -o "Dir::State::status=$state/status" -o "Dir::Cache=$state/cache" -o "APT::Architecture=$architecture" \
        -o "APT::Architectures::=$architecture" -o "APT::Sandbox::User=$(id -un)" -o Debug::NoLocking=1 "$@"
}

fetch_sysroot() {
    [ ! -e "$sysroot/ready" ] || return 0
    rm -rf "$folder/apt" "$sysroot"
    mkdir -p "$sysroot"
    apt_in "$folder/apt" arm64 update
    # shellcheck disable=SC2086 # words
    apt_in "$folder/apt" arm64 install -y --no-install-recommends --download-only $packages
    for package in "$folder"/apt/cache/archives/*.deb; do
        dpkg-deb -x "$package" "$sysroot"
    done
    rm -rf "$folder/apt"
    touch "$sysroot/ready"
}

is_new() { # is_new EMULATOR
    version=$("$1" --version 2>/dev/null | sed -n 's/.* version \([0-9]*\).*/\1/p')
    [ "${version:-0}" -ge "$oldest" ]
}

# Of a later release of Debian the one program, which is linked statically.
fetch_emulator() {
    for emulator in "${MPT_QEMU:-}" "$folder/emulator" "$(command -v qemu-aarch64-static)" "$(command -v qemu-aarch64)"; do
        [ -z "$emulator" ] || ! is_new "$emulator" || return 0
    done
    sources=/etc/apt/sources.list.d/debian.sources emulator=$folder/emulator
    [ -r "$sources" ] || fail "qemu-aarch64 of version $oldest or later is needed: MPT_QEMU=where it is"
    rm -rf "$folder/apt"
    mkdir -p "$folder/apt"
    . /etc/os-release
    sed "/^Suites:/s/.*-security.*/Suites: $newer_release-security/; /^Suites:/s/.*$VERSION_CODENAME.*/Suites: $newer_release/" \
        "$sources" >"$folder/apt/only.sources"
    apt_in "$folder/apt" "$(dpkg --print-architecture)" update
    (cd "$folder/apt" && apt_in "$folder/apt" "$(dpkg --print-architecture)" download qemu-user)
    dpkg-deb --fsys-tarfile "$folder"/apt/qemu-user_*.deb | tar -xO ./usr/bin/qemu-aarch64 >"$emulator"
    chmod +x "$emulator"
    rm -rf "$folder/apt"
    is_new "$emulator" || fail "$emulator does not run"
}

fetch() {
    fetch_sysroot
    fetch_emulator
}

# The names by which wrappers and tests call a compiler.
compilers() {
    mkdir -p "$folder/compilers"
    for pair in cc:gcc gcc:gcc c++:g++ g++:g++ gfortran:gfortran; do
        ln -sf "$(command -v "aarch64-linux-gnu-${pair#*:}")" "$folder/compilers/${pair%:*}"
    done
}

# In the namespace. The kernel opens the emulator here and now (F), so that it serves below chroots, too.
inside() {
    mount -t overlay -o "lowerdir=$sysroot/lib:$sysroot/usr/lib:/usr/lib" overlay /usr/lib
    mount -t binfmt_misc none /proc/sys/fs/binfmt_misc
    head='\x7fELF\x02\x01\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x02\x00\xb7\x00'
    mask='\xff\xff\xff\xff\xff\xff\xff\x00\xff\xff\xff\xff\xff\xff\xff\xff\xfe\xff\xff\xff'
    printf '%s' ":aarch64:M::$head:$mask:$MPT_QEMU:FP" >/proc/sys/fs/binfmt_misc/register
    export PATH="$folder/compilers:$PATH"
    # The emulator would write a core dump of all that it has mapped, for half a minute.
    exec prlimit --core=0:0 "$@"
}

run() {
    fetch
    compilers
    export MPT_QEMU="$emulator"
    exec unshare --user --map-root-user --mount "$source/tools/arm64.sh" inside "$@"
}

configure() {
    fetch
    compilers
    [ -e "$folder/build.ninja" ] || cmake -S "$source" -B "$folder" -G Ninja --toolchain "$source/cmake/toolchains/aarch64-linux-gnu.cmake" \
        -DMPT_SYSROOT="$sysroot" -DCMAKE_CROSSCOMPILING_EMULATOR= -DMPT_WERROR=ON
}

# Column 1 of the table: patterns of names of tests.
excluded() {
    sed -e '/^#/d' -e '/^$/d' -e 's/\t.*//' "$source/tests/arm64/emulator.tsv" | paste -sd '|'
}

check
command=${1:-}
[ $# -gt 0 ] && shift
case $command in
fetch) fetch ;;
build)
    configure
    run ninja -C "$folder" "$@"
    ;;
test) run ctest --test-dir "$folder" -E "$(excluded)" "$@" ;;
run) run "$@" ;;
inside) inside "$@" ;;
*) fail "what to do? fetch, build, test or run: see $0" ;;
esac
