"""figures.py FOLDER: Figure 1 and the HTT grid as SVG and PNG from the CSV files in the folder."""

import sys
from pathlib import Path

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402
from rows import grouped, half_width, mean, read  # noqa: E402

COLOURS = {
    "lasso": "#c44e52",
    "relaxed": "#dd8452",
    "forward": "#8c8c8c",
    "lass0-paper": "#4c72b0",
    "lass0": "#55a868",
    "lass0-ridge": "#2a6f4e",
}
NAMES = {
    "lasso": "Lasso",
    "relaxed": "relaxed Lasso",
    "forward": "forward stepwise",
    "lass0-paper": "Lass0 as in the paper",
    "lass0": "Lass0",
    "lass0-ridge": "Lass0 with ridge",
}


def save(figure, folder, name):
    # Without a date and with a fixed salt the same data give the same file.
    matplotlib.rcParams["svg.hashsalt"] = name
    figure.savefig(folder / f"{name}.svg", metadata={"Date": None})
    figure.savefig(folder / f"{name}.png", dpi=110, metadata={"Software": None})
    plt.close(figure)


def draw_lines(axes, rows, key, value, methods):
    for method in methods:
        groups = grouped([row for row in rows if row["method"] == method], [key], value)
        points = sorted((float(at[0]), values) for at, values in groups.items())
        x = [at for at, _ in points]
        y = [mean(values) for _, values in points]
        band = [half_width(values) for _, values in points]
        axes.plot(x, y, marker="o", markersize=3.5, color=COLOURS[method], label=NAMES[method])
        low = [a - b for a, b in zip(y, band)]
        high = [a + b for a, b in zip(y, band)]
        axes.fill_between(x, low, high, color=COLOURS[method], alpha=0.18, linewidth=0)
    axes.grid(alpha=0.25)
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)


def add_legend(figure, grid):
    handles, labels = grid[0][0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside upper center", ncols=5, fontsize=9, frameon=False)


def figure1(folder):
    rows = read(folder, "figure1")
    if not rows:
        return
    correlations = sorted({row["rho"] for row in rows}, key=float)
    ratios = sorted({row["snr"] for row in rows}, key=float, reverse=True)
    figure, grid = plt.subplots(
        len(ratios),
        len(correlations),
        figsize=(3.3 * len(correlations) + 0.6, 2.8 * len(ratios)),
        sharex=True,
        sharey=True,
        squeeze=False,
        layout="constrained",
    )
    for i, snr in enumerate(ratios):
        for j, rho in enumerate(correlations):
            axes = grid[i][j]
            some = [r for r in rows if (r["rho"], r["snr"], r["rule"]) == (rho, snr, "min")]
            draw_lines(axes, some, "k", "hamming", ["lasso", "lass0-paper", "lass0"])
            axes.set_title(f"correlation {rho}, signal / noise {snr}", fontsize=10)
            axes.set_ylim(bottom=0)
            axes.set_xticks(sorted({int(row["k"]) for row in rows}))
            if i == len(ratios) - 1:
                axes.set_xlabel("true columns of 30")
            if j == 0:
                axes.set_ylabel("Hamming distance")
    add_legend(figure, grid)
    save(figure, folder, "figure1")


def htt(folder):
    rows = read(folder, "htt")
    if not rows:
        return
    settings = list(dict.fromkeys(row["setting"] for row in rows))
    correlations = sorted({row["rho"] for row in rows}, key=float)
    figure, grid = plt.subplots(
        len(settings),
        len(correlations),
        figsize=(3.3 * len(correlations) + 0.6, 2.8 * len(settings)),
        sharex=True,
        squeeze=False,
        layout="constrained",
    )
    methods = ["lasso", "relaxed", "forward", "lass0", "lass0-ridge"]
    for i, setting in enumerate(settings):
        for j, rho in enumerate(correlations):
            axes = grid[i][j]
            some = [row for row in rows if row["setting"] == setting and row["rho"] == rho]
            draw_lines(axes, some, "snr", "relative_test_error", methods)
            axes.set_xscale("log")
            axes.set_title(f"{setting}, correlation {rho}", fontsize=10)
            if i == len(settings) - 1:
                axes.set_xlabel("signal-to-noise ratio")
            if j == 0:
                axes.set_ylabel("relative test error")
    add_legend(figure, grid)
    save(figure, folder, "htt")


if __name__ == "__main__":
    output = Path(sys.argv[1])
    figure1(output)
    htt(output)
