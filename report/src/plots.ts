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

const LETTER = { width: 6.8, height: 13 }; // about, of names in a plot

// Where to write a name beside each dot of a plot so that it hides neither a dot nor another name: the offset of its
// left end. The nearest free place, to the right first.
export function besideDots<T>(
  plot: SVGSVGElement,
  data: T[],
  x: (datum: T) => number,
  y: (datum: T) => number,
  name: (datum: T) => string,
): { datum: T; dx: number; dy: number }[] {
  const [atX, atY] = (["x", "y"] as const).map((axis) => (plot as unknown as Plot.Plot).scale(axis)!);
  const right = plot.width.baseVal.value - 4;
  const dots = data.map((datum) => ({ x: atX.apply(x(datum)), y: atY.apply(y(datum)) }));
  type Box = { left: number; right: number; top: number; bottom: number };
  const taken: Box[] = dots.map((dot) => ({
    left: dot.x - 7,
    right: dot.x + 7,
    top: dot.y - 7,
    bottom: dot.y + 7,
  }));
  const overlap = (a: Box, b: Box) =>
    a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
  const heights = [0, -1, 1, -1.5, 1.5, -2, 2, -3, 3, -4, 4, -5, 5, -6, 6].map(
    (lines) => lines * LETTER.height,
  );
  return data.map((datum, i) => {
    const width = LETTER.width * [...name(datum)].length;
    const places = heights.flatMap((dy) =>
      [9, -9 - width, -width / 2].map((dx) => {
        const left = dots[i].x + dx;
        const middle = dots[i].y + dy;
        const box = {
          left,
          right: left + width,
          top: middle - LETTER.height / 2,
          bottom: middle + LETTER.height / 2,
        };
        return { dx, dy, box };
      }),
    );
    const free = ({ box }: { box: Box }) =>
      box.left > 40 && box.right < right && box.top > 8 && !taken.some((other) => overlap(box, other));
    const { dx, dy, box } = places.find(free) ?? places[0];
    taken.push(box);
    return { datum, dx, dy };
  });
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
