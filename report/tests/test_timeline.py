# SPDX-License-Identifier: BSD-3-Clause
"""`mpt timeline`: the page in a real browser, by its state and by its pixels, and the file for Perfetto."""

import json
import os
import re
import time
from html import unescape
from pathlib import Path

import numpy as np
import pytest

import browser
from mpt_report import cli
from mpt_report.timeline import page as timeline_page
from mpt_report.timeline import protobuf, select
from mpt_report.trace.events import events_of
from mpt_report.trace.format import Role
from mpt_report.trace.reader import read
from mpt_report.trace.writer import Writer
from test_trace_command import uneven  # noqa: F401

needs_browser = pytest.mark.skipif(browser.find() is None, reason="no headless browser")
# What a test asks the page: `steps` is a function's body, its value is written where --dump-dom shows it.
PROBE = """<script>
(async function () {
  const drawn = async () => mpt.frame(); // the browser's own frames may be late
  let told;
  await mpt.started;
  mpt.frame();
  try { told = await (async () => { %s })(); } catch (error) { told = { error: String(error) }; }
  const out = document.createElement("pre");
  out.id = "looked";
  out.textContent = JSON.stringify(told);
  document.body.append(out);
})();
</script>"""


def ask(made: Path, steps: str, width: int = 1280, height: int = 900) -> dict:
    text = made.read_text(encoding="utf-8")
    at = text.rindex("</body>")
    asked = made.with_name("asked.html")
    asked.write_text(text[:at] + PROBE % steps + text[at:], encoding="utf-8")
    told = browser.call(made.parent, "--dump-dom", asked.as_uri(), width=width, height=height)
    found = re.search(r'<pre id="looked">(.*?)</pre>', told, re.S)
    assert found, "the page did not answer"
    return json.loads(unescape(found[1]))


@pytest.fixture
def made(uneven, tmp_path):  # noqa: F811
    output = tmp_path / "timeline.html"
    assert cli.main(["timeline", str(uneven), "-o", str(output)]) == 0
    return output


def test_the_page_needs_nothing_else(made):
    text = made.read_text(encoding="utf-8")
    assert not re.search(r"https?://(?!ui\.perfetto)", text)
    assert not re.search(r'\b(src|href)="', text)
    names = [file.name for file in timeline_page.PARTS.glob("*.js")]
    assert [int(re.match(r"\d+", name)[0]) for name in sorted(names, key=lambda n: int(n.split("-")[0]))] == list(
        range(1, len(names) + 1)
    )


@needs_browser
def test_the_page_shows_all_calls_and_zooms(made, uneven):  # noqa: F811
    calls = len(select.shown(events_of(read(Path(uneven))), select.Choice()).calls)
    told = ask(
        made,
        """const all = { ...mpt.view };
        mpt.zoom(0.25, mpt.model.whole / 2); await drawn(); const closer = { ...mpt.view };
        mpt.pan(10); await drawn(); const end = { ...mpt.view };
        mpt.show(0, mpt.model.whole); await drawn();
        return { all, closer, end, again: { ...mpt.view }, lanes: mpt.model.lanes.length, whole: mpt.model.whole,
                 text: document.getElementById("view").textContent };""",
    )
    assert "error" not in told, told
    assert told["all"]["calls"] == calls == told["again"]["calls"]
    assert told["all"]["from"] == 0
    assert told["all"]["to"] == pytest.approx(told["whole"])
    assert told["closer"]["to"] - told["closer"]["from"] == pytest.approx(told["whole"] / 4)
    assert told["end"]["to"] == pytest.approx(told["whole"])
    assert f"{calls} calls on {told['lanes']} lanes" in told["text"]


@needs_browser
def test_search_chooses_calls_and_messages_are_followed(made, uneven):  # noqa: F811
    events = events_of(read(Path(uneven)))
    sends = sum(events.names[call] == "MPI_Send" for call in events.call[events.is_call].tolist())
    told = ask(
        made,
        """const query = document.getElementById("query");
        query.value = "call:MPI_Send"; mpt.next(1); await drawn();
        const found = document.getElementById("found").textContent;
        const chosen = mpt.chosen, detail = document.getElementById("detail").textContent;
        const partner = mpt.partnersOf(chosen).map(([other]) => mpt.model.about.names[mpt.model.call[other]]);
        document.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter" })); await drawn();
        const followed = mpt.model.about.names[mpt.model.call[mpt.chosen]];
        query.value = "pe:99"; mpt.next(1);
        const none = document.getElementById("found").textContent;
        query.value = "tag:many"; mpt.next(1);
        return { found, detail, partner, followed, none, wrong: document.getElementById("found").textContent };""",
    )
    assert "error" not in told, told
    assert told["found"] == f"1 of {sends}"
    assert told["detail"].startswith("MPI_Send")
    assert told["partner"]
    assert told["followed"] == told["partner"][0]
    assert told["none"] == "none"
    assert told["wrong"].startswith("numbers:")


@needs_browser
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_calls_have_the_colours_of_the_legend(made, theme):
    told = ask(
        made,
        f'if (document.documentElement.dataset.theme !== "{theme}") document.getElementById("theme").click();'
        + """
        await drawn();
        const context = mpt.chart.getContext("2d"), found = [];
        for (let call = 0; call < mpt.model.count; call++) {
          const middle = (mpt.model.begin[call] + mpt.model.end[call]) / 2;
          const half = mpt.model.end[call] - mpt.model.begin[call];
          if (!(half > 0)) continue;
          shown.arrows = shown.bands = false;
          mpt.choose(-1); mpt.show(middle - half, middle + half); await drawn();
          const lane = mpt.model.lanes.find((l) => call >= l.first && call < l.last);
          const x = Math.round((mpt.layout.names + (mpt.layout.width - mpt.layout.names) * 0.72) * mpt.ratio);
          const y = Math.round((mpt.laneY(lane.index) + 2) * mpt.ratio);
          const [r, g, b] = context.getImageData(x, y, 1, 1).data;
          found.push([mpt.model.kind[call], "#" + [r, g, b].map((v) => v.toString(16).padStart(2, "0")).join("")]);
          if (found.length === 6) break;
        }
        return { found, colours: paint.kinds, theme: document.documentElement.dataset.theme };""",
    )
    assert "error" not in told, told
    assert told["found"]
    assert told["theme"] == theme
    for kind, colour in told["found"]:
        assert colour == told["colours"][kind], told


@needs_browser
def test_the_page_is_usable_on_a_phone(made):
    told = ask(
        made,
        """document.getElementById("listing").open = true; await drawn(); redraw(); await drawn();
        const count = (what) => document.querySelectorAll(what).length;
        return { wide: document.documentElement.scrollWidth, window: innerWidth,
                 rows: count("#listing tbody tr"), legend: count("#legend li"), calls: mpt.view.calls };""",
        width=500,
    )
    assert "error" not in told, told
    assert told["wide"] <= told["window"]
    assert told["rows"] == min(told["calls"], 300)
    assert 1 <= told["legend"] <= 8


def test_wrong_requests_are_named(uneven, tmp_path, capsys):  # noqa: F811
    assert cli.main(["timeline", str(tmp_path / "none")]) == 2
    assert "mpt timeline: " in capsys.readouterr().err
    assert cli.main(["timeline", str(uneven), "--from", "1000", "-o", str(tmp_path / "x")]) == 2
    assert "nothing of the trace is left" in capsys.readouterr().err


# ------------------------------------------------------------------------------------- Perfetto


def fields(data: bytes):
    """(number, value) of an encoded message, by the wire types."""
    at = 0

    def varint():
        nonlocal at
        value = shift = 0
        while True:
            byte = data[at]
            at += 1
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return value

    while at < len(data):
        key = varint()
        if key & 7 == 0:
            yield key >> 3, varint()
        elif key & 7 == 1:
            yield key >> 3, int.from_bytes(data[at : at + 8], "little")
            at += 8
        else:
            assert key & 7 == 2
            size = varint()
            yield key >> 3, data[at : at + size]
            at += size


@pytest.mark.parametrize("value", [0, 1, 127, 128, 300, 2**32, 2**63])
def test_varints(value):
    assert list(fields(protobuf.number(3, value))) == [(3, value)]


def test_perfetto_has_a_slice_for_each_call_and_flows_for_messages(uneven, tmp_path, capsys):  # noqa: F811
    output = tmp_path / "trace.perfetto"
    assert cli.main(["timeline", str(uneven), "--perfetto", str(output)]) == 0
    assert "ui.perfetto.dev" in capsys.readouterr().out
    events = events_of(read(Path(uneven)))
    shown = select.shown(events, select.Choice())
    begins, ends, open_flows, ended_flows, names, depth = 0, 0, [], [], set(), {}
    last = -1
    for number, packet in fields(output.read_bytes()):
        assert number == 1
        parts = dict(fields(packet))
        if 60 in parts:
            continue
        event = list(fields(parts[11]))
        values = dict(event)
        assert parts[8] >= last, "packets are in the order of time"
        last = parts[8]
        track = values[11]
        if values[9] == 1:
            begins += 1
            depth[track] = depth.get(track, 0) + 1
            names.add(values[23].decode())
            open_flows += [value for key, value in event if key == 47]
            ended_flows += [value for key, value in event if key == 48]
        elif values[9] == 2:
            ends += 1
            depth[track] -= 1
            assert depth[track] >= 0
    assert begins == ends == len(shown.calls) + len(shown.regions)
    assert sorted(open_flows) == sorted(ended_flows)
    assert len(open_flows) == len(set(open_flows))
    assert {events.names[call] for call in events.call[shown.calls].tolist()} <= names


def test_perfettos_own_reader_agrees(uneven, tmp_path):  # noqa: F811
    protos = pytest.importorskip("perfetto.protos.perfetto.trace.perfetto_trace_pb2")
    output = tmp_path / "trace.perfetto"
    assert cli.main(["timeline", str(uneven), "--perfetto", str(output)]) == 0
    trace = protos.Trace()
    trace.ParseFromString(output.read_bytes())
    slices = [packet.track_event for packet in trace.packet if packet.HasField("track_event")]
    begins = [event for event in slices if event.type == event.TYPE_SLICE_BEGIN]
    assert begins
    assert all(event.name for event in begins)
    assert any(event.flow_ids for event in begins)
    tracks = [packet.track_descriptor for packet in trace.packet if packet.HasField("track_descriptor")]
    assert any(track.thread.thread_name == "PE 0" for track in tracks)


@needs_browser
@pytest.mark.skipif(not os.environ.get("MPT_NIGHTLY"), reason="a million events: with MPT_NIGHTLY=1")
def test_a_million_events(tmp_path):
    pes, each = 4, 250_000
    folder = tmp_path / "trace"
    with Writer(folder, pes) as writer:
        for pe in range(pes):
            for i in range(each):
                to = {"peer": (pe + 1) % pes, "message": i + 1, "role": Role.SENDS, "bytes": 8}
                fields = to if i % 2 else {"peer": (pe - 1) % pes, "message": i + 2, "role": Role.RECEIVES, "bytes": 8}
                name = "MPI_Send" if i % 2 else "MPI_Recv"
                writer.call(pe, name, i * 1e-6, i * 1e-6 + 4e-7 + (i % 7) * 5e-8, "ring.c:7 in main", **fields)
    began = time.monotonic()
    assert cli.main(["timeline", str(folder), "-o", str(tmp_path / "t.html")]) == 0
    took = time.monotonic() - began
    told = ask(
        tmp_path / "t.html",
        """const times = [];
        for (let i = 0; i < 60; i++) { mpt.zoom(0.8, mpt.model.whole * 0.4); await drawn(); times.push(mpt.frameMs); }
        return { ready: mpt.ready, times };""",
    )
    print(f"page made in {took:.1f} s; open after {told['ready']:.0f} ms; frames of {np.median(told['times']):.1f} ms")
    assert np.median(told["times"]) < 33
