# SPDX-License-Identifier: BSD-3-Clause
"""Who calls the ports of a job on two hosts from its first moment on, keeps silent, says rubbish or hangs up, changes
nothing: the job does its work, and its ring of connections stands."""

import sys

import hosts
import launchers
from hosts import h

# On one host: calls whoever listens on this address, again and again, with some calls open all the time.
FLOOD = """
import os, random, socket, sys, time
address, until = sys.argv[1], time.monotonic() + float(sys.argv[2])
name = "".join(f"{int(x):02X}" for x in reversed(address.split(".")))
held, calls = [], 0
print("ready", flush=True)
while time.monotonic() < until:
    sockets = map(str.split, open("/proc/net/tcp"))
    ports = [int(w[1].split(":")[1], 16) for w in sockets if w[3] == "0A" and w[1].startswith(name)]
    for port in ports:
        for n in 0, 1, 136, 5000:
            s = socket.socket()
            s.setblocking(False)
            s.connect_ex((address, port))
            time.sleep(0.0005)
            try:
                s.send(random.randbytes(n))
            except OSError:
                pass
            held.append(s)
            calls += 1
    for s in held[:-60]:
        s.close()
    del held[:-60]
    if not ports:
        time.sleep(0.001)
print("calls", calls, flush=True)
"""


def flood(on, seconds):
    script = h.SCRATCH / "flood.py"
    script.write_text(FLOOD)
    floods = [h.start(on.enter(i, sys.executable, script, on.address(i), seconds)) for i in range(2)]
    for child in floods:
        child.stdout.readline()
    return floods


def calls(floods):
    ended = [h.collect(child, 30) for child in floods]
    return [int(r.out.split()[-1]) if r.status == 0 else r for r in ended]


def works(job, probe):
    floods = flood(job.on, 10)
    r = job.run((2, 2), probe, "traffic", 3, env={"SHMEM_DEBUG": "1"}, limit=60)
    many = calls(floods)
    h.expect(r.status == 0 and "0 faults" in r.out, f"{job.name} traffic", r)
    h.expect("no lifeline to" not in r.err, f"{job.name} the lifeline", r)
    h.expect(all(isinstance(n, int) and n > 50 for n in many), f"{job.name}: strangers called {many} times")
    print(f"{job.name}: {many} calls", flush=True)


hosts.need_namespaces()
program = h.build(hosts.HERE / "net_probe.c")
with launchers.Job(2) as the_job:
    works(the_job, program)
    the_job.clean("strangers")
h.finish()
