// What the report is about, in one line, and light or dark.
import { h } from "../dom.ts";
import { count, plural } from "../format.ts";
import type { Report } from "../report.ts";

export function header(report: Report): HTMLElement {
  const { data } = report;
  const facts = [data.source, plural(data.n, "row"), plural(data.p, "column")];
  if (data.ridge > 0) facts.push("with a ridge");
  if (data.weighted) facts.push("weighted");
  return h(
    "header",
    {},
    h(
      "div",
      {},
      h("p", { class: "eyebrow" }, "lass0 report"),
      h(
        "h1",
        {},
        h("bdi", { class: "name" }, data.target),
        `, explained by ${report.first.k} of ${count(data.p)} columns`,
      ),
      h("p", { class: "facts" }, facts.filter(Boolean).join(" · ")),
    ),
    themeButton(),
  );
}

function themeButton(): HTMLElement {
  const root = document.documentElement;
  const isDark = () =>
    root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  const button = h("button", {
    class: "theme",
    type: "button",
    "aria-label": "Switch between light and dark",
    click: () => {
      root.dataset.theme = isDark() ? "light" : "dark";
      show();
    },
  });
  const show = () => (button.textContent = isDark() ? "Light" : "Dark");
  show();
  return button;
}
