// How well the two classes are told apart on held-out rows: the ROC curve.
import * as Plot from "@observablehq/plot";
import { card, h } from "../dom.ts";
import { number, plural, shorten } from "../format.ts";
import type { ClassOfTarget, HeldOut, RocPoint } from "../payload.ts";
import { draw } from "../plots.ts";

export function roc(classes: ClassOfTarget[], heldOut: HeldOut): HTMLElement {
  const plot = h("div", { class: "plot" }, rocPlot(heldOut));
  const second = shorten(classes[1].name, 30);
  return card(
    "roc",
    `Telling the classes apart: AUC ${number(heldOut.auc, 3)}`,
    `The ROC curve (receiver operating characteristic) of ${plural(heldOut.rows, "held-out row")}: every point is a threshold of the probability from which “${second}” is predicted. ` +
      "The area under the curve (AUC) is 0.5 for a guess and 1 for perfect predictions. Each row is predicted by models of the chosen size that were fitted without it.",
    plot,
  );
}

function rocPlot({ roc: points, confusion }: HeldOut): SVGSVGElement {
  const [[tn, fp], [fn, tp]] = confusion;
  const half = [{ x: fp / (fp + tn), y: tp / (fn + tp) }];
  const x = ([falsePositive]: RocPoint) => falsePositive;
  const y = ([, truePositive]: RocPoint) => truePositive;
  return draw({
    ariaLabel: "ROC curve",
    height: 380,
    x: { label: "false positive rate (1 − specificity)", domain: [0, 1], ticks: 5 },
    y: { label: "true positive rate (sensitivity)", domain: [0, 1], ticks: 5, grid: true },
    marks: [
      Plot.line(
        [
          [0, 0],
          [1, 1],
        ],
        { stroke: "var(--muted)", strokeDasharray: "4 3" },
      ),
      Plot.areaY(points, { x, y1: 0, y2: y, fill: "var(--positive)", fillOpacity: 0.12 }),
      Plot.line(points, { x, y, stroke: "var(--positive)", strokeWidth: 1.8, ariaDescription: "roc" }),
      Plot.dot(half, {
        x: "x",
        y: "y",
        r: 5,
        fill: "var(--accent)",
        stroke: "var(--card)",
        ariaDescription: "threshold 0.5",
      }),
      Plot.text(half, {
        x: "x",
        y: "y",
        text: () => "0.5",
        dx: 9,
        dy: 9,
        textAnchor: "start",
        fill: "var(--accent)",
        fontWeight: 600,
        stroke: "var(--card)",
        strokeWidth: 4,
      }),
      Plot.tip(
        points,
        Plot.pointer({
          x,
          y,
          title: (point: RocPoint) =>
            [
              point[2] == null ? "never predicted" : `from probability ${number(point[2], 3)}`,
              `true positive rate ${number(point[1], 3)}`,
              `false positive rate ${number(point[0], 3)}`,
            ].join("\n"),
        }),
      ),
    ],
  });
}
