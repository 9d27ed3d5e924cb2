"""Verdicts on published numbers as matrices: a row a solver, a column a cardinality or a data set, by what varies."""

import math

MOST_COLUMNS = 16  # of a matrix that a reader takes in; of more, each data set has its own
ACROSS = ("data set", "grid", "k")
# What tells numbers of one solver in one column apart, as far as it must.
APART = ("table", "row", "column")


def grouped(rows, key):
    groups = {}
    for row in rows:
        groups.setdefault(key(row), []).append(row)
    return groups


def values_of(rows, name):
    return list(dict.fromkeys(row[name] for row in rows))


def by_size(cardinality):
    """For sorting: "2" before "10", "2,3" behind "2"; an empty one last."""
    numbers = [int(part) for part in cardinality.split(",") if part.isdigit()]
    return numbers or [math.inf]


def columns_of(rows):
    """Names of what varies, less the grid where data set or k tell as much."""
    names = [name for name in ACROSS if len(values_of(rows, name)) > 1]
    if "grid" in names:
        others = [name for name in names if name != "grid"]
        told = grouped(rows, lambda row: tuple(row[name] for name in others))
        if others and all(len(values_of(some, "grid")) == 1 for some in told.values()):
            names = others
    return names


def collisions(rows, names):
    return len(rows) - len({tuple(row[name] for name in names) for row in rows})


def row_names(rows, across):
    """What a row is: the solver, its deflation where there are several, and what tells numbers of one column apart."""
    names = ["solver"] + [name for name in ("deflation",) if len(values_of(rows, name)) > 1]
    for name in APART:
        if collisions(rows, names + across) > collisions(rows, names + [name] + across):
            names.append(name)
    return names


def head(keys, across):
    """Lines of (words, columns below them)."""
    lines = []
    for depth in range(len(across)):
        line = []
        for i, key in enumerate(keys):
            if i and keys[i - 1][: depth + 1] == key[: depth + 1]:
                line[-1][1] += 1
            else:
                line.append([f"k = {key[depth]}" if across[depth] == "k" and key[depth] else key[depth] or "none", 1])
        lines.append([tuple(one) for one in line])
    return lines


def matrix(rows, across, title):
    places = {name: values_of(rows, name) for name in across}
    if "k" in across:
        places["k"].sort(key=by_size)
    names = row_names(rows, across)
    cells = grouped(rows, lambda row: (tuple(row[name] for name in names), tuple(row[name] for name in across)))
    keys = sorted({key for _, key in cells}, key=lambda key: [places[name].index(at) for name, at in zip(across, key)])
    lines = list(dict.fromkeys(line for line, _ in cells))
    labels = {line: ", ".join(dict.fromkeys(part for part in line if part and part != "none")) for line in lines}
    fixed = [words for words in (values_of(rows, "data set"), [f"k = {k}" for k in values_of(rows, "k") if k]) if len(words) == 1 and words[0]]
    return {
        "title": title,
        "head": head(keys, across) if across else [[(", ".join(one[0] for one in fixed) or "verdict", 1)]],
        "rows": [(labels[line], [cells.get((line, key), []) for key in keys]) for line in lines],
    }


def matrices(rows):
    """One a metric; if that is too wide, one a data set of it. `rows` are those of the table of all published numbers."""
    found = []
    for metric, some in grouped(rows, lambda row: row["metric"]).items():
        words = metric.replace("_", " ")
        across = columns_of(some)
        wide = len({tuple(row[name] for name in across) for row in some}) > MOST_COLUMNS
        if wide and len(across) > 1:
            for value, part in grouped(some, lambda row: row[across[0]]).items():
                found.append(matrix(part, columns_of(part), f"{words}, {value}" if value else words))
        else:
            found.append(matrix(some, across, words))
    return found
