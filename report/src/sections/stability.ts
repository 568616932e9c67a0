// How often random halves of the rows choose each column, and what that does and does not say.
import * as Plot from "@observablehq/plot";
import { card, h } from "../dom.ts";
import { count, number, plural, shorten, shortNames } from "../format.ts";
import type { StabilityPayload } from "../payload.ts";
import { draw, nameMargin, WIDTH } from "../plots.ts";

const MOST_COLUMNS = 60;

type Column = StabilityPayload["columns"][number];

export function frequencies(data: StabilityPayload): HTMLElement {
  const halves = 2 * data.pairs_done;
  const shown = data.columns.slice(0, Math.max(MOST_COLUMNS, data.stable));
  const names = shortNames(shown, 22);
  const rank = new Map(shown.map((column, i) => [column, i]));
  const y = (column: Column) => rank.get(column)!;
  const x = (column: Column) => column.halves / halves;
  const plot = draw({
    ariaLabel: "Share of halves that chose each column",
    width: WIDTH.full,
    height: 80 + 18 * Math.max(shown.length, 3),
    marginLeft: nameMargin(names, 24),
    marginRight: 60,
    marginBottom: 44,
    x: { domain: [0, 1], label: `share of ${count(halves)} random halves that chose the column`, grid: true },
    y: { type: "band", domain: shown.map((_, i) => i), axis: null, padding: 0.25 },
    marks: [
      Plot.barX(shown, {
        x,
        y,
        fill: "var(--positive)",
        fillOpacity: (column: Column) => (y(column) < data.stable ? 1 : 0.35),
        ariaDescription: "frequencies",
      }),
      Plot.ruleX([data.threshold], {
        stroke: "var(--ink)",
        strokeDasharray: "4 3",
        ariaDescription: "threshold",
      }),
      Plot.text(shown, {
        x: 0,
        dx: -8,
        y,
        text: (column: Column) => names[y(column)],
        title: "name",
        textAnchor: "end",
        fill: "var(--ink)",
        ariaDescription: "names",
      }),
      Plot.text(shown, {
        x,
        dx: 6,
        y,
        text: (column: Column) => x(column).toFixed(2),
        textAnchor: "start",
        fill: "var(--ink)",
        stroke: "var(--card)",
        ariaDescription: "shares",
      }),
      Plot.tip(
        shown,
        Plot.pointerY({
          x,
          y,
          title: (column: Column) =>
            `${shorten(column.name, 60)}\nchosen in ${column.halves} of ${halves} halves`,
        }),
      ),
    ],
  });
  const hint = `Each half chose its columns from its own rows: ${askedFor(data)}. The two halves of a pair have no row in common. The dashed line is the threshold ${number(data.threshold)}; the columns that reach it are dark.`;
  return card(
    "frequencies",
    "How often each column is chosen",
    hint,
    h("div", { class: "plot wide" }, plot),
    others(data, shown.length),
  );
}

function askedFor(data: StabilityPayload): string {
  const ridge = data.ridge > 0 ? `, ridge ${number(data.ridge)}` : "";
  const included = data.included > 0 ? `, beside ${plural(data.included, "included column")}` : "";
  if (data.k == null)
    return `lambda ${number(data.lambda)} on all rows, which gave ${number(data.mean_size, 3)} columns on average${ridge}${included}`;
  const by = data.by_cross_validation ? " (chosen once, by cross-validation on all rows)" : "";
  return `${plural(data.k, "column")}${by}${ridge}${included}`;
}

function others(data: StabilityPayload, shown: number): HTMLElement | null {
  const rest = data.chosen_ever - shown;
  const parts = [
    rest > 0 ? `${plural(rest, "more column")} were chosen less often.` : "",
    data.never > 0 ? `No half chose the other ${plural(data.never, "column")}.` : "",
    data.pairs_done < data.pairs
      ? `The run was stopped after ${data.pairs_done} of ${data.pairs} pairs.`
      : "",
    data.short_lists ? "Not every move was checked in each half." : "",
  ].filter(Boolean);
  return parts.length > 0 ? h("p", { class: "hint" }, parts.join(" ")) : null;
}

export function bound(data: StabilityPayload): HTMLElement {
  const facts: [string, string][] = [
    ["columns that a half chooses, on average", number(data.mean_size, 3)],
    ["columns that can be chosen", count(data.candidates)],
    ["probability of a column picked blindly", number(data.low_probability, 3)],
    ["columns at or above the threshold", count(data.stable)],
    ["of these, expected to have a low probability: at most", number(data.expected_low_probability, 2)],
    ["the same for r-concave distributions: at most", number(data.expected_low_probability_r_concave, 2)],
  ];
  return card(
    "bound",
    "What the frequencies say",
    `A frequency says how much the choice of a column depends on the rows. A selection probability is low if it is at most that of a column picked blindly. The bounds are those of Shah and Samworth (2013).`,
    h("dl", {}, ...facts.flatMap(([term, value]) => [h("dt", {}, term), h("dd", {}, value)])),
    h(
      "p",
      { class: "hint" },
      h("strong", {}, "This is not a bound on false columns."),
      " A column without an effect of its own is chosen often if it stands in for a true one.",
    ),
  );
}
