"""Distances of each solver's answers from the certified optimum: a row for each solver, a dot for each problem (data set,
cardinalities, repeat) whose optimum is proven, on a logarithmic axis; a bar at the median."""

import problems
import records
import strips
import style

OPTIONS = {}
NEEDS = "no problem has an upper bound within 0.0001 % of the best value, which would certify it (metric upper_bound)."


def data(cells, options, context):
    free = [record for record in cells if record["unconstrained"]]
    cells = [record for record in cells if not record["unconstrained"]]
    name = records.curve_names(cells)
    optima = problems.proven(cells)
    open_ = {problems.problem_of(record) for record in cells if record["status"] != "skipped"} - set(optima)
    rows, without = [], []
    for title, own in records.grouped(cells, name).items():
        own = [record for record in own if problems.problem_of(record) in optima and record["status"] != "skipped"]
        known = [(problems.variance(record), optima[problems.problem_of(record)]) for record in own]
        gaps = [problems.shortfall(value, optimum) for value, optimum in known if value is not None]
        if gaps:
            rows.append({"name": title, "gaps": gaps, "asked": len(own)})
        else:
            without.append(title)
    panels, notes = [], []
    if rows:
        title = problems.several(len(optima), "certified problem")
        panel, named = strips.panel_of(title, rows, place=problems.drawn)
        panels.append({**panel, "shortfall": "x"})
        notes.append(
            "A dot: an answer. Bar: their median. Right: how many optima are met, to within 0.0001 %, of those asked for; "
            "a cell without an answer met none."
        )
        notes += named
        if open_:
            notes.append(f"Left out: {problems.several(len(open_), 'problem')} that nothing here certifies.")
        if without:
            notes.append(f"Not drawn: {', '.join(without)} (no answer to a certified problem).")
    notes += records.left_out(free, "the cardinality does not bind")
    return {"panels": panels, "notes": notes + records.failures_note(cells)}


def panel_size(panel, count):
    return strips.panel_size(panel)


def draw(axes, panel, options, context):
    strips.draw(axes, panel)
    style.shortfall_axis(axes.xaxis, problems.FLOOR)
    axes.set_xlabel("gap to the certified optimum")
    return []


def chart(data, options):
    """None: dots of a row are not a curve."""
    return None
