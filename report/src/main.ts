// The page: reads the data, and puts the parts in their order. A new kind of result gets its own list of parts.
import { h } from "./dom.ts";
import { count } from "./format.ts";
import type { Payload } from "./payload.ts";
import { Report } from "./report.ts";
import { answer } from "./sections/answer.ts";
import { coefficients } from "./sections/coefficients.ts";
import { curve } from "./sections/curve.ts";
import { entries } from "./sections/entries.ts";
import { header } from "./sections/header.ts";
import { neighbours } from "./sections/neighbours.ts";
import { notes } from "./sections/notes.ts";
import { picker } from "./sections/picker.ts";
import { repeat } from "./sections/repeat.ts";
import { rows } from "./sections/rows.ts";
import { sizes } from "./sections/sizes.ts";

function modelPage(data: Payload): HTMLElement[] {
  const report = new Report(data);
  const facts = [data.ridge > 0 ? "with a ridge" : "", data.weighted ? "weighted" : ""];
  return [
    header(data, `, explained by ${report.first.k} of ${count(data.p)} columns`, facts),
    picker(report),
    answer(report),
    h("div", { class: "grid" }, curve(report), sizes(report), coefficients(report), entries(report)),
    rows(report),
    h("div", { class: "grid" }, neighbours(report), h("div", {}, notes(report), repeat(data))),
  ];
}

const data = JSON.parse(document.getElementById("report-data")!.textContent!) as Payload;
document.title = `${data.target} · lass0`;
document.getElementById("report")!.append(...modelPage(data));
