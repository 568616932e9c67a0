"""stability: how often each column is chosen on random halves of the rows."""

import numpy as np

from . import _core
from ._base import call_core
from ._numbers import column_name, plural
from ._options import effort as effort_option
from ._options import integer, number, seed, size
from ._path import _Problem


class Stability:
    """The share of random halves of the rows that chose each column: the result of :func:`lass0.stability`.

    A frequency says how much the choice of a column depends on the rows. It is not the probability that the column has an effect.

    Attributes
    ----------
    frequencies : array of shape (n_features,)
        One per column of X; NaN for excluded columns and for those of `include`, which are in every model.
    order : array of int
        The columns that could be chosen, the most frequent first.
    stable : array of int
        Those with a frequency of at least `threshold`, the most frequent first.
    threshold : float
    k : int or None
    lambda0 : float or None
        What every half was asked for: this many columns, or this price of a column on all rows.
    by_cross_validation : bool
        `k` (and `ridge`) were chosen once, by cross-validation on all rows.
    ridge : float
    pairs, pairs_done : int
        Pairs of halves asked for, and finished.
    mean_size : float
        The mean number q of columns that a half chose.
    candidates : int
        The number p of columns that can be chosen.
    low_probability : float
        ``q / p``: the probability of a column that is picked blindly.
    expected_low_probability : float
        The expected number of columns with a selection probability of at most ``q / p`` among the stable ones is at most this
        (Shah and Samworth, 2013, worst case). It is not a bound on the number of columns without an effect.
    expected_low_probability_r_concave : float
        A tighter bound, if the frequencies have an r-concave distribution.
    status : str
        ``"local_optimum"``; ``"time_limit"`` or ``"interrupted"`` if the frequencies are those of the finished pairs.
    random_state : int
        The seed of the halves.
    seconds : float
    """

    def __init__(self, result, keep, names, n_features):
        def columns(numbers):
            return (numbers if keep is None else keep[numbers]).astype(np.intp)

        self.order = columns(result["columns"])
        self.frequencies = np.full(n_features, np.nan)
        self.frequencies[self.order] = result["frequencies"]
        self.stable = self.order[: result["stable"]]
        self.random_state = result["seed"]
        for name in (
            "threshold",
            "k",
            "lambda0",
            "by_cross_validation",
            "ridge",
            "pairs",
            "pairs_done",
            "mean_size",
            "candidates",
            "low_probability",
            "expected_low_probability",
            "expected_low_probability_r_concave",
            "status",
            "seconds",
        ):
            setattr(self, name, result[name])
        self._json = result["json"]
        self._kept = result["kept"]
        self._core_columns = np.arange(n_features) if keep is None else keep
        self._names = names

    def names(self, columns):
        """The names of the columns with these numbers: those of X, or x0, x1, ... if X had none."""
        return [column_name(self._names, j) for j in columns]

    def to_pandas(self):
        """The frequencies as a pandas Series by name, the most frequent column first."""
        import pandas as pd

        return pd.Series(
            self.frequencies[self.order],
            index=pd.Index(self.names(self.order), name="column"),
            name="frequency",
        )

    def to_json(self):
        """The JSON of the program, ``lass0 stability --format json``. Columns without names are x1, x2, ..."""
        return self._json

    def report(self, path, *, source="", target="y"):
        """Write an HTML page with the frequencies, the threshold and what the bounds say: one file that needs no network.

        Parameters
        ----------
        path : str or path-like
            The file to write.
        source : str, optional
            Name of the data on the page.
        target : str, default="y"
            Name of the target on the page.
        """
        if not hasattr(self, "_kept"):
            raise ValueError("an unpickled result has no report: call lass0.stability again")
        page = _core.stability_report(
            self._kept,
            {
                "names": self.names(self._core_columns),
                "source": str(source),
                "target": str(target),
                "command": f"lass0.stability(X, {target}, {self._asked()}, pairs={self.pairs}, threshold={self.threshold:g}, "
                f"random_state={self.random_state})",
            },
        )
        with open(path, "w", encoding="utf-8") as file:
            file.write(page)

    def __getstate__(self):
        state = dict(vars(self))
        state.pop("_kept", None)
        return state

    def _asked(self):
        return f"lambda0={self.lambda0:g}" if self.k is None else f"k={self.k}"

    def __repr__(self):
        by = " (by cross-validation)" if self.by_cross_validation else ""
        lines = [f"{self._asked()}{by}, {plural(self.pairs_done, 'pair')} of halves"]
        lines += [f"{'frequency':>9}  column"]
        shown = max(len(self.stable), 10)
        for j in self.order[:shown]:
            if self.frequencies[j] > 0:
                mark = " *" if j in self.stable else ""
                lines.append(f"{self.frequencies[j]:>9.2f}  {column_name(self._names, j)}{mark}")
        lines.append(f"* at least {self.threshold:g}")
        return "\n".join(lines)


def stability(
    X,
    y=None,
    *,
    k=None,
    lambda0=None,
    threshold=0.9,
    pairs=50,
    family="gaussian",
    sample_weight=None,
    offset=None,
    effort="quick",
    ridge=0.0,
    fit_intercept=True,
    standardize=True,
    include=None,
    exclude=None,
    signs=None,
    random_state=1,
    time_limit=None,
    n_jobs=None,
    verbose=False,
    on_interrupt="raise",
):
    """How often each column is chosen on random halves of the rows (stability selection by complementary pairs).

    The columns are chosen again on every half. The two halves of a pair have no row in common. Columns that are chosen on nearly
    all halves do not depend on a few rows.

    Parameters
    ----------
    X : array, sparse matrix or data frame of shape (n_samples, n_features), or Moments
    y : array of shape (n_samples,)
        None with :class:`Moments`, which have the target in them.
    k : int, optional
        The number of columns that each half chooses.
    lambda0 : float, optional
        The price of a column on all rows. In a half it is multiplied by the half's share of the rows, like the ridge. Without `k`
        and `lambda0`, k is chosen once, by cross-validation on all rows.
    threshold : float, default=0.9
        Columns with at least this frequency are `stable`; above 0.5 and at most 1.
    pairs : int, default=50
        The number of pairs of halves.
    family : {"gaussian", "binomial"}, default="gaussian"
        "binomial" is logistic regression, for a target of any two labels: see :class:`Lass0Classifier`.
    sample_weight : array of shape (n_samples,), optional
    offset : array of shape (n_samples,), optional
        With the family "binomial": as in :meth:`Lass0Classifier.fit`.
    effort : {"quick", "full"}, default="quick"
        The search in every half. With more than 1024 columns, "quick" considers only a short list of them.
    random_state : int, RandomState or None, default=1
        The seed of the halves.
    ridge, fit_intercept, standardize, include, exclude, signs, time_limit, n_jobs, verbose, on_interrupt
        As in :class:`Lass0`.

    Returns
    -------
    Stability

    Examples
    --------
    >>> from sklearn.datasets import load_diabetes
    >>> import lass0
    >>> X, y = load_diabetes(return_X_y=True, as_frame=True)
    >>> found = lass0.stability(X, y, k=3)
    >>> found.names(found.stable)
    ['bmi', 's5']
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
        "k": size(k, "k"),
        "lambda0": None if lambda0 is None else number(lambda0, "lambda0"),
        "threshold": number(threshold, "threshold"),
        "pairs": integer(pairs, "pairs"),
        "effort": effort_option(effort),
        "seed": seed(random_state),
    }
    result = call_core(_core.stability, data, keep, options)
    names = getattr(problem, "feature_names_in_", None)
    return Stability(result, keep, names, problem.n_features_in_)
