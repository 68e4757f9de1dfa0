# SPDX-License-Identifier: BSD-3-Clause
#
# bash: the commands of mpt, their options, then files.
_mpt() {
    local word=${COMP_WORDS[COMP_CWORD]} asked=()
    COMPREPLY=()
    [ "$COMP_CWORD" -eq 1 ] || asked=("${COMP_WORDS[1]}")
    case $COMP_CWORD,$word in
    1,* | *,-*)
        mapfile -t COMPREPLY < <(compgen -W "$("${COMP_WORDS[0]}" "${asked[@]}" --help 2>/dev/null |
            grep -oE '^ {2,6}[a-z]+|--[a-z][a-z-]*')" -- "$word")
        ;;
    *) mapfile -t COMPREPLY < <(compgen -f -- "$word") ;;
    esac
}
complete -F _mpt mpt
