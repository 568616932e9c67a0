"""What Lass0Classifier and Lass0ClassifierCV share: two classes, their probabilities, predictions."""

import numpy as np
from scipy.special import expit
from sklearn.base import ClassifierMixin
from sklearn.metrics import accuracy_score
from sklearn.utils.validation import check_is_fitted

from ._array_api import host_array
from ._base import LinearSelector
from ._classes import labels_for_json, labels_from_json
from ._design import check_offset

_PREDICTION = """
        Parameters
        ----------
        X : array, sparse matrix or data frame of shape (n_samples, n_features)
        k, lambda0 : optional
            Use the model of this size, or the best one at this lambda, instead of the chosen one. Both come from `table_`.
        offset : array of shape (n_samples,) or one number, optional
            Needed if the model was fitted with an offset: that of these rows (0 for none).

        Returns
        -------
"""


def _documented(function):
    """Puts the parameters that all predictions share before what the function returns."""
    function.__doc__ = function.__doc__.replace(
        "        Returns\n        -------\n", _PREDICTION.lstrip("\n")
    )
    return function


class LinearClassifier(ClassifierMixin, LinearSelector):
    """A linear model of the log-odds of the second of two classes."""

    _family = "binomial"

    def _start(self, X, y, sample_weight, offset=None):
        data, keep, options = super()._start(X, y, sample_weight, offset)
        self.classes_ = data.classes
        self._has_offset = data.offset is not None
        return data, keep, options

    def _take_coefficients(self, coef, intercept):
        # The shapes of scikit-learn's linear classifiers, which have one row for two classes.
        self.coef_ = coef[np.newaxis]
        self.intercept_ = np.array([intercept])

    def _take_loss(self, fit):
        self.deviance_ = fit["rss"]
        self.null_deviance_ = fit["null_rss"]
        self.deviance_explained_ = fit["explained"]

    def _take_loss_of_file(self, document):
        self.classes_ = labels_from_json(document)
        self._has_offset = bool(document.get("offset"))
        self.deviance_ = document.get("deviance")
        self.null_deviance_ = document.get("null_deviance")
        self.deviance_explained_ = document.get("deviance_explained")
        self.loss_ = None if document.get("ridge") else self.deviance_  # files have no ridge term
        self.ridge_ = float(document.get("ridge", 0.0))

    def _take_fit(self, fit, keep):
        super()._take_fit(fit, keep)
        labels = labels_for_json(self.classes_)
        if labels is not None:
            self._document["labels"] = labels

    @_documented
    def decision_function(self, X, *, k=None, lambda0=None, offset=None):
        """The linear predictor of the rows of X: the log-odds of ``classes_[1]``.

        Returns
        -------
        array of shape (n_samples,)
        """
        check_is_fitted(self)
        if offset is None and self._has_offset:
            raise ValueError(
                "the model was fitted with an offset: give the offset of these rows, or offset=0"
            )
        values = self._linear_predictor(X, k, lambda0)
        return values if offset is None else values + check_offset(offset, values.size)

    @_documented
    def predict_proba(self, X, *, k=None, lambda0=None, offset=None):
        """The probabilities of the two classes, in the order of ``classes_``.

        Returns
        -------
        array of shape (n_samples, 2)
        """
        values = self.decision_function(X, k=k, lambda0=lambda0, offset=offset)
        return np.column_stack([expit(-values), expit(values)])

    @_documented
    def predict_log_proba(self, X, *, k=None, lambda0=None, offset=None):
        """The logarithms of the probabilities, finite even where a probability is rounded to 0.

        Returns
        -------
        array of shape (n_samples, 2)
        """
        values = self.decision_function(X, k=k, lambda0=lambda0, offset=offset)
        return -np.column_stack([np.logaddexp(0, values), np.logaddexp(0, -values)])

    @_documented
    def predict(self, X, *, k=None, lambda0=None, offset=None):
        """The more probable class of the rows of X.

        Returns
        -------
        array of shape (n_samples,)
        """
        values = self.decision_function(X, k=k, lambda0=lambda0, offset=offset)
        return self.classes_[(values > 0).astype(np.intp)]

    def score(self, X, y, sample_weight=None, *, offset=None):
        """The share of rows whose class is predicted.

        Parameters
        ----------
        X : array, sparse matrix or data frame of shape (n_samples, n_features)
        y : array of shape (n_samples,)
        sample_weight : array of shape (n_samples,), optional
        offset : array of shape (n_samples,) or one number, optional

        Returns
        -------
        float
        """
        return accuracy_score(
            host_array(y), self.predict(X, offset=offset), sample_weight=host_array(sample_weight)
        )

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = False
        return tags
