"""Lass0CV: cross-validation chooses lambda or the size, and optionally the ridge."""

import numpy as np
from sklearn.utils.validation import check_is_fitted

from . import _core
from ._base import LinearRegressor
from ._cross_validated import CrossValidated
from ._design import predictors
from ._options import number, one_of


class Lass0CV(CrossValidated, LinearRegressor):
    """:class:`Lass0` with `lambda0` or the size chosen by cross-validation.

    All folds share one pass over X, so this costs about as much as one fit. Means, standard deviations, supports and coefficients
    of a fold are computed on its training rows only.

    Parameters
    ----------
    cv : int, splitter or iterable of (train, test), optional
        By default 10 folds, or those of moments. A number gives random folds of equal size, made from `random_state`. They keep
        groups together if `groups` are given to :meth:`fit`. Splitters and splits are those of scikit-learn; splits that are not a
        partition of the rows (time series, repeats) cost one pass over X each.
    tune : {"lambda", "k"}, default="lambda"
        What cross-validation chooses.
    rule : {"min", "1se", "paired"}, default="paired"
        Take the lowest mean error ("min"), the sparsest model within one standard error of it ("1se"), or the sparsest model whose
        errors are, fold by fold, not clearly above those of the best ("paired").
    inference : {"splits"} or None, default=None
        "splits" computes `p_values_`: columns are chosen on one random half of the rows and tested by least squares on the other, 50
        times. They assume independent rows, so they do not work with groups.
    ridge : float or "auto", default="auto"
        "auto" also chooses the ridge, among 0 and six other values. The paper's choice is ``ridge=0, rule="min"``.
    n_lambdas : int, default=100
        The number of lambdas.
    start : {"table", "paper"}, default="table"
        As in :class:`Lass0`.
    max_k : int, optional
        The largest size.
    effort : {"quick", "full"}, default="quick"
        How to search in each fold. With more than 1024 columns, "quick" considers a short list of columns, and "full" all of them. The
        model of all rows is always compared with all columns.
    random_state : int, RandomState or None, default=1
        Seed of the random folds. The same number gives the same folds as ``lass0 cv --seed``. Moments have folds of their own. Another
        seed than theirs is an error, except 1, which can't be told from the default.
    fit_intercept, standardize, include, exclude, signs, time_limit, n_jobs, verbose, on_interrupt
        As in :class:`Lass0`.

    Attributes
    ----------
    coef_, intercept_, support_, k_, lambda0_, objective_, rss_, status_, table_, alternatives_, ...
        Attributes of the model fitted on all rows, as in :class:`Lass0`.
    ridge_ : float
        The ridge of the model.
    cv_results_ : dict of arrays
        One value per point of the curve: ``param_lambda0`` or ``param_k``, ``param_ridge``, ``params``, ``mean_test_score``
        (minus the mean squared error), ``std_test_score``, ``rank_test_score``, ``split0_test_score`` and so on;
        also ``mean_error``, ``se`` (its standard error) and ``mean_size`` (mean number of chosen columns).
    best_index_, min_index_, one_se_index_ : int
        The chosen point, and the points that the rules "min" and "1se" choose.
    rule_indices_ : dict
        The point that each rule chooses.
    frequencies_ : array
        The share of folds that chose each column of ``support_``, too. A column that few folds choose is an uncertain one.
    fold_supports_ : list of arrays
        The columns that each fold chose at the chosen point.
    best_score_ : float
        ``mean_test_score`` of the chosen point.
    p_values_ : array of shape (n_features,) or None
        With ``inference="splits"``: split-sample p-values, adjusted for all columns (family-wise error rate); 1 for columns that are
        never significant, NaN for columns that are not tested (`include`, `exclude`).
    selected_ : array of shape (n_features,) or None
        The share of those halves that chose the column.
    held_out_r2_ : float
        R^2 of the chosen point on the held-out rows: 1 - its mean error / that of the model with no column. ``score(X, y)`` on the
        rows of the fit is larger.

    Examples
    --------
    >>> from sklearn.datasets import load_diabetes
    >>> from lass0 import Lass0CV
    >>> X, y = load_diabetes(return_X_y=True, as_frame=True)
    >>> model = Lass0CV().fit(X, y)
    >>> model.get_feature_names_out()
    array(['sex', 'bmi', 'bp', 's3', 's5'], dtype=object)
    """

    def __init__(
        self,
        cv=None,
        *,
        tune="lambda",
        rule="paired",
        inference=None,
        ridge="auto",
        n_lambdas=100,
        start="table",
        fit_intercept=True,
        standardize=True,
        include=None,
        exclude=None,
        signs=None,
        max_k=None,
        effort="quick",
        random_state=1,
        time_limit=None,
        n_jobs=None,
        verbose=False,
        on_interrupt="raise",
    ):
        self.cv = cv
        self.tune = tune
        self.rule = rule
        self.inference = inference
        self.ridge = ridge
        self.n_lambdas = n_lambdas
        self.start = start
        self.fit_intercept = fit_intercept
        self.standardize = standardize
        self.include = include
        self.exclude = exclude
        self.signs = signs
        self.max_k = max_k
        self.effort = effort
        self.random_state = random_state
        self.time_limit = time_limit
        self.n_jobs = n_jobs
        self.verbose = verbose
        self.on_interrupt = on_interrupt

    def fit(self, X, y=None, sample_weight=None, **params):
        """Choose by cross-validation, and fit on all rows.

        Parameters
        ----------
        X : array, sparse matrix or data frame of shape (n_samples, n_features), or Moments
        y : array of shape (n_samples,)
            None with :class:`Moments`, which have the target in them.
        sample_weight : array of shape (n_samples,), optional
        **params
            ``groups``, an array of shape (n_samples,): rows with the same label are either all training rows or all held out. With
            metadata routing enabled, also other arguments of the splitter.

        Returns
        -------
        self
        """
        return self._fit(X, y, sample_weight, params)

    def predict_interval(self, X, coverage=0.9):
        """Predictions for the rows of X with prediction intervals (CV+).

        The intervals use the models of all folds and their residuals on the held-out rows. In theory at least ``1 - 2 * (1 - coverage)`` of
        new rows from the same source are inside; in practice about `coverage` of them.

        Parameters
        ----------
        X : array, sparse matrix or data frame of shape (n_samples, n_features)
        coverage : float, default=0.9
            The nominal share of new rows whose target is inside its interval, above 0 and below 1.

        Returns
        -------
        array of shape (n_samples, 3)
            Columns: prediction, lower end, upper end.
        """
        check_is_fitted(self)
        if not self._fold_models:
            raise ValueError(
                "the model has no fold models, which intervals need: cv must be a partition of the rows into folds, and all folds must be "
                "finished"
            )
        coverage = number(coverage, "coverage", 0, 1, above=True)
        used = np.unique(np.concatenate([self.support_, *(one[0] for one in self._fold_models)]))
        columns = predictors(self, X, used.astype(np.intp))
        coef = np.zeros((self.n_features_in_, len(self._fold_models)))
        for f, (support, coefficients, _, _) in enumerate(self._fold_models):
            coef[support, f] = coefficients
        if columns.shape[1] == used.size:
            coef = coef[used]
        predictions = np.asarray(columns @ coef, dtype=np.float64)
        predictions += np.array([one[2] for one in self._fold_models])
        residuals = [one[3] for one in self._fold_models]
        lower, upper = _core.cv_plus(predictions.ravel(), residuals, coverage)
        return np.column_stack([self.predict(X), lower, upper])

    def _inference(self):
        if self.inference is None:
            return "none"
        return one_of(self.inference, "inference", ("splits",))

    def _take_evidence(self, result, keep):
        self.held_out_r2_ = result["held_out_r_squared"]
        self.p_values_ = self.selected_ = None
        if result["p_values"] is not None:
            tested = np.arange(self.n_features_in_) if keep is None else keep
            self.p_values_ = np.full(self.n_features_in_, np.nan)
            self.selected_ = np.full(self.n_features_in_, np.nan)
            self.p_values_[tested] = result["p_values"]
            self.selected_[tested] = result["selected"]
            included = tested[result["not_tested"]]
            self.p_values_[included] = self.selected_[included] = np.nan
        self._fold_models = [
            (support if keep is None else keep[support], coefficients, intercept, residuals)
            for support, coefficients, intercept, residuals in result["fold_models"]
        ]
