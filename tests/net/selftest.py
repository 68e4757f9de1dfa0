# SPDX-License-Identifier: BSD-3-Clause
"""The ground the network tests stand on, without the library: hosts are apart, links slow, lose and break as told, a
killed test leaves nothing, and each launcher there is tells its processes the truth. What fails here is no fault of the
library."""

import os
import re
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import hosts
import launchers
from hosts import h

MAKE_AND_WAIT = """
import sys, time
sys.path.insert(0, sys.argv[1])
import hosts
hosts.need_namespaces()
with hosts.Hosts(2, shaped=True) as on:
    print(*[holder.pid for holder in (*on.hosts, on.switch)], flush=True)
    time.sleep(60)
"""


def ping(on, count=5, gap=0.02):
    """Percent of pings over the data link that were lost, and the smallest time in ms (None: all lost)."""
    r = on.call(0, "ping", "-q", "-c", count, "-i", gap, "-W", 1, on.address(1), check=False)
    lost = float(re.search(r"([\d.]+)% packet loss", r.stdout).group(1))
    time_ms = re.search(r"= ([\d.]+)/", r.stdout)
    return lost, float(time_ms.group(1)) if time_ms else None


def apart():
    with hosts.Hosts(2) as on:
        names = [on.call(i, "hostname").stdout.strip() for i in (0, 1)]
        h.expect(names == ["mpt1", "mpt2"], f"host names {names}")
        on.call(0, "touch", "/dev/shm/mine")
        h.expect(on.shm_files() == {"mpt1": ["mine"], "mpt2": []}, f"/dev/shm apart: {on.shm_files()}")
        shown = set(on.call(0, "ls", "/sys/class/net").stdout.split())
        h.expect(shown == {"lo", *hosts.NETS}, f"/sys/class/net shows {shown}")
        pids = on.call(0, "sh", "-c", "ls /proc | grep -c '^[0-9]'").stdout
        h.expect(int(pids) < 10, f"process numbers apart: {pids} seen")
        r = h.run([on.agent, "-x", "mpt2", "hostname;", "env;", "exit", "7"], {"MPT_NOT_TO_GO_ALONG": "1"})
        h.expect(r.status == 7 and r.out.startswith("mpt2\n"), "the agent runs a command and passes its status on", r)
        h.expect("NOT_TO_GO_ALONG" not in r.out, "the agent takes the caller's environment along", r)
        h.expect(h.run([on.agent, "mpt9", "true"]).status == 255, "the agent refuses a host that is none")
    with hosts.Hosts(2, shared=True) as on:
        on.call(0, "touch", f"/dev/shm/{h.MARK}")
        h.expect(h.MARK in on.shm_files()["mpt2"], "hosts that share /dev/shm")
        Path(f"/dev/shm/{h.MARK}").unlink()


def links():
    for shaped in (False, True):
        with hosts.Hosts(2, shaped=shaped) as on:
            ping(on)
            h.expect(ping(on)[0] == 0, f"shaped={shaped}: frames are lost on a good link")
            on.cut(1)
            h.expect(ping(on, 3)[0] == 100, f"shaped={shaped}: frames pass a cut link")
            on.join(1)
            h.expect(h.wait_for(lambda: ping(on, 1)[0] == 0, 10), f"shaped={shaped}: no frame passes a mended link")
            h.expect(on.call(0, "ping", "-c1", "-W1", "mpt2", check=False).returncode == 0, "the other link")
            if shaped:
                on.shape(10, 0)
                lost, ms = ping(on)
                h.expect(lost == 0 and 20 <= ms < 40, f"10 ms each way: {ms} ms there and back")
                on.shape(1, 20)
                lost, _ = ping(on, 300, 0.005)
                h.expect(15 < lost < 60, f"20 % loss each way: {lost} % of pings lost, expected 36")


def killed():
    """A test that is ended by a signal takes its hosts along."""
    for number in (signal.SIGTERM, signal.SIGKILL):
        script = h.SCRATCH / "make_and_wait.py"
        script.write_text(MAKE_AND_WAIT)
        child = subprocess.Popen(
            [sys.executable, script, hosts.HERE],
            stdout=subprocess.PIPE,
            text=True,
            env=h.environment({"MPT_BUILD": h.BUILD, "MPT_SOURCE": h.SOURCE}),
        )
        pids = child.stdout.readline().split()
        child.send_signal(number)
        child.wait()
        child.stdout.close()
        gone = h.wait_for(lambda pids=pids: not any(Path(f"/proc/{pid}").exists() for pid in pids), 5)
        h.expect(len(pids) == 3 and gone, f"signal {number}: hosts left behind: {pids}")


def build_probe():
    flags = subprocess.run(["pkg-config", "--cflags", "--libs", "pmix"], capture_output=True, text=True)
    if flags.returncode:
        return None
    program = h.SCRATCH / "pmix_probe"
    source = hosts.HERE / "pmix_probe.c"
    subprocess.run([os.environ.get("CC", "cc"), source, "-o", program, *flags.stdout.split()], check=True)
    return program


def launcher(name, probe):
    """What PMIx says is so, with ranks in blocks and dealt out; statuses come back."""
    with launchers.Job(2, name) as job:
        line = "rank {} of 4 on {h}: node {}, host {h}, local rank {}, peers {}, neighbour card-of-{}"
        for options, where in ((), (0, 0, 1, 1)), (job.cyclic, (0, 1, 0, 1)):
            near = [[p for p in range(4) if where[p] == host] for host in where]
            expected = {
                line.format(
                    p, where[p], near[p].index(p), ",".join(map(str, near[p])), (p + 1) % 4, h=f"mpt{where[p] + 1}"
                )
                for p in range(4)
            }
            r = job.run((2, 2), probe, options=options)
            h.expect(r.status == 0 and set(r.out.splitlines()) == expected, f"{name} {options}: what PMIx says", r)
        for how, status in (("abort", 5), ("exit", 3), ("kill", 134)):
            r = job.run((2, 2), probe, how, 3, limit=20)
            h.expect(r.status == status, f"{name}: {how} gives status {status}", r)
        job.clean(name)


hosts.need_namespaces()
if not shutil.which("ping"):
    hosts.skip("no `ping`")
for part in (apart, links, killed):
    begun = time.monotonic()
    part()
    print(f"{part.__name__}: {time.monotonic() - begun:.1f} s", flush=True)
the_probe = build_probe()
for the_name in ("mpirun", "prterun", "srun") if the_probe else ():
    try:
        launcher(the_name, the_probe)
        print(f"{the_name}: tried", flush=True)
    except SystemExit:
        print(f"{the_name}: not tried", flush=True)
h.finish()
