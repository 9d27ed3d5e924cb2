"""Share of repeats in which the supports are recovered against the number of samples, with Wilson's intervals."""

import records
import style
import vega_lite

OPTIONS = {"metric": "support_recovery"}
NEEDS = "no record of generated data with a known truth has the metric."


def point(n, cells, metric):
    """A failed cell is a repeat without recovery: leaving it out would flatter its solver.

    A share of the components lies between 0 and 1 in each repeat, and so its variance is at most that of a share of
    repeats with the same mean: Wilson's interval is then no shorter than it should be.
    """
    values = [records.scalar(record, metric) for record in cells]
    successes = sum(value for value in values if value is not None)
    low, high = records.wilson(successes, len(cells))
    return {"n": n, "repeats": len(cells), "share": successes / len(cells), "low": low, "high": high}


def data(cells, options, context):
    metric = options["metric"]
    judged = [
        record
        for record in cells
        if record["n"] > 0 and (records.is_failure(record) or records.scalar(record, metric) is not None)
    ]
    name = records.curve_names(judged)
    styles = records.style_of(judged, name)
    panels = []
    by_problem = records.grouped(judged, lambda record: (record["p"], tuple(record["cardinality"])))
    for (p, cardinality), some in by_problem.items():
        curves = []
        for title, of_one in records.grouped(some, name).items():
            points = [point(n, at_n, metric) for n, at_n in sorted(records.grouped(of_one, lambda r: r["n"]).items())]
            curves.append({"name": title, "style": styles[title], "points": points})
        title = f"p = {p}, r = {len(cardinality)}, {records.cardinality_words(cardinality)}"
        panels.append({"title": title, "samples": sorted({record["n"] for record in some}), "curves": curves})
    repeats = sorted({one["repeats"] for panel in panels for curve in panel["curves"] for one in curve["points"]})
    words = str(repeats[0]) if len(repeats) == 1 else f"{repeats[0]} to {repeats[-1]}" if repeats else ""
    notes = [f"Bars: 95 % intervals of Wilson, from {words} repeats at each point."] if repeats else []
    return {"panels": panels, "notes": notes + records.failures_note(judged)}


panel_size = style.panel_size


def draw(axes, panel, options, context):
    # Samples at equal distances, and the solvers beside each other within each: intervals never cover each other.
    place = {n: i for i, n in enumerate(panel["samples"])}
    step = 0.7 / max(len(panel["curves"]), 2)
    drawn = []
    for i, curve in enumerate(panel["curves"]):
        shift = (i - (len(panel["curves"]) - 1) / 2) * step
        look = style.look(curve["style"])
        x = [place[one["n"]] + shift for one in curve["points"]]
        y = [one["share"] for one in curve["points"]]
        below = [max(one["share"] - one["low"], 0) for one in curve["points"]]
        above = [max(one["high"] - one["share"], 0) for one in curve["points"]]
        bars = axes.errorbar(x, y, (below, above), capsize=2, linewidth=1.1, markerfacecolor="white", **look)
        drawn.append({"line": bars, "color": look["color"], "name": curve["name"], "end": (x[-1], -i)})
    axes.set_title(panel["title"])
    axes.set_xticks(range(len(panel["samples"])), [str(n) for n in panel["samples"]])
    axes.set_xlim(-0.5, len(panel["samples"]) - 0.5)
    for edge in range(1, len(panel["samples"])):
        axes.axvline(edge - 0.5, color="#dddddd", linewidth=0.8)
    axes.grid(False, axis="x")
    axes.set_ylim(-0.03, 1.03)
    axes.set_xlabel("samples n")
    axes.set_ylabel(
        {
            "component_recovery": "share of the components found",
            "support_recovery": "share of repeats with all supports found",
            "support_recovery_ordered": "share with all supports found, in order",
        }.get(options["metric"], style.metric_words(options["metric"], context["metrics"]))
    )
    return drawn


def chart(data, options):
    """The chart with a numeric axis of n. Its intervals may cross, because a reader can hide curves and zoom. None if
    there are few n, at which intervals would cover each other."""
    if min(len(panel["samples"]) for panel in data["panels"]) < 3:
        return None
    panels = []
    for panel in data["panels"]:
        curves = [
            {
                "name": curve["name"],
                "style": curve["style"],
                "x": [one["n"] for one in curve["points"]],
                "y": [one["share"] for one in curve["points"]],
                "low": [one["low"] for one in curve["points"]],
                "high": [one["high"] for one in curve["points"]],
            }
            for curve in panel["curves"]
        ]
        panels.append({**panel, "curves": curves})
    return vega_lite.specification(panels)
