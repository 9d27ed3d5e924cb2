"""Cumulative variance against the components, or the variance of all components against their number r.
Figures 2 to 6 of M. Asteris, D. Papailiopoulos, A. Kyrillidis, A. Dimakis, NIPS 2015."""

import records
import style

OPTIONS = {"metric": "cumulative_variance", "against": ["components", "r"]}
NEEDS = "no usable record has the metric, one number a component."
MOST_TICKS = 10  # at most: more numbers of two digits would overlap in the narrower panel


def sums(record, metric):
    """Returns r numbers, or None."""
    values = records.metric(record, metric) if records.is_usable(record) else None
    return values if isinstance(values, list) and values and None not in values else None


def against_components(cells, metric):
    """Returns x = 1..r, y = mean over the repeats."""
    repeats = [sums(record, metric) for record in cells]
    repeats = [values for values in repeats if values]
    r = len(repeats[0])
    return list(range(1, r + 1)), [records.mean([values[j] for values in repeats]) for j in range(r)]


def against_r(cells, metric):
    """Returns x = each r, y = mean over the repeats of the last sum."""
    by_r = records.grouped(cells, lambda record: record["components"])
    y = {r: records.mean([sums(record, metric)[-1] for record in some]) for r, some in sorted(by_r.items())}
    return list(y), list(y.values())


def overlaps(record):
    """Returns true if two components of the record share a variable."""
    supports = [set(component["indices"]) for component in record["loadings"]]
    return sum(map(len, supports)) > len(set().union(*supports))


def data(cells, options, context):
    metric = options["metric"]
    against = against_r if options["against"] == "r" else against_components
    usable = [record for record in cells if sums(record, metric)]
    if options["against"] == "r":
        # Different r are comparable where each component may have the same number of nonzeros.
        usable = [record for record in usable if len(set(record["cardinality"])) == 1]
    name = records.curve_names(usable)
    styles = records.style_of([record for record in usable if record["solver_name"] != "pca"], name)

    def problem(record):
        k = record["cardinality"][:1] if options["against"] == "r" else record["cardinality"]
        return record["dataset"], tuple(k)

    printed = records.printed(context, ["explained_variance"])  # of all components together
    panels = []
    for (dataset, cardinality), some in records.grouped(usable, problem).items():
        curves = []
        for title, of_one in records.grouped(some, name).items():
            x, y = against(of_one, metric)
            curves.append({"name": title, "style": styles.get(title, "bound"), "x": x, "y": y})
        words = [dataset, records.shape_words(some), records.cardinality_words(cardinality)]
        own = [one for one in printed if problem(one) == (dataset, cardinality)]
        panels.append({"title": ", ".join(filter(None, words)), "curves": curves, "printed": own})
    panels = records.with_merged(panels)
    for panel in panels:
        own = panel.pop("printed")
        panel["crosses"] = records.crosses(own, name, panel["curves"], lambda one: len(one["cardinality"]))
    free = records.grouped([r for r in usable if r["unconstrained"]], lambda record: record["solver"])
    notes = records.crosses_note(panels)
    notes += [f"The cardinality does not bind: {', '.join(free)}."] if free else []
    if any(overlaps(record) for record in usable if not record["unconstrained"]):
        notes.append("Components that share variables may count variance twice: such a sum is no share of tr(S).")
    return {"panels": panels, "notes": notes + records.failures_note(cells)}


panel_size = style.panel_size


def draw(axes, panel, options, context):
    drawn = style.draw_curves(axes, panel["curves"])
    style.draw_crosses(axes, panel["crosses"])
    axes.set_title(panel["title"])
    style.counting(axes.xaxis)
    counts = sorted({x for curve in panel["curves"] for x in curve["x"]})
    if len(counts) <= MOST_TICKS:
        axes.set_xticks(counts)
    if options["against"] == "r":
        axes.set_xlabel("number of components r")
        axes.set_ylabel("variance of all components\nv₁'Sv₁ + … + vᵣ'Svᵣ")
    else:
        axes.set_xlabel("component j")
        axes.set_ylabel("cumulative variance\nv₁'Sv₁ + … + vⱼ'Svⱼ")
    return drawn
