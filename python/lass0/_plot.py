"""Pictures of tables and models, by matplotlib, which is imported when the first one is drawn."""

import numpy as np
from sklearn.utils.validation import check_is_fitted

from ._table import SupportTable

# Okabe and Ito's colours, which colour-blind people can tell apart; without their yellow, which is pale on white.
_COLOURS = ["#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000"]
_BLUE, _RED, _GREY = _COLOURS[0], _COLOURS[1], "#7f7f7f"
_LABELLED = 12  # as many lines get a name of their own


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


def _table(source):
    if isinstance(source, SupportTable):
        return source
    check_is_fitted(source)
    if source.table_ is None:
        raise ValueError("this fit made no table of all sizes: plot the result of lass0.path(X, y)")
    return source.table_


def _names(estimator):
    names = getattr(estimator, "feature_names_in_", None)
    return [f"x{j}" for j in range(estimator.n_features_in_)] if names is None else list(names)


def plot_path(source, *, over="k", show="rss", ax=None):
    """The path of models: their rss or their coefficients, over the size or over lambda.

    Parameters
    ----------
    source : SupportTable, or a fitted Lass0 or Lass0CV
        Coefficients are in the table that :func:`path` returns.
    over : {"k", "lambda"}, default="k"
    show : {"rss", "coef"}, default="rss"
    ax : matplotlib axes, optional

    Returns
    -------
    matplotlib axes
    """
    table = _table(source)
    if over not in ("k", "lambda") or show not in ("rss", "coef"):
        raise ValueError("over must be 'k' or 'lambda', and show 'rss' or 'coef'")
    rows = [row for row in table if over == "k" or not np.isnan(row.lambda_min)]
    if show == "coef" and any(row.coef is None for row in rows):
        raise ValueError("this table has no coefficients: plot the result of lass0.path(X, y)")
    ax = _tidy(_axes(ax))
    if over == "k":
        ax.set_xlabel("size k (columns)")
        ax.xaxis.get_major_locator().set_params(integer=True)
    else:
        ax.set_xscale("log")
        ax.invert_xaxis()
        ax.set_xlabel("lambda (what a column costs), smaller to the right")
    if show == "rss":
        _draw_rss(ax, rows, over)
    else:
        _draw_coefficients(ax, table, rows, over)
    return ax


def _ends(rows):
    """For each row the lambdas it is drawn over: those of the first and last have no end of their own."""
    highest = max((row.lambda_max for row in rows if np.isfinite(row.lambda_max)), default=1.0)
    lowest = min((row.lambda_min for row in rows if row.lambda_min > 0), default=highest)
    for row in rows:
        high = row.lambda_max if np.isfinite(row.lambda_max) else 2 * highest
        yield max(row.lambda_min, lowest / 2), high


def _draw_rss(ax, rows, over):
    ax.set_ylabel("residual sum of squares")
    if over == "k":
        ax.plot(
            [row.k for row in rows], [row.rss for row in rows], color=_GREY, linewidth=1, zorder=1
        )
        chosen = [row for row in rows if not np.isnan(row.lambda_min)]
        others = [row for row in rows if np.isnan(row.lambda_min)]
        ax.scatter(
            [row.k for row in chosen],
            [row.rss for row in chosen],
            color=_BLUE,
            zorder=2,
            label="best at some lambda",
        )
        if others:
            ax.scatter(
                [row.k for row in others],
                [row.rss for row in others],
                facecolor="white",
                edgecolor=_BLUE,
                zorder=2,
                label="no lambda selects it",
            )
        ax.legend(frameon=False)
        return
    for row, (low, high) in zip(rows, _ends(rows)):
        ax.plot([high, low], [row.rss, row.rss], color=_BLUE, linewidth=2.5, solid_capstyle="butt")
        ax.annotate(
            f"{row.k}",
            (np.sqrt(low * high), row.rss),
            xytext=(0, 4),
            textcoords="offset points",
            ha="center",
            fontsize="small",
            color=_GREY,
        )


def _draw_coefficients(ax, table, rows, over):
    ax.set_ylabel("coefficient")
    ax.axhline(0, color=_GREY, linewidth=0.8)
    coefs = np.array([row.coef for row in rows])
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
        label = table.names([j])[0] if place < _LABELLED else None
        if over == "k":
            ax.plot(
                [row.k for row in rows], coefs[:, j], marker="o", markersize=3, label=label, **style
            )
            continue
        ends = list(_ends(rows))
        x = [end for low_high in ends for end in (low_high[1], low_high[0])]
        ax.plot(x, np.repeat(coefs[:, j], 2), label=label, **style)
    if order:
        ax.legend(frameon=False, fontsize="small", loc="center left", bbox_to_anchor=(1.0, 0.5))


def plot_cv(estimator, *, ax=None):
    """The cross-validation curve with one-standard-error bars and the points that the two rules take.

    Parameters
    ----------
    estimator : fitted Lass0CV
    ax : matplotlib axes, optional

    Returns
    -------
    matplotlib axes
    """
    check_is_fitted(estimator)
    results = estimator.cv_results_
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
            label="least error + one standard error",
        )
    points = {
        "least error": (least, "*", 170),
        "one standard error": (estimator.one_se_index_, "D", 55),
    }
    for label, (index, marker, area) in points.items():
        if index not in here:
            continue
        taken = " (chosen)" if index == estimator.best_index_ else ""
        ax.scatter(
            x[index], results["mean_error"][index], marker=marker, s=area, zorder=3,
            facecolor=_RED if taken else "white", edgecolor=_RED,
            label=f"{label}{taken}: {results['mean_size'][index]:.1f} columns",
        )  # fmt: skip
    if by_size:
        ax.set_xlabel("size k (columns)")
        ax.xaxis.get_major_locator().set_params(integer=True)
    else:
        ax.set_xscale("log")
        ax.invert_xaxis()
        ax.set_xlabel("lambda (what a column costs), smaller to the right")
    ax.set_ylabel("mean squared error, rows left out")
    ax.legend(edgecolor="none", framealpha=0.8)
    return ax


def plot_support(source, *, ax=None):
    """Which columns are in the best model of each size.

    Parameters
    ----------
    source : SupportTable, or a fitted Lass0 or Lass0CV
    ax : matplotlib axes, optional

    Returns
    -------
    matplotlib axes
    """
    table = _table(source)
    rows = [row for row in table if row.k > 0]
    if not rows:
        raise ValueError("no model of this table has a column: there is nothing to draw")
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
    # As many names as there is room for.
    inches = ax.get_window_extent().height / ax.figure.dpi
    step = int(np.ceil(len(order) / max(1.0, 7 * inches)))
    named = range(0, len(order), step)
    ax.set_yticks(named, table.names([order[i] for i in named]), fontsize="small")
    ax.invert_yaxis()
    ax.set_xlabel("size k (columns)")
    ax.xaxis.get_major_locator().set_params(integer=True)
    ax.set_ylabel("column, by the size it first enters at")
    ax.spines[:].set_visible(False)
    ax.tick_params(length=0)
    return ax


def _two_colours():
    from matplotlib.colors import ListedColormap

    return ListedColormap(["#eeeeee", _BLUE])


def plot_alternatives(estimator, *, ax=None):
    """For each column of the model, what its nearest stand-ins would cost: near ties show as short bars.

    Parameters
    ----------
    estimator : fitted Lass0 or Lass0CV
    ax : matplotlib axes, optional

    Returns
    -------
    matplotlib axes
    """
    check_is_fitted(estimator)
    if not estimator.alternatives_:
        raise ValueError("this model has no list of stand-ins")
    names = _names(estimator)
    loss = estimator.rss_
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
    ax.set_xlabel("rise of the residual sum of squares, %")
    ax.set_ylabel("column → stand-in")
    return ax
