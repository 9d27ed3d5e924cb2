"""Shortfall of the answers from the best values that the library of instances knows, against their cost: a point for each
solver that answered every instance it takes, and the Pareto front."""

import instances
import problems
import records
from figures import value_against_time

OPTIONS = {"against": ["solve_seconds", "products"], "best": ["library"]}
NEEDS = (
    "no solver answered every instance that it takes at a cost that is known (times count only where a cell ran alone, "
    "spca run -j 1)."
)


def data(cells, options, context):
    against = options["against"]
    of_solver = records.grouped(instances.asked(cells, context), lambda one: one["solver"])
    places, missing = {}, []
    for solver, some in of_solver.items():
        cost, shortfall = instances.mean_cost(some, against), instances.mean_shortfall(some)
        if cost is None or shortfall is None:
            missing.append(solver)
        else:
            places[solver, solver] = (cost, 0.0 if shortfall < problems.NEAR else shortfall)
    notes = []
    panels = []
    if places:
        families = {solver: {solver: None} for solver, _ in sorted(places, key=lambda one: places[one][::-1])}
        most = max(len(some) for some in of_solver.values())
        panels = [value_against_time.panel_of(instances.several(most), places, families)]
        notes = [
            "A point: the mean shortfall from the best known values, and the geometric mean of the cost, over the instances "
            "that the solver takes; the mean is not shifted, as that of the table of `spca benchmark` is. None: less than 0.0001 %.",
            f"On the front, from the cheapest: {', '.join(value_against_time.on_front(places))}.",
        ]
    if missing:
        notes.append(f"Not drawn: {', '.join(missing)} (an instance without an answer, or without its cost).")
    return {"panels": panels, "notes": notes}


panel_size = value_against_time.panel_size
draw = value_against_time.draw
