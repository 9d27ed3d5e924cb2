"""Shortfall of the answers from the best known values against their cost: a point for each solver, with geometric means
over the problems, and the Pareto front, the solvers that no other beats in both. A panel for each data set, and one for
all. The options of one solver are points of one curve."""

import math

import problems
import records
import style

OPTIONS = {"against": ["solve_seconds", "products"], "panels": ["each", "all"]}
NEEDS = (
    "no solver answered every problem of a data set at a cost that is known (metric solve_seconds or products; times count "
    "only where a cell ran alone, spca run -j 1)."
)
FRONT = "Pareto front"


def geometric_mean(values):
    return math.exp(records.mean([math.log(value) for value in values]))


def cost_of(record, against):
    """Returns the cost, at least one product: an answer without any is not infinitely cheap."""
    cost = records.scalar(record, against)
    return max(cost, 1) if against == "products" and cost is not None else cost


def point(cells, best, asked, against):
    """Returns (cost, shortfall), means over the problems asked. None unless each is answered, with
    a positive share of the best value, at a known cost."""
    shares, costs = {}, {}
    for record in cells:
        value, cost = problems.variance(record), cost_of(record, against)
        problem = problems.problem_of(record)
        if problem in asked and value is not None and value > 0 and cost:
            # A value may lie above the best one, if the two are of different sets of feasible
            # answers. Either distance counts.
            shares[problem] = 1 - problems.shortfall(value, best[problem])
            costs[problem] = cost
    if not asked or len(shares) < len(asked) or min(shares.values()) <= 0:
        return None
    lost = 1 - geometric_mean(shares.values())
    return geometric_mean(costs.values()), 0.0 if lost < problems.NEAR else lost


def front(points):
    """The points that no other one beats: from left to right, each lower than all before it."""
    found = []
    for x, y in sorted(points):
        if not found or y < found[-1][1]:
            found.append((x, y))
    return found


def option_words(names, solver):
    """The labels of one solver's entries, without the name of the solver."""
    return ", ".join(name.removeprefix(solver).strip(" ()") or "default" for name in names)


def places_of(cells, families, best, against):
    """Returns {(family, entry): its point}, the entries without a point, and the number of
    problems."""
    asked = {problem for problem in map(problems.problem_of, cells) if problem in best}
    places, missing = {}, []
    for family, entries in families.items():
        for entry, own in entries.items():
            place = point(own, best, asked, against)
            if place:
                places[family, entry] = place
            elif any(problems.problem_of(record) in asked for record in own):
                missing.append(entry)
    return places, missing, len(asked)


def panel_of(title, places, families):
    """Returns a panel. `families`: those that have a point in some panel. One legend serves all
    panels, so a panel also lists, as "absent", the families that have no point in it."""
    outer = front(places.values())
    curves, absent = [], []
    for number, (family, entries) in enumerate(families.items()):
        name = next(iter(entries)) if len(entries) == 1 else f"{family}: {option_words(entries, family)}"
        own = sorted(places[family, entry] for entry in entries if (family, entry) in places)
        one = {"name": name, "style": number, "x": [x for x, _ in own], "y": [problems.drawn(y) for _, y in own]}
        (curves if own else absent).append(one)
    end = max(x for x, _ in places.values())
    steps = [*outer, (end, outer[-1][1])] if end > outer[-1][0] else outer
    y = [problems.drawn(y) for _, y in steps]
    curves.append({"name": FRONT, "style": "bound", "x": [x for x, _ in steps], "y": y})
    return {"title": title, "shortfall": "y", "curves": curves, "absent": absent}


def on_front(places):
    """Entries on the front from the cheapest."""
    outer = front(places.values())
    return [entry for (_, entry), place in sorted(places.items(), key=lambda item: item[1]) if place in outer]


def ordered(families, cells, best, against):
    """Orders the families for the legend: from best to worst over all problems, then those without all answers."""
    asked = set(best)

    def rank(item):
        points = [point(own, best, asked, against) for own in item[1].values()]
        points = [(y, x) for x, y in filter(None, points)]
        return (0, *min(points)) if points else (1,)

    return dict(sorted(families.items(), key=rank))


def data(cells, options, context):
    against = options["against"]
    free = [record for record in cells if record["unconstrained"]]
    cells = [record for record in cells if not record["unconstrained"] and record["status"] != "skipped"]
    name = records.curve_names(cells)
    best = problems.best_values(cells)
    families = {
        family: dict(records.grouped(some, name))
        for family, some in records.grouped(cells, lambda record: record["solver_name"]).items()
    }
    families = ordered(families, cells, best, against)
    of_dataset = records.grouped(cells, lambda record: record["dataset"])
    parts = list(of_dataset.items()) if options["panels"] == "each" else []
    parts += [("all data sets", cells)] if len(of_dataset) != 1 or not parts else []
    found = {title: places_of(some, families, best, against) for title, some in parts}
    filled = {title: places for title, (places, _, _) in found.items() if places}
    drawn = {family for places in filled.values() for family, _ in places}
    shown = {family: entries for family, entries in families.items() if family in drawn}
    panels, absent = [], {}
    for title, places in filled.items():
        panels.append(panel_of(f"{title}, {problems.several(found[title][2], 'problem')}", places, shown))
        for entry in found[title][1]:
            absent.setdefault(entry, []).append(title)
    notes = []
    if panels:
        notes.append(
            "A point: geometric means over the problems (data set, k, repeat) of the share of the best known value, and "
            "of the cost. None: less than 0.0001 %."
        )
        last = list(filled)[-1]
        notes.append(f"On the front of {last}, from the cheapest: {', '.join(on_front(filled[last]))}.")
        empty = [title for title in found if title not in filled]
        if empty:
            notes.append(f"No panel of {', '.join(empty)}: no solver answered every problem at a known cost.")
    for titles, entries in records.grouped(absent.items(), lambda item: tuple(item[1])).items():
        where = "" if len(titles) == len(panels) else f" for {', '.join(titles)}"
        who = ", ".join(entry for entry, _ in entries)
        notes.append(f"Not drawn{where}: {who} (a problem without an answer, or without its cost).")
    beside = sum(bool(record["contended"]) for record in cells)
    if beside and against == "solve_seconds":
        notes.append(f"{problems.several(beside, 'cell')} of {len(cells)} ran beside others: those times are left out.")
    notes += records.left_out(free, "the cardinality does not bind")
    return {"panels": panels, "notes": notes + records.failures_note(cells)}


def panel_size(panel, count):
    if count > 1:
        return 1.7, 1.8  # beside two and their axis a legend has room
    return 4.0, min(max(2.9, 0.15 * len(panel["curves"])), 5.5)  # a long legend leaves no white below


def look_of(one):
    """Returns the look of a curve: a marker, and a line if the solver has several points. The
    shapes repeat after eight curves: the second eight are filled, the third half filled, for
    readers who print in grey."""
    look = {**style.look(one["style"]), "linewidth": 0.8, "markersize": 5.5, "markeredgewidth": 1.1}
    again = one["style"] // len(style.MARKERS) % 3
    if again == 0:
        look["markerfacecolor"] = "white"  # not "none": on the front it would be grey
    elif again == 2:
        look["fillstyle"] = "left"
    if len(one["x"]) < 2:
        look["linestyle"] = ""
    return look


def draw(axes, panel, options, context):
    costs = [x for one in panel["curves"] for x in one["x"]]
    drawn = []
    in_order = sorted(panel["curves"] + panel["absent"], key=lambda one: math.inf if one["style"] == "bound" else one["style"])
    for place, one in enumerate(in_order):
        if one["style"] == "bound":
            look = {**style.BOUND, "linewidth": 3.5, "drawstyle": "steps-post", "zorder": 1}
        else:
            look = look_of(one)
        (line,) = axes.plot(one["x"], one["y"], **look)
        # These ends are not places: they give the legend the order of the curves, and because they
        # differ in x, the curves are named in a legend (style.can_label).
        drawn.append({"line": line, "color": line.get_color(), "look": one["style"], "name": one["name"], "end": (place, -place)})
    style.cost_axis(axes.xaxis, min(costs) / 1.6, max(costs) * 1.6)
    style.shortfall_axis(axes.yaxis, problems.FLOOR)
    axes.set_title(panel["title"])
    axes.set_xlabel({"solve_seconds": "time (s)", "products": "products with S"}[options["against"]])
    axes.set_ylabel("shortfall\nfrom the best known value")
    return drawn
