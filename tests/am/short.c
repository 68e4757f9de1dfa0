/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Requests and replies of every number of words, by function and by number, with a
 * double, many words and medium bodies; tokens; requests to oneself.
 */
#include "acheck.h"

static volatile long got, answered;
static int replies_wanted = 1;

static void token(vnn_t src, bool request, int words)
{
    struct am_token_info t;

    CHECK(am_token(&t) == 0, "am_token failed inside a handler");
    CHECK(t.source == src && t.is_request == request && t.words == words,
          "token: PE %d, request %d, %d words; expected %d, %d, %d", t.source, t.is_request, t.words, src, request,
          words);
}

#define W(i) ((am_word)0x123456789 * (i) + 7)

static void words_right(const am_word *w, int n, int src, int salt)
{
    for (int i = 0; i < n; i++)
        CHECK(w[i] == W(i) + src + salt, "word %d of %d: %lx", i, n, (long)w[i]);
}

static void a0(vnn_t s)
{
    token(s, false, 0);
    answered++;
}
static void a1(vnn_t s, am_word a)
{
    words_right(&a, 1, s, 1);
    answered++;
}
static void a2(vnn_t s, am_word a, am_word b)
{
    words_right((am_word[]){a, b}, 2, s, 1);
    answered++;
}
static void a3(vnn_t s, am_word a, am_word b, am_word c)
{
    words_right((am_word[]){a, b, c}, 3, s, 1);
    answered++;
}
static void a4(vnn_t s, am_word a, am_word b, am_word c, am_word d)
{
    token(s, false, 4);
    words_right((am_word[]){a, b, c, d}, 4, s, 1);
    answered++;
}
static void a5(vnn_t s, am_word a, am_word b, am_word c, am_word d, am_word e)
{
    words_right((am_word[]){a, b, c, d, e}, 5, s, 1);
    answered++;
}
static void adf(vnn_t s, am_word a, am_word b, double x)
{
    CHECK(a == s && b == -2 && x == 2.75, "df: %ld %ld %g", (long)a, (long)b, x);
    answered++;
}
static void av(vnn_t s, const am_word *w, int n)
{
    words_right(w, n, s, 1);
    answered++;
}
static void am(vnn_t s, void *body, int nbytes, const am_word *w, int n)
{
    words_right(w, n, s, 1);
    CHECK(check_differs(body, (size_t)nbytes, (uint64_t)s + 90) == (size_t)nbytes, "medium reply of %d bytes from %d",
          nbytes, s);
    answered++;
}

#define R(i) (W(i) + ac_me + 1)
static void r0(vnn_t s)
{
    token(s, true, 0);
    got++;
    if (replies_wanted)
        am_reply_0(s, a0);
}
static void r1(vnn_t s, am_word a)
{
    words_right(&a, 1, s, 0);
    got++;
    am_reply_1(s, a1, R(0));
}
static void r2(vnn_t s, am_word a, am_word b)
{
    words_right((am_word[]){a, b}, 2, s, 0);
    got++;
    am_reply_2(s, a2, R(0), R(1));
}
static void r3(vnn_t s, am_word a, am_word b, am_word c)
{
    words_right((am_word[]){a, b, c}, 3, s, 0);
    got++;
    am_reply_3(s, a3, R(0), R(1), R(2));
}
static void r4(vnn_t s, am_word a, am_word b, am_word c, am_word d)
{
    struct am_token_info t;

    words_right((am_word[]){a, b, c, d}, 4, s, 0);
    got++;
    am_token(&t);
    CHECK(t.may_reply, "a request may be replied to");
    am_reply_4(s, a4, R(0), R(1), R(2), R(3));
    am_token(&t);
    CHECK(!t.may_reply && t.handler == (am_handler)r4, "not twice; and the handler is known");
}
static void r5(vnn_t s, am_word a, am_word b, am_word c, am_word d, am_word e)
{
    words_right((am_word[]){a, b, c, d, e}, 5, s, 0);
    got++;
    am_reply_5(s, a5, R(0), R(1), R(2), R(3), R(4));
}
static void rdf(vnn_t s, am_word a, am_word b, double x)
{
    CHECK(a == s && b == -1 && x == 1.5, "df: %ld %ld %g", (long)a, (long)b, x);
    got++;
    am_reply_df(s, adf, ac_me, -2, 2.75);
}
static void rv(vnn_t s, const am_word *w, int n)
{
    am_word back[AM_WORDS_MAX];

    words_right(w, n, s, 0);
    got++;
    for (int i = 0; i < n; i++)
        back[i] = R(i);
    am_reply_v(s, av, back, n);
}
static void rm(vnn_t s, void *body, int nbytes, const am_word *w, int n)
{
    char back[1024];
    am_word words[AM_WORDS_MAX];

    words_right(w, n, s, 0);
    CHECK(check_differs(body, (size_t)nbytes, (uint64_t)s + 50) == (size_t)nbytes, "medium of %d bytes from %d", nbytes,
          s);
    got++;
    for (int i = 0; i < n; i++)
        words[i] = R(i);
    check_fill(back, (size_t)nbytes, (uint64_t)ac_me + 90);
    am_reply_medium(s, am, back, nbytes, words, n);
}

/* As old programs have them: narrow words, and fewer arguments than the call's name says. */
static volatile int old_sum;
static void old_style(vnn_t s, int a, int b, char *p)
{
    old_sum += a + b + (p != NULL) + (s >= 0);
}

/* The body and words of the request; also what is written by the sender where it is sent from. */
static void by_prepare(int dest)
{
    am_word w[2] = {W(0) + ac_me, W(1) + ac_me};

    for (int n = 0; n <= 2; n++)
        for (int bytes = 0; bytes <= am_max_medium(dest); bytes += 293) {
            void *room = am_request_prepare(dest, bytes, n);

            CHECK(room, "prepare of %d bytes", bytes);
            check_fill(room, (size_t)bytes, (uint64_t)ac_me + 50);
            am_request_commit(dest, rm, bytes, w, n);
        }
}

static void to(int dest)
{
    const am_word w[AM_WORDS_MAX] = {W(0) + ac_me,  W(1) + ac_me,  W(2) + ac_me,  W(3) + ac_me,
                                     W(4) + ac_me,  W(5) + ac_me,  W(6) + ac_me,  W(7) + ac_me,
                                     W(8) + ac_me,  W(9) + ac_me,  W(10) + ac_me, W(11) + ac_me,
                                     W(12) + ac_me, W(13) + ac_me, W(14) + ac_me, W(15) + ac_me};
    char body[1024];
    long before = answered, sent = 0;

    check_fill(body, sizeof body, (uint64_t)ac_me + 50);
    am_request_0(dest, r0), am_request_1(dest, r1, w[0]), am_request_2(dest, r2, w[0], w[1]);
    am_request_3(dest, r3, w[0], w[1], w[2]), gam_request_4(dest, r4, w[0], w[1], w[2], w[3]);
    am_request_5(dest, r5, w[0], w[1], w[2], w[3], w[4]), am_request_df(dest, rdf, ac_me, -1, 1.5);
    am_request_2(dest, AM_INDEX(3), w[0], w[1]);
    sent += 8;
    for (int n = 0; n <= AM_WORDS_MAX; n++, sent++)
        am_request_v(dest, rv, w, n);
    for (int n = 0; n <= AM_WORDS_MAX; n++)
        for (int bytes = 0; bytes <= am_max_medium(dest); bytes += 88, sent++)
            am_request_medium(dest, rm, body, bytes, w, n);
    by_prepare(dest);
    sent += 3 * 4;
    am_wait_for(answered == before + sent);
    if (dest == ac_me)
        CHECK(answered == before + sent, "requests to oneself run at once");
}

int main(void)
{
    long before;

    ac_start();
    CHECK(am_register(3, r2) == 0, "register");
    gam_barrier();
    for (int i = 0; i < ac_n; i++)
        to((ac_me + i) % ac_n);
    gam_barrier();
    am_request_4((ac_me + 1) % ac_n, old_style, 5, 6);
    am_request_1((ac_me + 1) % ac_n, am_dummy);
    am_wait_for(old_sum != 0);
    CHECK(old_sum == 12, "padded words: %d", old_sum);
    CHECK(am_token(&(struct am_token_info){0}) == -1, "no token outside handlers");

    replies_wanted = 0;
    before = got;
    gam_barrier();
    for (int i = 0; i < 1000; i++)
        am_request_0((ac_me + 1) % ac_n, r0);
    am_wait_for(got == before + 1000);
    am_quiet();
    gam_barrier();
    return ac_finish();
}
