// SPDX-License-Identifier: BSD-3-Clause
// One call: what is told of it, and the ways from it to others.
"use strict";

mpt.chosen = NONE;
mpt.chosenEnds = [];

function element(name, text, more = {}) {
  return Object.assign(document.createElement(name), { textContent: text }, more);
}

function peText(pe) {
  return pe === -2 ? "any" : pe < 0 ? "" : `PE ${pe}`;
}

/** What a call is, as pairs of a name and a text. */
function factsOf(call) {
  const { model } = mpt;
  const { about } = model;
  const lane = laneOfCall(model, call);
  const facts = [
    ["on", laneName(lane)],
    ["begins", duration(model.begin[call])],
    ["takes", duration(model.end[call] - model.begin[call])],
    ["line", about.lines[model.site[call]] ?? ""],
    ["partner", peText(model.peer[call])],
    ["tag", model.role[call] & (about.roles.SENDS | about.roles.RECEIVES) ? String(model.tag[call]) : ""],
    ["bytes", model.bytes[call] ? bytesText(model.bytes[call]) : ""],
    ["group", model.group[call] ? about.groups[model.group[call]] ?? "" : ""],
    ["error", model.result[call] ? String(model.result[call]) : ""],
  ];
  return facts.filter(([, text]) => text !== "");
}

function nameOf(call) {
  return mpt.model.about.names[mpt.model.call[call]];
}

/** The other ends of a call's messages and stores. */
function partnersOf(call) {
  const found = [];
  for (const [arrows, i] of endsOf(mpt.model, call)) {
    const other = arrows.from[i] === call ? arrows.to[i] : arrows.from[i];
    if (other !== NONE && other !== call) found.push([other, arrows, i]);
  }
  return found;
}

function choose(call) {
  mpt.chosen = call;
  mpt.chosenEnds = call === NONE ? [] : endsOf(mpt.model, call);
  showDetail();
  redraw();
}

function showDetail() {
  const detail = document.getElementById("detail");
  const call = mpt.chosen;
  detail.hidden = call === NONE;
  if (detail.hidden) return;
  const list = element("dl", "");
  for (const [name, text] of factsOf(call)) {
    const pair = element("div", "");
    pair.append(element("dt", name), element("dd", text));
    list.append(pair);
  }
  const buttons = partnersOf(call).slice(0, 6).map(([other, arrows, i]) => {
    const way = arrows.name === "store" ? "store" : "message";
    const text = `${way} ${arrows.from[i] === call ? "to" : "from"} ${laneName(laneOfCall(mpt.model, other))}, ${bytesText(arrows.bytes[i])}`;
    return element("button", text, { type: "button", onclick: () => visit(other) });
  });
  const closer = element("button", "zoom to it", { type: "button", onclick: () => visit(call, true) });
  detail.replaceChildren(element("b", nameOf(call)), list, ...buttons, closer);
}

/** The call at a place of the chart, or NONE. Of several in one pixel the longest. */
function callAt(x, y) {
  const row = rowAt(y);
  if (!row || row.lane === undefined || x < layout.names) return NONE;
  const lane = mpt.model.lanes[row.lane];
  const perPixel = (view.to - view.from) / (layout.width - layout.names);
  const time = toTime(x);
  const [first, last] = callsIn(mpt.model, lane, time - perPixel, time + perPixel);
  let found = NONE;
  for (let i = first; i < Math.min(last, first + 5000); i++) {
    const length = mpt.model.end[i] - mpt.model.begin[i];
    if (found === NONE || length > mpt.model.end[found] - mpt.model.begin[found]) found = i;
  }
  return found;
}

function regionsAt(lane, time) {
  const { spans, about } = mpt.model;
  const found = [];
  for (let i = lane.spans[0]; i < lane.spans[1] && spans.begin[i] <= time; i++) {
    if (spans.region[i] && spans.end[i] >= time) found.push(about.names[spans.name[i]]);
  }
  return found;
}

function showTip(x, y) {
  const tip = document.getElementById("tip");
  const row = rowAt(y);
  const call = callAt(x, y);
  tip.hidden = call === NONE && !(row && row.lane !== undefined && x >= layout.names);
  if (tip.hidden) return;
  const lane = mpt.model.lanes[row.lane];
  const regions = regionsAt(lane, toTime(x));
  const lines = call === NONE ? [`${laneName(lane)}: outside calls`] : factsOf(call).map(([name, text]) => `${name} ${text}`);
  if (regions.length) lines.push(`region ${regions.join(" > ")}`);
  tip.replaceChildren(...(call === NONE ? [] : [element("b", nameOf(call))]), element("span", lines.join(" · ")));
  const right = x + 14 + tip.offsetWidth > layout.width;
  tip.style.left = `${Math.max(right ? x - tip.offsetWidth - 14 : x + 14, 0)}px`;
  tip.style.top = `${Math.min(y + 14, layout.height - tip.offsetHeight - 4)}px`;
}

/** The next or previous call of the chosen one's lane, or the one at the same time in the lane above or below. */
function walk(lanes, calls) {
  const { model } = mpt;
  if (mpt.chosen === NONE) {
    const [first, last] = callsIn(model, model.lanes[0], view.from, view.to);
    if (last > first) visit(first);
    return;
  }
  const lane = laneOfCall(model, mpt.chosen);
  if (calls) {
    const next = mpt.chosen + calls;
    if (next >= lane.first && next < lane.last) visit(next);
    return;
  }
  const other = model.lanes[lane.index + lanes];
  if (!other || other.last === other.first) return;
  const middle = (model.begin[mpt.chosen] + model.end[mpt.chosen]) / 2;
  visit(Math.min(Math.max(lowerBound(model.begin, middle, other.first, other.last) - 1, other.first), other.last - 1));
}

function follow() {
  const partners = mpt.chosen === NONE ? [] : partnersOf(mpt.chosen);
  if (partners.length) visit(partners[0][0]);
}
