# SPDX-License-Identifier: BSD-3-Clause
"""Every function of OpenSHMEM 1.6 and every profiling twin can be called: a generated program calls them all on one
PE with the simplest valid arguments, in an order in which each returns, and says how far it came. Names stand in
parentheses, which keeps the generic macros of the same name away."""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "launch"))
import api
import harness as h

TYPED = {"dest", "source", "ivar", "ivars", "pWrk"}
VALUES = {
    "nelems": "1",
    "nreduce": "1",
    "nblocks": "1",
    "bsize": "1",
    "dst": "1",
    "sst": "1",
    "pe": "0",
    "PE_root": "0",
    "PE_start": "0",
    "logPE_stride": "0",
    "PE_size": "1",
    "pSync": "sync_work",
    "team": "SHMEM_TEAM_WORLD",
    "src_team": "SHMEM_TEAM_WORLD",
    "dest_team": "SHMEM_TEAM_WORLD",
    "parent_team": "SHMEM_TEAM_WORLD",
    "src_pe": "0",
    "start": "0",
    "stride": "1",
    "size": "64",
    "count": "4",
    "alignment": "64",
    "hints": "0",
    "ptr": "NULL",
    "ctx": "SHMEM_CTX_DEFAULT",
    "options": "0",
    "config": "NULL",
    "config_mask": "0",
    "xaxis_config": "NULL",
    "xaxis_mask": "0",
    "yaxis_config": "NULL",
    "yaxis_mask": "0",
    "xrange": "1",
    "new_team": "&team",
    "xaxis_team": "&team",
    "yaxis_team": "&team",
    "sig_addr": "signal_word",
    "signal": "0",
    "sig_op": "SHMEM_SIGNAL_SET",
    "status": "NULL",
    "indices": "indices",
    "cmp": "SHMEM_CMP_EQ",
    "target_pes": "pes",
    "npes": "1",
    "addr": "words",
    "major": "&number",
    "minor": "&number",
    "name": "text",
    "initialized": "&number",
    "provided": "&number",
    "requested": "SHMEM_THREAD_SINGLE",
    "lock": "&lock_word",
    "level": "1",
}
GROUP = 40
LAST = ["shmem_finalize", "shmem_global_exit"]  # called apart, at the end
OWN = {  # arguments that depend on the call
    ("shmem_team_split_strided", "size"): "1",
    ("shmem_ctx_destroy", "ctx"): "SHMEM_CTX_INVALID",
    ("shmem_team_destroy", "team"): "SHMEM_TEAM_INVALID",
    ("shmem_team_get_config", "config"): "NULL",
    ("shmem_ctx_create", "ctx"): "&ctx",
    ("shmem_team_create_ctx", "ctx"): "&ctx",
    ("shmem_ctx_get_team", "team"): "&team",
    ("start_pes", "npes"): "1",
}


def argument(function, ctype, name):
    """The expression for one parameter; ivars hold 0, so that waiting for 0, or for other than 1, is over at once."""
    if (function.name, name) in OWN:
        return OWN[function.name, name]
    if name == "fetch":
        return "(void *)other"
    if name in TYPED:
        return {"source": "(void *)(words + 64)", "pWrk": "(void *)other"}.get(name, "(void *)words")
    if name in ("value", "cond"):
        return "0"
    if name == "cmp_value":
        return "1" if function.name.endswith("_wait") else "0"
    if name == "cmp_values":
        return "(void *)zeros"
    return VALUES[name]


def call(function, name):
    args = ", ".join(argument(function, t, n) for t, n in function.params if t != "...")
    return f'    step("{name}"); (void)({name})({args}); memset(words, 0, sizeof words);'


def program():
    # locks: set before clear; test takes it, so it is cleared again
    functions = [
        f
        for f in api.functions()
        if f.name not in (*LAST, "shmem_init", "shmem_set_lock", "shmem_clear_lock", "shmem_test_lock")
    ]
    locks = {f.name: f for f in api.functions() if f.name.endswith("_lock")}
    calls = []
    for prefix in ("", "p"):
        calls += [call(f, prefix + f.name) for f in functions]
        calls += [
            call(locks[n], prefix + n)
            for n in ("shmem_set_lock", "shmem_clear_lock", "shmem_test_lock", "shmem_clear_lock")
        ]
        calls.append(f'    step("{prefix}shmem_init"); {prefix}shmem_init();')
        # one more init than finalize so far: init_thread, start_pes and init nest
        calls.append(f'    step("{prefix}shmem_finalize"); {prefix}shmem_finalize();')
    # compilers take much longer over one large function than over many small ones
    groups = [calls[i : i + GROUP] for i in range(0, len(calls), GROUP)]
    parts = [f"static void part{i}(void)\n{{\n{chr(10).join(group)}\n}}" for i, group in enumerate(groups)]
    return f"""#include <shmem.h>
#include <stdio.h>
#include <string.h>
static long words[128] __attribute__((aligned(64))), other[64] __attribute__((aligned(64))), lock_word;
static uint64_t signal_word[1];
static long sync_work[SHMEM_REDUCE_SYNC_SIZE + SHMEM_ALLTOALLS_SYNC_SIZE];
static const long zeros[8];
static int count;
static shmem_team_t team;
static shmem_ctx_t ctx;
static size_t indices[4];
static int pes[1], number;
static char text[SHMEM_MAX_NAME_LEN];
static void step(const char *name) {{ count++; printf("%s\\n", name); }}
{chr(10).join(parts)}
int main(int argc, char **argv)
{{
    setvbuf(stdout, 0, _IOLBF, 0);
    shmem_init();
    for (size_t i = 0; i < sizeof sync_work / sizeof *sync_work; i++) sync_work[i] = SHMEM_SYNC_VALUE;
    (void)argv;
{chr(10).join(f"    part{i}();" for i in range(len(parts)))}
    printf("%d calls\\n", count);
    fflush(stdout);
    if (argc > 1) pshmem_global_exit(4); else shmem_global_exit(3);
    return 1;
}}
"""


text = program()
wanted = 2 * (len(api.functions()) - 1) + 2  # without global_exit, clear_lock twice
for flags in (["-O0"], ["-O2"]):
    prog = h.build(text, "callable" + flags[0], ["-w", *flags])
    for args, status in (((), 3), (("p",), 4)):
        r = h.oshrun(1, prog, *args)
        h.expect(
            r.status == status, f"{flags} {args}: expected status {status}; the last lines say which call came last", r
        )
        h.expect(r.out.endswith(f"\n{wanted} calls\n"), f"{flags} {args}: expected {wanted} calls", r)
h.finish()
