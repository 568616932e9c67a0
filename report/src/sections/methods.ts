// Which method predicts best, and with how many columns: the table, and the two next to each other.
import * as Plot from "@observablehq/plot";
import type { Comparison, Judged, Spread } from "../comparison.ts";
import { card, h } from "../dom.ts";
import { MISSING, number, plural } from "../format.ts";
import { besideDots, draw, nameMargin } from "../plots.ts";

export function rulePicker(comparison: Comparison): HTMLElement {
  const buttons = comparison.data.rules.map(({ name, label }, rule) => {
    const button = h("button", { type: "button", click: () => comparison.show(rule) }, `${name}: ${label}`);
    comparison.onChange(() => button.setAttribute("aria-pressed", String(comparison.rule === rule)));
    return button;
  });
  const note = "the rule by which every method is tuned, within each training set";
  return h(
    "nav",
    { class: "picker", "aria-label": "Rule" },
    ...buttons,
    h("span", { class: "shown-note" }, note),
  );
}

export function methodTable(comparison: Comparison): HTMLElement {
  const { data } = comparison;
  const truth = data.truth != null;
  const titles = ["method", "NRMSE", "to best", "columns", ...(truth ? ["Hamming"] : []), "seconds", "model"];
  const head = h(
    "tr",
    {},
    ...titles.map((title) => h("th", { scope: "col", class: title === "model" ? "description" : "" }, title)),
  );
  const body = h("tbody");
  comparison.onChange(() => {
    body.replaceChildren(...comparison.ranked().map((one) => row(one, truth)));
  });
  const folds = data.outer_done < data.outer ? `${data.outer_done} of ${data.outer}` : String(data.outer);
  const hint = `Mean ± standard deviation over ${folds} outer folds; tuned by ${data.inner} inner folds of each training set. NRMSE is 100 × root mean squared error on held-out rows / standard deviation of the target. To best: NRMSE minus that of the best method, fold by fold, ± its standard error.`;
  const legend =
    data.outer_done > 1
      ? "the best method, and those within two standard errors of it, which these folds can't distinguish"
      : "all methods, because one outer fold can't distinguish them";
  const off = truth ? " Hamming: columns that are in the model or in the truth, but not in both." : "";
  return card(
    "methods",
    "Which method?",
    hint + off,
    h("div", { class: "scroll" }, h("table", {}, h("thead", {}, head), body)),
    h("p", { class: "hint" }, h("strong", {}, "Bold"), `: ${legend}.`),
  );
}

function row(one: Judged, truth: boolean): HTMLElement {
  const { mean, se, distinct } = one.by.to_best;
  const cell = (spread: Spread | null, digits: number) =>
    h(
      "td",
      {},
      ...(spread ? [number(spread.mean, digits), h("small", {}, ` ± ${number(spread.sd, 2)}`)] : []),
    );
  return h(
    "tr",
    distinct ? {} : { class: "near" },
    h("th", { scope: "row" }, one.method.name),
    cell(one.nrmse, 4),
    h(
      "td",
      {},
      ...(mean === 0 && se === 0
        ? ["0"]
        : [`+${number(mean, 2)}`, h("small", {}, ` ± ${se ? number(se, 2) : MISSING}`)]),
    ),
    cell(one.size, 3),
    truth ? cell(one.hamming, 3) : null,
    h("td", {}, number(one.seconds.mean, 2)),
    h("td", { class: "description" }, one.method.description),
  );
}

// Error against size: down and to the left is better.
export function tradeOff(comparison: Comparison): HTMLElement {
  const holder = h("div", { class: "plot" });
  comparison.onChange(() => {
    const ranked = comparison.ranked();
    const low = (spread: Spread) => spread.mean - spread.sd;
    const high = (spread: Spread) => spread.mean + spread.sd;
    const x = (one: Judged) => one.size.mean;
    const y = (one: Judged) => one.nrmse.mean;
    const scatter = (labels: Plot.Markish[]) =>
      draw({
        ariaLabel: "Error against the number of columns",
        height: 340,
        marginRight: 80,
        x: { label: "columns", nice: true, zero: true },
        y: { label: "NRMSE", nice: true, grid: true },
        marks: [
          Plot.ruleX(ranked, {
            x: (one: Judged) => one.size.mean,
            y1: (one: Judged) => low(one.nrmse),
            y2: (one: Judged) => high(one.nrmse),
            stroke: "var(--faint)",
          }),
          Plot.ruleY(ranked, {
            y: (one: Judged) => one.nrmse.mean,
            x1: (one: Judged) => Math.max(0, low(one.size)),
            x2: (one: Judged) => high(one.size),
            stroke: "var(--faint)",
          }),
          ...labels,
          Plot.dot(ranked, {
            x,
            y,
            r: 5,
            fill: colour,
            ariaDescription: "methods",
          }),
          Plot.tip(ranked, Plot.pointer({ x, y, title: describe })),
        ],
      });
    // The first drawing tells where the dots are, and so where names don't hide them.
    const places = besideDots(scatter([]), ranked, x, y, (one) => one.method.name);
    holder.replaceChildren(
      scatter(
        places.map(({ datum, dx, dy }) =>
          Plot.text([datum], {
            x,
            y,
            dx,
            dy,
            text: (one: Judged) => one.method.name,
            textAnchor: "start",
            fill: "var(--ink)",
            stroke: "var(--card)",
            strokeWidth: 4,
            ariaDescription: "method names",
          }),
        ),
      ),
    );
  });
  return card(
    "trade-off",
    "Error against size",
    "Down and to the left is better; the lines are ± one standard deviation over the outer folds.",
    holder,
  );
}

// One dot per fold, so that a difference can be weighed against the folds'.
export function foldErrors(comparison: Comparison): HTMLElement {
  const holder = h("div", { class: "plot" });
  comparison.onChange(() => {
    const ranked = comparison.ranked();
    const points = ranked.flatMap((one) => one.by.nrmse.map((nrmse, fold) => ({ one, nrmse, fold })));
    type Point = (typeof points)[number];
    const name = (one: Judged) => one.method.name;
    holder.replaceChildren(
      draw({
        ariaLabel: "Error of every outer fold",
        height: 60 + 34 * ranked.length,
        marginLeft: nameMargin(ranked.map(name), 18),
        x: { label: "NRMSE", nice: true, grid: true },
        y: { type: "band", domain: ranked.map(name), label: null, tickSize: 0, padding: 0.2 },
        marks: [
          Plot.dot(points, {
            x: "nrmse",
            y: (point: Point) => name(point.one),
            r: 3,
            fill: (point: Point) => colour(point.one),
            fillOpacity: 0.5,
            ariaDescription: "folds",
          }),
          Plot.tickX(ranked, {
            x: (one: Judged) => one.nrmse.mean,
            y: name,
            stroke: "var(--ink)",
            strokeWidth: 2,
          }),
          Plot.tip(
            points,
            Plot.pointer({
              x: "nrmse",
              y: (point: Point) => name(point.one),
              title: (point: Point) =>
                `${name(point.one)}\nfold ${point.fold + 1}: NRMSE ${number(point.nrmse)}\n${plural(point.one.by.size[point.fold], "column")}`,
            }),
          ),
        ],
      }),
    );
  });
  return card(
    "folds",
    "Fold by fold",
    "One dot per outer fold; the line is their mean. The folds are the same for all methods.",
    holder,
  );
}

const colour = (one: Judged) => (one.method.name.startsWith("lass0") ? "var(--accent)" : "var(--positive)");

function describe(one: Judged): string {
  return [
    one.method.name,
    `NRMSE ${number(one.nrmse.mean)} ± ${number(one.nrmse.sd, 2)}`,
    `columns ${number(one.size.mean, 3)} ± ${number(one.size.sd, 2)}`,
  ].join("\n");
}
