# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash
#
# Sourced by the scripts beside it: apt with lists of its own below the current folder, as the system's may lack source
# packages. Usage: apt_lists "KIND SUITE"..., such as "deb-src bookworm".
apt_lists() {
    local mirror line
    mkdir -p apt/lists/partial apt/cache/archives/partial
    # shellcheck disable=SC2016 # the variable is apt-get's
    mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' | grep -m1 /debian/ || echo http://deb.debian.org/debian/)
    for line in "$@"; do
        echo "${line% *} [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $mirror ${line#* } main"
    done >apt/sources.list
    cat >apt/conf <<END
Dir::Etc::sourcelist "$PWD/apt/sources.list";
Dir::Etc::sourceparts "/dev/null";
Dir::State::Lists "$PWD/apt/lists";
Dir::Cache "$PWD/apt/cache";
APT::Sandbox::User "root";
END
    export APT_CONFIG=$PWD/apt/conf
}

skip() {
    echo "skipped: $1"
    exit 77
}

# Unpacks the original archive of source package NAME, of whichever release the mirror has, into the folder `source`.
# Debian's changes are left out. Ends the script as skipped where the archive cannot be had. Usage: apt_source NAME
apt_source() {
    local version archive=""
    [ ! -d source ] || return 0
    command -v apt-get >/dev/null || skip "no apt-get to fetch the source of $1 with"
    apt_lists "deb-src bookworm" "deb-src trixie"
    apt-get -qq update 2>apt/log || skip "apt-get update failed: $(tail -n 1 apt/log)"
    for version in $(apt-cache showsrc "$1" 2>/dev/null | sed -n 's/^Version: //p'); do
        apt-get -qq source --download-only "$1=$version" >apt/log 2>&1 || true
        archive=$(find . -maxdepth 1 -name "$1_*.orig.tar.*" ! -name '*.asc' | head -n 1)
        [ -z "$archive" ] || break
    done
    [ -n "$archive" ] || skip "the mirror has no source of $1"
    rm -rf unpacked && mkdir unpacked && tar xf "$archive" -C unpacked --strip-components=1
    mv unpacked source
}
