"""Lass0ClassifierCV: cross-validation chooses lambda or the size of a logistic regression, and optionally the ridge."""

from ._cross_validated import CrossValidated
from ._linear_classifier import LinearClassifier
from ._options import one_of

_MEASURES = ("deviance", "auc", "error", "brier")


class Lass0ClassifierCV(CrossValidated, LinearClassifier):
    """:class:`Lass0Classifier` with `lambda0` or the size chosen by cross-validation.

    Means, standard deviations, supports and coefficients of a fold are computed on its training rows only. Folds have the same share
    of both classes.

    Parameters
    ----------
    cv : int, splitter or iterable of (train, test), default=10
        A number gives random folds, stratified by class, made from `random_state`. They keep groups together (and are then not
        stratified) if `groups` are given to :meth:`fit`. Splitters and splits are those of scikit-learn.
    measure : {"deviance", "auc", "error", "brier"}, default="deviance"
        By what predictions for held-out rows are judged: the deviance per row, the area under the ROC curve (as 1 - AUC, so that less
        is better), the share of wrong classes at probability 0.5, or the squared error of the probability.
    tune : {"lambda", "k"}, default="lambda"
        What cross-validation chooses.
    rule : {"min", "1se", "paired"}, default="paired"
        As in :class:`Lass0CV`.
    ridge : float or "auto", default="auto"
        "auto" also chooses the ridge: among 0 and three other values, or 0 alone where a ridge can save next to nothing (very many
        rows per column).
    n_lambdas, start, max_k, effort, random_state
        As in :class:`Lass0CV`.
    fit_intercept, standardize, include, exclude, time_limit, n_jobs, verbose, on_interrupt
        As in :class:`Lass0`.

    Attributes
    ----------
    classes_, coef_, intercept_, support_, k_, lambda0_, objective_, deviance_, null_deviance_, deviance_explained_, status_, table_, ...
        Attributes of the model fitted on all rows, as in :class:`Lass0Classifier`.
    cv_results_ : dict of arrays
        As in :class:`Lass0CV`. ``mean_error`` is the measure, and ``mean_test_score`` is minus that.
    best_index_, min_index_, one_se_index_, rule_indices_, best_score_, ridge_, frequencies_, fold_supports_
        As in :class:`Lass0CV`.
    held_out_decision_ : array of shape (n_samples,)
        The linear predictor of every row by the models of the folds that hold it out, at the chosen point: for a ROC curve or a
        calibration curve without optimism. NaN for rows that no fold holds out.
    held_out_deviance_explained_ : float or None
        1 - the deviance of the chosen point on held-out rows / that of the model with no column; None for other measures.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from lass0 import Lass0ClassifierCV
    >>> X, y = load_breast_cancer(return_X_y=True, as_frame=True)
    >>> model = Lass0ClassifierCV(cv=5, max_k=8).fit(X, y)
    >>> bool(model.score(X, y) > 0.95)
    True
    """

    def __init__(
        self,
        cv=10,
        *,
        measure="deviance",
        tune="lambda",
        rule="paired",
        ridge="auto",
        n_lambdas=100,
        start="table",
        fit_intercept=True,
        standardize=True,
        include=None,
        exclude=None,
        max_k=None,
        effort="quick",
        random_state=1,
        time_limit=None,
        n_jobs=None,
        verbose=False,
        on_interrupt="raise",
    ):
        self.cv = cv
        self.measure = measure
        self.tune = tune
        self.rule = rule
        self.ridge = ridge
        self.n_lambdas = n_lambdas
        self.start = start
        self.fit_intercept = fit_intercept
        self.standardize = standardize
        self.include = include
        self.exclude = exclude
        self.max_k = max_k
        self.effort = effort
        self.random_state = random_state
        self.time_limit = time_limit
        self.n_jobs = n_jobs
        self.verbose = verbose
        self.on_interrupt = on_interrupt

    def fit(self, X, y, sample_weight=None, offset=None, **params):
        """Choose by cross-validation, and fit on all rows.

        Parameters
        ----------
        X : array, sparse matrix or data frame of shape (n_samples, n_features)
        y : array of shape (n_samples,)
            Two labels of any kind: numbers, texts, booleans.
        sample_weight : array of shape (n_samples,), optional
        offset : array of shape (n_samples,), optional
            As in :meth:`Lass0Classifier.fit`.
        **params
            ``groups``, an array of shape (n_samples,): rows with the same label are either all training rows or all held out. With
            metadata routing enabled, also other arguments of the splitter.

        Returns
        -------
        self
        """
        return self._fit(X, y, sample_weight, params, offset)

    def _measure(self):
        return one_of(self.measure, "measure", _MEASURES)

    def _take_evidence(self, result, keep):
        self.held_out_decision_ = result["held_out_links"]
        by_deviance = self.measure == "deviance"
        self.held_out_deviance_explained_ = result["held_out_r_squared"] if by_deviance else None
