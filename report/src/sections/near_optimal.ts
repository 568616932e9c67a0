// The models nearly as good as the best one: which columns they have, and what each column is worth.
import * as Plot from "@observablehq/plot";
import { card, h, onScreen } from "../dom.ts";
import { count, number, plural, shorten } from "../format.ts";
import { draw, nameMargin, onClickX, WIDTH } from "../plots.ts";
import type { ColumnPrice, NearOptimal } from "../payload.ts";
import type { Report } from "../report.ts";

const MOST_COLUMNS = 40;
const MOST_MODELS = 120;
const NAME_LENGTH = 18;

interface Cell {
  model: number;
  row: number;
}

export function nearOptimal(report: Report): HTMLElement[] {
  const near = report.data.near_optimal;
  if (!near) return [];
  const columns = near.columns.slice(0, MOST_COLUMNS);
  if (columns.length === 0)
    return [
      card("near-optimal", "Models nearly as good", summary(near), h("p", { class: "none" }, empty(near))),
    ];
  const holder = h("div", { class: "plot" });
  const detail = h("div", { class: "near-model", "aria-live": "polite" });
  const show = (model: number) => {
    holder.replaceChildren(map(report, near, columns, model, show));
    detail.replaceChildren(...describe(report, near, model));
  };
  show(0);
  return [
    card(
      "near-optimal",
      "Models nearly as good",
      [summary(near), onScreen(" Click a model to see its columns.")],
      holder,
      detail,
      h("p", { class: "hint" }, explain(near)),
    ),
  ];
}

const empty = (near: NearOptimal) =>
  near.complete
    ? "The best model has no column, and no other model is near-optimal."
    : "No column is decided.";

function summary(near: NearOptimal): string {
  const within = `within ${number(near.within)} of the best objective`;
  if (near.complete && near.count === 1) return `No other model is ${within}.`;
  const shown = Math.min(near.models.length, MOST_MODELS);
  const more =
    near.count > shown && shown > 1
      ? ` The ${near.best_listed ? "best " : ""}${shown} are drawn, the best on the left.`
      : "";
  const total = `${near.complete ? "" : "At least "}${plural(near.count, "model")} ${near.count === 1 ? "is" : "are"} ${within}`;
  return `${total}${near.complete || near.best_listed ? "." : ": the run was stopped before all were found."}${more}`;
}

function explain(near: NearOptimal): string {
  const { always, interchangeable, never, undecided } = near.classes;
  const classes = [
    `${plural(always, "column")} in all of these models (bold)`,
    `${count(interchangeable)} in some of them`,
    `${count(never)} in none`,
    ...(undecided > 0 ? [`${count(undecided)} undecided`] : []),
  ].join(", ");
  const bounds = near.exact ? "" : " “≥” marks lower bounds: the run was stopped before these were exact.";
  return `${classes}. The price of a column is how much the objective rises if a column of the best model must be left out (“out”), or if another must be in (“in”).${bounds}`;
}

// Prices are written on the right, where the narrow page has no room for a second axis.
function priceText(near: NearOptimal, price: ColumnPrice): string {
  const member = near.models[0].support.includes(price.column);
  const value = member ? price.price_out : price.price_in;
  const side = member ? "out" : "in";
  if (value == null) return `${side}: impossible`;
  return `${side} ${price.exact ? "" : "≥ "}${number(value, 3)}`;
}

function map(
  report: Report,
  near: NearOptimal,
  columns: ColumnPrice[],
  selected: number,
  show: (model: number) => void,
): SVGSVGElement {
  const models = near.models.slice(0, MOST_MODELS);
  const row = new Map(columns.map((price, i) => [price.column, i]));
  const cells: Cell[] = models.flatMap((model, i) =>
    model.support.filter((id) => row.has(id)).map((id) => ({ model: i, row: row.get(id)! })),
  );
  const step = columns.length > 20 ? 14 : columns.length > 12 ? 18 : 24;
  const names = columns.map((price) => report.name(price.column));
  const inModel = new Set(models[selected].support);
  const plot = draw({
    ariaLabel: "Columns of the near-optimal models",
    width: WIDTH.full,
    height: 62 + Math.max(columns.length, 3) * step,
    marginLeft: nameMargin(names, NAME_LENGTH),
    marginRight: 96,
    x: {
      label: "model, by objective",
      domain: [0.5, Math.max(models.length, 20) + 0.5],
      ticks: ticks(models.length),
    },
    y: { type: "band", domain: columns.map((_, i) => i), axis: null, padding: 0.12 },
    marks: [
      Plot.rect(cells, {
        x1: (cell: Cell) => cell.model + 1 - 0.44,
        x2: (cell: Cell) => cell.model + 1 + 0.44,
        y: "row",
        fill: (cell: Cell) => (cell.model === selected ? "var(--accent)" : "var(--positive)"),
        fillOpacity: (cell: Cell) => (columns[cell.row].class === "always" ? 0.95 : 0.6),
        ariaDescription: "near-optimal",
      }),
      Plot.text(columns, {
        x: () => 0.5,
        dx: -8,
        y: (_: ColumnPrice, i: number) => i,
        text: (price: ColumnPrice) => report.shortName(price.column, NAME_LENGTH),
        title: (price: ColumnPrice) => report.name(price.column),
        textAnchor: "end",
        fontWeight: 400,
        fill: (price: ColumnPrice) => (inModel.has(price.column) ? "var(--ink)" : "var(--muted)"),
        ariaDescription: "names",
      }),
      Plot.text(columns, {
        x: () => Math.max(models.length, 20) + 0.5,
        dx: 8,
        y: (_: ColumnPrice, i: number) => i,
        text: (price: ColumnPrice) => priceText(near, price),
        textAnchor: "start",
        fill: "var(--muted)",
        ariaDescription: "prices",
      }),
    ],
  });
  // One text mark has one weight: the names of columns that all models need get theirs here.
  plot.querySelectorAll('[aria-description="names"] text').forEach((text, i) => {
    if (columns[i].class === "always") text.setAttribute("font-weight", "700");
  });
  onClickX(
    plot,
    models.map((_, i) => i),
    (i) => i + 1,
    show,
  );
  return plot;
}

function ticks(models: number): number[] {
  const step = [1, 2, 5, 10, 20].find((s) => models / s <= 12) ?? 20;
  return [1, ...Array.from({ length: Math.floor(models / step) }, (_, i) => (i + 1) * step)].filter(
    (tick, i, all) => tick <= models && all.indexOf(tick) === i,
  );
}

// The columns of one model, and what it changes of the best one.
function describe(report: Report, near: NearOptimal, selected: number): Node[] {
  const model = near.models[selected];
  const best = near.models[0];
  const objective = model.objective ?? 0;
  const rise = objective - (best.objective ?? 0);
  const above = selected === 0 ? "the best model" : `${number(rise, 3)} above the best`;
  const chip = (id: number, sign: string) =>
    h(
      "span",
      { class: `chip ${sign === "+" ? "added" : sign === "−" ? "removed" : ""}`, title: report.name(id) },
      h("bdi", { class: "name" }, `${sign}${shorten(report.name(id), 24)}`),
    );
  const added = model.support.filter((id) => !best.support.includes(id));
  const removed = best.support.filter((id) => !model.support.includes(id));
  const kept = model.support.filter((id) => best.support.includes(id));
  return [
    h(
      "p",
      {},
      h("strong", {}, `Model ${selected + 1}: ${plural(model.support.length, "column")}`),
      `, objective ${number(objective, 6)}, ${above}`,
    ),
    h(
      "p",
      { class: "chips" },
      ...added.map((id) => chip(id, "+")),
      ...removed.map((id) => chip(id, "−")),
      ...kept.map((id) => chip(id, "")),
    ),
  ];
}
