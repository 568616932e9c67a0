"""scikit-learn: lasso_path, LassoCV and LogisticRegressionCV."""

from .. import models
from . import (
    CROSS_VALIDATION,
    LASSO_PATH,
    LOGISTIC_CROSS_VALIDATION,
    PythonRival,
    path_like_scikit_learn,
    timed,
)


class ScikitLearn(PythonRival):
    name = "scikit-learn"
    package = "scikit-learn"
    settings = {
        LASSO_PATH: ["1e-5", "1e-6", "5e-7", "1e-7", "1e-8"],
        CROSS_VALIDATION: ["-"],
        LOGISTIC_CROSS_VALIDATION: ["-"],
    }
    default = {LASSO_PATH: "1e-4"}
    note = (
        "logistic regression by liblinear, which penalises the intercept as well: intercept_scaling "
        "is 100, so that it hardly does"
    )

    def load(self, task, dataset, threads):
        import numpy as np
        from sklearn.linear_model import LassoCV, LogisticRegressionCV, lasso_path

        if task == LASSO_PATH:
            return path_like_scikit_learn(lasso_path, dataset, max_iter=100_000)

        parts = [
            (np.flatnonzero(dataset.folds != f), np.flatnonzero(dataset.folds == f))
            for f in range(10)
        ]

        def logistic(_):
            estimator = LogisticRegressionCV(
                Cs=1 / np.array(dataset.lambdas),
                l1_ratios=(1,),
                solver="liblinear",
                intercept_scaling=100,
                scoring="neg_log_loss",
                cv=parts,
                n_jobs=threads,
                use_legacy_attributes=False,
            )
            seconds, _ = timed(lambda: estimator.fit(dataset.X, dataset.y))
            return seconds, lambda: models.from_matrix(np.reshape(estimator.coef_, (-1, 1)))

        def cross_validation(_):
            alphas = np.array(dataset.lambdas) / dataset.n
            estimator = LassoCV(alphas=alphas, cv=parts, max_iter=10_000, n_jobs=threads)
            seconds, _ = timed(lambda: estimator.fit(dataset.X, dataset.y))
            return seconds, lambda: models.from_matrix(estimator.coef_[:, None])

        return logistic if task == LOGISTIC_CROSS_VALIDATION else cross_validation


RIVAL = ScikitLearn()
