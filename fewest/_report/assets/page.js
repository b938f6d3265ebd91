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

  if (data.copied) {
    document.querySelector(".chips").after(copier("Copy features = [...]", () => data.copied));
  }
  document.querySelectorAll(".sortable").forEach(sortable);
  if (data.subsets) table(data.subsets);

  // A button that copies a text; without a clipboard, as in old browsers, through a selection.
  function copier(words, text) {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "copy";
    button.textContent = words;
    button.addEventListener("click", async () => {
      try {
        await navigator.clipboard.writeText(text());
      } catch {
        const area = document.createElement("textarea");
        area.value = text();
        document.body.append(area);
        area.select();
        document.execCommand("copy");
        area.remove();
      }
      button.textContent = "Copied";
      setTimeout(() => { button.textContent = words; }, 1500);
    });
    return button;
  }

  function sortable(section) {
    const heads = [...section.querySelectorAll("thead th")], body = section.querySelector("tbody");
    const cells = (row) => [...row.cells].map((cell) => cell.textContent);
    const number = (cell) => cell === "" ? NaN : Number(cell.replace("\u2212", "-").replace(/[,+]| (%|points)$/g, ""));
    heads.forEach((head, at) => {
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = head.textContent;
      head.replaceChildren(button);
      button.addEventListener("click", () => {
        const rows = [...body.rows].map((row) => [row, row.cells[at].textContent]);
        const words = rows.some(([, cell]) => cell !== "" && Number.isNaN(number(cell)));
        // Numbers start with the largest and words with the first, ranks with the best.
        const up = !words && head.textContent !== "rank" && head.textContent !== "p";
        const before = head.getAttribute("aria-sort");
        const down = before ? before !== "descending" : up;
        rows.sort(([, a], [, b]) => {
          if (a === "" || b === "") return (a === "") - (b === "");  // Empty cells come last.
          const order = words ? a.localeCompare(b) : number(a) - number(b);
          return down ? -order : order;
        });
        heads.forEach((other) => other.removeAttribute("aria-sort"));
        head.setAttribute("aria-sort", down ? "descending" : "ascending");
        body.replaceChildren(...rows.map(([row]) => row));
      });
    });
    const rows = () => [heads.map((head) => head.textContent), ...[...body.rows].map(cells)];
    section.querySelector("h2").after(copier("Copy table", () => rows().map((row) => row.join("\t")).join("\n")));
  }

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
