/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Names of local sockets: one process at a time has one, whoever was killed keeps
 * none, nothing is left of them, and nobody else can take, use or block them. The
 * last needs root, for a /tmp of its own and for another user to attack as.
 */
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/base/user_socket.h"
#include "harness.h"

enum { NOBODY = 65534, MANY = 8, SOON_MS = 2000 };

static char base[] = "/tmp/mpt-test-XXXXXX", runtime[64], home[64];

static int take(const char *name)
{
    return core_user_socket_take("test", name, SOCK_STREAM, 4);
}

static int call(const char *name)
{
    return core_user_socket_call("test", name, SOCK_STREAM, SOON_MS);
}

static bool is_there(const char *folder, const char *sub)
{
    char path[128];
    snprintf(path, sizeof path, "%s/%s", folder, sub);
    return access(path, F_OK) == 0;
}

/* What a child's body returns. */
static int in_child(int body(void *), void *arg)
{
    int status;
    pid_t child = fork();
    if (child == 0)
        _exit(body(arg));
    waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void one_at_a_time(const char *name)
{
    int fd = take(name), to, from;
    EXPECT(fd >= 0, "%s: %s", name, strerror(-fd));
    EXPECT(take(name) == -EADDRINUSE, "%s: taken twice", name);
    to = call(name);
    from = accept(fd, NULL, NULL);
    EXPECT(to >= 0 && from >= 0 && core_user_socket_is_ours(from), "%s: cannot be called", name);
    EXPECT(write(to, "x", 1) == 1 && read(from, &(char){0}, 1) == 1, "%s: nothing comes", name);
    close(to);
    close(from);
    core_user_socket_give_back(fd);
    EXPECT(call(name) == -ENOENT, "%s: called after it was given back", name);
    close(fd);
}

static int take_and_die(void *name)
{
    if (take(name) >= 0)
        raise(SIGKILL);
    return 1;
}

static int take_and_exit(void *name)
{
    if (take(name) < 0)
        return 1;
    exit(0);
}

static void after_the_end(void)
{
    char name[] = "killed";
    in_child(take_and_die, name);
    EXPECT(is_there(runtime, "mpt"), "who is killed leaves its socket behind"); /* else this tests nothing */
    int fd = take(name);
    EXPECT(fd >= 0, "the name of a killed process: %s", strerror(-fd));
    core_user_socket_give_back(fd);
    close(fd);
    EXPECT(!is_there(runtime, "mpt"), "the folder stays");
    in_child(take_and_die, name);
    EXPECT(call(name) == -ENOENT && !is_there(runtime, "mpt"), "a call does not clean up");
    EXPECT(in_child(take_and_exit, name) == 0 && !is_there(runtime, "mpt"), "who exits leaves something");
}

static int exit_only(void *unused)
{
    (void)unused;
    exit(0);
}

static void of_a_child(void)
{
    int fd = take("parent's"), to;
    in_child(exit_only, NULL);
    to = call("parent's");
    EXPECT(to >= 0, "a child's exit gave back the name");
    close(to);
    core_user_socket_give_back(fd);
    close(fd);
}

static int take_and_wait(void *unused)
{
    int fd = take("wanted by many");
    (void)unused;
    usleep(500000);
    return fd >= 0 ? 1 : fd == -EADDRINUSE ? 0 : 2;
}

static void at_once(void)
{
    int got = 0, status;
    for (int i = 0; i < MANY; i++)
        if (fork() == 0)
            _exit(take_and_wait(NULL));
    while (wait(&status) > 0) {
        EXPECT(WIFEXITED(status) && WEXITSTATUS(status) < 2, "status %d", status);
        got += WEXITSTATUS(status);
    }
    EXPECT(got == 1, "%d of %d have the name", got, MANY);
    EXPECT(call("wanted by many") == -ENOENT && !is_there(runtime, "mpt"), "what children left stays");
}

/* Nobody takes the calls: the next one ends in time. */
static void full(void)
{
    int fd = take("full"), to = 0, calls = 0;
    double start = check_seconds();
    while (to >= 0 && calls++ < 100)
        to = core_user_socket_call("test", "full", SOCK_STREAM, 100);
    EXPECT(to == -ETIMEDOUT && check_seconds() - start < 5, "%d calls, then %d", calls, to);
    core_user_socket_give_back(fd);
    close(fd);
}

static void datagrams(void)
{
    int first = core_user_socket_take("test", "first", SOCK_DGRAM, 0),
        second = core_user_socket_take("test", "second", SOCK_DGRAM, 0), to;
    EXPECT(first >= 0 && second >= 0 && core_user_socket_move(second, first) == 0, "%d %d", first, second);
    to = core_user_socket_call("test", "second", SOCK_DGRAM, 0);
    EXPECT(to >= 0 && send(to, "x", 1, 0) == 1 && recv(first, &(char){0}, 1, 0) == 1, "%d", to);
    EXPECT(core_user_socket_call("test", "first", SOCK_DGRAM, 0) == -ENOENT, "the name before is still there");
    close(to);
    core_user_socket_give_back(first);
    close(first);
    EXPECT(!is_there(runtime, "mpt"), "the folder stays");
}

/* ------------------------------------------------------------- another user -- */

static int intrude(void *folder)
{
    struct sockaddr_un a = {.sun_family = AF_UNIX};
    if (setgid(NOBODY) != 0 || setuid(NOBODY) != 0)
        return 2;
    snprintf(a.sun_path, sizeof a.sun_path, "%s/x", (const char *)folder);
    int fd = socket(AF_UNIX, SOCK_STREAM, 0);
    return bind(fd, (struct sockaddr *)&a, sizeof a) == 0 || open(folder, O_RDONLY) >= 0;
}

static int make_folder(void *path)
{
    umask(0);
    return setuid(NOBODY) != 0 || mkdir(path, 0777) != 0;
}

static int make_link(void *path)
{
    return setuid(NOBODY) != 0 || symlink(home, path) != 0;
}

/* Another user has taken the name of the folder in /tmp: in some way or other. */
static void occupied(int occupy(void *))
{
    char path[32];
    snprintf(path, sizeof path, "/tmp/mpt-%d", (int)geteuid());
    EXPECT(in_child(occupy, path) == 0, "cannot make %s", path);
    one_at_a_time("in the home directory");
    EXPECT(remove(path) == 0, "%s", path);
}

static void in_tmp(void)
{
    char path[32];
    int fd = take("in /tmp");
    snprintf(path, sizeof path, "/tmp/mpt-%d", (int)geteuid());
    EXPECT(fd >= 0 && access(path, F_OK) == 0, "%d", fd);
    EXPECT(in_child(intrude, path) == 0, "another user can enter %s", path);
    core_user_socket_give_back(fd);
    close(fd);
    EXPECT(access(path, F_OK) != 0, "%s stays", path);
    chmod("/tmp", 0777);
    one_at_a_time("without the sticky bit");
    EXPECT(access(path, F_OK) != 0, "%s", path);
    chmod("/tmp", 01777);
}

static void attacked(void)
{
    if (geteuid() != 0 || unshare(CLONE_NEWNS) != 0 || mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) != 0) {
        printf("(not root, or no mount namespaces: nobody attacks)\n");
        return;
    }
    EXPECT(in_child(intrude, runtime) == 0, "another user can enter the runtime directory");
    EXPECT(chmod(runtime, 0777) == 0, "chmod"); /* others may write there: not used */
    EXPECT(mount("tmpfs", "/run", "tmpfs", 0, NULL) == 0 && mount("tmpfs", "/tmp", "tmpfs", 0, "mode=1777") == 0, "%s",
           strerror(errno));
    snprintf(home, sizeof home, "/run/home");
    EXPECT(mkdir(home, 0700) == 0 && setenv("HOME", home, 1) == 0, "home");
    in_tmp();
    occupied(make_folder);
    occupied(make_link);
}

int main(void)
{
    EXPECT(mkdtemp(base) != NULL, "%s", base);
    snprintf(runtime, sizeof runtime, "%s/run", base);
    EXPECT(mkdir(runtime, 0700) == 0 && setenv("XDG_RUNTIME_DIR", runtime, 1) == 0, "%s", runtime);
    one_at_a_time("name");
    one_at_a_time("../../etc/with/slashes, and so long that no socket's address would hold it: "
                  "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx");
    one_at_a_time("");
    EXPECT(!is_there(runtime, "mpt"), "the folder stays");
    after_the_end();
    of_a_child();
    at_once();
    full();
    datagrams();
    if (fork() == 0) { /* the rest of the test must see /tmp as it was */
        attacked();
        _exit(0);
    }
    int status;
    wait(&status);
    EXPECT(WIFEXITED(status) && WEXITSTATUS(status) == 0, "status %d", status);
    rmdir(runtime);
    EXPECT(rmdir(base) == 0, "%s: %s", base, strerror(errno));
    return 0;
}
