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

from matplotlib.ticker import FixedFormatter, FixedLocator  # noqa: E402  (after the search for matplotlib)

import style  # noqa: E402
from records import cardinality_words  # noqa: E402

SIZE = (2.35, 1.2)  # inches of one panel's axes
MOST_PANELS = 40  # more than four pages are not a picture
LONGEST_COMMIT = 9  # letters of a commit in the picture
MOST_CENTRED = 3  # runs; with more, the dates at the ends are aligned inward
MOST_NAMED = 12  # panels that did not change; more are counted
LEVEL = {"color": "black", "linewidth": 1.6, "solid_capstyle": "butt"}
CHANGE = {"color": "black", "linewidth": 0.8, "linestyle": (0, (4, 2))}


def short(commit):
    return commit if set(commit) - set("0123456789abcdef") and len(commit) <= 2 * LONGEST_COMMIT else commit[:LONGEST_COMMIT]


def change_words(commit, verdicts, date):
    return f"{date[:10]}, {short(commit)}: {', '.join(verdicts)}"


def median(values):
    ordered = sorted(values)
    middle = len(ordered) // 2
    return ordered[middle] if len(ordered) % 2 else (ordered[middle - 1] + ordered[middle]) / 2


def levels(trend):
    """Returns (first run, last run, level) between changes."""
    runs = [point["run"] for point in trend["points"]]
    begins = [0] + [runs.index(change["run"]) for change in trend["changes"]] + [len(runs)]
    return [
        (runs[begin], runs[end - 1], median([point["value"] for point in trend["points"][begin:end]]))
        for begin, end in zip(begins, begins[1:])
    ]


def scale_of(panel):
    """Returns (factor, unit) in which the numbers of a panel are short."""
    if not panel["metric"].endswith("_seconds"):
        return 1, "bytes" if panel["metric"].endswith("_bytes") else ""
    largest = max(point["value"] for trend in panel["trends"] for point in trend["points"])
    return (1, "s") if largest >= 1 else (1e3, "ms") if largest >= 1e-3 else (1e6, "µs")


def changes_of(trends):
    """Returns {run: (commit, verdicts)} of all curves of a panel."""
    found = {}
    for trend in trends:
        for change in trend["changes"]:
            commit, verdicts = found.setdefault(change["run"], (change["commit"], []))
            if change["verdict"] not in verdicts:
                verdicts.append(change["verdict"])
    return dict(sorted(found.items()))


def data(report):
    """Returns the panels, those with a change first, otherwise in the order of the report."""
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


def name_apart(panel, drawn):
    """Returns the name of a panel that is not drawn: its group, with its metric and its machine as
    far as these are needed to tell it from the drawn panels."""
    of_group = [one for one in drawn if one["group"] == panel["group"]]
    words = [panel["group"], *([panel["metric"]] if of_group else [])]
    if any(one["metric"] == panel["metric"] for one in of_group):
        words.append(f"machine {panel['machine']}")
    return ", ".join(words)


def changed(panels):
    """The panels with a change, or all if nothing changed, and a note on the others."""
    still = [panel for panel in panels if not panel["changes"]]
    if len(still) == len(panels):
        return panels, ["Nothing changed."]
    if not still:
        return panels, []
    drawn = [panel for panel in panels if panel["changes"]]
    names = list(dict.fromkeys(name_apart(panel, drawn) for panel in still))
    words = f"{len(still)} of {len(panels)} panels" if len(names) > MOST_NAMED else "; ".join(names)
    return drawn, [f"Without a change, not drawn: {words}."]


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
        # Neighbours are at three heights, so that their words do not overlap.
        axes.annotate(change_words(commit, verdicts, runs[run]["date"]), (run - 0.5, 1 - 0.1 * (number % 3)),
                      xycoords=("data", "axes fraction"), xytext=(3 if run < len(runs) / 2 else -3, -1),
                      textcoords="offset points", fontsize=6, va="top",
                      ha="left" if run < len(runs) / 2 else "right",
                      bbox={"facecolor": "white", "edgecolor": "none", "pad": 0.6, "alpha": 0.85})
    axes.set_xlim(-0.8, len(runs) - 0.2)
    ticks = sorted({0, len(runs) - 1})  # a change has its date beside its line
    axes.xaxis.set_major_locator(FixedLocator(ticks))
    axes.xaxis.set_major_formatter(FixedFormatter([runs[i]["date"][:10] for i in ticks]))
    for i, label in zip(ticks, axes.get_xticklabels()):
        # With few runs, two dates that are aligned inward would overlap, and the margin has room
        # for half of a date.
        inward = "left" if i == 0 else "right"
        label.set_ha(inward if len(runs) > MOST_CENTRED else "center")
        label.set_fontsize(7)
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
    if report["contended"]:
        notes.append(f"Left out: {report['contended']} measurements made beside other cells.")
    shown, still = changed(panels)
    notes += still
    for panel in panels:
        panel["one_machine"] = len(report["machines"]) == 1
    if len(shown) > MOST_PANELS:
        notes.append(f"Not drawn: {len(shown) - MOST_PANELS} of {len(shown)} panels.")
        shown = shown[:MOST_PANELS]
    figure = style.compose(f"{report['experiment']}, {len(report['runs'])} runs", notes, [SIZE] * len(shown),
                           lambda i, axes: draw(axes, shown[i], report["runs"]))
    path = pathlib.Path(sys.argv[1])
    try:
        style.save(figure, path)
    except OSError as error:
        refuse(f"--output {path}: {error.strerror}")


if __name__ == "__main__":
    main()
