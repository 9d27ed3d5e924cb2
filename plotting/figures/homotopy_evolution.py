"""The way of the solver homotopy from A over B and B' to C: both functions against the largest eigenvalue of X, which is 1
where X has rank one, and that eigenvalue against the iterations. Needs "evolution": true among the solver's options."""

import records
import style

OPTIONS = {}
NEEDS = 'no usable record holds an evolution ("evolution": true among the options of the solver homotopy).'
KEYS = ("mu", "rank", "f_ccv", "f_EVD", "lambda_max")
LETTER = 8.5  # points


def evolution(record):
    """Returns {name: [one number for each iteration]} or None."""
    facts = record.get("facts", {})
    columns = {key: facts.get(f"evolution_{key}") for key in KEYS}
    return columns if all(isinstance(column, list) for column in columns.values()) else None


def data(cells, options, context):
    first = [record for record in cells if record["repeat"] == 0 and records.is_usable(record)]
    told = [(record, evolution(record)) for record in first]
    name = records.curve_names(first)
    panels = []
    for record, columns in told:
        if columns is None or record["components"] > 1:
            continue
        b = max(i for i, mu in enumerate(columns["mu"]) if mu == 0)
        shown = {key: columns[key] for key in KEYS}
        title = ", ".join(filter(None, [record["dataset"], name(record), records.shape_words([record])]))
        panels.append({"kind": "functions", "title": title, "b": b, **shown})
        panels.append({"kind": "eigenvalue", "title": f"rank {columns['rank'][b]:.0f} at B", "b": b, **shown})
    notes = []
    if panels:
        notes.append("Continuous: the relaxation, μ = 0, from A to B; B' is the rank-one matrix nearest to B.")
        notes.append("Dashed: μ from 0 to 1, from B to C. f_EVD is the value of the rank-one matrix nearest to X.")
    return {"panels": panels, "notes": notes}


def panel_size(panel, count):
    return 2.6, 2.4


def phases(axes, x, y, b, look):
    (line,) = axes.plot(x[: b + 1], y[: b + 1], linestyle="-", **look)
    axes.plot(x[b:], y[b:], linestyle=(0, (4, 1.5)), **look)
    return line


def letter(axes, word, x, y, right, up):
    axes.plot([x], [y], marker="o", markersize=4, color="black", zorder=5)
    axes.annotate(
        word,
        (x, y),
        xytext=(6 if right else -6, 6 if up else -6),
        textcoords="offset points",
        ha="left" if right else "right",
        va="bottom" if up else "top",
        fontsize=LETTER,
        fontweight="bold",
    )


def draw(axes, panel, options, context):
    b, weight = panel["b"], panel["lambda_max"]
    axes.set_title(panel["title"])
    axes.margins(0.12, 0.14)  # for the letters
    if panel["kind"] == "eigenvalue":
        phases(axes, range(len(weight)), weight, b, {"color": style.COLOURS[2], "linewidth": 1.5})
        for word, i, right, up in (("A", 0, True, True), ("B, B'", b, True, False), ("C", len(weight) - 1, False, True)):
            letter(axes, word, i, weight[i], right, up)
        axes.set_xlabel("iterations")
        axes.set_ylabel("largest eigenvalue of X")
        return []
    drawn = []
    for name, key, colour in (("f_ccv", "f_ccv", 0), ("f_EVD", "f_EVD", 1)):
        line = phases(axes, weight, panel[key], b, {"color": style.COLOURS[colour], "linewidth": 1.5})
        drawn.append({"line": line, "color": line.get_color(), "name": name, "end": (weight[-1], panel[key][-1])})
    letter(axes, "A", weight[0], panel["f_ccv"][0], True, False)
    letter(axes, "B", weight[b], panel["f_ccv"][b], True, True)
    letter(axes, "B'", weight[b], panel["f_EVD"][b], True, False)
    letter(axes, "C", weight[-1], panel["f_ccv"][-1], True, True)
    axes.set_xlabel("largest eigenvalue of X")
    axes.set_ylabel("value")
    return drawn
