/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What is wrong is named, and the program's error handler decides: replies and requests
 * where there must be none, arguments, handlers and memory that the other PE has not.
 */
#include "acheck.h"

static volatile long errors, handled;
static volatile int last_status;
static volatile vnn_t last_pe;
static char last_text[600];

static void on_error(int status, vnn_t pe, am_handler handler, const char *text)
{
    (void)handler;
    last_status = status;
    last_pe = pe;
    snprintf(last_text, sizeof last_text, "%s", text);
    errors++;
}

/* The last error is this one, once; its text names what matters. */
static void expect(int rc, int status, const char *a, const char *b)
{
    CHECK(errors == 1 && last_status == status && (rc == status || rc == 0),
          "%ld errors, status %d, returned %d; expected status %d: %s", errors, last_status, rc, status, last_text);
    CHECK(strstr(last_text, a) && strstr(last_text, b), "the text must name %s and %s: %s", a, b, last_text);
    errors = 0;
}

static void nothing(vnn_t src)
{
    handled += src >= 0;
}
static void mem_nothing(vnn_t src, void *addr, int n, void *arg)
{
    handled += src >= 0 && addr && n >= 0 && !arg;
}

void reply_handler(vnn_t src);
void reply_handler(vnn_t src)
{
    expect(am_reply_0(src, nothing), AM_E_RULE, "am_reply_0", "reply_handler");
    handled++;
}

void request_handler(vnn_t src);
void request_handler(vnn_t src)
{
    char name[32];

    expect(am_request_1(src, nothing), AM_E_RULE, "am_request_1", "request_handler");
    expect(am_store(src, name, name, 8, mem_nothing), AM_E_RULE, "am_store", "must not send requests");
    expect(am_quiet(), AM_E_RULE, "am_quiet", "must not wait");
    if (ac_n > 1) {
        snprintf(name, sizeof name, "request of PE %d", src);
        expect(am_reply_0((src + 1) % ac_n, nothing), AM_E_RULE, "am_reply_0", name);
    }
    CHECK(am_reply_0(src, reply_handler) == 0, "a reply");
    expect(am_reply_2(src, nothing), AM_E_RULE, "am_reply_2", "second reply");
    handled++;
}

static void arguments(void)
{
    am_word w[AM_WORDS_MAX + 1] = {0};
    char body[8];

    expect(am_reply_0(0, nothing), AM_E_RULE, "am_reply_0", "outside");
    expect(am_request_0(ac_n, nothing), AM_E_ARGUMENT, "am_request_0", "dest=");
    expect(am_request_4(-1, nothing), AM_E_ARGUMENT, "am_request_4", "dest=-1");
    expect(am_request_0(0, NULL), AM_E_ARGUMENT, "am_request_0", "handler");
    expect(am_request_v(0, nothing, w, AM_WORDS_MAX + 1), AM_E_ARGUMENT, "am_request_v", "n=17");
    expect(am_request_v(0, nothing, NULL, 2), AM_E_ARGUMENT, "am_request_v", "words");
    expect(am_request_medium(0, nothing, body, am_max_medium(0) + 1, w, 0), AM_E_ARGUMENT, "am_request_medium",
           "nbytes");
    expect(am_request_medium(0, nothing, body, -1, w, 0), AM_E_ARGUMENT, "am_request_medium", "nbytes=-1");
    expect(am_store(0, body, body, -1, mem_nothing), AM_E_ARGUMENT, "am_store", "nbytes=-1");
    expect(am_store(0, NULL, body, 8, mem_nothing), AM_E_ARGUMENT, "am_store", "lva");
    expect(am_get(ac_n, body, body, 8, mem_nothing), AM_E_ARGUMENT, "am_get", "dest=");
    expect(am_get(0, NULL, body, 8, mem_nothing), AM_E_ARGUMENT, "am_get", "rva");
    expect(am_register(0, nothing), AM_E_ARGUMENT, "am_register", "index=0");
    expect(am_table(NULL, -1), AM_E_ARGUMENT, "am_table", "n=-1");
    expect(am_request_commit(0, nothing, 0, w, 0), AM_E_RULE, "am_request_commit", "prepared");
    CHECK(!am_request_prepare(0, -1, 0), "prepare of -1 bytes");
    expect(0, AM_E_ARGUMENT, "am_request_prepare", "nbytes");
    CHECK(am_max_medium(ac_n) == -1 && am_max_long(-1) == -1 && am_max_requests(ac_n) == -1, "limits of no PE");
    CHECK(am_max_short() >= 4 && am_max_size() > 1 << 20 && am_max_requests((ac_me + 1) % ac_n) > 1, "limits");
}

/* The same within this PE: the call itself says so. */
static void undelivered_here(void)
{
    char *hole = (char *)4096, body[2000] = {0};

    expect(am_store(ac_me, body, hole, 100, mem_nothing), AM_E_MEMORY, "am_store", "0x1000");
    expect(am_store_async(ac_me, body, hole, sizeof body, NULL, NULL, mem_nothing, NULL), AM_E_MEMORY, "am_store_async",
           "0x1000");
    expect(am_get(ac_me, hole, body, sizeof body, mem_nothing), AM_E_MEMORY, "am_get", "0x1000");
    expect(am_store(ac_me, body, "constant", 8, mem_nothing), AM_E_MEMORY, "am_store", "8 bytes");
}

/* Messages that come back. */
static void undelivered(int dest)
{
    char *hole = (char *)4096, body[2000] = {0}; /* nobody has memory there */

    am_store(dest, body, hole, 100, mem_nothing);
    am_quiet();
    expect(0, AM_E_MEMORY, "transfer", "address");
    am_store(dest, body, hole, sizeof body, mem_nothing);
    am_quiet();
    expect(0, AM_E_MEMORY, "transfer", "mem_nothing");
    am_get(dest, hole, body, sizeof body, mem_nothing);
    am_quiet();
    expect(0, AM_E_MEMORY, "transfer", "address");
}

static void table_misses(int dest)
{
    int rc = am_request_2(dest, AM_INDEX(77));

    am_quiet();
    expect(rc, AM_E_HANDLER, "number 77", dest == ac_me ? "not registered" : "came back");
}

int main(void)
{
    am_set_error(on_error);
    expect(am_request_0(0, nothing), AM_E_STATE, "am_request_0", "before am_enable");
    ac_start();
    arguments();
    gam_barrier();
    am_request_0((ac_me + 1) % ac_n, request_handler);
    am_quiet();
    am_wait_for(handled == 2);
    gam_barrier();
    table_misses((ac_me + 1) % ac_n);
    gam_barrier();
    undelivered_here();
    if (ac_n > 1)
        undelivered((ac_me + 1) % ac_n);
    CHECK(am_set_error(NULL) == on_error, "the handler before");
    am_set_error(on_error);
    gam_barrier();
    CHECK(errors == 0, "%ld errors more: %s", errors, last_text);
    return ac_finish();
}
