"""Rows of dots: a row for each solver, a dot for each problem at its distance from the best, a bar at the median. Legible
with any number of solvers, where as many curves would hide each other."""

import records
import style

ROW = 0.19  # inches
WIDTH = 3.6
GOLDEN = 0.6180339887498949  # its multiples, without the whole parts, spread evenly however many there are
MOST_MET = 40  # dots of a row at no distance: more would overlap, and their number is printed beside the row
SPREAD = 0.34  # of a row, to either side
MOST_ALIKE = 3  # rows of solvers that met every problem; more are joined to one row
LEAST_ROWS = 3  # a panel has room for at least this number of rows


def jitter(i):
    """The height of dot number i in its row: a fixed sequence, so that the same records give the same bytes."""
    return SPREAD * (2 * ((i + 0.5) * GOLDEN % 1) - 1)


def worst_last(row, none, lost):
    """Returns a sort key: the share of problems at no distance, then the median and the mean of the distances. An answer that
    is missing has the distance `lost`."""
    found = row["gaps"] + [lost] * (row["asked"] - len(row["gaps"]))
    return -sum(gap == none for gap in found) / len(found), records.median(found), records.mean(found), row["name"]


def joined(rows, none):
    """Joins the rows of solvers that met every problem, if there are more than MOST_ALIKE and all
    were asked the same number of problems. Returns the rows and a note with the names."""
    whole = [row for row in rows if len(row["gaps"]) == row["asked"] and set(row["gaps"]) == {none}]
    if len(whole) <= MOST_ALIKE or len({row["asked"] for row in whole}) > 1:
        return rows, []
    rest = [row for row in rows if not any(row is one for one in whole)]
    names = ", ".join(row["name"] for row in whole)
    return [{**whole[0], "name": f"{len(whole)} solvers, named below"}, *rest], [f"In the first row: {names}."]


def panel_of(title, rows, none=0.0, lost=1.0, place=lambda gap: gap):
    """Returns a panel of `rows`, {"name", "gaps", "asked"}, and notes on it. `none`: the distance
    of the best answer; `lost`: the distance of a missing answer; `place`: the position of a
    distance on the axis."""
    rows, notes = joined(sorted(rows, key=lambda row: worst_last(row, none, lost)), none)
    curves = []
    for number, row in enumerate(rows):
        met = [none for gap in row["gaps"] if gap == none][:MOST_MET]
        x = [place(gap) for gap in [*met, *sorted(gap for gap in row["gaps"] if gap != none)]]
        # In ascending order neighbours in value are not neighbours in height.
        curves.append({"name": row["name"], "style": number, "x": x, "y": [number + jitter(i) for i in range(len(x))]})
    return {
        "title": title,
        "curves": curves,
        "medians": [place(records.median(row["gaps"])) if row["gaps"] else None for row in rows],
        "met": [f"{sum(gap == none for gap in row['gaps'])} of {row['asked']}" for row in rows],
    }, notes


def panel_size(panel):
    return WIDTH, ROW * max(len(panel["curves"]), LEAST_ROWS)


def rows_of_names(axes, names):
    """Gives the axes a row for each name, the first above."""
    axes.set_ylim(len(names) - 0.5, -0.5)
    axes.set_yticks(range(len(names)), names, fontsize=7)
    axes.tick_params(axis="y", length=0)
    axes.grid(False, axis="y")
    for edge in range(1, len(names)):
        axes.axhline(edge - 0.5, color="#eeeeee", linewidth=0.6, zorder=0)


def draw(axes, panel):
    """Draws the rows. The axis of the distances is the caller's."""
    # One colour for all solvers, because each row has a name.
    for number, (one, median) in enumerate(zip(panel["curves"], panel["medians"])):
        axes.plot(one["x"], one["y"], linestyle="", marker="o", markersize=2.6, color=style.COLOURS[0], alpha=0.6,
                  markeredgewidth=0)
        if median is not None:
            axes.plot([median] * 2, [number - 0.42, number + 0.42], color="black", linewidth=1.6, solid_capstyle="butt")
    rows_of_names(axes, [one["name"] for one in panel["curves"]])
    axes.set_ylim(max(len(panel["curves"]), LEAST_ROWS) - 0.5, -0.5)
    for number, words in enumerate(panel["met"]):
        axes.annotate(words, (1, number), xytext=(4, 0), xycoords=axes.get_yaxis_transform(),
                      textcoords="offset points", va="center", fontsize=7, annotation_clip=False)
    axes.set_title(panel["title"])
