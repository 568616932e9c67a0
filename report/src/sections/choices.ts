// How often each method chooses each column, over the outer folds.
import * as Plot from "@observablehq/plot";
import type { Comparison } from "../comparison.ts";
import { card, h } from "../dom.ts";
import { count, shorten, shortNames } from "../format.ts";
import { draw, nameMargin, WIDTH } from "../plots.ts";

const MOST_COLUMNS = 40;

interface Cell {
  method: string;
  column: number;
  folds: number;
}

export function choices(comparison: Comparison): HTMLElement {
  const { data } = comparison;
  const truth = new Set(data.truth ?? []);
  const short = shortNames(data.columns, 22);
  const holder = h("div", { class: "plot wide" });
  comparison.onChange(() => {
    const methods = comparison.ranked();
    const cells: Cell[] = methods.flatMap((one) =>
      one.by.chosen.map(([column, folds]) => ({ method: one.method.name, column, folds })),
    );
    const rows = mostChosen(cells, truth);
    const rank = new Map(rows.map((column, i) => [column, i]));
    const visible = cells.filter((cell) => rank.has(cell.column));
    const name = (column: number) => `${truth.has(column) ? "● " : ""}${short[column]}`;
    holder.replaceChildren(
      draw({
        ariaLabel: "How often each column was chosen by each method",
        width: WIDTH.full,
        height: 70 + 16 * Math.max(rows.length, 3),
        marginLeft: nameMargin(rows.map(name), 24),
        marginTop: 34,
        marginBottom: 10,
        x: {
          type: "band",
          domain: methods.map((one) => one.method.name),
          axis: "top",
          label: null,
          padding: 0.06,
          tickSize: 0,
        },
        y: { type: "band", domain: rows.map((_, i) => i), axis: null, padding: 0.1 },
        marks: [
          Plot.cell(visible, {
            x: "method",
            y: (cell: Cell) => rank.get(cell.column)!,
            fill: "var(--positive)",
            fillOpacity: (cell: Cell) => cell.folds / data.outer_done,
            ariaDescription: "choices",
          }),
          Plot.text(rows, {
            frameAnchor: "left",
            dx: -8,
            y: (column: number) => rank.get(column)!,
            text: name,
            title: (column: number) => data.columns[column].name,
            textAnchor: "end",
            fill: "var(--ink)",
            ariaDescription: "names",
          }),
          Plot.tip(
            visible,
            Plot.pointer({
              x: "method",
              y: (cell: Cell) => rank.get(cell.column)!,
              title: (cell: Cell) =>
                `${shorten(data.columns[cell.column].name, 60)}\n${cell.method}: in ${cell.folds} of ${data.outer_done} folds`,
            }),
          ),
        ],
      }),
    );
  });
  const known = data.truth ? " ● marks the true columns." : "";
  const hint = `A darker cell means that the column was in the model in more of the ${count(data.outer_done)} outer folds. At most ${MOST_COLUMNS} columns are shown, the most frequent first.${known}`;
  return card("choices", "Which columns, and how reliably", hint, holder);
}

function mostChosen(cells: Cell[], truth: Set<number>): number[] {
  const total = new Map<number, number>([...truth].map((column) => [column, 0]));
  for (const { column, folds } of cells) total.set(column, (total.get(column) ?? 0) + folds);
  return [...total.keys()].sort((a, b) => total.get(b)! - total.get(a)! || a - b).slice(0, MOST_COLUMNS);
}
