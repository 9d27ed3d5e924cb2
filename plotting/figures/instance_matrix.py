"""Each solver on each instance of the library: how far the answer is from the best one that is known, as a heat map with
instances down and solvers across."""

import instances
import records

OPTIONS = {"best": ["library"]}
NEEDS = "no record answers an instance of the library."
CELL = (0.2, 0.14)  # inches
# From here on an answer has the colour of its row; (share, colour, words).
STEPS = [
    (0.0, "#e8f3ec", "reached"),
    (1e-9, "#c6dbef", "up to 0.1 % worse"),
    (1e-3, "#6baed6", "up to 1 % worse"),
    (1e-2, "#2171b5", "up to 10 % worse"),
    (1e-1, "#08306b", "more than 10 % worse"),
]
BETTER, FAILED = "#1b9e5a", "#c0392b"
SIGNS = {"better": "+", "failed": "×", "wrong": "!", "reached": "•"}


def colour_of(one):
    if one is None:
        return "white"
    if one["outcome"] in ("failed", "wrong"):
        return FAILED
    if one["outcome"] == "better":
        return BETTER
    return [colour for share, colour, _ in STEPS if one["shortfall"] >= share][-1]


def data(cells, options, context):
    asked = instances.asked(cells, context)
    solvers = list(records.grouped(asked, lambda one: one["solver"]))
    rows = records.grouped(asked, lambda one: one["id"])
    table = [[{one["solver"]: one for one in some}.get(solver) for solver in solvers] for some in rows.values()]
    panel = {
        "title": instances.several(len(rows)),
        "rows": list(rows),
        "solvers": solvers,
        "colours": [[colour_of(one) for one in row] for row in table],
        "signs": [[SIGNS.get(one["outcome"], "") if one else "" for one in row] for row in table],
    }
    notes = [
        "•: the best known value is reached; +: it is improved; blue: the darker, the worse (0.1, 1 and 10 %); ×: no complete "
        "answer; !: a wrong one; white: the solver does not take the instance."
    ]
    return {"panels": [panel] if rows else [], "notes": notes if rows else []}


def chart(data, options):
    return None  # a browser shows it no better than print


def panel_size(panel, count):
    return CELL[0] * len(panel["solvers"]), CELL[1] * len(panel["rows"])


def draw(axes, panel, options, context):
    from matplotlib.patches import Rectangle

    for i, (colours, signs) in enumerate(zip(panel["colours"], panel["signs"])):
        for j, (colour, sign) in enumerate(zip(colours, signs)):
            axes.add_patch(Rectangle((j, i), 1, 1, facecolor=colour, edgecolor="white", linewidth=0.5))
            if sign:
                light = colour == STEPS[0][1]
                axes.text(j + 0.5, i + 0.5, sign, ha="center", va="center", fontsize=6, color="black" if light else "white")
    axes.set_xlim(0, len(panel["solvers"]))
    axes.set_ylim(len(panel["rows"]), 0)
    axes.grid(False)
    axes.set_title(panel["title"])
    axes.set_xticks([j + 0.5 for j in range(len(panel["solvers"]))], panel["solvers"], rotation=90, fontsize=6)
    axes.set_yticks([i + 0.5 for i in range(len(panel["rows"]))], panel["rows"], fontsize=6)
    axes.tick_params(length=0)
    for spine in axes.spines.values():
        spine.set_visible(True)
        spine.set_color("#bbbbbb")
    return []
