"""The best support of every size, proved: time, and the same RSS at every size."""

from .. import judge, tables
from ..measure import Verdict
from ..rivals import EXHAUSTIVE, L0_TABLE

SAME = 1e-8


def compare(dataset, bench):
    def verdict(models):
        missing = sorted(set(range(dataset.p + 1)) - set(models))
        wrong = [k for k, model in models.items() if len(model) != k]
        if missing or wrong:
            return Verdict(wrong=f"no model of size {(missing + wrong)[0]}")
        return Verdict()

    proofs = bench.measure_all(EXHAUSTIVE, dataset, verdict)
    tries = [
        m for m in bench.measure_all(L0_TABLE, dataset, lambda models: Verdict(), only=["lass0"])
    ]
    everyone = [(m.rival, m) for m in proofs] + [("lass0, no proof", m) for m in tries]
    refitter = judge.Refitter(dataset, [model for _, m in everyone for model in m.models.values()])
    rss = {
        label: {k: refitter.fit(model)[0] for k, model in m.models.items()} for label, m in everyone
    }
    least = {
        k: min(table[k] for table in rss.values() if k in table)
        for table in rss.values()
        for k in table
    }
    own = tables.reference(proofs)
    rows = []
    for label, m in everyone:
        above = [k for k, value in rss[label].items() if value > least[k] * (1 + SAME)]
        if above and label != "lass0, no proof":
            m.failure = f"wrong: another rival has a lower RSS at size {above[0]}"
        rows.append(
            [
                label,
                tables.seconds(m),
                tables.ratio(m, own),
                str(len(rss[label])),
                str(len(rss[label]) - len(above)),
                tables.memory(m),
            ]
        )
    header = [
        "rival",
        "time",
        "time / lass0's proof",
        "sizes",
        "sizes with the lowest RSS",
        "peak MiB",
    ]
    notes = [
        f"{dataset.n} rows, {dataset.p} independent columns (without constant and "
        "dependent ones, for every rival)."
    ]
    return [
        tables.table(f"Exhaustive, {dataset.title}", header, rows, tables.verdict(proofs), notes)
    ]
