// The data of a report, as src/report/payload.cpp writes them. Columns are numbered by their place in `columns`.
// A number that is not finite is null.

export interface Column {
  name: string;
  number: number; // in the file, from 1
  mean: number | null;
  sd: number | null;
  target_r: number | null; // correlation with the target
}

// A member, its stand-in, and the relative increase of the loss (null: the loss of the model is 0).
export type StandIn = [member: number, standIn: number, increase: number | null];

export interface Model {
  k: number;
  of_table: boolean; // the best of its size; false: the chosen one, where it is another
  rss: number | null; // of two classes, the deviance
  loss: number | null; // RSS and the ridge's term
  lambda_min: number | null;
  lambda_max: number | null; // null on the envelope: no end
  on_envelope: boolean; // some lambda selects it
  swap_optimal: boolean;
  proven: boolean;
  support: number[];
  coefficients: (number | null)[];
  intercept: number | null;
  residuals: (number | null)[]; // of the rows shown; of two classes, deviance residuals
  stand_ins: StandIn[] | null; // the near ties; null: not looked for
  without: [member: number, increase: number | null][]; // the increase of the loss when a member is removed
  cancelling: number[]; // members whose effects are so large that others must cancel them
  confusion?: Confusion; // on the rows of the fit
}

// Weights of rows by observed class, then by predicted class.
export type Confusion = [[number, number], [number, number]];

// A class of the target; the second one is the one whose probability is predicted.
export interface ClassOfTarget {
  name: string;
  rows: number;
  weight: number;
}

// Rates when the second class is predicted from a probability up (null: never).
export type RocPoint = [falsePositive: number, truePositive: number, from: number | null];

export interface CalibrationBin {
  rows: number;
  predicted: number; // mean probability
  observed: number; // share of the second class, with its 95 % interval
  lower: number;
  upper: number;
}

// Predictions of the chosen model size for held-out rows of two classes.
export interface HeldOut {
  rows: number;
  auc: number;
  confusion: Confusion;
  roc: RocPoint[]; // from (0, 0) to (1, 1)
  calibration: CalibrationBin[];
}

export interface CurvePoint {
  x: number; // lambda or k
  ridge: number;
  error: number | null;
  se: number | null;
  size: number;
  k: number | null; // of the model of all rows that belongs to it
}

// A rule of choice; the first one takes the lowest mean error.
export interface Rule {
  name: string;
  label: string;
  meaning: string;
}

export interface Curve {
  tune: "lambda" | "k";
  measure?: { name: string; meaning: string }; // none: mean squared error
  rules: Rule[];
  rule: number; // the place of the rule that chose, in `rules`
  by_rule: number[]; // the points that the rules choose
  without_ridge: number | null; // the point that the same rule chooses without a ridge; null: no ridge was tried
  points: CurvePoint[];
  chosen: number;
  folds: number;
  folds_done: number;
  repeats: number;
  null_error: number | null; // of the model with no column, on the same held-out rows
  null_se: number | null;
}

// Split-sample p-values: the columns of the chosen model and others that are significant, by p-value.
export interface Inference {
  splits: number;
  splits_done: number;
  size: number; // columns chosen on each half
  columns: { name: string; p_value: number; selected: number; in_model: boolean }[];
}

// Prediction intervals (CV+), as for new rows with the values of the rows shown.
export interface PredictionIntervals {
  coverage: number;
  width: number | null; // the median
  lower: (number | null)[];
  upper: (number | null)[];
}

export interface Names {
  count: number;
  names: string[]; // the first of them
}

// What every report tells about its run.
export interface Run {
  version: string;
  source: string;
  target: string;
  command: string;
  seed: number | null;
  n: number;
  p: number;
  timings: { what: string; seconds: number }[];
}

export interface Payload extends Run {
  kind: "fit" | "cv" | "criterion" | "path";
  tss: number | null; // of two classes, the null deviance
  family?: "binomial"; // none: gaussian
  classes?: [ClassOfTarget, ClassOfTarget];
  ridge: number;
  intercept: boolean;
  weighted: boolean;
  include: number[];
  columns: Column[];
  models: Model[]; // by size; the last may be none of the table's
  shown: number; // the model that the page opens with: the chosen one where there is one
  largest_size: number; // of the whole table
  rows: {
    total: number;
    farthest: number;
    number: number[];
    observed: number[];
    intervals?: PredictionIntervals; // of the chosen model
  };
  neighbours: { column: number; nearest: { column: number; r: number }[] }[];
  notes: {
    constant: Names;
    aliased: Names;
    imputed: Names;
    one_hot: Names;
    rows_dropped: number;
    zero_weights: number;
    separated?: Names; // the columns at which the table had to end
  };
  fit?: {
    status: string;
    explanation: string;
    lambda: number | null;
    objective: number | null;
    r_squared: number | null;
    start: string;
    chosen_in_folds?: { folds: number; times: [column: number, folds: number][] }; // of the chosen model
  };
  curve?: Curve;
  held_out?: HeldOut;
  inference?: Inference;
  criterion?: { name: string; points: { k: number; value: number | null }[]; chosen: number };
  status?: string;
  near_optimal?: NearOptimal;
}

export interface ColumnPrice {
  column: number;
  price_out: number | null; // the rise of the objective without the column; null: there is no such model
  price_in: number | null;
  exact: boolean; // false: lower bounds
  class: "always" | "interchangeable";
}

// The models nearly as good as the best one, which is the first.
export interface NearOptimal {
  within: number;
  count: number;
  complete: boolean; // false: there are at least this many
  best_listed: boolean;
  exact: boolean;
  classes: Record<"always" | "interchangeable" | "never" | "undecided", number>;
  columns: ColumnPrice[]; // those in near-optimal models, the most needed first
  models: { support: number[]; objective: number | null }[]; // by objective
}

export interface MethodByRule {
  nrmse: number[]; // one per outer fold, as the lists below
  to_best: { mean: number | null; se: number | null; distinct: boolean }; // the paired difference
  size: number[];
  hamming: number[] | null; // null: the truth is not known
  chosen: [column: number, folds: number][]; // in how many outer folds a column was in the model
}

export interface Method {
  name: string;
  description: string;
  seconds: number[];
  by_rule: MethodByRule[]; // one per rule
}

export interface StabilityPayload extends Run {
  kind: "stability";
  k: number | null; // what every half was asked for: this many columns, ...
  lambda: number | null; // ... or this price of a column on all rows
  by_cross_validation: boolean; // k was chosen so
  ridge: number;
  included: number; // columns in every model
  pairs: number; // of halves
  pairs_done: number;
  threshold: number;
  stable: number; // how many of the columns reach the threshold: the first ones
  mean_size: number;
  candidates: number; // columns that can be chosen
  low_probability: number;
  expected_low_probability: number;
  expected_low_probability_r_concave: number;
  short_lists: boolean; // halves searched a short list of columns
  columns: { name: string; number: number; halves: number }[]; // the most frequent first
  chosen_ever: number; // columns that some half chose
  never: number;
}

export interface ComparePayload extends Run {
  kind: "compare";
  outer: number;
  outer_done: number;
  inner: number;
  columns: { name: string; number: number }[];
  truth: number[] | null;
  rules: Rule[];
  rule: number; // the place of the default
  methods: Method[];
}
