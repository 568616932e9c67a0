"""skglm: coordinate descent with working sets and Anderson acceleration, compiled by numba."""

from .. import models
from . import LASSO_PATH, PythonRival, timed


class Skglm(PythonRival):
    name = "skglm"
    package = "skglm"
    # The largest violation of the optimality conditions, in the units of lambda / n, relative to
    # the largest lambda.
    settings = {LASSO_PATH: ["1e-3", "1e-4", "1e-5", "1e-6", "1e-7"]}
    note = "tolerances are relative to the largest lambda; compiled before anything is timed"

    def load(self, task, dataset, threads):
        import numpy as np
        from skglm.datafits import Quadratic
        from skglm.penalties import L1
        from skglm.solvers import AndersonCD

        alphas = np.array(dataset.lambdas) / dataset.n

        def solve(X, y, grid, tolerance):
            solver = AndersonCD(tol=tolerance * alphas[0], max_iter=200, fit_intercept=True)
            return solver.path(X, y, Quadratic(), L1(1.0), alphas=grid)[1][:-1]

        def path(setting):
            seconds, coefficients = timed(
                lambda: solve(dataset.X, dataset.y, alphas, float(setting))
            )
            return seconds, lambda: models.from_matrix(coefficients)

        few = min(dataset.p, 200)
        small = dataset.X[:, :few] if dataset.sparse else np.asfortranarray(dataset.X[:, :few])
        solve(small, dataset.y, alphas[:2] / 2, 1e-3)  # compiles
        return path


RIVAL = Skglm()
