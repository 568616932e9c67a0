"""The rivals: one file each. A file defines RIVAL, an instance of a subclass of Rival."""

import importlib
import importlib.metadata
import pkgutil
import time

from .. import environment, models

LASSO_PATH = "lasso_path"  # the Lasso at the lambdas of the data set; points: their positions
L0_TABLE = "l0_table"  # the best supports of size 0 .. max_k; points: sizes
L0_FIT = "l0_fit"  # L0 at one lambda, which is the setting; one point, 0
CROSS_VALIDATION = "cross_validation"  # same folds; points: 0 least error, 1 one standard error
EXHAUSTIVE = "exhaustive"  # the best support of every size, proved; points: sizes
LOGISTIC_TABLE = "logistic_table"  # as L0_TABLE, of logistic regression
LOGISTIC_CROSS_VALIDATION = "logistic_cross_validation"  # as CROSS_VALIDATION, by deviance


class Rival:
    name = ""
    # The tasks it takes part in, each with its settings (tolerances, for a path), loosest first:
    # the loosest that is precise enough is timed.
    settings = {}
    default = {}  # per task, the setting that users get who choose none: timed as well
    # What is behind each point where that is not obvious, for the report.
    note = ""

    def version(self):
        return ""

    def missing(self, task, dataset):
        """Why it can't run (one line), or None. Asked in the runner: it must be quick and import no
        peer."""
        return None

    def command(self, task, dataset, threads):
        """The program that serves this rival and speaks the protocol of child.py itself; None:
        load() does."""
        return None

    def load(self, task, dataset, threads):
        """Reads the data and compiles what must be; returns run(setting) -> (seconds, function that
        returns the models)."""
        raise NotImplementedError


class PythonRival(Rival):
    package = ""

    def version(self):
        return importlib.metadata.version(self.package)

    def missing(self, task, dataset):
        try:
            self.version()
        except importlib.metadata.PackageNotFoundError:
            return environment.install_failure(self.package) or f"{self.package} is not installed"
        return None


def timed(function):
    start = time.perf_counter()
    result = function()
    return time.perf_counter() - start, result


def path_like_scikit_learn(function, dataset, **options):
    """load() for a Lasso path with the conventions of scikit-learn's lasso_path: alpha is
    lambda / n, and a sparse X is centred implicitly, as its own Lasso does it."""
    import numpy as np

    if dataset.sparse:
        options |= {"X_offset": dataset.means, "X_scale": np.ones(dataset.p)}
    options["alphas"] = np.array(dataset.lambdas) / dataset.n

    def path(setting):
        seconds, result = timed(
            lambda: function(dataset.X, dataset.y, tol=float(setting), **options)
        )
        return seconds, lambda: models.from_matrix(result[1])

    return path


def load_all():
    """Every rival, lass0 first: the ratios are to it."""
    names = sorted(module.name for module in pkgutil.iter_modules(__path__))
    rivals = [importlib.import_module(f"{__name__}.{name}") for name in names if name != "rscript"]
    rivals = [module.RIVAL for module in rivals]
    return sorted(rivals, key=lambda rival: (rival.name != "lass0", rival.name))


def by_name(name):
    return next(rival for rival in load_all() if rival.name == name)
