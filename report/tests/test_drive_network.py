# SPDX-License-Identifier: BSD-3-Clause
"""Driving over a network: the network's own ping-pong, what can be had and what not, and the commands."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from mpt_report.drive import fabric, hosts, network, plan
from test_drive import LAUNCHER, executable, program, run_command

TABLE = """bytes   #sent   #ack     total       time     MB/sec    usec/xfer   Mxfers/sec
0       10      =10     0           0.00s      0.00       7.54       0.13
64      10      =10     1.2k        0.00s      6.41       9.99       0.10
1.5k    2k      =2k     3.9g        0.77s   5430.99     193.07       0.01
1m      2k      =2k     3.9g        0.77s   5430.99     193.07       0.01
fi_pingpong: a word that is no row
"""

PING_PONG = """#!/bin/sh
# as fi_pingpong: the client is the one with an address, and is refused twice
while [ $# -gt 0 ]; do
    case $1 in
    -S) size=$2; shift;;
    -*) shift;;
    *) client=yes;;
    esac
    shift
done
[ -n "$client" ] || exec sleep 30
echo x >> {tries}
[ $(wc -l < {tries}) -gt 2 ] || {{ echo "connect(): refused"; exit 111; }}
[ "$size" != 512 ] || {{ echo "512 is a size it does not like"; exit 22; }}
echo "bytes #sent #ack total time MB/sec usec/xfer Mxfers/sec"
echo "$size 10 =10 1k 0.01s 6.40 10.00 0.10"
"""

HELLO = """#!/bin/sh
echo "hello from PE 0 of 2: MPT 0.1.0"
echo "hello from PE 1 of 2: MPT 0.1.0"
"""


@pytest.fixture
def tools(tmp_path, monkeypatch):
    """A PATH whose fi_pingpong answers at once."""
    executable(tmp_path / "tools/fi_pingpong", PING_PONG.format(tries=tmp_path / "tries"))
    executable(tmp_path / "tools/fi_info", "#!/bin/sh\necho fi_info: 1.2.3\necho libfabric: 1.17.0\n")
    monkeypatch.setenv("PATH", f"{tmp_path / 'tools'}:{os.environ['PATH']}")
    return tmp_path


def test_table_is_read():
    assert list(fabric.parse(TABLE)) == [
        (0, 7.54, 0.0),
        (64, 9.99, 6.41),
        (1536, 193.07, 5430.99),
        (1 << 20, 193.07, 5430.99),
    ]


def test_own_figures_become_records(tools, capsys):
    out = tools / "o.jsonl"
    status = fabric.main(["--out", str(out), "--network", "tcp, here", "--sizes", "8,512,4096", "--max-seconds", "30"])
    lines = [json.loads(line) for line in out.read_text().splitlines()]
    assert status == 1
    assert "512 bytes: fi_pingpong: 512 is a size it does not like" in capsys.readouterr().err
    assert lines[0]["test"] == "environment" and lines[0]["env"]["network"] == "tcp, here"
    assert [(line["params"]["message_bytes"], line["metric"], line["value"]) for line in lines[1:]] == [
        (8, "latency", 10.0),
        (8, "bandwidth", 6.4),
        (4096, "latency", 10.0),
        (4096, "bandwidth", 6.4),
    ]
    assert {line["implementation"] for line in lines[1:]} == {"fi_pingpong 1.17.0"}


def test_load_of_others_is_noticed():
    burner = subprocess.Popen([sys.executable, "-c", "while True: pass"])
    core = min(os.sched_getaffinity(0))
    os.sched_setaffinity(burner.pid, {core})
    try:
        found = max(fabric.detour(core) for _ in range(3))
    finally:
        burner.kill()
        burner.wait()
    assert 10 < found < 100


def test_silent_pair_is_given_up(tmp_path, monkeypatch, capsys):
    executable(tmp_path / "tools/fi_pingpong", "#!/bin/sh\nexec sleep 30\n")
    monkeypatch.setenv("PATH", f"{tmp_path / 'tools'}:{os.environ['PATH']}")
    monkeypatch.setattr(fabric, "LEAST_S", 0.1)
    status = fabric.main(["--out", str(tmp_path / "o"), "--network", "x", "--sizes", "8", "--max-seconds", "0.5"])
    assert status == 1
    assert "no answer within" in capsys.readouterr().err


def test_iterations_fall_with_time_and_size():
    assert fabric.iterations(8) == fabric.MOST
    assert fabric.iterations(64, (8, 10.0)) == 1250
    assert fabric.iterations(8, (64, 1000.0)) == 100
    assert fabric.iterations(1 << 20, (4096, 10.0)) == fabric.FEWEST + 7
    assert fabric.iterations(1 << 30, (4096, 10.0)) == fabric.FEWEST


@pytest.fixture
def build(tmp_path):
    executable(tmp_path / "build/bin/oshrun", LAUNCHER)
    executable(tmp_path / "build/bench/hello", HELLO)
    for name in ("put_get", "barrier"):
        program(tmp_path / "build/bench" / name)
    return tmp_path / "build"


def library(build, name="mpt"):
    return plan.Library(name, build / "bench", (str(build / "bin/oshrun"),))


def test_steps_alternate_with_the_networks_own(build, tools):
    order = plan.Order(tools / "out", "quick", only=("put_get", "barrier"))
    steps, skipped = network.make([library(build), library(build, "openmpi")], order, build, ("host", "nodes"))
    assert skipped == []
    assert [step.out.name for step in steps] == [
        "provider-host-00.jsonl",
        "mpt-host-put_get-002.jsonl",
        "openmpi-host-put_get-002.jsonl",
        "provider-host-03.jsonl",
        "mpt-host-barrier-002.jsonl",
        "openmpi-host-barrier-002.jsonl",
        "provider-host-06.jsonl",
        "mpt-host-barrier-004.jsonl",
        "openmpi-host-barrier-004.jsonl",
        "provider-host-09.jsonl",
        "mpt-host-barrier-008.jsonl",
        "openmpi-host-barrier-008.jsonl",
        "provider-nodes-00.jsonl",
        "mpt-nodes-barrier-004.jsonl",
    ]
    ours, theirs = steps[1], steps[2]
    assert ours.environment["MPT_TRANSPORT"] == "tcp" and steps[-1].environment["MPT_NODES"] == "2"
    assert theirs.environment["UCX_TLS"] == "tcp,self"
    assert ours.command == (
        str(build / "bin/oshrun"),
        "-np",
        "2",
        str(build / "bench/put_get"),
        "--network",
        "tcp, 1 host",
        "--out",
        str(ours.out),
        "--progress",
        "--max-seconds",
        "5",
        "--target",
        "heap",
        "--quick",
    )
    assert "--network" in steps[0].command and "tcp, 1 host" in steps[0].command


def test_demo_takes_seconds_and_no_root(build, tools):
    steps, _ = network.make([library(build)], plan.Order(tools / "out", "demo"), build, network.DEMO_OVER)
    assert [step.title for step in steps if "fi_" not in step.title] == [
        "put_get, 2 PEs, tcp, 1 host",
        "barrier, 4 PEs, tcp, 1 host as 2 nodes",
    ]
    assert sum(step.seconds for step in steps) < 20


@pytest.mark.parametrize(
    "body, reason",
    [
        ("echo 'PE 0: no provider' >&2; exit 1", "PE 0: no provider"),
        ("exit 4", "exit status 4"),
        ("echo 'hello from PE 0 of 1: x'; echo 'hello from PE 0 of 1: x'", "its PEs did not find each other"),
    ],
)
def test_place_that_cannot_be_had_is_left_out_with_its_reason(build, tools, body, reason):
    executable(build / "bench/hello", f"#!/bin/sh\n{body}\n")
    steps, skipped = network.make([library(build)], plan.Order(tools / "out", "quick"), build, ("host",))
    assert steps == [] and skipped == [f"mpt over tcp, 1 host: {reason}"]


def test_probe_that_hangs_is_ended(tmp_path):
    path = executable(tmp_path / "p", "#!/bin/sh\nsleep 60 & sleep 60\n")
    assert network.probe((str(path),), {}, 0.3) == "no end within 0.3 s"


def test_missing_tool_is_said_and_the_libraries_run(build, tmp_path, monkeypatch):
    monkeypatch.setattr(network.shutil, "which", lambda _: None)
    order = plan.Order(tmp_path / "out", "quick", only=("barrier",))
    steps, skipped = network.make([library(build)], order, build, ("nodes",))
    assert [step.out.name for step in steps] == ["mpt-nodes-barrier-004.jsonl"]
    assert skipped == [fabric.MISSING]
    assert fabric.main(["--out", str(tmp_path / "o"), "--network", "x", "--sizes", "8"]) == 1


def test_commands_between_hosts(build, tools):
    site = network.Site(plan.Order(tools / "out", "quick"), build)
    place = next(place for place in network.PLACES if place.hosts == 2)
    command = site.start(library(build), place, 4, build / "bench/barrier")
    inner = command[command.index("--") + 1 :]
    assert command[1:3] == ("-m", "mpt_report.drive.hosts")
    assert command[command.index("--per-host") + 1] == "2"
    assert inner[:2] == ("{enter0}", "mpirun.openmpi")
    assert "MPT_IFACE=data" in inner and inner[-4:] == ("-np", "4", "{own}", str(build / "bench/barrier"))
    limit = site.limit(place, network.ROWS[0], 0)
    assert "{shell1}" in limit.command and "mpt_report.drive.fabric" in limit.command


def test_source_is_the_one_the_build_was_made_from(tmp_path):
    (tmp_path / "CMakeCache.txt").write_text("A:STRING=x\nCMAKE_HOME_DIRECTORY:INTERNAL=/the/tree\n")
    assert network.source_of(tmp_path) == Path("/the/tree")
    assert (network.source_of(tmp_path / "absent") / "report" / "mpt_report").is_dir()


class On:
    """Two hosts that are none."""

    names, agent = ("one", "two"), Path("/agent")

    def enter(self, i):
        return ["enter", self.names[i]]

    def address(self, i):
        return f"198.18.2.{i + 1}"


def test_words_for_hosts_are_put_in():
    found = hosts.meanings(On(), Path("/own"), 2)
    words = ["{enter0}", "mpirun", "{agent}", "--host", "{hosts}", "{own}", "{shell1}", "{address0}", "{other}"]
    assert hosts.expand(words, found) == [
        "enter",
        "one",
        "mpirun",
        "/agent",
        "--host",
        "one:2,two:2",
        "/own",
        "enter two",
        "198.18.2.1",
        "{other}",
    ]


def test_hosts_share_the_cores(monkeypatch):
    monkeypatch.setattr(hosts.os, "sched_getaffinity", lambda _: {0, 1, 2, 3, 4}, raising=False)
    assert hosts.shares(2) == [[0, 1], [2, 3]]
    assert hosts.shares(8)[7] == [0, 1, 2, 3, 4]
    assert "two) cores=2,3;;" in hosts.script(["one", "two"], hosts.shares(2))


def test_without_the_maker_of_hosts_it_is_skipped(tmp_path, capsys):
    assert hosts.main(["--source", str(tmp_path), "--build", str(tmp_path), "--", "true"]) == hosts.SKIPPED
    assert capsys.readouterr().out.startswith("SKIPPED: no tests/net/hosts.py")


def test_run_command_says_what_it_skips(build, tools):
    executable(build / "bench/hello", "#!/bin/sh\necho no network here >&2; exit 3\n")
    common = ("--build", build, "--quick", "--only", "barrier", "--scale", "2")
    for more, status in (((), 0), (("--over", "shm,host"), 1)):
        process = run_command("--out", tools / "out", *common, *more)
        _, errors = process.communicate(timeout=60)
        assert process.returncode == status, errors
        assert "mpt: SKIPPED: mpt over tcp, 1 host: no network here" in errors


def test_run_command_measures_over_the_network(build, tools):
    process = run_command("--out", tools / "out", "--build", build, "--quick", "--only", "barrier", "--over", "nodes")
    _, errors = process.communicate(timeout=60)
    assert process.returncode == 0, errors
    assert {file.name for file in (tools / "out").glob("*.jsonl")} == {
        "provider-nodes-00.jsonl",
        "mpt-nodes-barrier-004.jsonl",
    }


def test_unknown_place_is_refused():
    process = run_command("--out", "x", "--build", "y", "--over", "moon")
    assert "no place moon; there are shm, host, nodes, hosts" in process.communicate(timeout=30)[1]
    assert process.returncode == 2
