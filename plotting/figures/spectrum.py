"""A metric of each component against its number, both logarithmic, a curve for each data set, with the power law that fits:
of `pca` the spectrum of S."""

import records
import style
import vega_lite
from figures.scaling import exponent

OPTIONS = {"metric": "component_variance_ratio"}
NEEDS = "no usable record has two or more positive numbers of the metric, one a component."


def mean_of_each(cells, metric):
    """Returns r numbers, means over the repeats."""
    return [records.mean(values) for values in zip(*(records.metric(record, metric) for record in cells))]


def has_numbers(record, metric):
    values = records.metric(record, metric) if records.is_usable(record) else None
    return isinstance(values, list) and len(values) > 1 and None not in values


def data(cells, options, context):
    metric = options["metric"]
    usable = [record for record in cells if has_numbers(record, metric)]
    name = records.curve_names(usable)
    styles = records.style_of(usable, lambda record: record["dataset"])
    panels = []
    for (solver, r), some in records.grouped(usable, lambda record: (name(record), record["components"])).items():
        curves = []
        for dataset, of_one in records.grouped(some, lambda record: record["dataset"]).items():
            values = mean_of_each(of_one, metric)
            count = next((j for j, value in enumerate(values) if value <= 0), len(values))
            if count > 1:
                x, y = list(range(1, count + 1)), values[:count]
                power = f"j^{exponent(x, y):.2f}".replace("-", "−")
                curves.append({"name": f"{dataset} ({power})", "style": styles[dataset], "x": x, "y": y})
        if curves:
            panels.append({"title": f"{solver}, r = {r}", "curves": curves})
    notes = ["Behind each name: the power of j that fits its curve best."] if panels else []
    return {"panels": panels, "notes": notes + records.failures_note(cells)}


panel_size = style.panel_size


def draw(axes, panel, options, context):
    drawn = style.draw_curves(axes, panel["curves"])
    count = max(x for curve in panel["curves"] for x in curve["x"])
    axes.set_xscale("log")
    ticks = [j for j in (1, 2, 3, 4, 5, 6, 8, 10, 20, 50, 100, 200, 500) if j <= count]
    axes.set_xticks(ticks, [str(j) for j in ticks])
    values = [y for curve in panel["curves"] for y in curve["y"]]
    style.logarithmic(axes.yaxis, min(values), max(values))
    axes.minorticks_off()
    axes.set_title(panel["title"])
    axes.set_xlabel("component j")
    axes.set_ylabel(style.metric_words(options["metric"], context["metrics"]))
    return drawn


def chart(data, options):
    return vega_lite.specification(data["panels"], "data set")
