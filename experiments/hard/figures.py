"""figures.py FOLDER: the phase diagrams as SVG and PNG from the CSV files in the folder."""

import sys
from pathlib import Path

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402
from rows import (  # noqa: E402
    METHODS,
    NAMES,
    beyond_the_limit,
    fits_as_well,
    is_true_support,
    ordered,
    read_phase,
    shares,
)

LIMIT = "#d55e00"


def save(figure, folder, name):
    # Without a date and with a fixed salt the same data give the same file.
    matplotlib.rcParams["svg.hashsalt"] = name
    figure.savefig(folder / f"{name}.svg", metadata={"Date": None})
    figure.savefig(folder / f"{name}.png", dpi=110, metadata={"Software": None})
    plt.close(figure)


def draw_limit(axes, beyond, rho, ratios, sizes):
    """The edges between cells inside the limit and cells beyond it."""
    inside = [[(rho, snr, k) not in beyond for k in sizes] for snr in ratios]
    style = {"color": LIMIT, "linewidth": 2.2, "solid_capstyle": "round"}
    for i in range(len(ratios)):
        for j in range(len(sizes)):
            if j + 1 < len(sizes) and inside[i][j] != inside[i][j + 1]:
                axes.plot([j + 0.5, j + 0.5], [i - 0.5, i + 0.5], **style)
            if i + 1 < len(ratios) and inside[i][j] != inside[i + 1][j]:
                axes.plot([j - 0.5, j + 0.5], [i + 0.5, i + 0.5], **style)


def diagram(folder, name, rows, counts, title):
    methods = [method for method in METHODS if any(row["method"] == method for row in rows)]
    correlations, ratios, sizes = (ordered(rows, key) for key in ("rho", "snr", "k"))
    n, p = int(rows[0]["n"]), int(rows[0]["p"])
    cells, beyond = shares(rows, counts), beyond_the_limit(rows)
    figure, grid = plt.subplots(
        len(correlations),
        len(methods),
        figsize=(2.5 * len(methods) + 1.2, 2.15 * len(correlations) + 1.2),
        sharex=True,
        sharey=True,
        squeeze=False,
        layout="constrained",
    )
    for i, rho in enumerate(correlations):
        for j, method in enumerate(methods):
            axes = grid[i][j]
            found = [[cells[method, rho, snr, k] for k in sizes] for snr in ratios]
            values = [[count / max(total, 1) for count, total in line] for line in found]
            image = axes.imshow(values, origin="lower", aspect="auto", cmap="Blues", vmin=0, vmax=1)
            draw_limit(axes, beyond, rho, ratios, sizes)
            axes.set_xticks(range(len(sizes)), [f"{int(k) / n:g}" for k in sizes])
            axes.set_yticks(range(len(ratios)), ratios)
            axes.tick_params(length=0, labelsize=7.5)
            for side in axes.spines.values():
                side.set_color("#999999")
            if i == 0:
                axes.set_title(NAMES[method], fontsize=11)
            if j == 0:
                axes.set_ylabel(f"correlation {rho}\nsignal-to-noise ratio", fontsize=9)
            if i == len(correlations) - 1:
                axes.set_xlabel("true columns / rows", fontsize=9)
    figure.suptitle(f"{title} ({n} rows, {p} columns)", fontsize=12)
    bar = figure.colorbar(image, ax=grid, shrink=0.8, pad=0.01)
    bar.set_label("share of data sets", fontsize=9)
    bar.ax.tick_params(labelsize=8)
    if beyond:
        line = plt.Line2D([], [], color=LIMIT, linewidth=2.2)
        text = "right of this line or below it, another support of the true size mostly fits better than the true one"
        figure.legend([line], [text], loc="outside lower center", fontsize=9, frameon=False)
    save(figure, folder, name)


def main():
    folder = Path(sys.argv[1])
    rows = read_phase(folder)
    if rows:
        diagram(folder, "phase", rows, is_true_support, "How often the true support is found")
        diagram(
            folder,
            "phase-rss",
            rows,
            fits_as_well,
            "How often a support of the true size is found that fits at least as well as the true one",
        )


if __name__ == "__main__":
    main()
