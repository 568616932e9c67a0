// The rows: observed against predicted, and residuals.
import * as Plot from "@observablehq/plot";
import { card, h } from "../dom.ts";
import { count, number, percent, plural } from "../format.ts";
import { draw } from "../plots.ts";
import type { Report } from "../report.ts";

interface Row {
  number: number;
  observed: number;
  predicted: number;
  residual: number;
  lower?: number; // of the prediction interval
  upper?: number;
}

export function rows(report: Report): HTMLElement {
  if (report.data.rows.number.length === 0)
    return card(
      "rows",
      "Row by row",
      "Residuals need the rows of the data, but a file of moments has their sums only.",
    );
  const holders = [h("div", { class: "plot" }), h("div", { class: "plot" }), h("div", { class: "plot" })];
  report.onChange(() => {
    const points = pointsOf(report);
    holders[0].replaceChildren(observedPlot(points, report.data.target));
    holders[1].replaceChildren(residualPlot(points));
    holders[2].replaceChildren(histogram(points, "residual"));
  });
  const { intervals } = report.data.rows;
  const lines = intervals
    ? ` Vertical lines are prediction intervals of the chosen model, as for new rows with these values: ${percent(intervals.coverage)} nominal, half of them wider than ${number(intervals.width, 3)}.`
    : "";
  return card(
    "rows",
    "Row by row",
    `${whichRows(report)}; the model is fitted on all rows. In a good fit, points are close to the line and residuals have no pattern.${lines}`,
    h("div", { class: "thirds" }, ...holders),
  );
}

export function whichRows(report: Report): string {
  const { rows: shown } = report.data;
  return shown.number.length === shown.total
    ? `All ${plural(shown.total, "row")}`
    : `${count(shown.number.length)} of ${count(shown.total)} rows: a random choice and the ${shown.farthest} with the largest residuals`;
}

function pointsOf(report: Report): Row[] {
  const { number: numbers, observed, intervals } = report.data.rows;
  const ends = report.isFirst ? intervals : undefined;
  return report.model.residuals.flatMap((residual, i) =>
    residual == null
      ? []
      : [
          {
            number: numbers[i],
            observed: observed[i],
            predicted: observed[i] - residual,
            residual,
            lower: ends?.lower[i] ?? undefined,
            upper: ends?.upper[i] ?? undefined,
          },
        ],
  );
}

export const LOOK = { width: 350, height: 300, marginLeft: 50 };
const dots = (points: Row[]) => ({
  r: points.length > 500 ? 1.6 : 2.6,
  fill: "var(--positive)",
  fillOpacity: points.length > 500 ? 0.4 : 0.6,
});
const tip = (row: Row) =>
  [
    `row ${count(row.number)}`,
    `observed ${number(row.observed)}`,
    `predicted ${number(row.predicted)}`,
    `residual ${number(row.residual)}`,
    ...(row.lower == null ? [] : [`interval ${number(row.lower)} to ${number(row.upper)}`]),
  ].join("\n");

function observedPlot(points: Row[], target: string): SVGSVGElement {
  const values = points.flatMap((row) => [row.observed, row.predicted]);
  const ends = points.length ? [Math.min(...values), Math.max(...values)] : [];
  return draw({
    ...LOOK,
    ariaLabel: `Observed against predicted ${target}`,
    x: { label: "predicted", nice: true, ticks: 5 },
    y: { label: "observed", nice: true, grid: true },
    marks: [
      Plot.ruleX(
        points.filter((row) => row.lower != null && row.upper != null),
        {
          x: "predicted",
          y1: "lower",
          y2: "upper",
          stroke: "var(--positive)",
          strokeOpacity: points.length > 500 ? 0.05 : 0.15,
          ariaDescription: "prediction intervals",
        },
      ),
      Plot.line(ends, {
        x: (v: number) => v,
        y: (v: number) => v,
        stroke: "var(--muted)",
        strokeDasharray: "4 3",
      }),
      Plot.dot(points, { x: "predicted", y: "observed", ...dots(points), ariaDescription: "rows" }),
      Plot.tip(points, Plot.pointer({ x: "predicted", y: "observed", title: tip })),
    ],
  });
}

function residualPlot(points: Row[]): SVGSVGElement {
  return draw({
    ...LOOK,
    ariaLabel: "Residuals against predicted",
    x: { label: "predicted", nice: true, ticks: 5 },
    y: { label: "residual", nice: true, grid: true },
    marks: [
      Plot.ruleY([0], { stroke: "var(--muted)", strokeDasharray: "4 3" }),
      Plot.dot(points, { x: "predicted", y: "residual", ...dots(points), ariaDescription: "residuals" }),
      Plot.tip(points, Plot.pointer({ x: "predicted", y: "residual", title: tip })),
    ],
  });
}

export function histogram(points: { residual: number }[], what: string): SVGSVGElement {
  return draw({
    ...LOOK,
    ariaLabel: `Histogram of the ${what}s`,
    x: { label: what, ticks: 5 },
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
          x: { value: "residual", thresholds: 24 },
          fill: "var(--positive)",
          fillOpacity: 0.75,
          inset: 0.5,
        } as object),
      ),
      Plot.ruleY([0], { stroke: "var(--muted)" }),
    ],
  });
}
