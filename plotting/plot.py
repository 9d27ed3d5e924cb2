#!/usr/bin/env python3
"""Draws the figures of a run. `spca plot` calls it: a request comes in on stdin as JSON, figures go to files, and what
was drawn goes to stdout as JSON. A kind of figure is a file of figures/, found by being there (docs/FIGURES.md)."""

import importlib
import json
import logging
import pathlib
import sys


def refuse(message):
    """Passes an error that the user can correct to `spca plot`, which prints it."""
    json.dump({"error": message}, sys.stdout)
    sys.exit(2)


logging.getLogger("matplotlib").setLevel(logging.ERROR)  # the first start reports its font cache
try:
    import matplotlib  # noqa: F401  (the imports below need it)
except ImportError as error:
    refuse(
        f"{sys.executable}: found no module {error.name}; accepted: a Python with matplotlib "
        "(Debian: python3-matplotlib), which SPCA_PYTHON may name"
    )

import instances  # noqa: E402  (after the search for matplotlib)
import records  # noqa: E402
import style  # noqa: E402
import vega_lite  # noqa: E402


def kind_named(name):
    return importlib.import_module("figures." + name.replace("-", "_"))


def number_styles(panels):
    """Styles count on from 0 over those in use: curves that were merged would leave gaps, and the looks near each other
    differ most."""
    drawn = [one for panel in panels for one in [*panel.get("curves", []), *panel.get("crosses", [])]]
    curves = [one for one in drawn if one["style"] not in ("bound", None)]
    numbers = {style: i for i, style in enumerate(sorted({curve["style"] for curve in curves}))}
    for curve in curves:
        curve["style"] = numbers[curve["style"]]


def chart_of(kind, spec, data):
    """The figure as a specification of Vega-Lite; None for a kind that a browser shows no better than print."""
    if hasattr(kind, "chart"):
        chart = kind.chart(data, spec["options"])
    else:
        chart = vega_lite.specification(data["panels"])
    return chart and {**chart, "title": style.printable(spec["title"]), "description": " ".join(data["notes"])}


def compose(spec, all_records, context):
    """The figure that `spec` asks for, its notes and its chart; or None and why the records do not fill it."""
    kind = kind_named(spec["kind"])
    chosen = instances.answering(records.choose(all_records, spec["variants"]), context)
    # Not before: labels that differ in a control character alone are two.
    data = style.printable(kind.data(chosen, spec["options"], context))
    if not data["panels"]:
        return None, " ".join([kind.NEEDS, *data["notes"]]), None
    number_styles(data["panels"])
    data["notes"] += records.shorten(data["panels"])
    sizes = [kind.panel_size(panel, len(data["panels"])) for panel in data["panels"]]

    def draw(i, axes):
        drawn = kind.draw(axes, data["panels"][i], spec["options"], context)
        facts = vega_lite.axes_facts(axes, drawn)
        data["panels"][i]["axes"] = {**facts, "points": facts["points"] or data["panels"][i].get("points", False)}
        return drawn

    below = {i for i, panel in enumerate(data["panels"]) if panel.get("below")}
    notes = [] if context.get("small") else data["notes"]  # a page prints them as its own text
    figure = style.compose(style.printable(spec["title"]), notes, sizes, draw, below)
    return figure, data["notes"], chart_of(kind, spec, data)


def tell_missing(letters):
    most = 10
    words = [f"{letter} (U+{ord(letter):04X})" for letter in letters[:most]]
    words += [f"{len(letters) - most} more"] if len(letters) > most else []
    print(f"figures: not in the font, drawn as a box: {', '.join(words)}", file=sys.stderr)


def main():
    request = json.load(sys.stdin)
    if request.get("small"):
        style.make_svg_small()
    all_records = records.read(request["run"])
    written, missing = [], {}
    for spec in request["figures"]:
        answer = {key: spec[key] for key in ("name", "kind", "title")}
        answer.update(notes=[], path="", why_not="", chart=None)
        figure, notes, chart = compose(spec, all_records, request)
        if figure is None:
            answer["why_not"] = notes
        else:
            path = pathlib.Path(request["directory"]) / f"{spec['name']}.{request['format']}"
            style.save(figure, path)
            missing.update(dict.fromkeys(style.missing_shapes(figure)))
            answer.update(notes=notes, path=str(path), chart=chart)
        written.append(answer)
    if missing:
        tell_missing(list(missing))
    json.dump(written, sys.stdout)


if __name__ == "__main__":
    try:
        main()
    except OSError as error:
        refuse(f"{error.filename}: {error.strerror}")
