"""Share of problems that a solver solves within a factor of the best solver of each.
E. Dolan, J. Moré, Benchmarking optimization software with performance profiles, Math. Programming 91:201, 2002."""

import math

import records
import style

OPTIONS = {"metric": "explained_variance"}
NEEDS = "no problem that several solvers were given has the metric."
EQUAL = 1 + 1e-9  # two answers nearer than this differ by rounding


def ratio(value, best, higher_is_better):
    """The ratio to the best value, >= 1; infinity without an answer."""
    if value is None or value <= 0 and higher_is_better:
        return math.inf
    factor = best / value if higher_is_better else value / best
    return 1.0 if factor <= EQUAL else factor


def ratios(cells, metric, higher_is_better, name):
    """{curve: its ratio in each problem}. A problem is a data set, a repeat of it and the cardinalities."""

    def problem(record):
        return record["grid"], record["dataset"], tuple(record["cardinality"]), record["repeat"]

    curves = {curve: [] for curve in records.grouped(cells, name)}
    for some in records.grouped(cells, problem).values():
        values = {name(record): records.scalar(record, metric) for record in some}
        known = [value for value in values.values() if value is not None and value > 0]
        if len(values) > 1 and known:
            best = max(known) if higher_is_better else min(known)
            for curve in curves:
                curves[curve].append(ratio(values.get(curve), best, higher_is_better))
    return curves


def steps(factors):
    """x: the factors at which the share rises, y: the share from there on; of a list of ratios."""
    finite = sorted(factor for factor in factors if factor < math.inf)
    x = sorted({1.0, *finite})
    return x, [sum(factor <= at for factor in finite) / len(factors) for at in x]


def is_time(metric, context):
    return context["metrics"][metric]["unit"] == "s"


def data(cells, options, context):
    metric = options["metric"]
    higher_is_better = context["metrics"][metric]["direction"] == "higher"
    free = [record for record in cells if record["unconstrained"]]
    bound = [record for record in cells if not record["unconstrained"]]
    name = records.curve_names(bound)
    of_curves = ratios(bound, metric, higher_is_better, name)
    problems = max((len(factors) for factors in of_curves.values()), default=0)
    styles = records.style_of(bound, name)
    curves = []
    for title, factors in of_curves.items():
        if factors:
            x, y = steps(factors)
            curves.append({"name": title, "style": styles[title], "x": x, "y": y})
    largest = max((x for curve in curves for x in curve["x"]), default=1.0)
    end = 1 + 1.05 * (largest - 1) if largest > 1 else 2.0
    for curve in curves:  # the last share holds on to the end of the axis
        curve["x"].append(end)
        curve["y"].append(curve["y"][-1])
    title = f"{problems} problem{'' if problems == 1 else 's'}"
    panels = [{"title": title, "curves": records.merged(curves)}] if curves else []
    notes = records.left_out(free, "the cardinality does not bind")
    how = "comes at most τ times slower than the fastest" if is_time(metric, context) else "is at most τ times worse than the best"
    notes.append(f"At factor τ stands the share of problems whose answer {how}.")
    return {"panels": panels, "notes": notes + records.failures_note(bound)}


def panel_size(panel, count):
    return (4.4, 2.9)


def draw(axes, panel, options, context):
    drawn = style.draw_curves(axes, panel["curves"], drawstyle="steps-post")
    if panel["curves"][0]["x"][-1] > 10:
        style.logarithmic(axes.xaxis, 1, panel["curves"][0]["x"][-1])
    axes.set_ylim(-0.03, 1.03)
    axes.set_title(panel["title"])
    words = style.metric_words(options["metric"], context["metrics"]).split("\n")[0].split(" (")[0]
    best = "shortest" if is_time(options["metric"], context) else "best"
    axes.set_xlabel(f"factor τ from the {best} {words}")
    axes.set_ylabel("share of problems within factor τ")
    return drawn
