"""adelie: the (group) elastic net by pivot screening, from the group around glmnet."""

from .. import models
from . import LASSO_PATH, PythonRival, timed


class Adelie(PythonRival):
    name = "adelie"
    package = "adelie"
    settings = {LASSO_PATH: [f"1e-{digits}" for digits in range(6, 17)]}
    default = {LASSO_PATH: "1e-7"}
    note = "runs with early_exit=False, so that it computes the whole path"

    def load(self, task, dataset, threads):
        import adelie
        import numpy as np

        X = (
            adelie.matrix.sparse(dataset.X, n_threads=threads)
            if dataset.sparse
            else adelie.matrix.dense(dataset.X, n_threads=threads)
        )
        lambdas = np.array(dataset.lambdas) / dataset.n

        def path(setting):
            def solve():
                return adelie.grpnet(
                    X,
                    adelie.glm.gaussian(dataset.y),
                    lmda_path=lambdas,
                    tol=float(setting),
                    early_exit=False,
                    progress_bar=False,
                    n_threads=threads,
                )

            seconds, state = timed(solve)
            return seconds, lambda: models.from_matrix(state.betas.T)

        return path


RIVAL = Adelie()
