"""scikit-learn: lasso_path and LassoCV."""

from .. import models
from . import CROSS_VALIDATION, LASSO_PATH, PythonRival, path_like_scikit_learn, timed


class ScikitLearn(PythonRival):
    name = "scikit-learn"
    package = "scikit-learn"
    settings = {LASSO_PATH: ["1e-5", "1e-6", "5e-7", "1e-7", "1e-8"], CROSS_VALIDATION: ["-"]}
    default = {LASSO_PATH: "1e-4"}

    def load(self, task, dataset, threads):
        import numpy as np
        from sklearn.linear_model import LassoCV, lasso_path

        if task == LASSO_PATH:
            return path_like_scikit_learn(lasso_path, dataset, max_iter=100_000)

        def cross_validation(_):
            parts = [
                (np.flatnonzero(dataset.folds != f), np.flatnonzero(dataset.folds == f))
                for f in range(10)
            ]
            alphas = np.array(dataset.lambdas) / dataset.n
            estimator = LassoCV(alphas=alphas, cv=parts, max_iter=10_000, n_jobs=threads)
            seconds, _ = timed(lambda: estimator.fit(dataset.X, dataset.y))
            return seconds, lambda: models.from_matrix(estimator.coef_[:, None])

        return cross_validation


RIVAL = ScikitLearn()
