"""The best support of every size, and with it the answer for every lambda."""

from typing import NamedTuple

import numpy as np


class TableRow(NamedTuple):
    """One size of a :class:`SupportTable`."""

    k: int
    support: np.ndarray  #: the columns chosen, ascending
    rss: float  #: with the ridge term, where there is a ridge
    lambda_min: float  #: the row is the best of all sizes from this lambda ...
    lambda_max: float  #: ... to this one; both are NaN where no lambda selects it
    swap_optimal: bool  #: no swap of one column for another lowers the rss
    proven: bool  #: no support of this size has a lower rss
    coef: np.ndarray | None = None  #: one a column of X; in the table of :func:`path` only
    intercept: float | None = None


class SupportTable:
    """The best support of every size ``k = 0, 1, ...`` that the search has found.

    ``len(table)``, ``table[k]`` and loops give its rows (:class:`TableRow`). The solutions for all lambdas are the rows on the lower
    convex envelope of ``rss / 2`` over ``k``: :meth:`at_lambda`.

    Attributes
    ----------
    k, rss, lambda_min, lambda_max : arrays, one value a size
    supports : list of arrays of column numbers
    status : str
        ``"local_optimum"``; ``"unchecked"`` of a quick search; ``"time_limit"`` or ``"interrupted"`` where the rows are the best
        so far; of a proven table ``"proven_optimal"`` or ``"gap"``.
    """

    def __init__(self, rows, status, names=None):
        self._rows = rows
        self.status = status
        self._names = names

    @property
    def k(self):
        return np.arange(len(self._rows))

    @property
    def rss(self):
        return np.array([row.rss for row in self._rows])

    @property
    def lambda_min(self):
        return np.array([row.lambda_min for row in self._rows])

    @property
    def lambda_max(self):
        return np.array([row.lambda_max for row in self._rows])

    @property
    def supports(self):
        return [row.support for row in self._rows]

    def __len__(self):
        return len(self._rows)

    def __iter__(self):
        return iter(self._rows)

    def __getitem__(self, k):
        return self._rows[k]

    def at_k(self, k):
        """The row of size `k`."""
        if not 0 <= k < len(self):
            raise ValueError(f"the table has sizes 0 to {len(self) - 1}, not {k}")
        return self._rows[k]

    def at_lambda(self, lambda0):
        """The row with the least ``rss / 2 + lambda0 * k``, the smaller of two."""
        return self._rows[int(np.argmin(self.rss / 2 + lambda0 * self.k))]

    def names(self, columns):
        """The names of columns given by number: those of X, or x0, x1, ... where X had none."""
        if self._names is None:
            return [f"x{j}" for j in columns]
        return [str(self._names[j]) for j in columns]

    def to_pandas(self):
        """The table as a pandas DataFrame, indexed by k."""
        import pandas as pd

        return pd.DataFrame(
            {
                "rss": self.rss,
                "lambda_min": self.lambda_min,
                "lambda_max": self.lambda_max,
                "swap_optimal": [row.swap_optimal for row in self._rows],
                "proven": [row.proven for row in self._rows],
                "support": [self.names(row.support) for row in self._rows],
            },
            index=pd.Index(self.k, name="k"),
        )

    def __repr__(self):
        lines = [f"{'k':>3}  {'rss':>10}  {'lambda_min':>10}  {'lambda_max':>10}  support"]
        for row in self._rows:
            ends = [
                "-" if np.isnan(end) else f"{end:.4g}" for end in (row.lambda_min, row.lambda_max)
            ]
            members = " ".join(self.names(row.support))
            if len(members) > 60:
                members = members[:57] + "..."
            line = f"{row.k:>3}  {row.rss:>10.6g}  {ends[0]:>10}  {ends[1]:>10}  {members}"
            lines.append(line.rstrip())
        return "\n".join(lines)


def _bound(value):
    return float("nan") if value is None else value


def make_table(result, keep, names, p, models=None):
    """A SupportTable from the core's; `keep` maps its columns to those of X."""
    rows = []
    for k, row in enumerate(result["rows"]):
        support = row["support"] if keep is None else keep[row["support"]]
        support = support.astype(np.intp)
        coef = intercept = None
        rss = row["loss"]
        if models is not None:
            model = models[k]
            members = model["support"] if keep is None else keep[model["support"]]
            coef = np.zeros(p)
            coef[members] = model["coefficients"]
            intercept = model["intercept"]
        rows.append(
            TableRow(
                k,
                support,
                rss,
                _bound(row["lambda_min"]),
                _bound(row["lambda_max"]),
                row["swap_optimal"],
                row["proven"],
                coef,
                intercept,
            )
        )
    return SupportTable(rows, result["status"], names)
