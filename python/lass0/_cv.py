"""Lass0CV: cross-validation chooses lambda or the size, and optionally the ridge."""

import numpy as np
from sklearn import get_config
from sklearn.model_selection import GroupKFold, check_cv
from sklearn.utils.metadata_routing import MetadataRouter, MethodMapping, process_routing
from sklearn.utils.validation import check_is_fitted

from . import _core
from ._base import LinearSelector, call_core
from ._design import predictors
from ._numbers import is_missing
from ._options import effort, integer, number, one_of, seed, size
from ._report import Reported


class Lass0CV(Reported, LinearSelector):
    """:class:`Lass0` with `lambda0` or the size chosen by cross-validation.

    All folds share one pass over X, so this costs about as much as one fit. Means, standard deviations, supports and coefficients
    of a fold are computed on its training rows only.

    Parameters
    ----------
    cv : int, splitter or iterable of (train, test), default=10
        A number gives random folds of equal size, made from `random_state`. They keep groups together if `groups` are given to
        :meth:`fit`. Splitters and splits are those of scikit-learn; splits that are not a partition of the rows (time series,
        repeats) cost one pass over X each.
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
        Seed of the random folds. The same number gives the same folds as ``lass0 cv --seed``.
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
    >>> model = Lass0CV(rule="1se").fit(X, y)
    >>> model.get_feature_names_out()
    array(['sex', 'bmi', 'bp', 's3', 's5'], dtype=object)
    """

    def __init__(
        self,
        cv=10,
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

    def fit(self, X, y, sample_weight=None, **params):
        """Choose by cross-validation, and fit on all rows.

        Parameters
        ----------
        X : array, sparse matrix or data frame of shape (n_samples, n_features)
        y : array of shape (n_samples,)
        sample_weight : array of shape (n_samples,), optional
        **params
            ``groups``, an array of shape (n_samples,): rows with the same label are either all training rows or all held out. With
            metadata routing enabled, also other arguments of the splitter.

        Returns
        -------
        self
        """
        split_params = self._split_params(params)
        data, keep, options = self._start(X, y, sample_weight)
        tune_ridge = isinstance(self.ridge, str)
        if tune_ridge:
            one_of(self.ridge, "ridge", ("auto",))
        options |= {
            "ridge": 0.0 if tune_ridge else number(self.ridge, "ridge"),
            "tune_ridge": tune_ridge,
            "tune": one_of(self.tune, "tune"),
            "rule": one_of(self.rule, "rule"),
            "start": one_of(self.start, "start", ("table", "paper")),
            "inference": self._inference(),
            "lambdas": integer(self.n_lambdas, "n_lambdas"),
            "max_k": size(self.max_k, "max_k"),
            "effort": effort(self.effort),
        }
        options |= self._folds(X, data, split_params)
        result = call_core(_core.cross_validate, data, keep, options)
        self._fitted_on = data, keep, options | {"kept": result["kept"]}
        self._take_table(result["table"], keep, float(result["ridge"][result["chosen"]]))
        self._take_fit(result["fit"], keep)
        self._take_curve(result)
        self._take_evidence(result, keep)
        if result["status"] != "local_optimum" and self.status_ == "local_optimum":
            self.status_ = result["status"]
            self._warn(self.status_)
        return self

    def _is_random(self):
        return self._own_folds()

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

    def _own_folds(self):
        return self.cv is None or isinstance(self.cv, (int, np.integer))

    def _split_params(self, params):
        if get_config().get("enable_metadata_routing", False):
            return process_routing(self, "fit", **params).splitter.split
        unknown = sorted(params.keys() - {"groups"})
        if unknown:
            raise TypeError(f"fit takes no argument {unknown[0]!r}")
        return {name: value for name, value in params.items() if value is not None}

    def get_metadata_routing(self):
        """Metadata that the splitter receives: see scikit-learn's user guide on metadata routing."""
        # Our own folds ask for groups as GroupKFold does.
        splitter = GroupKFold() if self._own_folds() else check_cv(self.cv)
        return (
            MetadataRouter(owner=type(self).__name__)
            .add_self_request(self)
            .add(
                splitter=splitter, method_mapping=MethodMapping().add(caller="fit", callee="split")
            )
        )

    def _folds(self, X, data, split_params):
        """Which rows are held out: the core's own folds, the labels of a partition, or splits."""
        n = data.shape[0]
        folds = {"folds": 10, "groups": [], "fold_labels": [], "splits": [], "seed": 1}
        groups = split_params.get("groups")
        if self._own_folds():
            folds["folds"] = 10 if self.cv is None else integer(self.cv, "cv")
            folds["seed"] = self._seed()
            if groups is not None:
                # Of a list, NumPy would make one type, and of None or NaN a label like others.
                groups = np.asarray(groups, dtype=object if isinstance(groups, list) else None)
                if groups.shape != (n,):
                    raise ValueError(
                        f"groups has shape {groups.shape}, but needs one label per row: ({n},)"
                    )
                folds["groups"] = _labels(groups)
            return folds
        splits = self._splits(data, split_params)
        labels = _partition(splits, n)
        if labels is not None:
            folds["fold_labels"] = labels
        else:
            folds["splits"] = splits
        return folds

    def _splits(self, data, split_params):
        n = data.shape[0]
        if isinstance(self.cv, (list, tuple, np.ndarray)) and len(self.cv) > 0:
            if not hasattr(self.cv[0], "__len__") or len(self.cv[0]) != 2:
                raise TypeError(
                    "cv must be a number of folds, a splitter or pairs (train, test) of row numbers; for one fold label per row "
                    "use sklearn.model_selection.PredefinedSplit(labels)"
                )
        pairs = list(check_cv(self.cv).split(np.empty((n, 1)), data.y, **split_params))
        if not pairs:
            raise ValueError("cv has no (train, test) pair: give at least two")
        return [(_rows(train, n), _rows(test, n)) for train, test in pairs]

    def _seed(self):
        return seed(self.random_state)

    def _take_curve(self, result):
        by_size = self.tune == "k"
        values = result["k"].astype(np.intp) if by_size else result["lambda0"]
        name = "k" if by_size else "lambda0"
        scores = -np.array(result["fold_errors"])
        self.best_index_ = result["chosen"]
        self.rule_indices_ = result["by_rule"]
        self.min_index_ = self.rule_indices_["min"]
        self.one_se_index_ = self.rule_indices_["1se"]
        self.fold_supports_ = result["fold_supports"]
        self.frequencies_ = result["fit"]["frequencies"]
        self.ridge_ = float(result["ridge"][self.best_index_])
        # The smaller rank is the better score, equal ones share it: as in GridSearchCV.
        order = np.sort(result["mean_error"])
        self.cv_results_ = {
            f"param_{name}": values,
            "param_ridge": result["ridge"],
            "params": [
                {name: value, "ridge": ridge}
                for value, ridge in zip(values.tolist(), result["ridge"].tolist())
            ],
            "mean_test_score": -result["mean_error"],
            "std_test_score": scores.std(axis=0),
            "rank_test_score": (1 + np.searchsorted(order, result["mean_error"])).astype(np.int32),
            **{f"split{f}_test_score": fold for f, fold in enumerate(scores)},
            "mean_error": result["mean_error"],
            "se": result["se"],
            "mean_size": result["mean_size"],
        }
        self.best_score_ = float(-result["mean_error"][self.best_index_])
        self.held_out_r2_ = result["held_out_r_squared"]
        self.n_splits_ = len(scores)


def _labels(groups):
    """The labels of rows as numbers from 0."""
    for row, label in enumerate(groups.tolist()):
        if is_missing(label):
            raise ValueError(
                f"groups has no label ({label}) in row {row}, rows counted from 0: give every row a label"
            )
    try:
        return np.unique(groups, return_inverse=True)[1].ravel().tolist()
    except TypeError:  # labels of several types, which have no order
        numbers = {label: i for i, label in enumerate(dict.fromkeys(groups.tolist()))}
        return [numbers[label] for label in groups.tolist()]


def _rows(rows, n):
    rows = np.asarray(rows)
    if rows.dtype == bool:
        if rows.shape != (n,):
            raise ValueError(f"cv has a mask of shape {rows.shape}, but X has {n} rows")
        rows = np.flatnonzero(rows)
    if rows.ndim != 1 or (rows.size and rows.dtype.kind not in "iu"):
        raise ValueError("cv must have row numbers, counted from 0, or masks in its (train, test)")
    rows = rows.astype(np.int64)
    return np.ascontiguousarray(np.where((rows < 0) & (rows >= -n), rows + n, rows))


def _partition(splits, n):
    """The label of each row if every row is held out once and a training row otherwise; else None."""
    labels = np.full(n, -1)
    for fold, (train, test) in enumerate(splits):
        if train.size + test.size != n or test.size == 0 or not 0 <= test.min() <= test.max() < n:
            return None
        if (labels[test] >= 0).any() or np.union1d(train, test).size != n:
            return None
        labels[test] = fold
    return labels.tolist() if (labels >= 0).all() else None
