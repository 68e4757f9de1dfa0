/* SPDX-License-Identifier: BSD-3-Clause */
/* What the C library keeps for a process, used by each PE: tasks_libc MODE ARGUMENTS. Each PE prints what it gets, with
 * others in between: the same as processes and as tasks. */
#include <errno.h>
#include <arpa/inet.h>
#include <getopt.h>
#include <grp.h>
#include <math.h>
#include <netdb.h>
#include <pwd.h>
#include <langinfo.h>
#include <locale.h>
#include <pthread.h>
#include <wchar.h>
#include <search.h>
#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <sys/time.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <shmem.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static int me, n;

/* Others go on: at a barrier, or as this PE is interrupted. */
static void others(void)
{
    static unsigned times;

    if (++times % 16 == 0)
        for (volatile long i = 0; i < 20000000; i++)
            continue;
    shmem_barrier_all();
}

static void say_option(int c, const char *name)
{
    printf("%d: %c optarg %s optind %d optopt %d%s%s\n", me,
           c < 0 ? '-'
           : c   ? c
                 : '0',
           optarg ? optarg : "none", optind, optopt, name ? " long " : "", name ? name : "");
    others();
}

/* PE i leaves i arguments away, so that they are not at the same place. */
static void options(int argc, char **argv)
{
    static const struct option names[] = {{"size", required_argument, NULL, 's'},
                                          {"verbose", no_argument, NULL, 0},
                                          {"sizes", no_argument, NULL, 'S'},
                                          {0}};
    int c, which = -1;

    opterr = me % 2;
    for (int turn = 0; turn < 2; turn++) {
        if (turn)
            optind = 0;
        do
            say_option(c = getopt(argc - me, argv, "abc:d::"), NULL);
        while (c != -1);
        for (int i = optind; i < argc - me; i++)
            printf("%d: rest %s\n", me, argv[i]);
    }
    optind = 1;
    do {
        which = -1;
        c = getopt_long(argc - me, argv, "+abc:d::", names, &which);
        say_option(c, which >= 0 ? names[which].name : NULL);
    } while (c != -1);
    optind = 1;
    do
        say_option(c = getopt_long_only(argc, argv, "-abc:d::", names, NULL), NULL);
    while (c != -1);
}

/* Who reads nothing but PE 0's input is at its end; another file can take its place. */
static void input(int argc, char **argv)
{
    char line[80];
    int number = -1, c = getchar();

    printf("%d: first %c\n", me, c == EOF ? '-' : c);
    others();
    c = scanf("%d", &number);
    printf("%d: scanf %d %d\n", me, c, number);
    printf("%d: line %s", me, fgets(line, sizeof line, stdin) ? line : "none\n");
    printf("%d: again %s", me, fgets(line, sizeof line, stdin) ? line : "none\n");
    others();
    printf("%d: end %d error %d\n", me, feof(stdin) != 0, ferror(stdin) != 0);
    printf("%d: read %zd\n", me, read(0, line, sizeof line));
    printf("%d: file %d\n", me, argc > 1 && freopen(argv[1], "r", stdin) != NULL);
    others();
    printf("%d: from file %s", me, fgets(line, sizeof line, stdin) ? line : "none\n");
}

/* All ways to write go to the PE's output. */
static void output(int argc, char **argv)
{
    (void)argc, (void)argv;
    printf("%d: printf\n", me);
    fprintf(stdout, "%d: fprintf\n", me);
    fflush(stdout);
    dprintf(1, "%d: dprintf\n", me);
    dprintf(2, "%d: dprintf 2\n", me);
    fprintf(stderr, "%d: stderr\n", me);
    errno = ENOENT;
    perror("perror");
    others();
    fflush(stdout);
    if (fork() == 0) {
        printf("%d: child\n", me);
        exit(0);
    }
    wait(NULL);
    printf("%d: system %d\n", me, system("echo by system; echo by system >&2; cat"));
    FILE *f = popen("cat; echo by popen", "w");
    if (f)
        fprintf(f, "%d: to popen\n", me);
    printf("%d: popen %d\n", me, f ? pclose(f) : -1);
    fflush(stdout);
    others();
    int kept = dup(1);
    if (!freopen("/dev/null", "w", stdout))
        printf("%d: freopen fails\n", me);
    printf("nobody sees this\n");
    fflush(stdout);
    others();
    dprintf(kept, "%d: kept\n", me);
    if (dup2(kept, 1) != 1)
        dprintf(kept, "%d: dup2 fails\n", me);
    dprintf(1, "%d: back\n", me);
}

/* Each PE its own seed after a while, and a number of calls of its own. */
static void numbers(int argc, char **argv)
{
    static char table[64];
    unsigned short state[3] = {1, 2, (unsigned short)me}, factors[7] = {1, 2, 3, 4, 5, 6, 7};

    (void)argc, (void)argv;
    for (int turn = 0; turn < 4; turn++) {
        for (int i = 0; i <= me; i++)
            printf("%d: %d %ld %.17g %ld %ld\n", me, rand(), random(), drand48(), lrand48(), mrand48());
        others();
        printf("%d: %.17g %ld %ld\n", me, erand48(state), nrand48(state), jrand48(state));
        if (turn == 1) {
            srand((unsigned)me);
            srand48(me);
        } else if (turn == 2) {
            unsigned short *old = seed48(state);
            printf("%d: old %d %d %d\n", me, old[0], old[1], old[2]);
            char *kept = initstate((unsigned)me + 7, table, sizeof table);
            printf("%d: small table %ld\n", me, random());
            others();
            printf("%d: back %d\n", me, setstate(kept) == table);
            lcong48(factors);
        }
    }
}

static void signs(void)
{
    double volatile y = -0.5 - me;
    lgamma(y);
    others();
    printf("%d: signgam %d\n", me, signgam);
    lgammaf((float)y - 1);
    others();
    printf("%d: signgam %d\n", me, signgam);
    lgammal(y - 2);
    others();
    printf("%d: signgam %d\n", me, signgam);
    gamma(y - 3);
    others();
    printf("%d: signgam %d\n", me, signgam);
    /* Also where a PE is interrupted in the midst of it. */
    int wrong = 0;
    for (long i = 0; i < 400000; i++) {
        lgamma(y);
        wrong += signgam != (me % 2 ? 1 : -1);
    }
    printf("%d: wrong %d times\n", me, wrong);
}

static void results(int argc, char **argv)
{
    char text[64];
    int point, sign;
    double x = 1.5 + me;

    (void)argc, (void)argv;
    snprintf(text, sizeof text, "a%d b%d,c%d;d%d", me, me, me, me);
    for (char *token = strtok(text, " "); token; token = strtok(NULL, ",;")) {
        others();
        printf("%d: token %s\n", me, token);
    }
    char *digits = ecvt(x * 1000, 6, &point, &sign);
    others();
    printf("%d: ecvt %s %d %d\n", me, digits, point, sign);
    digits = fcvt(-x, 3, &point, &sign);
    others();
    printf("%d: fcvt %s %d %d\n", me, digits, point, sign);
    digits = l64a(1000 + me);
    others();
    printf("%d: l64a %s\n", me, digits);
    char *message = strerror(1000 + me), *address = inet_ntoa((struct in_addr){htonl(0x7f000001u + (unsigned)me)});
    others();
    printf("%d: %s, %s\n", me, message, address);
    printf("%d: hcreate %d\n", me, hcreate(10));
    others();
    hsearch((ENTRY){"key", &me}, ENTER);
    others();
    ENTRY *e = hsearch((ENTRY){"key", NULL}, FIND), *none = hsearch((ENTRY){"none", NULL}, FIND);
    printf("%d: hsearch %d %d\n", me, e ? *(int *)e->data : -1, none != NULL);
    others();
    hdestroy();
    struct passwd *user = me % 2 ? getpwnam("root") : getpwuid(1);
    struct group *group = me % 2 ? getgrgid(0) : getgrnam("daemon");
    struct hostent *host = gethostbyname(me % 2 ? "127.0.0.1" : "127.0.0.2");
    others();
    printf("%d: %s in %s, %s\n", me, user ? user->pw_name : "nobody", group ? group->gr_name : "none",
           host ? host->h_name : "unknown");
    printf("%d: no user %d, no group %d\n", me, getpwnam("no such user") != NULL, getgrnam("no such group") != NULL);
    printf("%d: no terminal %d\n", me, ttyname(0) != NULL);
    char *file = tmpnam(NULL);
    strcpy(text, file);
    others();
    printf("%d: tmpnam %d\n", me, strcmp(file, text));
    signs();
}

static void times_of_day(int argc, char **argv)
{
    static const char *const zones[] = {"UTC0", "CET-1CEST,M3.5.0,M10.5.0/3", "EST5EDT,M3.2.0,M11.1.0", "IST-5:30"};
    time_t t = 1000000000 + me * 86400;
    char text[64];

    (void)argc, (void)argv;
    for (int turn = 0; turn < 2; turn++) {
        struct tm *tm = turn ? localtime(&t) : gmtime(&t);
        others();
        printf("%d: %d-%d-%d %d:%d %s %ld\n", me, tm->tm_year, tm->tm_mon, tm->tm_mday, tm->tm_hour, tm->tm_min,
               tm->tm_zone, tm->tm_gmtoff);
        char *words = turn ? ctime(&t) : asctime(tm);
        others();
        printf("%d: %s", me, words);
        printf("%d: %s %s %ld %d\n", me, tzname[0], tzname[1], timezone, daylight);
        setenv("TZ", zones[me % 4], 1);
        tzset();
        others();
        printf("%d: %s %s %ld %d\n", me, tzname[0], tzname[1], timezone, daylight);
        struct tm own, back = {.tm_year = 100, .tm_mon = 6, .tm_mday = me + 1};
        localtime_r(&t, &own);
        others();
        strftime(text, sizeof text, "%c %Z", &own);
        printf("%d: %s, %lld\n", me, text, (long long)mktime(&back));
    }
}

static void say_folder(const char *when)
{
    char path[4096], name[32];
    struct stat st = {0};

    snprintf(name, sizeof name, "here%d", me);
    FILE *f = fopen(name, "w");
    if (f)
        fclose(f);
    stat(name, &st);
    printf("%d: %s in %s, mask %o\n", me, when, getcwd(path, sizeof path), 0666 & ~st.st_mode);
    unlink(name);
    others();
}

/* Each PE but 0 in a folder of its own, and back. */
static void folders(int argc, char **argv)
{
    char name[32];

    (void)argc, (void)argv;
    others();
    snprintf(name, sizeof name, "folder%d", me);
    mkdir(name, 0777);
    say_folder("first");
    if (me > 0 && chdir(name) != 0)
        printf("%d: chdir fails\n", me);
    others();
    printf("%d: no folder %d\n", me, chdir("no folder"));
    say_folder("second");
    mode_t old = me == 1 ? umask(077) : 0;
    others();
    say_folder("third");
    printf("%d: old mask %o, now %o\n", me, me == 1 ? old : umask(022), me == 1 ? umask(077) : umask(022));
    int above = open("..", O_RDONLY | O_DIRECTORY);
    if (me % 2 && fchdir(above) != 0)
        printf("%d: fchdir fails\n", me);
    close(above);
    others();
    say_folder("fourth");
    if (me > 0 && me % 2 == 0 && chdir("..") != 0)
        printf("%d: chdir fails\n", me);
    rmdir(name);
    others();
    say_folder("last");
}

static void environment(int argc, char **argv)
{
    static char entry[32];

    (void)argc, (void)argv;
    snprintf(entry, sizeof entry, "OTHER=%d", me);
    setenv("MINE", entry, 1);
    others();
    putenv(entry);
    others();
    for (char **e = environ; *e; e++)
        if (strncmp(*e, "MINE=", 5) == 0 || strncmp(*e, "OTHER=", 6) == 0)
            printf("%d: %s\n", me, *e);
    if (me % 2)
        unsetenv("MINE");
    others();
    printf("%d: %s %s\n", me, getenv("MINE") ? getenv("MINE") : "none", getenv("OTHER"));
}

static void say_locale(const char *when)
{
    wchar_t wide[8];

    printf("%d: %s: %s, %s, %zu, %zd, %s\n", me, when, setlocale(LC_ALL, NULL), setlocale(LC_CTYPE, NULL), MB_CUR_MAX,
           mbstowcs(wide, "\xc3\xa4", 8), localeconv()->decimal_point);
    printf("%d: %s\n", me, nl_langinfo(CODESET));
}

static void *in_thread(void *arg)
{
    (void)arg;
    say_locale("thread");
    printf("%d: thread %d\n", me, rand());
    fprintf(stderr, "%d: thread\n", me);
    return NULL;
}

static void locales(int argc, char **argv)
{
    pthread_t thread;

    (void)argc, (void)argv;
    say_locale("first");
    others();
    if (me % 2)
        printf("%d: set %s\n", me, setlocale(me == 1 ? LC_ALL : LC_CTYPE, "C.UTF-8"));
    others();
    say_locale("second");
    printf("%d: wrong %s\n", me, setlocale(LC_ALL, "no such locale") ? "locale" : "none");
    pthread_create(&thread, NULL, in_thread, NULL);
    pthread_join(thread, NULL);
    others();
    char *all = strdup(setlocale(LC_ALL, NULL));
    setlocale(LC_ALL, me % 2 ? "C" : "C.UTF-8");
    others();
    say_locale("third");
    setlocale(LC_ALL, all);
    others();
    setenv("LC_ALL", me % 2 ? "C.UTF-8" : "C", 1);
    say_locale("fourth");
    setlocale(LC_ALL, "");
    others();
    say_locale("last");
    free(all);
}

static volatile sig_atomic_t seen[65];
static sigjmp_buf back;

static void count(int sig)
{
    seen[sig]++;
}

static void jump(int sig, siginfo_t *info, void *context)
{
    (void)context;
    seen[sig] += info->si_addr == (void *)(8l * (me + 1));
    siglongjmp(back, sig);
}

static void say_signal(const char *when, int sig)
{
    printf("%d: %s: %d\n", me, when, seen[sig]);
    others();
}

static void faults(void)
{
    struct sigaction act = {.sa_sigaction = jump, .sa_flags = SA_SIGINFO};

    if (me % 2 || me == 0)
        sigaction(SIGSEGV, &act, NULL);
    else
        signal(SIGSEGV, SIG_IGN);
    others();
    for (int turn = 0; turn < 2; turn++)
        if ((me % 2 || me == 0) && !sigsetjmp(back, 1))
            *(volatile int *)(8l * (me + 1)) = 1;
    say_signal("faults", SIGSEGV);
    sigaction(SIGSEGV, NULL, &act);
    printf("%d: still its own %d %d\n", me, act.sa_sigaction == jump, act.sa_handler == SIG_IGN);
}

/* Handlers and masks differ among PEs, and each sends signals to itself. */
static void signals(int argc, char **argv)
{
    sigset_t set, old;

    (void)argc, (void)argv;
    faults();
    printf("%d: before %d\n", me, signal(SIGUSR1, me % 2 ? count : SIG_IGN) == SIG_DFL);
    others();
    raise(SIGUSR1);
    kill(getpid(), SIGUSR1);
    say_signal("raised", SIGUSR1);
    signal(SIGUSR2, count);
    sigemptyset(&set);
    sigaddset(&set, SIGUSR2);
    if (me % 2)
        sigprocmask(SIG_BLOCK, &set, NULL);
    others();
    raise(SIGUSR2);
    say_signal("blocked", SIGUSR2);
    sigprocmask(SIG_UNBLOCK, &set, &old);
    printf("%d: was blocked %d\n", me, sigismember(&old, SIGUSR2));
    say_signal("let in", SIGUSR2);
}

/* Of each PE, at different times, while it waits in its own way. */
static void alarms(int argc, char **argv)
{
    struct itimerval timer = {.it_value.tv_usec = 40000 + 20000 * me}, rest;

    (void)argc, (void)argv;
    signal(SIGALRM, count);
    others();
    setitimer(ITIMER_REAL, &timer, NULL);
    getitimer(ITIMER_REAL, &rest);
    printf("%d: runs %d\n", me, rest.it_value.tv_sec == 0 && rest.it_value.tv_usec > 0);
    if (me % 2)
        printf("%d: pause %d\n", me, pause());
    else
        printf("%d: sleep ends early %d\n", me, sleep(20) > 10);
    say_signal("alarms", SIGALRM);
    timer.it_interval.tv_usec = timer.it_value.tv_usec = 5000;
    setitimer(ITIMER_REAL, &timer, NULL);
    while (seen[SIGALRM] < 4)
        if (me % 2)
            sched_yield();
    timer.it_value.tv_usec = 0;
    setitimer(ITIMER_REAL, &timer, NULL);
    printf("%d: no alarm %u\n", me, alarm(100));
    others();
    printf("%d: an alarm %d\n", me, alarm(0) > 90);
}

static void others_alarm(int argc, char **argv)
{
    (void)argc, (void)argv;
    shmem_barrier_all();
    if (me == n - 2)
        alarm(1);
    sleep(20);
}

/* Each PE gets what the launcher passes on. */
static void from_outside(int argc, char **argv)
{
    (void)argc, (void)argv;
    signal(SIGUSR1, count);
    shmem_barrier_all();
    if (me == 0)
        kill(getppid(), SIGUSR1);
    while (!seen[SIGUSR1])
        usleep(1000);
    say_signal("from outside", SIGUSR1);
}

static const struct {
    const char *name;
    void (*run)(int argc, char **argv);
} modes[] = {
    {"options", options},           {"input", input},     {"output", output},   {"folders", folders},
    {"environment", environment},   {"numbers", numbers}, {"results", results}, {"locales", locales},
    {"times", times_of_day},        {"signals", signals}, {"alarms", alarms},   {"others_alarm", others_alarm},
    {"from_outside", from_outside},
};

int main(int argc, char **argv)
{
    const char *mode = argc > 1 ? argv[1] : "";
    size_t i = 0;

    shmem_init();
    me = shmem_my_pe();
    n = shmem_n_pes();
    while (i < sizeof modes / sizeof *modes && strcmp(modes[i].name, mode) != 0)
        i++;
    if (i == sizeof modes / sizeof *modes)
        shmem_global_exit(2);
    modes[i].run(argc - 1, argv + 1);
    shmem_barrier_all();
    shmem_finalize();
    return 0;
}
