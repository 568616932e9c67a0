"""abess: best subsets by splicing; every size from 0 up, each started from the one before."""

import time

from . import (
    CROSS_VALIDATION,
    L0_TABLE,
    LOGISTIC_CROSS_VALIDATION,
    LOGISTIC_TABLE,
    PythonRival,
    timed,
)

COLLECT_SECONDS = 180


class Abess(PythonRival):
    name = "abess"
    package = "abess"
    settings = {
        L0_TABLE: ["-"],
        CROSS_VALIDATION: ["-"],
        LOGISTIC_TABLE: ["-"],
        LOGISTIC_CROSS_VALIDATION: ["-"],
    }
    note = (
        "its Python interface returns only the model that it selects, so the support of size k "
        "is that of a second, untimed "
        f"run over the sizes 0 .. k; if these take more than {COLLECT_SECONDS} s, evenly spaced "
        "sizes are skipped"
    )

    def load(self, task, dataset, threads):
        import numpy as np
        from abess import LinearRegression, LogisticRegression

        X, y = dataset.X, dataset.y
        logistic = task in (LOGISTIC_TABLE, LOGISTIC_CROSS_VALIDATION)
        family = LogisticRegression if logistic else LinearRegression
        score = {"cv_score": "test_loss"} if logistic else {}  # its default is the AUC
        if not dataset.sparse:
            X = np.ascontiguousarray(X)  # what users have; it copies either order

        def best_of(sizes, **options):
            return family(support_size=sizes, thread=threads, **options)

        def chosen(estimator):
            columns = np.flatnonzero(estimator.coef_)
            return columns, estimator.coef_[columns]

        def table(_):
            estimator = best_of(range(dataset.max_k + 1), ic_type="loss")
            seconds, _ = timed(lambda: estimator.fit(X, y))
            return seconds, lambda: collect(estimator)

        def collect(largest):
            found = {0: ([], []), dataset.max_k: chosen(largest)}
            start = time.perf_counter()
            for k in spread(dataset.max_k):
                if time.perf_counter() - start > COLLECT_SECONDS:
                    break
                found[k] = chosen(best_of(range(k + 1), ic_type="loss").fit(X, y))
            return found

        def cross_validation(_):
            estimator = best_of(range(dataset.max_k + 1), cv=10, **score)
            seconds, _ = timed(lambda: estimator.fit(X, y, cv_fold_id=dataset.folds))
            return seconds, lambda: {0: chosen(estimator)}

        return table if task in (L0_TABLE, LOGISTIC_TABLE) else cross_validation


def spread(count):
    """1 .. count - 1, coarse steps first, so that a part of it is spread evenly."""
    seen, step = set(), 1 << max(count.bit_length() - 1, 0)
    while step:
        for k in range(step, count, step):
            if k not in seen:
                seen.add(k)
                yield k
        step //= 2


RIVAL = Abess()
