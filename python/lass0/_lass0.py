"""Lass0: one size, one lambda, or a criterion."""

from . import _core, _json
from ._base import LinearSelector, call_core
from ._columns import resolve_columns
from ._options import boolean, effort, number, one_of, size


class Lass0(LinearSelector):
    """Sparse linear regression with exactly `k` columns, or at one `lambda0`.

    Minimises, over the intercept ``b0`` and the coefficients ``b``::

        1/2 * sum_i w_i (y_i - b0 - x_i' b)^2
            + lambda0 * (number of non-zero b)
            + ridge/2 * sum_j (s_j b_j)^2

    A plain sum, never divided by the number of rows: a column is in the model when it lowers half the residual sum of squares by
    more than `lambda0`. ``s_j`` is the standard deviation of column j, so the ridge does not depend on the columns' units. The
    search scores every add, remove and swap of a column exactly; :attr:`status_` says what is known about the answer.

    Parameters
    ----------
    k : int, optional
        Fit the best model with exactly `k` columns.
    lambda0 : float, optional
        What a column costs. With neither `k` nor `lambda0`, `criterion` chooses the size.
    criterion : {"bic", "aic", "ebic", "gic", "cp"}, default="bic"
        How the size is chosen where neither `k` nor `lambda0` is given.
    start : {"table", "paper", "empty"} or list of columns, default="table"
        Where the search at `lambda0` begins: at the best of all sizes, at the Lasso of the same lambda (the paper), at no column, or
        at the columns given.
    ridge : float, default=0
        Also shrinks the coefficients, which helps where the noise is large.
    power : float, default=0
        q of the penalty ``lambda0 * sum |b_j|^q``, from 0 (the number of columns) to below 1.
    fit_intercept : bool, default=True
        The intercept is never penalised and not counted in `k`.
    standardize : bool, default=True
        The Lasso that starts the search and the ridge see columns of unit deviation. False: columns as they are, ``s_j = 1``.
    include : list of columns, optional
        Names, numbers (from 0) or a mask of columns of every model: free of `lambda0`, not counted in `k`.
    exclude : list of columns, optional
        Columns of no model.
    signs : dict, array or one value, optional
        Which coefficients may only be 0 or above (1 or ``"+"``), or 0 or below (-1 or ``"-"``): a dictionary of columns by name or
        number, an array with one of 1, -1 and 0 (free) for each column, or one value for all columns that are not included. The
        search is exact under signs: models are the best of those that keep them, not clipped. Does not work with `prove`, `power` and
        ``start="paper"``.
    max_k : int, optional
        The largest size of the table; by default ``min(100, n_samples / 2)``, or `k` where that is given.
    effort : {"full", "quick"}, default="full"
        "quick" looks at a short list of more than 1024 columns: the model that a fold of :class:`Lass0CV` takes from these rows, not
        compared with the columns beyond the list (:attr:`status_` is ``"unchecked"``). Works with `k` or `lambda0`, not with `prove`.
    prove : bool, default=False
        Prove by branch and bound that no other support is better. May take long: see `time_limit`.
    time_limit : float, optional
        Seconds. When they are over, the fit is the best so far and :attr:`status_` is ``"time_limit"`` (or ``"gap"``).
    n_jobs : int, optional
        Threads, as everywhere in scikit-learn: None is 1, -1 all cores. The result is the same for any number.
    verbose : bool, default=False
        Show the progress on standard error.
    on_interrupt : {"raise", "return"}, default="raise"
        What Ctrl-C does: raise KeyboardInterrupt, or end the fit with the best so far.

    Attributes
    ----------
    coef_ : array of shape (n_features,)
    intercept_ : float
    support_ : array of int
        The columns of the model, ascending, included ones among them. :meth:`get_support` gives the mask.
    k_ : int
        Columns chosen; included ones are not counted.
    lambda0_ : float or None
        The lambda of the fit; None where the size was chosen.
    lambda_range_ : (float, float) or None
        The model is the best of the table for these lambdas; None where no lambda selects it.
    objective_ : float
        What is minimised, at the model; without a lambda only its first and last term.
    rss_ : float
        The residual sum of squares.
    loss_ : float
        The same, plus ``ridge * sum_j (s_j b_j)^2`` where there is a ridge: :attr:`objective_` has half of it.
    status_ : str
        ``"local_optimum"``: no add, remove or swap of a column lowers the objective. ``"proven_optimal"``: no other support does.
        ``"gap"``: the time for the proof was up, see :attr:`gap_`. ``"add_remove_optimum"``: where the paper's algorithm stops.
        ``"unchecked"``: the best of a quick search (`effort`). ``"time_limit"``, ``"interrupted"``: the best so far.
    gap_, lower_bound_ : float or None
        With `prove`: by how much the objective can be above the best possible, as a share; and the bound itself.
    table_ : SupportTable or None
        The best support of every size with its exact fit, where the search made it.
    alternatives_ : list of Alternative
        For each column of the model the five nearest columns that could stand in for it.
    aliased_, constant_ : arrays of int
        Columns that could not be in the model: explained by others entirely, or without variation.
    effects_ : array
        Coefficients of :attr:`support_` times the standard deviation of their columns: they can be compared.
    criterion_ : array or None
        The value of the criterion for every size, where it chose.
    n_features_in_, feature_names_in_
        As everywhere in scikit-learn.

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
        self.time_limit = time_limit
        self.n_jobs = n_jobs
        self.verbose = verbose
        self.on_interrupt = on_interrupt

    def fit(self, X, y, sample_weight=None):
        """Fit the model.

        Parameters
        ----------
        X : array, sparse matrix or data frame of shape (n_samples, n_features)
            Not copied: see "Data without copies" in the documentation for the exceptions.
        y : array of shape (n_samples,)
        sample_weight : array of shape (n_samples,), optional
            A weight of 2 is the row twice, of 0 the row left out.

        Returns
        -------
        self
        """
        data, keep, options = self._start(X, y, sample_weight)
        options["ridge"] = number(self.ridge, "ridge")
        options["max_k"] = size(self.max_k, "max_k")
        options["effort"] = effort(self.effort)
        options["prove"] = boolean(self.prove, "prove")
        options["criterion"] = one_of(self.criterion, "criterion")
        options |= self._start_of_search(keep)
        self.criterion_ = None
        if self.k is None and self.lambda0 is None:
            fit = self._by_criterion(data, keep, options)
        else:
            fit = self._at(data, keep, options)
        self._take_table(fit["table"], keep, options["ridge"])
        self._take_fit(fit, keep)
        return self

    def _by_criterion(self, data, keep, options):
        if options["prove"] or self.power or self.effort == "quick":
            raise ValueError("prove, power and a quick effort need k or lambda0")
        fit = call_core(_core.fit_by_criterion, data, keep, options)
        self.criterion_ = fit["criterion"]["value"]
        return fit

    def _start_of_search(self, keep):
        if isinstance(self.start, str):
            start = one_of(self.start, "start")
            return {"start": start, "start_columns": []}
        if self.start is None:
            raise ValueError(
                "start is None, but must be one of 'table', 'paper', 'empty', or a list of columns"
            )
        columns = self._kept(resolve_columns(self.start, self, "start"), keep, "start")
        return {"start": "support", "start_columns": columns.tolist()}

    def _at(self, data, keep, options):
        options["k"] = size(self.k, "k")
        options["lambda0"] = None if self.lambda0 is None else number(self.lambda0, "lambda0")
        options["power"] = number(self.power, "power")
        return call_core(_core.fit, data, keep, options)

    @classmethod
    def from_json(cls, source, columns=None):
        """The model that the program ``lass0`` or :meth:`to_json` wrote.

        Parameters
        ----------
        source : str or path-like
            The JSON text, or the path of its file.
        columns : list of str, optional
            The names of all columns of the X that will be predicted from, in order. A file of the program knows only the columns
            of the model: without `columns` they are found by name in a data frame, and an array is to have these alone. Text
            columns and missing values that the program knew how to read (``--one-hot``, ``--missing mean``) are read so too.

        Returns
        -------
        Lass0, fitted
        """
        result = _json.read(source)
        by_size = result.get("lambda") is None
        model = cls(k=result.get("k"), ridge=result.get("ridge", 0.0)) if by_size else None
        model = model or cls(lambda0=result["lambda"], ridge=result.get("ridge", 0.0))
        return _json.take(model, result, columns)
