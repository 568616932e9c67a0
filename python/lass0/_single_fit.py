"""What Lass0 and Lass0Classifier share: one size, one lambda, or a criterion."""

from . import _core, _json
from ._base import call_core
from ._columns import resolve_columns
from ._options import boolean, distance, effort, integer, number, one_of, size
from ._report import Reported


class SingleFit(Reported):
    """A fit of one size, at one lambda, or of the size that a criterion chooses. `_fit_options` has the ridge and the power."""

    def _fit(self, X, y, sample_weight, offset=None):
        data, keep, options = self._start(X, y, sample_weight, offset)
        options |= self._fit_options()
        options["max_k"] = size(self.max_k, "max_k")
        options["effort"] = effort(self.effort)
        options["prove"] = boolean(self.prove, "prove")
        options["within"] = None if self.within is None else distance(self.within, "within")
        options["max_models"] = integer(self.max_models, "max_models")
        options["criterion"] = one_of(self.criterion, "criterion")
        options["k"] = size(self.k, "k")
        options["lambda0"] = None if self.lambda0 is None else number(self.lambda0, "lambda0")
        options |= self._start_of_search(keep)
        self.criterion_ = None
        fit = self._search(data, keep, options)
        self._fitted_on = data, keep, options | {"kept": fit["kept"]}
        self._take_table(fit["table"], keep, options["ridge"])
        self._take_fit(fit, keep)
        return self

    def _search(self, data, keep, options):
        if options["k"] is not None or options["lambda0"] is not None:
            return call_core(_core.fit, data, keep, options)
        if options["prove"] or options["within"] or options["effort"] == "quick":
            raise ValueError("prove, within and a quick effort need k or lambda0")
        if options["power"] or options["start"] != "table":
            raise ValueError("start and power need lambda0: they belong to the search at a lambda")
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

    @classmethod
    def from_json(cls, source, columns=None):
        """Read a model that the program ``lass0`` or :meth:`to_json` wrote.

        Parameters
        ----------
        source : str or path-like
            The JSON text, or the path of its file.
        columns : list of str, optional
            The names of all columns of the X to predict from, in order. A file of the program has only the columns of the model.
            Without `columns`, they are found by name in a data frame, and an array must have exactly these columns. Text
            columns and missing values are treated as in the fit (``--one-hot``, ``--missing mean``).

        Returns
        -------
        a fitted estimator of this class
        """
        result = _json.read(source)
        by_size = result.get("lambda") is None
        model = cls(k=result.get("k"), ridge=result.get("ridge", 0.0)) if by_size else None
        model = model or cls(lambda0=result["lambda"], ridge=result.get("ridge", 0.0))
        return _json.take(model, result, columns)
