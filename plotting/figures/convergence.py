"""Distance of a solver's objective from its final value, against time, products with S or iterations. Needs
"trace": true in the grid."""

import records
import style

OPTIONS = {"against": ["products", "seconds", "iterations"]}
NEEDS = "no record of one component, of a solver that was not tuned, has a trace (\"trace\": true in its grid)."
FLOOR = 1e-12  # nearer to the end is rounding


def distances(objective, cost):
    """Returns x: the cost at which the best objective so far rose, y: its distance to the last best over the last best. The end
    itself, of distance 0, is left out: it has no place on a logarithmic axis."""
    points = [(at, value) for at, value in zip(cost, objective) if value is not None]
    last = max((value for _, value in points), default=0)
    x, y, best = [], [], None
    for at, value in points:
        best = value if best is None else max(best, value)
        distance = (last - best) / last if last > 0 else 0
        if distance <= FLOOR:
            break
        if not y or distance < y[-1] or at == points[-1][0]:
            x.append(at)
            y.append(distance)
    return x, y


def cost_of(record, against):
    return record["trace_seconds"] if against == "seconds" else record["trace"][against]


def data(cells, options, context):
    first = [record for record in cells if record["repeat"] == 0 and records.is_usable(record)]
    traced = [r for r in first if r.get("trace") and r["components"] == 1 and not r["tuned"]]
    name = records.curve_names(traced)
    styles = records.style_of(traced, name)
    panels, short = [], []
    for (dataset, k), some in records.grouped(traced, lambda r: (r["dataset"], r["cardinality"][0])).items():
        curves = []
        for record in some:
            x, y = distances(record["trace"]["objective"], cost_of(record, options["against"]))
            if len(x) > 1:
                curves.append({"name": name(record), "style": styles[name(record)], "x": x, "y": y})
            else:
                short.append(record)
        if curves:
            title = ", ".join(filter(None, [dataset, records.shape_words(some), f"k = {k}"]))
            panels.append({"title": title, "curves": curves})
    notes = []
    if panels:
        notes.append("Each curve ends where the solver's own objective, which need not be the variance, stops rising.")
    untuned = [r for r in first if not r["tuned"]]
    untraced = [r for r in untuned if not r.get("trace")]
    several = [r for r in untuned if r.get("trace") and r["components"] > 1]
    notes += records.left_out([r for r in first if r["tuned"]], "tuned: the objective changes with the penalty")
    notes += records.left_out([r for r in untraced if r["trace_asked"]], "no trace: it has no loop of its own")
    notes += records.left_out([r for r in untraced if not r["trace_asked"]], 'no trace: its grid lacks "trace": true')
    notes += records.left_out(several, "several components: as many objectives")
    notes += records.left_out(short, "its objective rose less than twice")
    return {"panels": panels, "notes": notes}


panel_size = style.panel_size


def draw(axes, panel, options, context):
    drawn = style.draw_curves(axes, panel["curves"], drawstyle="steps-post")
    axis_of = {"y": axes.yaxis, "x": axes.xaxis} if options["against"] == "seconds" else {"y": axes.yaxis}
    if options["against"] != "seconds":
        style.counting(axes.xaxis)
    for key, axis in axis_of.items():
        positive = [value for curve in panel["curves"] for value in curve[key] if value > 0] or [1]
        style.logarithmic(axis, min(positive), max(positive))
    axes.set_title(panel["title"])
    words = {"seconds": "time (s)", "products": "products with S", "iterations": "iterations"}
    axes.set_xlabel(words[options["against"]])
    axes.set_ylabel("distance to the end\n(f* − f) / f*")
    return drawn
