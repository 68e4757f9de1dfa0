# SPDX-License-Identifier: BSD-3-Clause
"""The options that MPI-5.0, 11.5 recommends for mpiexec, and how users of other launchers type theirs: several programs
in one job, files of options, where a program is and starts, its own variables, numbers of PEs that will do."""

import os
import pathlib
import re
import shutil
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))

import harness as h

PROBE = r"""
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* One line of what this rank is, and a line for each argument: a variable's name, ! to make an error, a key of
 * MPI_INFO_ENV, ^ to start two more. */
int main(int argc, char **argv)
{
    int rank, size, *app, *universe, flag, flag2;
    char here[4096];

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_APPNUM, &app, &flag);
    MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_UNIVERSE_SIZE, &universe, &flag2);
    printf("rank %d of %d app %d universe %d in %s\n", rank, size, flag ? *app : -1, flag2 ? *universe : -1,
           getcwd(here, sizeof here));
    for (int i = 1; i < argc; i++) {
        const char *value = getenv(argv[i]);
        MPI_Comm children;
        char text[MPI_MAX_INFO_VAL];

        if (strcmp(argv[i], "^") == 0)
            MPI_Comm_spawn(argv[0], (char *[]){"maxprocs", NULL}, 2, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &children,
                           MPI_ERRCODES_IGNORE);
        else if (strcmp(argv[i], "maxprocs") == 0 || strcmp(argv[i], "soft") == 0) {
            MPI_Info_get(MPI_INFO_ENV, argv[i], sizeof text - 1, text, &flag);
            printf("rank %d of %d %s is %s\n", rank, size, argv[i], flag ? text : "not known");
        } else if (strcmp(argv[i], "!") == 0)
            printf("rank %d error %d\n", rank, MPI_Send(NULL, 0, MPI_INT, size + 1, 0, MPI_COMM_WORLD) != MPI_SUCCESS);
        else
            printf("rank %d %s=[%s]\n", rank, argv[i], value ? value : "unset");
    }
    fflush(stdout);
    MPI_Finalize();
    return 0;
}
"""
probe = h.build(PROBE, "who", wrapper=str(h.BUILD / "bin" / "mpicc"))
MPIEXEC = str(h.BUILD / "bin" / "mpiexec")
inner = h.SCRATCH / "a folder"
inner.mkdir()
(inner / "hidden-program").symlink_to(probe)
(h.SCRATCH / "other").mkdir()


def mpiexec(*args, env=None, cwd=None):
    return h.run([MPIEXEC, *args], env, cwd=cwd)


def apps(r):
    """Of each rank in order: (size, app, universe)."""
    found = re.findall(r"^rank (\d+) of (\d+) app (-?\d+) universe (-?\d+) ", r.out, re.M)
    return [tuple(map(int, f[1:])) for f in sorted(found, key=lambda f: int(f[0]))]


def expect_apps(r, counts, what):
    n = sum(counts)
    wanted = [(n, app) for app, count in enumerate(counts) for _ in range(count)]
    got = apps(r)
    h.expect(r.status == 0 and [g[:2] for g in got] == wanted, f"{what}: expected {wanted}", r)
    h.expect(len({g[2] for g in got}) == 1 and got[0][2] >= n, f"{what}: universe", r)


def expect_lines(r, lines, what):
    for line in lines:
        h.expect(
            r.status == 0 and re.search(f"^{re.escape(line).replace('UNIVERSE', r'[0-9]+')}$", r.out, re.M),
            f"{what}: {line}",
            r,
        )


def expect_wrong(args, text, status=2):
    r = mpiexec(*args)
    h.expect(r.status == status, f"mpiexec {args}: status {status}", r)
    h.expect(text in r.err and r.err.count("\n") == 1, f"mpiexec {args}: one line that says {text!r}", r)


# ------------------------------------------------------------------------- several programs
expect_apps(mpiexec("-n", 2, probe), [2], "one program")
expect_apps(mpiexec("-n", 1, probe, ":", "-n", 2, probe, ":", probe), [1, 2, 1], "three programs, the last without -n")
expect_apps(mpiexec("-np=2", probe, ":", "--np", 1, probe), [2, 1], "other forms of -n")

r = mpiexec(
    "-n",
    1,
    "-env",
    "ALPHA",
    "one",
    "-wdir",
    inner,
    probe,
    "ALPHA",
    "BETA",
    ":",
    "-n",
    1,
    "-env",
    "ALPHA=two = 2",
    "-genv",
    "BETA",
    "all of them",
    probe,
    "ALPHA",
    "BETA",
    ":",
    "-n",
    1,
    "-x",
    "GAMMA=g",
    probe,
    "ALPHA",
    "GAMMA",
    env={"ALPHA": "outside"},
)
expect_lines(
    r,
    [
        "rank 0 ALPHA=[one]",
        "rank 1 ALPHA=[two = 2]",
        "rank 2 ALPHA=[outside]",
        "rank 0 BETA=[all of them]",
        "rank 1 BETA=[all of them]",
        "rank 2 GAMMA=[g]",
        f"rank 0 of 3 app 0 universe UNIVERSE in {inner}",
        f"rank 1 of 3 app 1 universe UNIVERSE in {h.SCRATCH}",
    ],
    "variables and folders of each program",
)
r = mpiexec("-n", 2, "-env", "ALPHA", "first", "-env", "ALPHA", "second", probe, "ALPHA")
expect_lines(r, ["rank 0 ALPHA=[second]", "rank 1 ALPHA=[second]"], "the last -env counts")
r = mpiexec("-n", 2, "-env", "SHMEM_SYMMETRIC_SIZE", "banana", probe)
h.expect(r.status == 2 and "banana" in r.err, "-env of a variable that the launcher reads", r)

# -------------------------------------------------------------- which of our variables they have
OURS = {"ALPHA": "a", "BETA": "b", "ALPHABET": "ab", "MPT_YIELDS": "77"}


def passed(*args):
    """What each program's PE has of OURS, and of what else it was given."""
    r = mpiexec(
        *(word for i, a in enumerate(args) for word in (*(":",) * (i > 0), "-n", 1, *a, probe, *OURS, "GIVEN")),
        env=OURS,
    )
    h.expect(r.status == 0 and r.err == "", f"{args}", r)
    names = [
        [n for n in (*OURS, "GIVEN") if f"rank {i} {n}=[" in r.out and f"rank {i} {n}=[unset]" not in r.out]
        for i in range(len(args))
    ]
    return [" ".join(n) for n in names]


LIBRARY = "MPT_YIELDS"  # both the launcher and its PEs heed it
EVERY = f"ALPHA BETA ALPHABET {LIBRARY}"
for args, wanted in (
    ([[]], [EVERY]),
    ([["-genvall"], ["-envall"]], [EVERY, EVERY]),
    ([["-genvnone"], []], [LIBRARY, LIBRARY]),
    ([["-envnone"], []], [LIBRARY, EVERY]),
    ([["-envlist", "ALPHA"], ["-envlist", "BETA,NOWHERE"]], [f"ALPHA {LIBRARY}", f"BETA {LIBRARY}"]),
    ([["-genvlist", "ALPHA,BETA"], ["-envall"], ["-envnone"]], [f"ALPHA BETA {LIBRARY}", EVERY, LIBRARY]),
    ([["-genvlist=ALPHABET"], ["-envlist", "BETA"]], [f"ALPHABET {LIBRARY}", f"BETA {LIBRARY}"]),
    ([["-genvexcl", "ALPHA,BETA"], ["-envexcl", "ALPHABET"]], [f"ALPHABET {LIBRARY}", f"ALPHA BETA {LIBRARY}"]),
    ([["-genvnone", "-env", "GIVEN", "1"], []], [f"{LIBRARY} GIVEN", LIBRARY]),
    ([["-genvnone", "-genv", "GIVEN", "1"], ["-x", "BETA"]], [f"BETA {LIBRARY} GIVEN"] * 2),
):
    got = passed(*args)
    h.expect(got == wanted, f"{args}: PEs have {got}, expected {wanted}")
for args in (
    ["-genvlist"],
    ["-envlist", ""],
    ["-envlist", "A,,B"],
    ["-genvlist", "A=1"],
    ["-envnone=A"],
    ["-genvexcl", ",A"],
):
    expect_wrong([*args, probe] if len(args) > 1 else args, args[0].split("=")[0])


# ------------------------------------------------------------ how many there may be, how many were asked for
def universe(*args, env=None):
    r = mpiexec(*args, probe, env=env)
    return {u for _, _, u in apps(r)} if r.status == 0 else r.err


cores = universe("-n", 1)
h.expect(1 <= min(cores) <= len(os.sched_getaffinity(0)), f"not more than there are cores: {cores}", None)
h.expect(universe("-n", 40) == {40}, "at least as many as there are ranks", None)
for args, env, wanted in (
    (["-n", 2, "-usize", 7], None, {7}),
    (["-n", 2, "-usize=INFINITE"], None, {-1}),
    (["-n", 40, "--usize", "system"], {"MPI_UNIVERSE_SIZE": "50"}, {40}),
    (["-n", 2], {"MPI_UNIVERSE_SIZE": "5"}, {5}),
    (["-n", 6], {"MPI_UNIVERSE_SIZE": "5"}, {6}),
    (["-n", 2], {"MPI_UNIVERSE_SIZE": "infinite"}, {-1}),
):
    got = universe(*args, env=env)
    h.expect(got == wanted, f"{args} {env}: universe {got}, expected {wanted}", None)
expect_wrong(["-n", 3, "-usize", 2, probe], "-usize 2")
expect_wrong(["-usize", "many", probe], "-usize many")
h.expect(
    "MPI_UNIVERSE_SIZE=many" in universe("-n", 1, env={"MPI_UNIVERSE_SIZE": "many"}), "a bad MPI_UNIVERSE_SIZE", None
)
r = mpiexec("-n", 1, "-usize", 9, probe, "^")
expect_lines(
    r,
    [f"rank {i} of 2 app 0 universe 9 in {h.SCRATCH}" for i in range(2)] + ["rank 1 of 2 maxprocs is 2"],
    "a spawned world has the same universe",
)
r = mpiexec("-n", 9, "-soft", "1:3", probe, "maxprocs", "soft", ":", "-n", 2, probe, "maxprocs", "soft")
expect_lines(
    r,
    ["rank 0 of 5 maxprocs is 9", "rank 2 of 5 soft is 1:3", "rank 3 of 5 maxprocs is 2", "rank 4 of 5 soft is 2"],
    "what was asked for is in MPI_INFO_ENV",
)

# ------------------------------------------------------------------ where it is, where it starts
r = mpiexec("-n", 1, "-path", f"/nonexistent:{inner}", "hidden-program")
expect_apps(r, [1], "-path")
expect_lines(
    mpiexec("-n", 1, "-wdir", inner, "./hidden-program"),
    [f"rank 0 of 1 app 0 universe UNIVERSE in {inner}"],
    "relative to -wdir",
)
expect_lines(
    mpiexec("-n", 1, "-wd", "a folder", "hidden-program"),
    [f"rank 0 of 1 app 0 universe UNIVERSE in {inner}"],
    "a relative -wd",
)
expect_lines(
    mpiexec("-n", 1, "--wdir", "other", "a folder/hidden-program"),
    [f"rank 0 of 1 app 0 universe UNIVERSE in {h.SCRATCH / 'other'}"],
    "a program relative to here, started elsewhere",
)
expect_wrong(["-n", 1, "hidden-program"], "hidden-program", 127)
expect_wrong(["-n", 1, "-path", "/nonexistent", "hidden-program"], "-path", 127)
expect_wrong(["-n", 1, "-wdir", "/nonexistent", probe], "/nonexistent")
expect_wrong(["-n", 1, "-wdir", probe, probe], "Not a directory")

# ------------------------------------------------------------------------------ how many
for soft, most, wanted in (
    ("2", 5, 2),
    ("1:9", 3, 3),
    ("1,4,2", 3, 2),
    ("1:5:2", 4, 3),
    ("4:1:-2", 3, 2),
    ("7,3:3", 4, 3),
    ("-5:2", 4, 2),
):
    expect_apps(mpiexec("-n", most, "-soft", soft, probe), [wanted], f"-soft {soft} below {most}")
expect_apps(mpiexec("-n", 3, "-soft", "2", probe, ":", "-soft", "1:2", "-n", 9, probe), [2, 2], "-soft of each program")
expect_wrong(["-n", 3, "-soft", "4:8", probe], "4:8")
for bad in ("", "x", "1:", "1:2:0", "1:2:3:4", "1,,2", "99999999999999999999", "1:2:-99999999999999999999"):
    if bad:
        expect_wrong(["-n", 3, "-soft", bad, probe], bad)
expect_wrong(["-soft", "1:3", probe], "-n")

# ------------------------------------------------------------------------- hosts and machines
here = os.uname().nodename
for args in (
    ["-host", "localhost"],
    ["-H", f"{here}:2,localhost"],
    ["-hosts", here.split(".")[0]],
    ["-arch", h.machine()],
):
    expect_apps(mpiexec("-n", 2, *args, probe), [2], f"{args}")
expect_wrong(["-n", 1, "-host", "localhost,no-such-host.invalid", probe], "no-such-host.invalid")
expect_wrong(["-n", 1, "-arch", "pdp11", probe], "pdp11")
hosts = h.SCRATCH / "hosts"
hosts.write_text(f"# the machine\nlocalhost slots=4\n\n{here}\n")
expect_apps(mpiexec("-n", 2, "-hostfile", hosts, probe), [2], "-hostfile")
hosts.write_text("localhost\nno-such-host.invalid\n")
expect_wrong(["-n", 1, "-machinefile", hosts, probe], "no-such-host.invalid")
# Where srun or prterun are, they take over; what they are told is printed by scripts in their places.
fakes = h.SCRATCH / "fakes"
fakes.mkdir()
for name in ("srun", "prterun"):
    (fakes / name).write_text(f'#!/bin/sh\necho {name} "$@"\n')
    (fakes / name).chmod(0o755)
path = {"PATH": f"{fakes}:{os.environ['PATH']}"}
slurm = {**path, "SLURM_JOB_ID": "7", "SLURM_JOB_NUM_NODES": "2"}
for args, env, wanted in (
    (["-n", 4, "-host", "x.invalid:2,y.invalid", "prog", "a b"], path, "prterun --host x.invalid:2,y.invalid -n 4"),
    (["-n", 4, "-host", "x.invalid:2,y.invalid", "prog"], slurm, "srun --mpi=pmix -n 4 -w x.invalid,y.invalid prog"),
    (["--timeout", "1.5", "prog"], slurm, "srun --mpi=pmix --time 0:2 prog"),
    (["-n", 4, "-ppn", 2, "prog", "-n"], slurm, "srun --mpi=pmix -n 4 --ntasks-per-node 2 prog -n"),
    (
        ["-hostfile", hosts, "-l", "-n", 1, "p", ":", "-n", 2, "q"],
        path,
        f"prterun --hostfile {hosts} --output tag -n 1",
    ),
):
    r = mpiexec(*args, env=env)
    h.expect(r.status == 0 and r.out.startswith(wanted) and "for the other hosts" in r.err, f"{args}: {wanted}", r)
r = mpiexec("-n", 1, "-x", "ALPHA=1", "-env", "BETA=2", "-host", "x.invalid", "p", env={**path, "SHMEM_DEBUG": "0"})
h.expect(all(f"-x {v}" in r.out for v in ("ALPHA=1", "BETA=2", "SHMEM_DEBUG")), "variables go along", r)
r = mpiexec("--output-filename", "out", "--bind-to", "numa", "--stats", "-n", 1, "-host", "x.invalid", "p", env=path)
lost = [line for line in r.err.splitlines() if "is not asked for" in line]
said = len(lost) == 3 and "files" in lost[0] and "binding" in lost[1] and "--stats" in lost[2]
h.expect(said, "what does not go along is said", r)
expect_apps(mpiexec("-n", 2, "-host", "localhost", probe, env=slurm), [2], "this node of an allocation")
expect_apps(mpiexec("-n", 2, probe, env={**slurm, "SLURM_STEP_ID": "0"}), [2], "in a step of an allocation")
r = mpiexec("-n", 2, probe, env={**slurm, "PATH": "/nowhere"})
h.expect(r.status == 2 and "several nodes" in r.err, "an allocation without srun", r)

# ------------------------------------------------------------------------------------ files
config = h.SCRATCH / "config"
config.write_text(f"""# two programs
  # and a comment that is not at the margin

-n 1   -env ALPHA 'one # two'  {probe}\tALPHA
-n 2 -env ALPHA "a \\"b\\" c" \\
     {probe} ALPHA a\\ b
""")
r = mpiexec("-configfile", config)
expect_apps(r, [1, 2], "-configfile")
expect_lines(r, ["rank 0 ALPHA=[one # two]", 'rank 1 ALPHA=[a "b" c]', "rank 2 a b=[unset]"], "words of a -configfile")
config.write_text(f"-n 2 {probe}")
expect_apps(mpiexec("-configfile", config), [2], "a line without its end")
config.write_text(f"-n 1 {probe} : -n 1 {probe}\n-n 1 {probe}\n")
expect_apps(mpiexec("--configfile", config), [1, 1, 1], "colons in lines")
more = h.SCRATCH / "more"
more.write_text("-env ALPHA fromfile\n-n 2\n")
expect_lines(
    mpiexec("-file", more, probe, "ALPHA", ":", "-n", 1, probe, "ALPHA"),
    ["rank 0 ALPHA=[fromfile]", "rank 1 ALPHA=[fromfile]", "rank 2 ALPHA=[unset]"],
    "-file",
)
expect_wrong(["-configfile", config, probe], str(config))
expect_wrong(["-configfile", h.SCRATCH / "no-such-file"], "no-such-file")
expect_wrong(["-configfile", h.SCRATCH], "directory")
config.write_text("-n 1 'open\n")
expect_wrong(["-configfile", config], "quote")
config.write_text("# nothing\n\n")
expect_wrong(["-configfile", config], "no program given")
more.write_text(f"-file {more}\n")
expect_wrong(["-file", more, probe], "name itself")

# ---------------------------------------------------------------------------- errors of MPI
r = mpiexec("-n", 1, "-initial-errhandler", "mpi_errors_return", probe, "!")
expect_lines(r, ["rank 0 error 1"], "-initial-errhandler mpi_errors_return")
r = mpiexec("-n", 1, probe, "!")
h.expect(r.status not in (0, None) and "MPI_Send" in r.err, "without it errors are fatal", r)
expect_wrong(["-n", 1, "-initial-errhandler", "maybe", probe], "maybe")

# ------------------------------------------------------------- what other launchers' users type
for args in (
    ["--oversubscribe", "-np", 2],
    ["-n", 2, "-genvall"],
    ["-ppn", 4, "-n", 2],
    ["-npernode", 2],
    ["--map-by", "core", "-n", 2],
    ["--allow-run-as-root", "-c", 2],
    ["--map-by", "node", "-n", 2],
    ["--map-by", "slot:OVERSUBSCRIBE", "-n", 2],
    ["--map-by", "ppr:2:node"],
    ["--map-by", "socket:PE=1", "-n", 2],
    ["--bind-to", "socket", "-n", 2],
    ["--bind-to", "none", "-n", 2],
):
    expect_apps(mpiexec(*args, probe), [2], f"{args}")
r = mpiexec("-l", "-n", 2, probe)
h.expect(
    r.status == 0 and sorted(re.findall(r"^\[(\d)\] rank \1", r.out, re.M)) == ["0", "1"],
    "-l: lines tell their rank",
    r,
)
for args, text in (
    (["-n"], "-n"),
    (["-env", "ALPHA"], "NAME VALUE"),
    (["-env", "=x", probe], "=x"),
    (["-n", 1, probe, ":"], "no program"),
    (["-ppn", 2, "-n", 4, probe], "all 4 PEs start on this machine"),
    (["--map-by", "nowhere", probe], "--map-by nowhere"),
    (["--map-by", "core:pe=x", probe], "x"),
    (["--map-by", "ppr:0:node", probe], "ppr:0:node"),
    (["--map-by", "ppr:2x:node", probe], "ppr:2x:node"),
    (["--map-by", "ppr:-1:node", probe], "ppr:-1:node"),
    (["--map-by", "ppr:4294967298:node", probe], "ppr:4294967298:node"),
    (["--bind-to", "planet", probe], "--bind-to planet"),
    (["--output", "colour", probe], "colour"),
    (["--output-filename", ":nocopy", probe], "folder"),
    (["-outfile-pattern", "x/", probe], "file"),
    ([":", probe], "no program"),
    (["---n", 1, probe], "---n"),
    (["-", probe], "-"),
    (["-wdir"], "DIR"),
):
    expect_wrong(args, text)
# What asks for nothing that could be done here is passed over, with a word of what would.
for args, text in (
    (["--mca", "btl", "self,vader"], "MPT_TRANSPORT"),
    (["--mca", "nobody_knows", "1"], "parameter of Open MPI"),
    (["--prefix", "/opt"], "--prefix /opt changes nothing"),
    (["-genv", "I_MPI_PIN", "1"], "Intel MPI"),
    (["--rank-by", "core"], "numbered"),
    (["--rankfile", "file"], "--map-by"),
    (["--cpu-set", "0,1"], "taskset"),
    (["--cpu-bind", "list:0:1"], "--bind-to"),
    (["--mem-bind", "local"], "numactl"),
    (["-j", "1"], "whole cores"),
    (["-s", "all"], "standard input"),
    (["--preload-binary"], "nothing is copied"),
    (["-x", "NO_SUCH_VARIABLE"], "no such variable"),
):
    r = mpiexec(*args, "-n", 2, probe)
    h.expect(r.status == 0 and text in r.err, f"{args} is passed over", r)
    r = mpiexec("-q", *args, "-n", 2, probe)
    h.expect(r.status == 0 and r.err == "", f"{args} with -q is passed over in silence", r)
r = mpiexec("--mca", "rmaps_base_oversubscribe", "1", "-n", 2, probe)
h.expect(r.status == 0 and r.err == "", "a parameter that asks for what happens anyway", r)
r = mpiexec("--mca", "hwloc_base_binding_policy", "none", "--report-bindings", "-n", 2, probe)
h.expect(r.status == 0 and "not bound" in r.err, "a parameter that is an option here", r)
for words, wanted in (
    (["--bind-to", "core"], r"PE 1: pid \d+, CPU \d+ \(core \d+"),
    (["--bind-to", "socket"], r"PE 1: pid \d+, CPUs? [\d,-]+ \("),
    (["--bind-to", "numa", "--oversubscribe"], r"PE 1: pid \d+, CPUs? [\d,-]+ \("),
):
    r = mpiexec(*words, "--report-bindings", "-n", 2, probe)
    h.expect(r.status == 0 and (re.search(wanted, r.err) or "not bound" in r.err), f"{words}: bindings are told", r)
for seconds, words, wanted in (
    ("1", ["sleep", "30"], (124, "time limit of 1 s")),
    ("60", ["--timeout", "1.5", "sleep", "30"], (124, "time limit of 1.5 s")),
    ("soon", ["true"], (2, "MPIEXEC_TIMEOUT soon: expected a number of seconds")),
    ("0", ["true"], (0, "")),
):
    r = h.run([h.MPTRUN, "-n", 2, *words], {"MPIEXEC_TIMEOUT": seconds}, limit=60)
    h.expect(r.status == wanted[0] and wanted[1] in r.err, f"MPIEXEC_TIMEOUT={seconds} {words}", r)
if shutil.which("gdb"):
    r = h.run([h.MPTRUN, "-n", 2, "--timeout", "1", "--get-stack-traces", "sleep", "30"], limit=60)
    h.expect(r.status == 124 and len(re.findall(r"^#0 .*sleep", r.err, re.M)) == 2, "stacks before the end", r)
for words in (["-d", 1, "-cc", "depth"], ["--cpu-bind", "cores", "--depth", 1], ["--cpus-per-task=1"], ["--label"]):
    r = mpiexec(*words, "--line-buffer", "--ntasks-per-node", 2, "--ntasks", 2, probe)
    h.expect(r.status == 0 and r.err == "", f"{words}: what Cray's and Slurm's launchers have", r)
r = mpiexec("--cpu-bind", "verbose,none", "-n", 2, probe)
h.expect(r.status == 0 and "not bound" in r.err, "--cpu-bind is --bind-to", r)
r = mpiexec("--help")
for option in ("-genv", "--mca", "-outfile-pattern", "--merge-stderr-to-stdout"):
    h.expect(option in r.out, f"--help tells of {option}", r)
for option in ("-wdir", "-path", "-soft", "-host", "-arch", "-file", "-configfile", "-initial-errhandler", "-env"):
    h.expect(re.search(rf"^ +{option}\b", r.out, re.M), f"--help tells of {option}", r)
h.finish()
