// How to get the same numbers again.
import { card, h } from "../dom.ts";
import { MISSING, number } from "../format.ts";
import type { Run } from "../payload.ts";

export function repeat({ command, version, seed, timings }: Run): HTMLElement {
  const facts: [string, string][] = [
    ["version", `lass0 ${version}`],
    ["seed", seed == null ? `${MISSING} (nothing was random)` : String(seed)],
    ...timings.map(({ what, seconds }): [string, string] => [what, `${number(seconds, 2)} s`]),
  ];
  const pre = h("pre", { class: "command" }, command || "not recorded");
  const list = h("dl", {}, ...facts.flatMap(([term, value]) => [h("dt", {}, term), h("dd", {}, value)]));
  return card("repeat", "To repeat it", "", pre, list);
}
