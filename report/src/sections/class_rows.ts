// The rows of a target of two classes: predicted probabilities and deviance residuals.
import * as Plot from "@observablehq/plot";
import { card, h } from "../dom.ts";
import { count, number, shorten } from "../format.ts";
import type { ClassOfTarget } from "../payload.ts";
import { draw } from "../plots.ts";
import type { Report } from "../report.ts";
import { histogram, LOOK, whichRows } from "./rows.ts";

interface Row {
  number: number;
  observed: number; // 0 or 1
  probability: number; // of the second class
  link: number; // its log-odds
  residual: number;
}

const COLOURS = ["var(--negative)", "var(--positive)"];

export function classRows(report: Report, classes: ClassOfTarget[]): HTMLElement {
  const holders = [h("div", { class: "plot" }), h("div", { class: "plot" }), h("div", { class: "plot" })];
  report.onChange(() => {
    const points = pointsOf(report);
    holders[0].replaceChildren(probabilities(points));
    holders[1].replaceChildren(residuals(points, classes));
    holders[2].replaceChildren(histogram(points, "deviance residual"));
  });
  const key = classes.map(({ name }, i) => {
    const mark = h("span", { class: "mark" });
    mark.style.background = mark.style.borderColor = COLOURS[i];
    return h("span", {}, mark, h("bdi", { class: "name", title: name }, shorten(name, 30)));
  });
  return card(
    "rows",
    "Row by row",
    `${whichRows(report)}; the model is fitted on all rows. In a good fit, the classes have different probabilities. A large deviance residual (below −2 or above 2) is a row whose class was improbable.`,
    h("div", { class: "thirds" }, ...holders),
    h("p", { class: "legend" }, ...key),
  );
}

// A deviance residual d is ±sqrt(−2 log P(observed class)), so it says the probability too.
function pointsOf(report: Report): Row[] {
  const { number: numbers, observed } = report.data.rows;
  return report.model.residuals.flatMap((residual, i) => {
    if (residual == null) return [];
    const right = Math.exp((-residual * residual) / 2);
    const wrong = -Math.expm1((-residual * residual) / 2);
    const second = observed[i] > 0;
    const link = (second ? 1 : -1) * Math.log(right / wrong);
    if (!Number.isFinite(link)) return [];
    return [
      { number: numbers[i], observed: observed[i], probability: second ? right : wrong, link, residual },
    ];
  });
}

function probabilities(points: Row[]): SVGSVGElement {
  return draw({
    ...LOOK,
    ariaLabel: "Histogram of the predicted probabilities by observed class",
    x: { label: "predicted probability", domain: [0, 1], ticks: 5 },
    y: {
      label: "rows",
      grid: true,
      interval: 1,
      tickFormat: (v: number) => (Number.isInteger(v) ? String(v) : ""),
    },
    marks: [
      Plot.rectY(
        points,
        Plot.binX<Plot.RectYOptions>({ y: "count" }, {
          x: { value: "probability", domain: [0, 1], thresholds: 20 },
          fill: (row: Row) => COLOURS[row.observed],
          fillOpacity: 0.75,
          inset: 0.5,
          ariaDescription: "probabilities",
        } as object),
      ),
      Plot.ruleY([0], { stroke: "var(--muted)" }),
    ],
  });
}

function residuals(points: Row[], classes: ClassOfTarget[]): SVGSVGElement {
  const many = points.length > 500;
  return draw({
    ...LOOK,
    ariaLabel: "Deviance residuals against the linear predictor",
    x: { label: "linear predictor (log-odds)", nice: true, ticks: 5 },
    y: { label: "deviance residual", nice: true, grid: true },
    marks: [
      Plot.ruleY([0], { stroke: "var(--muted)", strokeDasharray: "4 3" }),
      Plot.dot(points, {
        x: "link",
        y: "residual",
        r: many ? 1.6 : 2.6,
        fill: (row: Row) => COLOURS[row.observed],
        fillOpacity: many ? 0.4 : 0.6,
        ariaDescription: "residuals",
      }),
      Plot.tip(
        points,
        Plot.pointer({
          x: "link",
          y: "residual",
          title: (row: Row) =>
            [
              `row ${count(row.number)}`,
              `observed ${shorten(classes[row.observed].name, 30)}`,
              `probability of ${shorten(classes[1].name, 30)} ${number(row.probability, 3)}`,
              `deviance residual ${number(row.residual)}`,
            ].join("\n"),
        }),
      ),
    ],
  });
}
