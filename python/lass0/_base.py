"""What all estimators share: data in, attributes out, the linear predictor, the selector; and what those of numbers share."""

import warnings
from typing import NamedTuple

import numpy as np
from sklearn.base import BaseEstimator, RegressorMixin
from sklearn.exceptions import ConvergenceWarning
from sklearn.feature_selection import SelectorMixin
from sklearn.utils.validation import check_is_fitted, validate_data

from . import _json
from ._array_api import check_array, host_array, is_array, take_columns
from ._columns import resolve_columns, resolve_signs
from ._design import predictors, read_data
from ._numbers import column_name
from ._options import problem_options, run_options
from ._table import make_table


class Alternative(NamedTuple):
    """A column that could replace one column of the model while the others stay."""

    column: int
    stand_in: int
    rss_increase: float  #: increase of the rss after a refit (with a ridge: of the loss; of two classes: of the deviance or the loss)
    near_tie: bool = (
        False  #: the log-likelihood falls by at most 3: the data hardly distinguish the two
    )

    @property
    def loss_increase(self):
        """`rss_increase` by the name that it has for any target."""
        return self.rss_increase


def call_core(function, data, keep, options):
    """Calls the core. If it finds a missing value, lists all columns that have some. Ends the progress line."""
    try:
        return function(data.matrix(keep), data.y, data.weights, options)
    except ValueError as error:
        if not str(error).endswith("the value is not a finite number"):
            raise
    finally:
        if options["progress"] is not None:
            options["progress"].close()
    data.list_gaps(keep)
    raise ValueError("X was changed during the call: do not change it until the call returns")


class LinearSelector(SelectorMixin, BaseEstimator):
    """A linear model of few columns, which also selects them (`transform`, `get_support`)."""

    _family = "gaussian"

    def _start(self, X, y, sample_weight, offset=None):
        """Data, the columns that are not excluded (None: all), and the options that every call of the core needs."""
        data = read_data(self, X, y, sample_weight, offset)
        names = getattr(self, "feature_names_in_", None)
        include = resolve_columns(self.include, self, "include")
        exclude = resolve_columns(self.exclude, self, "exclude")
        # Neither a Lasso nor a classifier has sign constraints.
        signs = resolve_signs(getattr(self, "signs", None), self, include)
        keep = None
        if exclude.size:
            keep = np.setdiff1d(np.arange(self.n_features_in_), exclude)
            if keep.size == 0:
                raise ValueError("exclude leaves no column")
            include = self._kept(include, keep, "include")
            signs = signs[keep] if signs.size else signs
        if names is not None:
            names = [str(one) for one in (names if keep is None else names[keep])]
        options = problem_options(self, include, signs) | run_options(self)
        options["names"] = names or []
        options["numbers"] = [] if keep is None else keep.tolist()
        options["target"] = data.target
        options["family"] = self._family
        options["classes"] = data.class_names
        options["offset"] = data.offset
        options["offset_name"] = data.offset_name
        options["one_hot"] = data.one_hot
        options["summed"] = data.summed
        self._by_name = bool(data.one_hot)  # predictions are for frames with the text columns
        return data, keep, options

    @staticmethod
    def _kept(columns, keep, what):
        """Column numbers among the columns that are not excluded."""
        if keep is None:
            return columns
        if not np.isin(columns, keep).all():
            raise ValueError(f"{what} and exclude name the same column")
        return np.searchsorted(keep, columns)

    def _take_model(self, support, coefficients, intercept, keep):
        self.support_ = (support if keep is None else keep[support]).astype(np.intp)
        coef = np.zeros(self.n_features_in_)
        coef[self.support_] = coefficients
        self._take_coefficients(coef, intercept)

    def _take_coefficients(self, coef, intercept):
        self.coef_ = coef
        self.intercept_ = intercept

    def _take_fit(self, fit, keep):
        """The attributes of a fit by the core."""

        def columns(numbers):
            return numbers if keep is None else keep[numbers]

        self._take_model(fit["support"], fit["coefficients"], fit["intercept"], keep)
        self.k_ = fit["k"]
        self.lambda0_ = fit["lambda0"]
        self.lambda_range_ = None
        if fit["lambda_min"] is not None:
            self.lambda_range_ = (fit["lambda_min"], fit["lambda_max"])
        self.objective_ = fit["objective"]
        self._take_loss(fit)
        self.loss_ = fit["loss"]
        self.status_ = fit["status"]
        self.gap_ = fit["gap"]
        self.lower_bound_ = fit["lower_bound"]
        self.aliased_ = columns(fit["aliased"])
        self.constant_ = columns(fit["constant"])
        self.effects_ = fit["effects"]
        self.alternatives_ = None
        if fit["alternatives"] is not None:
            self.alternatives_ = [
                Alternative(int(columns(member)), int(columns(stand_in)), increase, near_tie)
                for member, stand_in, increase, near_tie in fit["alternatives"]
            ]
        self.near_optimal_ = self._near_optimal(fit["near_optimal"], columns)
        self.n_iter_ = max(1, fit["moves"])
        self.seconds_ = fit["seconds"]
        names = getattr(self, "feature_names_in_", None)
        self._document = _json.document(fit["json"], names, self.n_features_in_)
        self._warn(fit["status"])

    def _near_optimal(self, found, columns):
        """With the column numbers of X, and names beside them."""
        if found is None:
            return None
        names = getattr(self, "feature_names_in_", None)
        for model in found["models"]:
            model["support"] = columns(model["support"])
        numbers = [int(columns(one["column"])) for one in found["columns"]]
        found["columns"] = [
            one | {"column": j, "name": column_name(names, j)}
            for one, j in zip(found["columns"], numbers, strict=True)
        ]
        return found

    def _take_table(self, table, keep, ridge):
        names = getattr(self, "feature_names_in_", None)
        self.table_ = None
        if table is not None:
            self.table_ = make_table(table, keep, names, self.n_features_in_, ridge, self._family)

    def _warn(self, status):
        if status == "time_limit":
            warnings.warn(
                "the time limit was reached: this is the best model so far; a larger time_limit may find a better one",
                ConvergenceWarning,
                stacklevel=4,
            )
        elif status == "interrupted":
            warnings.warn(
                "interrupted: this is the best model so far", ConvergenceWarning, stacklevel=4
            )

    def _linear_predictor(self, X, k, lambda0):
        """Of the chosen model, of that of another size, or of the best one at a lambda."""
        check_is_fitted(self)
        coef, intercept, support = np.ravel(self.coef_), np.ravel(self.intercept_), self.support_
        if k is not None or lambda0 is not None:
            row = self._row(k, lambda0)
            coef, intercept = row.coef, row.intercept
            support = np.flatnonzero(coef)
        chosen = predictors(self, X, support)
        members = coef[support] if chosen.shape[1] == support.size else coef
        return np.asarray(chosen @ members, dtype=np.float64).ravel() + intercept

    def _row(self, k, lambda0):
        table = getattr(self, "table_", None)
        if table is None:
            raise ValueError(
                "k and lambda0 need the table of all sizes (table_), which this model does not have"
            )
        if k is not None and lambda0 is not None:
            raise ValueError("k and lambda0 exclude each other: give one of them")
        return table.at_k(k) if k is not None else table.at_lambda(lambda0)

    def _get_support_mask(self):
        check_is_fitted(self)
        mask = np.zeros(self.n_features_in_, dtype=bool)
        mask[self.support_] = True
        return mask

    def transform(self, X):
        """The selected columns of X; of an array of another array library, as such an array."""
        if not is_array(X):
            return super().transform(X)
        check_is_fitted(self)
        check_array(X)
        validate_data(self, X, reset=False, skip_check_array=True)
        return take_columns(X, self.support_)

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags

    def to_json(self, path=None):
        """The model as the JSON that the program ``lass0`` writes and reads.

        Columns without names are x1, x2, ... in the file, as in the program; in Python they are x0, x1, ...

        Parameters
        ----------
        path : str or path-like, optional
            Also write it to this file.

        Returns
        -------
        str
        """
        check_is_fitted(self)
        text = _json.dumps(self._document)
        if path is not None:
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)
        return text


class LinearRegressor(RegressorMixin, LinearSelector):
    """A linear model of a target of numbers."""

    def _take_loss(self, fit):
        self.rss_ = fit["rss"]

    def _take_loss_of_file(self, document):
        self.rss_ = document.get("rss")
        self.loss_ = None if document.get("ridge") else self.rss_  # files have no ridge term

    def predict(self, X, *, k=None, lambda0=None):
        """Predictions for the rows of X.

        Parameters
        ----------
        X : array, sparse matrix or data frame of shape (n_samples, n_features)
        k, lambda0 : optional
            Predict with the model of this size, or with the best one at this lambda, instead of the chosen one. Both come from `table_`.

        Returns
        -------
        array of shape (n_samples,)
        """
        return self._linear_predictor(X, k, lambda0)

    def score(self, X, y, sample_weight=None):
        """R^2 of the predictions for the rows of X.

        Parameters
        ----------
        X : array, sparse matrix or data frame of shape (n_samples, n_features)
        y : array of shape (n_samples,)
        sample_weight : array of shape (n_samples,), optional

        Returns
        -------
        float
        """
        return super().score(X, host_array(y), host_array(sample_weight))
