/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What a launcher says to its processes: each prints one line with what PMIx
 * told it and with what it got from its right neighbour by put, fence and get.
 * Apart from the library, so that a launcher's fault is seen as such.
 */
#include <pmix.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static pmix_proc_t me;

static const char *text_of(const char *key, pmix_rank_t rank, char *buf, size_t n)
{
    pmix_proc_t who;
    PMIX_PROC_CONSTRUCT(&who);
    PMIX_LOAD_PROCID(&who, me.nspace, rank);
    pmix_value_t *v = NULL;
    pmix_status_t rc = PMIx_Get(&who, key, NULL, 0, &v);
    if (rc != PMIX_SUCCESS) {
        snprintf(buf, n, "<%s>", PMIx_Error_string(rc));
        return buf;
    }
    switch (v->type) {
    case PMIX_STRING:
        snprintf(buf, n, "%s", v->data.string);
        break;
    case PMIX_UINT32:
        snprintf(buf, n, "%u", v->data.uint32);
        break;
    case PMIX_UINT16:
        snprintf(buf, n, "%u", v->data.uint16);
        break;
    case PMIX_PROC_RANK:
        snprintf(buf, n, "%u", v->data.rank);
        break;
    default:
        snprintf(buf, n, "<type %d>", v->type);
    }
    PMIX_VALUE_RELEASE(v);
    return buf;
}

static int exchange(unsigned size, char *got, size_t n)
{
    char card[128], key[] = "probe.card";
    snprintf(card, sizeof card, "card-of-%u", me.rank);
    pmix_value_t value;
    PMIX_VALUE_CONSTRUCT(&value);
    PMIX_VALUE_LOAD(&value, card, PMIX_STRING);
    pmix_status_t rc = PMIx_Put(PMIX_GLOBAL, key, &value);
    PMIX_VALUE_DESTRUCT(&value);
    if (rc == PMIX_SUCCESS)
        rc = PMIx_Commit();
    bool collect = true;
    pmix_info_t info;
    PMIX_INFO_LOAD(&info, PMIX_COLLECT_DATA, &collect, PMIX_BOOL);
    if (rc == PMIX_SUCCESS)
        rc = PMIx_Fence(NULL, 0, &info, 1);
    PMIX_INFO_DESTRUCT(&info);
    if (rc == PMIX_SUCCESS) {
        text_of(key, (me.rank + 1) % size, got, n);
        rc = PMIx_Fence(NULL, 0, NULL, 0); /* a server may ask for a card only now: its owner must not have left */
    }
    if (rc != PMIX_SUCCESS)
        fprintf(stderr, "probe: exchange: %s\n", PMIx_Error_string(rc));
    return rc != PMIX_SUCCESS;
}

static void on_event(size_t id, pmix_status_t status, const pmix_proc_t *source, pmix_info_t *info, size_t n,
                     pmix_info_t *results, size_t nresults, pmix_event_notification_cbfunc_fn_t done, void *arg)
{
    (void)id, (void)results, (void)nresults;
    pmix_rank_t affected = PMIX_RANK_UNDEF;
    for (size_t i = 0; i < n; i++)
        if (PMIX_CHECK_KEY(&info[i], PMIX_EVENT_AFFECTED_PROC))
            affected = info[i].value.data.proc->rank;
    printf("rank %u: event %s from %s:%d about %d\n", me.rank, PMIx_Error_string(status), source ? source->nspace : "",
           source ? (int)source->rank : -1, (int)affected);
    fflush(stdout);
    if (done)
        done(PMIX_EVENT_ACTION_COMPLETE, NULL, 0, NULL, NULL, arg);
}

/* probe exit|abort|kill RANK [watch]: that rank ends so, the others wait in a
 * fence, or with `watch` outside PMIx and say what they are told. */
static void end_as_told(int argc, char **argv)
{
    bool watch = argc > 3;
    if (watch) {
        PMIx_Register_event_handler(NULL, 0, NULL, 0, on_event, NULL, NULL);
        usleep(300000);
    }
    if ((unsigned)atoi(argv[2]) == me.rank) {
        if (!strcmp(argv[1], "exit"))
            exit(3);
        if (!strcmp(argv[1], "abort"))
            PMIx_Abort(5, "probe aborts", NULL, 0);
        if (!strcmp(argv[1], "kill"))
            abort();
    }
    if (watch)
        sleep(8);
    else
        PMIx_Fence(NULL, 0, NULL, 0);
}

int main(int argc, char **argv)
{
    pmix_status_t rc = PMIx_Init(&me, NULL, 0);
    if (rc != PMIX_SUCCESS) {
        fprintf(stderr, "probe: PMIx_Init: %s\n", PMIx_Error_string(rc));
        return 1;
    }
    char size[32], node[32], host[256], peers[256], local[32], name[256], got[256];
    text_of(PMIX_JOB_SIZE, PMIX_RANK_WILDCARD, size, sizeof size);
    if (exchange((unsigned)atoi(size), got, sizeof got))
        return 1;
    gethostname(name, sizeof name);
    printf("rank %u of %s on %s: node %s, host %s, local rank %s, peers %s, neighbour %s\n", me.rank, size, name,
           text_of(PMIX_NODEID, me.rank, node, sizeof node), text_of(PMIX_HOSTNAME, me.rank, host, sizeof host),
           text_of(PMIX_LOCAL_RANK, me.rank, local, sizeof local),
           text_of(PMIX_LOCAL_PEERS, PMIX_RANK_WILDCARD, peers, sizeof peers), got);
    fflush(stdout);
    if (argc > 2)
        end_as_told(argc, argv);
    PMIx_Finalize(NULL, 0);
    return 0;
}
