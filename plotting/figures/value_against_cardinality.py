"""A metric against the cardinality, one panel a data set, one curve a solver, with the upper bound as an outer line.
Figure 2 of D. Papailiopoulos, A. Dimakis, S. Korokythakis, ICML 2013."""

import records
import style

OPTIONS = {"metric": "explained_variance"}
NEEDS = "no usable record with a cardinality that binds has the metric."


def bounds(cells, metric):
    """{k: bound on the metric}: the least upper bound of any record, which also holds for every smaller k. Of a ratio
    to eigenvalues, the bound on the variance over the same eigenvalues. Empty where none is measured."""
    least = {}
    for record in cells:
        bound = records.scalar(record, "upper_bound")
        value = records.scalar(record, metric)
        variance = records.scalar(record, "explained_variance")
        if metric == "explained_variance_ratio" and bound is not None and value and variance:
            bound *= value / variance
        elif metric != "explained_variance":
            bound = None
        if bound is not None:
            k = record["cardinality"][0]
            least[k] = min(least.get(k, bound), bound)
    smallest = float("inf")
    for k in sorted(least, reverse=True):
        smallest = least[k] = min(smallest, least[k])
    return dict(sorted(least.items()))


def curve(name, style_number, cells, metric):
    by_cardinality = records.grouped(cells, lambda record: record["cardinality"][0])
    values = {
        k: [value for value in (records.scalar(record, metric) for record in some) if value is not None]
        for k, some in sorted(by_cardinality.items())
    }
    points = {k: records.mean(some) for k, some in values.items() if some}
    return {"name": name, "style": style_number, "x": list(points), "y": list(points.values())}


def data(cells, options, context):
    metric = options["metric"]
    free = [record for record in cells if record["unconstrained"]]
    cells = [record for record in cells if not record["unconstrained"] and len(set(record["cardinality"])) == 1]
    name = records.curve_names(cells)
    styles = records.style_of(cells, name)
    panels = []
    for (dataset, r), some in records.grouped(cells, lambda record: (record["dataset"], record["components"])).items():
        curves = [curve(title, styles[title], of_one, metric) for title, of_one in records.grouped(some, name).items()]
        curves = records.merged([one for one in curves if one["x"]])
        bound = bounds(some, metric)
        if bound and curves:
            curves.append({"name": "upper bound", "style": "bound", "x": list(bound), "y": list(bound.values())})
        title = ", ".join([dataset, *filter(None, [records.shape_words(some), f"r = {r}" if r > 1 else ""])])
        if curves:
            panels.append({"title": title, "curves": curves})
    notes = records.left_out(free, "the cardinality does not bind")
    for key, shown in (
        ("cardinality_missed", "the nearest from below is shown."),
        ("truncated", "the largest loadings of a larger answer are shown, refitted."),
    ):
        missed = [record for record in cells if record.get(key)]
        for solver, some in records.grouped(missed, lambda record: record["solver"]).items():
            ks = sorted({record["cardinality"][0] for record in some})
            words = f"k = {', '.join(str(k) for k in ks)}" if len(ks) <= 6 else f"{len(ks)} values of k"
            notes.append(f"{solver} at {words}: no penalty gives so many nonzeros, {shown}")
    return {"panels": panels, "notes": notes + records.failures_note(cells)}


panel_size = style.panel_size


def draw(axes, panel, options, context):
    drawn = style.draw_curves(axes, panel["curves"])
    axes.set_title(panel["title"])
    style.counting(axes.xaxis)
    axes.set_xlabel("cardinality k (nonzero loadings)")
    axes.set_ylabel(style.metric_words(options["metric"], context["metrics"]))
    return drawn
