"""A metric against the cardinality: a panel for each data set, a curve for each solver, the upper bound as an outer line.
Figure 2 of D. Papailiopoulos, A. Dimakis, S. Korokythakis, ICML 2013. Below each panel: the shortfall of the curves from
the best known value, on a logarithmic axis."""

import problems
import records
import style

OPTIONS = {"metric": "explained_variance"}
NEEDS = "no usable record with a cardinality that binds has the metric."
WIDE = 50  # times the least cardinality: then their axis is logarithmic
NARROW = 14  # letters; beside longer names two panels have no room
MANY = 6  # cardinalities; more are counted, not listed


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


def means(cells, number):
    """{k: mean of the number over the repeats that have it}."""
    by_cardinality = records.grouped(cells, lambda record: record["cardinality"][0])
    values = {
        k: [value for value in map(number, some) if value is not None] for k, some in sorted(by_cardinality.items())
    }
    return {k: records.mean(some) for k, some in values.items() if some}


def curve(name, style_number, cells, metric):
    points = means(cells, lambda record: records.scalar(record, metric))
    return {"name": name, "style": style_number, "x": list(points), "y": list(points.values())}


def shortfalls(cells, curves, of_curves, metric, direction):
    """The panel below: of each curve its distance to the best value of each problem."""

    def value(record):
        return records.scalar(record, metric)

    best = problems.best_values(cells, value, max if direction == "higher" else min)

    def share(record):
        own, known = value(record), best.get(problems.problem_of(record))
        return None if own is None or known is None else problems.shortfall(own, known)

    lines = []
    for one in curves:
        points = means(of_curves[one["first"]], share)
        if points:
            drawn = [problems.drawn(y) for y in points.values()]
            lines.append({"name": one["name"], "style": one["style"], "x": list(points), "y": drawn})
    return {"below": True, "floor": problems.FLOOR, "curves": lines}


def proven_cardinalities(cells, metric):
    """[k whose best values are proven optima], [all others]."""
    optima = problems.proven(cells) if metric in ("explained_variance", "explained_variance_ratio") else {}
    found = {True: [], False: []}
    for k, some in sorted(records.grouped(cells, lambda record: record["cardinality"][0]).items()):
        found[all(problems.problem_of(record) in optima for record in some)].append(k)
    return found[True], found[False]


def listed(ks):
    return f"k = {', '.join(map(str, ks))}" if len(ks) <= MANY else problems.several(len(ks), "value") + " of k"


def proof_words(proven, open_):
    """The name of the value from which the distances are measured."""
    if not open_:
        return "the certified optimum"
    if not proven:
        return "the best value of this run, which nothing here proves"
    return f"the certified optimum at {listed(proven)}, else the best value of this run"


def data(cells, options, context):
    metric = options["metric"]
    direction = context["metrics"][metric]["direction"]
    free = [record for record in cells if record["unconstrained"]]
    cells = [record for record in cells if not record["unconstrained"] and len(set(record["cardinality"])) == 1]
    name = records.curve_names(cells)
    styles = records.style_of(cells, name)
    panels, proofs = [], []
    for (dataset, r), some in records.grouped(cells, lambda record: (record["dataset"], record["components"])).items():
        of_curves = records.grouped(some, name)
        curves = [{**curve(title, styles[title], own, metric), "first": title} for title, own in of_curves.items()]
        curves = [one for one in curves if one["x"]]
        compared = len(curves) > 1 and direction in ("higher", "lower")
        curves = records.merged(curves)
        below = shortfalls(some, curves, of_curves, metric, direction) if compared else {"curves": []}
        curves = [{key: value for key, value in one.items() if key != "first"} for one in curves]
        bound = bounds(some, metric)
        if bound and curves:
            curves.append({"name": "upper bound", "style": "bound", "x": list(bound), "y": list(bound.values())})
        title = ", ".join([dataset, *filter(None, [records.shape_words(some), f"r = {r}" if r > 1 else ""])])
        if not curves:
            continue
        ks = [k for one in curves for k in one["x"]]
        shown = {"cardinalities": [min(ks), max(ks)]}
        panels.append({"title": title, "curves": curves, "above": bool(below["curves"]), **shown})
        if below["curves"]:
            panels.append({**below, "title": f"{title}: shortfall", **shown})
            proofs.append((title, proof_words(*proven_cardinalities(some, metric))))
    names = [line for panel in panels for one in panel["curves"] for line in style.wrapped(one["name"]).split("\n")]
    wide = sum(not panel.get("below") for panel in panels) == 1 or max(map(len, names), default=0) > NARROW
    panels = [{**panel, "wide": wide} for panel in panels]
    notes = []
    for words, titles in records.grouped(proofs, lambda proof: proof[1]).items():
        of = "" if len(titles) == len(proofs) else " of " + "; ".join(title for title, _ in titles)
        notes.append(f"Shortfall{of}: from {words}. None: less than 0.0001 %.")
    notes += records.left_out(free, "the cardinality does not bind")
    for key, shown in (
        ("cardinality_missed", "the nearest from below is shown."),
        ("truncated", "the largest loadings of a larger answer are shown, refitted."),
    ):
        missed = [record for record in cells if record.get(key)]
        for solver, some in records.grouped(missed, lambda record: record["solver"]).items():
            words = listed(sorted({record["cardinality"][0] for record in some}))
            notes.append(f"{solver} at {words}: no penalty gives so many nonzeros, {shown}")
    return {"panels": panels, "notes": notes + records.failures_note(cells)}


def panel_size(panel, count):
    width, height, below = (3.7, 2.4, 1.9) if panel["wide"] else (1.8, 1.8, 1.5)
    return (width, below) if panel.get("below") else (width, height if panel["above"] else height + 0.4)


def draw(axes, panel, options, context):
    drawn = style.draw_curves(axes, panel["curves"])
    low, high = panel["cardinalities"]
    if high >= WIDE * low:  # solvers differ where k is small
        style.logarithmic(axes.xaxis, low, high)
        axes.set_xlim(low / 1.15, high * 1.15)
    else:
        style.counting(axes.xaxis)
        room = 0.05 * (high - low) or 0.5
        axes.set_xlim(low - room, high + room)
    axes.set_xlabel("cardinality k (nonzero loadings)")
    if panel.get("above"):  # the panel below has the words
        axes.tick_params(axis="x", which="both", labelbottom=False, length=0)
        axes.xaxis.label.set_visible(False)
    if panel.get("below"):
        style.shortfall_axis(axes.yaxis, panel["floor"])
        axes.set_ylabel("shortfall\nfrom the best")
        return []
    axes.set_title(panel["title"])
    axes.set_ylabel(style.metric_words(options["metric"], context["metrics"]))
    return drawn
