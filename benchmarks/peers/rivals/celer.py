"""celer: the Lasso by working sets and dual extrapolation."""

from . import LASSO_PATH, PythonRival, path_like_scikit_learn


class Celer(PythonRival):
    name = "celer"
    package = "celer"
    settings = {LASSO_PATH: ["1e-5", "1e-6", "5e-7", "1e-7", "1e-8", "1e-9", "1e-10"]}
    default = {LASSO_PATH: "1e-6"}

    def load(self, task, dataset, threads):
        from celer import celer_path

        return path_like_scikit_learn(celer_path, dataset, pb="lasso", max_iter=100)


RIVAL = Celer()
