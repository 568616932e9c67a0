// The page: reads the data, and puts the parts in their order. A new kind of result gets its own list of parts.
import { h } from "./dom.ts";
import { Comparison } from "./comparison.ts";
import { plural } from "./format.ts";
import type { ComparePayload, Payload, StabilityPayload } from "./payload.ts";
import { Report } from "./report.ts";
import { answer } from "./sections/answer.ts";
import { calibration } from "./sections/calibration.ts";
import { choices } from "./sections/choices.ts";
import { classRows } from "./sections/class_rows.ts";
import { coefficients } from "./sections/coefficients.ts";
import { confusion } from "./sections/confusion.ts";
import { curve } from "./sections/curve.ts";
import { entries } from "./sections/entries.ts";
import { header } from "./sections/header.ts";
import { foldErrors, methodTable, rulePicker, tradeOff } from "./sections/methods.ts";
import { nearOptimal } from "./sections/near_optimal.ts";
import { neighbours } from "./sections/neighbours.ts";
import { notes } from "./sections/notes.ts";
import { pValues } from "./sections/p_values.ts";
import { picker } from "./sections/picker.ts";
import { repeat } from "./sections/repeat.ts";
import { roc } from "./sections/roc.ts";
import { rows } from "./sections/rows.ts";
import { sizes } from "./sections/sizes.ts";
import { bound, frequencies } from "./sections/stability.ts";

function modelPage(data: Payload): HTMLElement[] {
  const report = new Report(data);
  const second = data.classes?.[1].name;
  const facts = [
    second ? `probability of ${second}` : "",
    data.ridge > 0 ? "with a ridge" : "",
    data.weighted ? "weighted" : "",
  ];
  return [
    header(data, `, explained by ${report.first.k} of ${plural(data.p, "column")}`, facts),
    picker(report),
    answer(report),
    ...nearOptimal(report),
    ...(data.inference ? [pValues(data.inference)] : []),
    ...overview(report),
    ...classes(report),
    data.classes ? classRows(report, data.classes) : rows(report),
    h("div", { class: "grid" }, neighbours(report), h("div", {}, notes(report), repeat(data))),
  ];
}

// What only a target of two classes has.
function classes(report: Report): HTMLElement[] {
  const { classes, held_out: heldOut } = report.data;
  if (!classes) return [];
  const table = confusion(report);
  return heldOut
    ? [h("div", { class: "grid" }, roc(classes, heldOut), calibration(classes, heldOut)), table]
    : [table];
}

// A path has no curve that chose: then the sizes have the row to themselves.
function overview(report: Report): HTMLElement[] {
  const why = curve(report);
  const rest = [coefficients(report), entries(report)];
  return why
    ? [h("div", { class: "grid" }, why, sizes(report), ...rest)]
    : [sizes(report, true), h("div", { class: "grid" }, ...rest)];
}

function comparePage(data: ComparePayload): HTMLElement[] {
  const comparison = new Comparison(data);
  return [
    header(data, `: ${plural(data.methods.length, "method")} compared`),
    rulePicker(comparison),
    methodTable(comparison),
    h("div", { class: "grid" }, tradeOff(comparison), foldErrors(comparison)),
    choices(comparison),
    repeat(data),
  ];
}

function stabilityPage(data: StabilityPayload): HTMLElement[] {
  return [
    header(data, `: ${plural(data.stable, "stable column")} of ${data.candidates}`),
    frequencies(data),
    h("div", { class: "grid" }, bound(data), repeat(data)),
  ];
}

function pageOf(data: Payload | ComparePayload | StabilityPayload): HTMLElement[] {
  if (data.kind === "compare") return comparePage(data);
  return data.kind === "stability" ? stabilityPage(data) : modelPage(data);
}

const data = JSON.parse(document.getElementById("report-data")!.textContent!) as
  Payload | ComparePayload | StabilityPayload;
document.title = `${data.target} · lass0`;
document.getElementById("report")!.append(...pageOf(data));
