// What all plots share: their look, their width, and how they are clicked.
import * as Plot from "@observablehq/plot";
import { minus, number } from "./format.ts";

// Drawn for the screen it is opened on, so that a telephone has letters of the same size.
const narrow = typeof matchMedia === "function" && matchMedia("screen and (max-width: 520px)").matches;
export const WIDTH = narrow ? { half: 340, full: 700 } : { half: 520, full: 1080 };

export function draw(options: Plot.PlotOptions): SVGSVGElement {
  const plot = Plot.plot({
    width: WIDTH.half,
    height: 300,
    marginLeft: 52,
    marginRight: 18,
    marginTop: 24,
    marginBottom: 40,
    style: { background: "transparent", fontFamily: "inherit", fontSize: "11.5px", overflow: "visible" },
    ...options,
    x: withNumbers(options.x),
    y: withNumbers(options.y),
  }) as unknown as SVGSVGElement;
  plot.setAttribute("role", "img");
  return plot;
}

// Ticks that stay short: 1000, 2e8.
function withNumbers(axis: Plot.PlotOptions["x"]): Plot.PlotOptions["x"] {
  return axis?.type === "band" || axis?.type === "point" ? axis : { tickFormat: tickNumber, ...axis };
}

function tickNumber(value: number): string {
  const size = Math.abs(value);
  if (size >= 1e5 || (size < 1e-3 && size > 0))
    return minus(Number(value.toPrecision(6)).toExponential().replace("e+", "e"));
  return minus(String(Number(value.toPrecision(6))));
}

// A click anywhere on a plot means the datum nearest along x, as the hover shows it.
export function onClickX<T>(
  plot: SVGSVGElement,
  data: T[],
  x: (datum: T) => number,
  act: (datum: T) => void,
): void {
  const scale = (plot as unknown as Plot.Plot).scale("x");
  if (!scale || data.length === 0) return;
  plot.classList.add("clickable");
  plot.addEventListener("click", (event) => {
    const box = plot.getBoundingClientRect();
    const at = ((event.clientX - box.left) * plot.width.baseVal.value) / box.width;
    const distance = (datum: T) => Math.abs(scale.apply(x(datum)) - at);
    act(data.reduce((best, datum) => (distance(datum) < distance(best) ? datum : best)));
  });
}

// Hover text: lines of "what value", by whatever is nearest along x.
export function tipX<T>(
  data: T[],
  x: (datum: T) => number,
  y: (datum: T) => number,
  lines: (datum: T) => string[],
): Plot.Markish {
  return Plot.tip(
    data,
    Plot.pointerX({ x, y, title: (datum: T) => lines(datum).join("\n"), maxRadius: Infinity }),
  );
}

// Whole numbers for an axis of sizes, not too many.
export function sizeTicks(largest: number): number[] {
  const most = WIDTH.half / 42;
  const step = [1, 2, 5, 10, 20, 25, 50].find((s) => largest / s <= most) ?? 100;
  return Array.from({ length: Math.floor(largest / step) + 1 }, (_, i) => i * step);
}

// Room for names beside a plot.
export const nameMargin = (names: string[], length: number) =>
  20 + 6.6 * Math.min(length, Math.max(4, ...names.map((name) => [...name].length)));

// Labels at the heights of what they name, moved down where they would overlap, in a plot that shows `all` heights.
export function apart<T>(
  data: T[],
  y: (datum: T) => number,
  all: number[],
  lines = 24,
): (T & { at: number })[] {
  const gap = (Math.max(...all) - Math.min(...all)) / lines;
  const labels = data.map((datum) => ({ ...datum, at: y(datum) })).sort((a, b) => b.at - a.at);
  for (let i = 1; i < labels.length; ++i) labels[i].at = Math.min(labels[i].at, labels[i - 1].at - gap);
  return labels;
}

// A logarithmic axis where values span a wide range, so that the small ones can be told apart; all of it is used.
export function spanAxis(values: number[]): Plot.ScaleOptions {
  const [low, high] = [Math.min(...values), Math.max(...values)];
  if (!(low > 0 && high > 3 * low)) return { nice: true };
  const labelled = high > 100 * low ? [1] : [1, 2, 3, 5];
  const digit = (v: number) => Math.round(v / 10 ** Math.floor(Math.log10(v) + 1e-9));
  return {
    type: "log",
    domain: [low / 1.1, high * 1.1],
    ticks: 5,
    tickFormat: (v: number) => (labelled.includes(digit(v)) ? number(v, 2) : ""),
  };
}

export const signColour = (value: number) => (value < 0 ? "var(--negative)" : "var(--positive)");

// One colour for each of the first few columns of a model.
export const CATEGORIES = Array.from({ length: 8 }, (_, i) => `var(--category-${i + 1})`);
