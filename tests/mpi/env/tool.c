/* SPDX-License-Identifier: BSD-3-Clause */
/* The tool interface (chapter 15): start and end, control variables against the environment, performance variables
 * against what this program does, each handle on its own; categories that hold everything once; events: none; codes. */
#include "mcheck.h"

typedef unsigned long long value_t;

/* ------------------------------------------------------------- texts -- */

static void cut_names(void)
{
    char whole[512], part[512];
    int len = 0, needed, room;

    OK(MPI_T_cvar_get_info(0, NULL, &len, NULL, NULL, NULL, NULL, NULL, NULL, NULL));
    needed = len;
    CHECK(needed > 1, "length %d", needed);
    len = sizeof whole;
    OK(MPI_T_cvar_get_info(0, whole, &len, NULL, NULL, NULL, NULL, NULL, NULL, NULL));
    CHECK(len == needed && (int)strlen(whole) + 1 == needed, "%s: length %d, then %d", whole, needed, len);
    for (room = 1; room <= needed; room++) {
        memset(part, '#', sizeof part);
        len = room;
        OK(MPI_T_cvar_get_info(0, part, &len, NULL, NULL, NULL, NULL, NULL, NULL, NULL));
        CHECK(strncmp(part, whole, (size_t)room - 1) == 0 && part[room - 1] == 0 && part[room] == '#',
              "name cut to %d is %s", room, part);
    }
}

/* -------------------------------------------------- control variables -- */

static int cvar(const char *name, MPI_T_cvar_handle *handle, int *count)
{
    int index = -1;

    OK(MPI_T_cvar_get_index(name, &index));
    OK(MPI_T_cvar_handle_alloc(index, NULL, handle, count));
    return index;
}

static void read_all(void)
{
    int n = -1;

    OK(MPI_T_cvar_get_num(&n));
    CHECK(n > 10, "%d control variables", n);
    for (int i = 0; i < n; i++) {
        char name[256], help[1024];
        int name_len = sizeof name, help_len = sizeof help, verbosity, bind, scope, count, index = -1;
        MPI_Datatype type;
        MPI_T_enum names;
        MPI_T_cvar_handle h;
        char value[4096];

        OK(MPI_T_cvar_get_info(i, name, &name_len, &verbosity, &type, &names, help, &help_len, &bind, &scope));
        CHECK(strlen(help) > 10 && bind == MPI_T_BIND_NO_OBJECT && verbosity == MPI_T_VERBOSITY_USER_BASIC, "%s", name);
        CHECK(scope == MPI_T_SCOPE_LOCAL || scope == MPI_T_SCOPE_READONLY, "%s has scope %d", name, scope);
        OK(MPI_T_cvar_get_index(name, &index));
        CHECK(index == i, "%s is %d and %d", name, i, index);
        OK(MPI_T_cvar_handle_alloc(i, NULL, &h, &count));
        CHECK(type == MPI_CHAR ? count >= 1 : count == 1, "%s has %d elements", name, count);
        OK(MPI_T_cvar_read(h, value));
        CHECK(type != MPI_CHAR || (int)strlen(value) + 1 == count, "%s = \"%s\" of %d", name, value, count);
        CHECK(names == MPI_T_ENUM_NULL || *(int *)value == 0 || *(int *)value == 1, "%s = %d", name, *(int *)value);
        if (scope == MPI_T_SCOPE_READONLY)
            CHECK(MPI_T_cvar_write(h, value) == MPI_T_ERR_CVAR_SET_NEVER, "%s was written", name);
        OK(MPI_T_cvar_handle_free(&h));
        CHECK(h == MPI_T_CVAR_HANDLE_NULL, "free leaves %p", (void *)h);
    }
}

static void switches(void)
{
    MPI_T_cvar_handle h, other;
    MPI_T_enum names;
    char text[64];
    int index, count, on = 1, off = 0, now = -1, n = -1, value = -1, len = sizeof text;

    index = cvar("MPT_CHECK", &h, &count);
    cvar("MPT_CHECK", &other, &count);
    OK(MPI_T_cvar_write(h, &on));
    OK(MPI_T_cvar_read(other, &now));
    CHECK(now == 1, "written 1, read %d", now);
    OK(MPI_T_cvar_write(other, &off));
    OK(MPI_T_cvar_read(h, &now));
    CHECK(now == 0, "written 0, read %d", now);
    OK(MPI_T_cvar_get_info(index, NULL, NULL, NULL, NULL, &names, NULL, NULL, NULL, NULL));
    OK(MPI_T_enum_get_info(names, &n, text, &len));
    CHECK(n == 2 && strcmp(text, "switch") == 0, "%s has %d items", text, n);
    for (int i = 0; i < 2; i++) {
        len = sizeof text;
        OK(MPI_T_enum_get_item(names, i, &value, text, &len));
        CHECK(value == i && strcmp(text, i ? "on" : "off") == 0, "item %d is %s = %d", i, text, value);
    }
    CHECK(MPI_T_enum_get_item(names, 2, &value, text, &len) == MPI_T_ERR_INVALID_ITEM, "a third item");
    CHECK(MPI_T_enum_get_info(MPI_T_ENUM_NULL, &n, text, &len) == MPI_T_ERR_INVALID_HANDLE,
          "an enumeration that is none");
    OK(MPI_T_cvar_handle_free(&h));
    OK(MPI_T_cvar_handle_free(&other));
    CHECK(MPI_T_cvar_read(other, &now) == MPI_T_ERR_INVALID_HANDLE, "read a freed handle");
}

/* What the environment says, or the default. */
static void from_environment(void)
{
    const char *text = getenv("MPT_YIELDS");
    MPI_T_cvar_handle h;
    unsigned value = 0;
    int count;

    cvar("MPT_YIELDS", &h, &count);
    OK(MPI_T_cvar_read(h, &value));
    CHECK(value == (text ? strtoul(text, NULL, 10) : 64), "MPT_YIELDS is %u", value);
    OK(MPI_T_cvar_handle_free(&h));
}

/* ---------------------------------------------- performance variables -- */

static MPI_T_pvar_handle pvar(MPI_T_pvar_session s, const char *name, int class)
{
    MPI_T_pvar_handle h = MPI_T_PVAR_HANDLE_NULL;
    int index = -1, count = -1;

    OK(MPI_T_pvar_get_index(name, class, &index));
    OK(MPI_T_pvar_handle_alloc(s, index, NULL, &h, &count));
    CHECK(count == 1, "%s has %d elements", name, count);
    return h;
}

static value_t value_of(MPI_T_pvar_session s, MPI_T_pvar_handle h)
{
    value_t v = ~0ull;

    OK(MPI_T_pvar_read(s, h, &v));
    return v;
}

static void describe_all(void)
{
    int n = -1;

    OK(MPI_T_pvar_get_num(&n));
    CHECK(n > 10, "%d performance variables", n);
    for (int i = 0; i < n; i++) {
        char name[256], help[256];
        int name_len = sizeof name, help_len = sizeof help, verbosity, class, bind, readonly, continuous, atomic,
            index = -1;
        MPI_Datatype type;
        MPI_T_enum names;

        OK(MPI_T_pvar_get_info(i, name, &name_len, &verbosity, &class, &type, &names, help, &help_len, &bind, &readonly,
                               &continuous, &atomic));
        CHECK(type == MPI_UNSIGNED_LONG_LONG && names == MPI_T_ENUM_NULL && strlen(help) > 5, "%s", name);
        CHECK(readonly == continuous && readonly != atomic, "%s: readonly %d continuous %d atomic %d", name, readonly,
              continuous, atomic);
        OK(MPI_T_pvar_get_index(name, class, &index));
        CHECK(index == i, "%s is %d and %d", name, i, index);
        CHECK(MPI_T_pvar_get_index(name, MPI_T_PVAR_CLASS_TIMER, &index) == MPI_T_ERR_INVALID_NAME,
              "%s is a timer, too", name);
    }
}

static void messages(int n)
{
    char in[10], out[10] = "";

    for (int i = 0; i < n; i++) {
        MPI_Request r;

        OK(MPI_Irecv(in, 10, MPI_CHAR, 0, 0, MPI_COMM_SELF, &r));
        OK(MPI_Send(out, 10, MPI_CHAR, 0, 0, MPI_COMM_SELF));
        OK(MPI_Wait(&r, MPI_STATUS_IGNORE));
    }
}

/* Two handles of one variable count apart, while they are started. */
static void counters(void)
{
    MPI_T_pvar_session s, other;
    MPI_T_pvar_handle sent, again, bytes, received;
    value_t v = 0;

    OK(MPI_T_pvar_session_create(&s));
    OK(MPI_T_pvar_session_create(&other));
    sent = pvar(s, "sends", MPI_T_PVAR_CLASS_COUNTER);
    again = pvar(other, "sends", MPI_T_PVAR_CLASS_COUNTER);
    bytes = pvar(s, "send_bytes", MPI_T_PVAR_CLASS_AGGREGATE);
    received = pvar(s, "receives", MPI_T_PVAR_CLASS_COUNTER);
    messages(3);
    CHECK(value_of(s, sent) == 0, "counted %llu before it was started", value_of(s, sent));
    OK(MPI_T_pvar_start(s, MPI_T_PVAR_ALL_HANDLES));
    messages(5);
    CHECK(value_of(s, sent) == 5 && value_of(s, bytes) == 50 && value_of(s, received) == 5,
          "5 messages of 10 bytes: %llu sent, %llu bytes, %llu received", value_of(s, sent), value_of(s, bytes),
          value_of(s, received));
    CHECK(value_of(other, again) == 0, "another session's handle was started, too");
    OK(MPI_T_pvar_start(other, again));
    OK(MPI_T_pvar_stop(s, sent));
    messages(2);
    CHECK(value_of(s, sent) == 5 && value_of(s, bytes) == 70 && value_of(other, again) == 2,
          "stopped %llu, running %llu, other %llu", value_of(s, sent), value_of(s, bytes), value_of(other, again));
    OK(MPI_T_pvar_readreset(s, bytes, &v));
    CHECK(v == 70 && value_of(s, bytes) == 0, "readreset gave %llu and left %llu", v, value_of(s, bytes));
    messages(1);
    OK(MPI_T_pvar_start(s, sent)); /* goes on from 5 */
    messages(1);
    CHECK(value_of(s, sent) == 6 && value_of(s, bytes) == 20, "%llu sent, %llu bytes", value_of(s, sent),
          value_of(s, bytes));
    v = 100;
    OK(MPI_T_pvar_write(s, sent, &v));
    messages(1);
    CHECK(value_of(s, sent) == 101, "written 100, then %llu", value_of(s, sent));
    OK(MPI_T_pvar_reset(s, MPI_T_PVAR_ALL_HANDLES));
    CHECK(value_of(s, sent) == 0 && value_of(s, received) == 0 && value_of(other, again) == 5,
          "after reset %llu %llu, other session %llu", value_of(s, sent), value_of(s, received),
          value_of(other, again));
    OK(MPI_T_pvar_handle_free(s, &sent));
    CHECK(sent == MPI_T_PVAR_HANDLE_NULL, "free leaves %p", (void *)sent);
    CHECK(MPI_T_pvar_read(other, bytes, &v) == MPI_T_ERR_INVALID_HANDLE, "a handle of another session");
    OK(MPI_T_pvar_session_free(&s));
    CHECK(s == MPI_T_PVAR_SESSION_NULL, "free leaves %p", (void *)s);
    OK(MPI_T_pvar_session_free(&other));
}

static void levels(void)
{
    MPI_T_pvar_session s;
    MPI_T_pvar_handle comms, most, errors, collectives, unexpected;
    MPI_Comm dups[8];
    value_t before, v = 1;
    int in, flag = 0;

    OK(MPI_T_pvar_session_create(&s));
    comms = pvar(s, "communicators_in_use", MPI_T_PVAR_CLASS_LEVEL);
    most = pvar(s, "communicators_most_in_use", MPI_T_PVAR_CLASS_HIGHWATERMARK);
    errors = pvar(s, "errors", MPI_T_PVAR_CLASS_COUNTER);
    collectives = pvar(s, "collectives", MPI_T_PVAR_CLASS_COUNTER);
    unexpected = pvar(s, "unexpected", MPI_T_PVAR_CLASS_COUNTER);
    OK(MPI_T_pvar_start(s, MPI_T_PVAR_ALL_HANDLES));
    before = value_of(s, comms);
    for (int i = 0; i < 8; i++)
        OK(MPI_Comm_dup(MPI_COMM_WORLD, &dups[i]));
    CHECK(value_of(s, comms) == before + 8, "8 communicators more: from %llu to %llu", before, value_of(s, comms));
    for (int i = 0; i < 8; i++)
        OK(MPI_Comm_free(&dups[i]));
    CHECK(value_of(s, comms) == before, "freed: %llu, was %llu", value_of(s, comms), before);
    CHECK(value_of(s, most) >= before + 8, "the most is %llu", value_of(s, most));
    CHECK(MPI_T_pvar_start(s, comms) == MPI_T_ERR_PVAR_NO_STARTSTOP, "started a level");
    CHECK(MPI_T_pvar_stop(s, comms) == MPI_T_ERR_PVAR_NO_STARTSTOP, "stopped a level");
    CHECK(MPI_T_pvar_reset(s, comms) == MPI_T_ERR_PVAR_NO_WRITE, "reset a level");
    CHECK(MPI_T_pvar_write(s, comms, &v) == MPI_T_ERR_PVAR_NO_WRITE, "wrote a level");
    CHECK(MPI_T_pvar_readreset(s, comms, &v) == MPI_T_ERR_PVAR_NO_ATOMIC && v == 1, "readreset of a level");
    FAILS(MPI_Send(NULL, 0, MPI_INT, -9, 0, MPI_COMM_WORLD), MPI_ERR_RANK);
    CHECK(value_of(s, errors) == 1, "%llu errors", value_of(s, errors));
    OK(MPI_T_pvar_reset(s, collectives));
    OK(MPI_Barrier(MPI_COMM_WORLD));
    CHECK(value_of(s, collectives) == 1, "%llu collectives", value_of(s, collectives));
    OK(MPI_T_pvar_reset(s, unexpected));
    /* the other ranks are ahead: what their next collective sends between
     * nodes may count too, so more than one is right */
    OK(MPI_Send(&v, 1, MPI_INT, 0, 0, MPI_COMM_SELF));
    while (!flag)
        OK(MPI_Iprobe(0, 0, MPI_COMM_SELF, &flag, MPI_STATUS_IGNORE));
    OK(MPI_Recv(&in, 1, MPI_INT, 0, 0, MPI_COMM_SELF, MPI_STATUS_IGNORE));
    CHECK(value_of(s, unexpected) >= 1, "%llu unexpected messages", value_of(s, unexpected));
    OK(MPI_T_pvar_session_free(&s));
}

/* --------------------------------------------------------- categories -- */

static void categories(void)
{
    int n = -1, ncvars, npvars, seen_cvars = 0, seen_pvars = 0, stamp = -1, events = -1, index;
    char seen[1000] = "";

    OK(MPI_T_cvar_get_num(&ncvars));
    OK(MPI_T_pvar_get_num(&npvars));
    OK(MPI_T_category_get_num(&n));
    for (int i = 0; i < n; i++) {
        char name[128];
        int len = sizeof name, cvars, pvars, subs, list[200];

        OK(MPI_T_category_get_info(i, name, &len, NULL, NULL, &cvars, &pvars, &subs));
        OK(MPI_T_category_get_index(name, &index));
        CHECK(index == i && subs == 0, "category %s is %d and %d, with %d others", name, i, index, subs);
        OK(MPI_T_category_get_cvars(i, 200, list));
        for (int k = 0; k < cvars; k++)
            CHECK(list[k] >= 0 && list[k] < ncvars, "%s: cvar %d", name, list[k]);
        memset(list, 0xff, sizeof list);
        OK(MPI_T_category_get_pvars(i, 200, list));
        for (int k = 0; k < pvars; k++) {
            CHECK(list[k] >= 0 && list[k] < npvars && !seen[list[k]], "%s: pvar %d", name, list[k]);
            seen[list[k] & 511] = 1;
        }
        CHECK(list[pvars] == -1, "more than %d performance variables", pvars);
        list[0] = -7;
        OK(MPI_T_category_get_categories(i, 200, list));
        OK(MPI_T_category_get_events(i, 200, list));
        OK(MPI_T_category_get_num_events(i, &events));
        CHECK(list[0] == -7 && events == 0, "%d events", events);
        seen_cvars += cvars;
        seen_pvars += pvars;
    }
    CHECK(seen_cvars == ncvars && seen_pvars == npvars, "%d of %d and %d of %d variables in categories", seen_cvars,
          ncvars, seen_pvars, npvars);
    OK(MPI_T_category_changed(&stamp));
    CHECK(MPI_T_category_get_index("nothing", &index) == MPI_T_ERR_INVALID_NAME, "a category of no name");
    CHECK(MPI_T_category_get_info(n, NULL, NULL, NULL, NULL, NULL, NULL, NULL) == MPI_T_ERR_INVALID_INDEX,
          "category %d", n);
    CHECK(MPI_T_category_get_pvars(-1, 0, NULL) == MPI_T_ERR_INVALID_INDEX, "category -1");
}

static void no_events(void)
{
    int n = -1, index;
    MPI_T_event_registration registration;
    MPI_Count stamp;

    OK(MPI_T_event_get_num(&n));
    CHECK(n == 0, "%d events", n);
    OK(MPI_T_source_get_num(&n));
    CHECK(n == 0, "%d sources", n);
    CHECK(MPI_T_event_get_index("any", &index) == MPI_T_ERR_INVALID_NAME, "an event");
    CHECK(MPI_T_event_handle_alloc(0, NULL, MPI_INFO_NULL, &registration) == MPI_T_ERR_INVALID_INDEX, "event 0");
    CHECK(MPI_T_source_get_timestamp(0, &stamp) == MPI_T_ERR_INVALID_INDEX, "source 0");
    CHECK(MPI_T_event_read(NULL, 0, &n) == MPI_T_ERR_INVALID_HANDLE, "an event's instance");
}

static void wrong(void)
{
    MPI_T_cvar_handle cvar_handle = MPI_T_CVAR_HANDLE_NULL;
    MPI_T_pvar_session s = MPI_T_PVAR_SESSION_NULL;
    MPI_T_pvar_handle h = MPI_T_PVAR_HANDLE_NULL;
    int n, count;
    value_t v;

    CHECK(MPI_T_cvar_get_index("no such variable", &n) == MPI_T_ERR_INVALID_NAME, "a name");
    CHECK(MPI_T_cvar_get_index(NULL, &n) == MPI_T_ERR_INVALID, "NULL");
    CHECK(MPI_T_cvar_get_num(NULL) == MPI_T_ERR_INVALID, "NULL");
    CHECK(MPI_T_cvar_handle_alloc(-1, NULL, &cvar_handle, &count) == MPI_T_ERR_INVALID_INDEX, "index -1");
    CHECK(MPI_T_cvar_handle_alloc(100000, NULL, &cvar_handle, &count) == MPI_T_ERR_INVALID_INDEX, "index 100000");
    CHECK(MPI_T_cvar_handle_free(&cvar_handle) == MPI_T_ERR_INVALID_HANDLE, "the null handle");
    CHECK(MPI_T_cvar_read(cvar_handle, &v) == MPI_T_ERR_INVALID_HANDLE, "the null handle");
    CHECK(MPI_T_cvar_get_info(-1, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL) == MPI_T_ERR_INVALID_INDEX,
          "index -1");
    CHECK(MPI_T_pvar_get_info(-1, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL) ==
              MPI_T_ERR_INVALID_INDEX,
          "index -1");
    CHECK(MPI_T_pvar_session_free(&s) == MPI_T_ERR_INVALID_SESSION, "the null session");
    CHECK(MPI_T_pvar_handle_alloc(s, 0, NULL, &h, &count) == MPI_T_ERR_INVALID_SESSION, "the null session");
    CHECK(MPI_T_pvar_start(s, MPI_T_PVAR_ALL_HANDLES) == MPI_T_ERR_INVALID_SESSION, "the null session");
    OK(MPI_T_pvar_session_create(&s));
    CHECK(MPI_T_pvar_handle_alloc(s, 100000, NULL, &h, &count) == MPI_T_ERR_INVALID_INDEX, "index 100000");
    CHECK(MPI_T_pvar_read(s, h, &v) == MPI_T_ERR_INVALID_HANDLE, "the null handle");
    CHECK(MPI_T_pvar_read(s, MPI_T_PVAR_ALL_HANDLES, &v) == MPI_T_ERR_INVALID_HANDLE, "read of all handles");
    OK(MPI_T_pvar_session_free(&s));
}

static void not_initialized(void)
{
    int n;

    CHECK(MPI_T_cvar_get_num(&n) == MPI_T_ERR_NOT_INITIALIZED, "control variables");
    CHECK(MPI_T_pvar_get_num(&n) == MPI_T_ERR_NOT_INITIALIZED, "performance variables");
    CHECK(MPI_T_event_get_num(&n) == MPI_T_ERR_NOT_INITIALIZED, "events");
    CHECK(MPI_T_finalize() == MPI_T_ERR_NOT_INITIALIZED, "finalize");
}

int main(void)
{
    MPI_T_cvar_handle h;
    int provided = -1, status, one = 1, count;

    not_initialized();
    OK(MPI_T_init_thread(MPI_THREAD_SINGLE, &provided));
    CHECK(provided >= MPI_THREAD_SINGLE, "level %d", provided);
    from_environment(); /* before MPI_Init, too */
    cvar("MPT_CHECK", &h, &count);
    CHECK(MPI_T_cvar_write(h, &one) == MPI_T_ERR_CVAR_SET_NOT_NOW, "written before MPI_Init");
    mc_start();
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    OK(MPI_T_init_thread(MPI_THREAD_MULTIPLE, &provided)); /* counted */
    OK(MPI_T_finalize());
    from_environment();
    cut_names();
    read_all();
    switches();
    describe_all();
    counters();
    levels();
    categories();
    no_events();
    wrong();
    status = mc_finish();
    OK(MPI_T_cvar_handle_free(&h));
    read_all(); /* after MPI_Finalize, too */
    OK(MPI_T_finalize());
    not_initialized();
    return status || check_failures;
}
