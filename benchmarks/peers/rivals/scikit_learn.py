"""scikit-learn: lasso_path and LassoCV."""

from .. import models
from . import CROSS_VALIDATION, LASSO_PATH, PythonRival, timed


class ScikitLearn(PythonRival):
    name = "scikit-learn"
    package = "scikit-learn"
    settings = {LASSO_PATH: ["1e-5", "1e-6", "5e-7", "1e-7", "1e-8"], CROSS_VALIDATION: ["-"]}
    default = {LASSO_PATH: "1e-4"}

    def load(self, task, dataset, threads):
        import numpy as np
        from sklearn.linear_model import LassoCV, lasso_path

        X, y = dataset.X, dataset.y
        alphas = np.array(dataset.lambdas) / dataset.n
        # A sparse X is centred implicitly, as sklearn's own Lasso does it.
        centring = (
            {"X_offset": dataset.means, "X_scale": np.ones(dataset.p)} if dataset.sparse else {}
        )

        def path(setting):
            seconds, result = timed(
                lambda: lasso_path(
                    X, y, alphas=alphas, tol=float(setting), max_iter=100_000, **centring
                )
            )
            return seconds, lambda: models.from_matrix(result[1])

        def cross_validation(_):
            parts = [
                (np.flatnonzero(dataset.folds != f), np.flatnonzero(dataset.folds == f))
                for f in range(10)
            ]
            estimator = LassoCV(alphas=alphas, cv=parts, max_iter=10_000, n_jobs=threads)
            seconds, _ = timed(lambda: estimator.fit(X, y))
            return seconds, lambda: models.from_matrix(estimator.coef_[:, None])

        return path if task == LASSO_PATH else cross_validation


RIVAL = ScikitLearn()
