"""Lass0: one size, one lambda, or a criterion."""

from ._base import LinearRegressor
from ._options import number
from ._single_fit import SingleFit


class Lass0(SingleFit, LinearRegressor):
    """Sparse linear regression with exactly `k` columns, or at one `lambda0`.

    Minimises, over the intercept ``b0`` and the coefficients ``b``::

        1/2 * sum_i w_i (y_i - b0 - x_i' b)^2
            + lambda0 * (number of non-zero b)
            + ridge/2 * sum_j (s_j b_j)^2

    The first term is a plain sum, never divided by the number of rows: a column stays in the model if it lowers half the residual sum
    of squares by more than `lambda0`. ``s_j`` is the standard deviation of column j, so the ridge does not depend on the columns'
    units. The search scores every add, remove and swap of a column exactly; :attr:`status_` says what is known about the answer.

    Parameters
    ----------
    k : int, optional
        Fit the best model with exactly `k` columns.
    lambda0 : float, optional
        The price of a column. With neither `k` nor `lambda0`, `criterion` chooses the size.
    criterion : {"bic", "aic", "ebic", "gic", "cp"}, default="bic"
        The information criterion that chooses the size if neither `k` nor `lambda0` is given.
    start : {"table", "paper", "empty"} or list of columns, default="table"
        Where the search at `lambda0` starts: at the best support of all sizes ("table"), at the Lasso with the same lambda ("paper"),
        at no column ("empty"), or at the given columns.
    ridge : float, default=0
        Also shrink the coefficients, which helps if the noise is large.
    power : float, default=0
        The exponent q of the penalty ``lambda0 * sum |b_j|^q``: 0 (the number of columns) or more, and below 1. Works with `lambda0`
        only, as `start` does.
    fit_intercept : bool, default=True
        Fit an intercept. It is never penalised and not counted in `k`.
    standardize : bool, default=True
        Standardise the columns for the ridge and for the Lasso that starts the search. False: ``s_j = 1``.
    include : list of columns, optional
        Names, numbers (from 0) or a mask of columns that are in every model. They cost no `lambda0` and are not counted in `k`.
    exclude : list of columns, optional
        Columns that are in no model.
    signs : dict, array or one value, optional
        Sign constraints: keep coefficients at 0 or above (1 or ``"+"``), or at 0 or below (-1 or ``"-"``). Give a dictionary of columns
        by name or number, an array with 1, -1 or 0 (free) for each column, or one value for all columns that are not included. The
        search compares only models with the right signs; no coefficient is clipped. Does not work with `prove`, `power` and
        ``start="paper"``.
    max_k : int, optional
        The largest size of the table; by default ``min(100, n_samples / 2)``, or `k` if that is given.
    effort : {"full", "quick"}, default="full"
        With more than 1024 columns, "quick" considers only a short list of them, as :class:`Lass0CV` does in its folds. The model is not
        compared with the other columns (:attr:`status_` is ``"unchecked"``). Works with `k` or `lambda0`, not with `prove`.
    prove : bool, default=False
        Prove by branch and bound that no other support is better. This may take long: see `time_limit`.
    within : float or str, optional
        With `prove`: also find every model whose objective is at most this much above the best, and what each column is worth:
        :attr:`near_optimal_`. A distance in units of :attr:`objective_`, a share such as ``"1%"``, or ``"auto"``: `lambda0` or, with
        `k`, what lowers the log-likelihood by 2.
    max_models : int, default=1000
        List at most this many of these models, the best ones; all are counted.
    time_limit : float, optional
        Stop after this many seconds, with the best model so far; :attr:`status_` is then ``"time_limit"`` (or ``"gap"``).
    n_jobs : int, optional
        Number of threads, as in scikit-learn: None is 1, -1 all cores. The result is the same for any number.
    verbose : bool, default=False
        Show progress on standard error.
    on_interrupt : {"raise", "return"}, default="raise"
        What Ctrl-C does: raise KeyboardInterrupt, or return the best model so far.

    Attributes
    ----------
    coef_ : array of shape (n_features,)
    intercept_ : float
    support_ : array of int
        The columns of the model, ascending, including those of `include`. :meth:`get_support` gives the mask.
    k_ : int
        The number of chosen columns; included ones are not counted.
    lambda0_ : float or None
        The lambda of the fit; None if the fit has a given or chosen size.
    lambda_range_ : (float, float) or None
        The lambdas for which the model is the best of the table; None if no lambda selects it.
    objective_ : float
        The objective of the model; without a lambda, only its first and last term.
    rss_ : float
        The residual sum of squares.
    loss_ : float
        :attr:`rss_` plus, with a ridge, ``ridge * sum_j (s_j b_j)^2``. The objective contains half of it.
    status_ : str
        ``"local_optimum"``: no add, remove or swap of a column lowers the objective. ``"proven_optimal"``: no other support does.
        ``"gap"``: the time limit came before the proof, see :attr:`gap_`. ``"add_remove_optimum"``: no add or remove lowers the
        objective, but a swap may. ``"unchecked"``: the best of a quick search (`effort`). ``"time_limit"``, ``"interrupted"``: the
        best so far.
    gap_, lower_bound_ : float or None
        With `prove`: how far the objective can be above the best possible, relative to the objective; and the lower bound itself.
    near_optimal_ : dict or None
        With `within`: the distance ``"within"``, the number of near-optimal models ``"count"``, and ``"models"``, a list of
        dictionaries with ``"support"`` and ``"objective"``, the best first. If ``"complete"`` is False, ``"count"`` is a lower bound;
        if ``"best_listed"`` is True, the models listed are still the best ones. ``"columns"`` has a dictionary for every column that
        can be chosen: ``"column"``, ``"name"``, ``"price_out"`` (how much the best objective rises if the column must not be in the
        model), ``"price_in"`` (if it must be; None: there is no such model), and ``"class"``: ``"always"`` in the near-optimal
        models, ``"interchangeable"``, ``"never"``, or ``"undecided"`` if time ran out. Prices that are not ``"exact"`` are lower
        bounds. :func:`plot_near_optimal` draws it.
    table_ : SupportTable or None
        The best support of every size with its exact fit, if the search computed it.
    alternatives_ : list of Alternative
        The five nearest stand-ins of each column of the model.
    aliased_, constant_ : arrays of int
        Columns that could not be in the model: entirely explained by other columns, or without variation.
    effects_ : array
        Coefficients of :attr:`support_` times the standard deviation of their columns, which makes them comparable.
    criterion_ : array or None
        The criterion of every size, if it chose the size.
    n_features_in_, feature_names_in_
        As in scikit-learn.

    Examples
    --------
    >>> from sklearn.datasets import load_diabetes
    >>> from lass0 import Lass0
    >>> X, y = load_diabetes(return_X_y=True, as_frame=True)
    >>> model = Lass0(k=3).fit(X, y)
    >>> model.get_feature_names_out()
    array(['bmi', 'bp', 's5'], dtype=object)
    >>> model.status_
    'local_optimum'
    >>> model.table_.at_k(2).support
    array([2, 8])
    >>> Lass0(k=3, signs={"bp": "-"}).fit(X, y).get_feature_names_out()
    array(['bmi', 's1', 's5'], dtype=object)
    """

    def __init__(
        self,
        k=None,
        lambda0=None,
        *,
        criterion="bic",
        start="table",
        ridge=0.0,
        power=0.0,
        fit_intercept=True,
        standardize=True,
        include=None,
        exclude=None,
        signs=None,
        max_k=None,
        effort="full",
        prove=False,
        within=None,
        max_models=1000,
        time_limit=None,
        n_jobs=None,
        verbose=False,
        on_interrupt="raise",
    ):
        self.k = k
        self.lambda0 = lambda0
        self.criterion = criterion
        self.start = start
        self.ridge = ridge
        self.power = power
        self.fit_intercept = fit_intercept
        self.standardize = standardize
        self.include = include
        self.exclude = exclude
        self.signs = signs
        self.max_k = max_k
        self.effort = effort
        self.prove = prove
        self.within = within
        self.max_models = max_models
        self.time_limit = time_limit
        self.n_jobs = n_jobs
        self.verbose = verbose
        self.on_interrupt = on_interrupt

    def fit(self, X, y=None, sample_weight=None):
        """Fit the model.

        Parameters
        ----------
        X : array, sparse matrix or data frame of shape (n_samples, n_features), or Moments
            Not copied; "Data without copying" in the documentation lists the exceptions.
        y : array of shape (n_samples,)
            None with :class:`Moments`, which have the target in them.
        sample_weight : array of shape (n_samples,), optional
            A weight of 2 equals the row twice, and a weight of 0 no row.

        Returns
        -------
        self
        """
        return self._fit(X, y, sample_weight)

    def _fit_options(self):
        return {"ridge": number(self.ridge, "ridge"), "power": number(self.power, "power")}
