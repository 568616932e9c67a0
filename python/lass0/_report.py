"""What people read of a fitted estimator: the summary that the program prints, and one HTML page."""

from sklearn.utils.validation import check_is_fitted

from . import _core
from ._base import call_core


class Reported:
    """An estimator whose `fit` keeps, in `_fitted_on`, what a report needs: the data, the columns that are not excluded, the options."""

    def report(self, path, *, source="", target="y"):
        """Write an HTML page with the model, how it was chosen, all other sizes, plots and notes.

        The page is a single file that needs no network. It shows the result of :meth:`fit`, whose data must not have changed.

        Parameters
        ----------
        path : str or path-like
            The file to write.
        source : str, optional
            Name of the data on the page.
        target : str, default="y"
            Name of the target on the page.
        """
        page = self._told(
            _core.report,
            "a report",
            source,
            target,
            {"command": f"{self!r}.fit(X, {target})", "random": self._is_random()},
        )
        with open(path, "w", encoding="utf-8") as file:
            file.write(page)

    def summary(self, *, source="X", target="y"):
        """Print the model and how it was chosen, as ``lass0 fit`` and ``lass0 cv`` do.

        Parameters
        ----------
        source : str, default="X"
            Name of the data in the text.
        target : str, default="y"
            Name of the target in the text.
        """
        print(self._told(_core.summary, "a summary", source, target, {}), end="")

    def _told(self, tell, what, source, target, more):
        check_is_fitted(self)
        if not hasattr(self, "_fitted_on"):
            raise ValueError(
                f"the model has no data for {what}, because it was cloned, unpickled or read from a file: fit it again"
            )
        data, keep, options = self._fitted_on
        names = {"source": str(source), "target": str(target)}
        return call_core(tell, data, keep, options | names | more)

    def _is_random(self):
        """The result depends on the seed."""
        return False

    def __getstate__(self):
        # Without the data, so that a pickled model is small.
        state = dict(super().__getstate__())
        state.pop("_fitted_on", None)
        return state
