/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Headers of C17, POSIX, Linux and the vector instructions: the front end must read them all. */
#define _GNU_SOURCE
#include <assert.h>
#include <complex.h>
#include <ctype.h>
#include <errno.h>
#include <fenv.h>
#include <float.h>
#include <inttypes.h>
#include <iso646.h>
#include <limits.h>
#include <locale.h>
#include <math.h>
#include <setjmp.h>
#include <signal.h>
#include <stdalign.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <stdnoreturn.h>
#include <string.h>
#include <tgmath.h>
#include <threads.h>
#include <time.h>
#include <uchar.h>
#include <wchar.h>
#include <wctype.h>
#include <pthread.h>
#include <semaphore.h>
#include <unistd.h>
#include <fcntl.h>
#include <dirent.h>
#include <dlfcn.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <arpa/inet.h>
#include <poll.h>
#include <pwd.h>
#include <regex.h>
#include <sched.h>
#include <spawn.h>
#include <strings.h>
#include <termios.h>
#include <ucontext.h>
#include <aio.h>
#include <glob.h>
#include <ftw.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <sys/time.h>
#include <sys/resource.h>
#include <sys/ioctl.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/ipc.h>
#include <sys/shm.h>
#include <sys/sem.h>
#include <sys/ptrace.h>
#include <sys/select.h>
#include <sys/statvfs.h>
#include <sys/sysinfo.h>
#include <sys/utsname.h>
#include <sys/user.h>
#include <linux/perf_event.h>
#include <linux/futex.h>
#ifdef __x86_64__
#include <immintrin.h>
#endif
double tg(double x, float y, complex float z)
{
    return sin(x) + cos(y) + cabs(pow(z, y));
}
int main(int argc, char **argv)
{
    int a[argc];
    for (int i = 0; i < argc; i++)
        a[i] = i;
    errno = 0;
    printf("%d\n", a[argc - 1]);
    return argc ? -1 : isalpha(argv[0][0]);
}
