// SPDX-License-Identifier: BSD-3-Clause
// Search: words in the call's name and line; pe:, peer:, tag:, bytes:, group:, call:, line: say where to look.
"use strict";

const search = { text: "", hits: new Int32Array(0), at: NONE };

/** "7", ">7", "<7", ">=7" as a test of a number; null: it is none. */
function numberTest(text) {
  const found = /^(>=|<=|>|<)?(-?\d+)$/.exec(text);
  if (!found) return null;
  const value = Number(found[2]);
  const tests = { ">": (x) => x > value, "<": (x) => x < value, ">=": (x) => x >= value, "<=": (x) => x <= value };
  return tests[found[1]] ?? ((x) => x === value);
}

/** For each of a list of texts whether it holds a word, as bytes. */
function holding(texts, word) {
  return Uint8Array.from(texts, (text) => (text ?? "").toLowerCase().includes(word) ? 1 : 0);
}

/** A term as a test of a call; null: it cannot be understood. */
function termTest(term, model) {
  const [, key, value] = /^(?:(call|line|pe|peer|tag|bytes|group):)?(.*)$/.exec(term);
  const word = value.toLowerCase();
  const { about } = model;
  if (key === "call" || key === "line" || key === "group" || !key) {
    const calls = key && key !== "call" ? null : holding(about.names, word);
    const lines = key && key !== "line" ? null : holding(about.lines, word);
    const groups = key === "group" ? holding(about.groups, word) : null;
    return (i) => (calls && calls[model.call[i]]) || (lines && lines[model.site[i]]) || (groups && groups[model.group[i]]);
  }
  const test = numberTest(value);
  if (!test) return null;
  if (key === "pe") {
    const lanes = model.lanes.filter((lane) => test(lane.pe));
    return (i) => lanes.some((lane) => i >= lane.first && i < lane.last);
  }
  return (i) => test(model[key][i]);
}

function find(text) {
  const { model } = mpt;
  const tests = text.trim().split(/\s+/).filter(Boolean).map((term) => termTest(term, model));
  search.text = text;
  search.at = NONE;
  search.wrong = tests.includes(null);
  const hits = [];
  if (tests.length && !search.wrong) {
    for (let i = 0; i < model.count; i++) if (tests.every((test) => test(i))) hits.push(i);
  }
  hits.sort((a, b) => model.begin[a] - model.begin[b] || a - b);
  search.hits = Int32Array.from(hits);
}

/** The next match after (or before) the call chosen or the view's begin. */
function next(by) {
  const text = document.getElementById("query").value;
  if (text !== search.text) find(text);
  const { hits } = search;
  if (hits.length) {
    if (search.at === NONE) {
      const from = mpt.chosen === NONE ? view.from : mpt.model.begin[mpt.chosen];
      let first = 0;
      while (first < hits.length && mpt.model.begin[hits[first]] < from) first++;
      search.at = by > 0 ? first % hits.length : (first - 1 + hits.length) % hits.length;
    } else search.at = (search.at + by + hits.length) % hits.length;
    visit(hits[search.at]);
  }
  const found = document.getElementById("found");
  if (search.wrong) found.textContent = "numbers: tag:7, bytes:>1000";
  else if (!hits.length) found.textContent = text.trim() ? "none" : "";
  else found.textContent = `${search.at + 1} of ${hits.length}`;
}
