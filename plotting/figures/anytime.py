"""The best value so far against time: a curve for a solver that finds all components at once, and a
point where it ends for a solver that finds one after the other. An outer line is the least upper
bound so far of a solver that knows one. Needs "trace": true in the grid. M. Asteris, D.
Papailiopoulos, A. Kyrillidis, A. Dimakis, NIPS 2015, report the value of this curve at a time
barrier."""

import records
import style

OPTIONS = {"against": ["seconds", "products"]}
NEEDS = "no usable record of several components found at once has a trace (\"trace\": true in its grid)."
SOONEST = {"seconds": 1e-4, "products": 1}  # smaller costs share one point of the logarithmic axis


def best_so_far(record, against):
    """Returns x, the costs at which the best objective so far rose, and that of the end, and y, the
    best objective so far. Empty without a trace, and for a trace of several objectives: that of a
    solver that is tuned, or called once for each component."""
    trace = record.get("trace")
    if not trace or record["tuned"] or (record["components"] > 1 and record["deflation"]):
        return [], []
    cost = record["trace_seconds"] if against == "seconds" else trace["products"]
    x, y = [], []
    for at, value in zip(cost, trace["objective"]):
        if value is not None and value > (y[-1] if y else 0):  # 0: no answer yet
            x.append(max(at, SOONEST[against]))
            y.append(value)
    if y and cost[-1] > x[-1]:
        x.append(cost[-1])
        y.append(y[-1])
    return x, y


def bound_so_far(record, against):
    """The curve of the least upper bound, for a solver that has one while it works."""
    trace = record["trace"]
    cost = record["trace_seconds"] if against == "seconds" else trace["products"]
    known = [(max(at, SOONEST[against]), bound) for at, bound in zip(cost, trace.get("bound", [])) if bound is not None]
    # Keeps the first point, those where the bound falls, and the last: the others only make the
    # file larger.
    last = len(known) - 1
    known = [point for i, point in enumerate(known) if i in (0, last) or point[1] < known[i - 1][1]]
    return [at for at, _ in known], [bound for _, bound in known]


def end_of(record, against):
    cost = records.scalar(record, "solve_seconds" if against == "seconds" else "products")
    value = records.scalar(record, "explained_variance")
    return ([max(cost, SOONEST[against])], [value]) if cost is not None and value is not None else ([], [])


def data(cells, options, context):
    against = options["against"]
    first = [record for record in cells if record["repeat"] == 0 and records.is_usable(record)]
    name = records.curve_names(first)
    styles = records.style_of(first, name)
    panels, points, lacking = [], False, []
    for (dataset, k), some in records.grouped(first, lambda r: (r["dataset"], tuple(r["cardinality"]))).items():
        curves, has_line = [], False
        for record in some:
            x, y = best_so_far(record, against)
            has_line = has_line or bool(x)
            bound_x, bound_y = bound_so_far(record, against) if x else ([], [])
            if bound_x:
                curves.append({"name": f"upper bound of {name(record)}", "style": "bound", "x": bound_x, "y": bound_y})
            if not x:
                x, y = end_of(record, against)
                points = points or bool(x)
            if x:
                curves.append({"name": name(record), "style": styles[name(record)], "x": x, "y": y})
            else:
                lacking.append(record)
        if has_line:
            words = [dataset, records.shape_words(some), f"r = {len(k)}", records.cardinality_words(k)]
            panels.append({"title": ", ".join(filter(None, words)), "curves": curves})
    notes = ["A curve is the solver's own objective, which for one that works on S is the variance."] if panels else []
    if panels and points:
        notes.append("A single mark: a solver that finds one component after the other, where it ends.")
    notes += records.left_out(lacking, "neither a trace nor a time of its own")
    return {"panels": panels, "notes": notes + records.failures_note(cells)}


panel_size = style.panel_size


def draw(axes, panel, options, context):
    drawn = style.draw_curves(axes, panel["curves"], drawstyle="steps-post")
    costs = [x for curve in panel["curves"] for x in curve["x"] if x > 0] or [1]
    style.logarithmic(axes.xaxis, min(costs), max(costs))
    axes.set_title(panel["title"])
    axes.set_xlabel({"seconds": "time (s)", "products": "products with S"}[options["against"]])
    axes.set_ylabel("best variance so far\ntr(V'SV)")
    return drawn
