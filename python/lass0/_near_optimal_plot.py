"""The plot of near-optimal models. Matplotlib is imported at the first plot."""

import numpy as np

from ._plot import _axes, _fitted, _two_colours

_COLUMNS, _MODELS = 40, 100  # at most this many are drawn


def _shown(near):
    """The columns that some near-optimal model has: those in all of them first, then by price."""
    columns = [one for one in near["columns"] if one["class"] in ("always", "interchangeable")]

    def order(one):
        out = np.inf if one["price_out"] is None else one["price_out"]
        price_in = np.inf if one["price_in"] is None else one["price_in"]
        return one["class"] != "always", -out, price_in

    return sorted(columns, key=order)[:_COLUMNS]


def _label(one, best):
    member = one["column"] in best
    price = one["price_out"] if member else one["price_in"]
    side = "out" if member else "in"
    if price is None:
        return f"{one['name']} ({side}: impossible)"
    return f"{one['name']} ({side} {'' if one['exact'] else '≥ '}{price:.4g})"


def plot_near_optimal(estimator, *, ax=None):
    """Plot which columns the near-optimal models have, the best model on the left.

    Columns that all of them have come first. The number beside a column is its price: how much the objective rises if a column of the
    best model must be left out ("out"), or if another column must be in ("in").

    Parameters
    ----------
    estimator : fitted Lass0 with `prove` and `within`
    ax : matplotlib axes, optional

    Returns
    -------
    matplotlib axes
    """
    near = _fitted(estimator, "near_optimal_", "plot_near_optimal takes a fitted Lass0")
    if near is None:
        raise ValueError(
            "this fit did not look for near-optimal models: fit Lass0 with prove=True and within"
        )
    columns = _shown(near)
    if not columns:
        raise ValueError("no near-optimal model has a column, so there is nothing to draw")
    models = near["models"][:_MODELS]
    if ax is None and len(columns) > 15:
        import matplotlib.pyplot as plt

        _, ax = plt.subplots(figsize=(7, 1 + 0.24 * len(columns)), layout="constrained")
    ax = _axes(ax)
    picture = np.array([[one["column"] in model["support"] for model in models] for one in columns])
    ax.pcolormesh(
        np.arange(len(models) + 1) + 0.5,
        np.arange(len(columns) + 1) - 0.5,
        picture,
        cmap=_two_colours(),
        vmin=0,
        vmax=1,
        edgecolor="white",
        linewidth=0.6,
    )
    labels = [_label(one, models[0]["support"]) for one in columns]
    ax.set_yticks(range(len(columns)), labels, fontsize="small")
    for text, one in zip(ax.get_yticklabels(), columns, strict=True):
        text.set_fontweight("bold" if one["class"] == "always" else "normal")
    ax.invert_yaxis()
    ax.xaxis.get_major_locator().set_params(integer=True)
    count = f"{near['count']:,}" if near["complete"] else f"at least {near['count']:,}"
    ax.set_xlabel(
        f"model, by objective ({count} within {near['within']:.4g} of the best)", wrap=True
    )
    ax.set_ylabel("column (price); bold: in all of them")
    ax.spines[:].set_visible(False)
    ax.tick_params(length=0)
    return ax
