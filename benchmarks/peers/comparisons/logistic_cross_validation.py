"""Ten-fold cross-validation of logistic regression by deviance, with the same folds for all: time, and
what was chosen."""

from .. import judge, tables
from ..rivals import LOGISTIC_CROSS_VALIDATION
from .cross_validation import RULES, is_finite


def compare(dataset, bench):
    measurements = bench.measure_all(LOGISTIC_CROSS_VALIDATION, dataset, is_finite)
    own = tables.reference(measurements)
    rows = []
    for m in measurements:
        time = [m.setting, tables.seconds(m), tables.ratio(m, own)]
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
                    f"{judge.logistic_test_deviance(dataset, model):.4f}",
                    tables.memory(m),
                ]
            )
    header = [
        "rival",
        "rule",
        "setting",
        "time",
        "time / lass0",
        "size",
        "true",
        "false",
        "Hamming",
        "test deviance / that of the truth",
        "peak MiB",
    ]
    notes = [
        f"{len(dataset.truth)} columns are true. Every rival at its default tolerance; the Lasso "
        "ones on the same 100 lambdas, abess on sizes 0 .. "
        f"{dataset.max_k}, lass0 on lambdas of its own up to that size: `no-ridge` without a ridge, "
        "`ridges` (its default) with the four ridges that it chooses among. The test deviance is "
        "relative to that of the probabilities that the classes were drawn with: 1 is the best there "
        "is."
    ]
    return [
        tables.table(
            "Logistic cross-validation, 10 folds",
            header,
            rows,
            tables.verdict(measurements),
            notes,
        )
    ]
