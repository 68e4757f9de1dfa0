# SPDX-License-Identifier: BSD-3-Clause
"""What went over a network: series of its own, the network's own figures, goals, tables and plots."""

import pytest

from conftest import OURS, PEER, SIZES, environment, make_folder, record, write
from mpt_report import goals, page, text
from mpt_report.goals.goal import nearest
from mpt_report.page import network_charts
from mpt_report.runs.records import load_run
from mpt_report.runs.study import study
from mpt_report.tables import network

ONE_HOST, NODES = "tcp, 1 host", "tcp, 1 host as 2 nodes"


def own(place, size, us):
    """A row of the network's own ping-pong."""
    params = {"message_bytes": size, "provider": "tcp", "network": place}
    return [
        record("provider", params, "latency", "us", us, "hardware", "fi_pingpong 1.17.0"),
        record("provider", params, "bandwidth", "MB/s", size / us, "hardware", "fi_pingpong 1.17.0"),
    ]


def over(name, factor, place=ONE_HOST):
    """A library whose network costs so many times 10 us and a nanosecond a byte."""
    base = {"npes": 2, "target": "heap", "network": place}
    out = []
    for size in SIZES:
        us = factor * (20 + size / 1000)
        for op, call in (("put", "shmem_putmem"), ("put_nbi", "shmem_putmem_nbi")):
            params = base | {"op": op, "call": call, "message_bytes": size}
            out.append(record("put_get", params, "latency", "us", us, implementation=name))
            out.append(record("put_get", params, "bandwidth", "MB/s", size / us, implementation=name))
        out.append(
            record(
                "pingpong",
                base | {"message_bytes": size, "call": "shmem_putmem"},
                "latency",
                "us",
                us / 2,
                pair=(0, 1),
                implementation=name,
            )
        )
    for op in ("p", "g"):
        out.append(
            record("put_get", base | {"op": op, "message_bytes": 8}, "latency", "us", 22 * factor, implementation=name)
        )
    for npes in (2, 4):
        out.append(
            record(
                "barrier",
                base | {"npes": npes, "call": "shmem_barrier_all"},
                "barrier_time",
                "us",
                14 * factor,
                implementation=name,
            )
        )
    return out


@pytest.fixture
def networked(tmp_path):
    """Shared memory and two networks of ours, one of a peer, and the network's own, measured three times."""
    path = make_folder(tmp_path / "now")
    write(path / "mpt-host.jsonl", [environment(), *over(OURS, 1.0)])
    write(
        path / "mpt-nodes.jsonl",
        [
            environment(4),
            record("barrier", {"npes": 4, "network": NODES, "call": "shmem_barrier_all"}, "barrier_time", "us", 31.0),
        ],
    )
    write(path / "openmpi-host.jsonl", [environment(implementation=PEER), *over(PEER, 3.0)])
    turns = [own(ONE_HOST, 8, us) for us in (9, 10, 90)] + [own(NODES, 8, 10)]
    turns += [own(ONE_HOST, size, 10 + size / 5000) for size in SIZES[1:]]
    write(
        path / "provider-host-00.jsonl",
        [
            environment(library="hardware", implementation="fi_pingpong 1.17.0"),
            *(line for turn in turns for line in turn),
        ],
    )
    return path


@pytest.fixture
def whole(networked):
    return study([load_run(networked)])


def test_networks_are_series_of_their_own(whole):
    assert [series.name for series in whole.series] == [OURS]
    assert [series.name for series in whole.networks] == [
        f"{OURS}, {ONE_HOST}",
        f"{PEER}, {ONE_HOST}",
        f"{OURS}, {NODES}",
    ]
    assert not any(record.get("network") for record in whole.first.records)
    assert whole.leading is whole.first


def test_median_of_the_networks_turns_is_its_limit(whole):
    limit = whole.provider(whole.networks[0])
    assert (limit.one_way, limit.round_trip, limit.tool) == (10, 20, "fi_pingpong 1.17.0")
    assert limit.bandwidth[1 << 20] == pytest.approx((1 << 20) / (10 + (1 << 20) / 5000))
    assert whole.provider(whole.series[0]) is None


def test_turns_under_load_count_only_when_there_is_no_other(tmp_path):
    path = make_folder(tmp_path / "run")
    write(path / "mpt-host.jsonl", [environment(), *over(OURS, 1.0)])
    write(
        path / "provider-host-00.jsonl", [environment(contended=True), *own(ONE_HOST, 8, 400), *own(ONE_HOST, 64, 500)]
    )
    write(path / "provider-host-01.jsonl", [environment(), *own(ONE_HOST, 8, 10)])
    found = study([load_run(path)])
    limit = found.provider(found.networks[0])
    assert limit.latency == {8: 10, 64: 500}
    assert limit.loaded(64) and not limit.loaded(8) and not limit.loaded()


def test_goal_says_when_its_bar_met_other_load(tmp_path):
    path = write(tmp_path / "a.jsonl", [environment(contended=True), *over(OURS, 1.0), *own(ONE_HOST, 8, 10)])
    found = by_id(study([load_run(path)]))[f"network/word/{ONE_HOST}"]
    assert found.basis == "1.25 x a round trip of the network's own, which met other load"


def by_id(found):
    return {goal.id: goal for goal in goals.goals(found)}


def test_goals_over_the_network(whole):
    found = by_id(whole)
    word = found[f"network/word/{ONE_HOST}"]
    assert (word.value, word.bar, word.met) == (22, pytest.approx(25), True)
    rate = found[f"network/bandwidth/{ONE_HOST}"]
    assert rate.higher and not rate.met
    assert rate.bar == pytest.approx(0.9 * (1 << 20) / (10 + (1 << 20) / 5000))
    barrier = found[f"network/barrier/{NODES}"]
    assert (barrier.value, barrier.bar, barrier.met) == (31, pytest.approx(30), False)
    assert f"network/barrier/{ONE_HOST}" not in found  # four nodes, not two: two steps at least
    assert not any(PEER in goal.what for name, goal in found.items() if name.startswith("network/"))


@pytest.mark.parametrize(
    "sizes, found",
    [
        ({8, 1 << 20, 2 << 20}, 1 << 20),
        ({8, 2 << 20}, 2 << 20),
        ({8, 1 << 19, 1 << 21}, 1 << 19),
        ({8, 8 << 20}, None),
        (set(), None),
    ],
)
def test_another_size_stands_for_one_mebibyte_only_when_near(sizes, found):
    assert nearest(1 << 20, sizes) == found


def test_summary_of_a_network_lays_memory_limit_and_peer_beside_it(whole):
    one_host, nodes = network.summaries(whole)
    assert one_host.title == f"Over {ONE_HOST}"
    assert one_host.header == [
        "",
        "unit",
        "shared memory",
        f"{OURS}, {ONE_HOST}",
        "fi_pingpong 1.17.0",
        "of it",
        f"{PEER}, {ONE_HOST}",
    ]
    assert one_host.row("put")[3:] == ["22.00", "20.00", "1.10 x", "66.00"]
    assert one_host.row("barrier/2")[2:] == ["0.2500", "14.00", "20.00", "0.70 x", "42.00"]
    assert [row[2:] for row in nodes.rows] == [["4.000", "31.00", "20.00", "1.55 x"]]


def test_tables_by_size_hold_all_curves(whole):
    made = {table.id: table for table in network.tables(whole)}
    put = made["network/put"]
    assert put.title == "Streamed puts by size, MB/s"
    assert put.header == [
        "Size",
        f"{OURS}, shared memory",
        f"{OURS}, {ONE_HOST}",
        f"{OURS}, {NODES}",
        f"{PEER}, {ONE_HOST}",
        f"fi_pingpong 1.17.0, {ONE_HOST}",
        f"fi_pingpong 1.17.0, {NODES}",
    ]
    assert [row[0] for row in put.rows] == ["8 B", "64 B", "4 KiB", "64 KiB", "1 MiB", "4 MiB"]
    assert made["network/hand-over"].title == "One way by size: a put until the other side sees it, µs"


def test_plots_show_memory_network_peer_and_limit_together(whole):
    made = {chart.name: chart for chart in network_charts.charts(whole)}
    assert list(made) == ["net-latency", "net-completed", "net-bandwidth", "net-nonblocking", "net-barrier"]
    names = [trace.name for trace in made["net-bandwidth"].figure.data]
    assert names == [
        f"{OURS}, shared memory",
        f"{OURS}, {ONE_HOST}",
        f"{PEER}, {ONE_HOST}",
        f"fi_pingpong 1.17.0, {ONE_HOST}",
    ]
    colours = [trace.line.color for trace in made["net-bandwidth"].figure.data]
    assert colours[0] == colours[1] != colours[2]
    assert made["net-completed"].title == (
        f"One word put and completed takes 22 µs over {ONE_HOST}, 1.10 x the network's own round trip"
    )


def test_report_and_page_hold_the_section(whole):
    assert f"Over {ONE_HOST}" in text.report(whole, 200)
    built = page.build(whole)
    assert "The same programs over the network" in built
    assert 'data-spec="spec-net-bandwidth"' in built


def test_nothing_of_it_without_a_network(one):
    assert network.tables(one) == [] and network_charts.charts(one) == []
    assert "over the network" not in page.build(one)


def test_run_of_networks_alone(tmp_path):
    path = write(tmp_path / "a.jsonl", [environment(), *over(OURS, 1.0), *own(ONE_HOST, 8, 10)])
    found = study([load_run(path)])
    assert not found.local and found.leading.network == ONE_HOST
    assert f"one-word put and quiet, {ONE_HOST}" in text.report(found, 160)
    built = page.build(found)
    assert f"<h1>{OURS}, {ONE_HOST}</h1>" in built and "1 goals met" in built
