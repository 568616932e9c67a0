"""celer: the Lasso by working sets and dual extrapolation."""

from .. import models
from . import LASSO_PATH, PythonRival, timed


class Celer(PythonRival):
    name = "celer"
    package = "celer"
    settings = {LASSO_PATH: ["1e-5", "1e-6", "5e-7", "1e-7", "1e-8", "1e-9", "1e-10"]}
    default = {LASSO_PATH: "1e-6"}

    def load(self, task, dataset, threads):
        import numpy as np
        from celer import celer_path

        X, y = dataset.X, dataset.y
        alphas = np.array(dataset.lambdas) / dataset.n
        centring = (
            {"X_offset": dataset.means, "X_scale": np.ones(dataset.p)} if dataset.sparse else {}
        )

        def path(setting):
            seconds, result = timed(
                lambda: celer_path(
                    X, y, "lasso", alphas=alphas, tol=float(setting), max_iter=100, **centring
                )
            )
            return seconds, lambda: models.from_matrix(result[1])

        return path


RIVAL = Celer()
