#!/usr/bin/env python3
"""The results of `spca path` against k, to choose one: the variance of the component with its upper bound, the
stability of its support, its error on samples left out. Reads the JSON of `spca path --json` from stdin; the argument
names the file."""

import json
import pathlib
import sys


def refuse(message):
    print(f"spca: {message}", file=sys.stderr)
    sys.exit(2)


try:
    import matplotlib  # noqa: F401  (style needs it)
except ImportError as error:
    refuse(
        f"{sys.executable}: found no module {error.name}; accepted: a Python with matplotlib "
        "(Debian: python3-matplotlib), which SPCA_PYTHON may name"
    )

import style

RULES = {"cross_validation": "cross-validation", "one_standard_error": "one standard error", "knee": "knee"}
SIZE = (4.4, 1.7)  # inches of one panel's axes


def curves(report, key):
    """One a solver, of the cardinalities at which `key` was measured."""
    found = []
    for number, path in enumerate(report["solvers"]):
        points = [point for point in path["points"] if point[key] is not None]
        if points:
            found.append(
                {
                    "name": path["solver"],
                    "style": number,
                    "x": [point["cardinality"] for point in points],
                    "y": [point[key] for point in points],
                    "error": [point["reconstruction_standard_error"] for point in points],
                }
            )
    return found


def data(report):
    """Panels that have something to show, each {"label", "curves", "errors"}."""
    value = curves(report, "value")
    if value:
        bounds = report["bounds"]
        value.append(
            {
                "name": "upper bound",
                "style": "bound",
                "x": [bound["cardinality"] for bound in bounds],
                "y": [bound["upper_bound"] for bound in bounds],
            }
        )
    panels = [
        {"label": "explained variance v'Sv", "curves": value, "errors": False},
        {"label": "stability of the support\n1: always the same, 0: chance", "curves": curves(report, "stability"), "errors": False},
        {"label": "error on samples left out\n‖X − Xvv'‖² / ‖X‖²", "curves": curves(report, "reconstruction_error"), "errors": True},
    ]
    ks = [bound["cardinality"] for bound in report["bounds"]]
    return [dict(panel, cardinalities=(ks[0], ks[-1])) for panel in panels if panel["curves"]]


def suggestions(report):
    """One sentence for each solver."""
    lines = []
    for path in report["solvers"]:
        words = [f"{RULES[rule]} k = {k}" for rule, k in path["suggested"].items() if k is not None]
        if words:
            lines.append(f"Suggested for {path['solver']}: {', '.join(words)}.")
    for key, what in (("without_stability", "stability"), ("without_cross_validation", "cross-validation")):
        if report[key]:
            lines.append(f"No {what}: {report[key]}.")
    return lines


def draw(axes, panel):
    drawn = style.draw_curves(axes, panel["curves"])
    if panel["errors"]:
        for curve in panel["curves"]:
            low = [y - e for y, e in zip(curve["y"], curve["error"])]
            high = [y + e for y, e in zip(curve["y"], curve["error"])]
            axes.fill_between(curve["x"], low, high, color=style.look(curve["style"])["color"], alpha=0.15, linewidth=0)
    first, last = panel["cardinalities"]
    room = 0.03 * (last - first) + 0.1
    axes.set_xlim(first - room, last + room)
    style.counting(axes.xaxis)
    axes.set_xlabel("cardinality k (nonzero loadings)")
    axes.set_ylabel(panel["label"])
    return drawn


def main():
    report = json.load(sys.stdin)
    panels = data(report)
    if not panels:
        refuse("nothing to draw: no cardinality has an answer")
    shape = ", ".join([*([f"n = {report['n']}"] if report["n"] else []), f"p = {report['p']}"]).replace(" = ", "\u00a0=\u00a0")
    notes = suggestions(report)
    if any(panel["errors"] for panel in panels):
        notes.append("Bands: one standard error over the folds.")
    figure = style.compose(f"One sparse component at each cardinality ({shape})", notes, [SIZE] * len(panels),
                           lambda i, axes: draw(axes, panels[i]))
    path = pathlib.Path(sys.argv[1])
    try:
        style.save(figure, path)
    except OSError as error:
        refuse(f"--figure {path}: {error.strerror}")


if __name__ == "__main__":
    main()
