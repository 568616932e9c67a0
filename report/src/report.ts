// The data with what follows from them, and the model that is being looked at.
import { shortNames } from "./format.ts";
import type { Column, CurvePoint, Model, Payload } from "./payload.ts";

export interface Member {
  id: number; // of its column
  column: Column;
  coefficient: number | null;
  effect: number; // coefficient times the column's standard deviation
  included: boolean;
}

export interface HeldOut {
  error: number;
  se: number | null;
  rSquared: number | null;
}

// Far more columns than the first model has are of little interest, and would crowd out the rest.
const FOCUS = { least: 20, times: 3 };

export class Report {
  readonly bySize: Model[]; // the best of every size
  private current: number;
  private limit: number; // the largest size that is drawn
  private readonly listeners: (() => void)[] = [];
  private readonly short = new Map<number, string[]>();

  constructor(readonly data: Payload) {
    this.bySize = data.models.filter((model) => model.of_table);
    this.current = data.shown;
    this.limit = Math.min(this.largest, Math.max(FOCUS.least, FOCUS.times * this.first.k));
  }

  get largest(): number {
    return this.bySize.length - 1;
  }
  // The sizes that are drawn: those about the first model, or all.
  get sizes(): Model[] {
    return this.bySize.slice(0, this.limit + 1);
  }
  get showsAll(): boolean {
    return this.limit === this.largest;
  }
  showAll(): void {
    this.limit = this.largest;
    this.tell();
  }

  get model(): Model {
    return this.data.models[this.current];
  }
  get first(): Model {
    return this.data.models[this.data.shown];
  }
  get isFirst(): boolean {
    return this.current === this.data.shown;
  }
  get hasChoice(): boolean {
    return this.data.kind !== "path";
  }

  // The model of a size: the chosen one where it has that size.
  showSize(k: number): void {
    const size = Math.max(0, Math.min(k, this.largest));
    if (size > this.limit) this.limit = this.largest;
    this.show(this.first.k === k ? this.data.shown : size);
  }
  showFirst(): void {
    this.show(this.data.shown);
  }
  private show(index: number): void {
    if (index === this.current) return;
    this.current = index;
    this.tell();
  }
  private tell(): void {
    for (const listener of this.listeners) listener();
  }

  // Draws now, and again whenever another model is shown.
  onChange(draw: () => void): void {
    this.listeners.push(draw);
    draw();
  }

  name(id: number): string {
    return this.data.columns[id].name;
  }
  // Cut to a length, and still distinct from the others.
  shortName(id: number, length: number): string {
    if (!this.short.has(length)) this.short.set(length, shortNames(this.data.columns, length));
    return this.short.get(length)![id];
  }

  // By the size of their effects.
  members(model: Model): Member[] {
    const included = new Set(this.data.include);
    return model.support
      .map((id, i) => {
        const column = this.data.columns[id];
        const coefficient = model.coefficients[i];
        return {
          id,
          column,
          coefficient,
          effect: (coefficient ?? 0) * (column.sd ?? 0),
          included: included.has(id),
        };
      })
      .sort((a, b) => Math.abs(b.effect) - Math.abs(a.effect) || a.column.number - b.column.number);
  }

  // On the rows of the fit.
  rSquared(model: Model): number | null {
    const { tss } = this.data;
    if (model.support.length === 0) return 0;
    return model.rss == null || !tss ? null : 1 - model.rss / tss;
  }

  // On held-out rows: the error and R², which is relative to the error of the model with no column.
  heldOut(model: Model): HeldOut | null {
    const { curve } = this.data;
    if (curve && model.support.length === 0)
      return curve.null_error == null ? null : { error: curve.null_error, se: curve.null_se, rSquared: 0 };
    const point = this.curvePoint(model);
    if (point?.error == null) return null;
    const rSquared = curve!.null_error ? 1 - point.error / curve!.null_error : null;
    return { error: point.error, se: point.se, rSquared };
  }

  // The point of the curve that belongs to a model: its own where it was chosen, else the best of those that lead to
  // it. That of the model with no column has no column in any fold.
  curvePoint(model: Model): CurvePoint | null {
    const { curve } = this.data;
    if (!curve) return null;
    const empty = model.support.length === 0;
    const chosen = curve.points[curve.chosen];
    if (model === this.first && (!empty || chosen.size === 0)) return chosen;
    if (!model.of_table) return null;
    const own = curve.points.filter(
      (point) => point.k === model.k && point.error != null && (!empty || point.size === 0),
    );
    return own.reduce<CurvePoint | null>(
      (best, point) => (best && best.error! <= point.error! ? best : point),
      null,
    );
  }
}
