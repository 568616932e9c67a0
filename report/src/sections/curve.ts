// The curve that chose the model: the error on held-out rows, or a criterion.
import * as Plot from "@observablehq/plot";
import { card, h, onScreen } from "../dom.ts";
import { number, plural } from "../format.ts";
import type { Curve, CurvePoint } from "../payload.ts";
import { draw, onClickX, sizeTicks, spanAxis, tipX } from "../plots.ts";
import type { Report } from "../report.ts";

// One per rule, as .rule-0 and so on in the legend.
const SYMBOLS = ["circle", "diamond", "triangle"] as const;

const CLICK = " Click a point to see its model.";

export function curve(report: Report): HTMLElement | null {
  if (report.data.curve) return cvCurve(report, report.data.curve);
  if (report.data.criterion) return criterionCurve(report, report.data.criterion);
  return null;
}

function cvCurve(report: Report, all: Curve): HTMLElement {
  const byLambda = all.tune === "lambda";
  const chosen = all.points[all.chosen];
  const minimum = all.points[all.by_rule[0]];
  const limit = minimum.error! + (minimum.se ?? 0);
  const low = (point: CurvePoint) => Math.max(point.error! - (point.se ?? 0), point.error! / 10);
  const high = (point: CurvePoint) => point.error! + (point.se ?? 0);
  const x = (point: CurvePoint) => point.x;
  const holder = h("div", { class: "plot" });
  report.onChange(() => {
    const shown = report.curvePoint(report.model);
    const drawn = all.points.filter((point) => point.error != null && point.size < report.sizes.length);
    const points = drawn.filter((point) => point.ridge === chosen.ridge);
    const others = drawn.filter((point) => point.ridge !== chosen.ridge);
    const plot = draw({
      ariaLabel: "Cross-validation curve",
      x: byLambda
        ? {
            type: "log",
            reverse: true,
            label: "lambda (sparser ← → denser)",
            ticks: 6,
            tickFormat: (v: number) => number(v, 2),
          }
        : { label: "columns (k)", ticks: sizeTicks(Math.max(...points.map(x), 1)) },
      y: {
        label: `${all.measure?.meaning ?? "mean squared error"} on held-out rows`,
        grid: true,
        ...spanAxis(points.flatMap((point) => [low(point), high(point)])),
      },
      marks: [
        Plot.ruleY([limit], { stroke: "var(--muted)", strokeDasharray: "4 3" }),
        Plot.areaY(points, {
          x,
          y1: low,
          y2: high,
          fill: "var(--positive)",
          fillOpacity: 0.22,
          ariaDescription: "one standard error",
        }),
        Plot.line(others, {
          x,
          y: "error",
          z: "ridge",
          stroke: "var(--faint)",
          ariaDescription: "other ridges",
        }),
        Plot.line(points, {
          x,
          y: "error",
          stroke: "var(--positive)",
          strokeWidth: 1.8,
          ariaDescription: "mean error",
        }),
        Plot.dot(points, { x, y: "error", r: 1.6, fill: "var(--positive)", ariaDescription: "points" }),
        // The lowest error last: it stays visible where rules choose the same point.
        ...all.by_rule
          .map((place, rule) =>
            Plot.dot([all.points[place]], {
              x,
              y: "error",
              r: 5,
              symbol: SYMBOLS[rule % SYMBOLS.length],
              stroke: "var(--ink)",
              fill: "var(--card)",
              ariaDescription: `rule ${all.rules[rule].name}`,
            }),
          )
          .reverse(),
        Plot.dot([chosen], {
          x,
          y: "error",
          r: 6,
          symbol: SYMBOLS[all.chosen === all.by_rule[0] ? 0 : all.rule % SYMBOLS.length],
          fill: "var(--accent)",
          stroke: "var(--card)",
          strokeWidth: 1.5,
          ariaDescription: "chosen",
        }),
        Plot.ruleX(shown ? [shown] : [], {
          x,
          stroke: "var(--accent)",
          strokeOpacity: 0.55,
          ariaDescription: "shown",
        }),
        Plot.text([chosen], {
          x,
          y: "error",
          text: () => "chosen",
          dy: -14,
          fill: "var(--accent)",
          fontWeight: 600,
          stroke: "var(--card)",
          strokeWidth: 4,
        }),
        tipX(
          points,
          x,
          (point) => point.error!,
          (point) => [
            `${byLambda ? "lambda" : "k"} ${number(point.x)}`,
            `error ${number(point.error)} ± ${number(point.se, 2)}`,
            ...(byLambda ? [`mean size ${number(point.size, 3)}`] : []),
            ...(point.k == null ? [] : [`on all rows: ${plural(point.k, "column")}`]),
          ],
        ),
      ],
    });
    onClickX(plot, points, x, (point) => point.k != null && report.showSize(point.k));
    holder.replaceChildren(plot);
  });
  return card(
    "curve",
    "Why this model: cross-validation",
    [cvHint(all), onScreen(CLICK)],
    holder,
    legend(all),
  );
}

function cvHint(all: Curve): string {
  const folds =
    all.repeats > 1 ? `${all.repeats} × ${all.folds / all.repeats} folds` : plural(all.folds, "fold");
  const cut = all.folds_done < all.folds ? ` (${all.folds_done} of them finished)` : "";
  const { name, meaning } = all.rules[all.rule];
  return `Chosen: ${meaning} (rule ${name}), over ${folds}${cut}.${ridge(all)} The band is ± one standard error.`;
}

// What the chosen ridge brought.
function ridge(all: Curve): string {
  const chosen = all.points[all.chosen];
  if (all.without_ridge == null || chosen.ridge === 0) return "";
  const told = ({ error, size }: CurvePoint) => `${number(error, 4)} with ${size.toFixed(1)} columns`;
  return ` The chosen ridge is ${number(chosen.ridge)}: mean error ${told(chosen)}; without a ridge ${told(all.points[all.without_ridge])}.`;
}

function legend(all: Curve): HTMLElement {
  const item = (mark: string, text: string) => h("span", {}, h("span", { class: `mark ${mark}` }), text);
  return h(
    "p",
    { class: "legend" },
    item("chosen", "chosen"),
    ...all.rules.map(({ name, label }, rule) => item(`rule-${rule % SYMBOLS.length}`, `${name}: ${label}`)),
    item("limit", "lowest + one standard error"),
  );
}

function criterionCurve(report: Report, criterion: NonNullable<Report["data"]["criterion"]>): HTMLElement {
  const x = (point: { k: number }) => point.k;
  const name = criterion.name.toUpperCase();
  const holder = h("div", { class: "plot" });
  report.onChange(() => {
    const points = criterion.points.filter((point) => point.value != null && point.k < report.sizes.length);
    const plot = draw({
      ariaLabel: `${name} over the number of columns`,
      x: { label: "columns (k)", ticks: sizeTicks(Math.max(...points.map(x), 1)) },
      y: { label: name, grid: true, nice: true },
      marks: [
        Plot.line(points, { x, y: "value", stroke: "var(--positive)", strokeWidth: 1.8 }),
        Plot.dot(points, { x, y: "value", r: 2.5, fill: "var(--positive)", ariaDescription: "points" }),
        Plot.dot(
          points.filter((point) => point.k === criterion.chosen),
          { x, y: "value", r: 6, fill: "var(--accent)", stroke: "var(--card)", ariaDescription: "chosen" },
        ),
        Plot.ruleX([report.model], { x: "k", stroke: "var(--accent)", strokeOpacity: 0.55 }),
        tipX(
          points,
          x,
          (point) => point.value!,
          (point) => [plural(point.k, "column"), `${name} ${number(point.value, 5)}`],
        ),
      ],
    });
    onClickX(plot, points, x, (point) => report.showSize(point.k));
    holder.replaceChildren(plot);
  });
  return card(
    "curve",
    `Why this model: ${name}`,
    [`The size with the lowest ${name} on all rows.`, onScreen(CLICK)],
    holder,
  );
}
