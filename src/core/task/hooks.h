/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What is replaced in the copies of a program: functions and variables of the C library that are the process's, and
 * must be the PE's. And the C library's functions behind them.
 */
#ifndef CORE_TASK_HOOKS_H
#define CORE_TASK_HOOKS_H

#include <dlfcn.h>
#include <link.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <spawn.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/socket.h>
#include <sys/types.h>
#include <wchar.h>

struct core_task;
struct epoll_event;
struct rusage;
struct option;
struct stat;
struct termios;
struct dl_find_object;
struct iovec;
struct itimerval;
struct lconv;
struct timespec;
struct tm;

extern struct core_task_real {
    int (*main)(int, char **, char **); /* of the first instance of the program */
    int (*start_main)(int (*)(int, char **, char **), int, char **, void (*)(int, char **, char **), void (*)(void),
                      void (*)(void), void *);
    void (*exit)(int) __attribute__((noreturn));
    void (*exit_at_once)(int) __attribute__((noreturn));
    int (*at_exit)(void (*)(void *), void *, void *);
    int (*thread_at_exit)(void (*)(void *), void *, void *);
    void (*finalize)(void *);
    int (*on_exit)(void (*)(int, void *), void *);
    int (*setenv)(const char *, const char *, int);
    int (*putenv)(char *);
    int (*unsetenv)(const char *);
    int (*clearenv)(void);
    int (*yield)(void);
    int (*nano_sleep)(const struct timespec *, struct timespec *);
    int (*sleep_by_clock)(clockid_t, int, const struct timespec *, struct timespec *);
    int (*micro_sleep)(useconds_t);
    unsigned (*second_sleep)(unsigned);
    int (*create_thread)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
    int (*join_thread)(pthread_t, void **);
    int (*lock_mutex)(pthread_mutex_t *);
    int (*wait_condition)(pthread_cond_t *, pthread_mutex_t *);
    int (*lock_until)(pthread_mutex_t *, clockid_t, const struct timespec *);
    int (*lock_for_reading)(pthread_rwlock_t *);
    int (*lock_for_writing)(pthread_rwlock_t *);
    int (*wait_until)(pthread_cond_t *, pthread_mutex_t *, clockid_t, const struct timespec *);
    int (*wait_timed)(pthread_cond_t *, pthread_mutex_t *, const struct timespec *);
    int (*wait_semaphore_timed)(sem_t *, const struct timespec *);
    int (*wait_semaphore)(sem_t *);
    void (*fail_assertion)(const char *, const char *, unsigned, const char *);
    int (*close_stream)(FILE *);
    char *(*fgets)(char *, int, FILE *);
    char *(*fgets_checked)(char *, size_t, int, FILE *);
    int (*getc)(FILE *);
    int (*getc_unlocked)(FILE *);
    wint_t (*getwc)(FILE *);
    wchar_t *(*fgetws)(wchar_t *, int, FILE *);
    ssize_t (*getdelim)(char **, size_t *, int, FILE *);
    size_t (*fread)(void *, size_t, size_t, FILE *);
    size_t (*fread_checked)(void *, size_t, size_t, size_t, FILE *);
    int (*vfscanf)(FILE *, const char *, va_list);
    ssize_t (*read)(int, void *, size_t);
    ssize_t (*read_checked)(int, void *, size_t, size_t);
    ssize_t (*readv)(int, const struct iovec *, int);
    ssize_t (*write)(int, const void *, size_t);
    ssize_t (*writev)(int, const struct iovec *, int);
    ssize_t (*recv)(int, void *, size_t, int);
    ssize_t (*recvfrom)(int, void *, size_t, int, struct sockaddr *, socklen_t *);
    ssize_t (*recvmsg)(int, struct msghdr *, int);
    ssize_t (*sendto)(int, const void *, size_t, int, const struct sockaddr *, socklen_t);
    ssize_t (*sendmsg)(int, const struct msghdr *, int);
    int (*accept)(int, struct sockaddr *, socklen_t *, int);
    int (*poll)(struct pollfd *, nfds_t, int);
    int (*poll_masked)(struct pollfd *, nfds_t, const struct timespec *, const sigset_t *);
    int (*wait_events)(int, struct epoll_event *, int, int, const sigset_t *);
    int (*control_events)(int, int, int, struct epoll_event *);
    int (*flock)(int, int);
    pid_t (*fork)(void);
    pid_t (*wait_for)(pid_t, int *, int, struct rusage *);
    int (*print_to)(int, const char *, va_list);
    int (*dup)(int);
    int (*dup2)(int, int);
    int (*dup3)(int, int, int);
    ssize_t (*pread)(int, void *, size_t, off_t);
    ssize_t (*pwrite)(int, const void *, size_t, off_t);
    int (*ftruncate)(int, off_t);
    int (*fdatasync)(int);
    int (*tcgetattr)(int, struct termios *);
    int (*tcsetattr)(int, int, const struct termios *);
    int (*spawn)(pid_t *, const char *, const posix_spawn_file_actions_t *, const posix_spawnattr_t *, char *const[],
                 char *const[]);
    int (*spawn_on_path)(pid_t *, const char *, const posix_spawn_file_actions_t *, const posix_spawnattr_t *,
                         char *const[], char *const[]);
    int (*close)(int);
    int (*chdir)(const char *);
    int (*fchdir)(int);
    mode_t (*umask)(mode_t);
    off_t (*lseek)(int, off_t, int);
    int (*fstat)(int, struct stat *);
    int (*isatty)(int);
    int (*fsync)(int);
    int (*fcntl)(int, int, ...);
    int (*ioctl)(int, unsigned long, ...);
    FILE *(*fdopen)(int, const char *);
    int (*system)(const char *);
    FILE *(*popen)(const char *, const char *);
    int (*iterate)(int (*)(struct dl_phdr_info *, size_t, void *), void *);
    int (*find_address)(const void *, Dl_info *);
    int (*find_object)(void *, struct dl_find_object *);
    void *(*open_library)(const char *, int);
    void (*vwarn)(const char *, va_list);
    void (*vwarnx)(const char *, va_list);
    void (*error)(int, int, const char *, ...);
    void (*error_at_line)(int, int, const char *, unsigned, const char *, ...);
    void (*psignal)(int, const char *);
    void (*psiginfo)(const siginfo_t *, const char *);
    void (*herror)(const char *);
    void (*set_zone)(void);
    struct tm *(*local_time)(const time_t *);
    struct tm *(*local_time_to)(const time_t *, struct tm *);
    struct tm *(*universal_time)(const time_t *);
    time_t (*make_time)(struct tm *);
    char *(*time_text)(const struct tm *);
    char *(*local_text)(const time_t *);
    size_t (*format_time)(char *, size_t, const char *, const struct tm *);
    double (*log_gamma)(double, int *); /* and the sign */
    float (*log_gammaf)(float, int *);
    long double (*log_gammal)(long double, int *);
    char *(*setlocale)(int, const char *);
    struct lconv *(*localeconv)(void);
    int (*get_affinity)(pthread_t, size_t, cpu_set_t *);
    int (*set_affinity)(pthread_t, size_t, const cpu_set_t *);
    int (*get_scheduling)(pthread_t, int *, struct sched_param *);
    int (*set_scheduling)(pthread_t, int, const struct sched_param *);
    int (*find_clock)(pthread_t, clockid_t *);
    int (*setuid)(uid_t);
    int (*setgid)(gid_t);
    int (*seteuid)(uid_t);
    int (*setegid)(gid_t);
    int (*setreuid)(uid_t, uid_t);
    int (*setregid)(gid_t, gid_t);
    int (*setresuid)(uid_t, uid_t, uid_t);
    int (*setresgid)(gid_t, gid_t, gid_t);
    int (*setgroups)(size_t, const gid_t *);
    int (*initgroups)(const char *, gid_t);
    int (*sigaction)(int, const struct sigaction *, struct sigaction *);
    int (*signal_mask)(int, const sigset_t *, sigset_t *);
    int (*raise)(int);
    int (*kill)(pid_t, int);
    int (*kill_thread)(pthread_t, int);
    int (*pause)(void);
    int (*sigsuspend)(const sigset_t *);
    int (*setitimer)(int, const struct itimerval *, struct itimerval *);
    int (*getitimer)(int, struct itimerval *);
    unsigned (*alarm)(unsigned);
    char *(*ecvt)(double, int, int *, int *);
    char *(*fcvt)(double, int, int *, int *);
    char *(*l64a)(long);
    char *(*name_file)(char *);
    int (*getopt)(int, char *const *, const char *);
    int (*getopt_posix)(int, char *const *, const char *);
    int (*getopt_long)(int, char *const *, const char *, const struct option *, int *);
    int (*getopt_long_only)(int, char *const *, const char *, const struct option *, int *);
    int (*close_library)(void *);
    void *(*find_symbol)(void *, const char *);
    char *(*tell_error)(void);
    void *(*find_version)(void *, const char *, const char *);
} core_task_real;

/* A name, and by what it is replaced: a function, or the task's variable. */
struct core_task_hook {
    const char *name;
    void (*ours)(void);
    void **real; /* where the C library's function goes; NULL: it is not needed */
    unsigned variable; /* its index and 1 */
};
#define HOOK(name, function, field) {name, (void (*)(void))(function), (void **)(void *)&core_task_real.field, 0}
#define REPLACE(name, function) {name, (void (*)(void))(function), NULL, 0} /* and the C library's is not called */

/* One table for each file hook_*.c. The last row has no name. */
extern const struct core_task_hook core_task_hooks_end[], core_task_hooks_environment[], core_task_hooks_wait[],
    core_task_hooks_stdio[], core_task_hooks_descriptor[], core_task_hooks_object[], core_task_hooks_variables[],
    core_task_hooks_getopt[], core_task_hooks_random[], core_task_hooks_signal[], core_task_hooks_locale[],
    core_task_hooks_folder[], core_task_hooks_result[], core_task_hooks_time[], core_task_hooks_math[],
    core_task_hooks_block[], core_task_hooks_message[], core_task_hooks_child[], core_task_hooks_stream[],
    core_task_hooks_identity[], core_task_hooks_carrier[];

/* Look them up; before anything is replaced. */
void core_task_find_real(void);
/* The index of what replaces `name`; -1: nothing does. */
int core_task_hook_named(const char *name);
/* Its address, as the copies of this task shall have it. */
uintptr_t core_task_hook(struct core_task *t, unsigned what);

/* hook_object.c: from now on the unwinder, which all tasks share, knows all copies. */
void core_task_teach_unwinder(void);

#endif
