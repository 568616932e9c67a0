// The columns most correlated with those of the model: they may carry the same information.
import * as Plot from "@observablehq/plot";
import { card, h } from "../dom.ts";
import { number, plural, shorten } from "../format.ts";
import { draw, nameMargin } from "../plots.ts";
import type { Report } from "../report.ts";

const MOST_COLUMNS = 24;
const LABEL = 14;

interface Pair {
  of: number;
  column: number;
  r: number;
  rank: number; // among the neighbours of its column
}

export function neighbours(report: Report): HTMLElement {
  const nearest = new Map(report.data.neighbours.map((one) => [one.column, one.nearest]));
  const holder = h("div", { class: "plot" });
  const footnote = h("p", { class: "hint" });
  report.onChange(() => {
    const members = report.members(report.model);
    const known = members.filter((member) => nearest.has(member.id)).slice(0, MOST_COLUMNS);
    const rows = known.map((member) => member.id);
    const pairs: Pair[] = rows.flatMap((of) =>
      nearest.get(of)!.map((one, rank) => ({ of, column: one.column, r: one.r, rank })),
    );
    footnote.textContent =
      known.length < members.length
        ? `Shown for ${known.length} of ${plural(members.length, "column")}.`
        : "";
    holder.replaceChildren(
      rows.length
        ? strips(report, rows, pairs)
        : h(
            "p",
            { class: "none" },
            report.model.k ? "Not computed for this size." : "The model has no columns.",
          ),
    );
  });
  return card(
    "neighbours",
    "Correlated columns",
    "For each column of the model, the other columns most correlated with it (|r| ≥ 0.1). Filled points are in the model too.",
    holder,
    footnote,
  );
}

function strips(report: Report, rows: number[], pairs: Pair[]): SVGSVGElement {
  const rank = new Map(rows.map((id, i) => [id, i]));
  const y = (pair: Pair) => rank.get(pair.of)!;
  const inModel = new Set(report.model.support);
  // All of it where there are negative ones, else the part from a little below the weakest.
  const weakest = Math.min(...pairs.map((pair) => pair.r), 1);
  const low = weakest < 0 ? -1 : Math.max(0, Math.min(0.9, Math.floor(10 * weakest - 0.5) / 10));
  return draw({
    ariaLabel: "Correlations of the chosen columns with others",
    height: 64 + Math.max(rows.length, 2) * (rows.length > 12 ? 20 : 28),
    marginLeft: nameMargin(
      rows.map((id) => report.name(id)),
      18,
    ),
    marginRight: 24,
    x: { label: "correlation", domain: [low, 1], ticks: 6, grid: true },
    y: { type: "point", domain: rows.map((_, i) => i), axis: null, padding: 0.6 },
    marks: [
      Plot.ruleX(low < 0 ? [0] : [], { stroke: "var(--muted)" }),
      Plot.ruleY(rows, { y: (id: number) => rank.get(id)!, stroke: "var(--line)" }),
      Plot.dot(pairs, {
        x: "r",
        y,
        r: 4,
        fill: (pair: Pair) => (inModel.has(pair.column) ? "var(--accent)" : "var(--card)"),
        stroke: (pair: Pair) => (inModel.has(pair.column) ? "var(--accent)" : "var(--positive)"),
        strokeWidth: 1.4,
        ariaDescription: "neighbours",
      }),
      Plot.text(
        pairs.filter((pair) => pair.rank === 0),
        {
          x: "r",
          y,
          text: (pair: Pair) => report.shortName(pair.column, LABEL),
          title: (pair: Pair) => report.name(pair.column),
          dy: -9,
          fill: "var(--muted)",
          fontSize: 10,
          ariaDescription: "nearest",
        },
      ),
      Plot.text(rows, {
        x: () => low,
        dx: -10,
        y: (id: number) => rank.get(id)!,
        text: (id: number) => report.shortName(id, 18),
        title: (id: number) => report.name(id),
        textAnchor: "end",
        fontWeight: 600,
        fill: "var(--ink)",
        ariaDescription: "names",
      }),
      Plot.tip(
        pairs,
        Plot.pointer({
          x: "r",
          y,
          title: (pair: Pair) =>
            [
              shorten(report.name(pair.column), 60),
              `r ${number(pair.r, 3)} with ${shorten(report.name(pair.of), 40)}`,
              inModel.has(pair.column) ? "in the model" : "not in the model",
            ].join("\n"),
        }),
      ),
    ],
  });
}
