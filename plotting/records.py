"""Records of a run, as results/README.md describes them: reading, choosing, grouping, and the statistics of repeats."""

import collections
import json
import math
import pathlib

MOST_NAMES = 6  # of one curve in a legend; more are named below the figure


def identity(record):
    """The key of a variant: everything that identifies a record, except its repeat."""
    return (
        record["grid"],
        record["dataset"],
        record["solver"],
        record["deflation"],
        tuple(record["cardinality"]),
    )


def json_lines(path):
    """Returns the values of a file of JSON lines, without a torn last line and without lines that
    are not JSON: spca refuses a run with such lines unless --force is given."""
    text = path.read_text(encoding="utf-8", errors="replace")
    values = []
    for line in text.split("\n")[:-1]:  # a label may hold a letter that splitlines() takes for the end of a line
        try:
            values.append(json.loads(line))
        except json.JSONDecodeError:
            continue
    return values


def read(run):
    """Returns the records of a run folder, each with "trace_asked": whether its grid asks for a
    trace; true if the run does not say. Of two records of one cell the later counts."""
    records = {}
    identities = pathlib.Path(run) / "identities.jsonl"
    lines = json_lines(identities) if identities.exists() else []
    asked = {line["identity"]: line["of"].get("trace", False) for line in lines}
    for record in json_lines(pathlib.Path(run) / "cells.jsonl"):
        record["trace_asked"] = asked.get(record["key"][-32:], True)
        records[(record["key"], record["grid"], record["dataset"], record["solver"])] = record
    return list(records.values())


def choose(records, variants):
    """The records of these variants, in the variants' order and then by repeat."""
    place = {(*variant[:4], tuple(variant[4])): i for i, variant in enumerate(variants)}
    chosen = [record for record in records if identity(record) in place]
    return sorted(chosen, key=lambda record: (place[identity(record)], record["repeat"]))


def is_usable(record):
    """Returns true if a record has an answer with all components. If the time ran out, there may be
    fewer, and such an answer is not compared with complete ones."""
    answered = record["status"] in ("converged", "iteration_limit", "time_limit") and bool(record["loadings"])
    return answered and len(record["loadings"]) >= record["components"]


def is_failure(record):
    """Returns true if a cell should have an answer and has none. Skipped cells, and cells whose S has fewer components, are
    not failures."""
    return record["status"] not in ("skipped", "incomplete") and not is_usable(record)


def metric(record, name):
    """Returns a number, or a list of one number for each component; None if it was not measured, or
    if it is a time that was taken while other cells ran."""
    if name in record["timing"]:
        return None if record["contended"] else record["timing"][name]
    return record["metrics"].get(name)


def scalar(record, name):
    value = metric(record, name) if is_usable(record) else None
    return value if isinstance(value, (int, float)) else None


def mean(values):
    return math.fsum(values) / len(values)


def median(values):
    ordered = sorted(values)
    middle = len(ordered) // 2
    return ordered[middle] if len(ordered) % 2 else (ordered[middle - 1] + ordered[middle]) / 2


def wilson(successes, trials, z=1.959963984540054):
    """Returns the interval of a share, by default that of 95 %: within 0..1, also near its ends. E. B. Wilson, JASA 22:209,
    1927."""
    share = successes / trials
    centre = (share + z * z / (2 * trials)) / (1 + z * z / trials)
    half = z / (1 + z * z / trials) * math.sqrt(share * (1 - share) / trials + z * z / (4 * trials * trials))
    # At no and at all successes one end is 0 or 1 exactly, which rounding would miss.
    return (0.0 if successes == 0 else centre - half, 1.0 if successes == trials else centre + half)


def grouped(items, key):
    """Returns {key: items}, in the order in which keys first occur."""
    groups = collections.OrderedDict()
    for item in items:
        groups.setdefault(key(item), []).append(item)
    return groups


def cardinality_words(cardinality):
    if len(set(cardinality)) == 1:
        return f"k = {cardinality[0]}"
    return "k = " + ", ".join(str(k) for k in cardinality)


def shape_words(records):
    """ "n = 50, p = 500", of one record or of several that may differ."""
    words = []
    for letter in ("n", "p"):
        values = sorted({record[letter] for record in records if record[letter] > 0})
        if values:
            words.append(f"{letter} = " + ", ".join(str(value) for value in values))
    return ", ".join(words)


def curve_names(records):
    """Returns a function from a record to the name of its curve: the solver, with the deflation if
    the records have several."""
    several = len({record["deflation"] for record in records if record["deflation"]}) > 1

    def name(record):
        return f"{record['solver']}, {record['deflation']}" if several and record["deflation"] else record["solver"]

    return name


def style_of(records, name):
    """Returns {curve name: number of its style}: the same in all panels of a figure, in the experiment's order."""
    return {curve: i for i, curve in enumerate(grouped(records, name))}


def lie_on_each_other(one, other, tolerance):
    scale = max((abs(y) for y in one["y"]), default=0)
    return one["x"] == other["x"] and all(abs(a - b) <= tolerance * scale for a, b in zip(one["y"], other["y"]))


def merged(panels, tolerance=1e-9):
    """Merges curves into one curve with all their names if they lie on each other in every panel
    that has one of them: in print they look like one. So a name has one look in all panels.
    `panels`: lists of curves {"name", "style", "x", "y", ...}. `tolerance` is relative to the
    largest |y|: larger than rounding, too small to be seen in print. A returned curve has its
    "names", too, because a name may itself hold " = "."""
    of_name = {}  # name: {panel: its curve}
    for i, curves in enumerate(panels):
        for curve in curves:
            of_name.setdefault(curve["name"], {})[i] = curve
    joined = {}  # the first name of those that lie on each other: all of them
    for name, own in of_name.items():
        for first in joined:
            known = of_name[first]
            if known.keys() == own.keys() and all(lie_on_each_other(own[i], known[i], tolerance) for i in own):
                joined[first].append(name)
                break
        else:
            joined[name] = [name]
    return [
        [
            {**curve, "name": " = ".join(joined[curve["name"]]), "names": joined[curve["name"]]}
            for curve in curves
            if curve["name"] in joined
        ]
        for curves in panels
    ]


def names_of(curve):
    """Returns the names of a curve: several if it was merged."""
    return curve.get("names", [curve["name"]])


def with_merged(panels):
    """The panels, their "curves" merged."""
    return [{**panel, "curves": curves} for panel, curves in zip(panels, merged([panel["curves"] for panel in panels]))]


def shorten(panels):
    """Gives curves of more than MOST_NAMES names a short one. Returns notes that list the names."""
    notes = {}
    for curve in [curve for panel in panels for curve in panel.get("curves", [])]:
        names = names_of(curve)
        if len(names) > MOST_NAMES:
            notes[curve["name"]] = f"{names[0]} and {len(names) - 1} more, which lie on each other: {', '.join(names)}."
            curve["name"] = f"{names[0]} and {len(names) - 1} more"
            curve["names"] = [curve["name"]]
    return list(notes.values())


def printed(context, metrics):
    """The numbers of these metrics that the paper prints, each {"dataset", "solver", "deflation", "cardinality", "metric",
    "printed", "value"}. If a number is compared with several solvers, only its own method's entry is kept."""

    def number(one):
        return one["dataset"], tuple(one["cardinality"]), one["metric"], one["printed"]

    found = [one for one in context.get("published", []) if one["metric"] in metrics]
    of_method = {number(one) for one in found if one["method"] != "other"}
    return [one for one in found if one["method"] != "other" or number(one) not in of_method]


def crosses(numbers, name, curves, x_of):
    """Returns the printed numbers as points of a panel: {"x", "y", "style", "name"}. The style is
    that of their curve, or None without a curve."""
    found = []
    for one in numbers:
        style = next((curve["style"] for curve in curves if name(one) in names_of(curve)), None)
        point = {"x": x_of(one), "y": one["value"], "style": style, "name": f"printed: {name(one)}"}
        if not any((other["x"], other["y"], other["style"]) == (point["x"], point["y"], style) for other in found):
            found.append(point)
    return found


def crosses_note(panels):
    points = [point for panel in panels for point in panel.get("crosses", [])]
    if not points:
        return []
    other = any(point["style"] is None for point in points)
    return ["Crosses: printed in the paper, in the colour of the curve" + ("; black: of no curve here." if other else ".")]


def left_out(records, reason):
    """Returns a note on the solvers of these records; nothing if there are none."""
    solvers = list(grouped(records, lambda record: record["solver"]))
    return [f"Not drawn: {', '.join(solvers)} ({reason})."] if solvers else []


def failures_note(records):
    failed = [record for record in records if is_failure(record)]
    if not failed:
        return []
    counts = grouped(failed, lambda record: f"{record['solver']} ({record['status'].replace('_', ' ')})")
    return ["No answer: " + ", ".join(f"{name} {len(cells)} times" for name, cells in counts.items()) + "."]
