// The page: theme, figures, and the table of subsets that sorts and filters.
"use strict";
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);

  const root = document.documentElement, button = document.getElementById("theme");
  const dark = () => root.dataset.theme
    ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  button.hidden = false;
  button.addEventListener("click", () => { root.dataset.theme = dark() ? "light" : "dark"; });

  data.charts.forEach((chart) => {
    fewest.attach(document.querySelector(`[data-chart="${CSS.escape(chart.name)}"]`), chart);
  });

  if (data.subsets) table(data.subsets);

  function table(subsets) {
    const STEP = 20;
    const names = subsets.names, keys = Object.keys(subsets.columns);
    const lower = names.map((name) => name.toLowerCase());
    const chosen = subsets.chosen.join(",");
    const body = document.querySelector("#subsets tbody");
    const more = document.getElementById("more"), count = document.getElementById("count");
    const words = document.getElementById("filter"), most = document.getElementById("most");
    let key = keys[0], down = true, shown = STEP;

    function wanted(i, asked, limit) {
      const features = subsets.features[i];
      if (subsets.columns.size[i] > limit) return false;
      return asked.every((word) => {
        const without = word.startsWith("-"), part = without ? word.slice(1) : word;
        return !part || features.some((j) => lower[j].includes(part)) !== without;
      });
    }

    function order(rows) {
      const column = subsets.columns[key], size = subsets.columns.size;
      const missing = down ? -Infinity : Infinity;
      return rows.sort((a, b) => {
        const [x, y] = [column[a] ?? missing, column[b] ?? missing];
        return (down ? y - x : x - y) || size[a] - size[b] || a - b;
      });
    }

    function row(i) {
      const line = document.createElement("tr");
      if (subsets.features[i].join(",") === chosen) line.className = "chosen";
      for (const name of keys) {
        const cell = line.insertCell(), value = subsets.columns[name][i];
        cell.textContent = value === null ? "" : Number.isInteger(value) ? value : value.toFixed(4);
        cell.className = "number";
      }
      const cell = line.insertCell();
      cell.textContent = subsets.features[i].map((j) => names[j]).join(", ") || "(none)";
      return line;
    }

    function show() {
      const asked = words.value.toLowerCase().split(",").map((w) => w.trim()).filter(Boolean);
      const limit = most.value === "" ? Infinity : Number(most.value);
      const rows = order(subsets.features.map((_, i) => i).filter((i) => wanted(i, asked, limit)));
      body.replaceChildren(...rows.slice(0, shown).map(row));
      const all = subsets.features.length;
      count.textContent = `${rows.length.toLocaleString("en")} of ${all.toLocaleString("en")} subsets`;
      more.hidden = rows.length <= shown;
      for (const head of document.querySelectorAll("#subsets th[data-key]")) {
        const sorted = head.dataset.key === key;
        head.setAttribute("aria-sort", sorted ? (down ? "descending" : "ascending") : "none");
      }
    }

    for (const head of document.querySelectorAll("#subsets th[data-key] button")) {
      head.addEventListener("click", () => {
        const asked = head.parentElement.dataset.key;
        down = asked === key ? !down : asked === "value";
        key = asked;
        shown = STEP;
        show();
      });
    }
    for (const field of [words, most]) {
      field.addEventListener("input", () => { shown = STEP; show(); });
    }
    more.addEventListener("click", () => { shown += 10 * STEP; show(); });
    show();
  }
})();
