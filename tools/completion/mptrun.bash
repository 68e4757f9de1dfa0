# SPDX-License-Identifier: BSD-3-Clause
#
# bash: mptrun's options, of which it says itself what there is, some of their values, then commands and files.
_mptrun() {
    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]}
    COMPREPLY=()
    case $before in
    --bind-to | -bind-to) mapfile -t COMPREPLY < <(compgen -W "core l3cache numa socket none" -- "$word") ; return ;;
    --map-by | -map-by) mapfile -t COMPREPLY < <(compgen -W "core slot l3cache numa socket ppr:" -- "$word") ; return ;;
    -n | -np | -soft | -usize | --timeout | --adversary) return ;;
    -wdir | -wd | --trace | --output-filename) mapfile -t COMPREPLY < <(compgen -d -- "$word") ; return ;;
    -file | -configfile | --check-report) mapfile -t COMPREPLY < <(compgen -f -- "$word") ; return ;;
    esac
    case $word in
    -*)
        mapfile -t COMPREPLY < <(compgen -W "$("${COMP_WORDS[0]}" --help 2>/dev/null | grep -oE '(^|[ ])--?[a-z][a-z-]*')" -- "$word")
        ;;
    *) mapfile -t COMPREPLY < <(compgen -c -f -- "$word") ;;
    esac
}
complete -F _mptrun mptrun mpiexec mpirun oshrun mpiexec.mpt mpirun.mpt oshrun.mpt
