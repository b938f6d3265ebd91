// Asks for the newest numbers every second and shows them.
"use strict";
(() => {
  const at = (id) => document.getElementById(id);
  let seen = -1, quiet = Date.now();

  function put(parent, tag, text, name) {
    const node = parent.appendChild(document.createElement(tag));
    if (text !== undefined) node.textContent = text;
    if (name) node.className = name;
    return node;
  }

  function figure(chart) {
    const id = `figure-${chart.name}`;
    let holder = document.querySelector(`#${CSS.escape(id)} [data-chart]`);
    if (!holder) {
      const box = put(at("gallery"), "figure");
      box.id = id;
      const caption = put(box, "figcaption");
      put(caption, "h3", chart.title);
      put(caption, "span", chart.note);
      holder = put(box, "div");
      holder.dataset.chart = chart.name;
    }
    fewest.render(holder, chart);
  }

  function number(value, label, role) {
    const box = put(at("numbers"), "div");
    put(box, "strong", value, role);
    put(box, "span", label);
  }

  function show(data) {
    at("run").textContent = `${data.search} over ${data.measure}, seed ${data.seed}`;
    const last = data.latest;
    if (!last) return;
    const size = last.size_so_far === null ? "" : ` with ${last.size_so_far} ${data.words[1]}${last.size_so_far === 1 ? "" : "s"}`;
    at("headline").textContent = `Best so far: ${last.best_so_far.toFixed(4)}${size}`;
    at("numbers").replaceChildren();
    number(data.scored.toLocaleString("en"), `${data.words[0]} scored`, "chosen");
    number(data.batches.toLocaleString("en"), "batches", "all");
    number(last.best.toFixed(4), "best of the last batch", "selection");
    number(last.mean.toFixed(4), "mean of the last batch", "all");
    at("best").replaceChildren();
    (data.best_features || []).slice(0, 60).forEach((name) => put(at("best"), "li", name));
    data.charts.forEach(figure);
  }

  async function look() {
    try {
      const data = await (await fetch("data")).json();
      if (data.problem) {
        at("state").textContent = data.problem;
        setTimeout(look, 5000);
        return;
      }
      if (data.scored !== seen) {
        seen = data.scored;
        quiet = Date.now();
        show(data);
      }
      const still = Math.round((Date.now() - quiet) / 1000);
      const since = still < 10 ? "live" : `nothing new for ${still} s`;
      at("state").textContent = data.going_on === false ? "the search has ended" : since;
    } catch {
      at("state").textContent = "fewest watch has ended";
    }
    setTimeout(look, 1000);
  }
  look();
})();
