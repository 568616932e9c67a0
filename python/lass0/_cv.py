"""Lass0CV: cross-validation chooses lambda or the size, and optionally the ridge."""

import numpy as np
from sklearn import get_config
from sklearn.model_selection import GroupKFold, check_cv
from sklearn.utils import check_random_state
from sklearn.utils.metadata_routing import MetadataRouter, MethodMapping, process_routing
from sklearn.utils.validation import check_is_fitted

from . import _core
from ._base import LinearSelector, call_core
from ._numbers import is_missing
from ._options import effort, integer, number, one_of, size


class Lass0CV(LinearSelector):
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
    rule : {"min", "1se"}, default="min"
        Take the lowest mean error, or the sparsest model within one standard error of it.
    ridge : float or "auto", default=0
        "auto" also chooses the ridge, among seven values.
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
    best_score_ : float
        ``mean_test_score`` of the chosen point.
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
        rule="min",
        ridge=0.0,
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
        if result["status"] != "local_optimum" and self.status_ == "local_optimum":
            self.status_ = result["status"]
            self._warn(self.status_)
        return self

    def report(self, path, *, source="", target="y"):
        """Write an HTML page with the model, the cross-validation curve, all other sizes, plots and notes.

        The page is a single file that needs no network. It shows the cross-validation of :meth:`fit`, whose data must not have
        changed.

        Parameters
        ----------
        path : str or path-like
            The file to write.
        source : str, optional
            Name of the data on the page.
        target : str, default="y"
            Name of the target on the page.
        """
        check_is_fitted(self)
        if not hasattr(self, "_fitted_on"):
            raise ValueError(
                "the model has no data for a report, because it was cloned or unpickled: fit it again"
            )
        data, keep, options = self._fitted_on
        page = call_core(
            _core.report,
            data,
            keep,
            options
            | {
                "source": str(source),
                "target": str(target),
                "command": f"{self!r}.fit(X, {target})",
                "random": self._own_folds(),
            },
        )
        with open(path, "w", encoding="utf-8") as file:
            file.write(page)

    def __getstate__(self):
        # Without the data, so that a pickled model is small.
        state = dict(super().__getstate__())
        state.pop("_fitted_on", None)
        return state

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
        if isinstance(self.random_state, (int, np.integer)):
            return integer(self.random_state, "random_state", 0, 2**64 - 1)
        return int(check_random_state(self.random_state).randint(2**31 - 1))

    def _take_curve(self, result):
        by_size = self.tune == "k"
        values = result["k"].astype(np.intp) if by_size else result["lambda0"]
        name = "k" if by_size else "lambda0"
        scores = -np.array(result["fold_errors"])
        self.best_index_ = result["chosen"]
        self.min_index_ = result["minimum"]
        self.one_se_index_ = result["one_se"]
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
