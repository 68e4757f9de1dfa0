# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash
# A program that takes long enough to be looked at, a window, and who types `run` where gdb has only a program.
cat > prog.c <<'END'
#include <shmem.h>
#include <unistd.h>
int main(void)
{
    shmem_init();
    sleep(2);
    shmem_finalize();
    return 0;
}
END
mkdir stand-in
printf '#!/bin/sh\nshift\nexec "$@"\n' > stand-in/xterm
cat > stand-in/gdb <<'END'
#!/bin/sh
case " $* " in
    *" -p "* | *" -ex "*) ;;
    *) set -- -batch -ex run "$@" ;;
esac
PATH=${PATH#*:} exec gdb "$@"
END
cat > stand-in/pgrep <<'END'
#!/bin/sh
# A job that was started just now has its processes soon.
for _ in $(seq 100); do
    PATH=${PATH#*:} pgrep "$@" && exit
    sleep 0.1
done
END
chmod +x stand-in/*
export SHELL=/bin/sh
oshcc -g prog.c -o prog
