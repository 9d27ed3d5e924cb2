"""Verdicts on published numbers as matrices: a row for each solver, and a column for each cardinality or data set, whichever
varies."""

MOST_COLUMNS = 12  # of one matrix; a wider one is divided (of_metric)
ACROSS = ("data set", "grid", "k")
SOLVER = ["solver", "deflation"]
# Names that distinguish numbers of one solver in one column, used only if they must.
APART = ("table", "row", "column")


def grouped(rows, key):
    groups = {}
    for row in rows:
        groups.setdefault(key(row), []).append(row)
    return groups


def values_of(rows, name):
    return list(dict.fromkeys(row[name] for row in rows))


def by_size(cardinality):
    """Returns a sort key: "2" before "10", "2,3" after "2"."""
    return [int(part) for part in cardinality.split(",") if part]


def collisions(rows, names):
    return len(rows) - len({tuple(row[name] for name in names) for row in rows})


def columns_of(rows):
    """The names that vary and are not determined by the solver: with a column for each row there would be no matrix."""
    names = [name for name in ACROSS if len(values_of(rows, name)) > 1]
    for name in ("grid", "k", "data set"):
        others = [other for other in names if other != name]
        if name in names and collisions(rows, SOLVER + others) == collisions(rows, SOLVER + names):
            names = others
    return names


def row_names(rows, across):
    """The names that make up a row: the solver, the names that vary with it, and those that distinguish numbers of one column."""
    names = ["solver"] + [name for name in ("deflation", "data set", "k") if name not in across and len(values_of(rows, name)) > 1]
    for name in APART:
        if collisions(rows, names + across) > collisions(rows, names + [name] + across):
            names.append(name)
    return names


def words_of(name, value):
    return f"k = {value}" if name == "k" else "" if value == "none" else value


def head(keys, across):
    """Lines of (words, columns below them)."""
    lines = []
    for depth in range(len(across)):
        line = []
        for i, key in enumerate(keys):
            if i and keys[i - 1][: depth + 1] == key[: depth + 1]:
                line[-1][1] += 1
            else:
                line.append([words_of(across[depth], key[depth]), 1])
        lines.append([tuple(one) for one in line])
    return lines


def label(names, values):
    words = [words_of(name, value) for name, value in zip(names, values)]
    return ", ".join(dict.fromkeys(filter(None, words)))


def matrix(rows, across, title):
    places = {name: values_of(rows, name) for name in across}
    if "k" in across:
        places["k"].sort(key=by_size)
    names = row_names(rows, across)
    cells = grouped(rows, lambda row: (tuple(row[name] for name in names), tuple(row[name] for name in across)))
    keys = sorted({key for _, key in cells}, key=lambda key: [places[name].index(at) for name, at in zip(across, key)])
    lines = list(dict.fromkeys(line for line, _ in cells))
    fixed = [words_of(name, rows[0][name]) for name in ("data set", "k") if len(values_of(rows, name)) == 1]
    return {
        "title": title,
        "head": head(keys, across) if across else [[(", ".join(filter(None, fixed)) or "ours", 1)]],
        "rows": [(label(names, line), [cells.get((line, key), []) for key in keys]) for line in lines],
    }


def of_metric(rows, words):
    """Returns one matrix. If it is too wide and its columns have several names, returns one for
    each value of the first of these names."""
    across = columns_of(rows)
    if len(across) < 2 or len({tuple(row[name] for name in across) for row in rows}) <= MOST_COLUMNS:
        return [matrix(rows, across, words)]
    parts = grouped(rows, lambda row: row[across[0]])
    return [matrix(part, columns_of(part), f"{words}, {value}") for value, part in parts.items()]


def matrices(rows):
    """[{"title", "head", "rows", "without"}], at least one a metric. `rows` are those of the table of all published
    numbers. Those to which no cell was compared have no place in a matrix: they are the "without"
    of the last matrix of their metric."""
    found = []
    for metric, some in grouped(rows, lambda row: row["metric"]).items():
        words = metric.replace("_", " ")
        with_cell = [row for row in some if row["data set"]]
        own = of_metric(with_cell, words) if with_cell else [{"title": words, "head": [], "rows": []}]
        found += [{**one, "without": []} for one in own]
        found[-1]["without"] = [row for row in some if not row["data set"]]
    return found
