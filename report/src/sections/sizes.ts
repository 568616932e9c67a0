// The loss of every size, and beside it the lambdas at which that size is the best of all.
import * as Plot from "@observablehq/plot";
import { card, h, onScreen } from "../dom.ts";
import { lambdaRange, number, percent, plural } from "../format.ts";
import type { Model } from "../payload.ts";
import { draw, onClickX, sizeTicks, spanAxis, tipX } from "../plots.ts";
import type { Report } from "../report.ts";
import { wordsOf } from "../words.ts";

const k = (model: Model) => model.k;
const TALL = 240;

// Side by side where nothing else shares the row.
export function sizes(report: Report, alone = false): HTMLElement {
  const top = h("div", { class: "plot" });
  const bottom = h("div", { class: "plot" });
  report.onChange(() => {
    const models = report.sizes.filter((model) => model.rss != null);
    top.replaceChildren(lossPlot(report, models, alone ? TALL : 200));
    bottom.replaceChildren(lambdaPlot(report, models, alone ? TALL : 150));
  });
  return card(
    "sizes",
    "How good each size is",
    [
      `The ${wordsOf(report.data).lossInFull} of the best model of each size and, ${alone ? "beside" : "below"} it, the lambdas at which that size is the best of all.`,
      onScreen(" Click a size to see its model."),
    ],
    h("div", { class: alone ? "halves" : "" }, top, bottom),
  );
}

const axis = (models: Model[]) => ({
  label: "columns (k)",
  ticks: sizeTicks(models.length - 1),
  domain: [-0.4, Math.max(models.length - 1, 1) + 0.4],
});

function lossPlot(report: Report, models: Model[], height: number): SVGSVGElement {
  const extra = report.data.models.filter(
    (model) => !model.of_table && model.rss != null && model.k < models.length,
  );
  const { loss, explained } = wordsOf(report.data);
  const plot = draw({
    ariaLabel: `${loss} over the number of columns`,
    height,
    marginBottom: 22,
    x: { ...axis(models), label: null },
    y: { label: loss, grid: true, ...spanAxis(models.map((model) => model.rss!)) },
    marks: [
      Plot.ruleX([report.model], { x: k, stroke: "var(--accent)", strokeOpacity: 0.55 }),
      Plot.line(models, { x: k, y: "rss", stroke: "var(--positive)", strokeWidth: 1.6 }),
      Plot.dot(models, {
        x: k,
        y: "rss",
        r: models.length > 40 ? 2 : 3.5,
        fill: (model: Model) => (model.on_envelope ? "var(--positive)" : "var(--card)"),
        stroke: "var(--positive)",
        ariaDescription: "sizes",
      }),
      Plot.dot(extra, {
        x: k,
        y: "rss",
        r: 4,
        symbol: "times",
        stroke: "var(--accent)",
        ariaDescription: "chosen outside the table",
      }),
      Plot.dot(
        [report.model].filter((model) => model.k < models.length),
        { x: k, y: "rss", r: 6, fill: "var(--accent)", stroke: "var(--card)" },
      ),
      tipX(
        models,
        k,
        (model) => model.rss!,
        (model) => [
          plural(model.k, "column"),
          `${loss} ${number(model.rss)} (${explained} ${number(report.rSquared(model), 3)})`,
          ...gain(models, model),
          `lambda: ${lambdaRange(model)}`,
        ],
      ),
    ],
  });
  onClickX(plot, models, k, (model) => report.showSize(model.k));
  return plot;
}

function gain(models: Model[], model: Model): string[] {
  const before = models[model.k - 1]?.rss;
  return before ? [`${percent(1 - model.rss! / before)} less than with ${model.k - 1}`] : [];
}

function lambdaPlot(report: Report, models: Model[], height: number): SVGSVGElement {
  const on = models.filter((model) => model.on_envelope);
  const ends = on
    .flatMap((model) => [model.lambda_min, model.lambda_max])
    .filter((end): end is number => end != null && end > 0);
  // Where one size is best at every lambda, its bar has no ends to show.
  const low = ends.length ? Math.min(...ends) / 2 : 0.1;
  const high = ends.length ? Math.max(...ends) * 2 : 10;
  const from = (model: Model) => (model.lambda_min ? model.lambda_min : low);
  const to = (model: Model) => model.lambda_max ?? high;
  const plot = draw({
    ariaLabel: "Lambdas at which each size is best",
    height,
    marginTop: 18,
    x: axis(models),
    y: {
      type: "log",
      label: "lambda",
      grid: true,
      ticks: 4,
      tickFormat: (v: number) => (ends.length ? number(v, 2) : ""),
      domain: [low, high],
    },
    marks: [
      Plot.ruleX([report.model], { x: k, stroke: "var(--accent)", strokeOpacity: 0.55 }),
      Plot.ruleX(on, {
        x: k,
        y1: from,
        y2: to,
        stroke: (model: Model) => (model.k === report.model.k ? "var(--accent)" : "var(--positive)"),
        strokeWidth: models.length > 40 ? 3 : 7,
        strokeOpacity: 0.85,
        ariaDescription: "lambda ranges",
      }),
      tipX(
        on,
        k,
        (model) => Math.sqrt(from(model) * to(model)),
        (model) => [plural(model.k, "column"), `lambda: ${lambdaRange(model)}`],
      ),
    ],
  });
  onClickX(plot, models, k, (model) => report.showSize(model.k));
  return plot;
}
