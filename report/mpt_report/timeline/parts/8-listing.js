// SPDX-License-Identifier: BSD-3-Clause
// The calls in view as a table, for who reads rather than looks.
"use strict";

const LISTED = 300;

function listing() {
  const details = document.getElementById("listing");
  if (!details.open) return;
  const { model } = mpt;
  const found = [];
  let count = 0;
  for (const lane of model.lanes) {
    const [first, last] = callsIn(model, lane, view.from, view.to);
    count += last - first;
    for (let i = first; i < Math.min(last, first + LISTED); i++) found.push(i);
  }
  found.sort((a, b) => model.begin[a] - model.begin[b] || a - b);
  const table = element("table", "");
  const head = table.createTHead().insertRow();
  for (const title of ["begins", "PE", "call", "takes", "partner", "tag", "bytes", "line"]) head.append(element("th", title));
  const body = table.createTBody();
  for (const call of found.slice(0, LISTED)) {
    const row = body.insertRow();
    const told = model.role[call] & (model.about.roles.SENDS | model.about.roles.RECEIVES);
    const cells = [
      duration(model.begin[call]), laneName(laneOfCall(model, call)).slice(3), nameOf(call),
      duration(model.end[call] - model.begin[call]), peText(model.peer[call]), told ? String(model.tag[call]) : "",
      model.bytes[call] ? bytesText(model.bytes[call]) : "", model.about.lines[model.site[call]] ?? "",
    ];
    cells.forEach((text, i) => row.append(element("td", text, { className: [0, 1, 3, 6].includes(i) ? "n" : "" })));
  }
  const note = element("p", `${count} calls in view${count > LISTED ? `; the first ${LISTED} are listed` : ""}`);
  details.querySelector(".scroll").replaceChildren(note, table);
}
