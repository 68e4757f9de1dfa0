// SPDX-License-Identifier: BSD-3-Clause
// Where things stand: the stretch of time in view, the rows of lanes and hosts.
"use strict";

const RULER = 22;
const DENSITY = 14; // the strip of messages under the ruler
const TOP = RULER + DENSITY;
const HEAD = 20; // a host's row
const GAP = 2; // between lanes
const LEAST_NS = 20; // no view is shorter

const layout = { width: 0, height: 0, names: 80, lane: 0, scroll: 0, rows: [], rowOf: [], folded: new Set(), total: 0 };
const view = { from: 0, to: 1 };

function hostsOf(model) {
  const found = new Map();
  for (const lane of model.lanes) {
    if (!found.has(lane.host)) found.set(lane.host, []);
    found.get(lane.host).push(lane.index);
  }
  return found;
}

/** Rows from top to bottom; a folded host's is the mean of its lanes. */
function layRows() {
  const model = mpt.model;
  const hosts = hostsOf(model);
  layout.rows = [];
  layout.rowOf = new Array(model.lanes.length).fill(null);
  const room = layout.height - TOP - (hosts.size > 1 ? hosts.size * HEAD : 0);
  const height = layout.lane || Math.min(Math.max(Math.floor(room / model.lanes.length), 9), 44);
  let y = 0;
  for (const [host, lanes] of hosts) {
    const folded = layout.folded.has(host);
    if (hosts.size > 1) {
      const row = { host, lanes, folded, y, height: folded ? Math.max(height, HEAD) : HEAD };
      layout.rows.push(row);
      y += row.height;
      if (folded) for (const lane of lanes) layout.rowOf[lane] = row;
    }
    if (folded) continue;
    for (const lane of lanes) {
      const row = { lane, y, height };
      layout.rows.push(row);
      layout.rowOf[lane] = row;
      y += height;
    }
  }
  layout.total = y;
  layout.height1 = height;
  scrollTo(layout.scroll);
}

function scrollTo(y) {
  layout.scroll = Math.max(0, Math.min(y, layout.total - (layout.height - TOP)));
}

function toX(time) {
  return layout.names + ((time - view.from) / (view.to - view.from)) * (layout.width - layout.names);
}

function toTime(x) {
  return view.from + ((x - layout.names) / (layout.width - layout.names)) * (view.to - view.from);
}

function rowTop(row) {
  return TOP + row.y - layout.scroll;
}

function rowAt(y) {
  if (y < TOP) return null;
  return layout.rows.find((row) => y >= rowTop(row) && y < rowTop(row) + row.height) ?? null;
}

/** The middle of a lane's row. */
function laneY(lane) {
  const row = layout.rowOf[lane];
  return row ? rowTop(row) + row.height / 2 : NONE;
}

/** Shows a stretch of time, kept within the trace. */
function show(from, to) {
  const whole = mpt.model.whole;
  const length = Math.min(Math.max(to - from, LEAST_NS), whole);
  const middle = (from + to) / 2;
  view.from = Math.min(Math.max(middle - length / 2, 0), whole - length);
  view.to = view.from + length;
  redraw();
}

function zoom(factor, at = (view.from + view.to) / 2) {
  show(at - (at - view.from) * factor, at + (view.to - at) * factor);
}

function pan(share) {
  const by = (view.to - view.from) * share;
  const room = by < 0 ? Math.max(by, -view.from) : Math.min(by, mpt.model.whole - view.to);
  show(view.from + room, view.to + room);
}

/** Brings a call into view, at its own width at least visible, and chooses it. */
function visit(call, closer = false) {
  const model = mpt.model;
  const length = model.end[call] - model.begin[call];
  const middle = (model.begin[call] + model.end[call]) / 2;
  const lane = laneOfCall(model, call);
  if (layout.rowOf[lane.index].folded) {
    layout.folded.delete(lane.host);
    layRows();
  }
  const row = layout.rowOf[lane.index];
  if (rowTop(row) < TOP || rowTop(row) + row.height > layout.height) scrollTo(row.y - (layout.height - TOP) / 2);
  choose(call);
  const wide = view.to - view.from;
  if (closer || length > wide || length < wide / 400) {
    const width = Math.max(length * (closer ? 3 : 20), LEAST_NS);
    show(middle - width / 2, middle + width / 2);
  } else if (model.begin[call] < view.from || model.end[call] > view.to) show(middle - wide / 2, middle + wide / 2);
  else redraw();
}
