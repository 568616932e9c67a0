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
    note = (
        "Every rival at its default tolerance; the Lasso ones on the 100 lambdas of the path, the L0 "
        f"ones on sizes 0 .. {dataset.max_k}, lass0 on the grid of its own default."
    )
    error = "test error / noise^2", judge.test_error
    return [chosen_models("Cross-validation, 10 folds", dataset, measurements, error, note)]


def chosen_models(title, dataset, measurements, error, note, settings=False):
    """`error`: its heading, and a function of the data and a model. `settings`: show them."""
    heading, error_of = error
    own = tables.reference(measurements)
    rows = []
    for m in measurements:
        time = [*([m.setting] if settings else []), tables.seconds(m), tables.ratio(m, own)]
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
                    f"{error_of(dataset, model):.4f}",
                    tables.memory(m),
                ]
            )
    header = [
        "rival",
        "rule",
        *(["setting"] if settings else []),
        "time",
        "time / lass0",
        "size",
        "true",
        "false",
        "Hamming",
        heading,
        "peak MiB",
    ]
    notes = [f"{len(dataset.truth)} columns are true. {note}"]
    return tables.table(title, header, rows, tables.verdict(measurements), notes)
