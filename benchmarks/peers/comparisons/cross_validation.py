"""Ten-fold cross-validation with the same folds for all: time, and what was chosen."""

import math

from .. import judge, tables
from ..measure import Verdict
from ..rivals import CROSS_VALIDATION

RULES = {0: "least error", 1: "one standard error"}


def is_finite(models):
    if any(not math.isfinite(value) for model in models.values() for value in model.values()):
        return Verdict(wrong="a coefficient is not finite")
    return Verdict()


def compare(dataset, bench):
    measurements = bench.measure_all(CROSS_VALIDATION, dataset, is_finite)
    own = tables.reference(measurements)
    rows = []
    for m in measurements:
        time = [tables.seconds(m), tables.ratio(m, own)]
        if m.failure:
            rows.append([m.rival, "-", *time, *["-"] * 6])
        for point, model in m.models.items():
            found = judge.recovery(dataset, model)
            rows.append(
                [
                    m.rival,
                    RULES[point],
                    *time,
                    str(len(model)),
                    str(found["true"]),
                    str(found["false"]),
                    str(found["hamming"]),
                    f"{judge.test_error(dataset, model):.4f}",
                    tables.memory(m),
                ]
            )
    header = [
        "rival",
        "rule",
        "time",
        "time / lass0",
        "size",
        "true",
        "false",
        "Hamming",
        "test error / noise^2",
        "peak MiB",
    ]
    notes = [
        f"{len(dataset.truth)} columns are true. Every rival at its default tolerance; the Lasso "
        "ones on the 100 lambdas of the path, the L0 ones on sizes 0 .. "
        f"{dataset.max_k}, lass0 on the grid of its own default."
    ]
    return [
        tables.table(
            "Cross-validation, 10 folds", header, rows, tables.verdict(measurements), notes
        )
    ]
