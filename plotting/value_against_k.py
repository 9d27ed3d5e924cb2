#!/usr/bin/env python3
"""Draws a metric of one component against its cardinality from the records of a run, one panel a data set.

    /usr/bin/python3 plotting/value_against_k.py results/runs/spannogram/gene/full -o figure2.svg

Needs matplotlib (Debian: python3-matplotlib). The same records give the same bytes.
"""

import argparse
import collections
import json
import pathlib
import sys

import matplotlib

matplotlib.use("Agg")
matplotlib.rcParams.update(
    {"font.size": 9, "axes.spines.top": False, "axes.spines.right": False, "svg.hashsalt": "spca-bench"}
)
import matplotlib.pyplot as plt  # noqa: E402  (after the backend is chosen)

# Okabe and Ito: told apart by colour-blind readers; the dashes serve those who print in grey.
COLOURS = ["#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000"]
DASHES = ["-", "--", "-.", ":", (0, (5, 1)), (0, (3, 1, 1, 1)), (0, (1, 1))]


def read_curves(run, metric):
    """{data set: {solver: {k: mean over the repeats}}}, of usable one-component records that have the metric."""
    values = collections.defaultdict(lambda: collections.defaultdict(lambda: collections.defaultdict(list)))
    with open(pathlib.Path(run) / "cells.jsonl", encoding="utf-8") as lines:
        for line in lines:
            record = json.loads(line)
            value = record["metrics"].get(metric)
            if record["components"] == 1 and isinstance(value, float):
                values[record["dataset"]][record["solver"]][record["cardinality"][0]].append(value)
    return {
        dataset: {solver: {k: sum(v) / len(v) for k, v in sorted(points.items())} for solver, points in curves.items()}
        for dataset, curves in values.items()
    }


def draw(curves, metric):
    figure, panels = plt.subplots(1, len(curves), figsize=(4.2 * len(curves), 3.2), squeeze=False, sharey=True)
    for panel, (dataset, solvers) in zip(panels[0], curves.items()):
        for index, (solver, points) in enumerate(solvers.items()):
            panel.plot(
                list(points),
                list(points.values()),
                color=COLOURS[index % len(COLOURS)],
                linestyle=DASHES[index % len(DASHES)],
                linewidth=1.4,
                label=solver,
            )
        panel.set_title(dataset)
        panel.set_xlabel("cardinality k")
        panel.grid(color="#dddddd", linewidth=0.5)
        panel.legend(frameon=False, loc="lower right")
    panels[0][0].set_ylabel(metric.replace("_", " "))
    figure.tight_layout()
    return figure


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("run", help="folder of a run: it holds cells.jsonl")
    parser.add_argument("-m", "--metric", default="explained_variance_ratio")
    parser.add_argument("-o", "--output", required=True, help="file.svg, file.pdf or file.png")
    arguments = parser.parse_args()
    try:
        curves = read_curves(arguments.run, arguments.metric)
    except OSError as error:
        sys.exit(f"{error.filename}: {error.strerror}; accepted: the folder of a run")
    if not curves:
        sys.exit(f"{arguments.run}: no record of one component has the metric {arguments.metric}")
    suffix = pathlib.Path(arguments.output).suffix
    metadata = {".svg": {"Date": None}, ".pdf": {"CreationDate": None}}.get(suffix)
    draw(curves, arguments.metric).savefig(arguments.output, dpi=200, metadata=metadata)


if __name__ == "__main__":
    main()
