// Numbers and names as people read them.

export const MISSING = "–";

export function number(value: number | null | undefined, digits = 4): string {
  if (value == null || !Number.isFinite(value)) return MISSING;
  if (value === 0) return "0";
  const size = Math.abs(value);
  if (size >= 1e7 || size < 1e-4)
    return minus(
      value
        .toExponential(digits - 1)
        .replace(/\.?0+e/, "e")
        .replace("e+", "e"),
    );
  const text = value.toPrecision(digits);
  const plain = text.includes("e") ? String(Number(text)) : text;
  return minus(plain.includes(".") ? plain.replace(/\.?0+$/, "") : plain);
}

export const minus = (text: string) => text.replace(/^-/, "−").replace("e-", "e−");

export const count = (n: number) => n.toLocaleString("en-US");

export const plural = (n: number, thing: string) => `${count(n)} ${thing}${n === 1 ? "" : "s"}`;

export function percent(share: number | null, digits = 2): string {
  if (share == null || !Number.isFinite(share)) return MISSING;
  return `${number(100 * share, digits)} %`;
}

// Cut in the middle: what tells names apart is often at their end.
export function shorten(name: string, length: number): string {
  const characters = [...name.replace(/\s+/g, " ")];
  if (characters.length <= length) return characters.join("");
  const tail = Math.floor((length - 1) / 3);
  return [...characters.slice(0, length - 1 - tail), "…", ...characters.slice(characters.length - tail)].join(
    "",
  );
}

// Short names that stay distinct: where cutting in the middle makes two of them the same, the part where they differ is
// kept, or else the number of the column.
export function shortNames(columns: { name: string; number: number }[], length: number): string[] {
  const short = columns.map(({ name }) => shorten(name, length));
  const groups = new Map<string, number[]>();
  short.forEach((text, i) => groups.set(text, [...(groups.get(text) ?? []), i]));
  for (const group of groups.values()) {
    if (group.length < 2) continue;
    const names = group.map((i) => [...columns[i].name.replace(/\s+/g, " ")]);
    const start = names[0].findIndex((c, at) => names.some((name) => name[at] !== c));
    const head = Math.floor(length / 3);
    const cut = names.map((name) =>
      shorten(`${name.slice(0, head).join("")}…${name.slice(Math.max(head, start)).join("")}`, length),
    );
    const distinct = new Set([...cut, ...short]).size === cut.length + new Set(short).size;
    group.forEach((i, at) => {
      const number = `…#${columns[i].number}`;
      short[i] = distinct ? cut[at] : names[at].slice(0, length - number.length).join("") + number;
    });
  }
  return short;
}

export function lambdaRange(model: {
  on_envelope: boolean;
  lambda_min: number | null;
  lambda_max: number | null;
}): string {
  if (!model.on_envelope) return "none";
  if (model.lambda_max == null) return `≥ ${number(model.lambda_min, 3)}`;
  return `${number(model.lambda_min, 3)} to ${number(model.lambda_max, 3)}`;
}
