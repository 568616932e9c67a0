"""The Lasso path of 100 lambdas, to a duality gap of 1e-6, and to an objective within 1e-6 of the
least."""

import numpy as np

from .. import judge, tables
from ..measure import Verdict
from ..rivals import LASSO_PATH

GAP = 1e-6
EXCESS = 1e-6


def compare(dataset, bench):
    objectives = []

    def verdict(models):
        if len(models) != len(dataset.lambdas):
            return Verdict(wrong=f"{len(models)} of {len(dataset.lambdas)} lambdas")
        gaps, objective = judge.lasso_gaps(dataset, models)
        if not np.isfinite(gaps).all():
            return Verdict(wrong="a coefficient is not finite")
        objectives.append(objective)
        mine = len(objectives) - 1

        def excess():
            return float((objectives[mine] - np.min(objectives, axis=0)).max())

        facts = {"gap": float(gaps.max()), "excess": excess, "size": len(models[max(models)])}
        return Verdict(facts, precise=gaps.max() <= GAP, close=lambda: excess() <= EXCESS)

    measurements = bench.measure_all(LASSO_PATH, dataset, verdict)
    own = tables.reference(measurements)
    rows = []
    for m in measurements:
        excess = m.facts["excess"]() if "excess" in m.facts else None
        rows.append(
            [
                m.rival,
                m.setting,
                tables.seconds(m),
                tables.ratio(m, own),
                tables.number(m.facts.get("gap"), ".1e"),
                mark(m, m.precise),
                tables.number(excess, ".1e"),
                mark(m, m.close()),
                str(m.facts.get("size", "-")),
                tables.memory(m),
            ]
        )
    header = [
        "rival",
        "tolerance",
        "time",
        "time / lass0",
        "largest gap",
        f"<= {GAP:g}",
        "largest excess",
        f"<= {EXCESS:g}",
        "size at the end",
        "peak MiB",
    ]
    notes = [
        f"{len(dataset.lambdas)} lambdas, the smallest {dataset.ratio:g} of the largest. Gap: "
        "the duality gap. Excess: the objective minus the lowest of all rivals. Both are "
        "relative to 1/2 y'y, and the largest over the path. Each rival has a row for the "
        "loosest setting that reaches the gap, one for the loosest that reaches the objective, "
        "and one for its default, if they differ. The gap is computed at the residual and is "
        "strict for methods that stop by other rules; the excess is about the "
        "objective only."
    ]
    summary = (
        f"gap <= {GAP:g}: {tables.verdict(measurements)}; "
        f"objective within {EXCESS:g}: {tables.verdict(measurements, lambda m: m.close())}"
    )
    return [tables.table("Lasso path", header, rows, summary, notes)]


def mark(measurement, reached):
    return "-" if measurement.failure else "yes" if reached else "no"
