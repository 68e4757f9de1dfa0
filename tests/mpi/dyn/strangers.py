# SPDX-License-Identifier: BSD-3-Clause
"""Connections to a port that say nothing: they take neither all descriptors of the server nor its processor time, and a
client gets through. By the machine's sockets and by TCP; of another user, they are sent away at once."""

import os
import pathlib
import re
import resource
import socket
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "launch"))
import harness as h

PROGRAM = h.BUILD / "tests" / "t_mpi_dyn_strangers"
DESCRIPTORS, KNOCKS = 300, 1500
resource.setrlimit(resource.RLIMIT_NOFILE, (min(4096, resource.getrlimit(resource.RLIMIT_NOFILE)[1]),) * 2)


def cpu(pid):
    fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def knock(address, family, n):
    """As many connections as are taken within two seconds."""
    found, until = [], time.monotonic() + 2
    while len(found) < n and time.monotonic() < until:
        s = socket.socket(family, socket.SOCK_STREAM)
        s.setblocking(False)
        error = s.connect_ex(address)
        if error in (0, 115):  # EINPROGRESS
            found.append(s)
        else:
            s.close()
            time.sleep(0.002)
    return found


def attempt(what, env, family, other_user=False):
    server = h.start(["sh", "-c", f"ulimit -n {DESCRIPTORS}; exec {PROGRAM}"], env)
    name = server.stdout.readline().strip()
    job, pe, ip, port = re.match(r"mpt:(\w{16})\.(\w+)\.\w+:\w+:(\w{8})\.(\w{4})", name).groups()
    if family == socket.AF_UNIX:
        address = f"\0mpt/{job}/{int(pe, 16)}"
    else:
        address = (socket.inet_ntoa(int(ip, 16).to_bytes(4, sys.byteorder)),
                   socket.ntohs(int(port, 16)))
    if other_user:
        os.seteuid(65534)
    strangers = knock(address, family, KNOCKS)
    if other_user:
        os.seteuid(0)
    h.expect(len(strangers) >= 64, f"{what}: only {len(strangers)} connections")
    time.sleep(0.5)
    before = cpu(server.pid)
    time.sleep(1.5)
    used = cpu(server.pid) - before
    h.expect(used < 0.5, f"{what}: {used:.2f} s of processor time in 1.5 s of waiting")
    held = len(os.listdir(f"/proc/{server.pid}/fd"))
    h.expect(held < (64 if other_user else DESCRIPTORS - 50), f"{what}: the server has {held} descriptors open")
    r = h.run([PROGRAM, name], env, limit=60)
    h.expect(r.status == 0, f"{what}: the client", r)
    r = h.collect(server, 30)
    h.expect(r.status == 0 and "got 42" in r.out, f"{what}: the server", r)
    for s in strangers:
        s.close()


attempt("by the machine's sockets", {}, socket.AF_UNIX)
attempt("by TCP", {"MPT_PORT_IFACE": "127.0.0.1"}, socket.AF_INET)
if os.geteuid() == 0:
    attempt("another user", {}, socket.AF_UNIX, other_user=True)
h.finish()
