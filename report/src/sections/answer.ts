// The answer: the model that is shown, its columns by effect, and their stand-ins.
import { card, h } from "../dom.ts";
import { lambdaRange, MISSING, number, percent, shorten } from "../format.ts";
import type { Model } from "../payload.ts";
import type { Member, Report } from "../report.ts";
import { wordsOf } from "../words.ts";

const MOST_IN_FORMULA = 8;

export function answer(report: Report): HTMLElement {
  const tiles = h("div", { class: "tiles" });
  const formula = h("p", { class: "formula" });
  const body = h("tbody");
  const warning = h("p", { class: "warning" });
  const footnote = h("p", { class: "hint" });
  report.onChange(() => {
    const model = report.model;
    const members = report.members(model);
    tiles.replaceChildren(...facts(report, model).map(([label, value, more]) => tile(label, value, more)));
    formula.hidden = members.length > MOST_IN_FORMULA;
    formula.replaceChildren(...equation(report, model, members));
    body.replaceChildren(...rows(report, model, members));
    warning.hidden = model.cancelling.length === 0;
    warning.textContent = collinear(report, model, members);
    footnote.textContent = explain(report, model);
  });
  const titles = [
    ["column", "c0"],
    ["coefficient", "c1"],
    ...(report.data.classes ? [["odds ratio", "odds"]] : []),
    ["effect", "c2"],
    ["", "c3"],
    ...(report.data.fit?.chosen_in_folds ? [["folds", "folds"]] : []),
    [`r with ${shorten(report.data.target, 20)}`, "c4"],
    ["without it", "c5"],
    ["stand-ins (nearly as good)", "c6"],
  ];
  const head = h("tr", {}, ...titles.map(([title, name]) => h("th", { scope: "col", class: name }, title)));
  return card(
    "answer",
    "The model",
    "",
    tiles,
    formula,
    warning,
    h("div", { class: "scroll" }, h("table", {}, h("thead", {}, head), body)),
    footnote,
  );
}

function tile(label: string, value: string, more: string): HTMLElement {
  return h(
    "div",
    { class: "tile" },
    h("span", { class: "label" }, label),
    h("strong", {}, value),
    h("span", { class: "more" }, more),
  );
}

function facts(report: Report, model: Model): [string, string, string][] {
  const { data } = report;
  const list: [string, string, string][] = [];
  const heldOut = report.heldOut(model);
  const empty = model.support.length === 0;
  const words = wordsOf(data);
  if (heldOut) {
    list.push([
      "error on held-out rows",
      number(heldOut.error, 4),
      `${data.curve?.measure?.meaning ?? "mean square"}, ± standard error ${number(heldOut.se, 2)}`,
    ]);
    list.push(...againstNoColumn(report, heldOut.rSquared, empty));
  }
  const rSquared = report.rSquared(model);
  list.push([
    `${words.explained} on the rows of the fit`,
    rSquared == null ? MISSING : number(rSquared, 3),
    `${words.lossInFull} ${number(model.rss, 4)}`,
  ]);
  if (model.of_table)
    list.push([
      "best for lambda",
      lambdaRange(model),
      model.on_envelope
        ? `lambda: price of a column, in units of ${words.lambdaUnit}`
        : "no lambda selects this size",
    ]);
  list.push(["status", ...quality(report, model)]);
  return list;
}

// How much better the error is than that of the model with no column. Only deviances and squares have a ratio with a
// name.
function againstNoColumn(
  { data }: Report,
  rSquared: number | null,
  empty: boolean,
): [string, string, string][] {
  const { measure, null_error } = data.curve!;
  if (measure && measure.name !== "deviance")
    return [["error with no column", number(null_error, 4), "on the same held-out rows"]];
  if (rSquared == null) return [];
  const constant = data.classes ? "the share of the class" : "the mean";
  const none = data.classes ? "0.5" : "0";
  return [
    [
      `${wordsOf(data).explained} on held-out rows`,
      number(rSquared, 3),
      empty
        ? `no column: predicts ${data.intercept ? constant : none} for every row`
        : "1 − error / error with no column",
    ],
  ];
}

function quality(report: Report, model: Model): [string, string] {
  if (model.proven) return ["proven optimal", "no other support of this size is better"];
  if (report.isFirst && report.data.fit) {
    const { status, explanation } = report.data.fit;
    return [status.replaceAll("_", " "), explanation];
  }
  return model.swap_optimal
    ? ["swap optimal", `no swap of a column lowers the ${wordsOf(report.data).loss}`]
    : ["best found", "not all swaps were scored"];
}

function equation(report: Report, model: Model, members: Member[]): (Node | string)[] {
  const { target, classes } = report.data;
  const left = h("bdi", { class: "name" }, shorten(target, 40));
  const parts: (Node | string)[] = classes
    ? ["log-odds of ", left, " = ", h("bdi", { class: "name" }, shorten(classes[1].name, 40)), " ≈ "]
    : [left, " ≈ "];
  const terms = report.data.intercept || members.length === 0 ? [number(model.intercept)] : [];
  parts.push(...terms);
  members.forEach((member, i) => {
    const b = member.coefficient ?? 0;
    const sign = i === 0 && terms.length === 0 ? (b < 0 ? "−" : "") : b < 0 ? " − " : " + ";
    parts.push(
      `${sign}${number(Math.abs(b))} `,
      h("bdi", { class: "name", title: member.column.name }, report.shortName(member.id, 40)),
    );
  });
  return parts;
}

function rows(report: Report, model: Model, members: Member[]): HTMLElement[] {
  const largest = Math.max(...members.map((member) => Math.abs(member.effect)), 0);
  const list = members.map((member) => {
    const share = largest > 0 ? member.effect / largest : 0;
    const bar = h("span", { class: share < 0 ? "bar negative" : "bar" });
    bar.style.width = `${Math.max(1, 100 * Math.abs(share))}%`;
    return h(
      "tr",
      {},
      h(
        "th",
        { scope: "row", title: member.column.name },
        h("bdi", { class: "name" }, report.shortName(member.id, 48)),
        member.included ? h("span", { class: "tag" }, "included") : null,
      ),
      h("td", {}, number(member.coefficient, 6)),
      ...oddsRatio(report, member),
      h("td", { class: "effect" }, number(member.effect)),
      h("td", { class: "bars" }, bar),
      ...inFolds(report, member),
      h("td", { class: "r" }, number(member.column.target_r, 2)),
      h("td", { class: "without" }, without(model, member)),
      h("td", { class: "stand-ins" }, ...standIns(report, model, member)),
    );
  });
  if (report.data.intercept)
    list.push(
      h(
        "tr",
        { class: "intercept" },
        h("th", { scope: "row" }, "(intercept)"),
        h("td", {}, number(model.intercept, 6)),
        ...Array.from(
          { length: 5 + (report.data.fit?.chosen_in_folds ? 1 : 0) + (report.data.classes ? 1 : 0) },
          () => h("td"),
        ),
      ),
    );
  return list;
}

const growth = (increase: number | null) =>
  increase === 0 ? "0 %" : `${(increase ?? 0) > 0 ? "+" : ""}${percent(increase)}`;

// By what the odds of the second class are multiplied when the column grows by 1.
const oddsRatio = (report: Report, { coefficient }: Member): HTMLElement[] =>
  report.data.classes
    ? [h("td", { class: "odds" }, number(coefficient == null ? null : Math.exp(coefficient)))]
    : [];

// How many folds of cross-validation chose a member: known of the chosen model.
function inFolds(report: Report, member: Member): HTMLElement[] {
  const counted = report.data.fit?.chosen_in_folds;
  if (!counted) return [];
  const times = report.isFirst ? counted.times.find(([id]) => id === member.id) : undefined;
  return [h("td", { class: "folds" }, times ? `${times[1]} of ${counted.folds}` : "")];
}

// The cost of removing a member.
function without(model: Model, member: Member): string {
  const found = model.without.find(([id]) => id === member.id);
  return found ? growth(found[1]) : "";
}

// The near ties of one member, with the cost of each.
function standIns(report: Report, model: Model, member: Member): (Node | string)[] {
  if (!model.stand_ins || member.included) return [];
  const near = model.stand_ins.filter(([id]) => id === member.id);
  if (near.length === 0) return [h("span", { class: "none" }, "none")];
  return near.map(([, id, increase]) => {
    const name = report.name(id);
    const cost = growth(increase);
    return h(
      "span",
      {
        class: "chip",
        title: `${name} instead of ${member.column.name}: ${report.data.ridge > 0 ? "loss" : wordsOf(report.data).loss} ${cost}`,
      },
      h("bdi", { class: "name" }, report.shortName(id, 20)),
      h("small", {}, cost),
    );
  });
}

function collinear(report: Report, model: Model, members: Member[]): string {
  const effect = new Map(members.map((member) => [member.id, member.effect]));
  const shown = model.cancelling.slice(0, MOST_IN_FORMULA);
  const names = shown.map((id) => `${report.shortName(id, 30)} (${number(effect.get(id))})`).join(", ");
  const more = model.cancelling.length - shown.length;
  return `Large effects that cancel: ${names}${more > 0 ? ` and ${more} more` : ""}. These columns are nearly collinear, and a single coefficient means little. Exclude one of them, or add a ridge.`;
}

function explain(report: Report, model: Model): string {
  const ridge = report.data.ridge > 0;
  if (model.k === 0) return "";
  const folds =
    report.data.fit?.chosen_in_folds && report.isFirst
      ? " Folds: how many folds of the cross-validation chose the column, too."
      : "";
  const odds = report.data.classes
    ? " An odds ratio is the factor by which the odds grow when the column grows by 1."
    : "";
  const effect = `An effect is the coefficient times the column's standard deviation, so effects of different columns can be compared.${odds}${folds}`;
  if (!model.stand_ins) return `${effect} Stand-ins were not computed for this size.`;
  return `${effect} A percentage is the increase of the ${ridge ? "loss" : wordsOf(report.data).loss} without the column, or with the stand-in instead. With a stand-in the log-likelihood falls by at most 3.`;
}
