/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Why the system does not execute a file, or start a process: its own words, and what they leave open.
 */
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "launch/options.h"

enum { LINE = 256 };

/* The beginning of a file, ended by 0. -1: it cannot be read. */
static ssize_t beginning(const char *path, char text[LINE + 1])
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t n = fd < 0 ? -1 : read(fd, text, LINE);

    if (fd >= 0)
        close(fd);
    text[n > 0 ? n : 0] = '\0';
    return n;
}

/* As shells have it: nothing of a program is in the first line. */
bool launch_is_text(const char *path)
{
    char text[LINE + 1];
    ssize_t n = beginning(path, text);

    return n < 0 ||
           (n > 0 && memcmp(text, ELFMAG, SELFMAG < n ? SELFMAG : (size_t)n) != 0 && strlen(text) == (size_t)n);
}

const char *launch_limit_of(int error)
{
    switch (error) {
    case EMFILE:
        return "; raise the limit on open files (ulimit -n)";
    case EAGAIN:
        return "; is there a limit on processes (ulimit -u)?";
    case EPERM:
    case ENOSYS:
        return "; a filter of system calls (seccomp), as containers have it, refuses this";
    default:
        return "";
    }
}

/* ------------------------------------------------------------------ programs -- */

static const struct {
    unsigned machine;
    const char *name;
} machines[] = {{EM_386, "i386"},        {EM_X86_64, "x86_64"},      {EM_ARM, "arm"},     {EM_AARCH64, "aarch64"},
                {EM_PPC64, "ppc64"},     {EM_S390, "s390"},          {EM_RISCV, "riscv"}, {EM_MIPS, "mips"},
                {EM_SPARCV9, "sparc64"}, {EM_LOONGARCH, "loongarch"}};

static const char *machine(unsigned number)
{
    for (size_t i = 0; i < sizeof machines / sizeof *machines; i++)
        if (machines[i].machine == number)
            return machines[i].name;
    return "another machine";
}

/* A program's file that the kernel does not know. */
static void tell_format(const char *path, char *why, size_t n)
{
    char text[LINE + 1] = "";
    ssize_t got = beginning(path, text);
    struct utsname here;
    ElfW(Ehdr) head;
    const bool swapped = text[EI_DATA] != (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? ELFDATA2LSB : ELFDATA2MSB);

    if (got == 0)
        snprintf(why, n, "the file is empty");
    else if (got < (ssize_t)sizeof head || memcmp(text, ELFMAG, SELFMAG) != 0)
        snprintf(why, n, "the file is neither a program nor a script");
    else if (memcpy(&head, text, sizeof head), swapped)
        snprintf(why, n, "it is a program for another machine");
    else if (head.e_type == ET_REL)
        snprintf(why, n, "it is an object file, which has yet to be linked");
    else if (uname(&here) == 0 && strcmp(machine(head.e_machine), here.machine) != 0)
        snprintf(why, n, "it is a program for %s, and this machine is %s", machine(head.e_machine), here.machine);
    else
        snprintf(why, n, "the file is damaged, or not whole");
}

/* A script, or a program, is there, but not what is to run it. */
static void tell_interpreter(const char *path, char *why, size_t n)
{
    char text[LINE + 1];
    size_t begin, len;

    if (beginning(path, text) <= 0 || strncmp(text, "#!", 2) != 0) {
        snprintf(why, n, "its interpreter (the dynamic linker) is missing");
        return;
    }
    begin = 2 + strspn(text + 2, " \t");
    len = strcspn(text + begin, " \t\r\n");
    snprintf(why, n, "its interpreter %.*s is missing%s", (int)len, text + begin,
             text[begin + len] == '\r' ? ": the first line ends with a carriage return, as files from Windows do" : "");
}

static void tell_permission(const char *path, char *why, size_t n)
{
    struct stat st;

    if (stat(path, &st) == 0 && !(st.st_mode & (S_IXUSR | S_IXGRP | S_IXOTH)))
        snprintf(why, n, "chmod +x makes a file executable");
    else if (stat(path, &st) == 0)
        snprintf(why, n, "it is another user's, or its file system does not let programs run");
    else
        snprintf(why, n, "a folder above does not let this user pass");
}

int launch_cannot_run(const char *path, int error)
{
    char why[2 * LINE] = "";

    if (error == ENOEXEC)
        tell_format(path, why, sizeof why);
    else if (error == ENOENT && access(path, F_OK) == 0)
        tell_interpreter(path, why, sizeof why);
    else if (error == EACCES)
        tell_permission(path, why, sizeof why);
    launch_say("cannot run '%s': %s%s%s%s", path, strerror(error), *why ? " (" : "", why, *why ? ")" : "");
    return error == ENOENT || error == ENOTDIR ? STATUS_NOT_FOUND : STATUS_NOT_EXECUTABLE;
}
