"""The best support of every size 0 .. K: RSS after least squares, size by size."""

from .. import judge, tables
from ..measure import Verdict
from ..rivals import L0_TABLE

SAME = 1e-9  # RSS that differ by less, relatively, are equal


def sizes_are_right(models):
    wrong = [k for k, model in models.items() if len(model) != k]
    if wrong:
        return Verdict(wrong=f"the model for size {wrong[0]} has {len(models[wrong[0]])} columns")
    return Verdict()


def compare(dataset, bench):
    measurements = bench.measure_all(L0_TABLE, dataset, sizes_are_right)
    refitter = judge.Refitter(dataset, [model for m in measurements for model in m.models.values()])
    rss = {
        id(m): {k: refitter.fit(model)[0] for k, model in m.models.items()} for m in measurements
    }
    note = "RSS after least squares on each support, by the same code"
    return [size_by_size("L0, every size", "RSS", dataset, measurements, rss, note)]


def size_by_size(title, loss, dataset, measurements, losses, note, then=""):
    """`losses`: those of every measurement, by its id and by size; `loss` is what they are called."""
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
        f"{m.rival} has the lower {loss} at {row[4]} sizes, lass0 at {row[6]}, of {row[3]}"
        for m, row in zip(measurements, rows)
        if m.rival != "lass0" and not m.failure and own
    ]
    header = [
        "rival",
        "time",
        "time / lass0",
        "sizes compared",
        f"its {loss} lower",
        "equal",
        f"lass0's {loss} lower",
        "its worst excess over lass0",
        "lass0's worst excess over it",
        "Hamming at the true size",
        "peak MiB",
    ]
    notes = [f"Sizes 0 .. {dataset.max_k}. {note}; equal: to {SAME:g}, relatively.{then}"]
    summary = "; ".join([tables.verdict(measurements), *scores])
    return tables.table(title, header, rows, summary, notes)


def duel(its, ours, same):
    """How the RSS (or another loss) of a rival and of lass0 compare over the sizes that both have."""
    common = sorted(set(its) & set(ours))
    if same or not common:
        return [str(len(its)) if same else "-", *["-"] * 5]
    excess = [its[k] / ours[k] - 1 for k in common]
    lower, higher = sum(e < -SAME for e in excess), sum(e > SAME for e in excess)
    worst = max(0.0, max(excess))
    best = max(0.0, max(ours[k] / its[k] - 1 for k in common))
    return [
        str(len(common)),
        str(lower),
        str(len(common) - lower - higher),
        str(higher),
        f"{worst:.2%}",
        f"{best:.2%}",
    ]


def at_true_size(dataset, measurement):
    model = measurement.models.get(len(dataset.truth))
    if model is None or not dataset.truth:
        return "-"
    return str(judge.recovery(dataset, model)["hamming"])
