// A comparison of methods with what follows from it, and the rule of choice that is being looked at.
import type { ComparePayload, Method, MethodByRule } from "./payload.ts";

export interface Spread {
  mean: number;
  sd: number;
}

export interface Judged {
  method: Method;
  by: MethodByRule;
  nrmse: Spread;
  size: Spread;
  hamming: Spread | null;
  seconds: Spread;
}

export class Comparison {
  private current: number;
  private readonly listeners: (() => void)[] = [];

  constructor(readonly data: ComparePayload) {
    this.current = data.rule;
  }

  // The place of the rule in data.rules.
  get rule(): number {
    return this.current;
  }
  show(rule: number): void {
    this.current = rule;
    for (const listener of this.listeners) listener();
  }
  // Draws now, and again whenever another rule is shown.
  onChange(draw: () => void): void {
    this.listeners.push(draw);
    draw();
  }

  // By their error, the best first.
  ranked(rule: number = this.rule): Judged[] {
    return this.data.methods
      .map((method) => {
        const by = method.by_rule[rule];
        return {
          method,
          by,
          nrmse: spread(by.nrmse),
          size: spread(by.size),
          hamming: by.hamming && spread(by.hamming),
          seconds: spread(method.seconds),
        };
      })
      .sort((a, b) => a.nrmse.mean - b.nrmse.mean);
  }
}

export function spread(values: number[]): Spread {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  return { mean, sd: values.length > 1 ? Math.sqrt(squares / (values.length - 1)) : 0 };
}
