// SPDX-License-Identifier: BSD-3-Clause
// What lies over the lanes: ruler, names, messages as arrows or as a density, collectives as bands, the call chosen.
"use strict";

const MOST_ARROWS = 3000; // more in view are shown as a density only
const MOST_BANDS = 300;
const DENSITY_BINS = 1 << 14;
const FONT = '11px system-ui, "DejaVu Sans", sans-serif';

const shown = { arrows: true, bands: true };

/** "12.5 us" */
function duration(ns) {
  for (const [unit, size] of [["s", 1e9], ["ms", 1e6], ["us", 1e3]]) {
    if (Math.abs(ns) >= size) return `${Number((ns / size).toPrecision(4))} ${unit}`;
  }
  return `${Number(ns.toPrecision(4))} ns`;
}

function bytesText(n) {
  for (const [unit, size] of [["GB", 1e9], ["MB", 1e6], ["kB", 1e3]]) {
    if (n >= size) return `${Number((n / size).toPrecision(4))} ${unit}`;
  }
  return `${n} B`;
}

/** How many arrows begin in each bin of the whole time. */
function densityOf(arrows, whole) {
  const found = new Float32Array(DENSITY_BINS);
  for (let i = 0; i < arrows.begin.length; i++) {
    found[Math.min(Math.floor((arrows.begin[i] / whole) * DENSITY_BINS), DENSITY_BINS - 1)]++;
  }
  return found;
}

function paintDensity(context) {
  const { density, whole } = mpt.model;
  const perBin = whole / DENSITY_BINS;
  const first = Math.max(Math.floor(view.from / perBin), 0);
  const last = Math.min(Math.ceil(view.to / perBin), DENSITY_BINS);
  let most = 1;
  for (let bin = first; bin < last; bin++) most = Math.max(most, density[bin]);
  context.fillStyle = paint.message;
  for (let bin = first; bin < last; bin++) {
    if (!density[bin]) continue;
    const x = Math.max(toX(bin * perBin), layout.names);
    const height = Math.max(1, (density[bin] / most) * (DENSITY - 3));
    context.globalAlpha = 0.55;
    context.fillRect(x, TOP - 2 - height, Math.max(toX((bin + 1) * perBin) - x, 1), height);
  }
  context.globalAlpha = 1;
}

function step(length, room) {
  const raw = (length * 90) / Math.max(room, 90);
  const power = 10 ** Math.floor(Math.log10(raw));
  return [1, 2, 5, 10].map((n) => n * power).find((n) => n >= raw);
}

function paintRuler(context) {
  const by = step(view.to - view.from, layout.width - layout.names);
  context.fillStyle = paint.card;
  context.fillRect(0, 0, layout.width, RULER);
  context.strokeStyle = paint.line;
  context.fillStyle = paint.soft;
  context.textBaseline = "middle";
  context.textAlign = "left";
  for (let at = Math.ceil(view.from / by) * by; at <= view.to; at += by) {
    const x = Math.round(toX(at)) + 0.5;
    context.beginPath();
    context.moveTo(x, RULER - 6);
    context.lineTo(x, layout.height);
    context.globalAlpha = 0.35;
    context.stroke();
    context.globalAlpha = 1;
    context.fillText(duration(at), x + 3, RULER / 2);
  }
}

function laneName(lane) {
  const several = mpt.model.lanes.some((other) => other.pe === lane.pe && other.thread !== lane.thread);
  return several ? `PE ${lane.pe}.${lane.thread}` : `PE ${lane.pe}`;
}

function paintNames(context) {
  context.fillStyle = paint.paper;
  context.fillRect(0, TOP, layout.names, layout.height);
  context.textBaseline = "middle";
  context.textAlign = "left";
  let free = -Infinity;
  for (const row of layout.rows) {
    const y = rowTop(row) + row.height / 2;
    if (y < TOP || y > layout.height || y - free < 11) continue;
    free = y;
    const host = row.host !== undefined;
    context.fillStyle = host ? paint.ink : paint.soft;
    const text = host ? `${row.folded ? "▸" : "▾"} ${row.host}` : laneName(mpt.model.lanes[row.lane]);
    context.fillText(text, 4, y, layout.names - 8);
  }
}

function paintLabels(context, ratio) {
  context.font = FONT;
  context.fillStyle = "#fff";
  context.textBaseline = "middle";
  context.textAlign = "left";
  for (const label of paint.labels) {
    const width = label.width / ratio - 6;
    let text = label.text;
    const most = Math.floor(width / 6);
    if (text.length > most) text = `${text.slice(0, Math.max(most - 1, 1))}…`;
    context.fillText(text, label.x / ratio + 3, label.y / ratio, width);
  }
}

/** Calls `each` with the places of the arrows that touch the view, at most `most` of them; returns how many there are. */
function arrowsInView(arrows, most, each) {
  const first = lowerBound(arrows.begin, view.from - arrows.longest, 0, arrows.begin.length);
  const last = lowerBound(arrows.begin, view.to, first, arrows.begin.length);
  if (last - first > 50 * most) return last - first;
  const found = [];
  for (let i = first; i < last; i++) if (arrows.end[i] >= view.from) found.push(i);
  if (found.length <= most) found.forEach(each);
  return found.length;
}

function drawArrow(context, arrows, i, colour, width) {
  const from = laneY(arrows.fromLane[i]);
  const to = laneY(arrows.toLane[i]);
  if (from === NONE || to === NONE || arrows.fromLane[i] < 0 || arrows.toLane[i] < 0) return;
  const x = toX(arrows.begin[i]);
  const until = toX(arrows.end[i]);
  const angle = Math.atan2(to - from, until - x);
  context.strokeStyle = context.fillStyle = colour;
  context.lineWidth = width;
  context.beginPath();
  context.moveTo(x, from);
  context.lineTo(until, to);
  context.stroke();
  context.beginPath();
  context.moveTo(until, to);
  context.lineTo(until - 6 * Math.cos(angle - 0.4), to - 6 * Math.sin(angle - 0.4));
  context.lineTo(until - 6 * Math.cos(angle + 0.4), to - 6 * Math.sin(angle + 0.4));
  context.fill();
}

function paintArrows(context) {
  mpt.arrowsDrawn = 0;
  if (!shown.arrows) return;
  context.globalAlpha = 0.75;
  for (const [arrows, colour] of [[mpt.model.messages, paint.message], [mpt.model.stores, paint.store]]) {
    arrowsInView(arrows, MOST_ARROWS, (i) => {
      drawArrow(context, arrows, i, colour, 1);
      mpt.arrowsDrawn++;
    });
  }
  context.globalAlpha = 1;
}

function paintBands(context) {
  const { bands, begin, end } = mpt.model;
  if (!shown.bands) return;
  const inView = [];
  for (let i = 0; i < bands.count && inView.length <= MOST_BANDS; i++) {
    if (bands.end[i] >= view.from && bands.begin[i] <= view.to) inView.push(i);
  }
  if (inView.length > MOST_BANDS) return;
  context.fillStyle = paint.kinds[3];
  context.globalAlpha = 0.16;
  for (const band of inView) {
    const members = Array.from(bands.call.subarray(bands.first[band], bands.first[band + 1]));
    const ends = bands.last.subarray(bands.first[band], bands.first[band + 1]);
    const places = members
      .map((call, k) => [call, laneY(laneOfCall(mpt.model, call).index), ends[k]])
      .filter(([, y]) => y !== NONE);
    if (places.length < 2) continue;
    context.beginPath();
    places.forEach(([call, y], k) => (k ? context.lineTo(toX(begin[call]), y) : context.moveTo(toX(begin[call]), y)));
    places.reverse().forEach(([, y, last]) => context.lineTo(toX(end[last]), y));
    context.fill();
  }
  context.globalAlpha = 1;
}

function outline(context, call, colour) {
  const row = layout.rowOf[laneOfCall(mpt.model, call).index];
  if (!row) return;
  const x = Math.max(toX(mpt.model.begin[call]), layout.names);
  const until = Math.min(toX(mpt.model.end[call]), layout.width);
  if (until < layout.names) return;
  context.strokeStyle = colour;
  context.lineWidth = 2;
  context.strokeRect(x, rowTop(row), Math.max(until - x, 2), row.height - GAP);
}

function paintChosen(context) {
  if (mpt.chosen === NONE) return;
  for (const [arrows, i] of mpt.chosenEnds) {
    drawArrow(context, arrows, i, paint.accent, 2);
    for (const end of [arrows.from[i], arrows.to[i]]) if (end !== NONE && end !== mpt.chosen) outline(context, end, paint.accent);
  }
  outline(context, mpt.chosen, paint.ink);
}

function paintOverlay(context, ratio) {
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.font = FONT;
  context.save();
  context.beginPath();
  context.rect(layout.names, TOP, layout.width, layout.height);
  context.clip();
  paintBands(context);
  paintLabels(context, ratio);
  paintArrows(context);
  paintChosen(context);
  context.restore();
  paintNames(context);
  paintRuler(context);
  paintDensity(context);
  if (mpt.range) {
    context.fillStyle = paint.accent;
    context.globalAlpha = 0.2;
    context.fillRect(Math.min(...mpt.range), 0, Math.abs(mpt.range[1] - mpt.range[0]), layout.height);
    context.globalAlpha = 1;
  }
  context.setTransform(1, 0, 0, 1, 0, 0);
}

/** The whole trace in small, once; then the part in view over it. */
function paintMinimap() {
  const { minimap, minimapImage } = mpt;
  const context = minimap.getContext("2d");
  const width = minimap.width;
  const scale = width / mpt.model.whole;
  context.putImageData(minimapImage, 0, 0);
  context.fillStyle = paint.paper;
  context.globalAlpha = 0.6;
  context.fillRect(0, 0, view.from * scale, minimap.height);
  context.fillRect(view.to * scale, 0, width, minimap.height);
  context.globalAlpha = 1;
  context.strokeStyle = paint.accent;
  context.lineWidth = 2;
  context.strokeRect(view.from * scale + 1, 1, Math.max((view.to - view.from) * scale - 2, 2), minimap.height - 2);
}

/** The mean of all lanes' shares, as columns. */
function drawMinimap(ratio) {
  const { minimap, model } = mpt;
  minimap.width = Math.round(minimap.clientWidth * ratio) || 1;
  minimap.height = Math.round(minimap.clientHeight * ratio) || 1;
  const image = new ImageData(minimap.width, minimap.height);
  const kept = { ...paint };
  const part = { from: view.from, to: view.to };
  Object.assign(paint, { width: image.width, height: image.height, pixels: new Uint32Array(image.data.buffer) });
  paint.mix = new Float32Array(image.width * KINDS);
  [view.from, view.to] = [0, model.whole];
  const perPixel = model.whole / image.width;
  const step = Math.max(1, Math.floor(model.lanes.length / 64));
  const some = model.lanes.filter((_, i) => i % step === 0);
  for (const lane of some) mixLevel(lane, Math.max(levelOf(lane, perPixel, model.whole), 0), 0, ratio, perPixel, 1 / some.length);
  fillMix(0, 0, image.height);
  Object.assign(paint, kept);
  Object.assign(view, part);
  mpt.minimapImage = image;
}
