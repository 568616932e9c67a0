// How the coefficients change with the size, on one scale: as effects.
import * as Plot from "@observablehq/plot";
import { card, h } from "../dom.ts";
import { number, shorten } from "../format.ts";
import { apart, CATEGORIES, draw, nameMargin, onClickX, sizeTicks } from "../plots.ts";
import type { Member, Report } from "../report.ts";

interface Point extends Member {
  k: number;
  piece: string; // a line ends where its column leaves
}

const LABEL = 18; // characters

export function coefficients(report: Report): HTMLElement {
  const everything = trace(report);
  const holder = h("div", { class: "plot" });
  report.onChange(() => {
    const largest = report.sizes.length - 1;
    const points = everything.filter((point) => point.k <= largest);
    if (points.length === 0) {
      holder.replaceChildren(h("p", { class: "none" }, "No model has a column."));
      return;
    }
    const members = report.members(report.model);
    const coloured = new Map(
      members.slice(0, CATEGORIES.length).map((member, i) => [member.id, CATEGORIES[i]]),
    );
    const colour = (point: Point) => coloured.get(point.id) ?? "var(--faint)";
    const [front, back] = [
      points.filter((point) => coloured.has(point.id)),
      points.filter((point) => !coloured.has(point.id)),
    ];
    const effects = points.map((point) => point.effect);
    const labels = apart(lastOf(front), (point) => point.effect, effects);
    const k = Math.min(report.model.k, largest);
    const plot = draw({
      ariaLabel: "Effects over the number of columns",
      height: 380,
      marginRight: nameMargin(
        [...coloured.keys()].map((id) => report.name(id)),
        LABEL,
      ),
      x: { label: "columns (k)", ticks: sizeTicks(largest), domain: [0, Math.max(largest, 1)] },
      y: { label: "effect (coefficient × standard deviation)", grid: true, nice: true },
      marks: [
        Plot.ruleY([0], { stroke: "var(--muted)" }),
        Plot.ruleX([k], { stroke: "var(--accent)", strokeOpacity: 0.55 }),
        Plot.line(back, {
          x: "k",
          y: "effect",
          z: "piece",
          stroke: "var(--faint)",
          strokeWidth: 1,
          ariaDescription: "other columns",
        }),
        Plot.line(front, {
          x: "k",
          y: "effect",
          z: "piece",
          stroke: colour,
          strokeWidth: 2,
          ariaDescription: "columns of the model",
        }),
        Plot.dot(points, {
          x: "k",
          y: "effect",
          r: largest > 40 ? 1.2 : 2,
          fill: colour,
          ariaDescription: "effects",
        }),
        Plot.text(labels, {
          x: () => largest,
          y: "at",
          text: (one: Point) => report.shortName(one.id, LABEL),
          title: (one: Point) => one.column.name,
          fill: colour,
          textAnchor: "start",
          dx: 8,
          fontWeight: 600,
          ariaDescription: "labels",
        }),
        Plot.tip(
          points,
          Plot.pointer({
            x: "k",
            y: "effect",
            title: (point: Point) =>
              [
                shorten(point.column.name, 60),
                `k ${point.k}`,
                `effect ${number(point.effect)}`,
                `coefficient ${number(point.coefficient)}`,
              ].join("\n"),
          }),
        ),
      ],
    });
    onClickX(
      plot,
      report.sizes,
      (model) => model.k,
      (model) => report.showSize(model.k),
    );
    holder.replaceChildren(plot);
  });
  return card(
    "coefficients",
    "Coefficients over the sizes",
    "One line per column; the columns of the shown model are coloured. A level line is an effect that does not depend on the other columns of the model.",
    holder,
  );
}

function trace(report: Report): Point[] {
  const points: Point[] = [];
  const last = new Map<number, { k: number; piece: number }>();
  for (const model of report.bySize) {
    for (const member of report.members(model)) {
      const before = last.get(member.id);
      const piece = before ? before.piece + (before.k < model.k - 1 ? 1 : 0) : 0;
      last.set(member.id, { k: model.k, piece });
      points.push({ ...member, k: model.k, piece: `${member.id}/${piece}` });
    }
  }
  return points;
}

function lastOf(points: Point[]): Point[] {
  return [...new Map(points.map((point) => [point.id, point])).values()];
}
