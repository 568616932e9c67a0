"""Sparse linear models that people can read: best-subset (L0) regression by exact local search.

>>> from lass0 import Lass0, Lass0CV, Lass0Classifier, Lass0ClassifierCV, path

``Lass0`` fits one size or one lambda, ``Lass0CV`` chooses either by cross-validation, ``Lass0Classifier`` and ``Lass0ClassifierCV`` do the
same for a target of two classes (logistic regression), ``path`` gives the best model of every size,
``moments`` sums up data that are too many for memory or lie in Parquet files, databases or clusters (``lass0.dask``, ``lass0.spark``),
``stability`` says how often each column is chosen on random halves of the rows, and ``LassoPath`` is the Lasso that the search starts from. :class:`Lass0` defines the objective and its units.
"""

from importlib import import_module as _import_module

# Imported at their first use, so that the console command and `import lass0` need not load scikit-learn.
_HOMES = {
    "Lass0": "_lass0",
    "Lass0CV": "_cv",
    "Lass0Classifier": "_classifier",
    "Lass0ClassifierCV": "_classifier_cv",
    "SeparationError": "_core",
    "LassoPath": "_lasso",
    "SupportTable": "_table",
    "TableRow": "_table",
    "Alternative": "_base",
    "path": "_path",
    "moments": "_summing",
    "load_moments": "_moments",
    "Moments": "_moments",
    "stability": "_stability",
    "Stability": "_stability",
    "plot_path": "_plot",
    "plot_cv": "_plot",
    "plot_support": "_plot",
    "plot_alternatives": "_plot",
    "plot_near_optimal": "_near_optimal_plot",
    "plot_stability": "_plot",
    "__version__": "_core",
}
__all__ = [name for name in _HOMES if name != "__version__"]


def __getattr__(name):
    if name not in _HOMES:
        raise AttributeError(f"module 'lass0' has no attribute {name!r}")
    value = getattr(_import_module(f"lass0.{_HOMES[name]}"), name)
    globals()[name] = value
    return value


def __dir__():
    return sorted([*globals(), *_HOMES])
