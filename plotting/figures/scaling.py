"""A cost against the number of variables p, both logarithmic, with the exponent of p that fits each curve."""

import math

import records
import style

OPTIONS = {"metric": "solve_seconds"}
NEEDS = "no solver has a positive value of the metric at two different p (times count only where a cell ran alone)."


def exponent(x, y):
    """Returns the least-squares slope of log y over log x."""
    u = [math.log(value) for value in x]
    v = [math.log(value) for value in y]
    mean_u, mean_v = records.mean(u), records.mean(v)
    return sum((a - mean_u) * (b - mean_v) for a, b in zip(u, v)) / sum((a - mean_u) ** 2 for a in u)


def curve(title, number, cells, metric):
    by_p = records.grouped(cells, lambda record: record["p"])
    values = {p: [v for v in (records.scalar(r, metric) for r in some) if v] for p, some in sorted(by_p.items())}
    points = {p: records.median(some) for p, some in values.items() if some}
    return {"name": title, "style": number, "x": list(points), "y": list(points.values())}


def data(cells, options, context):
    metric = options["metric"]
    usable = [record for record in cells if records.scalar(record, metric)]
    name = records.curve_names(usable)
    styles = records.style_of(usable, name)
    panels = []
    for cardinality, some in records.grouped(usable, lambda record: tuple(record["cardinality"])).items():
        curves = [curve(title, styles[title], of_one, metric) for title, of_one in records.grouped(some, name).items()]
        curves = [one for one in curves if len(one["x"]) > 1]
        for one in curves:
            one["exponent"] = exponent(one["x"], one["y"])
        samples = sorted({record["n"] for record in some if record["n"]})
        words = [f"n = {samples[0]}"] if len(samples) == 1 else []
        title = ", ".join([*words, f"r = {len(cardinality)}", records.cardinality_words(cardinality)])
        if curves:
            panels.append({"title": title, "curves": curves})
    notes = ["Behind each name: the power of p that fits its curve best. Median over the repeats."]
    contended = any(context["metrics"][metric]["timing"] and record["contended"] for record in cells)
    if contended:
        notes.append("Times of cells that ran beside others are left out.")
    return {"panels": panels, "notes": notes + records.failures_note(cells)}


panel_size = style.panel_size


def draw(axes, panel, options, context):
    named = [dict(one, name=f"{one['name']} (p^{one['exponent']:.2f})") for one in panel["curves"]]
    drawn = style.draw_curves(axes, named)
    sizes = sorted({x for one in panel["curves"] for x in one["x"]})
    axes.set_xscale("log")
    axes.set_xticks(sizes, [str(p) for p in sizes])
    values = [y for one in panel["curves"] for y in one["y"]]
    style.logarithmic(axes.yaxis, min(values), max(values))
    axes.minorticks_off()
    axes.set_title(panel["title"])
    axes.set_xlabel("variables p")
    axes.set_ylabel(style.metric_words(options["metric"], context["metrics"]))
    return drawn
