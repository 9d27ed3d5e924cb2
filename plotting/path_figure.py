#!/usr/bin/env python3
"""The results of `spca path` against k, to choose one: the variance of the component with its upper bound, the
stability of its support, its error on samples left out. With `--components` the numbers behind r and each k: the
eigenvalues beside those of chance, the error on entries left out, each component's error on samples left out. Reads the JSON of
`spca path --json` from stdin; the argument names the file."""

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

import problems  # noqa: E402
import style  # noqa: E402  (after the search for matplotlib)

RULES = {
    "cross_validation": "cross-validation",
    "one_standard_error": "one standard error",
    "scores": "scores",
    "knee": "knee",
}
SIZE = (4.4, 1.7)  # inches of one panel's axes


def curve(name, number, path, key):
    """The curve of a solver, in a list: empty if `key` was measured at no cardinality."""
    points = [point for point in path["points"] if point[key] is not None]
    found = {
        "name": name,
        "style": number,
        "x": [point["cardinality"] for point in points],
        "y": [point[key] for point in points],
        "error": [point["reconstruction_standard_error"] for point in points],
    }
    return [found] if points else []


def curves(report, key):
    """Returns one curve for each solver, of the cardinalities at which `key` was measured."""
    return [one for number, path in enumerate(report["solvers"]) for one in curve(path["solver"], number, path, key)]


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
    """Returns one sentence for each solver."""
    lines = []
    for path in report["solvers"]:
        words = [f"{RULES[rule]} k = {k}" for rule, k in path["suggested"].items() if k is not None]
        if words:
            lines.append(f"Suggested for {path['solver']}: {', '.join(words)}.")
    for key, what in (("without_stability", "stability"), ("without_cross_validation", "cross-validation")):
        if report[key]:
            lines.append(f"No {what}: {report[key]}.")
    return lines


def component_data(report):
    """Panels of `--components`, each {"label", "axis", "curves", "errors", "rings"}."""
    chance, entries = report["parallel_analysis"], report["cross_validation"]
    numbers = list(range(1, len(chance["eigenvalues"]) + 1))
    eigenvalues = [{"name": "data", "style": 0, "x": numbers, "y": chance["eigenvalues"]}]
    if chance["limits"]:
        limits = {"name": "95 % of permuted columns", "style": "bound", "x": numbers, "y": chance["limits"]}
        eigenvalues.append(limits)
    panels = [{"label": "eigenvalue", "axis": "component", "curves": eigenvalues}]
    if entries["errors"]:
        panels.append(
            {
                "label": "error on entries left out\nmeans alone: 1",
                "axis": "number of components r",
                "curves": [
                    {
                        "name": "entries left out",
                        "style": 0,
                        "x": list(range(len(entries["errors"]))),
                        "y": entries["errors"],
                        "error": entries["standard_errors"],
                    }
                ],
            }
        )
    errors, rings = [], []
    for number, path in enumerate(report["paths"], 1):
        for one in curve(f"component {number}", number, path["solvers"][0], "reconstruction_error"):
            errors.append(one)
            rings += [(x, y) for x, y in zip(one["x"], one["y"]) if x == path["chosen"]]
    if errors:
        label = "error on\nsamples left out"
        panels.append({"label": label, "axis": "cardinality k (nonzero loadings)", "curves": errors, "rings": rings})
    return panels


def component_notes(report):
    """The suggestion and its reasons."""
    if not report["components"]:
        why = report["why"]
        return [f"{why[0].upper()}{why[1:]}."]
    sizes = ", ".join(map(str, report["cardinality"]))
    count = problems.several(report["components"], "component")
    lines = [f"Suggested: {count}, {report['why']}; k = {sizes} (rings)."]
    lines += [f"k = {path['chosen']}: {path['why']}." for path in report["paths"]]
    return [*dict.fromkeys(lines), "Bands: one standard error over the folds."]


def draw_with_bands(axes, shown):
    """Draws the curves, and a band of one standard error around those that have errors."""
    drawn = style.draw_curves(axes, shown)
    for one in shown:
        if "error" in one:
            low = [y - e for y, e in zip(one["y"], one["error"])]
            high = [y + e for y, e in zip(one["y"], one["error"])]
            axes.fill_between(one["x"], low, high, color=style.look(one["style"])["color"], alpha=0.15, linewidth=0)
    return drawn


def draw_component_panel(axes, panel):
    drawn = draw_with_bands(axes, panel["curves"])
    for x, y in panel.get("rings", []):
        axes.plot([x], [y], marker="o", markersize=9, markerfacecolor="none", color="#222222", linestyle="none")
    style.counting(axes.xaxis)
    axes.set_xlabel(panel["axis"])
    axes.set_ylabel(panel["label"])
    return drawn


def draw(axes, panel):
    drawn = draw_with_bands(axes, panel["curves"]) if panel["errors"] else style.draw_curves(axes, panel["curves"])
    first, last = panel["cardinalities"]
    room = 0.03 * (last - first) + 0.1
    axes.set_xlim(first - room, last + room)
    style.counting(axes.xaxis)
    axes.set_xlabel("cardinality k (nonzero loadings)")
    axes.set_ylabel(panel["label"])
    return drawn


def main():
    report = json.load(sys.stdin)
    is_of_components = "paths" in report
    panels = component_data(report) if is_of_components else data(report)
    if not panels:
        refuse("nothing to draw: no cardinality has an answer")
    shape = ", ".join([*([f"n = {report['n']}"] if report["n"] else []), f"p = {report['p']}"]).replace(" = ", "\u00a0=\u00a0")
    if is_of_components:
        title, notes, one = f"How many components, how many variables ({shape})", component_notes(report), draw_component_panel
    else:
        title, notes, one = f"One sparse component at each cardinality ({shape})", suggestions(report), draw
        if any(panel["errors"] for panel in panels):
            notes.append("Bands: one standard error over the folds.")
    figure = style.compose(title, notes, [SIZE] * len(panels), lambda i, axes: one(axes, panels[i]))
    path = pathlib.Path(sys.argv[1])
    try:
        style.save(figure, path)
    except OSError as error:
        refuse(f"--figure {path}: {error.strerror}")


if __name__ == "__main__":
    main()
