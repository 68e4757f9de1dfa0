# SPDX-License-Identifier: BSD-3-Clause
#
# Sourced by the scripts beside it: apt with lists of its own below the current folder, as the system's may lack source
# packages. Usage: apt_lists "KIND SUITE"..., such as "deb-src bookworm".
apt_lists() {
    local mirror line
    mkdir -p apt/lists/partial apt/cache/archives/partial
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
