"""Share of repeats in which the supports are recovered, with Wilson's intervals: a row for each solver with a dot for each
number of samples n or, at more n than FEW, curves against n."""

import records
import strips
import style
import vega_lite

OPTIONS = {"metric": "support_recovery"}
FEW = 3  # numbers of samples that have no curve
ROW = 0.1  # inches, for each n of a solver
NEEDS = "no record of generated data with a known truth has the metric."


def point(n, cells, metric):
    """Returns the share of successes at one n, with its interval.

    A failed cell is a repeat without recovery: leaving it out would flatter its solver.

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
    printed = records.printed(context, [metric])
    samples_of = {record["dataset"]: record["n"] for record in judged}
    by_problem = records.grouped(judged, lambda record: (record["p"], tuple(record["cardinality"])))

    def printed_by_n(numbers, solver):
        """Returns {n: the value that the paper prints for the solver}."""
        return {samples_of[one["dataset"]]: one["value"] for one in numbers if name(one) == solver}

    for (p, cardinality), some in by_problem.items():
        curves = []
        for title, of_one in records.grouped(some, name).items():
            points = [point(n, at_n, metric) for n, at_n in sorted(records.grouped(of_one, lambda r: r["n"]).items())]
            curves.append({"name": title, "style": styles[title], "points": points})
        title = f"p = {p}, r = {len(cardinality)}, {records.cardinality_words(cardinality)}"
        datasets = {record["dataset"] for record in some}
        own = [one for one in printed if one["dataset"] in datasets and tuple(one["cardinality"]) == cardinality]
        for curve in curves:
            curve["printed"] = printed_by_n(own, curve["name"])
        drawn = {curve["name"] for curve in curves}
        without = [{"name": one, "printed": printed_by_n(own, one)} for one in records.grouped(own, name) if one not in drawn]
        samples = sorted({record["n"] for record in some})
        panels.append({"title": title, "samples": samples, "curves": curves, "printed_without_curve": without})
    repeats = sorted({one["repeats"] for panel in panels for curve in panel["curves"] for one in curve["points"]})
    words = str(repeats[0]) if len(repeats) == 1 else f"{repeats[0]} to {repeats[-1]}" if repeats else ""
    notes = [f"Bars: 95 % intervals of Wilson, from {words} repeats at each point."] if repeats else []
    other = any(panel["printed_without_curve"] for panel in panels)
    if other or any(curve["printed"] for panel in panels for curve in panel["curves"]):
        notes.append("Crosses: printed in the paper" + ("; black: of no solver here." if other else "."))
    return {"panels": panels, "notes": notes + records.failures_note(judged)}


def is_of_rows(panel):
    return len(panel["samples"]) <= FEW


def panel_size(panel, count):
    if is_of_rows(panel):
        return 3.4, ROW * max((len(panel["samples"]) + 0.5) * len(rows_of(panel)), 6)
    return style.panel_size(panel, count)


def rows_of(panel):
    """The curves, which are rows of dots here, and then the solvers of which only printed numbers are known."""
    return [*panel["curves"], *panel["printed_without_curve"]]


def share_words(options, context):
    return {
        "component_recovery": "share of the components found",
        "support_recovery": "share of repeats with all supports found",
        "support_recovery_ordered": "share with all supports found, in order",
    }.get(options["metric"], style.metric_words(options["metric"], context["metrics"]))


def bar_ends(points):
    """Lengths of the bars below and above the points."""
    return [max(one["share"] - one["low"], 0) for one in points], [max(one["high"] - one["share"], 0) for one in points]


def draw_rows(axes, panel, options, context):
    """A row for each solver; within it a dot for each n, the fewest samples above."""
    samples, rows = panel["samples"], rows_of(panel)
    step = 0.8 / (len(samples) + 0.5)
    drawn = []
    for number, n in enumerate(samples):
        shift = (number - (len(samples) - 1) / 2) * step
        places = [(i, one) for i, curve in enumerate(panel["curves"]) for one in curve["points"] if one["n"] == n]
        y = [i + shift for i, _ in places]
        points = [one for _, one in places]
        look = {**style.look(number), "linestyle": ""}
        style.draw_crosses(axes, [
            {"x": row["printed"][n], "y": i + shift, "style": number if i < len(panel["curves"]) else None}
            for i, row in enumerate(rows)
            if n in row["printed"]
        ], zorder=1.5)  # below our dots, which are smaller
        bars = axes.errorbar([one["share"] for one in points], y, xerr=bar_ends(points), capsize=1.5, elinewidth=0.9,
                             markersize=3.5, markerfacecolor="white", **look)
        # Every row has the name of a solver, so that the legend names the n.
        drawn.append({"line": bars, "color": look["color"], "look": number, "name": f"n = {n}", "end": (number, -number)})
    strips.rows_of_names(axes, [row["name"] for row in rows])
    axes.set_xlim(-0.03, 1.03)
    axes.set_title(panel["title"] + (f", n = {samples[0]}" if len(samples) == 1 else ""))
    axes.set_xlabel(share_words(options, context))
    return drawn if len(samples) > 1 else []


def draw(axes, panel, options, context):
    if is_of_rows(panel):
        return draw_rows(axes, panel, options, context)
    # Samples at equal distances, and the solvers beside each other within each: intervals never cover each other.
    place = {n: i for i, n in enumerate(panel["samples"])}
    step = 0.7 / max(len(panel["curves"]), 2)
    drawn = []
    for i, curve in enumerate(panel["curves"]):
        shift = (i - (len(panel["curves"]) - 1) / 2) * step
        look = style.look(curve["style"])
        x = [place[one["n"]] + shift for one in curve["points"]]
        y = [one["share"] for one in curve["points"]]
        style.draw_crosses(axes, [
            {"x": place[n] + shift, "y": value, "style": curve["style"]} for n, value in curve["printed"].items()
        ])
        bars = axes.errorbar(x, y, bar_ends(curve["points"]), capsize=2, linewidth=1.1, markerfacecolor="white", **look)
        drawn.append({"line": bars, "color": look["color"], "look": curve["style"], "name": curve["name"], "end": (x[-1], -i)})
    style.draw_crosses(axes, [
        {"x": place[n], "y": value, "style": None}
        for one in panel["printed_without_curve"]
        for n, value in one["printed"].items()
    ])
    axes.set_title(panel["title"])
    axes.set_xticks(range(len(panel["samples"])), [str(n) for n in panel["samples"]])
    axes.set_xlim(-0.5, len(panel["samples"]) - 0.5)
    for edge in range(1, len(panel["samples"])):
        axes.axvline(edge - 0.5, color="#dddddd", linewidth=0.8)
    axes.grid(False, axis="x")
    axes.set_ylim(-0.03, 1.03)
    axes.set_xlabel("samples n")
    axes.set_ylabel(share_words(options, context))
    return drawn


def chart(data, options):
    """Returns the chart with a numeric axis of n. Its intervals may cross, because a reader can
    hide curves and zoom. None if a panel has fewer than three n, at which intervals would cover
    each other."""
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
        crosses = [
            {"x": n, "y": value, "style": one.get("style"), "name": f"printed: {one['name']}"}
            for one in rows_of(panel)
            for n, value in one["printed"].items()
        ]
        panels.append({**panel, "curves": curves, "crosses": crosses})
    return vega_lite.specification(panels)
