/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Bad arguments end the program with a message that names the call, the argument and its value.
 */
#include <benchlib.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static double x[1000];
static int64_t index_of[500];

static void too_many(void)
{
    lgetv(x, 1, 481);
}
static void negative(void)
{
    lputv(x, 1, -1);
}
static void past_the_end(void)
{
    lgetvo(x, 1, 241, 240);
}
static void negative_offset(void)
{
    lputvo(x, 1, 1, -3);
}
static void gather(void)
{
    lgath(x, index_of, 500);
}
static void set(void)
{
    lsetv(x, 1, -5, 1.0);
}
static void lda(void)
{
    bl_transpose(x, 10, x + 500, 9, 10, 10);
}
static void ldb(void)
{
    bl_transpose(x, 9, x + 500, 10, 10, 10);
}
static void in_place(void)
{
    bl_transpose_in_place(x, 4, 5);
}

static const struct {
    void (*call)(void);
    const char *message;
} cases[] = {
    {too_many, "benchlib: lgetv: offset + n = 481 "},
    {negative, "benchlib: lputv: n = -1 "},
    {past_the_end, "benchlib: lgetvo: offset + n = 481 "},
    {negative_offset, "benchlib: lputvo: offset = -3 "},
    {gather, "benchlib: lgath: offset + n = 500 "},
    {set, "benchlib: lsetv: n = -5 "},
    {lda, "benchlib: bl_transpose: lda = 9 "},
    {ldb, "benchlib: bl_transpose: ldb = 9 "},
    {in_place, "benchlib: bl_transpose_in_place: lda = 4 "},
};

/* True when the call ended its process by abort and said why. */
static int dies(void (*call)(void), const char *message)
{
    char said[256] = "";
    int ends[2], status = 0;
    pid_t child;

    if (pipe(ends) || (child = fork()) < 0)
        return 0;
    if (child == 0) {
        dup2(ends[1], 2);
        call();
        _exit(0);
    }
    close(ends[1]);
    if (read(ends[0], said, sizeof said - 1) < 0)
        return 0;
    close(ends[0]);
    waitpid(child, &status, 0);
    if (WIFSIGNALED(status) && strncmp(said, message, strlen(message)) == 0)
        return 1;
    printf("wanted \"%s\", got \"%s\", status %d\n", message, said, status);
    return 0;
}

int main(void)
{
    int failures = 0;

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        failures += !dies(cases[i].call, cases[i].message);
    return failures != 0;
}
