"""Values and upper bounds of one component against its cardinality, as multiples of the best value known at each: the
optimum lies between the highest value, 1, and the lowest bound. One panel for each data set."""

import records
import style

OPTIONS = {}
NEEDS = "no usable record of one component with a cardinality that binds has explained_variance."
VALUE = "explained_variance"
OF_A_SUPPORT = {
    "upper_bound_greedy": "greedy dual",
    "upper_bound_relaxation": "relaxation",
    "upper_bound_diagonal": "diagonal relaxation",
}


def curve(name, number, points, best):
    return {"name": name, "style": number, "x": sorted(points), "y": [points[k] / best[k] for k in sorted(points)]}


def extreme(cells, metric, choose):
    """Returns {k: the largest or the least of the metric}."""
    found = {}
    for record in cells:
        value = records.scalar(record, metric)
        if value is not None:
            k = record["cardinality"][0]
            found[k] = choose(found.get(k, value), value)
    return found


def data(cells, options, context):
    free = [record for record in cells if record["unconstrained"]]
    cells = [record for record in cells if not record["unconstrained"] and record["components"] == 1]
    name = records.curve_names(cells)
    styles = records.style_of(cells, name)
    panels = []
    for dataset, some in records.grouped(cells, lambda record: record["dataset"]).items():
        best = {k: value for k, value in extreme(some, VALUE, max).items() if value > 0}
        if not best:
            continue
        of_solver = records.grouped([record for record in some if record["cardinality"][0] in best], name)
        curves = []
        for title, own in of_solver.items():
            curves.append(curve(title, styles[title], extreme(own, VALUE, max), best))
        for title, own in of_solver.items():
            curves.append(curve(f"bound: {title}", len(styles) + styles[title], extreme(own, "upper_bound", min), best))
        everyone = [record for own in of_solver.values() for record in own]
        for number, (metric, title) in enumerate(OF_A_SUPPORT.items()):
            own = extreme(everyone, metric, min)
            curves.append(curve(f"bound: {title}", 2 * len(styles) + number, own, best))
        curves = [one for one in curves if one["x"]]
        panels.append({"title": f"{dataset}, {records.shape_words(some)}", "curves": curves})
    return {"panels": records.with_merged(panels), "notes": records.left_out(free, "the cardinality does not bind") + records.failures_note(cells)}


panel_size = style.panel_size


def draw(axes, panel, options, context):
    drawn = style.draw_curves(axes, panel["curves"])
    axes.set_title(panel["title"])
    ks = [k for one in panel["curves"] for k in one["x"]]
    style.logarithmic(axes.xaxis, min(ks), max(ks))  # bounds differ most where k is small
    axes.set_xlabel("cardinality k (nonzero loadings)")
    axes.set_ylabel("value or bound / best value known")
    return drawn
