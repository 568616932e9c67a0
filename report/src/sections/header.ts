// What the report is about, in one line, and light or dark.
import { h } from "../dom.ts";
import { plural } from "../format.ts";
import type { Run } from "../payload.ts";

// The title is the target's name and what follows.
export function header(run: Run, title: string, facts: string[] = []): HTMLElement {
  const all = [run.source, plural(run.n, "row"), plural(run.p, "column"), ...facts];
  return h(
    "header",
    {},
    h(
      "div",
      {},
      h("p", { class: "eyebrow" }, "lass0 report"),
      h("h1", {}, h("bdi", { class: "name" }, run.target), title),
      h("p", { class: "facts" }, all.filter(Boolean).join(" · ")),
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
