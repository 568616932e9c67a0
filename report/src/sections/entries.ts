// Which column is in the best model of which size.
import * as Plot from "@observablehq/plot";
import { card, h } from "../dom.ts";
import { number, shorten } from "../format.ts";
import { draw, nameMargin, onClickX, signColour, sizeTicks } from "../plots.ts";
import type { Member, Report } from "../report.ts";

const MOST_COLUMNS = 30;

interface Cell extends Member {
  k: number;
}

export function entries(report: Report): HTMLElement {
  const everything: Cell[] = report.bySize.flatMap((model) =>
    report.members(model).map((member) => ({ ...member, k: model.k })),
  );
  const arrival = new Map<number, number>();
  for (const cell of everything) if (!arrival.has(cell.id)) arrival.set(cell.id, cell.k);
  const holder = h("div", { class: "plot" });
  report.onChange(() => {
    const sizes = report.sizes.length - 1;
    const cells = everything.filter((cell) => cell.k > 0 && cell.k <= sizes);
    const rows = shownColumns(report, new Map([...arrival].filter(([, k]) => k <= sizes)));
    const rank = new Map(rows.map((id, i) => [id, i]));
    const visible = cells.filter((cell) => rank.has(cell.id));
    const largest = Math.max(...visible.map((cell) => Math.abs(cell.effect)), Number.MIN_VALUE);
    const inModel = new Set(report.model.support);
    if (rows.length === 0) {
      holder.replaceChildren(h("p", { class: "none" }, "No model has a column."));
      return;
    }
    const plot = draw({
      ariaLabel: "Columns in the best model of each size",
      height: 60 + Math.max(rows.length, 3) * (rows.length > 20 ? 13 : rows.length > 12 ? 17 : 26),
      marginLeft: nameMargin(
        rows.map((id) => report.name(id)),
        18,
      ),
      x: { label: "columns (k)", ticks: sizeTicks(sizes).slice(1), domain: [0.5, Math.max(sizes, 1) + 0.5] },
      y: { type: "band", domain: rows.map((_, i) => i), axis: null, padding: 0.12 },
      marks: [
        Plot.rect(visible, {
          x1: (cell: Cell) => cell.k - 0.46,
          x2: (cell: Cell) => cell.k + 0.46,
          y: (cell: Cell) => rank.get(cell.id)!,
          fill: (cell: Cell) => signColour(cell.effect),
          fillOpacity: (cell: Cell) => 0.25 + 0.75 * Math.sqrt(Math.abs(cell.effect) / largest),
          ariaDescription: "entries",
        }),
        Plot.ruleX(
          [report.model].filter((model) => model.k > 0 && model.k <= sizes),
          { x: "k", stroke: "var(--accent)", strokeOpacity: 0.7 },
        ),
        Plot.text(rows, {
          x: () => 0.5,
          dx: -8,
          y: (id: number) => rank.get(id)!,
          text: (id: number) => report.shortName(id, 18),
          title: (id: number) => report.name(id),
          textAnchor: "end",
          fill: (id: number) => (inModel.has(id) ? "var(--ink)" : "var(--muted)"),
          ariaDescription: "names",
        }),
        Plot.tip(
          visible,
          Plot.pointer({
            x: "k",
            y: (cell: Cell) => rank.get(cell.id)!,
            title: (cell: Cell) =>
              [
                shorten(cell.column.name, 60),
                `k ${cell.k}: effect ${number(cell.effect)}`,
                `first at k ${arrival.get(cell.id)}`,
              ].join("\n"),
          }),
        ),
      ],
    });
    onClickX(
      plot,
      report.sizes.slice(1),
      (model) => model.k,
      (model) => report.showSize(model.k),
    );
    holder.replaceChildren(plot);
  });
  const more =
    arrival.size > MOST_COLUMNS
      ? ` At most ${MOST_COLUMNS} columns are shown: those of the shown model and the first to enter.`
      : "";
  return card(
    "entries",
    "Which column enters when",
    `A mark means that the column is in the best model of that size. A stronger mark is a larger effect; blue is positive, orange negative.${more}`,
    holder,
  );
}

// By the size at which they first appear.
function shownColumns(report: Report, arrival: Map<number, number>): number[] {
  const inModel = new Set(report.model.support.filter((id) => arrival.has(id)));
  const byArrival = [...arrival.keys()].sort((a, b) => arrival.get(a)! - arrival.get(b)!);
  const first = [...byArrival.filter((id) => inModel.has(id)), ...byArrival.filter((id) => !inModel.has(id))];
  const kept = new Set(first.slice(0, MOST_COLUMNS));
  return byArrival.filter((id) => kept.has(id));
}
