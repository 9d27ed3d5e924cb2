"""One metric against another, with a point for each data set, a curve for each solver and a panel for each cardinality:
shows how answers depend on properties of the data."""

import records
import style

OPTIONS = {"metric": "explained_variance_ratio", "against": "decay_exponent", "over": ["one", "best"]}
NEEDS = "no usable record has both metrics, each a single number."


def problem(record):
    return record["dataset"], tuple(record["cardinality"]), record["repeat"]


def best_of(cells, options, context):
    """Returns {problem: the divisor of its values}: the best value of all its solvers, or 1."""
    if options["over"] == "one":
        return {problem(record): 1.0 for record in cells}
    best = min if context["metrics"][options["metric"]]["direction"] == "lower" else max
    values = records.grouped(cells, problem).items()
    return {which: best(records.scalar(record, options["metric"]) for record in some) for which, some in values}


def points(cells, options, best):
    """Returns [(x, y)], ascending: the means over the repeats of each data set."""
    found = []
    for repeats in records.grouped(cells, lambda record: record["dataset"]).values():
        x = [records.scalar(record, options["against"]) for record in repeats]
        y = [records.scalar(record, options["metric"]) / best[problem(record)] for record in repeats]
        found.append((records.mean(x), records.mean(y)))
    return sorted(found)


def data(cells, options, context):
    usable = [
        record
        for record in cells
        if not record["unconstrained"]
        and all(records.scalar(record, options[axis]) is not None for axis in ("against", "metric"))
    ]
    best = best_of(usable, options, context)
    usable = [record for record in usable if best[problem(record)]]
    name = records.curve_names(usable)
    styles = records.style_of(usable, name)
    panels = []
    for cardinality, some in records.grouped(usable, lambda record: tuple(record["cardinality"])).items():
        curves = []
        for title, of_one in records.grouped(some, name).items():
            x, y = zip(*points(of_one, options, best))
            curves.append({"name": title, "style": styles[title], "x": list(x), "y": list(y)})
        shape = records.shape_words([{**record, "n": 0} for record in some])
        several = f"r = {len(cardinality)}" if len(cardinality) > 1 else ""
        words = [shape, several, records.cardinality_words(cardinality)]
        panels.append({"title": ", ".join(filter(None, words)), "curves": curves})
    repeats = max((record["repeat"] + 1 for record in usable), default=0)
    notes = [f"Means over {repeats} repeats."] if repeats > 1 else []
    return {"panels": records.with_merged(panels), "notes": notes + records.failures_note(cells)}


panel_size = style.panel_size


def draw(axes, panel, options, context):
    drawn = style.draw_curves(axes, panel["curves"])
    axes.set_title(panel["title"])
    axes.set_xlabel(style.metric_words(options["against"], context["metrics"]))
    words = style.metric_words(options["metric"], context["metrics"])
    axes.set_ylabel(words if options["over"] == "one" else words.split("\n")[0] + "\nover the best of all solvers")
    return drawn
