// Observed and predicted classes at probability 0.5, on held-out rows and on the rows of the fit.
import { card, h } from "../dom.ts";
import { number, percent, shorten } from "../format.ts";
import type { ClassOfTarget, Confusion } from "../payload.ts";
import type { Report } from "../report.ts";

export function confusion(report: Report): HTMLElement {
  const classes = report.data.classes!;
  const heldOut = report.data.held_out;
  const fitted = h("div");
  report.onChange(() =>
    fitted.replaceChildren(
      ...(report.model.confusion ? table("rows of the fit", classes, report.model.confusion) : []),
    ),
  );
  return card(
    "confusion",
    "Right and wrong at 0.5",
    `A row is predicted “${shorten(classes[1].name, 30)}” if its probability is at least 0.5.` +
      (heldOut ? " The held-out rows are those of the chosen model." : ""),
    h(
      "div",
      { class: heldOut ? "halves" : "" },
      heldOut ? h("div", {}, ...table("held-out rows", classes, heldOut.confusion)) : null,
      fitted,
    ),
  );
}

function table(rows: string, classes: ClassOfTarget[], counts: Confusion): HTMLElement[] {
  const name = (one: ClassOfTarget) => h("bdi", { class: "name", title: one.name }, shorten(one.name, 20));
  const head = h(
    "tr",
    {},
    h("th", { scope: "col" }, "observed"),
    ...classes.map((one) => h("th", { scope: "col" }, "predicted ", name(one))),
    h("th", { scope: "col" }, "right"),
  );
  const body = classes.map((one, i) => {
    const total = counts[i][0] + counts[i][1];
    return h(
      "tr",
      {},
      h("th", { scope: "row" }, name(one)),
      ...counts[i].map((n, j) => h("td", { class: i === j ? "right" : "" }, number(n, 6))),
      h("td", {}, percent(total > 0 ? counts[i][i] / total : null, 3)),
    );
  });
  const all = counts[0][0] + counts[0][1] + counts[1][0] + counts[1][1];
  const wrong = (counts[0][1] + counts[1][0]) / all;
  return [
    h("h3", {}, `On ${rows}: ${percent(wrong, 3)} wrong`),
    h("div", { class: "scroll" }, h("table", {}, h("thead", {}, head), h("tbody", {}, ...body))),
  ];
}
