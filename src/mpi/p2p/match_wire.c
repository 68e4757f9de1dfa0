/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The one place from which MPI sends to a process, and what waits there while
 * the process takes no more. Nothing here waits: a task tries again.
 */
#include <errno.h>

#include "mpi/ft/ft.h"
#include "mpi/p2p/p2p.h"

static inline int count_sent(enum mpii_channel channel, size_t n, int err)
{
    if (channel == MPII_CHANNEL_MESSAGE && err == 0) {
        mpii_counters.sends++;
        mpii_counters.send_bytes += n;
    }
    return err;
}

int mpii_p2p_wire_send(int proc, enum mpii_channel channel, const void *head, size_t head_n, const void *body, size_t n)
{
    return count_sent(channel, n, MPT_LIKELY(proc < core_size()) ? core_send_try(proc, channel, head, head_n, body, n)
                                                                 : mpii_bridge_send(proc, channel, head, head_n, body, n));
}

int mpii_p2p_wire_push(int proc, const void *head, size_t head_n, const void *body, size_t n)
{
    return count_sent(MPII_CHANNEL_MESSAGE, n, core_push_try(proc, MPII_CHANNEL_MESSAGE, head, head_n, body, n));
}

int mpii_p2p_wire_far(int proc, enum mpii_channel channel, const void *head, size_t head_n, const void *body, size_t n,
                      struct core_sending *s, void (*ended)(struct core_sending *s))
{
    return count_sent(channel, n, MPT_LIKELY(proc < core_size())
                                      ? core_send_far_try(proc, channel, head, head_n, body, n, s, ended)
                                      : mpii_bridge_far(proc, channel, head, head_n, body, n, s, ended));
}

/* ------------------------------------------------- words that wait for room -- */

struct word {
    struct word *next;
    int proc;
    bool ends; /* `far`, not `control` */
    struct mpii_p2p_control control;
    uint32_t more;
    struct core_far far;
};

static struct word *words, **words_last = &words;

static bool try_word(const struct word *w)
{
    int err;

    if (w->ends && w->far.pe >= core_size()) {
        mpii_bridge_end(&w->far);
        return true;
    }
    if (w->ends)
        return core_fetch_end_try(&w->far);
    err = mpii_p2p_wire_send(w->proc, MPII_CHANNEL_CONTROL, &w->control, sizeof w->control, &w->more, sizeof w->more);
    if (err == -EPIPE && (w->proc >= core_size() || mpii_ft_on))
        return true; /* it has ended, and needs to know no more */
    if (err != 0 && err != -EAGAIN)
        core_fatal("cannot send a word of MPI to process %d: %s", w->proc, strerror(-err));
    return err == 0;
}

/* A process that takes no more holds up the words for others: there are few. */
static void step_words(struct mpii_task *task)
{
    while (words && try_word(words)) {
        struct word *w = words;

        words = w->next;
        free(w);
    }
    if (!words) {
        words_last = &words;
        mpii_task_remove(task);
    }
}

static struct mpii_task words_task = {.step = step_words};

static void later(struct word *w)
{
    struct word *kept = malloc(sizeof *kept);

    if (!kept)
        core_fatal("out of memory for a word to process %d", w->proc);
    *kept = *w;
    kept->next = NULL;
    if (!words)
        mpii_task_add(&words_task);
    *words_last = kept;
    words_last = &kept->next;
}

void mpii_p2p_say(int proc, const struct mpii_p2p_control *c)
{
    mpii_p2p_say_more(proc, c, 0);
}

void mpii_p2p_say_more(int proc, const struct mpii_p2p_control *c, uint32_t more)
{
    struct word w = {NULL, proc, false, *c, more, {0}};

    if (words || !try_word(&w))
        later(&w);
}

bool mpii_p2p_words_wait(void)
{
    return words != NULL;
}

void mpii_p2p_fetch_end(const struct core_far *far)
{
    struct word w = {NULL, far->pe, true, {0}, 0, *far};

    if (words || !try_word(&w))
        later(&w);
}

/* ------------------------------------------------------ lines of processes -- */

unsigned mpii_p2p_waiting;
static struct mpii_p2p_line *lines;
static int lines_n;

struct mpii_p2p_line *mpii_p2p_line_of(int proc)
{
    if (MPT_UNLIKELY(proc >= lines_n)) {
        int n = proc + 1 > core_size() ? proc + 16 : core_size();
        struct mpii_p2p_line *more = realloc(lines, (size_t)n * sizeof *more);

        if (!more)
            core_fatal("out of memory for sends that wait");
        memset(more + lines_n, 0, (size_t)(n - lines_n) * sizeof *more);
        lines = more;
        lines_n = n;
    }
    return &lines[proc];
}
