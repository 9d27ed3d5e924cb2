"""Share of repeats in which planted supports are found, over the number of samples n and the cardinality k: a heat map
for each solver. Also drawn are k = √(n / log p), up to which diagonal thresholding finds a support of p variables, and
k = n / log p, the order beyond which nothing does: A. Amini, M. Wainwright, Annals of Statistics 37:2877, 2009."""

import math

from matplotlib.patches import Patch, Rectangle
from matplotlib.patheffects import withStroke
from matplotlib.ticker import NullLocator

import problems
import records

OPTIONS = {"metric": "support_recovery"}
NEEDS = "no record of generated data with a known truth has the metric at two n and two k."
COLOURS = "cividis"  # perceptually uniform, the same to colour-blind eyes, from dark to light in grey
HATCHED = {"hatch": "////", "edgecolor": "white", "linewidth": 0}
CURVE_POINTS = 17
MOST_TICKS = 8


def edges(values):
    """Borders of the squares on a logarithmic axis: halfway between neighbours, and as far beyond the ends."""
    inner = [math.sqrt(a * b) for a, b in zip(values, values[1:])]
    return [values[0] ** 2 / inner[0], *inner, values[-1] ** 2 / inner[-1]]


def line(name, number, k_of, n_of, samples, cardinalities):
    """A curve within the squares, ascending; empty if it does not cross them."""
    (low, *_, high), (least, *_, most) = edges(samples), edges(cardinalities)
    low, high = max(low, n_of(least)), min(high, n_of(most))
    if not low < high:
        return {"name": name, "style": number, "x": [], "y": []}
    x = [low * (high / low) ** (i / (CURVE_POINTS - 1)) for i in range(CURVE_POINTS)]
    return {"name": name, "style": number, "x": x, "y": [k_of(n) for n in x]}


def theory(p, samples, cardinalities):
    scale = math.log(p)
    return [
        line("k = √(n / log p)", 0, lambda n: math.sqrt(n / scale), lambda k: k * k * scale, samples, cardinalities),
        line("k = n / log p", 1, lambda n: n / scale, lambda k: k * scale, samples, cardinalities),
    ]


def square(cells, metric):
    """The share of the repeats; a failed cell is one without recovery. None without cells."""
    values = [records.scalar(record, metric) for record in cells]
    return sum(value for value in values if value is not None) / len(cells) if cells else None


def is_open(cells):
    """Returns true if the solver has bounds at this point, and at least one of them does not prove its answer."""
    bounded = [record for record in cells if records.scalar(record, "upper_bound") is not None]
    return bool(bounded) and len(problems.proven(bounded)) < len(bounded)


def panel_of(title, cells, axes_of, metric):
    p, samples, cardinalities = axes_of
    of_square = records.grouped(cells, lambda record: (record["cardinality"][0], record["n"]))
    squares = [[of_square.get((k, n), []) for n in samples] for k in cardinalities]
    return {
        "title": title,
        "samples": samples,
        "cardinalities": cardinalities,
        "shares": [[square(some, metric) for some in row] for row in squares],  # one row for each k
        "open": [[is_open(some) for some in row] for row in squares],
        "curves": theory(p, samples, cardinalities),
    }


def data(cells, options, context):
    metric = options["metric"]
    judged = [
        record
        for record in cells
        if record["n"] > 0
        and len(set(record["cardinality"])) == 1
        and (records.is_failure(record) or records.scalar(record, metric) is not None)
    ]
    name = records.curve_names(judged)
    problem_kinds = records.grouped(judged, lambda record: (record["p"], record["components"]))
    panels, narrow = [], []
    for (p, r), some in problem_kinds.items():
        samples = sorted({record["n"] for record in some})
        cardinalities = sorted({record["cardinality"][0] for record in some})
        if len(samples) < 2 or len(cardinalities) < 2:
            narrow.append(f"p = {p}, r = {r}")
            continue
        where = f", p = {p}" + (f", r = {r}" if r > 1 else "") if len(problem_kinds) > 1 else ""
        for title, own in records.grouped(some, name).items():
            panels.append(panel_of(title + where, own, (p, samples, cardinalities), metric))
    for i, panel in enumerate(panels):
        panel["key"] = i == min(len(panels), 2) - 1
        panel["any_open"] = any(any(row) for other in panels for row in other["open"])
    notes = []
    if panels:
        counts = sorted({len(some) for some in records.grouped(judged, lambda r: (name(r), problem_place(r))).values()})
        draws = str(counts[0]) if len(counts) == 1 else f"{counts[0]} to {counts[-1]}"
        shapes = "; ".join(shape for shape in (f"p = {p}, r = {r}" for p, r in problem_kinds) if shape not in narrow)
        notes.append(f"{shapes}; {draws} draws a square. log is the natural logarithm; the curves have no constant.")
        if panels[0]["any_open"]:
            notes.append("Hatched: of an answer at least it is not proven that it is the optimum.")
        if narrow:
            notes.append(f"Not drawn: {'; '.join(narrow)} (less than two n or two k).")
    return {"panels": panels, "notes": notes + records.failures_note(judged)}


def problem_place(record):
    return record["p"], record["components"], record["n"], record["cardinality"][0]


def panel_size(panel, count):
    return (3.4, 2.8) if count == 1 else (2.2, 1.9)


def few(values):
    """The values that get a tick: at most MOST_TICKS of them."""
    return values[:: math.ceil(len(values) / MOST_TICKS)]


def draw(axes, panel, options, context):
    shares = [[math.nan if share is None else share for share in row] for row in panel["shares"]]
    borders = edges(panel["samples"]), edges(panel["cardinalities"])
    axes.set(xscale="log", yscale="log")
    axes.pcolormesh(*borders, shares, cmap=COLOURS, vmin=0, vmax=1, edgecolors="white", linewidth=0.3)
    for i, row in enumerate(panel["open"]):
        for j in [j for j, is_square_open in enumerate(row) if is_square_open]:
            corner, end = (borders[0][j], borders[1][i]), (borders[0][j + 1], borders[1][i + 1])
            axes.add_patch(Rectangle(corner, end[0] - corner[0], end[1] - corner[1], fill=False, **HATCHED))
    lines = []
    for one in panel["curves"]:
        dash = ("-", (0, (4, 2)))[one["style"]]
        outlined = [withStroke(linewidth=3.2, foreground="black")]
        lines += axes.plot(one["x"], one["y"], color="white", linewidth=1.6, linestyle=dash, path_effects=outlined)
    axes.set_xlim(borders[0][0], borders[0][-1])
    axes.set_ylim(borders[1][0], borders[1][-1])
    for axis, values in ((axes.xaxis, panel["samples"]), (axes.yaxis, panel["cardinalities"])):
        axis.set_minor_locator(NullLocator())
        axis.set_ticks(few(values), [str(value) for value in few(values)], fontsize=7)
    axes.grid(False)
    axes.set_title(panel["title"])
    axes.set_xlabel("samples n")
    axes.set_ylabel("cardinality k")
    if panel["key"]:
        add_key(axes, panel, lines, options["metric"])
    return []


def add_key(axes, panel, lines, metric):
    """Adds the meaning of the curves and the hatching beside the panel, and below it the scale of the colours."""
    names = [one["name"] for one in panel["curves"]]
    if panel["any_open"]:
        lines = [*lines, Patch(facecolor="#555555", **HATCHED)]
        names = [*names, "not all proven"]
    axes.legend(lines, names, loc="upper left", bbox_to_anchor=(1.02, 1.04), borderaxespad=0)
    scale = axes.inset_axes([1.08, 0.0, 0.06, 0.5])
    steps = 50
    heights = [i / steps for i in range(steps + 1)]
    scale.pcolormesh([0, 1], heights, [[(i + 0.5) / steps] for i in range(steps)], cmap=COLOURS, vmin=0, vmax=1)
    scale.set_xticks([])
    scale.set_yticks([0, 0.5, 1], ["0", "0.5", "1"], fontsize=7)
    scale.yaxis.tick_right()
    scale.yaxis.set_label_position("right")
    words = {"support_recovery": "share of draws with\nall supports found", "component_recovery": "share of the\ncomponents found"}
    scale.set_ylabel(words.get(metric, metric.replace("_", " ")), fontsize=7)
    scale.grid(False)


def chart(data, options):
    """Returns None: the squares would be missing."""
    return None
