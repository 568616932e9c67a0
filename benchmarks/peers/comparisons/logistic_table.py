"""Logistic regression on the best support of every size 0 .. K: negative log-likelihood after an exact
fit, size by size."""

from .. import judge
from ..rivals import LOGISTIC_TABLE
from .l0_table import size_by_size, sizes_are_right


def compare(dataset, bench):
    measurements = bench.measure_all(LOGISTIC_TABLE, dataset, sizes_are_right)
    refitter = judge.LogisticRefitter(dataset)
    losses = {}
    for m in measurements:
        fitted = {k: refitter.loss(model) for k, model in m.models.items()}
        losses[id(m)] = {k: loss for k, loss in fitted.items() if loss is not None}
    return [
        size_by_size(
            "Logistic regression, every size",
            "loss",
            dataset,
            measurements,
            losses,
            "Loss: the negative log-likelihood after an exact fit on each support, by the same code",
            " Sizes whose support separates the two classes have no finite fit and are not compared.",
        )
    ]
