// What happened to the data before and during the search.
import { card, h } from "../dom.ts";
import { plural } from "../format.ts";
import type { Names } from "../payload.ts";
import type { Report } from "../report.ts";

export function notes(report: Report): HTMLElement {
  const { notes: all, include, largest_size, intercept, weighted } = report.data;
  const list = h("ul", { class: "notes" });
  const say = (text: string, names?: Names) => list.append(h("li", {}, text, names ? nameList(names) : null));
  const columns = (names: Names, text: (what: string, are: string) => string) => {
    if (names.count > 0) say(text(plural(names.count, "column"), names.count === 1 ? "is" : "are"), names);
  };
  report.data.classes?.forEach(({ name, rows }, i) =>
    say(`${plural(rows, "row")} of class ${i}${i === 1 ? ", whose probability is predicted" : ""}: `, {
      count: 1,
      names: [name],
    }),
  );
  if (report.data.tss === 0) say("The target is constant: there is nothing to explain.");
  columns(all.constant, (what, are) => `${what} without variation ${are} ignored: `);
  columns(
    all.aliased,
    (what, are) => `${what} ${are} explained entirely by other columns (aliased) and could not be chosen: `,
  );
  columns(all.imputed, (what) => `${what} had missing values, which were replaced by the column's mean: `);
  if (all.one_hot.count > 0)
    say(`${plural(all.one_hot.count, "text column")} became 0/1 columns: `, all.one_hot);
  if (all.rows_dropped > 0) say(`${plural(all.rows_dropped, "row")} with missing values dropped.`);
  if (all.zero_weights > 0) say(`${plural(all.zero_weights, "row")} of weight 0 ignored.`);
  if (weighted) say("Rows are weighted.");
  if (!intercept) say("The model has no intercept.");
  if (include.length > 0)
    say(`${plural(include.length, "column")} included in every model, not counted in its size: `, {
      count: include.length,
      names: include.map((id) => report.name(id)),
    });
  if (all.separated)
    say(
      `The search ends at ${plural(largest_size, "column")}: some combination of the next ones separates the classes, so that no finite coefficients fit best. A ridge allows more columns. They are `,
      all.separated,
    );
  if (largest_size >= report.bySize.length)
    say(`The page shows sizes up to ${report.bySize.length - 1}; the search went up to ${largest_size}.`);
  if (list.children.length === 0) say("Nothing was missing, constant, aliased or dropped.");
  return card("notes", "About the data", "", list);
}

function nameList(names: Names): HTMLElement {
  const more = names.count - names.names.length;
  const items = names.names.flatMap((name, i) => [i > 0 ? ", " : "", h("bdi", { class: "name" }, name)]);
  return h("span", { class: "names" }, ...items, more > 0 ? ` and ${more} more` : "");
}
