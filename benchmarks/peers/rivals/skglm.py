"""skglm: coordinate descent with working sets and Anderson acceleration, compiled by numba."""

from .. import models
from . import LASSO_PATH, LOGISTIC_CROSS_VALIDATION, PythonRival, timed


class Skglm(PythonRival):
    name = "skglm"
    package = "skglm"
    # The largest violation of the optimality conditions, in the units of lambda / n, relative to
    # the largest lambda.
    settings = {
        LASSO_PATH: ["1e-3", "1e-4", "1e-5", "1e-6", "1e-7"],
        LOGISTIC_CROSS_VALIDATION: ["1e-3"],
    }
    note = (
        "tolerances are relative to the largest lambda; compiled before anything is timed; logistic "
        "regression by ProxNewton, each lambda from the one before (its own cross-validation chooses "
        "by accuracy, on folds of its own)"
    )

    def load(self, task, dataset, threads):
        load = load_logistic if task == LOGISTIC_CROSS_VALIDATION else self.load_path
        return load(dataset)

    def load_path(self, dataset):
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


def load_logistic(dataset):
    import numpy as np
    from skglm.datafits import Logistic
    from skglm.penalties import L1
    from skglm.solvers import ProxNewton
    from skglm.utils.jit_compilation import compiled_clone

    alphas = np.array(dataset.lambdas) / dataset.n
    signs = np.where(dataset.y > 0, 1.0, -1.0)

    def path(X, signs, grid, tolerance):
        """The coefficients at every lambda, the intercept last."""
        solver = ProxNewton(tol=tolerance * alphas[0], fit_intercept=True)
        datafit, penalty = compiled_clone(Logistic()), compiled_clone(L1(grid[0]))
        datafit.initialize(X, signs)
        w, eta, found = np.zeros(X.shape[1] + 1), np.zeros(len(signs)), []
        for alpha in grid:
            penalty.alpha = alpha
            w = solver._solve(X, signs, datafit, penalty, w.copy(), eta)[0]
            eta = X @ w[:-1] + w[-1]
            found.append(w)
        return np.array(found)

    def solve(tolerance):
        losses = np.zeros(len(alphas))
        for fold in range(10):
            kept = dataset.folds != fold
            found = path(np.asfortranarray(dataset.X[kept]), signs[kept], alphas, tolerance)
            eta = dataset.X[~kept] @ found[:, :-1].T + found[:, -1]
            losses += np.logaddexp(0, -signs[~kept][:, None] * eta).sum(axis=0)
        best = int(losses.argmin())
        return path(dataset.X, signs, alphas[: best + 1], tolerance)[-1][:-1]

    def cross_validation(setting):
        seconds, coefficients = timed(lambda: solve(float(setting)))
        return seconds, lambda: models.from_matrix(coefficients[:, None])

    few = min(dataset.p, 50)
    path(np.asfortranarray(dataset.X[:, :few]), signs, alphas[:2] / 2, 1e-3)  # compiles
    return cross_validation


RIVAL = Skglm()
