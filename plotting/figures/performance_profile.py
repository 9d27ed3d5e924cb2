"""Share of problems that a solver solves within a factor tau of the best solver of each, against tau - 1 for values and
tau for costs. More solvers than MOST_CURVES are rows of dots instead, one for each problem.
E. Dolan, J. Moré, Benchmarking optimization software with performance profiles, Math. Programming 91:201, 2002."""

import math

import problems
import records
import strips
import style
import vega_lite

OPTIONS = {"metric": "explained_variance"}
NEEDS = (
    "no problem that several solvers were given has the metric (times count only where every cell of a problem ran alone, "
    "spca run -j 1)."
)
EQUAL = 1 + 1e-9  # two answers nearer than this differ by rounding
MOST_CURVES = 12  # of solvers; more would hide each other


def ratio(value, best, higher_is_better):
    """The ratio to the best value, >= 1; infinity without an answer."""
    if value is None or value <= 0 and higher_is_better:
        return math.inf
    factor = best / value if higher_is_better else value / best
    return 1.0 if factor <= EQUAL else factor


def problem(record):
    """A data set, a repeat of it and the cardinalities, in one grid."""
    return record["grid"], record["dataset"], tuple(record["cardinality"]), record["repeat"]


def ratios(cells, metric, higher_is_better, name):
    """Returns {curve: its ratio in each problem; None if the run does not ask its solver}."""
    curves = {curve: [] for curve in records.grouped(cells, name)}
    for some in records.grouped(cells, problem).values():
        values = {name(record): records.scalar(record, metric) for record in some}
        asked = {name(record) for record in some if record["status"] != "skipped"}
        known = [value for value in values.values() if value is not None and value > 0]
        if len(values) > 1 and known:
            best = max(known) if higher_is_better else min(known)
            for curve in curves:
                own = values.get(curve)
                curves[curve].append(ratio(own, best, higher_is_better) if curve in asked else None)
    return curves


def steps(factors):
    """Returns x: the factors at which the share of a list of ratios rises, y: the share from there on."""
    finite = sorted(factor for factor in factors if factor < math.inf)
    x = sorted({1.0, *finite})
    return x, [sum(factor <= at for factor in finite) / len(factors) for at in x]


def is_cost(metric, context):
    """Returns true if solvers differ in it by whole factors, not by a small part."""
    return context["metrics"][metric]["unit"] == "s" or metric == "products"


def is_time(metric, context):
    return context["metrics"][metric]["unit"] == "s"


def place_of(metric, context):
    """The function from a factor to its place on the axis."""
    if is_cost(metric, context):
        return lambda factor: factor
    return lambda factor: problems.drawn(factor - 1 if factor - 1 >= problems.NEAR else 0.0)


def profile(title, of_curves, styles, place):
    """The panel of curves."""
    curves = []
    for name, factors in of_curves.items():
        if factors:
            x, y = steps([math.inf if factor is None else factor for factor in factors])
            shares = dict(zip(map(place, x), y))  # factors at the same place: the last one has the largest share
            curves.append({"name": name, "style": styles[name], "x": list(shares), "y": list(shares.values())})
    low, high = place(1.0), max((x for curve in curves for x in curve["x"]), default=1.0)
    end = high * (high / low) ** 0.05 if high > low else 2 * low
    for curve in curves:  # the last share holds on to the end of the axis
        curve["x"].append(end)
        curve["y"].append(curve["y"][-1])
    return {"title": title, "curves": records.merged([curves])[0]} if curves else None


def rows_of(of_curves, place):
    asked = {name: [factor for factor in factors if factor is not None] for name, factors in of_curves.items()}
    return [
        {"name": name, "gaps": [place(factor) for factor in factors if factor < math.inf], "asked": len(factors)}
        for name, factors in asked.items()
        if factors
    ]


def data(cells, options, context):
    metric = options["metric"]
    higher_is_better = context["metrics"][metric]["direction"] == "higher"
    free = [record for record in cells if record["unconstrained"]]
    bound = [record for record in cells if not record["unconstrained"]]
    name = records.curve_names(bound)
    measured, unmeasured = problems.measured(bound, name, lambda record: records.scalar(record, metric), problem)
    of_curves = ratios(measured, metric, higher_is_better, name)
    count = max((len(factors) for factors in of_curves.values()), default=0)
    title = problems.several(count, "problem")
    place = place_of(metric, context)
    how = "slower than the fastest" if is_time(metric, context) else "worse than the best"
    notes = records.left_out(free, "the cardinality does not bind")
    if sum(map(bool, of_curves.values())) > MOST_CURVES:
        panel, named = strips.panel_of(title, rows_of(of_curves, place), none=place(1.0), lost=math.inf)
        panel["strips"] = True
        notes.append(
            f"A dot: a problem, whose answer is τ times {how}. Bar: their median. Right: in how many problems the solver is "
            "the best, of those asked for; a cell without an answer is in none."
        )
        notes += named
    else:
        panel = profile(title, of_curves, records.style_of(bound, name), place)
        if panel and not is_cost(metric, context):
            panel["shortfall"] = "x"
        notes.append(f"At factor τ stands the share of problems whose answer is at most τ times {how}.")
    return {"panels": [panel] if panel else [], "notes": notes + unmeasured + records.failures_note(bound)}


def panel_size(panel, count):
    return strips.panel_size(panel) if "strips" in panel else (4.4, 2.9)


def draw(axes, panel, options, context):
    metric = options["metric"]
    if "strips" in panel:
        strips.draw(axes, panel)
        drawn = []
    else:
        drawn = style.draw_curves(axes, panel["curves"], drawstyle="steps-post")
        axes.set_ylim(-0.03, 1.03)
        axes.set_title(panel["title"])
        axes.set_ylabel("share of problems within τ")
    largest = max(x for curve in panel["curves"] for x in curve["x"])
    words = style.metric_words(metric, context["metrics"]).split("\n")[0].split(" (")[0]
    best = "shortest" if is_time(metric, context) else "least" if is_cost(metric, context) else "best"
    if is_cost(metric, context):
        style.logarithmic(axes.xaxis, 1, largest)
        axes.set_xlim(0.9, max(largest, 1.5))
        axes.set_xlabel(f"factor τ from the {best} {words}")
    else:
        style.shortfall_axis(axes.xaxis, problems.FLOOR, largest)
        axes.set_xlabel(f"distance τ − 1 from the {best} {words}")
    return drawn


def chart(data, options):
    """None for rows of dots, which are not curves."""
    return None if any("strips" in panel for panel in data["panels"]) else vega_lite.specification(data["panels"])
