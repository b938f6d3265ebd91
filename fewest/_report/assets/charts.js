// Draws charts (plain marks on two axes, see chart.py) as SVG. Words only ever become text nodes.
"use strict";
const fewest = (() => {
  const SVG = "http://www.w3.org/2000/svg";
  const FONT = "12px system-ui, sans-serif";
  const ruler = document.createElement("canvas").getContext("2d");

  function el(tag, attributes, parent, text) {
    const node = document.createElementNS(SVG, tag);
    for (const [key, value] of Object.entries(attributes || {})) node.setAttribute(key, value);
    if (text !== undefined) node.textContent = text;
    if (parent) parent.appendChild(node);
    return node;
  }

  function widthOf(text) {
    ruler.font = FONT;
    return ruler.measureText(text).width;
  }

  function shorten(text, room) {
    if (widthOf(text) <= room) return text;
    let kept = text;
    while (kept.length > 1 && widthOf(kept + "…") > room) kept = kept.slice(0, -1);
    return kept + "…";
  }

  function number(value) {
    if (!Number.isFinite(value)) return "";
    return String(+value.toPrecision(4));
  }

  function ticks(low, high, count, whole) {
    const rough = (high - low) / Math.max(count, 1);
    const power = 10 ** Math.floor(Math.log10(rough || 1));
    let step = [1, 2, 2.5, 5, 10].map((m) => m * power).find((s) => s >= rough) || power;
    if (whole) step = Math.max(1, Math.round(step));
    const found = [];
    for (let t = Math.ceil(low / step - 1e-9) * step; t <= high + step * 1e-9; t += step) {
      found.push(+t.toPrecision(12));
    }
    return found;
  }

  // Ticks as words, all with as many decimals as the longest needs.
  function labels(found) {
    const texts = found.map(number);
    if (texts.some((t) => t.includes("e"))) return texts;
    const decimals = Math.max(0, ...texts.map((t) => (t.split(".")[1] || "").length));
    return found.map((t) => t.toFixed(decimals));
  }

  function extent(values, axis) {
    const known = values.filter((v) => Number.isFinite(v));
    let low = Math.min(...known), high = Math.max(...known);
    if (!known.length) [low, high] = [0, 1];
    if (low === high) [low, high] = [low - (axis.whole ? 1 : Math.abs(low) * 0.05 || 0.5),
                                     high + (axis.whole ? 1 : Math.abs(high) * 0.05 || 0.5)];
    const pad = (high - low) * 0.05;
    return [axis.low ?? low - pad, axis.high ?? high + pad];
  }

  function domains(chart) {
    const heat = chart.marks.find((m) => m.kind === "heat");
    const xs = chart.marks.flatMap((m) => [...m.x, ...(m.kind === "spans" ? m.high : [])]);
    const ys = chart.marks.flatMap((m) => [...m.y, ...(m.kind === "band" ? m.high : [])]);
    const rows = chart.y.categories;
    return {
      x: heat ? [-0.5, heat.x.length - 0.5] : extent(xs, chart.x),
      // Row 0 is at the top.
      y: rows ? [rows.length - 0.5, -0.5] : extent(ys, chart.y),
      heat,
    };
  }

  // Where each entry of the legend stands; on narrow screens in several rows.
  function entries(chart, width) {
    let x = 8, y = 12;
    return chart.marks.filter((m) => m.label).map((mark) => {
      const wide = widthOf(mark.label) + 40;
      if (x > 8 && x + wide - 14 > width) { x = 8; y += 18; }
      const entry = { mark, x, y };
      x += wide;
      return entry;
    });
  }

  function frame(chart, width) {
    const rows = chart.y.categories;
    const legend = Math.max(4, ...entries(chart, width).map((entry) => entry.y + 12));
    const longest = rows ? Math.max(...rows.map(widthOf), 10)
      : Math.max(...labels(ticks(...domains(chart).y, 5, chart.y.whole)).map(widthOf));
    const layers = chart.marks.find((m) => m.kind === "nodes");
    const left = chart.y.hidden ? 8
      : rows ? Math.min(longest + 14, width * 0.42) : longest + 14 + (chart.y.title ? 20 : 0);
    const top = legend + 8, bottom = chart.x.hidden ? 8 : chart.x.title ? 42 : 24, right = 14;
    const inner = rows ? rows.length * (rows.length > 12 ? 17 : rows.length > 6 ? 22 : 34)
      : layers ? 78 * (Math.max(...layers.y) + 1)
      : Math.max(200, Math.min(300, width * 0.5));
    return { left, right, top, bottom, width, height: top + inner + bottom, inner };
  }

  // Boxes with words beside each other need room: a wide network scrolls.
  function least(chart) {
    const boxes = chart.marks.some((m) => m.kind === "nodes");
    return boxes ? Math.ceil((chart.x.high - chart.x.low) * 136) : 0;
  }

  function scales(chart, f) {
    const d = domains(chart);
    const across = f.width - f.left - f.right;
    return {
      x: (v) => f.left + ((v - d.x[0]) / (d.x[1] - d.x[0])) * across,
      y: (v) => f.top + f.inner - ((v - d.y[0]) / (d.y[1] - d.y[0])) * f.inner,
      domain: d, across,
    };
  }

  function axes(svg, chart, f, s) {
    const d = s.domain, bottom = f.top + f.inner;
    const g = el("g", { class: "axes" }, svg);
    if (!chart.x.hidden) {
      const count = Math.max(3, Math.floor(s.across / 70));
      const found = ticks(d.x[0], d.x[1], count, chart.x.whole || d.heat), texts = labels(found);
      found.forEach((t, i) => {
        if (d.heat && !(t in d.heat.x)) return;
        const from = d.heat ? bottom : f.top;
        el("line", { x1: s.x(t), x2: s.x(t), y1: from, y2: bottom + 4, class: "grid" }, g);
        const word = d.heat ? String(d.heat.x[t]) : texts[i];
        el("text", { x: s.x(t), y: bottom + 16, "text-anchor": "middle" }, g, word);
      });
      el("text", { x: f.left + s.across / 2, y: bottom + 36, "text-anchor": "middle",
                   class: "title" }, g, chart.x.title);
    }
    if (chart.y.categories) {
      chart.y.categories.forEach((name, i) => {
        const word = el("text", { x: f.left - 8, y: s.y(i) + 4, "text-anchor": "end" }, g,
                        shorten(name, f.left - 12));
        el("title", {}, word, name);
      });
    } else if (!chart.y.hidden) {
      const found = ticks(d.y[0], d.y[1], 5, chart.y.whole), texts = labels(found);
      found.forEach((t, i) => {
        el("line", { x1: f.left, x2: f.left + s.across, y1: s.y(t), y2: s.y(t), class: "grid" }, g);
        el("text", { x: f.left - 8, y: s.y(t) + 4, "text-anchor": "end" }, g, texts[i]);
      });
      const middle = f.top + f.inner / 2;
      el("text", { x: 12, y: middle, "text-anchor": "middle", class: "title",
                   transform: `rotate(-90 12 ${middle})` }, g, chart.y.title);
    }
  }

  function path(m, s, ys) {
    let d = "", before = null;
    m.x.forEach((x, i) => {
      const y = (ys || m.y)[i];
      if (!Number.isFinite(y)) { before = null; return; }
      const [px, py] = [s.x(x), s.y(y)];
      if (before === null) d += `M${px} ${py}`;
      else d += m.step ? `H${px}V${py}` : `L${px} ${py}`;
      before = py;
    });
    return d;
  }

  const draw = {
    line: (g, m, s) => el("path", { d: path(m, s), class: `line ${m.role}` +
                                    (m.dashed ? " dashed" : "") }, g),
    band: (g, m, s) => {
      const back = m.x.map((x, i) => `L${s.x(x)} ${s.y(m.y[i])}`).reverse().join("");
      el("path", { d: path(m, s, m.high) + back + "Z", class: `band ${m.role}` }, g);
    },
    points: (g, m, s, chart, f) => m.x.forEach((x, i) => {
      const at = { class: `${m.marker} ${m.role}`, "data-tip": m.tips ? m.tips[i] : number(m.y[i]) };
      if (m.marker === "star") el("path", { d: star(s.x(x), s.y(m.y[i]), m.size), ...at }, g);
      else el("circle", { cx: s.x(x), cy: s.y(m.y[i]), r: m.size, ...at }, g);
      if (!m.words) return;
      // On the side where there is more room.
      const right = s.x(x) < f.left + s.across / 2, off = m.size + 5;
      const room = right ? f.width - s.x(x) - off : s.x(x) - off;
      el("text", { x: s.x(x) + (right ? off : -off), y: s.y(m.y[i]) + 4,
                   "text-anchor": right ? "start" : "end" }, g, shorten(m.words[i], room));
    }),
    bars: (g, m, s) => m.x.forEach((x, i) => {
      const thick = Math.min(22, Math.abs(s.y(1) - s.y(0)) * 0.7);
      const from = s.x(Math.max(0, s.domain.x[0]));
      el("rect", { x: from, y: s.y(m.y[i]) - thick / 2, width: Math.max(0, s.x(x) - from),
                   height: thick, rx: 2, class: `bar ${m.roles ? m.roles[i] : m.role}`,
                   "data-tip": m.tips ? m.tips[i] : number(x) }, g);
    }),
    spans: (g, m, s) => m.x.forEach((x, i) => el("line", {
      x1: s.x(x), x2: s.x(m.high[i]), y1: s.y(m.y[i]), y2: s.y(m.y[i]), class: `span ${m.role}`,
      "data-tip": m.tips ? m.tips[i] : "" }, g)),
    heat: (g, m, s, chart) => m.values.forEach((row, i) => row.forEach((v, j) => el("rect", {
      x: s.x(j - 0.5), y: Math.min(s.y(i - 0.5), s.y(i + 0.5)),
      width: s.x(1) - s.x(0), height: Math.abs(s.y(1) - s.y(0)) - 1,
      class: "cell", "shape-rendering": "crispEdges", "fill-opacity": v,
      "data-tip": `${chart.y.categories[i]}: ${Math.round(100 * v)} % in ${chart.x.title} ${m.x[j]}`,
    }, g))),
    rule: (g, m, s, chart, f) => {
      for (const y of m.y) el("line", { x1: f.left, x2: f.left + s.across, y1: s.y(y), y2: s.y(y),
        class: `rule ${m.role}`, "data-tip": `${m.label || ""} ${number(y)}` }, g);
      for (const x of m.x) el("line", { x1: s.x(x), x2: s.x(x), y1: f.top, y2: f.top + f.inner,
        class: `rule ${m.role}`, "data-tip": `${m.label || ""} ${number(x)}` }, g);
    },
    nodes: (g, m, s) => m.x.forEach((x, i) => {
      const word = shorten(m.words[i], 110), w = widthOf(word) + 16;
      const role = m.roles ? m.roles[i] : m.role;
      const node = el("g", { "data-tip": m.tips ? m.tips[i] : m.words[i] }, g);
      el("rect", { x: s.x(x) - w / 2, y: s.y(m.y[i]) - 13, width: w, height: 26, rx: 7,
                   class: `node ${role}` }, node);
      el("text", { x: s.x(x), y: s.y(m.y[i]) + 4, "text-anchor": "middle" }, node, word);
    }),
    arrows: (g, m, s, chart) => m.x.forEach((x, i) => {
      const [x1, y1, x2, y2] = [s.x(x), s.y(m.y[i]), s.x(m.to_x[i]), s.y(m.to_y[i])];
      // The head touches the border of the box around the word.
      const nodes = chart.marks.find((mark) => mark.kind === "nodes");
      const at = nodes.x.findIndex((v, k) => v === m.to_x[i] && nodes.y[k] === m.to_y[i]);
      const half = widthOf(shorten(nodes.words[at], 110)) / 2 + 10;
      const cut = Math.min(half / (Math.abs(x2 - x1) || 1e-9), 15 / (Math.abs(y2 - y1) || 1e-9), 1);
      const [ex, ey] = [x2 - (x2 - x1) * cut, y2 - (y2 - y1) * cut];
      const bend = Math.abs(y2 - y1) < 1 ? -30 : 0;
      el("path", { d: `M${x1} ${y1}Q${(x1 + ex) / 2} ${(y1 + ey) / 2 + bend} ${ex} ${ey}`,
                   class: "arrow", "marker-end": "url(#head)" }, g);
    }),
  };

  function star(x, y, r) {
    let d = "";
    for (let k = 0; k < 10; k++) {
      const a = (Math.PI * k) / 5 - Math.PI / 2, q = k % 2 ? r * 0.45 : r;
      d += `${k ? "L" : "M"}${x + q * Math.cos(a)} ${y + q * Math.sin(a)}`;
    }
    return d + "Z";
  }

  function legend(svg, chart, f) {
    for (const { mark: m, x, y } of entries(chart, f.width)) {
      const g = el("g", { class: "legend" }, svg);
      if (m.kind === "points" && m.marker === "star") {
        el("path", { d: star(x + 9, y, 7), class: `star ${m.role}` }, g);
      } else if (m.kind === "points") {
        el("circle", { cx: x + 9, cy: y, r: 4, class: `${m.marker} ${m.role}` }, g);
      } else if (m.kind === "band") {
        el("rect", { x, y: y - 6, width: 18, height: 12, class: `band ${m.role}` }, g);
      } else {
        const kind = m.kind === "rule" ? "rule" : "line" + (m.dashed ? " dashed" : "");
        el("line", { x1: x, x2: x + 18, y1: y, y2: y, class: `${kind} ${m.role}` }, g);
      }
      el("text", { x: x + 24, y: y + 4 }, g, m.label);
    }
  }

  // One word for all lines at the generation nearest to the pointer.
  function crosshair(svg, chart, f, s, tip) {
    const lines = chart.marks.filter((m) => m.kind === "line" && m.label);
    if (!lines.length || chart.marks.some((m) => m.kind === "points")) return;
    const hair = el("line", { y1: f.top, y2: f.top + f.inner, class: "hair" }, svg);
    svg.addEventListener("pointermove", (event) => {
      const box = svg.getBoundingClientRect();
      const px = ((event.clientX - box.left) / box.width) * f.width;
      const xs = lines[0].x;
      let at = 0;
      xs.forEach((x, i) => { if (Math.abs(s.x(x) - px) < Math.abs(s.x(xs[at]) - px)) at = i; });
      for (const [key, value] of [["x1", s.x(xs[at])], ["x2", s.x(xs[at])]]) {
        hair.setAttribute(key, value);
      }
      svg.classList.add("hovered");
      const told = lines.map((m) => `${m.label}: ${number(m.y[at])}`);
      const spoken = lines.find((m) => m.tips);
      tip.show([`${chart.x.title} ${xs[at]}`, ...told, ...(spoken ? [spoken.tips[at]] : [])]
        .join("\n"), event);
    });
    svg.addEventListener("pointerleave", () => { svg.classList.remove("hovered"); tip.hide(); });
  }

  function tooltip() {
    const box = document.createElement("div");
    box.id = "tip";
    box.setAttribute("role", "tooltip");
    document.body.appendChild(box);
    const show = (text, event) => {
      box.textContent = text;
      box.style.display = "block";
      const x = Math.min(event.clientX + 14, innerWidth - box.offsetWidth - 8);
      const y = event.clientY + 18 + box.offsetHeight > innerHeight
        ? event.clientY - box.offsetHeight - 12 : event.clientY + 18;
      box.style.left = `${Math.max(8, x)}px`;
      box.style.top = `${y}px`;
    };
    const hide = () => { box.style.display = "none"; };
    document.addEventListener("pointermove", (event) => {
      const told = event.target.closest && event.target.closest("[data-tip]");
      if (told && told.dataset.tip) show(told.dataset.tip, event);
      else if (!(event.target.closest && event.target.closest("svg.crossed"))) hide();
    });
    return { show, hide };
  }

  let tip = null;

  function render(holder, chart) {
    tip = tip || tooltip();
    const room = Math.max(280, holder.clientWidth || 640), wide = Math.max(room, least(chart));
    const f = frame(chart, wide), s = scales(chart, f);
    const svg = el("svg", { viewBox: `0 0 ${f.width} ${f.height}`, role: "img",
                            "aria-label": `${chart.title}. ${chart.note}` });
    if (wide > room) svg.style.width = `${wide}px`;
    const head = el("marker", { id: "head", viewBox: "0 0 8 8", refX: 7, refY: 4, markerWidth: 7,
                                markerHeight: 7, orient: "auto-start-reverse" }, el("defs", {}, svg));
    el("path", { d: "M0 0L8 4L0 8Z", class: "head" }, head);
    axes(svg, chart, f, s);
    legend(svg, chart, f);
    const g = el("g", {}, svg);
    for (const mark of chart.marks) draw[mark.kind](g, mark, s, chart, f);
    if (chart.marks.some((m) => m.kind === "line") && !chart.marks.some((m) => m.kind === "points")) {
      svg.classList.add("crossed");
    }
    crosshair(svg, chart, f, s, tip);
    holder.replaceChildren(svg);
  }

  // Draws into the holder now and whenever its width changes.
  function attach(holder, chart) {
    let drawn = 0;
    render(holder, chart);
    new ResizeObserver(() => {
      if (Math.abs(holder.clientWidth - drawn) < 2) return;
      drawn = holder.clientWidth;
      render(holder, chart);
    }).observe(holder);
  }

  return { attach, render, number };
})();
