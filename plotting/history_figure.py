#!/usr/bin/env python3
"""Draws an experiment's numbers from run to run: a panel for each cell group, metric and machine, and a line for each
change, with its commit. Reads the JSON of `spca history show --json` from stdin; the argument names the file."""

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

from matplotlib.ticker import FixedFormatter, FixedLocator

import style
from records import cardinality_words

SIZE = (2.35, 1.2)  # inches of one panel's axes
MOST_PANELS = 40  # more than four pages are no picture
LONGEST_COMMIT = 12  # letters of a commit in the picture
LEVEL = {"color": "black", "linewidth": 1.6, "solid_capstyle": "butt"}
CHANGE = {"color": "black", "linewidth": 0.8, "linestyle": (0, (4, 2))}


def short(commit):
    return commit if len(commit) <= LONGEST_COMMIT else commit[: LONGEST_COMMIT - 1] + "…"


def median(values):
    ordered = sorted(values)
    middle = len(ordered) // 2
    return ordered[middle] if len(ordered) % 2 else (ordered[middle - 1] + ordered[middle]) / 2


def levels(trend):
    """(first run, last run, level) between changes."""
    runs = [point["run"] for point in trend["points"]]
    begins = [0] + [runs.index(change["run"]) for change in trend["changes"]] + [len(runs)]
    return [
        (runs[begin], runs[end - 1], median([point["value"] for point in trend["points"][begin:end]]))
        for begin, end in zip(begins, begins[1:])
    ]


def scale_of(panel):
    """(factor, unit) in which the numbers of a panel are short."""
    if not panel["metric"].endswith("_seconds"):
        return 1, "bytes" if panel["metric"].endswith("_bytes") else ""
    largest = max(point["value"] for trend in panel["trends"] for point in trend["points"])
    return (1, "s") if largest >= 1 else (1e3, "ms") if largest >= 1e-3 else (1e6, "µs")


def changes_of(trends):
    """{run: (commit, verdicts)} of all curves of a panel."""
    found = {}
    for trend in trends:
        for change in trend["changes"]:
            commit, verdicts = found.setdefault(change["run"], (change["commit"], []))
            if change["verdict"] not in verdicts:
                verdicts.append(change["verdict"])
    return dict(sorted(found.items()))


def data(report):
    """Panels, those with a change first, otherwise as the program has them."""
    groups = {}
    for trend in report["trends"]:
        # Exact numbers of all machines are one series.
        machine = trend["machine"] if trend["of_machine"] else None
        groups.setdefault((trend["group"], trend["metric"], machine), []).append(trend)
    panels = []
    for (group, metric, machine), trends in groups.items():
        panels.append(
            {
                "group": group,
                "metric": metric,
                "machine": machine,
                "trends": trends,
                "changes": changes_of(trends),
            }
        )
    return sorted(panels, key=lambda panel: not panel["changes"])


def curve_name(trend):
    k = trend["cardinality"]
    return cardinality_words(k) if k else trend["metric"]


def draw(axes, panel, runs):
    factor, unit = scale_of(panel)
    trends = [dict(trend, points=[dict(point, value=factor * point["value"]) for point in trend["points"]])
              for trend in panel["trends"]]
    drawn = []
    if len(trends) == 1:
        points = trends[0]["points"]
        axes.plot([point["run"] for point in points], [point["value"] for point in points], color="#777777",
                  linewidth=0.6, marker="o", markersize=2.6, markeredgewidth=0.6, markerfacecolor="white")
        for first, last, level in levels(trends[0]):
            axes.plot([first - 0.4, last + 0.4], [level, level], **LEVEL)
    else:
        curves = [
            {
                "name": curve_name(trend),
                "style": number,
                "x": [point["run"] for point in trend["points"]],
                "y": [point["value"] for point in trend["points"]],
            }
            for number, trend in enumerate(trends)
        ]
        drawn = style.draw_curves(axes, curves)
    values = [point["value"] for trend in trends for point in trend["points"]]
    low, high = min(values), max(values)
    if low > 0 and high > 4 * low:
        style.logarithmic(axes.yaxis, low, high)
        axes.set_ylim(low / (high / low) ** 0.1, high * (high / low) ** 0.3)
    else:
        room = (high - low) or abs(high) or 1
        axes.set_ylim(low - 0.1 * room, high + 0.3 * room)
    for number, (run, (commit, verdicts)) in enumerate(panel["changes"].items()):
        axes.axvline(run - 0.5, **CHANGE)
        # Neighbours stand at three heights, so that their words do not meet.
        axes.annotate(f"{short(commit)}: {', '.join(verdicts)}", (run - 0.5, 1 - 0.1 * (number % 3)),
                      xycoords=("data", "axes fraction"), xytext=(3 if run < len(runs) / 2 else -3, -1),
                      textcoords="offset points", fontsize=6, va="top",
                      ha="left" if run < len(runs) / 2 else "right",
                      bbox={"facecolor": "white", "edgecolor": "none", "pad": 0.6, "alpha": 0.85})
    ends = sorted({0, len(runs) - 1})
    axes.set_xlim(-0.8, len(runs) - 0.2)
    axes.xaxis.set_major_locator(FixedLocator(ends))
    axes.xaxis.set_major_formatter(FixedFormatter([f"{short(runs[i]['commit'])}\n{runs[i]['date'][:10]}" for i in ends]))
    for label, side in zip(axes.get_xticklabels(), ("left", "right") if len(ends) == 2 else ("center",)):
        label.set_ha(side)
    machine = "" if panel["machine"] is None or panel["one_machine"] else f", machine {panel['machine']}"
    axes.set_title(f"{panel['group']}{machine}")
    words = style.metric_words(panel["metric"], {panel["metric"]: {"unit": ""}}).split("\n")[0]
    axes.set_ylabel(f"{words} ({unit})" if unit else words, fontsize=7)
    return drawn


def main():
    report = style.printable(json.load(sys.stdin))
    panels = data(report)
    if not panels:
        refuse("nothing to draw: no run has this metric, measured alone")
    notes = ["Points: runs, in the order of their dates."]
    if any(len(panel["trends"]) == 1 for panel in panels):
        notes[0] += " Thick lines: medians between changes."
    if any(trend["of_machine"] for trend in report["trends"]):
        notes.append(f"Times: changes with a p-value of at most {report['level']:.2g}." if report["level"] else
                     "Times: no change by more than chance.")
    if len(panels) > MOST_PANELS:
        notes.append(f"Not drawn: {len(panels) - MOST_PANELS} of {len(panels)} groups; those with a change stand first.")
    if report["contended"]:
        notes.append(f"Left out: {report['contended']} measurements made beside other cells.")
    one_machine = len(report["machines"]) == 1
    for panel in panels:
        panel["one_machine"] = one_machine
    shown = panels[:MOST_PANELS]
    figure = style.compose(f"{report['experiment']}, {len(report['runs'])} runs", notes, [SIZE] * len(shown),
                           lambda i, axes: draw(axes, shown[i], report["runs"]))
    path = pathlib.Path(sys.argv[1])
    try:
        style.save(figure, path)
    except OSError as error:
        refuse(f"--output {path}: {error.strerror}")


if __name__ == "__main__":
    main()
