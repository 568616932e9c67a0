// Split-sample p-values of the columns, where they were asked for.
import { card, h } from "../dom.ts";
import { number, percent, plural, shorten } from "../format.ts";
import type { Inference } from "../payload.ts";

export function pValues({ splits, splits_done, size, columns }: Inference): HTMLElement {
  const rows = columns.map(({ name, p_value, selected, in_model }) =>
    h(
      "tr",
      { class: in_model ? "" : "muted" },
      h("th", { scope: "row" }, h("bdi", { class: "name", title: name }, shorten(name, 40))),
      h("td", { class: "number" }, number(p_value, 3)),
      h("td", { class: "number" }, percent(selected, 3)),
      h("td", {}, in_model ? "" : "not in the model"),
    ),
  );
  const head = ["column", "p-value", "chosen in", ""].map((title) => h("th", { scope: "col" }, title));
  const done = splits_done < splits ? ` The run was stopped after ${splits_done} of ${splits} splits.` : "";
  return card(
    "p-values",
    "Evidence for the columns",
    `Split-sample p-values, adjusted for all columns (family-wise error rate): up to ${plural(size, "column")} are chosen on a ` +
      `random half of the rows and tested by least squares on the other half, ${plural(splits, "time")}. They assume that the ` +
      `true columns are among those chosen.${done}`,
    rows.length > 0
      ? h(
          "div",
          { class: "scroll" },
          h("table", {}, h("thead", {}, h("tr", {}, ...head)), h("tbody", {}, ...rows)),
        )
      : h("p", {}, "No column has a p-value below 1."),
  );
}
