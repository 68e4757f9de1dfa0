# SPDX-License-Identifier: BSD-3-Clause
#
# fish: mptrun's options, of which it says itself what there is.
for command in mptrun mpiexec mpirun oshrun mpiexec.mpt mpirun.mpt oshrun.mpt
    complete -c $command -n 'string match -q -- "-*" (commandline -ct)' -f \
        -a "($command --help 2>/dev/null | string replace -rf '^  (--?[A-Za-z-]+)( (--?[a-z-]+))?( [^ -][^ ]*)* {2,}(.*)\$' '\$1\t\$5\n\$3\t\$5' | string match -r '^-.*')"
    complete -c $command -l bind-to -x -a "core l3cache numa socket none"
    complete -c $command -l map-by -x -a "core slot l3cache numa socket"
end
