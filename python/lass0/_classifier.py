"""Lass0Classifier: logistic regression of one size, at one lambda, or by a criterion."""

import warnings

from ._core import SeparationError
from ._linear_classifier import LinearClassifier
from ._numbers import column_name
from ._options import number, one_of
from ._single_fit import SingleFit

_RIDGE = 1.0  # that of ridge="auto" where columns separate the classes


class Lass0Classifier(SingleFit, LinearClassifier):
    """Sparse logistic regression with exactly `k` columns, or at one `lambda0`, for a target of two classes.

    Minimises, over the intercept ``b0`` and the coefficients ``b``::

        sum_i w_i (log(1 + exp(e_i)) - y_i e_i)         with e_i = b0 + x_i' b
            + lambda0 * (number of non-zero b)
            + ridge/2 * sum_j (s_j b_j)^2

    where ``y_i`` is 0 for ``classes_[0]`` and 1 for ``classes_[1]``. The first term is the negative log-likelihood, a plain sum: a
    column stays in the model if it raises the log-likelihood by more than `lambda0`. ``s_j`` is the standard deviation of column j.

    For more than two classes, use ``sklearn.multiclass.OneVsRestClassifier(Lass0Classifier())``: every class then has columns of its
    own.

    Parameters
    ----------
    k : int, optional
        Fit the best model with exactly `k` columns.
    lambda0 : float, optional
        The price of a column in units of log-likelihood. With neither `k` nor `lambda0`, `criterion` chooses the size.
    criterion : {"bic", "aic", "ebic", "gic"}, default="bic"
        The information criterion that chooses the size if neither `k` nor `lambda0` is given.
    start : {"table", "paper", "empty"} or list of columns, default="table"
        Where the search at `lambda0` starts: see :class:`Lass0`.
    ridge : float or "auto", default="auto"
        Shrinks the coefficients. "auto" is 0, except where columns separate the classes: a model with these columns has no finite
        coefficients without a ridge. Then the ridge is 1, with a warning. (On standardised columns this is scikit-learn's
        ``LogisticRegression`` with its default ``C=1``.) With ``ridge=0`` it is a :class:`SeparationError` if the model of the given `k`
        or `lambda0` is such a model, and a criterion chooses among the smaller models.
    fit_intercept, standardize, include, exclude, max_k, effort, prove, within, max_models, time_limit, n_jobs, verbose, on_interrupt
        As in :class:`Lass0`. By default `max_k` is at most 50.

    Attributes
    ----------
    classes_ : array of shape (2,)
        The two labels, sorted. The probability is that of ``classes_[1]``.
    coef_ : array of shape (1, n_features)
        What one more unit of a column adds to the log-odds of ``classes_[1]``; ``np.exp(coef_)`` are odds ratios.
    intercept_ : array of shape (1,)
    support_ : array of int
        The columns of the model, ascending, including those of `include`. :meth:`get_support` gives the mask.
    k_ : int
        The number of chosen columns; included ones are not counted.
    deviance_, null_deviance_ : float
        Twice the negative log-likelihood of the model, and that of the model with no column. For weights of 1, ``deviance_`` is
        ``2 * n_samples`` times scikit-learn's ``log_loss``.
    deviance_explained_ : float
        ``1 - deviance_ / null_deviance_``.
    ridge_ : float
        The ridge of the model.
    loss_ : float
        :attr:`deviance_` plus, with a ridge, ``ridge * sum_j (s_j b_j)^2``. The objective contains half of it.
    status_ : str
        As in :class:`Lass0`, and ``"second_order_optimum"``: all adds, removes and swaps of a column were scored by the second-order
        change of the log-likelihood, the best of them were fitted, and none lowers the objective.
    lambda0_, lambda_range_, objective_, gap_, lower_bound_, near_optimal_, table_, alternatives_, aliased_, constant_, effects_, criterion_
        As in :class:`Lass0`. Rows of the table have ``deviance`` instead of ``rss``.
    n_features_in_, feature_names_in_
        As in scikit-learn.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from lass0 import Lass0Classifier
    >>> X, y = load_breast_cancer(return_X_y=True, as_frame=True)
    >>> model = Lass0Classifier(k=3).fit(X, y)
    >>> model.get_feature_names_out()
    array(['worst texture', 'worst area', 'worst concave points'], dtype=object)
    >>> model.predict_proba(X[:1]).shape
    (1, 2)
    """

    def __init__(
        self,
        k=None,
        lambda0=None,
        *,
        criterion="bic",
        start="table",
        ridge="auto",
        fit_intercept=True,
        standardize=True,
        include=None,
        exclude=None,
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
        self.fit_intercept = fit_intercept
        self.standardize = standardize
        self.include = include
        self.exclude = exclude
        self.max_k = max_k
        self.effort = effort
        self.prove = prove
        self.within = within
        self.max_models = max_models
        self.time_limit = time_limit
        self.n_jobs = n_jobs
        self.verbose = verbose
        self.on_interrupt = on_interrupt

    def fit(self, X, y, sample_weight=None, offset=None):
        """Fit the model.

        Parameters
        ----------
        X : array, sparse matrix or data frame of shape (n_samples, n_features)
            Not copied; "Data without copying" in the documentation lists the exceptions.
        y : array of shape (n_samples,)
            Two labels of any kind: numbers, texts, booleans.
        sample_weight : array of shape (n_samples,), optional
            A weight of 2 equals the row twice, and a weight of 0 no row.
        offset : array of shape (n_samples,), optional
            A known part of the log-odds, which is added with coefficient 1. Predictions then need the offset of their rows.

        Returns
        -------
        self
        """
        return self._fit(X, y, sample_weight, offset)

    def _fit_options(self):
        if isinstance(self.ridge, str):
            one_of(self.ridge, "ridge", ("auto",))
            return {"ridge": 0.0, "power": 0.0}
        return {"ridge": number(self.ridge, "ridge"), "power": 0.0}

    def _search(self, data, keep, options):
        try:
            fit = super()._search(data, keep, options)
        except SeparationError as error:
            if self.ridge != "auto":
                raise
            why, k = str(error).partition(", so the model")[0], 0
        else:
            wanted = self._separated(fit)
            if not wanted:
                self.ridge_ = options["ridge"]
                return fit
            names = getattr(self, "feature_names_in_", None)
            listed = [column_name(names, j if keep is None else keep[j]) for j in wanted]
            verb = "separates" if len(wanted) == 1 else "separate"
            noun = "column" if len(wanted) == 1 else "columns"
            why, k = f"{noun} {', '.join(listed)} {verb} the two classes", len(wanted)
        warnings.warn(
            f"{why}, so a model without a ridge has no finite coefficients: ridge='auto' uses a ridge of {_RIDGE:g}",
            stacklevel=4,
        )
        options["ridge"] = self.ridge_ = _RIDGE
        if options["k"] is None and options["lambda0"] is None:
            options["k"] = k
        return super()._search(data, keep, options)

    def _separated(self, fit):
        """The columns of the next larger model, if a criterion chose the last one that has finite coefficients."""
        if self.ridge != "auto" or self.criterion_ is None:
            return []
        table = fit["table"]
        return table["separated_by"].tolist() if fit["k"] + 1 == len(table["rows"]) else []
