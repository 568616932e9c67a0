"""path: the best model of every size."""

from . import _core
from ._base import LinearSelector, call_core
from ._options import boolean, number, one_of, size
from ._options import effort as effort_option
from ._table import make_table


class _Problem(LinearSelector):
    """An estimator that only has the parameters for reading X and y."""

    def __init__(self, family, **parameters):
        self._family = one_of(family, "family")
        vars(self).update(parameters)


def path(
    X,
    y=None,
    *,
    family="gaussian",
    sample_weight=None,
    offset=None,
    max_k=None,
    effort="full",
    ridge=0.0,
    fit_intercept=True,
    standardize=True,
    include=None,
    exclude=None,
    signs=None,
    prove=False,
    time_limit=None,
    n_jobs=None,
    verbose=False,
    on_interrupt="raise",
):
    """The best model of every size, which also gives the answer for every lambda.

    Parameters
    ----------
    X : array, sparse matrix or data frame of shape (n_samples, n_features), or Moments
    y : array of shape (n_samples,)
        None with :class:`Moments`, which have the target in them.
    family : {"gaussian", "binomial"}, default="gaussian"
        "binomial" is logistic regression, for a target of any two labels: see :class:`Lass0Classifier`.
    sample_weight : array of shape (n_samples,), optional
    offset : array of shape (n_samples,), optional
        With the family "binomial": as in :meth:`Lass0Classifier.fit`.
    max_k : int, optional
        The largest size; by default ``min(100, n_samples / 2)``.
    effort : {"full", "quick"}, default="full"
        With more than 1024 columns, "quick" considers only a short list of them; rows are not compared with the other columns.
    prove : bool, default=False
        Prove for every size that no other support is better.
    ridge, fit_intercept, standardize, include, exclude, signs, time_limit, n_jobs, verbose, on_interrupt
        As in :class:`Lass0`.

    Returns
    -------
    SupportTable
        The rows have `coef` and `intercept`.

    Examples
    --------
    >>> from sklearn.datasets import load_diabetes
    >>> import lass0
    >>> X, y = load_diabetes(return_X_y=True, as_frame=True)
    >>> lass0.path(X, y, max_k=3)
      k         rss  lambda_min  lambda_max  support
      0  2.62101e+06   4.507e+05         inf
      1  1.71958e+06   1.514e+05   4.507e+05  bmi
      2  1.41669e+06   2.699e+04   1.514e+05  bmi s5
      3  1.36271e+06   1.871e+04   2.699e+04  bmi bp s5
    """
    problem = _Problem(
        family,
        fit_intercept=fit_intercept,
        standardize=standardize,
        include=include,
        exclude=exclude,
        signs=signs,
        time_limit=time_limit,
        n_jobs=n_jobs,
        verbose=verbose,
        on_interrupt=on_interrupt,
    )
    data, keep, options = problem._start(X, y, sample_weight, offset)
    options |= {
        "ridge": number(ridge, "ridge"),
        "max_k": size(max_k, "max_k"),
        "effort": effort_option(effort),
        "prove": boolean(prove, "prove"),
    }
    result = call_core(_core.path, data, keep, options)
    names = getattr(problem, "feature_names_in_", None)
    return make_table(
        result["table"], keep, names, problem.n_features_in_, options["ridge"], family
    )
