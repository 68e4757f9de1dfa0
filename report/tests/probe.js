/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Asked of the page when its plots are drawn: what is wider than the window or cut off, what text cannot be read or lies
 * on other text, which plots show nothing. The answer goes into the page's own text, or to the page that frames it.
 */
(function () {
  "use strict";

  var PAPER = document.currentScript.dataset.paper === "yes";
  var READABLE = 4.5, LARGE = 3, VISIBLE = 2;      /* contrasts: of text, of large text, of a mark */

  function channel(v) { v /= 255; return v <= 0.03928 ? v / 12.92 : Math.pow((v + 0.055) / 1.055, 2.4); }
  function parse(text) { var m = text.match(/[\d.]+/g); return m ? m.map(Number) : [0, 0, 0, 0]; }
  function light(c) { return 0.2126 * channel(c[0]) + 0.7152 * channel(c[1]) + 0.0722 * channel(c[2]); }

  function behind(node) {
    for (; node && node.nodeType === 1; node = node.parentElement) {
      var c = parse(getComputedStyle(node).backgroundColor);
      if (c.length < 4 || c[3] > 0.5) { return c; }
    }
    return [255, 255, 255];
  }

  function against(node, colour) {
    var a = light(colour), b = light(behind(node.closest("svg") ? node.closest(".chart") : node));
    return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
  }

  function opacity(node) {
    for (var all = 1; node && node.nodeType === 1; node = node.parentElement) { all *= getComputedStyle(node).opacity; }
    return all;
  }

  function wanted(node) {
    var style = getComputedStyle(node), size = parseFloat(style.fontSize), bold = Number(style.fontWeight) >= 700;
    return size >= 24 || (bold && size >= 18.66) ? LARGE : READABLE;
  }

  function words(node) { return node.textContent.trim().slice(0, 40); }

  function cross(a, b) {
    return Math.min(a.right, b.right) - Math.max(a.left, b.left) > 2 && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 2;
  }

  /* Texts of which any two lie on each other. */
  function heaped(nodes, where, out) {
    var boxes = nodes.map(function (node) { return node.getBoundingClientRect(); });
    nodes.forEach(function (one, i) {
      for (var j = i + 1; j < nodes.length; j += 1) {
        if (!one.contains(nodes[j]) && !nodes[j].contains(one) && cross(boxes[i], boxes[j])) {
          out.push(where + ": " + words(one) + " / " + words(nodes[j]));
        }
      }
    });
  }

  function shown(node) {
    var box = node.getBoundingClientRect();
    return box.width > 0 && box.height > 0 && node.checkVisibility({ checkVisibilityCSS: true });      /* nor folded */
  }

  /* Marks of a plot that lie within its axes: points, lines, bars, cells of a heat map. */
  function marks(box) {
    var area = box.querySelector(".cartesianlayer .plot, .nsewdrag"), count = 0;
    var frame = (box.querySelector(".nsewdrag") || area || box).getBoundingClientRect();
    box.querySelectorAll(".scatterlayer .point, .scatterlayer .js-line, .barlayer .point path, .heatmaplayer image").forEach(function (m) {
      var at = m.getBoundingClientRect();
      if ((at.width > 0 || at.height > 0) && at.right >= frame.left && at.left <= frame.right && at.bottom >= frame.top &&
          at.top <= frame.bottom) { count += 1; }
    });
    return count;
  }

  function lookAtText(found) {
    document.querySelectorAll("body *").forEach(function (node) {
      var own = Array.prototype.some.call(node.childNodes, function (c) { return c.nodeType === 3 && c.data.trim(); });
      if (!own || /^(SCRIPT|STYLE)$/.test(node.tagName) || !shown(node) || node.closest(".heatmaplayer")) { return; }
      var svg = node.closest("svg"), style = getComputedStyle(node), box = node.getBoundingClientRect();
      if (svg && opacity(node) < 0.6) { return; }          /* a curve that the legend offers */
      found.texts += 1;
      var contrast = against(node, parse(svg ? style.fill : style.color)) * (opacity(node) < 0.3 ? 0 : 1);
      if (contrast < wanted(node)) { found.faint.push(node.tagName + " " + words(node) + " " + contrast.toFixed(2)); }
      if (!svg && (PAPER || !node.closest(".scroll")) && (box.right > innerWidth + 1 || box.left < -1)) {
        found.wide.push(node.tagName + " " + words(node));
      }
      if (!svg && style.overflowX === "hidden" && node.scrollWidth > node.clientWidth + 1) {
        found.cut.push(node.tagName + " " + words(node));
      }
    });
  }

  function lookAtChart(box, found) {
    var b = box.getBoundingClientRect(), name = box.dataset.spec, texts = [];
    var drawn = marks(box);
    found.charts += 1;
    if (!drawn) { found.empty.push(name); }
    found.marks += drawn;
    box.querySelectorAll("svg text").forEach(function (t) {
      var a = t.getBoundingClientRect();
      if (!a.width || opacity(t) === 0) { return; }
      if (a.right > b.right + 2 || a.left < b.left - 2 || a.bottom > b.bottom + 2 || a.top < b.top - 2) {
        found.cut.push(name + ": " + words(t));
      }
      if (!t.closest(".heatmaplayer, .hoverlayer")) { texts.push(t); }
    });
    heaped(texts, name, found.heaped);
    box.querySelectorAll(".scatterlayer .point, .barlayer .point path").forEach(function (mark) {
      var contrast = against(mark, parse(getComputedStyle(mark).fill));
      if (contrast < VISIBLE) { found.faint.push(name + ": a mark " + contrast.toFixed(2)); }
    });
  }

  /* Headings, cards and notes lie below and beside each other; on paper a table must not be wider than its sheet. */
  function lookAtBlocks(found) {
    var blocks = Array.prototype.filter.call(document.querySelectorAll("h1, h2, h3, .card, .chart, .note, .scroll, .warning, nav, button"), shown);
    heaped(blocks, "page", found.heaped);
    document.querySelectorAll(".card").forEach(function (card) {
      if (card.scrollWidth > card.clientWidth + 1) { found.cut.push("card " + words(card)); }
    });
    if (PAPER) {
      document.querySelectorAll(".scroll").forEach(function (box) {
        var table = box.querySelector("table"), at = table.getBoundingClientRect();
        if (shown(table) && (at.right > innerWidth + 1 || at.right > box.getBoundingClientRect().right + 2)) {
          found.cut.push("table " + words(box.closest("details, section") || box));
        }
      });
    }
  }

  function look() {
    var found = { width: document.documentElement.scrollWidth, window: innerWidth, texts: 0, charts: 0, marks: 0, faint: [],
      wide: [], cut: [], heaped: [], empty: [], paper: getComputedStyle(document.body).backgroundColor,
      open: document.querySelectorAll("details[open]").length,
      raw: document.querySelectorAll("#all-figures details[open]").length };
    lookAtText(found);
    document.querySelectorAll(".chart").forEach(function (box) { lookAtChart(box, found); });
    lookAtBlocks(found);
    found.nav = getComputedStyle(document.querySelector("nav")).position;
    found.hints = Array.prototype.filter.call(document.querySelectorAll(".scroll"), function (box) {
      return shown(box) && box.scrollWidth > box.clientWidth + 1;
    }).map(function (box) { return getComputedStyle(box, "::before").content; });
    found.plots = Array.prototype.map.call(document.querySelectorAll(".chart"), function (box) {
      var svg = box.querySelector("svg.main-svg");
      return [box.dataset.spec, box.closest(".pair").children.length === 1, svg ? svg.getBoundingClientRect().width : 0];
    });
    tell(JSON.stringify(found));
  }

  function tell(text) {
    if (parent !== window) { parent.postMessage(text, "*"); return; }
    var out = document.createElement("pre");
    out.id = "looked";
    out.textContent = text;
    document.body.appendChild(out);
  }

  /* A sheet of paper as a window: what counts on paper counts here, too. */
  function onPaper() {
    Array.prototype.forEach.call(document.styleSheets, function (sheet) {
      Array.prototype.forEach.call(sheet.cssRules, function (rule) {
        if (rule.media && rule.media.mediaText === "print") { rule.media.mediaText = "all"; }
      });
    });
    dispatchEvent(new Event("beforeprint"));
  }

  /* The plots' library is unpacked first, and they are drawn one after the other. */
  function drawn(then) {
    if (document.documentElement.dataset.drawn) { then(); return; }
    setTimeout(function () { drawn(then); }, 50);
  }

  addEventListener("load", function () {
    drawn(function () { setTimeout(function () {
      if (PAPER) { onPaper(); }
      setTimeout(look, PAPER ? 1500 : 0);
    }, 500); });
  });
})();
