"""A figure for a browser: its panels of curves as one specification of Vega-Lite, in the colours, dashes and markers of
style.py. The page shows panel after panel and hides curves by the parameter `hidden` (report/charts.js); as a whole it
is complete in any program that reads Vega-Lite."""

import math

import problems
import style

SCHEMA = "https://vega.github.io/schema/vega-lite/v6.json"
# A marker of matplotlib: what Vega calls it. A pentagon is a path in the square from -1 to 1.
SHAPES = {
    "o": "circle",
    "s": "square",
    "^": "triangle-up",
    "D": "diamond",
    "v": "triangle-down",
    "<": "triangle-left",
    ">": "triangle-right",
    "p": "M0,-1L0.951,-0.309L0.588,0.809L-0.588,0.809L-0.951,-0.309Z",
}
CROSS = "M-1,-1L1,1M-1,1L1,-1"
SCALES = ("linear", "log", "symlog")
WIDTH, HEIGHT = 320, 220  # pixels of a panel that is drawn alone
LINE = 1.8  # pixels, in which a dash of style.py is counted
DIGITS = 12  # of a number: no reader sees more, and more make the page larger


def plain(value):
    """The number in the form of JSON; None for a number that has no place on an axis."""
    if value is None or not math.isfinite(value):
        return None
    value = float(f"{value:.{DIGITS}g}")
    return int(value) if value == int(value) and abs(value) < 2**53 else value


def is_line(artist):
    of_bars = getattr(artist, "lines", [artist])[0]  # bars of errors come with their line
    look = getattr(of_bars, "get_linestyle", str)()
    return isinstance(look, str) and look not in ("None", "none", " ", "")


def axes_facts(axes, drawn):
    """Returns the titles and scales of the axes of a drawn panel, and whether its curves are steps,
    or points without a line."""
    steps = any(getattr(curve["line"], "get_drawstyle", str)() == "steps-post" for curve in drawn)
    return {
        "x": {"title": axes.get_xlabel(), "scale": axes.get_xscale()},
        "y": {"title": axes.get_ylabel(), "scale": axes.get_yscale()},
        "steps": steps,
        "points": bool(drawn) and not any(is_line(curve["line"]) for curve in drawn),
    }


def dash(linestyle):
    return [1, 0] if linestyle == "-" else [round(LINE * length, 2) for length in linestyle[1]]


def look(number):
    """Returns colour, dash and shape of a curve of this style."""
    if number == "bound":
        return style.BOUND["color"], [1, 0], "circle"
    of_style = style.look(number)
    return of_style["color"], dash(of_style["linestyle"]), SHAPES[of_style["marker"]]


def kind_of(curve):
    """A bound at a single place is a level, because a line of one point is none."""
    return "curve" if curve["style"] != "bound" else "level" if len(curve["x"]) == 1 else "bound"


def marks(curve):
    first, every = style.marked(len(curve["x"]), curve["style"])
    return [int(i >= first and (i - first) % every == 0) for i in range(len(curve["x"]))]


def rows(panel):
    """Returns the names of the lists, and a row for each curve: its name once, its numbers as lists
    of one length. Bounds come first, because later marks are drawn above earlier ones. If the panel
    has one bound, each point has the bound at its x."""
    curves = sorted(panel["curves"], key=lambda curve: curve["style"] != "bound")
    outer = [curve for curve in curves if curve["style"] == "bound"]
    bounds = dict(zip(outer[0]["x"], outer[0]["y"])) if len(outer) == 1 else {}
    lists = {"x": lambda curve: curve["x"], "y": lambda curve: curve["y"]}
    if bounds:
        lists["bound"] = lambda curve: [None if curve is outer[0] else bounds.get(at) for at in curve["x"]]
    if any("low" in curve for curve in curves):
        for end in ("low", "high"):
            lists[end] = lambda curve, end=end: curve.get(end, [None] * len(curve["x"]))
    if any(len(curve["x"]) > style.MANY_POINTS for curve in curves):
        lists["mark"] = marks
    return list(lists), [
        {
            "curve": curve["name"],
            "kind": kind_of(curve),
            **{key: [plain(value) for value in of_curve(curve)] for key, of_curve in lists.items()},
        }
        for curve in curves
    ]


def axis(name, facts, values):
    """Returns one axis; a count has ticks at whole numbers only."""
    whole = all(isinstance(value, int) for value in values if value is not None)
    scale = facts["scale"] if facts["scale"] in SCALES else "linear"
    places = {value for value in values if value is not None}
    shown = {"values": sorted(places), "format": "~g"} if len(places) == 1 else {"tickMinStep": 1} if whole and scale == "linear" else {}
    title = facts["title"].split("\n")
    return {
        "field": name,
        "type": "quantitative",
        "title": title if len(title) > 1 else title[0],
        "scale": {"type": scale, **({} if scale == "log" else {"zero": False}), "nice": False, "padding": 8},
        "axis": shown,
    }


def shortfall_axis(high):
    """The axis of style.shortfall_axis: from where answers without a shortfall are drawn to `high`, at least 100 %."""
    return {
        "scale": {"type": "log", "nice": False, "domain": [problems.FLOOR / 2.5, 1.3 * max(high, 1.0)]},
        "axis": {"values": [problems.FLOOR, 1e-6, 1e-4, 1e-2, 1], "labelExpr": percent("datum.value")},
    }


def percent(value):
    return f"{value} < {2 * problems.FLOOR:g} ? 'none' : format(100 * {value}, '.3~g') + ' %'"


def first_line(title):
    """The name of the quantity in a hint: the axis' title without its formula."""
    return title if isinstance(title, str) else title[0]


def clear_of_log(data, lists):
    """Removes values that a logarithmic axis cannot show."""
    for one in data:
        for key in lists:
            one[key] = [value if value is not None and value > 0 else None for value in one[key]]


def only(condition):
    return [{"filter": condition}]


def hint_fields(axes, lists, curves_are, shortfall):
    """The fields that a hint shows at a point."""
    return [
        {"field": "curve", "title": curves_are},
        *[{"field": "share" if key == shortfall else key, "title": first_line(one["title"])} for key, one in axes.items()],
        *([{"field": "bound", "title": "upper bound"}] if "bound" in lists else []),
        *[{"field": end, "title": f"{end} end"} for end in ("low", "high") if end in lists],
    ]


def layers_below(data, lists, y, color, stepped):
    """Bounds and intervals."""
    kinds = {one["kind"] for one in data}
    if "bound" in kinds:
        mark = {"type": "line", "strokeWidth": style.BOUND["linewidth"], **stepped}
        yield {"transform": only("datum.kind === 'bound'"), "mark": mark, "encoding": color}
    if "level" in kinds:
        mark = {"type": "tick", "orient": "horizontal", "thickness": 5, "size": 30}
        yield {"transform": only("datum.kind === 'level'"), "mark": mark, "encoding": color}
    if "low" in lists:
        ends = {"y": {**y, "field": "low"}, "y2": {"field": "high"}}
        yield {"mark": {"type": "rule", "strokeWidth": 1.2}, "encoding": {**ends, **color}}


def layers_of_curves(number, lists, scales, color, line):
    # A page scrolls by the wheel; with Ctrl it zooms.
    zoom = {"type": "interval", "zoom": "wheel![event.ctrlKey || event.metaKey]"}
    yield {
        "params": [{"name": f"zoom{number}", "select": zoom, "bind": "scales"}],
        "transform": only("datum.kind === 'curve'"),
        "mark": {"type": "line", **line},
        "encoding": {**color, "strokeDash": scales["strokeDash"]},
    }
    yield {
        "transform": only("datum.kind === 'curve'" + (" && datum.mark === 1" if "mark" in lists else "")),
        "mark": {"type": "point", "size": 36, "strokeWidth": 1.4, "opacity": 1},
        "encoding": {**color, "shape": scales["shape"]},
    }


def layer_of_hints(number, lists, color, fields, shortfall):
    """Returns a layer of points that are invisible until the pointer is near: then all points of
    the nearest curve are seen."""
    name = f"near{number}"
    near = {"type": "point", "on": "pointerover", "clear": "pointerout", "nearest": True}
    seen = {"condition": {"param": name, "empty": False, "value": 0.6}, "value": 0}
    return {
        "params": [{"name": name, "select": near}],
        # If the hint of a curve's point has the bound, the curve of the bound needs no hint.
        "transform": [
            *(only("datum.kind === 'curve'") if "bound" in lists else []),
            *([{"calculate": percent(f"datum.{shortfall}"), "as": "share"}] if shortfall else []),
        ],
        "mark": {"type": "point", "filled": True, "size": 90},
        "encoding": {**color, "opacity": seen, "tooltip": fields},
    }


def layer_of_crosses(crosses, axes):
    """Points that the paper prints, which no curve joins."""
    if crosses:
        values = [{"curve": one["name"], "x": plain(one["x"]), "y": plain(one["y"]),
                   "fill": "#000000" if one["style"] is None else look(one["style"])[0]} for one in crosses]
        fields = [{"field": "curve"}, *[{"field": key, "title": first_line(one["title"])} for key, one in axes.items()]]
        yield {
            "data": {"values": values},
            "mark": {"type": "point", "shape": CROSS, "size": 60, "strokeWidth": 2},
            "encoding": {"stroke": {"field": "fill", "type": "nominal", "scale": None}, "tooltip": fields},
        }


def panel_view(panel, number, scales, curves_are):
    facts = panel["axes"]
    lists, data = rows(panel)
    axes = {key: axis(key, facts[key], [value for one in data for value in one[key]]) for key in ("x", "y")}
    logarithmic = {key for key, one in axes.items() if one["scale"]["type"] == "log"}
    for key, ends in (("x", ("x",)), ("y", ("y", "low", "high"))):
        if key in logarithmic:
            clear_of_log(data, [end for end in ends if end in lists])
    shortfall = panel["shortfall"] if panel.get("shortfall") in logarithmic else None
    if shortfall:
        axes[shortfall].update(shortfall_axis(max(value for one in data for value in one[shortfall] if value is not None)))
    stepped = {"interpolate": "step-after"} if facts["steps"] else {}
    color = {"color": scales["color"]}
    return {
        "title": panel["title"],
        "width": WIDTH,
        "height": HEIGHT,
        "data": {"values": data},
        "transform": [{"flatten": lists}, {"filter": "indexof(hidden, datum.curve) < 0"}],
        "encoding": axes,
        "layer": [
            *layers_below(data, lists, axes["y"], color, stepped),
            *layers_of_curves(number, lists, scales, color, {"strokeWidth": 0 if facts["points"] else LINE, **stepped}),
            layer_of_hints(number, lists, color, hint_fields(axes, lists, curves_are, shortfall), shortfall),
            *layer_of_crosses(panel.get("crosses", []), axes),
        ],
    }


def shared_scales(curves):
    """Returns colour, dash and shape of every curve of the figure, by its name."""
    looks = {}
    for curve in curves:
        looks.setdefault(curve["name"], look(curve["style"]))
    names = list(looks)
    channels = {}
    for channel, values in zip(("color", "strokeDash", "shape"), zip(*looks.values())):
        scale = {"domain": names, "range": list(values)}
        channels[channel] = {"field": "curve", "type": "nominal", "scale": scale, "legend": {"title": None}}
    return channels


def is_curve(curve):
    return bool(curve.get("x")) and len(curve["x"]) == len(curve.get("y", [])) and "style" in curve


def specification(panels, curves_are="solver"):
    """Returns the specification of the panels of `data()`, each with its axes_facts() as "axes";
    None if a panel is not of curves. A curve may have "low" and "high", the ends of an interval at
    each of its points. `curves_are`: the kind of thing that a curve's name names."""
    curves = [curve for panel in panels for curve in panel.get("curves", [])]
    if not curves or not all(panel.get("curves") and all(map(is_curve, panel["curves"])) for panel in panels):
        return None
    in_order = sorted(curves, key=lambda curve: (curve["style"] == "bound", curve["style"] if curve["style"] != "bound" else 0))
    scales = shared_scales(in_order)
    return {
        "$schema": SCHEMA,
        "params": [{"name": "hidden", "value": []}],
        "columns": min(len(panels), 2),
        "concat": [panel_view(panel, i, scales, curves_are) for i, panel in enumerate(panels)],
    }
