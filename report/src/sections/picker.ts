// The bar that says which model is shown, and steps to others.
import { h } from "../dom.ts";
import { plural } from "../format.ts";
import type { Report } from "../report.ts";

export function picker(report: Report): HTMLElement {
  const step = (by: number) =>
    h(
      "button",
      {
        type: "button",
        "aria-label": by < 0 ? "One column fewer" : "One column more",
        click: () => report.showSize(report.model.k + by),
      },
      by < 0 ? "‹" : "›",
    );
  const less = step(-1);
  const more = step(1);
  const slider = h("input", {
    type: "range",
    min: 0,
    max: report.largest,
    step: 1,
    "aria-label": "Number of columns",
    input: () => report.showSize(Number(slider.value)),
  });
  const label = h("output", { class: "shown-k" });
  const note = h("span", { class: "shown-note" });
  const back = h("button", { type: "button", class: "back", click: () => report.showFirst() });
  back.textContent = report.hasChoice ? "Back to the chosen model" : "Back to the first model";
  const all = h(
    "button",
    { type: "button", class: "all", click: () => report.showAll() },
    `All sizes up to ${report.largest}`,
  );
  report.onChange(() => {
    const { k } = report.model;
    label.textContent = plural(k, "column");
    slider.max = String(report.sizes.length - 1);
    slider.value = String(k);
    less.disabled = k === 0;
    more.disabled = k >= report.largest;
    all.hidden = report.showsAll;
    back.hidden = report.isFirst;
    note.textContent = !report.isFirst ? "" : report.hasChoice ? "the chosen model" : why;
  });
  return h(
    "nav",
    { class: "picker", "aria-label": "Model shown" },
    less,
    label,
    more,
    slider,
    all,
    note,
    back,
  );
}

const why = "no model was chosen; this size is best over the widest range of lambda";
