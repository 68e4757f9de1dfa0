/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Messages of PVM: packed, sent, received and unpacked, in each encoding, and by pvm_psend, which needs no packing.
 * Bytes go as doubles, as the encodings of old mean numbers.
 */
#include "face_own.h"

#include "../pvm/pvmjob.h"

#define PSEND (-1) /* in the place of an encoding */
enum { TAG_MESSAGE = 21, TAG_NUMBER };

const struct face_way face_ways[] = {
    {"pvm_send", "Default", PvmDataDefault, false},
    {"pvm_send", "Raw", PvmDataRaw, true},
    {"pvm_send", "InPlace", PvmDataInPlace, false},
    {"pvm_psend", "psend", PSEND, false},
    {NULL, NULL, 0, false},
};

void face_start(int argc, char **argv, const struct face_program *p, size_t bytes)
{
    const struct pvmjob_program program = {face_name("pvm", p), p->purpose,       p->least,
                                           p->seconds,          p->quick_seconds, NULL};

    pvmjob_start(argc, argv, &program);
    face = (struct face){pvmjob.rank, pvmjob.size};
    face_make_room(p, bytes);
}

int face_finish(void)
{
    face_drop_room();
    return pvmjob_finish();
}

void face_die(const char *text)
{
    pvmjob_fatal("%s", text);
}

void face_barrier(void)
{
    pvmjob_barrier();
}

long face_agree(long value)
{
    return pvmjob_agree(value);
}

double face_share(const char *label)
{
    return pvmjob_case("%s", label);
}

bool face_right(bool mine)
{
    return pvmjob_right(mine);
}

enum bench_stop face_measure(bench_body *body, void *arg, double budget_ns, bool longest, struct bench_series *out)
{
    return pvmjob_measure(body, arg, budget_ns, longest ? PVMJOB_LONGEST : PVMJOB_RANK0, out);
}

struct bench_params face_params(const struct face_way *way)
{
    struct bench_params p = pvmjob_params();

    bench_param_text(&p, "call", way->call);
    if (way->encoding)
        bench_param_text(&p, "encoding", way->encoding);
    return p;
}

static double *doubles(char *at)
{
    return (double *)(void *)at;
}

void face_send(const struct face_way *way, int to, long bytes)
{
    const int tid = pvmjob.tids[to], n = (int)(bytes / (long)sizeof(double));

    if (way->kind == PSEND) {
        pvmjob_must("pvm_psend", pvm_psend(tid, TAG_MESSAGE, face_take_out(), n, PVM_DOUBLE));
        return;
    }
    pvmjob_must("pvm_initsend", pvm_initsend(way->kind));
    if (n > 0)
        pvmjob_must("pvm_pkdouble", pvm_pkdouble(doubles(face_take_out()), n, 1));
    pvmjob_must("pvm_send", pvm_send(tid, TAG_MESSAGE));
}

void face_receive(const struct face_way *way, int from, long bytes)
{
    const int tid = pvmjob.tids[from], n = (int)(bytes / (long)sizeof(double));
    int source, tag, count;

    if (way->kind == PSEND) {
        pvmjob_must("pvm_precv", pvm_precv(tid, TAG_MESSAGE, face_take_in(from), n, PVM_DOUBLE, &source, &tag, &count));
        return;
    }
    pvmjob_must("pvm_recv", pvm_recv(tid, TAG_MESSAGE));
    if (n > 0)
        pvmjob_must("pvm_upkdouble", pvm_upkdouble(doubles(face_take_in(from)), n, 1));
}

void face_tell(int to, long value)
{
    pvmjob_must("pvm_initsend", pvm_initsend(PvmDataRaw));
    pvmjob_must("pvm_pklong", pvm_pklong(&value, 1, 1));
    pvmjob_must("pvm_send", pvm_send(pvmjob.tids[to], TAG_NUMBER));
}

long face_told(int from)
{
    long value = 0;

    pvmjob_must("pvm_recv", pvm_recv(pvmjob.tids[from], TAG_NUMBER));
    pvmjob_must("pvm_upklong", pvm_upklong(&value, 1, 1));
    return value;
}

bool face_heard(int from)
{
    return pvmjob_must("pvm_probe", pvm_probe(pvmjob.tids[from], TAG_NUMBER)) > 0;
}

void face_told_aside(int from)
{
    face_told(from);
}
