"""Distances of each solver's answers from the certified optimum: a row for each solver, a dot for each problem (data set,
cardinalities, repeat) whose optimum is proven, on a logarithmic axis; a bar at the median."""

import problems
import records
import style

OPTIONS = {}
NEEDS = "no problem has an upper bound within 0.0001 % of the best value, which would certify it (metric upper_bound)."
ROW = 0.19  # inches
WIDTH = 3.6
GOLDEN = 0.6180339887498949  # its multiples, without the whole parts, spread evenly however many there are
MOST_MET = 40  # dots of a row at no gap: more would overlap, so that their number is printed instead
SPREAD = 0.34  # of a row, to either side


def jitter(i):
    """The height of dot number i in its row: a fixed sequence, so that the same records give the same bytes."""
    return SPREAD * (2 * ((i + 0.5) * GOLDEN % 1) - 1)


def worst_last(row):
    """By the share of optima that are met, then by the median and the mean of what is missing: of no answer, all."""
    gaps = row["gaps"] + [1.0] * (row["asked"] - len(row["gaps"]))
    return -sum(gap == 0 for gap in gaps) / len(gaps), records.median(gaps), records.mean(gaps), row["name"]


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
    rows.sort(key=worst_last)
    curves = []
    for place, row in enumerate(rows):
        met = [0.0 for gap in row["gaps"] if gap == 0][:MOST_MET]
        x = [problems.drawn(gap) for gap in [*met, *sorted(gap for gap in row["gaps"] if gap > 0)]]
        # In ascending order neighbours in value are no neighbours in height.
        curves.append({"name": row["name"], "style": place, "x": x, "y": [place + jitter(i) for i in range(len(x))]})
    panels, notes = [], []
    if rows:
        panels.append(
            {
                "title": problems.several(len(optima), "certified problem"),
                "floor": problems.FLOOR,
                "curves": curves,
                "medians": [problems.drawn(records.median(row["gaps"])) for row in rows],
                "met": [f"{sum(gap == 0 for gap in row['gaps'])} of {row['asked']}" for row in rows],
            }
        )
        notes.append(
            "A dot: an answer. Bar: their median. Right: how many optima are met, to within 0.0001 %, of those asked for; "
            "a cell without an answer met none."
        )
        if open_:
            notes.append(f"Left out: {problems.several(len(open_), 'problem')} that nothing here certifies.")
        if without:
            notes.append(f"Not drawn: {', '.join(without)} (no answer to a certified problem).")
    notes += records.left_out(free, "the cardinality does not bind")
    return {"panels": panels, "notes": notes + records.failures_note(cells)}


def panel_size(panel, count):
    return WIDTH, ROW * max(len(panel["curves"]), 3)


def draw(axes, panel, options, context):
    rows = len(panel["curves"])
    # Not by colour: a name stands at each row.
    for place, (one, median) in enumerate(zip(panel["curves"], panel["medians"])):
        axes.plot(one["x"], one["y"], linestyle="", marker="o", markersize=2.6, color=style.COLOURS[0], alpha=0.6,
                  markeredgewidth=0)
        axes.plot([median, median], [place - 0.42, place + 0.42], color="black", linewidth=1.6, solid_capstyle="butt")
    style.shortfall_axis(axes.xaxis, panel["floor"])
    axes.set_ylim(max(rows, 3) - 0.5, -0.5)
    axes.set_yticks(range(rows), [one["name"] for one in panel["curves"]], fontsize=7)
    axes.tick_params(axis="y", length=0)
    axes.grid(False, axis="y")
    for edge in range(1, rows):
        axes.axhline(edge - 0.5, color="#eeeeee", linewidth=0.6, zorder=0)
    for place, words in enumerate(panel["met"]):
        axes.annotate(words, (1, place), xytext=(4, 0), xycoords=axes.get_yaxis_transform(), textcoords="offset points",
                      va="center", fontsize=7, annotation_clip=False)
    axes.set_title(panel["title"])
    axes.set_xlabel("gap to the certified optimum")
    return []


def chart(data, options):
    """None: dots of a row are no curve."""
    return None
