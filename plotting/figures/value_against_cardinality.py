"""A metric against the cardinality: a panel for each data set, a curve for each solver, the upper bound as an outer line.
Figure 2 of D. Papailiopoulos, A. Dimakis, S. Korokythakis, ICML 2013. Below each panel: the shortfall of the curves from
the best known value, on a logarithmic axis."""

import math

import problems
import records
import style

OPTIONS = {"metric": "explained_variance"}
NEEDS = "no usable record with a cardinality that binds has the metric."
WIDE = 50  # times the least cardinality: then their axis is logarithmic
MOST_WINDOWS = 20  # of neighbouring cardinalities, if there are more than markers have room for
MISSING = {"higher": "shortfall", "lower": "excess"}  # the name of the distance to the best, by the better direction
MANY = 6  # cardinalities; more are counted, not listed


def is_wide(low, high):
    return high >= WIDE * low


def bounds(cells, metric):
    """Returns {k: bound on the metric}: the least upper bound of any record, which also holds for every smaller k. Of a ratio
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
    """Returns {k: mean of the number over the repeats that have it}."""
    by_cardinality = records.grouped(cells, lambda record: record["cardinality"][0])
    values = {
        k: [value for value in map(number, some) if value is not None] for k, some in sorted(by_cardinality.items())
    }
    return {k: records.mean(some) for k, some in values.items() if some}


def curve(name, style_number, cells, metric):
    points = means(cells, lambda record: records.scalar(record, metric))
    return {"name": name, "style": style_number, "x": list(points), "y": list(points.values())}


def windows(ks):
    """The cardinalities in at most MOST_WINDOWS groups of neighbours, each as wide as the others on the axis."""
    place = math.log if is_wide(ks[0], ks[-1]) else float
    low, high = place(ks[0]), place(ks[-1])
    return list(records.grouped(ks, lambda k: int(MOST_WINDOWS * (place(k) - low) / (high - low) * 0.9999)).values())


def largest_of_windows(points):
    """The largest of `points`, {k: shortfall}, of each group of neighbours, at the last k that has it."""
    return {max(ks, key=lambda k: (points[k], k)): max(points[k] for k in ks) for ks in windows(list(points))}


def shortfalls(cells, curves, of_curves, metric, direction):
    """The panel below: of each curve its distance to the best value of each problem. Of many cardinalities these would be
    a band of zigzags: then a point is the largest among neighbours."""

    def value(record):
        return records.scalar(record, metric)

    best = problems.best_values(cells, value, max if direction == "higher" else min)

    def share(record):
        own, known = value(record), best.get(problems.problem_of(record))
        return None if own is None or known is None else problems.shortfall(own, known)

    lines, many = [], False
    for one in curves:
        points = means(of_curves[one["names"][0]], share)
        if len(points) > style.MANY_POINTS:
            points, many = largest_of_windows(points), True
        if points:
            drawn = [problems.drawn(y) for y in points.values()]
            lines.append({**one, "x": list(points), "y": drawn})
    return {"below": True, "shortfall": "y", "curves": lines, "points": many}


def proven_cardinalities(cells, metric):
    """Returns [k whose best values are proven optima], [all others]."""
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
    groups = records.grouped(cells, lambda record: (record["dataset"], record["components"]))
    of_curves = {group: records.grouped(some, name) for group, some in groups.items()}
    curves_of = [
        [one for one in (curve(title, styles[title], own, metric) for title, own in of.items()) if one["x"]]
        for of in of_curves.values()
    ]
    printed = records.printed(context, [metric])
    panels, proofs = [], []
    for (group, some), alone, curves in zip(groups.items(), curves_of, records.merged(curves_of)):
        if not curves:
            continue
        compared = len(alone) > 1 and direction in ("higher", "lower")
        below = shortfalls(some, curves, of_curves[group], metric, direction) if compared else {"curves": []}
        bound = bounds(some, metric)
        if bound:
            curves.append({"name": "upper bound", "style": "bound", "x": list(bound), "y": list(bound.values())})
        dataset, r = group
        title = ", ".join([dataset, *filter(None, [records.shape_words(some), f"r = {r}" if r > 1 else ""])])
        ks = [k for one in curves for k in one["x"]]
        shown = {"cardinalities": [min(ks), max(ks)]}
        own = [one for one in printed if (one["dataset"], len(one["cardinality"])) == group]
        crosses = records.crosses(own, name, curves, lambda one: one["cardinality"][0])
        panels.append({"title": title, "curves": curves, "above": bool(below["curves"]), "crosses": crosses, **shown})
        if below["curves"]:
            panels.append({**below, "title": f"{title}: {MISSING[direction]}", **shown})
            proofs.append((title, proof_words(*proven_cardinalities(some, metric))))
    stacks = sum(not panel.get("below") for panel in panels)
    panels = [{**panel, "stacks": stacks} for panel in panels]
    notes = []
    missing = MISSING.get(direction, "")
    for words, titles in records.grouped(proofs, lambda proof: proof[1]).items():
        of = "" if len(titles) == len(proofs) else " of " + "; ".join(title for title, _ in titles)
        notes.append(f"{missing.capitalize()}{of}: from {words}. None: less than 0.0001 %.")
    if any(panel.get("points") for panel in panels):
        notes.append(f"A point of the {missing}: the largest among neighbouring k.")
    notes += records.crosses_note(panels) + records.left_out(free, "the cardinality does not bind")
    for key, shown in (
        ("cardinality_missed", "the nearest from below is shown."),
        ("truncated", "the largest loadings of a larger answer are shown, refitted."),
    ):
        missed = [record for record in cells if record.get(key)]
        at = {
            solver: listed(sorted({record["cardinality"][0] for record in some}))
            for solver, some in records.grouped(missed, lambda record: record["solver"]).items()
        }
        for words, solvers in records.grouped(at, at.get).items():
            notes.append(f"{', '.join(solvers)} at {words}: no penalty gives so many nonzeros, {shown}")
    return {"panels": panels, "notes": notes + records.failures_note(cells)}


def panel_size(panel, count):
    sizes = {1: (3.7, 2.4, 1.9), 2: (2.5, 1.8, 1.5), 3: (1.45, 1.4, 1.1)}
    width, height, below = sizes[style.columns_of(panel["stacks"])]
    return (width, below) if panel.get("below") else (width, height if panel["above"] else height + 0.4)


def draw(axes, panel, options, context):
    drawn = style.draw_curves(axes, panel["curves"], **({"linestyle": ""} if panel.get("points") else {}))
    style.draw_crosses(axes, panel.get("crosses", []))
    low, high = panel["cardinalities"]
    if is_wide(low, high):  # solvers differ where k is small
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
        style.shortfall_axis(axes.yaxis, problems.FLOOR)
        below = context["metrics"][options["metric"]]["direction"] == "lower"
        axes.set_ylabel("excess over\nthe best" if below else "shortfall\nfrom the best")
        return []
    axes.set_title(panel["title"])
    axes.set_ylabel(style.metric_words(options["metric"], context["metrics"]))
    return drawn
