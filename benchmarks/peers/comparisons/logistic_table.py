"""Logistic regression on the best support of every size 0 .. K: negative log-likelihood after an exact
fit, size by size."""

from .. import judge, tables
from ..rivals import LOGISTIC_TABLE
from .l0_table import SAME, at_true_size, duel, sizes_are_right


def compare(dataset, bench):
    measurements = bench.measure_all(LOGISTIC_TABLE, dataset, sizes_are_right)
    refitter = judge.LogisticRefitter(dataset)
    losses = {}
    for m in measurements:
        fitted = {k: refitter.loss(model) for k, model in m.models.items()}
        losses[id(m)] = {k: loss for k, loss in fitted.items() if loss is not None}
    own = tables.reference(measurements)
    rows = []
    for m in measurements:
        rows.append(
            [
                m.rival,
                tables.seconds(m),
                tables.ratio(m, own),
                *duel(losses[id(m)], losses[id(own)] if own else {}, m is own),
                at_true_size(dataset, m),
                tables.memory(m),
            ]
        )
    scores = [
        f"{m.rival} has the lower loss at {row[4]} sizes, lass0 at {row[6]}, of {row[3]}"
        for m, row in zip(measurements, rows)
        if m.rival != "lass0" and not m.failure and own
    ]
    header = [
        "rival",
        "time",
        "time / lass0",
        "sizes compared",
        "its loss lower",
        "equal",
        "lass0's loss lower",
        "its worst excess over lass0",
        "lass0's worst excess over it",
        "Hamming at the true size",
        "peak MiB",
    ]
    notes = [
        f"Sizes 0 .. {dataset.max_k}. Loss: the negative log-likelihood after an exact fit on each "
        f"support, by the same code; equal: to {SAME:g}, relatively. Sizes whose support separates "
        "the two classes have no finite fit and are not compared."
    ]
    return [
        tables.table(
            "Logistic regression, every size",
            header,
            rows,
            "; ".join([tables.verdict(measurements), *scores]),
            notes,
        )
    ]
