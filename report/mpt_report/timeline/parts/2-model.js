// SPDX-License-Identifier: BSD-3-Clause
// What the trace holds: calls in the order of lanes and times, arrows, bands, spans, levels. Times are nanoseconds since
// the page's begin.
"use strict";

const KINDS = 8;
const NONE = -1;

function lanesOf(about, columns) {
  let first = 0;
  let bin = 0;
  return about.lanes.map((lane, index) => {
    const bins = columns.bins[index];
    const made = { ...lane, index, first, last: first + columns.counts[index], bins, at: bin, spans: [0, 0] };
    first = made.last;
    bin += (2 * bins - 1) * KINDS;
    return made;
  });
}

function timesOf(lanes, columns) {
  const begin = new Float64Array(columns.gap.length);
  const end = new Float64Array(columns.gap.length);
  for (const lane of lanes) {
    let at = 0;
    for (let i = lane.first; i < lane.last; i++) {
      at += columns.gap[i];
      begin[i] = at;
      end[i] = at + columns.time[i];
    }
  }
  return { begin, end };
}

/** Arrows with lanes by their place in the page, sorted by begin; `longest` is the longest of them. */
function arrowsOf(columns, name, laneOf) {
  const begin = columns[`${name}.begin`];
  const end = new Float64Array(begin.length);
  let longest = 0;
  for (let i = 0; i < begin.length; i++) {
    end[i] = begin[i] + columns[`${name}.time`][i];
    longest = Math.max(longest, end[i] - begin[i]);
  }
  const lanes = (of) => Int32Array.from(columns[`${name}.${of}`], (id) => laneOf.get(id) ?? NONE);
  return {
    name, begin, end, longest,
    from: columns[`${name}.from`], to: columns[`${name}.to`], starter: columns[`${name}.starter`],
    fromLane: lanes("fromLane"), toLane: lanes("toLane"),
    bytes: columns[`${name}.bytes`], tag: columns[`${name}.tag`],
  };
}

function bandsOf(model, columns) {
  const first = columns["band.first"];
  const count = Math.max(first.length - 1, 0);
  const [call, last] = [columns["band.call"], columns["band.end"]];
  const bands = { count, first, call, last, begin: new Float64Array(count), end: new Float64Array(count) };
  for (let i = 0; i < count; i++) {
    let low = Infinity;
    let high = -Infinity;
    for (let j = first[i]; j < first[i + 1]; j++) {
      low = Math.min(low, model.begin[bands.call[j]]);
      high = Math.max(high, model.end[bands.last[j]]);
    }
    bands.begin[i] = low;
    bands.end[i] = high;
  }
  return bands;
}

function spansOf(lanes, columns, laneOf) {
  const begin = columns["span.begin"];
  const end = Float64Array.from(begin, (at, i) => at + columns["span.time"][i]);
  const lane = columns["span.lane"];
  for (let i = 0; i < begin.length; i++) {
    const mine = lanes[laneOf.get(lane[i])];
    if (mine.spans[1] === 0) mine.spans[0] = i;
    mine.spans[1] = i + 1;
  }
  return { begin, end, name: columns["span.name"], peer: columns["span.peer"], region: columns["span.kind"] };
}

function modelOf(about, columns) {
  const lanes = lanesOf(about, columns);
  const laneOf = new Map(lanes.map((lane) => [lane.id, lane.index]));
  const model = { ...timesOf(lanes, columns), about, lanes, count: columns.gap.length, whole: about.whole * 1e9 };
  for (const name of ["kind", "role", "call", "site", "peer", "tag", "bytes", "group", "result", "levels"]) {
    model[name] = columns[name];
  }
  model.messages = arrowsOf(columns, "message", laneOf);
  model.stores = arrowsOf(columns, "store", laneOf);
  model.bands = bandsOf(model, columns);
  model.spans = spansOf(lanes, columns, laneOf);
  return model;
}

/** The first place in [low, high) at which a sorted column is >= value. */
function lowerBound(sorted, value, low, high) {
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sorted[middle] < value) low = middle + 1;
    else high = middle;
  }
  return low;
}

function laneOfCall(model, call) {
  let low = 0;
  let high = model.lanes.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (model.lanes[middle].last <= call) low = middle + 1;
    else high = middle;
  }
  return model.lanes[low];
}

/** The calls of a lane that touch a stretch of time, as [first, last). */
function callsIn(model, lane, from, to) {
  let first = lowerBound(model.begin, from, lane.first, lane.last);
  while (first > lane.first && model.end[first - 1] >= from) first--;
  return [first, lowerBound(model.begin, to + 0.5, first, lane.last)]; // begins are whole numbers
}

/** The messages and stores that a call sends, receives or began to receive, as [arrows, place]. */
function endsOf(model, call) {
  const found = [];
  for (const arrows of [model.messages, model.stores]) {
    for (let i = 0; i < arrows.begin.length && found.length < 64; i++) {
      if (arrows.from[i] === call || arrows.to[i] === call || arrows.starter[i] === call) found.push([arrows, i]);
    }
  }
  return found;
}
