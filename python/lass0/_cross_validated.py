"""What Lass0CV and Lass0ClassifierCV share: the folds, the call, the curve."""

import numpy as np
from sklearn import get_config
from sklearn.model_selection import GroupKFold, check_cv
from sklearn.utils.metadata_routing import MetadataRouter, MethodMapping, process_routing

from . import _core
from ._base import call_core
from ._numbers import is_missing
from ._options import effort, integer, number, one_of, seed, size
from ._report import Reported


class CrossValidated(Reported):
    """A model whose lambda or size, and optionally ridge, cross-validation chooses."""

    def _fit(self, X, y, sample_weight, params, offset=None):
        split_params = self._split_params(params)
        data, keep, options = self._start(X, y, sample_weight, offset)
        tune_ridge = isinstance(self.ridge, str)
        if tune_ridge:
            one_of(self.ridge, "ridge", ("auto",))
        options |= {
            "ridge": 0.0 if tune_ridge else number(self.ridge, "ridge"),
            "tune_ridge": tune_ridge,
            "tune": one_of(self.tune, "tune"),
            "rule": one_of(self.rule, "rule"),
            "start": one_of(self.start, "start", ("table", "paper")),
            "measure": self._measure(),
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
        finished = ("local_optimum", "second_order_optimum")
        if result["status"] != "local_optimum" and self.status_ in finished:
            self.status_ = result["status"]
            self._warn(self.status_)
        return self

    def _is_random(self):
        return self._own_folds()

    def _measure(self):
        return "deviance"

    def _inference(self):
        return "none"

    def _take_evidence(self, result, keep):
        """What else was computed."""

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
        if data.summed is not None:
            return folds | self._folds_of_moments(data, groups)
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

    def _folds_of_moments(self, data, groups):
        if not self._own_folds() or groups is not None:
            raise ValueError(
                "splitters and groups need the rows: moments have folds of their own, which lass0.moments makes (folds, fold_column)"
            )
        wrong = None
        if self.cv is not None and integer(self.cv, "cv") != data.folds:
            wrong = "cv", f"the moments have {data.folds} folds", f"folds={self.cv}"
        elif self.random_state not in (1, data.seed):  # 1 is the default
            wrong = "random_state", f"the folds of the moments have seed {data.seed}", "seed="
        if wrong is None or data.folds == 1:  # the core refuses a single fold
            return {"seed": 0 if data.seed is None else data.seed}
        name, folds, way_out = wrong
        value = getattr(self, name)
        if data.seed is None:
            raise ValueError(
                f"{name} is {value}, but the folds come from column {data.fold_column!r}: leave {name} out"
            )
        raise ValueError(
            f"{name} is {value}, but {folds}: leave {name} out, or make them again with lass0.moments(..., {way_out})"
        )

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
