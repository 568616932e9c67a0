"""LassoPath: only the Lasso that starts the search."""

import warnings

import numpy as np
from sklearn.exceptions import ConvergenceWarning

from . import _core
from ._base import LinearRegressor, call_core
from ._options import integer, number


class LassoPath(LinearRegressor):
    """The Lasso at every lambda of a path, from which the search of :class:`Lass0` starts.

    Minimises ``1/2 * sum_i w_i (y_i - b0 - x_i' b)^2 + lambda1 * sum_j s_j |b_j|``, a plain sum. So `lambda1` is ``n_samples`` times the
    ``alpha`` of scikit-learn's Lasso on standardised columns (or, with ``standardize=False``, on the original columns).

    Parameters
    ----------
    lambda1 : float, optional
        The last lambda of the path, which gives :attr:`coef_`. By default the smallest of the path.
    lambdas : array, optional
        The lambdas of the path; by default `n_lambdas` values, evenly spaced in log.
    n_lambdas : int, default=100
    ratio : float, default=1e-3
        The smallest lambda divided by the largest, if `lambdas` is not given.
    max_support : int, optional
        End the path after the first solution with more columns than this.
    ridge : float, default=0
        A ridge makes it an elastic net.
    tol : float, default=1e-7
        Stop when the duality gap is below `tol` times half the centred sum of squares of y.
    fit_intercept, standardize, include, exclude, time_limit, n_jobs, verbose, on_interrupt
        As in :class:`Lass0`.

    Attributes
    ----------
    coef_, intercept_, support_, lambda1_
        Attributes of the last point of the path.
    lambdas_ : array of shape (n_lambdas,), descending
    coefs_ : array of shape (n_features, n_lambdas)
    intercepts_ : array of shape (n_lambdas,)
    dual_gaps_ : array of shape (n_lambdas,)
        Relative to half the centred sum of squares of y.
    lambda_max_ : float
        The smallest lambda with no column.

    Examples
    --------
    >>> from sklearn.datasets import load_diabetes
    >>> from lass0 import LassoPath
    >>> X, y = load_diabetes(return_X_y=True)
    >>> LassoPath().fit(X, y).coefs_.shape
    (10, 100)
    """

    def __init__(
        self,
        lambda1=None,
        *,
        lambdas=None,
        n_lambdas=100,
        ratio=1e-3,
        max_support=None,
        ridge=0.0,
        tol=1e-7,
        fit_intercept=True,
        standardize=True,
        include=None,
        exclude=None,
        time_limit=None,
        n_jobs=None,
        verbose=False,
        on_interrupt="raise",
    ):
        self.lambda1 = lambda1
        self.lambdas = lambdas
        self.n_lambdas = n_lambdas
        self.ratio = ratio
        self.max_support = max_support
        self.ridge = ridge
        self.tol = tol
        self.fit_intercept = fit_intercept
        self.standardize = standardize
        self.include = include
        self.exclude = exclude
        self.time_limit = time_limit
        self.n_jobs = n_jobs
        self.verbose = verbose
        self.on_interrupt = on_interrupt

    def fit(self, X, y=None, sample_weight=None):
        """Compute the path.

        Parameters
        ----------
        X : array, sparse matrix or data frame of shape (n_samples, n_features), or Moments
        y : array of shape (n_samples,)
            None with :class:`Moments`, which have the target in them.
        sample_weight : array of shape (n_samples,), optional

        Returns
        -------
        self
        """
        data, keep, options = self._start(X, y, sample_weight)
        options |= {
            "ridge": number(self.ridge, "ridge"),
            "tolerance": number(self.tol, "tol", 0.0, above=True),
            "count": integer(self.n_lambdas, "n_lambdas", 1),
            "ratio": number(self.ratio, "ratio", 0.0, above=True, below=1.0),
            "max_support": -1
            if self.max_support is None
            else integer(self.max_support, "max_support", 0),
            "lambdas": self._grid(data, keep, options),
        }
        result = call_core(_core.lasso_path, data, keep, options)
        points = result["points"]
        self.lambda_max_ = result["lambda_max"]
        self.lambdas_ = np.array([point["lambda1"] for point in points])
        self.intercepts_ = np.array([point["intercept"] for point in points])
        self.dual_gaps_ = np.array([point["relative_gap"] for point in points])
        self.coefs_ = np.zeros((self.n_features_in_, len(points)))
        for place, point in enumerate(points):
            support = point["support"] if keep is None else keep[point["support"]]
            self.coefs_[support, place] = point["coefficients"]
        last = points[-1]
        self._take_model(last["support"], last["coefficients"], last["intercept"], keep)
        self.lambda1_ = last["lambda1"]
        self.n_iter_ = len(points)
        if not result["complete"] or not all(point["converged"] for point in points):
            warnings.warn(
                "the path is not complete, or some of its points did not converge (see dual_gaps_)",
                ConvergenceWarning,
                stacklevel=2,
            )
        return self

    def _grid(self, data, keep, options):
        """The lambdas from the largest down to lambda1; empty: the default of the core."""
        if self.lambdas is not None:
            grid = np.sort([number(one, "lambdas", 0.0) for one in self.lambdas])[::-1]
            if grid.size == 0:
                raise ValueError("lambdas is empty")
        elif self.lambda1 is None:
            return []
        else:
            top = self._lambda_max(data, keep, options)
            low = max(number(self.lambda1, "lambda1", 0.0), 1e-3 * top)
            grid = np.geomspace(top, low, self.n_lambdas) if low < top else np.empty(0)
        if self.lambda1 is not None:
            last = number(self.lambda1, "lambda1", 0.0)
            grid = np.append(grid[grid > last], last)
        return grid.tolist()

    def _lambda_max(self, data, keep, options):
        one = {
            "ridge": 0.0,
            "tolerance": 1.0,
            "count": 1,
            "ratio": 0.5,
            "max_support": -1,
            "lambdas": [],
        }
        one["ridge"] = number(self.ridge, "ridge")
        return call_core(_core.lasso_path, data, keep, options | one)["lambda_max"]

    def to_json(self, path=None):
        raise AttributeError("LassoPath has no JSON: only Lass0 and Lass0CV have")
