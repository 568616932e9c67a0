"""L0 at lambda = noise^2 log p times 4, 2, 1 and 1/2: the best support on each rival's path, after
least squares."""

import math

from .. import judge, tables
from ..measure import Verdict
from ..rivals import L0_FIT, L0_TABLE, LASSO_PATH

MULTIPLES = (4, 2, 1, 0.5)
FIT = {"table": "fit", "paper": "fit from the paper's start"}


def compare(dataset, bench):
    unit = dataset.noise**2 * math.log(dataset.p)
    # A Lasso path ends in thousands of columns, which no lambda here pays for.
    largest = min(5 * dataset.max_k, dataset.n - 2)
    entries = []  # (label, measurement, supports) of everyone with a path of supports
    for task, label in ((L0_TABLE, "table"), (LASSO_PATH, "Lasso path")):
        for m in bench.answers(task, dataset):
            supports = {
                tuple(sorted(model)) for model in m.models.values() if len(model) <= largest
            }
            entries.append((f"{m.rival}, {label}", m, supports))
    fits = {}
    for multiple in MULTIPLES:
        for start in ("table", "paper"):
            for m in bench.measure_all(
                L0_FIT,
                dataset,
                lambda models: Verdict(),
                settings=[f"{start}:{multiple * unit!r}"],
            ):
                fits[multiple, m.rival, start] = m
    supports = [set(s) for _, _, many in entries for s in many]
    supports += [set(model) for m in fits.values() for model in m.models.values()]
    refitter = judge.Refitter(dataset, supports)
    rows, summary = [], []
    for multiple in MULTIPLES:
        here = [
            (label, m, best_of(refitter, many, multiple * unit))
            for label, m, many in entries
            if many
        ]
        here += [
            (
                f"{rival}, {FIT[start]}",
                m,
                best_of(refitter, [tuple(sorted(m.models[0]))], multiple * unit),
            )
            for (at, rival, start), m in fits.items()
            if at == multiple and not m.failure
        ]
        if not here:
            continue
        best = min(objective for _, _, (objective, _) in here)
        for objective, support, labels in grouped(here):
            found = judge.recovery(dataset, support)
            error = judge.test_error(dataset, refitter.fit(support)[1])
            rows.append(
                [
                    f"{multiple:g}",
                    labels,
                    f"{objective / best - 1:.3%}",
                    str(len(support)),
                    str(found["true"]),
                    str(found["false"]),
                    str(found["hamming"]),
                    f"{error:.4f}",
                ]
            )
        summary += [sentence(multiple, here)]
    header = [
        "lambda / (noise^2 log p)",
        "found by",
        "objective above the best",
        "size",
        "true",
        "false",
        "Hamming",
        "test error / noise^2",
    ]
    notes = [
        f"{len(dataset.truth)} columns are true. Objective 1/2 RSS + lambda k after least "
        f"squares, the best over the supports of the path with at most {largest} columns. "
        "Table and Lasso path: those timed above. The paper's start is the Lasso at the same "
        "lambda. `fit` takes "
        + ", ".join(
            f"{tables.seconds(m)} ({rival}, {FIT[start]}, {multiple:g})"
            for (multiple, rival, start), m in fits.items()
        )
        + "."
    ]
    return [tables.table("L0 at given lambdas", header, rows, "; ".join(summary), notes)]


def best_of(refitter, supports, penalty):
    """(objective, support) of the best of some supports. Small ones first: large ones are ruled out
    by their penalty alone."""
    best = (math.inf, ())
    for support in sorted(supports, key=lambda s: (len(s), s)):
        if penalty * len(support) < best[0]:
            best = min(best, (refitter.fit(support)[0] / 2 + penalty * len(support), support))
    return best


def grouped(here):
    """(objective, support, who), best first: those with the same support share a row."""
    groups = {}
    for label, _, (objective, support) in here:
        groups.setdefault((objective, support), []).append(label)
    return [
        (objective, support, shortened(labels))
        for (objective, support), labels in sorted(groups.items())
    ]


def shortened(labels):
    """ "table: lass0, abess; Lasso path: celer, glmnet" """
    kinds = {}
    for label in labels:
        rival, kind = label.split(", ")
        kinds.setdefault(kind, []).append(rival)
    return "; ".join(f"{kind}: {', '.join(names)}" for kind, names in kinds.items())


def sentence(multiple, here):
    return beside_rivals(multiple, here) + beside_the_paper(here)


def beside_the_paper(here):
    """lass0's table and fit beside its own fit from the paper's start."""
    own = {label: objective for label, _, (objective, _) in here}
    paper = own.get(f"lass0, {FIT['paper']}")
    said = ""
    for what in ("table", "fit"):
        ours = own.get(f"lass0, {what}")
        if ours is None or paper is None:
            continue
        how = "below" if ours < paper else "ABOVE"
        by = f"{abs(paper / ours - 1):.3%} {how}"
        said += f", {what} {'equal to' if abs(paper / ours - 1) <= 1e-9 else by} the paper's start"
    return said


def beside_rivals(multiple, here):
    own = min(
        (objective for label, _, (objective, _) in here if label.startswith("lass0, ")),
        default=math.inf,
    )
    others = [
        (objective, label) for label, _, (objective, _) in here if not label.startswith("lass0, ")
    ]
    if not others or own == math.inf:
        return f"{multiple:g}: nobody to compare with"
    objective, label = min(others)
    if abs(objective / own - 1) <= 1e-9:
        return f"{multiple:g}: equal to the best rival's ({label})"
    how = "below" if own < objective else "ABOVE"
    return f"{multiple:g}: lass0 {abs(objective / own - 1):.3%} {how} the best rival's ({label})"
