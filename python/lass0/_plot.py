"""Plots of tables and models. Matplotlib is imported at the first plot."""

import numpy as np
from sklearn.utils.validation import check_is_fitted

from ._base import LinearSelector
from ._lasso import LassoPath
from ._numbers import column_name
from ._options import integer
from ._stability import Stability
from ._table import SupportTable

# Okabe and Ito's colours, which colour-blind people can distinguish; without their yellow, which is pale on white.
_COLOURS = ["#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000"]
_BLUE, _RED, _GREY = _COLOURS[0], _COLOURS[1], "#7f7f7f"
_MEASURED = {
    "mse": "mean squared error",
    "deviance": "deviance per row",
    "auc": "1 - area under the ROC curve",
    "error": "share of wrong classes",
    "brier": "Brier score",
}
_LABELLED = 12  # at most this many lines have a label


def _axes(ax):
    try:
        import matplotlib.pyplot as plt
    except ImportError:
        raise ImportError("plots need matplotlib: pip install matplotlib") from None
    if ax is None:
        _, ax = plt.subplots(figsize=(7, 4.5), layout="constrained")
    return ax


def _tidy(ax):
    ax.spines[["top", "right"]].set_visible(False)
    ax.grid(alpha=0.25, linewidth=0.6)
    ax.set_axisbelow(True)
    return ax


def _fitted(source, attribute, wanted):
    """The attribute of a fitted estimator; TypeError says what can be drawn instead."""
    if not isinstance(source, LinearSelector):
        raise TypeError(f"{wanted}, not {type(source).__name__}")
    check_is_fitted(source)
    if not hasattr(source, attribute):
        raise TypeError(f"{wanted}, not {type(source).__name__}")
    return getattr(source, attribute)


def _table(source, function):
    if isinstance(source, SupportTable):
        return source
    more = ", LassoPath" if function == "plot_path" else ""
    wanted = f"{function} takes the table of lass0.path(X, y) or a fitted Lass0, Lass0CV{more} or classifier"
    if _fitted(source, "table_", wanted) is None:
        raise ValueError("this fit has no table of all sizes: plot the result of lass0.path(X, y)")
    return source.table_


def _names(estimator):
    names = getattr(estimator, "feature_names_in_", None)
    return [column_name(names, j) for j in range(estimator.n_features_in_)]


def plot_path(source, *, over=None, show=None, ax=None):
    """Plot the rss (of two classes: the deviance) or the coefficients of all models, over the size or over lambda.

    Parameters
    ----------
    source : SupportTable, or a fitted Lass0, Lass0CV, Lass0Classifier, Lass0ClassifierCV or LassoPath
    over : {"k", "lambda"}, default="k"
        A LassoPath is always drawn over its lambda.
    show : {"rss", "deviance", "coef"}, optional
        By default the rss or, of two classes, the deviance. A LassoPath always shows its coefficients.
    ax : matplotlib axes, optional

    Returns
    -------
    matplotlib axes
    """
    if over not in (None, "k", "lambda") or show not in (None, "rss", "deviance", "coef"):
        raise ValueError("over must be 'k' or 'lambda', and show 'rss', 'deviance' or 'coef'")
    if isinstance(source, LassoPath):
        check_is_fitted(source)
        if over == "k" or show in ("rss", "deviance"):
            raise ValueError("the path of a LassoPath is drawn over='lambda' with show='coef'")
        return _draw_lasso(_tidy(_axes(ax)), source)
    table = _table(source, "plot_path")
    if show == "rss" and table.family != "gaussian":
        raise ValueError("a table of two classes has no rss: show='deviance' or 'coef'")
    over = over or "k"
    rows = [row for row in table if over == "k" or not np.isnan(row.lambda_min)]
    ax = _tidy(_axes(ax))
    if over == "k":
        ax.set_xlabel("size k (columns)")
        ax.xaxis.get_major_locator().set_params(integer=True)
    else:
        _lambda_axis(ax, "lambda (price of a column), decreasing to the right")
    if show != "coef":
        squares = table.family == "gaussian" and show != "deviance"
        _draw_deviance(ax, rows, over, "residual sum of squares" if squares else "deviance")
    else:
        _draw_coefficients(ax, table, rows, over)
    return ax


def _lambda_axis(ax, label):
    ax.set_xscale("log")
    ax.invert_xaxis()
    ax.set_xlabel(label)


def _ends(rows):
    """The lambdas that each row is drawn over; the ranges of the first and last row are open, so they get an end here."""
    highest = max((row.lambda_max for row in rows if np.isfinite(row.lambda_max)), default=1.0)
    lowest = min((row.lambda_min for row in rows if row.lambda_min > 0), default=highest)
    for row in rows:
        high = row.lambda_max if np.isfinite(row.lambda_max) else 2 * highest
        yield max(row.lambda_min, lowest / 2), high


def _draw_deviance(ax, rows, over, name):
    ax.set_ylabel(name)
    if over == "k":
        ax.plot(
            [row.k for row in rows],
            [row.deviance for row in rows],
            color=_GREY,
            linewidth=1,
            zorder=1,
        )
        chosen = [row for row in rows if not np.isnan(row.lambda_min)]
        others = [row for row in rows if np.isnan(row.lambda_min)]
        ax.scatter(
            [row.k for row in chosen],
            [row.deviance for row in chosen],
            color=_BLUE,
            zorder=2,
            label="best at some lambda",
        )
        if others:
            ax.scatter(
                [row.k for row in others],
                [row.deviance for row in others],
                facecolor="white",
                edgecolor=_BLUE,
                zorder=2,
                label="no lambda selects it",
            )
        ax.legend(frameon=False)
        return
    for row, (low, high) in zip(rows, _ends(rows)):
        ax.plot(
            [high, low],
            [row.deviance, row.deviance],
            color=_BLUE,
            linewidth=2.5,
            solid_capstyle="butt",
        )
        ax.annotate(
            f"{row.k}",
            (np.sqrt(low * high), row.deviance),
            xytext=(0, 4),
            textcoords="offset points",
            ha="center",
            fontsize="small",
            color=_GREY,
        )


def _lines_of_columns(ax, coefs, name):
    """(column, style and label of its line) of every column, in the order of the rows of `coefs` where they first appear."""
    ax.set_ylabel("coefficient")
    ax.axhline(0, color=_GREY, linewidth=0.8)
    used = np.flatnonzero(np.any(coefs != 0, axis=0))
    first_size = {j: int(np.argmax(coefs[:, j] != 0)) for j in used}
    order = sorted(used, key=lambda j: (first_size[j], -np.abs(coefs[:, j]).max()))
    for place, j in enumerate(order):
        style = (
            {"color": _COLOURS[place % len(_COLOURS)]}
            if place < _LABELLED
            else {"color": "#c0c0c0"}
        )
        if place >= len(_COLOURS):
            style["linestyle"] = "--"
        yield j, style | {"label": name(j) if place < _LABELLED else None}
    if order:
        ax.legend(frameon=False, fontsize="small", loc="center left", bbox_to_anchor=(1.0, 0.5))


def _draw_coefficients(ax, table, rows, over):
    coefs = np.array([row.coef for row in rows])
    ends = [end for low, high in _ends(rows) for end in (high, low)]
    for j, style in _lines_of_columns(ax, coefs, lambda j: table.names([j])[0]):
        if over == "k":
            ax.plot([row.k for row in rows], coefs[:, j], marker="o", markersize=3, **style)
        else:
            ax.plot(ends, np.repeat(coefs[:, j], 2), **style)


def _draw_lasso(ax, lasso):
    _lambda_axis(ax, "lambda of the Lasso, decreasing to the right")
    names = _names(lasso)
    shown = lasso.lambdas_ > 0  # a log scale has no 0
    for j, style in _lines_of_columns(ax, lasso.coefs_.T, lambda j: names[j]):
        ax.plot(lasso.lambdas_[shown], lasso.coefs_[j, shown], **style)
    return ax


def plot_cv(estimator, *, ax=None):
    """Plot the cross-validation curve with bars of one standard error and the points that the rules choose.

    Parameters
    ----------
    estimator : fitted Lass0CV or Lass0ClassifierCV
    ax : matplotlib axes, optional

    Returns
    -------
    matplotlib axes
    """
    wanted = "plot_cv takes a fitted Lass0CV or Lass0ClassifierCV"
    results = _fitted(estimator, "cv_results_", wanted)
    by_size = "param_k" in results
    x = np.asarray(results["param_k"] if by_size else results["param_lambda0"], dtype=float)
    # With several ridges, the curve is that of the one chosen.
    here = np.flatnonzero(results["param_ridge"] == estimator.ridge_)
    ax = _tidy(_axes(ax))
    ax.errorbar(
        x[here],
        results["mean_error"][here],
        yerr=results["se"][here],
        color=_BLUE,
        ecolor="#9ecae1",
        marker="o",
        markersize=3.5,
        linewidth=1,
        label="mean and one standard error",
    )
    least = estimator.min_index_
    if estimator.one_se_index_ in here and least in here:
        limit = results["mean_error"][least] + results["se"][least]
        ax.axhline(
            limit,
            color=_GREY,
            linewidth=0.8,
            linestyle=":",
            label="lowest error + one standard error",
        )
    looks = [("*", 170), ("D", 55), ("^", 75)]
    for (rule, index), (marker, area) in zip(estimator.rule_indices_.items(), looks):
        if index not in here:
            continue
        taken = " (chosen)" if index == estimator.best_index_ else ""
        ax.scatter(
            x[index], results["mean_error"][index], marker=marker, s=area, zorder=3,
            facecolor=_RED if taken else "white", edgecolor=_RED,
            label=f"rule {rule}{taken}: {results['mean_size'][index]:.1f} columns",
        )  # fmt: skip
    if by_size:
        ax.set_xlabel("size k (columns)")
        ax.xaxis.get_major_locator().set_params(integer=True)
    else:
        _lambda_axis(ax, "lambda (price of a column), decreasing to the right")
    ax.set_ylabel(f"{_MEASURED[getattr(estimator, 'measure', 'mse')]} on held-out rows")
    ax.legend(edgecolor="none", framealpha=0.8)
    return ax


def plot_support(source, *, ax=None):
    """Plot which columns are in the best model of each size.

    Parameters
    ----------
    source : SupportTable, or a fitted Lass0, Lass0CV, Lass0Classifier or Lass0ClassifierCV
    ax : matplotlib axes, optional

    Returns
    -------
    matplotlib axes
    """
    table = _table(source, "plot_support")
    rows = [row for row in table if row.k > 0]
    if not rows:
        raise ValueError("no model of this table has a column, so there is nothing to draw")
    order = []
    for row in rows:
        order += [j for j in row.support if j not in order]
    place = {j: i for i, j in enumerate(order)}
    if ax is None and len(order) > 15:
        import matplotlib.pyplot as plt

        _, ax = plt.subplots(figsize=(7, min(1 + 0.24 * len(order), 24)), layout="constrained")
    ax = _axes(ax)
    picture = np.zeros((len(order), len(rows)))
    for column, row in enumerate(rows):
        picture[[place[j] for j in row.support], column] = 1
    sizes = [row.k for row in rows]
    ax.pcolormesh(
        np.append(np.array(sizes) - 0.5, sizes[-1] + 0.5),
        np.arange(len(order) + 1) - 0.5,
        picture,
        cmap=_two_colours(),
        vmin=0,
        vmax=1,
        edgecolor="white",
        linewidth=0.6 if len(order) < 60 else 0,
    )
    # Skip names if there is no space for all.
    inches = ax.get_window_extent().height / ax.figure.dpi
    step = int(np.ceil(len(order) / max(1.0, 7 * inches)))
    named = range(0, len(order), step)
    ax.set_yticks(named, table.names([order[i] for i in named]), fontsize="small")
    ax.invert_yaxis()
    ax.set_xlabel("size k (columns)")
    ax.xaxis.get_major_locator().set_params(integer=True)
    ax.set_ylabel("column, by the size at which it first enters")
    ax.spines[:].set_visible(False)
    ax.tick_params(length=0)
    return ax


def plot_stability(stability, *, most=30, ax=None):
    """Plot the share of halves that chose each column, with the threshold.

    Parameters
    ----------
    stability : Stability
        The result of :func:`lass0.stability`.
    most : int, default=30
        The largest number of columns to draw: the most frequent ones.
    ax : matplotlib axes, optional

    Returns
    -------
    matplotlib axes
    """
    if not isinstance(stability, Stability):
        raise TypeError(
            f"plot_stability takes the result of lass0.stability(X, y), not {type(stability).__name__}"
        )
    integer(most, "most", 1)
    order = [j for j in stability.order if stability.frequencies[j] > 0][:most]
    if not order:
        raise ValueError("no half chose a column, so there is nothing to draw")
    if ax is None:
        import matplotlib.pyplot as plt

        _, ax = plt.subplots(figsize=(7, max(2.5, 0.9 + 0.24 * len(order))), layout="constrained")
    ax = _tidy(_axes(ax))
    stable = set(stability.stable)
    colours = [_BLUE if j in stable else "#9ecae1" for j in order]
    ax.barh(range(len(order)), stability.frequencies[order], color=colours)
    ax.axvline(
        stability.threshold,
        color=_RED,
        linewidth=1,
        linestyle="--",
        label=f"threshold {stability.threshold:g}",
    )
    ax.set_yticks(range(len(order)), stability.names(order), fontsize="small")
    ax.invert_yaxis()
    ax.grid(axis="y", visible=False)
    ax.set_xlim(0, 1)
    ax.set_xlabel(f"share of {2 * stability.pairs_done} random halves that chose the column")
    ax.legend(frameon=False, loc="lower right")
    return ax


def _two_colours():
    from matplotlib.colors import ListedColormap

    return ListedColormap(["#eeeeee", _BLUE])


def plot_alternatives(estimator, *, ax=None):
    """Plot the cost of the nearest stand-ins of each column of the model: short bars are near ties.

    Parameters
    ----------
    estimator : fitted Lass0, Lass0CV, Lass0Classifier or Lass0ClassifierCV
    ax : matplotlib axes, optional

    Returns
    -------
    matplotlib axes
    """
    wanted = "plot_alternatives takes a fitted Lass0, Lass0CV or classifier"
    if not _fitted(estimator, "alternatives_", wanted):
        raise ValueError(
            "this model has no list of stand-ins: fit it again, with at least one column"
        )
    names = _names(estimator)
    loss = estimator.loss_
    members = [
        j for j in estimator.support_ if any(one.column == j for one in estimator.alternatives_)
    ]
    nearest = {j: [one for one in estimator.alternatives_ if one.column == j][:3] for j in members}
    members.sort(key=lambda j: nearest[j][0].rss_increase)
    bars = [(j, rank, one) for j in members for rank, one in enumerate(nearest[j])]
    if ax is None:
        import matplotlib.pyplot as plt

        _, ax = plt.subplots(figsize=(7, max(2.5, 0.9 + 0.27 * len(bars))), layout="constrained")
    ax = _tidy(_axes(ax))
    share = [100 * one.rss_increase / loss if loss > 0 else 0.0 for _, _, one in bars]
    colours = [_BLUE if rank == 0 else "#9ecae1" for _, rank, _ in bars]
    ax.barh(range(len(bars)), share, color=colours)
    ax.set_yticks(
        range(len(bars)),
        [f"{names[j]} → {names[one.stand_in]}" for j, _, one in bars],
        fontsize="small",
    )
    ax.invert_yaxis()
    ax.grid(axis="y", visible=False)
    squares = hasattr(estimator, "rss_")
    alone = loss == (estimator.rss_ if squares else estimator.deviance_)
    name, short = ("residual sum of squares", "RSS") if squares else ("deviance", "deviance")
    ax.set_xlabel(f"increase of the {name if alone else f'loss ({short} and ridge term)'}, %")
    ax.set_ylabel("column → stand-in")
    return ax
