// Whether probabilities are right: predicted against observed shares, on held-out rows.
import * as Plot from "@observablehq/plot";
import { card, h } from "../dom.ts";
import { number, percent, plural, shorten } from "../format.ts";
import type { CalibrationBin, ClassOfTarget, HeldOut } from "../payload.ts";
import { draw } from "../plots.ts";

export function calibration(classes: ClassOfTarget[], heldOut: HeldOut): HTMLElement {
  return card(
    "calibration",
    "Are the probabilities right?",
    `The held-out rows in ${plural(heldOut.calibration.length, "group")} of neighbouring probabilities: the share of “${shorten(classes[1].name, 30)}” against the mean probability that was predicted. ` +
      "Bars are 95 % intervals (Wilson) for the share. On the dashed line, the probabilities are right.",
    h("div", { class: "plot" }, plot(heldOut.calibration)),
  );
}

function plot(bins: CalibrationBin[]): SVGSVGElement {
  return draw({
    ariaLabel: "Observed share against predicted probability",
    height: 380,
    x: { label: "predicted probability", domain: [0, 1], ticks: 5 },
    y: { label: "observed share", domain: [0, 1], ticks: 5, grid: true },
    marks: [
      Plot.line(
        [
          [0, 0],
          [1, 1],
        ],
        { stroke: "var(--muted)", strokeDasharray: "4 3" },
      ),
      Plot.ruleX(bins, {
        x: "predicted",
        y1: "lower",
        y2: "upper",
        stroke: "var(--positive)",
        strokeWidth: 1.6,
        strokeOpacity: 0.6,
        ariaDescription: "intervals",
      }),
      Plot.line(bins, { x: "predicted", y: "observed", stroke: "var(--positive)", strokeOpacity: 0.5 }),
      Plot.dot(bins, {
        x: "predicted",
        y: "observed",
        r: 4,
        fill: "var(--positive)",
        stroke: "var(--card)",
        ariaDescription: "groups",
      }),
      Plot.tip(
        bins,
        Plot.pointer({
          x: "predicted",
          y: "observed",
          title: (bin: CalibrationBin) =>
            [
              plural(bin.rows, "row"),
              `predicted ${percent(bin.predicted, 3)}`,
              `observed ${percent(bin.observed, 3)} (${number(100 * bin.lower, 2)} to ${percent(bin.upper, 2)})`,
            ].join("\n"),
        }),
      ),
    ],
  });
}
