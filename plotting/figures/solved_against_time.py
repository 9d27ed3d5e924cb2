"""The share of problems (data set, cardinalities, repeat) that a solver has solved to within 1, 0.1 and 0.01 % of the
best bound, against time, with one panel for each. Without a bound, the best value of the run takes its place. Needs
"trace": true in the grid to know when an answer was found; otherwise it counts when the solver ends. The data profiles
of J. Moré, S. Wild, Benchmarking derivative-free optimization algorithms, SIAM J. Optim. 20:172, 2009."""

import math

import problems
import records
import style

OPTIONS = {"against": ["seconds", "products"]}
NEEDS = "no usable record has a value at a cost that is known (metric solve_seconds or products; times count only where a cell ran alone, spca run -j 1)."
WITHIN = [1e-2, 1e-3, 1e-4]
SAME = 1.02  # times nearer than this factor are one step: less than the width of a line
LEAST = {"seconds": 1e-5, "products": 1}  # lower costs share one point of the logarithmic axis


def targets(cells):
    """Returns {problem: the value that answers are compared with}, and how many of these are bounds. A bound below the best value is of
    another set of feasible answers."""
    best, bounds = problems.best_values(cells), problems.least_bounds(cells)
    near = 1 - problems.NEAR  # the sums of a bound and of a value round differently
    bounds = {problem: bound for problem, bound in bounds.items() if bound >= near * best.get(problem, math.inf)}
    return {**best, **bounds}, len(bounds)


def cost_of(record, against):
    return records.scalar(record, "solve_seconds" if against == "seconds" else "products")


def end_of(record, against):
    """Returns (cost, value) of the answer; None if one of them is unknown."""
    cost = cost_of(record, against)
    value = problems.variance(record)
    return None if cost is None or value is None else (cost, value)


def steps(record, against):
    """Returns [(cost, value)] in the order of the solve; the answer is the last. A trace whose best objective is not the
    variance of the answer is one of another objective, and tells nothing."""
    end = end_of(record, against)
    trace = record.get("trace")
    if end is None or not trace or not has_trace_of_value(record, end[1]):
        return [end] if end else []
    costs = record["trace_seconds"] if against == "seconds" else trace["products"]
    points = [(at, value) for at, value in zip(costs, trace["objective"]) if value is not None and at <= end[0]]
    return [*points, end]


def has_trace_of_value(record, value):
    if record["tuned"] or (record["components"] > 1 and record["deflation"]):
        return False
    known = [objective for objective in record["trace"]["objective"] if objective is not None]
    return bool(known) and abs(max(known) - value) <= problems.NEAR * abs(value)


def times(points_of, target_of, within):
    """The times at which problems were solved, ascending; problems that were not solved are left out."""
    found = []
    for problem, points in points_of.items():
        enough = (1 - within) * target_of[problem]
        at = next((cost for cost, value in points if value >= enough), None)
        if at is not None:
            found.append(at)
    return sorted(found)


def ecdf(found, count, begin, end):
    """Returns x: where the share rises, between the ends of the axis; y: the share from there on."""
    x, y = [begin], [0.0]
    for number, at in enumerate(found, start=1):
        if at <= x[-1] * SAME and len(x) > 1 or at <= x[-1]:
            y[-1] = number / count
        else:
            x.append(at)
            y.append(number / count)
    if x[-1] < end:
        x.append(end)
        y.append(y[-1])
    return x, y


def target_words(count, bounds):
    if bounds == count:
        return "the best upper bound of each problem"
    if not bounds:
        return "the best value of this run, since no bound is known"
    return f"the best upper bound, which {bounds} of {count} problems have, else the best value of this run"


def data(cells, options, context):
    against = options["against"]
    free = [record for record in cells if record["unconstrained"]]
    cells = [record for record in cells if not record["unconstrained"]]
    asked = [record for record in cells if record["status"] != "skipped"]
    name = records.curve_names(asked)
    styles = records.style_of(asked, name)
    measured, unmeasured = problems.measured(asked, name, lambda record: cost_of(record, against))
    # Held against the best of all answers, also of those without a time.
    of_measured = {problems.problem_of(record) for record in measured}
    target_of, bounds = targets([record for record in asked if problems.problem_of(record) in of_measured])
    points_of, untraced = {}, []
    for title, own in records.grouped(measured, name).items():
        known = {problems.problem_of(record): steps(record, against) for record in own}
        points_of[title] = {problem: points for problem, points in known.items() if points and problem in target_of}
        if own and not any(len(points) > 1 for points in known.values()):
            untraced.append(title)
    count = len(target_of)
    costs = [max(at, LEAST[against]) for own in points_of.values() for points in own.values() for at, _ in points]
    panels, never = [], []
    if costs:
        begin, end = min(costs) / 1.5, max(costs) * 1.5
        for within in WITHIN:
            curves = []
            for title, own in points_of.items():
                found = [max(at, LEAST[against]) for at in times(own, target_of, within)]
                x, y = ecdf(found, count, begin, end)
                if own:
                    curves.append({"name": title, "style": styles[title], "x": x, "y": y})
            idle = [one["name"] for one in curves if one["y"][-1] == 0]
            never += [f"Not once within {100 * within:g} %: {', '.join(idle)}."] if idle else []
            panels.append({"title": f"within {100 * within:g} %, {problems.several(count, 'problem')}", "curves": curves})
    notes = []
    if panels:
        notes.append(f"Held against {target_words(count, bounds)}. What no solver reaches counts as not solved.")
        if untraced:
            notes.append(f"Counted when they end, having no trace of the variance: {', '.join(untraced)}.")
    notes += never + unmeasured
    notes += records.left_out(free, "the cardinality does not bind")
    return {"panels": panels, "notes": notes + records.failures_note(cells)}


def panel_size(panel, count):
    return (1.75, 1.75)  # three beside each other


def draw(axes, panel, options, context):
    drawn = style.draw_curves(axes, panel["curves"], most_markers=6, drawstyle="steps-post")
    ends = panel["curves"][0]["x"]
    style.cost_axis(axes.xaxis, ends[0], ends[-1])
    axes.set_ylim(-0.03, 1.03)
    axes.set_title(panel["title"])
    axes.set_xlabel({"seconds": "time (s)", "products": "products with S"}[options["against"]])
    axes.set_ylabel("share of problems solved")
    return drawn
