"""Loadings of each component as a heat map: variables down, components across, one panel for each
answer."""

import textwrap

import records

OPTIONS = {"variables": 13}
NEEDS = "no usable record holds loadings."
CELL = (0.36, 0.155)  # inches
LETTER = 0.06  # inches, of the label below, on average
MOST_PANELS = 12  # more panels cannot be read


def chosen_rows(components, most):
    """Returns the variables to show, component by component: those of the `most` largest loadings
    of each, largest first, without those that an earlier component has shown."""
    rows = []
    for component in components:
        pairs = sorted(zip(component["indices"], component["values"]), key=lambda pair: (-abs(pair[1]), pair[0]))
        rows += [index for index, _ in pairs[:most] if index not in rows]
    return rows


def common_rows(usable, most):
    """Returns {data set: all variables of its answers, in the source's order} of the data sets with
    several answers, if these have no more than `most` variables together: a row is then the same
    variable in each panel."""
    rows = {}
    for dataset, some in records.grouped(usable, lambda record: record["dataset"]).items():
        used = sorted({i for record in some for component in record["loadings"] for i in component["indices"]})
        if len(some) > 1 and len(used) <= most:
            rows[dataset] = used
    return rows


def data(cells, options, context):
    usable = [record for record in cells if record["repeat"] == 0 and records.is_usable(record)]
    name = records.curve_names(usable)
    several = len({tuple(record["cardinality"]) for record in usable}) > 1
    common = common_rows(usable[:MOST_PANELS], options["variables"])
    panels = []
    for record in usable[:MOST_PANELS]:
        rows = common.get(record["dataset"]) or chosen_rows(record["loadings"], options["variables"])
        values = [dict(zip(component["indices"], component["values"])) for component in record["loadings"]]
        names = context["variable_names"].get(record["dataset"]) or []
        words = [record["dataset"], name(record), records.cardinality_words(record["cardinality"]) if several else ""]
        panels.append(
            {
                "title": ", ".join(filter(None, words)),
                "variables": [names[i] if i < len(names) else f"variable {i + 1}" for i in rows],
                "loadings": [[component.get(i) for component in values] for i in rows],  # None: zero
            }
        )
    notes = []
    if usable and all(record["dataset"] in common for record in usable[:MOST_PANELS]):
        notes.append("Empty: 0.")
    elif usable:
        notes.append(f"Of each component the {options['variables']} largest |loadings| are shown, at most; empty: 0.")
    if len(usable) > MOST_PANELS:
        notes.append(f"{MOST_PANELS} of {len(usable)} answers are shown.")
    return {"panels": panels, "notes": notes}


def panel_size(panel, count):
    return CELL[0] * len(panel["loadings"][0]), CELL[1] * len(panel["variables"])


def draw(axes, panel, options, context):
    numbers = [[float("nan") if value is None else value for value in row] for row in panel["loadings"]]
    axes.pcolormesh(numbers, cmap="PuOr_r", vmin=-1, vmax=1, edgecolors="white", linewidth=0.5)
    for i, row in enumerate(panel["loadings"]):
        for j, value in enumerate(row):
            if value is not None:
                # The number shows the sign in grey print, where two hues of one depth look alike.
                axes.text(
                    j + 0.5,
                    i + 0.5,
                    f"{value:.2f}".replace("-", "\u2212"),
                    ha="center",
                    va="center",
                    fontsize=6,
                    color="white" if abs(value) > 0.7 else "black",
                )
    axes.invert_yaxis()
    axes.grid(False)
    axes.set_title(panel["title"])
    axes.set_xticks([j + 0.5 for j in range(len(panel["loadings"][0]))], range(1, len(panel["loadings"][0]) + 1))
    axes.set_yticks([i + 0.5 for i in range(len(panel["variables"]))], panel["variables"], fontsize=7)
    axes.tick_params(length=0)
    # The label is wrapped: a panel of one component is narrower than the label, which would push
    # its neighbour away.
    letters = max(12, int(CELL[0] / LETTER * len(panel["loadings"][0])))
    axes.set_xlabel(textwrap.fill("component\u00a0j: loadings\u00a0vⱼ, unit\u00a0length", letters))
    for spine in axes.spines.values():
        spine.set_visible(True)
        spine.set_color("#bbbbbb")
    return []
