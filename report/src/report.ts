// The data with what follows from them, and the model that is being looked at.
import type { Column, Model, Payload } from "./payload.ts";

export interface Member {
  id: number; // of its column
  column: Column;
  coefficient: number | null;
  effect: number; // coefficient times the column's deviation
  included: boolean;
}

// Far more columns than the first model has are of little interest, and would crowd out the rest.
const FOCUS = { least: 20, times: 3 };

export class Report {
  readonly bySize: Model[]; // the best of every size
  private current: number;
  private limit: number; // the largest size that is drawn
  private readonly listeners: (() => void)[] = [];

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

  rSquared(model: Model): number | null {
    const { tss } = this.data;
    return model.rss == null || !tss ? null : 1 - model.rss / tss;
  }

  // The error on rows left out that belongs to a model: its own point of the curve where it was chosen, else the
  // best of the points that lead to it.
  curvePoint(model: Model) {
    const curve = this.data.curve;
    if (!curve) return null;
    if (model === this.first) return curve.points[curve.chosen];
    if (!model.of_table) return null;
    const own = curve.points.filter((point) => point.k === model.k && point.error != null);
    return own.reduce<(typeof own)[number] | null>(
      (best, point) => (best && best.error! <= point.error! ? best : point),
      null,
    );
  }
}
