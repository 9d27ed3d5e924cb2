"""The spannogram of a matrix of rank 2: |V_i c(phi)|, c(phi) = (sin phi, cos phi), of each variable i over phi, where
the curves meet, which k variables are the largest where, and the direction of the best answer of a solver.
Figure 1 of D. Papailiopoulos, A. Dimakis, S. Korokythakis, ICML 2013.

V comes from a record of two principal components: V = [sqrt(lambda_1) u_1, sqrt(lambda_2) u_2], lambda from its metric
`cumulative_variance`. Answers of one component beside it say for which k there is a panel."""

import itertools
import math

import records
import style

OPTIONS = {"variables": 8}
NEEDS = "no record of two principal components (pca, r = 2) of few enough variables has the metric cumulative_variance."
POINTS = 241  # of a curve
SAME = 1e-9  # radians between two directions that differ by rounding
LETTER = 0.075  # inches, of the words in the bands


def factor(record):
    """Returns V, a pair for each of the p variables; None if the record lacks it."""
    sums = records.metric(record, "cumulative_variance") if records.is_usable(record) else None
    if record["solver_name"] != "pca" or not isinstance(sums, list) or len(sums) != 2 or None in sums:
        return None
    rows = [[0.0, 0.0] for _ in range(record["p"])]
    for m, (component, variance) in enumerate(zip(record["loadings"], [sums[0], sums[1] - sums[0]])):
        for i, value in zip(component["indices"], component["values"]):
            rows[i][m] = math.sqrt(max(variance, 0)) * value
    return rows


def heights(rows, phi):
    return [abs(a * math.sin(phi) + b * math.cos(phi)) for a, b in rows]


def folded(phi):
    """The same line through the origin, in (-pi/2, pi/2]."""
    while phi > math.pi / 2:
        phi -= math.pi
    while phi <= -math.pi / 2:
        phi += math.pi
    return phi


def top(rows, phi, k):
    values = heights(rows, phi)
    return sorted(sorted(range(len(rows)), key=lambda i: (-values[i], i))[:k])


def crossings(rows):
    """Directions in which two of the curves meet, ascending, with their height there."""
    found = []
    for (a, b), (c, d) in itertools.combinations(rows, 2):
        for sign in (1, -1):
            x, y = a - sign * c, b - sign * d
            if x or y:  # of two equal rows the curves meet everywhere
                phi = folded(math.atan2(-y, x))
                found.append((phi, abs(a * math.sin(phi) + b * math.cos(phi))))
    return sorted(found)


def bands(rows, k, meetings):
    """Returns [[from, to, the k largest]] over (-pi/2, pi/2]. Neighbours with one support are joined."""
    edges = [-math.pi / 2] + [phi for phi, _ in meetings] + [math.pi / 2]
    found = []
    for low, high in zip(edges, edges[1:]):
        if high - low > SAME:
            support = top(rows, (low + high) / 2, k)
            if found and found[-1][2] == support:
                found[-1][1] = high
            else:
                found.append([low, high, support])
    return found


def direction(rows, record):
    """Returns phi of V'v, the direction in which the support of v is best."""
    pairs = [(i, v) for one in record["loadings"] for i, v in zip(one["indices"], one["values"])]
    a, b = (sum(v * rows[i][m] for i, v in pairs) for m in (0, 1))
    return folded(math.atan2(a, b))


def panel_of(rows, names, dataset, k, answers):
    meetings = crossings(rows)
    regions = bands(rows, k, meetings)
    changes = [low for low, _, _ in regions[1:]]
    grid = [math.pi * (i / (POINTS - 1) - 0.5) for i in range(POINTS)]
    zeros = [folded(math.atan2(-b, a)) for a, b in rows if a or b]
    grid = sorted({*grid, *zeros, *(phi for phi, _ in meetings)})
    curves = [
        {"name": name, "style": i, "x": grid, "y": [heights([row], phi)[0] for phi in grid]}
        for i, (row, name) in enumerate(zip(rows, names))
    ]
    best = max(answers, key=lambda record: records.scalar(record, "explained_variance") or 0, default=None)
    return {
        "title": ", ".join([dataset, f"k = {k}"]),
        "curves": curves,
        "bands": regions,
        "meetings": [[phi, y, any(abs(phi - change) <= SAME for change in changes)] for phi, y in meetings],
        "best": direction(rows, best) if best else None,
    }


def data(cells, options, context):
    cells = [record for record in cells if record["repeat"] == 0]
    panels = []
    for dataset, some in records.grouped(cells, lambda record: record["dataset"]).items():
        rows = next((rows for rows in map(factor, some) if rows), None)
        if rows is None or len(rows) > options["variables"]:
            continue
        known = context["variable_names"].get(dataset) or []
        names = [known[i] if i < len(known) else f"variable {i + 1}" for i in range(len(rows))]
        answers = [record for record in some if record["components"] == 1 and records.is_usable(record)]
        by_k = records.grouped(answers, lambda record: record["cardinality"][0]) or {1: []}
        for k, of_k in sorted(by_k.items()):
            panels.append(panel_of(rows, names, dataset, min(k, len(rows)), of_k))
    notes = [
        "Bands: the k variables with the largest |Vᵢc(φ)|. Dots: where two curves meet, filled where the k largest "
        "change. Vertical line: the direction of the best answer, V'v. φ = −π/2 and π/2 are one direction."
    ]
    return {"panels": panels, "notes": notes if panels else []}


def panel_size(panel, count):
    return 5.0, 2.2 if count > 1 else 2.9


def draw(axes, panel, options, context):
    width = panel_size(panel, 2)[0]
    for i, (low, high, support) in enumerate(panel["bands"]):
        axes.axvspan(low, high, color=("#f2f2f2", "#ffffff")[i % 2], linewidth=0, zorder=0)
        words = "{" + ", ".join(str(one + 1) for one in support) + "}"
        if (high - low) / math.pi * width > LETTER * len(words):
            place = ((low + high) / 2, 1.0)
            axes.annotate(words, place, xycoords=("data", "axes fraction"), ha="center", va="bottom", fontsize=7)
    if panel["best"] is not None:
        axes.axvline(panel["best"], color="#444444", linewidth=1)
    drawn = style.draw_curves(axes, panel["curves"])
    for phi, y, changes in panel["meetings"]:
        axes.plot([phi], [y], "o", color="#000000", markersize=4, markerfacecolor="#000000" if changes else "#ffffff")
    axes.set_title(panel["title"], pad=14)
    axes.grid(False, axis="x")
    axes.set_xlim(-math.pi / 2, math.pi / 2)
    axes.set_ylim(bottom=0)
    quarters = [i * math.pi / 4 for i in range(-2, 3)]
    axes.set_xticks(quarters, ["−π/2", "−π/4", "0", "π/4", "π/2"])
    axes.set_xlabel("φ, with c = (sin φ, cos φ)")
    axes.set_ylabel("|Vᵢ c(φ)|")
    return drawn


def chart(data, options):
    """Returns None: the bands and the points at which curves meet would be missing."""
    return None
