/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Output of other tasks, as it is shown: line by line in the file of pvm_catchout,
 * with the task before each line unless PvmShowTids is 0; or as messages, for
 * programs that have said so by pvm_setopt(PvmOutputTid). The sink's thread calls
 * no PVM: the task makes the messages.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "pvm/msg/message.h"
#include "pvm/output/output.h"

void pvmi_print_file(FILE *f)
{
    __atomic_store_n(&pvmi.output.file, f, __ATOMIC_RELEASE);
}

static FILE *current_file(void)
{
    FILE *f = __atomic_load_n(&pvmi.output.file, __ATOMIC_ACQUIRE);
    return f ? f : stdout;
}

/* ------------------------------------------------------------------ printing -- */

static bool labels(void)
{
    return pvmi.opt[PvmShowTids] != 0;
}

static void print_line(const struct pvmi_spring *s, const char *text, size_t n)
{
    FILE *f = current_file();
    flockfile(f);
    if (labels())
        fprintf(f, "[t%x] ", (unsigned)s->flow.tid);
    fwrite(text, 1, n, f);
    putc('\n', f);
    funlockfile(f);
}

static void print_word(const struct pvmi_spring *s, const char *word)
{
    if (labels())
        print_line(s, word, strlen(word));
}

/* Lines longer than the room are shown in pieces. */
static void print(struct pvmi_spring *s, const char *text, size_t n)
{
    while (n > 0) {
        const char *end = memchr(text, '\n', n);
        size_t take = end ? (size_t)(end - text) : n, room = sizeof s->line - s->n;
        if (take > room) {
            take = room;
            end = NULL;
        }
        memcpy(s->line + s->n, text, take);
        s->n += take;
        if (end || s->n == sizeof s->line) {
            print_line(s, s->line, s->n);
            s->n = 0;
        }
        text += take + (end != NULL);
        n -= take + (end != NULL);
    }
}

static void print_rest(struct pvmi_spring *s)
{
    if (s->n > 0)
        print_line(s, s->line, s->n);
    s->n = 0;
}

/* ------------------------------------------------------------------ messages --
 * They wait in a queue until the task takes them all, at a note from the thread: however
 * many come while the task computes, nobody waits for it. */

struct pvmi_item {
    struct pvmi_item *next;
    struct pvmi_flow flow;
    int32_t n; /* of bytes, or PVMI_SPAWNED ... */
    char text[];
};

static bool lost(void)
{
    return __atomic_load_n(&pvmi.output.lost, __ATOMIC_ACQUIRE);
}

static struct pvmi_item *take_all(void)
{
    struct pvmi_item *all = pvmi.output.queue.first;
    pvmi.output.queue.first = NULL;
    pvmi.output.queue.last = &pvmi.output.queue.first;
    pvmi.output.queue.told = false;
    return all;
}

bool pvmi_output_announce(void)
{
    struct pvmi_head head = {.kind = PVMI_OUTPUT};
    struct pvmi_item *dropped = NULL, *next;
    bool done = true;
    pthread_mutex_lock(&pvmi.output.queue.lock);
    if (pvmi.output.queue.first && !pvmi.output.queue.told && !lost()) {
        int rc = core_send_try(core_me(), PVMI_CHANNEL, &head, sizeof head, NULL, 0);
        pvmi.output.queue.told = rc == 0;
        done = rc != -EAGAIN;
        if (rc != 0 && done) /* the task has left the machine */
            dropped = take_all();
    }
    pthread_mutex_unlock(&pvmi.output.queue.lock);
    for (; dropped; dropped = next) {
        next = dropped->next;
        free(dropped);
    }
    return done;
}

static void tell(const struct pvmi_spring *s, int what, const char *text)
{
    size_t n = what > 0 ? (size_t)what : 0;
    struct pvmi_item *i = malloc(sizeof *i + n);
    if (!i) {
        core_error("no memory for output of t%x", (unsigned)s->flow.tid);
        return;
    }
    *i = (struct pvmi_item){.flow = s->flow, .n = what};
    if (n)
        memcpy(i->text, text, n);
    pthread_mutex_lock(&pvmi.output.queue.lock);
    *pvmi.output.queue.last = i;
    pvmi.output.queue.last = &i->next;
    pthread_mutex_unlock(&pvmi.output.queue.lock);
}

/* tid, bytes, then the parent or the bytes themselves: as PVM's daemon sent it. */
static void make_message(const struct pvmi_item *i)
{
    struct pvmi_msg *m = pvmi_msg_new(PvmDataDefault);
    if (!m || pvmi_pack(m, PVM_INT, &i->flow.tid, 1, 1) < 0 || pvmi_pack(m, PVM_INT, &i->n, 1, 1) < 0 ||
        (i->n < 0 && pvmi_pack(m, PVM_INT, &i->flow.parent, 1, 1) < 0) ||
        (i->n > 0 && pvmi_pack(m, PVM_BYTE, i->text, i->n, 1) < 0))
        core_fatal("no memory for a message with output of t%x", (unsigned)i->flow.tid);
    m->src = (int)PVMI_PVMD;
    m->dst = pvmi.tid;
    m->tag = i->flow.tag;
    m->context = i->flow.context;
    pvmi_queue_add(m);
}

static void on_note(int slot, const void *note, size_t n)
{
    struct pvmi_item *i, *next;
    (void)slot, (void)note, (void)n;
    pthread_mutex_lock(&pvmi.output.queue.lock);
    i = take_all();
    pthread_mutex_unlock(&pvmi.output.queue.lock);
    for (; i; i = next) {
        next = i->next;
        make_message(i);
        free(i);
    }
}

void pvmi_output_take(void)
{
    pvmi.msg.takers[PVMI_OUTPUT] = on_note;
}

/* ------------------------------------------------------------------- springs -- */

/* To this process's stderr: whoever could do more with it has gone. */
static void lose(const char *text, size_t n)
{
    while (n > 0) {
        ssize_t done = write(STDERR_FILENO, text, n);
        if (done <= 0)
            return;
        text += done;
        n -= (size_t)done;
    }
}

static bool is_printed(const struct pvmi_spring *s)
{
    return s->flow.tag == PVMI_PRINT;
}

void pvmi_output_begin(struct pvmi_spring *s)
{
    if (lost())
        return;
    if (is_printed(s)) {
        print_word(s, "BEGIN");
        return;
    }
    tell(s, PVMI_SPAWNED, NULL);
    tell(s, PVMI_BEGIN, NULL);
}

void pvmi_output_text(struct pvmi_spring *s, const char *text, size_t n)
{
    if (lost())
        lose(text, n);
    else if (is_printed(s))
        print(s, text, n);
    else
        tell(s, (int)n, text);
}

void pvmi_output_end(struct pvmi_spring *s)
{
    if (lost()) {
        lose(s->line, s->n);
        return;
    }
    print_rest(s);
    if (is_printed(s))
        print_word(s, "EOF");
    else
        tell(s, PVMI_EOF, NULL);
}

void pvmi_output_done(void)
{
    if (!lost())
        fflush(current_file());
}
