#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
#
# Removes the files of an install manifest (uninstall.sh MANIFEST [DESTDIR]) and the folders that are then empty.
set -eu
manifest=$1 root=${2:-}
files=() folders=()
while IFS= read -r file || [ -n "$file" ]; do
    file=$root$file
    [ -e "$file" ] || [ -L "$file" ] || continue
    files+=("$file")
    folders+=("${file%/*}")
done <"$manifest"
printf '%s\0' "${files[@]}" | xargs -0 -r rm -f -- # thousands of manual pages: not a process for each
# Folders of ours may have been made for files that were not there.
printf '%s\n' "${folders[@]}" | sort -u | while IFS= read -r folder; do
    case $folder in
    */mpt) find "$folder" -mindepth 1 -depth -type d -empty -delete ;;
    esac
done
# Those of a library of its own only: never /usr/local/bin and the like, unless nothing is left in them.
printf '%s\n' "${folders[@]}" | sort -u -r | while IFS= read -r folder; do
    while [ -n "$folder" ] && rmdir -- "$folder" 2>/dev/null; do
        folder=$(dirname "$folder")
    done
done
echo "removed ${#files[@]} files"
