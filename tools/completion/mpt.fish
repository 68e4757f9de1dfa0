# SPDX-License-Identifier: BSD-3-Clause
#
# fish: the commands of mpt and their options, of which it says itself what there is.
complete -c mpt -n __fish_use_subcommand -f \
    -a "(mpt --help 2>/dev/null | string match -rg '^ {4}([a-z]+) ')"
complete -c mpt -n 'not __fish_use_subcommand; and string match -q -- "-*" (commandline -ct)' -f \
    -a "(mpt (commandline -opc)[2] --help 2>/dev/null | string match -rag '(--[a-z][a-z-]*)' | sort -u)"
