"""Ten-fold cross-validation of logistic regression by deviance, with the same folds for all: time, and
what was chosen."""

from .. import judge
from ..rivals import LOGISTIC_CROSS_VALIDATION
from .cross_validation import chosen_models, is_finite


def compare(dataset, bench):
    measurements = bench.measure_all(LOGISTIC_CROSS_VALIDATION, dataset, is_finite)
    note = (
        "Every rival at its default tolerance; the Lasso ones on the same 100 lambdas, abess on sizes "
        f"0 .. {dataset.max_k}, lass0 on lambdas of its own up to that size: `no-ridge` without a "
        "ridge, `ridges` (its default) with the four ridges that it chooses among. The test deviance "
        "is relative to that of the probabilities that the classes were drawn with: 1 is the best "
        "there is."
    )
    error = "test deviance / that of the truth", judge.logistic_test_deviance
    title = "Logistic cross-validation, 10 folds"
    return [chosen_models(title, dataset, measurements, error, note, settings=True)]
