// Elements without markup: every text goes in as text, so a name can't become a tag.

type Attributes = Record<string, string | number | boolean | ((event: Event) => void)>;
type Child = Node | string | null | undefined;

export function h<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Attributes = {},
  ...children: Child[]
): HTMLElementTagNameMap[Tag] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(name, value);
    else if (typeof value === "boolean") element.toggleAttribute(name, value);
    else element.setAttribute(name, String(value));
  }
  element.append(...children.filter((child): child is Node | string => child != null));
  return element;
}

// What only a reader at a screen can do: paper does not say it.
export const onScreen = (text: string): HTMLElement => h("span", { class: "on-screen" }, text);

// A part of the page with a heading, a sentence on what it shows, and room for what is drawn.
export function card(
  id: string,
  title: string,
  hint: string | (string | Node)[],
  ...children: Child[]
): HTMLElement {
  const hints = typeof hint === "string" ? [hint] : hint;
  return h(
    "section",
    { class: "card", id },
    h("h2", {}, title),
    hint ? h("p", { class: "hint" }, ...hints) : null,
    ...children,
  );
}
