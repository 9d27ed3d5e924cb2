"""Components as lists of words, a column for each component, the largest loading on top: Tables 3 to 7 of M. Asteris,
D. Papailiopoulos, A. Kyrillidis, A. Dimakis, NIPS 2015."""

import itertools

import records

OPTIONS = {"variables": 20}
NEEDS = "no usable record holds loadings."
FONT = 6.5  # points
LINE = 0.125  # inches from one word to the next
LETTER = 0.056  # inches, of a wide word on average
BETWEEN = 0.1  # inches between columns
WIDEST = 6.6  # inches of a panel
LONGEST = 18  # letters of a word; a longer one is cut
MOST_PANELS = 12  # more panels cannot be read


def words_of(component, names, most):
    pairs = sorted(zip(component["indices"], component["values"]), key=lambda pair: (-abs(pair[1]), pair[0]))
    words = [names[i] if i < len(names) else f"variable {i + 1}" for i, _ in pairs[:most]]
    return [word if len(word) <= LONGEST else word[: LONGEST - 1] + "…" for word in words]


def is_of(number, record):
    return all(number[key] == record[key] for key in ("dataset", "solver", "deflation", "cardinality"))


def data(cells, options, context):
    usable = [record for record in cells if record["repeat"] == 0 and records.is_usable(record)]
    name = records.curve_names(usable)
    printed = records.printed(context, ["explained_variance"])
    panels = []
    for record in usable[:MOST_PANELS]:
        names = context["variable_names"].get(record["dataset"]) or []
        value = records.scalar(record, "explained_variance")
        words = [record["dataset"], name(record), records.cardinality_words(record["cardinality"])]
        total = f"variance {value:.5g}" if value is not None else ""
        same = [one for one in printed if is_of(one, record)]
        total += f", printed {same[0]['printed']}" if total and same else ""
        panels.append(
            {
                "title": ", ".join(filter(None, [*words, total])),
                "topics": [words_of(component, names, options["variables"]) for component in record["loadings"]],
            }
        )
    notes = []
    if usable:
        notes.append("A column is a component; above in it: larger |loading|.")
    if len(usable) > MOST_PANELS:
        notes.append(f"{MOST_PANELS} of {len(usable)} answers are shown.")
    return {"panels": panels, "notes": notes}


def rows_of(topics):
    """Columns that do not fit beside each other continue below: [(width of each, topics)]."""
    rows = [[]]
    for topic in enumerate(topics, 1):
        if rows[-1] and sum(map(width_of, [*rows[-1], topic])) > WIDEST:
            rows.append([])
        rows[-1].append(topic)
    return rows


def width_of(topic):
    number, words = topic
    return LETTER * max(len(word) for word in [f"topic {number}", *words]) + BETWEEN


def height_of(row):
    return 2 + max(len(words) for _, words in row)  # lines: the number above, an empty one below


def panel_size(panel, count):
    rows = rows_of(panel["topics"])
    return max(sum(map(width_of, row)) for row in rows), LINE * sum(map(height_of, rows))


def draw(axes, panel, options, context):
    rows = rows_of(panel["topics"])
    width, height = panel_size(panel, 1)
    starts = [0, *itertools.accumulate(map(height_of, rows))]
    for row, start in zip(rows, starts):
        lefts = [0, *itertools.accumulate(map(width_of, row))]
        for (number, words), left in zip(row, lefts):
            for line, word in enumerate([f"topic {number}", *words]):
                axes.text(
                    left / width,
                    1 - LINE * (start + line) / height,
                    word,
                    ha="left",
                    va="top",
                    fontsize=FONT,
                    fontweight="bold" if line == 0 else "normal",
                    transform=axes.transAxes,
                )
    axes.set_title(panel["title"])
    axes.set(xticks=[], yticks=[])
    axes.set_axis_off()
    return []
