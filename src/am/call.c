/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Requests and replies of words: am.h's calls, each a line below. What is wrong is
 * looked for in one comparison or two; only then it is found out what.
 */
#include "am/ami.h"
#include "am/trace.h"

static struct core_fast_head as_fast(const struct ami_head *h)
{
    struct core_fast_head q;

    __builtin_memcpy(&q, h, sizeof q);
    return q;
}

static int no_handler(const char *call)
{
    return ami_bad(call, "handler", 0, "a function, or AM_INDEX(i) with i > 0");
}

static __attribute__((noinline)) int request_slowly(const char *call, vnn_t dest, const struct ami_head *h,
                                                    const am_word *w, size_t n)
{
    struct ami_msg m = {.h.head = *h, .head_n = sizeof *h, .body = w, .n = n};
    bool immediate = dest & AM_IMMEDIATE;

    return ami_send(dest & ~AM_IMMEDIATE, &m, immediate, call);
}

static __attribute__((noinline)) int request_odd(const char *call, vnn_t dest, am_handler f, struct ami_head *h,
                                                 const am_word *w, size_t n)
{
    int to = dest > 0 ? dest & ~AM_IMMEDIATE : dest, rc = ami_refuse_request(call, to, f);

    if (rc != 0)
        return rc;
    if (!f)
        return no_handler(call);
    if (to == core_me())
        return ami_run_here(call, h, f, w, w + h->words, n - h->words * sizeof *w);
    h->handler = ami_handler_out(f);
    return request_slowly(call, dest, h, w, n);
}

/* n: bytes at w, of which `words` words come first. */
static inline __attribute__((always_inline)) int request_now(const char *call, vnn_t dest, am_handler f, unsigned kind,
                                                             const am_word *w, unsigned words, size_t n)
{
    struct ami_head h = {.kind = (uint8_t)kind, .words = (uint8_t)words};
    struct core_peer *fast;
    struct ami_peer *p;

    if (MPT_UNLIKELY((unsigned)dest >= (unsigned)core_size() || dest == core_me() || !ami.starts || ami.context || !f))
        return request_odd(call, dest, f, &h, w, n);
    p = &ami.peer[dest];
    h.handler = ami_handler_out(f);
    fast = core_fast_to(dest);
    h.done = p->done;
    if (MPT_UNLIKELY(!fast || !ami_has_room(p) || !core_fast_send(fast, AMI_CHANNEL, as_fast(&h), w, n)))
        return request_slowly(call, dest, &h, w, n);
    p->told = h.done;
    p->sent++;
    return 0;
}

static __attribute__((noinline, cold)) int request_traced(const char *call, vnn_t dest, am_handler f, unsigned kind,
                                                          const am_word *w, unsigned words, size_t n, const void *from)
{
    struct core_trace_record t;
    uint64_t at = core_trace_now();
    int rc;

    core_trace_begin(&t, call, from);
    rc = request_now(call, dest, f, kind, w, words, n);
    if (rc == 0)
        ami_trace_sent(&t, dest & ~AM_IMMEDIATE, false, n, at);
    core_trace_end(&t);
    return rc;
}

static inline __attribute__((always_inline)) int request(const char *call, vnn_t dest, am_handler f, unsigned kind,
                                                         const am_word *w, unsigned words, size_t n)
{
    return MPT_UNLIKELY(core_trace_on()) ? request_traced(call, dest, f, kind, w, words, n, __builtin_return_address(0))
                                         : request_now(call, dest, f, kind, w, words, n);
}

static __attribute__((noinline)) int reply_odd(const char *call, vnn_t dest, am_handler f, const struct ami_head *h,
                                               const am_word *w, size_t n)
{
    struct ami_msg m = {.h.head = *h, .head_n = sizeof *h, .body = w, .n = n};
    int rc = ami_refuse_reply(call, dest, f);

    if (rc != 0)
        return rc;
    if (!f)
        return no_handler(call);
    ami.context->replied = true;
    if (dest == core_me())
        return ami_run_here(call, h, f, w, w + h->words, n - h->words * sizeof *w);
    m.h.head.handler = ami_handler_out(f);
    ami_answer(dest, &m);
    return 0;
}

static inline __attribute__((always_inline)) int reply_now(const char *call, vnn_t dest, am_handler f, unsigned kind,
                                                           const am_word *w, unsigned words, size_t n)
{
    struct ami_head h = {.kind = (uint8_t)kind, .words = (uint8_t)words, .reply = 1};
    struct ami_context *c = ami.context;
    struct core_peer *fast;
    struct ami_peer *p;

    if (MPT_UNLIKELY(!c || c->reply || c->replied || c->src != dest || dest == core_me() || !f))
        return reply_odd(call, dest, f, &h, w, n);
    p = &ami.peer[dest];
    h.handler = ami_handler_out(f);
    h.done = p->done + 1;
    fast = core_fast_to(dest);
    if (MPT_UNLIKELY(!fast || p->first || !core_fast_send(fast, AMI_CHANNEL, as_fast(&h), w, n)))
        return reply_odd(call, dest, f, &h, w, n);
    c->replied = true;
    p->told = p->done = h.done;
    return 0;
}

static __attribute__((noinline, cold)) int reply_traced(const char *call, vnn_t dest, am_handler f, unsigned kind,
                                                        const am_word *w, unsigned words, size_t n)
{
    struct core_trace_record t;
    uint64_t at = core_trace_now();
    int rc;

    core_trace_begin(&t, call, NULL);
    rc = reply_now(call, dest, f, kind, w, words, n);
    if (rc == 0)
        ami_trace_sent(&t, dest, true, n, at);
    core_trace_end(&t);
    return rc;
}

static inline __attribute__((always_inline)) int reply(const char *call, vnn_t dest, am_handler f, unsigned kind,
                                                       const am_word *w, unsigned words, size_t n)
{
    return MPT_UNLIKELY(core_trace_on()) ? reply_traced(call, dest, f, kind, w, words, n)
                                         : reply_now(call, dest, f, kind, w, words, n);
}

/* am_request_0, am_request_1, ..., am_request_5: request; am_reply_0, ..., am_reply_5: reply */
#define SHORT(n, params, ...)                                                                              \
    int am_request_##n params                                                                              \
    {                                                                                                      \
        const am_word w[] = {__VA_ARGS__};                                                                 \
        return request("am_request_" #n, dest, (am_handler)handler, AMI_SHORT, w, n, n * sizeof(am_word)); \
    }                                                                                                      \
    int am_reply_##n params                                                                                \
    {                                                                                                      \
        const am_word w[] = {__VA_ARGS__};                                                                 \
        return reply("am_reply_" #n, dest, (am_handler)handler, AMI_SHORT, w, n, n * sizeof(am_word));     \
    }

SHORT(0, (vnn_t dest, handler_0_t handler), 0)
SHORT(1, (vnn_t dest, handler_1_t handler, am_word a), a)
SHORT(2, (vnn_t dest, handler_2_t handler, am_word a, am_word b), a, b)
SHORT(3, (vnn_t dest, handler_3_t handler, am_word a, am_word b, am_word c), a, b, c)
SHORT(4, (vnn_t dest, handler_4_t handler, am_word a, am_word b, am_word c, am_word d), a, b, c, d)
SHORT(5, (vnn_t dest, handler_5_t handler, am_word a, am_word b, am_word c, am_word d, am_word e), a, b, c, d, e)

static am_word bits(double x)
{
    am_word w;

    memcpy(&w, &x, sizeof w);
    return w;
}

int am_request_df(vnn_t dest, handler_df_t handler, am_word a, am_word b, double x)
{
    const am_word w[] = {a, b, bits(x)};

    return request("am_request_df", dest, (am_handler)handler, AMI_DF, w, 3, sizeof w);
}

int am_reply_df(vnn_t dest, handler_df_t handler, am_word a, am_word b, double x)
{
    const am_word w[] = {a, b, bits(x)};

    return reply("am_reply_df", dest, (am_handler)handler, AMI_DF, w, 3, sizeof w);
}

static int bad_words(const char *call, const am_word *words, int n)
{
    if (n < 0 || n > AM_WORDS_MAX)
        return ami_bad(call, "n", n, "0 to AM_WORDS_MAX words");
    return n > 0 && !words ? ami_bad(call, "words", 0, "an address") : 0;
}

int am_request_v(vnn_t dest, handler_v_t handler, const am_word *words, int n)
{
    int rc = bad_words("am_request_v", words, n);

    return rc ? rc
              : request("am_request_v", dest, (am_handler)handler, AMI_V, words, (unsigned)n,
                        (size_t)n * sizeof *words);
}

int am_reply_v(vnn_t dest, handler_v_t handler, const am_word *words, int n)
{
    int rc = bad_words("am_reply_v", words, n);

    return rc ? rc
              : reply("am_reply_v", dest, (am_handler)handler, AMI_V, words, (unsigned)n, (size_t)n * sizeof *words);
}

/* ----------------------------------------------------------------- medium -- */

struct medium {
    am_word word[AM_WORDS_MAX];
    unsigned char body[AMI_MEDIUM_MAX];
};

static int gather(struct medium *m, const char *call, const void *body, int nbytes, const am_word *words, int n)
{
    int rc = bad_words(call, words, n);

    if (rc != 0)
        return rc;
    if (nbytes < 0 || nbytes > (int)AMI_MEDIUM_MAX)
        return ami_bad(call, "nbytes", nbytes, "0 to am_max_medium()");
    if (nbytes > 0 && !body)
        return ami_bad(call, "body", 0, "an address");
    core_copy(m->word, words, (size_t)n * sizeof *words);
    core_copy(m->word + n, body, (size_t)nbytes);
    return 0;
}

int am_request_medium(vnn_t dest, handler_medium_t handler, const void *body, int nbytes, const am_word *words, int n)
{
    struct medium m;
    int rc = gather(&m, "am_request_medium", body, nbytes, words, n);

    return rc ? rc
              : request("am_request_medium", dest, (am_handler)handler, AMI_MEDIUM, m.word, (unsigned)n,
                        (size_t)n * sizeof *words + (size_t)nbytes);
}

int am_reply_medium(vnn_t dest, handler_medium_t handler, const void *body, int nbytes, const am_word *words, int n)
{
    struct medium m;
    int rc = gather(&m, "am_reply_medium", body, nbytes, words, n);

    return rc ? rc
              : reply("am_reply_medium", dest, (am_handler)handler, AMI_MEDIUM, m.word, (unsigned)n,
                      (size_t)n * sizeof *words + (size_t)nbytes);
}
