"""The best support of every size, which also gives the answer for every lambda."""

from dataclasses import dataclass, field

import numpy as np

from ._numbers import column_name
from ._options import integer, number


@dataclass(frozen=True, eq=False)
class TableRow:
    """One size of a :class:`SupportTable`."""

    k: int
    support: np.ndarray  #: the chosen columns, ascending
    rss: float | None  #: the residual sum of squares of the model; None for a target of two classes
    loss: float  #: what the search minimises: the deviance plus, with a ridge, the ridge term
    lambda_min: float  #: the row is the best of all sizes from this lambda ...
    lambda_max: float  #: ... to this one; both are NaN if no lambda selects it
    swap_optimal: bool  #: no swap of one column for another lowers the loss
    proven: bool  #: no support of this size has a lower loss
    intercept: float
    deviance: (
        float  #: twice the negative log-likelihood of the model; for a target of numbers the rss
    )
    # Only the columns of the model (and of `include`) and their coefficients: coefficients of all columns would take most of the
    # memory of a table.
    _members: np.ndarray = field(repr=False)
    _coefficients: np.ndarray = field(repr=False)
    _columns: int = field(repr=False)

    @property
    def coef(self):
        """Coefficients, one per column of X: the exact fit on the support and the included columns."""
        coef = np.zeros(self._columns)
        coef[self._members] = self._coefficients
        return coef


class SupportTable:
    """The best support that the search has found for every size ``k = 0, 1, ...``.

    ``len(table)``, ``table[k]`` and loops give its rows (:class:`TableRow`). The solutions for all lambdas are the rows on the lower
    convex envelope of ``loss / 2`` over ``k``: :meth:`at_lambda`. The loss is the rss or, with a ridge, the rss plus
    ``ridge * sum_j (s_j b_j)^2``. For a target of two classes, the deviance stands where the rss stands for numbers.

    Attributes
    ----------
    k, loss, lambda_min, lambda_max : arrays, one value per size
    rss : array
        Only for a target of numbers.
    deviance : array
        Twice the negative log-likelihood; for a target of numbers the rss.
    supports : list of arrays of column numbers
    separated_by : array of int
        Where the table of a target of two classes ends early: these columns tell the classes apart without an error, so a model
        with them has no finite coefficients. With a ridge it has.
    family : str
        ``"gaussian"`` or ``"binomial"``.
    status : str
        ``"local_optimum"``; ``"second_order_optimum"`` for two classes if only the best moves were refitted; ``"unchecked"`` after a quick search; ``"time_limit"`` or ``"interrupted"`` if the rows are the best
        so far; with `prove`, ``"proven_optimal"`` or ``"gap"``.
    """

    def __init__(self, rows, status, names=None, ridge=0.0, family="gaussian", separated_by=()):
        self._rows = rows
        self.family = family
        self.separated_by = np.asarray(separated_by, dtype=np.intp)
        self.status = status
        self._names = names
        self._ridge = ridge

    @property
    def k(self):
        return np.arange(len(self._rows))

    @property
    def rss(self):
        if self.family != "gaussian":
            raise AttributeError("a table of two classes has no rss: see deviance")
        return np.array([row.rss for row in self._rows])

    @property
    def deviance(self):
        return np.array([row.deviance for row in self._rows])

    @property
    def _measure(self):
        return "rss" if self.family == "gaussian" else "deviance"

    @property
    def loss(self):
        return np.array([row.loss for row in self._rows])

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
        if integer(k, "k") >= len(self):
            raise ValueError(f"the table has sizes 0 to {len(self) - 1}, not {k}")
        return self._rows[k]

    def at_lambda(self, lambda0):
        """The row with the lowest ``loss / 2 + lambda0 * k``; of equal rows, the smaller."""
        lambda0 = number(lambda0, "lambda0")
        return self._rows[int(np.argmin(self.loss / 2 + lambda0 * self.k))]

    def names(self, columns):
        """The names of the columns with these numbers: those of X, or x0, x1, ... if X had none."""
        return [column_name(self._names, j) for j in columns]

    def to_pandas(self):
        """The table as a pandas DataFrame, indexed by k."""
        import pandas as pd

        return pd.DataFrame(
            {
                self._measure: self.deviance,
                **({"loss": self.loss} if self._ridge else {}),
                "lambda_min": self.lambda_min,
                "lambda_max": self.lambda_max,
                "swap_optimal": [row.swap_optimal for row in self._rows],
                "proven": [row.proven for row in self._rows],
                "support": [self.names(row.support) for row in self._rows],
            },
            index=pd.Index(self.k, name="k"),
        )

    def __repr__(self):
        loss = f"  {'loss':>10}" if self._ridge else ""
        lines = [
            f"{'k':>3}  {self._measure:>10}{loss}  {'lambda_min':>10}  {'lambda_max':>10}  support"
        ]
        for row in self._rows:
            ends = [
                "-" if np.isnan(end) else f"{end:.4g}" for end in (row.lambda_min, row.lambda_max)
            ]
            members = " ".join(self.names(row.support))
            if len(members) > 60:
                members = members[:57] + "..."
            loss = f"  {row.loss:>10.6g}" if self._ridge else ""
            line = (
                f"{row.k:>3}  {row.deviance:>10.6g}{loss}  {ends[0]:>10}  {ends[1]:>10}  {members}"
            )
            lines.append(line.rstrip())
        if self.separated_by.size:
            names = ", ".join(self.names(self.separated_by))
            lines.append(
                f"ends here: {names} would separate the classes; a ridge allows larger models"
            )
        return "\n".join(lines)


def _bound(value):
    return float("nan") if value is None else value


def make_table(result, keep, names, p, ridge, family):
    """A SupportTable from the core's; `keep` maps its columns to those of X."""

    def columns(numbers):
        return (numbers if keep is None else keep[numbers]).astype(np.intp)

    rows = [
        TableRow(
            k=k,
            support=columns(row["support"]),
            rss=row["rss"] if family == "gaussian" else None,
            deviance=row["rss"],
            loss=row["loss"],
            lambda_min=_bound(row["lambda_min"]),
            lambda_max=_bound(row["lambda_max"]),
            swap_optimal=row["swap_optimal"],
            proven=row["proven"],
            intercept=row["model"]["intercept"],
            _members=columns(row["model"]["support"]),
            _coefficients=row["model"]["coefficients"],
            _columns=p,
        )
        for k, row in enumerate(result["rows"])
    ]
    separated_by = columns(result["separated_by"])
    return SupportTable(rows, result["status"], names, ridge, family, separated_by)
